// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// A stable radix sort of whatever has a `code`, an unsigned integer, by the bits in which codes
/// differ: by as many leading ones as tell about as many of them apart as there are, and what still
/// stands in no order is mended.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/samples.h>

#include <algorithm>
#include <cstdint>
#include <new>
#include <utility>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace sequential {

/// How many bits a number has from its highest one on.
template <class Code>
unsigned width_of(Code c) noexcept {
  if constexpr (sizeof(Code) > 8) {
    auto const high = static_cast<std::uint64_t>(c >> 64);
    return high != 0 ? 64 + sequential::width_of(high)
                     : sequential::width_of(static_cast<std::uint64_t>(c));
  } else {
    return c == 0 ? 0 : 64 - static_cast<unsigned>(__builtin_clzll(std::uint64_t{c}));
  }
}

template <class X>
void insertion_sort(X* a, std::uint64_t n) {
  for (std::uint64_t i = 1; i < n; ++i) {
    X const x = a[i];
    std::uint64_t to = i;
    for (; to > 0 && x.code < a[to - 1].code; --to) {
      a[to] = a[to - 1];
    }
    a[to] = x;
  }
}

/// Some bits of a code, and how many have each value of them.
class radix_digit {
public:
  static constexpr unsigned most_bits = 12;  // what is written for each value stays in a cache

  /// The digit that ends where codes differ first.
  template <class X>
  void count(X const* a, std::uint64_t n, decltype(X::code) differing, unsigned bits) noexcept {
    unsigned const end = sequential::width_of(differing);
    shift_ = end > bits ? end - bits : 0;
    values_ = std::uint32_t{1} << (end - shift_);
    std::fill_n(places_, values_, 0);
    for (std::uint64_t i = 0; i < n; ++i) {
      ++places_[value_of(a[i].code, shift_, values_ - 1)];
    }
  }
  unsigned shift() const noexcept { return shift_; }
  /// So many values as often as each other would tell as many codes apart.
  double told_apart(std::uint64_t n) const noexcept {
    double pairs = 0;
    for (std::uint32_t value = 0; value < values_; ++value) {
      pairs += static_cast<double>(places_[value]) * places_[value];
    }
    return static_cast<double>(n) * static_cast<double>(n) / pairs;
  }
  /// Moves all that has been counted.
  template <class X>
  void move(X const* from, X* to, std::uint64_t n) noexcept {
    std::uint32_t place = 0;
    for (std::uint32_t value = 0; value < values_; ++value) {
      place += std::exchange(places_[value], place);
    }
    unsigned const shift = shift_;
    std::uint32_t const mask = values_ - 1;
    for (std::uint64_t i = 0; i < n; ++i) {
      X const x = from[i];
      ::new (static_cast<void*>(to + places_[value_of(x.code, shift, mask)]++)) X(x);
    }
  }

private:
  template <class Code>
  static std::uint32_t value_of(Code c, unsigned shift, std::uint32_t mask) noexcept {
    return static_cast<std::uint32_t>(c >> shift) & mask;
  }

  unsigned shift_;
  std::uint32_t values_;
  std::uint32_t places_[std::uint32_t{1} << most_bits];
};

template <class X>
void sort_by_code(X* a, X* scratch, std::uint64_t n);

/// Sorts what digits have left in no order: stretches in which all bits from `shift` on are the
/// same.
template <class X>
void mend_order(X* a, X* scratch, std::uint64_t n, unsigned shift) {
  for (std::uint64_t i = 1; i < n; ++i) {
    if (!(a[i].code < a[i - 1].code)) {
      continue;
    }
    auto const leading = a[i].code >> shift;
    std::uint64_t begin = i - 1;
    while (begin > 0 && a[begin - 1].code >> shift == leading) {
      --begin;
    }
    std::uint64_t end = i + 1;
    while (end < n && a[end].code >> shift == leading) {
      ++end;
    }
    sequential::sort_by_code(a + begin, scratch, end - begin);
    i = end;
  }
}

/// Sorts by leading bits. Returns from which one on, 0 if that is all. Not inline, so that the
/// digits have left the stack when the rest is mended.
template <class X>
THRUST_HIST_NOINLINE unsigned sort_by_digits(
    X* a, X* scratch, std::uint64_t n, decltype(X::code) differing) {
  constexpr unsigned most_digits = 8;
  constexpr std::uint64_t worth_more = 1024;
  unsigned const most = n < worth_more ? 3 : most_digits;
  // Two digits tell n even codes apart, most of them.
  unsigned const bits = (std::min)((sequential::width_of(n) + 4) / 2, radix_digit::most_bits);
  radix_digit digits[most_digits];
  unsigned size = 0;
  double told_apart = 1;
  while (differing != 0 && size < most && told_apart < static_cast<double>(n)) {
    digits[size].count(a, n, differing, bits);
    told_apart *= digits[size].told_apart(n);
    differing = static_cast<decltype(X::code)>(
        differing & ((decltype(X::code){1} << digits[size].shift()) - 1));
    ++size;
  }
  X* from = a;
  X* to = scratch;
  for (unsigned digit = size; digit-- > 0;) {
    digits[digit].move(from, to, n);
    std::swap(from, to);
  }
  if (from != a) {
    std::copy_n(from, n, a);
  }
  return differing != 0 ? digits[size - 1].shift() : 0;
}

/// Sorts a, which has less than 2^32 elements, with room for as many more; equal ones stay in their
/// order.
template <class X>
void sort_by_code(X* a, X* scratch, std::uint64_t n) {
  constexpr std::uint64_t few = 32;
  if (n <= few) {
    sequential::insertion_sort(a, n);
    return;
  }
  using code = decltype(X::code);
  code differing = 0;
  for (std::uint64_t i = 1; i < n; ++i) {
    differing = static_cast<code>(differing | (a[i].code ^ a[0].code));
  }
  unsigned const sorted_from = sequential::sort_by_digits(a, scratch, n, differing);
  if (sorted_from > 0) {
    sequential::mend_order(a, scratch, n, sorted_from);
  }
}

}  // namespace sequential
}  // namespace detail
THRUST_HIST_NAMESPACE_END
