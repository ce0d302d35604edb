// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// An output that is filled with junk, with guards at both ends: a bin that is not written, or
// anything beside the bins that is, shows.

#include "boost_test.h"

#include <cstddef>
#include <cstring>
#include <ostream>
#include <sstream>
#include <string>
#include <type_traits>
#include <vector>

namespace test {

template <class T>
T junk() {
  static_assert(std::is_trivially_copyable_v<T>);
  T x;
  std::memset(static_cast<void*>(&x), 0xa5, sizeof(T));
  return x;
}

// Bit by bit: NaN equals itself, -0.0 is not +0.0.
template <class T>
bool same_bits(T const& a, T const& b) {
  return std::memcmp(static_cast<void const*>(&a), static_cast<void const*>(&b), sizeof(T)) == 0;
}

// Integers of 128 bits, which are arithmetic with -std=gnu++17 and have no operator<<.
template <class T>
inline constexpr bool is_wide_integer = std::is_integral_v<T> && sizeof(T) > 8;

template <class T>
void print(std::ostream& to, T const& x) {
  if constexpr (std::is_arithmetic_v<T> && !is_wide_integer<T>)
    to << +x;
  else
    to << "(" << sizeof(T) << " bytes)";
}

// Empty where the two are equal bit by bit, else one sentence about the first difference.
template <class T>
std::string difference(std::vector<T> const& got, std::vector<T> const& expected) {
  // At once where it can be: value by value takes ten times as long under sanitizers.
  if constexpr (!std::is_same_v<T, bool>)
    if (got.size() == expected.size() &&
        (got.empty() ||
         std::memcmp(
             static_cast<void const*>(got.data()), static_cast<void const*>(expected.data()),
             got.size() * sizeof(T)) == 0))
      return {};
  std::ostringstream what;
  what.precision(17);
  if (got.size() != expected.size())
    what << got.size() << " values instead of " << expected.size();
  else
    for (std::size_t i = 0; i < got.size(); ++i)
      if (!same_bits(got[i], expected[i])) {
        what << "place " << i << " of " << got.size() << " holds ";
        print(what, got[i]);
        what << " instead of ";
        print(what, expected[i]);
        break;
      }
  return what.str();
}

// Buffer is host_buffer or cuda_buffer.
template <class Buffer>
class guarded {
public:
  using value_type = typename Buffer::value_type;
  using values = std::vector<value_type>;

  static constexpr std::size_t margin = 67;  // odd: aligned to the element only

  explicit guarded(std::size_t size) : guarded(values(size, junk<value_type>())) {}

  // With known contents, for accumulate().
  explicit guarded(values const& contents)
      : start_(contents), buffer_(surrounded(contents).data(), contents.size() + 2 * margin) {}

  auto begin() { return buffer_.begin() + margin; }
  auto end() { return buffer_.end() - margin; }
  value_type* data() { return buffer_.data() + margin; }
  std::size_t size() const { return start_.size(); }

  values contents() const {
    const values all = everything();
    return {all.begin() + margin, all.end() - margin};
  }

  void check_equals(values const& expected) const {
    const std::string found = difference(everything(), surrounded(expected));
    BOOST_TEST(found == "", found << " (the output starts at place " << margin << ")");
  }
  void check_untouched() const { check_equals(start_); }

private:
  static values surrounded(values const& contents) {
    values all(margin, junk<value_type>());
    all.insert(all.end(), contents.begin(), contents.end());
    all.insert(all.end(), margin, junk<value_type>());
    return all;
  }

  values everything() const {
    values all(buffer_.size());
    buffer_.read(all.data());
    return all;
  }

  values start_;
  Buffer buffer_;
};

}  // namespace test
