// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// The one rounding of an exact sum: to nearest, ties to even, from the limbs to the bits of the
/// result, whether that is narrower than the addends, subnormal or too large.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/ieee.h>
#include <thrust_hist/detail/long_accumulator.h>

#include <cstdint>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {

/// The number of zero bits above the highest one; bits != 0.
THRUST_HIST_HOST_DEVICE inline int leading_zeros(std::uint64_t bits) noexcept {
#if defined(__CUDA_ARCH__)
  return __clzll(static_cast<long long>(bits));
#else
  return __builtin_clzll(bits);
#endif
}

template <class To>
THRUST_HIST_HOST_DEVICE inline To from_pattern(bool negative, std::uint64_t pattern) noexcept {
  std::uint64_t const sign = std::uint64_t{negative} << (8 * sizeof(To) - 1);
  return detail::bit_cast<To>(static_cast<typename ieee_layout<To>::bits>(sign | pattern));
}

/// The special value of a sum whose addends had these flags, of which there is one at least.
template <class To>
THRUST_HIST_HOST_DEVICE inline To special_value(std::uint64_t specials) noexcept {
  using layout = ieee_layout<To>;
  bool const is_infinite = specials == plus_infinity || specials == minus_infinity;
  std::uint64_t const quiet = std::uint64_t{1} << (layout::fraction - 1);
  return detail::from_pattern<To>(
      specials == minus_infinity, is_infinite ? layout::infinity : layout::infinity | quiet);
}

/// A magnitude of more bits than any format has digits: leading * 2^exponent, its highest bit set,
/// and whether there is `more` below its lowest one.
struct magnitude {
  std::uint64_t leading;
  int exponent;
  bool more;
};

template <class To>
THRUST_HIST_HOST_DEVICE inline To round_magnitude(bool negative, magnitude const& m) noexcept {
  using layout = ieee_layout<To>;
  int const wanted = m.exponent + 64 - layout::digits;  // the exponent of the result's last bit
  int const last = wanted < layout::lowest ? layout::lowest : wanted;
  int const dropped = last - m.exponent;  // bits; 11 at least
  std::uint64_t kept = 0;
  if (dropped <= 64) {
    kept = dropped < 64 ? m.leading >> dropped : 0;
    bool const half = ((m.leading >> (dropped - 1)) & 1) != 0;
    bool const above_half = (m.leading << (65 - dropped)) != 0 || m.more;
    kept += half && (above_half || (kept & 1) != 0) ? 1 : 0;
  }
  // The leading one is the lowest bit of the exponent, and a carry into the next power of two comes
  // out right by itself.
  std::uint64_t const pattern =
      (static_cast<std::uint64_t>(last - layout::lowest) << layout::fraction) + kept;
  return detail::from_pattern<To>(
      negative, pattern < layout::infinity ? pattern : layout::infinity);
}

/// Three limbs from the highest one on that is not all sign, zeros below the last limb; which that
/// one is, -1 if none; and whether there is `more` in those below.
struct three_limbs {
  uint128 window;
  int top;
  bool more;
};

template <int Limbs, class Limb>
THRUST_HIST_HOST_DEVICE inline three_limbs upper_limbs(
    Limb const* limb, std::uint32_t sign) noexcept {
  three_limbs found = {0, -1, false};
  if constexpr (Limbs <= 10) {  // limbs of a thread stay in registers: each index is a constant
    std::uint32_t a = 0, b = 0, c = 0;
    int taken = 0;
    for (int i = Limbs - 1; i >= 0; --i) {
      auto const x = static_cast<std::uint32_t>(limb[i]);
      found.top = taken == 0 && x != sign ? i : found.top;
      a = taken == 0 && found.top == i ? x : a;
      b = taken == 1 ? x : b;
      c = taken == 2 ? x : c;
      found.more |= taken > 2 && x != 0;
      taken += found.top >= 0 ? 1 : 0;
    }
    found.window = static_cast<uint128>(a) << 64 | static_cast<std::uint64_t>(b) << 32 | c;
  } else {
    found.top = Limbs - 1;
    while (found.top >= 0 && static_cast<std::uint32_t>(limb[found.top]) == sign) {
      --found.top;
    }
    for (int i = found.top; i > found.top - 3; --i) {
      found.window = found.window << 32 | (i >= 0 ? static_cast<std::uint32_t>(limb[i]) : 0u);
    }
    for (int i = 0; i < found.top - 2; ++i) {
      found.more |= static_cast<std::uint32_t>(limb[i]) != 0;
    }
  }
  return found;
}

/// The value of a normalised accumulator for numbers of type T whose limbs, of 32 or 64 bits each,
/// lie side by side; rounded once. An exact zero is +0, NaN the positive quiet one.
template <class To, class T, class Limb>
THRUST_HIST_HOST_DEVICE inline To round_limbs(Limb const* limb, std::uint64_t specials) noexcept {
  using format = limb_format<T>;
  if (specials != 0) {
    return detail::special_value<To>(specials);
  }
  auto const sign = static_cast<std::int32_t>(limb[format::limbs - 1]) >> 31;
  auto const [window, top, more] =
      detail::upper_limbs<format::limbs>(limb, static_cast<std::uint32_t>(sign));
  if (top < 0 && sign == 0) {
    return detail::from_pattern<To>(false, 0);
  }

  // The sum is (window + part) * 2^(32 (top - 2)) units, less 2^96 of these where it is negative,
  // and 0 <= part < 1.
  uint128 const units =
      sign == 0 ? window : (uint128{1} << 96) - window - static_cast<unsigned>(more);

  // The limb at top is not all sign, so units is in [2^64, 2^96].
  auto const low = static_cast<std::uint64_t>(units);
  int const excess = 64 - leading_zeros(static_cast<std::uint64_t>(units >> 64));
  return detail::round_magnitude<To>(
      sign != 0, {static_cast<std::uint64_t>(units >> excess),
                  format::lowest + 32 * (top - 2) + excess, more || low << (64 - excess) != 0});
}

/// The value of a sum in To, rounded once.
template <class To, class T>
THRUST_HIST_HOST_DEVICE inline To round_near(near_sum<T> const& sum) noexcept {
  if (sum.units == 0) {
    return detail::from_pattern<To>(false, 0);
  }
  bool const negative = sum.units < 0;
  uint128 const units =
      negative ? -static_cast<uint128>(sum.units) : static_cast<uint128>(sum.units);
  auto const upper = static_cast<std::uint64_t>(units >> 64);
  int const zeros = upper != 0 ? detail::leading_zeros(upper)
                               : 64 + detail::leading_zeros(static_cast<std::uint64_t>(units));
  uint128 const shifted = units << zeros;  // its highest bit set
  return detail::round_magnitude<To>(
      negative, {static_cast<std::uint64_t>(shifted >> 64),
                 limb_format<T>::lowest + sum.position + 64 - zeros,
                 static_cast<std::uint64_t>(shifted) != 0});
}

/// The value of a normalised accumulator in To (float, double, with CUDA __half or __nv_bfloat16),
/// rounded once.
template <class To, class T>
THRUST_HIST_HOST_DEVICE inline To round_to(carry_save<T> const& normalized) noexcept {
  return detail::round_limbs<To, T>(normalized.limb, normalized.specials);
}

}  // namespace detail
THRUST_HIST_NAMESPACE_END
