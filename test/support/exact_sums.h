// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Correctly rounded sums in another way than the library's: sign and magnitude instead of two's
// complement, and a rounding that reads the result's bits one by one. And addends that hurt.

#include "exact.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

namespace test {

// An integer of up to 2304 bits, in units of some power of two.
class wide_integer {
public:
  wide_integer() = default;
  // +-value * 2^position
  wide_integer(bool negative, std::uint64_t value, int position) : negative_(negative) {
    for (int i = 0; i < 64; ++i)
      if ((value >> i & 1) != 0)
        limb_[static_cast<std::size_t>(position + i) / 32] |= 1u << (position + i) % 32;
  }

  bool negative() const { return negative_; }
  bool bit(int i) const {
    return i >= 0 && (limb_[static_cast<std::size_t>(i) / 32] >> (i % 32) & 1) != 0;
  }
  int highest_bit() const {  // -1: zero
    for (int i = size * 32 - 1; i >= 0; --i)
      if (limb_[static_cast<std::size_t>(i) / 32] == 0)
        i -= i % 32;
      else if (bit(i))
        return i;
    return -1;
  }
  bool any_below(int end) const {
    for (int i = 0; i < end; ++i)
      if (i % 32 == 0 && limb_[static_cast<std::size_t>(i) / 32] == 0)
        i += 31;
      else if (bit(i))
        return true;
    return false;
  }

  wide_integer& operator+=(wide_integer const& other) {
    if (negative_ == other.negative_)
      combine(other, 1);
    else if (!is_smaller(*this, other))
      combine(other, -1);
    else {
      wide_integer larger = other;
      larger.combine(*this, -1);
      *this = larger;
    }
    return *this;
  }

private:
  static constexpr int size = 72;
  static bool is_smaller(wide_integer const& a, wide_integer const& b) {
    return std::lexicographical_compare(
        a.limb_.rbegin(), a.limb_.rend(), b.limb_.rbegin(), b.limb_.rend());
  }
  void combine(wide_integer const& other, int sign) {
    std::int64_t rest = 0;
    for (std::size_t i = 0; i < size; ++i) {
      rest +=
          static_cast<std::int64_t>(limb_[i]) + sign * static_cast<std::int64_t>(other.limb_[i]);
      limb_[i] = static_cast<std::uint32_t>(rest & 0xffffffff);
      rest = rest < 0 ? -1 : rest >> 32;
    }
  }

