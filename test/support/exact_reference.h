// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Correctly rounded sums in another way than the library's: sign and magnitude instead of two's
// complement, and a rounding that reads the result's bits one by one.

#include "exact.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

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

}  // namespace test
