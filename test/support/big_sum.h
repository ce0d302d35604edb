// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// The sum of any numbers as one large integer, and its one rounding: schoolbook arithmetic on bits,
// nothing of which the library has.

#include "exact.h"

#include <array>
#include <cstddef>
#include <cstdint>

namespace test {

class big_sum {
public:
  template <class T>
  void add(T x) {
    const anatomy<T> parts(x);
    if (parts.is_special()) {
      (parts.is_nan() ? nan_ : parts.negative ? minus_ : plus_) = true;
      return;
    }
    add_bits(parts.mantissa, static_cast<std::size_t>(parts.scale() - lowest), parts.negative);
  }

  // To nearest, ties to even; an exact zero is +0, NaN the positive quiet one.
  template <class T>
  T value() const {
    using to = anatomy<T>;
    const std::uint64_t infinity = std::uint64_t{to::special} << to::fraction;
    const std::uint64_t sign = std::uint64_t{1} << (8 * sizeof(T) - 1);
    if (nan_ || (plus_ && minus_))
      return from_bits<T>(infinity | std::uint64_t{1} << (to::fraction - 1));
    if (plus_ || minus_)
      return from_bits<T>(infinity | (minus_ ? sign : 0));
    const bool negative = digits_.back() >> 31 != 0;
    const digits magnitude = negative ? negated() : digits_;
    int top = static_cast<int>(32 * count) - 1;
    while (top >= 0 && !bit(magnitude, top))
      --top;
    if (top < 0)
      return from_bits<T>(0);
    const int wanted = top + lowest - to::fraction;
    const int last = wanted > to::lowest ? wanted : to::lowest;
    const int shift = last - lowest;
    std::uint64_t quotient = 0;
    for (int i = top; i >= shift; --i)
      quotient = 2 * quotient + (bit(magnitude, i) ? 1 : 0);
    bool rest = false;
    for (int i = 0; i + 1 < shift; ++i)
      rest = rest || bit(magnitude, i);
    if (shift > 0 && bit(magnitude, shift - 1) && (rest || quotient % 2 != 0))
      ++quotient;
    const std::uint64_t bits =
        (static_cast<std::uint64_t>(last - to::lowest) << to::fraction) + quotient;
    return from_bits<T>((negative ? sign : 0) | (bits < infinity ? bits : infinity));
  }

private:
  static constexpr int lowest = -1074;      // one unit is 2^lowest
  static constexpr std::size_t count = 70;  // digits of 32 bits: 2 098 for a double, and room
  using digits = std::array<std::uint32_t, count>;

  static bool bit(digits const& d, int i) {
    return i < static_cast<int>(32 * count) &&
           ((d[static_cast<std::size_t>(i) / 32] >> (i % 32)) & 1) != 0;
  }
  digits negated() const {
    digits d;
    std::uint64_t carry = 1;
    for (std::size_t i = 0; i < count; ++i) {
      carry += static_cast<std::uint32_t>(~digits_[i]);
      d[i] = static_cast<std::uint32_t>(carry);
      carry >>= 32;
    }
    return d;
  }
  void add_bits(std::uint64_t mantissa, std::size_t at, bool negative) {
    uint128 rest = static_cast<uint128>(mantissa) << (at % 32);
    std::int64_t carry = 0;
    for (std::size_t i = at / 32; i < count; ++i) {
      const auto digit = static_cast<std::int64_t>(static_cast<std::uint32_t>(rest));
      rest >>= 32;
      carry += static_cast<std::int64_t>(digits_[i]) + (negative ? -digit : digit);
      digits_[i] = static_cast<std::uint32_t>(carry);
      carry >>= 32;
    }
  }

  digits digits_{};
  bool nan_ = false, plus_ = false, minus_ = false;
};

}  // namespace test