  bool negative_ = false;
  std::array<std::uint32_t, size> limb_{};
};

template <class To>
std::uint64_t infinity_bits() {
  return std::uint64_t{anatomy<To>::special} << anatomy<To>::fraction;
}

// The bits of value * 2^unit rounded to the nearest To, ties to even.
template <class To>
std::uint64_t rounded_bits(wide_integer const& value, int unit) {
  using to = anatomy<To>;
  const int top = value.highest_bit();
  if (top < 0)
    return 0;
  const int last = std::max(top + unit - to::fraction, to::lowest);
  const int dropped = last - unit;
  std::uint64_t kept = 0;
  for (int i = to::fraction; i >= 0; --i)
    kept = 2 * kept + (dropped + i <= top && value.bit(dropped + i) ? 1 : 0);
  if (dropped - 1 <= top && value.bit(dropped - 1) &&
      ((kept & 1) != 0 || value.any_below(dropped - 1)))
    ++kept;
  const std::uint64_t bits = (static_cast<std::uint64_t>(last - to::lowest) << to::fraction) + kept;
  const std::uint64_t sign = std::uint64_t{value.negative()} << (8 * sizeof(To) - 1);
  return sign | std::min(bits, infinity_bits<To>());
}

// What exact_sum<T> has to be.
template <class T>
class reference_sum {
public:
  void add(T x) {
    const anatomy<T> parts(x);
    if (parts.is_nan())
      up_ = down_ = true;
    else if (parts.is_special())
      (parts.negative ? down_ : up_) = true;
    else
      sum_ += wide_integer(parts.negative, parts.mantissa, parts.scale() - unit);
  }
  template <class To>
  std::uint64_t bits() const {
    if (up_ && down_)
      return infinity_bits<To>() | std::uint64_t{1} << (anatomy<To>::fraction - 1);
    if (up_ || down_)
      return infinity_bits<To>() | std::uint64_t{down_} << (8 * sizeof(To) - 1);
    return rounded_bits<To>(sum_, unit);
  }

private:
  static constexpr int unit = anatomy<T>::lowest;
  wide_integer sum_;
  bool up_ = false, down_ = false;  // infinities; both: NaN
};

// --- addends ----------------------------------------------------------------------------------

template <class T>
inline constexpr int exponent_limit = 1 << (float_format<T>::exponent - 1);  // all are below 2^this

// +-integer * 2^exponent, which must be a number of type T.
template <class T>
T number(bool negative, std::uint64_t integer, int exponent) {
  return from_bits<T>(rounded_bits<T>(wide_integer(negative, integer, exponent + 1200), -1200));
}

inline constexpr std::size_t addends_of_case = 8;
template <class T>
using addends = std::array<T, addends_of_case>;  // in a random order, filled up with zeros

// m * 2^exponent + half of 2^exponent + tail, as numbers of type T; empty if it is not possible.
template <class T, class To>
void add_tie(
    std::vector<addends<T>>& cases, std::mt19937_64& rng, std::uint64_t m, int exponent, int tail) {
  constexpr int lowest = anatomy<T>::lowest, digits = anatomy<T>::fraction + 1;
  if (exponent - 1 < lowest || exponent + anatomy<To>::fraction + 1 > exponent_limit<T>)
    return;
  const bool negative = (rng() & 1) != 0;
  addends<T> a{};
  std::size_t n = 0;
  for (int done = 0; done <= anatomy<To>::fraction; done += digits)
    a[n++] = number<T>(negative, m >> done & ((std::uint64_t{1} << digits) - 1), exponent + done);
  a[n++] = number<T>(negative, 1, exponent - 1);
  if (tail != 0) {
    const auto places = static_cast<std::uint64_t>(exponent - 1 - lowest);
    const int place = places == 0 || rng() % 2 == 0 ? 0 : static_cast<int>(rng() % places);
    a[n++] = number<T>((tail < 0) != negative, 1, lowest + place);
  }
  const T big = number<T>(
      false, 1,
      lowest + static_cast<int>(rng() % static_cast<unsigned>(exponent_limit<T> - lowest)));
  a[n++] = big;
  a[n++] = from_bits<T>(bits_of(big) | std::uint64_t{1} << (8 * sizeof(T) - 1));
  std::shuffle(a.begin(), a.end(), rng);
  cases.push_back(a);
}

// Sums of Ts at and beside the middle between two numbers of type To, for every `step`-th exponent.
template <class T, class To>
void add_ties(std::vector<addends<T>>& cases, std::mt19937_64& rng, int step) {
  constexpr int fraction = anatomy<To>::fraction;
  constexpr std::uint64_t one = std::uint64_t{1} << fraction;
  const int end = exponent_limit<To> - fraction;
  for (int exponent = anatomy<To>::lowest; exponent < end; ++exponent) {
    const bool at_the_ends = exponent < anatomy<To>::lowest + 3 || exponent >= end - 3;
    if (!at_the_ends && exponent % step != 0)
      continue;
    for (int tail : {-1, 0, 1}) {
      for (std::uint64_t m : {one, one + 1, 2 * one - 1, one | (rng() & (one - 1))})
        add_tie<T, To>(cases, rng, m, exponent, tail);
      if (exponent == anatomy<To>::lowest)
        for (std::uint64_t m : {std::uint64_t{0}, std::uint64_t{1}, one / 2, one - 1})
          add_tie<T, To>(cases, rng, m, exponent, tail);
    }
  }
}

// Any bits, or exponents close to each other; with some addends that cancel others.
template <class T>
addends<T> random_addends(std::mt19937_64& rng) {
  addends<T> a{};
  const std::uint64_t kind = rng() % 4, centre = rng();
  for (std::size_t i = 0; i < addends_of_case; ++i) {
    std::uint64_t bits = rng();
    if (kind != 0) {  // exponents within 64 of each other
      constexpr int fraction = anatomy<T>::fraction;
      const std::uint64_t spread = (centre + (bits >> 5) % 64) % anatomy<T>::special;
      const std::uint64_t sign = std::uint64_t{1} << (8 * sizeof(T) - 1);
      bits = (bits & sign) | spread << fraction | (rng() & ((std::uint64_t{1} << fraction) - 1));
    }
    a[i] = from_bits<T>(bits);
    if (kind == 2 && i % 2 == 1)
      a[i] = from_bits<T>(bits_of(a[i - 1]) ^ std::uint64_t{1} << (8 * sizeof(T) - 1));
    if (kind == 3 && rng() % 2 == 0)
      a[i] = from_bits<T>(bits & ~std::uint64_t{0} << (rng() % anatomy<T>::fraction));
  }
  if (kind == 2)
    a[0] = from_bits<T>(rng());
  std::shuffle(a.begin(), a.end(), rng);
  return a;
}

}  // namespace test
