// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Exact sums of floating-point numbers: a fixed-point number as wide as the range of the type,
/// made of 32-bit limbs (U. Kulisch's long accumulator, 1980s; its carry-save form after C.
/// Collange, D. Defour, S. Graillat, R. Iakymchuk, "Numerical reproducibility for the parallel
/// reduction on multi- and many-core architectures", 2015). Integers only: no compiler flag changes
/// a result.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/ieee.h>
#include <thrust_hist/detail/samples.h>

#include <cstdint>
#include <type_traits>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {

/// Where the bits of T are: `digits` of the significand with its leading one, `exponent_bits`, and
/// the smallest subnormal number, 2^lowest.
template <class T>
struct ieee_layout {
  using bits = std::make_unsigned_t<typename real_format<T>::key>;
  static constexpr int digits = real_format<T>::digits;
  static constexpr int fraction = digits - 1;
  static constexpr int exponent_bits = static_cast<int>(8 * sizeof(T)) - digits;
  static constexpr int lowest = 3 - (1 << (exponent_bits - 1)) - digits;
  static constexpr bits infinity =
      static_cast<bits>(((std::uint64_t{1} << exponent_bits) - 1) << fraction);
};

/// The long accumulator of float or double: limb i weighs 2^(32 i) units of 2^lowest, together they
/// are one number in two's complement.
///
/// float: 10 limbs, room for 2^42 additions of the largest number; double: 67 limbs and 2^45. A sum
/// beyond that wraps around.
template <class T>
struct limb_format : ieee_layout<T> {
  static_assert(
      std::is_same_v<T, float> || std::is_same_v<T, double>,
      "thrust_hist: exact sums are formed in float or double; see addend_t.");
  using significand = typename real_format<T>::key;  // a signed integer of T's size
  /// Every finite number is below 2^range units.
  static constexpr int range = (1 << (ieee_layout<T>::exponent_bits - 1)) - ieee_layout<T>::lowest;
  static constexpr int headroom = 40;  // log2 of the additions that must fit
  static constexpr int limbs = (range + headroom + 1 + 31) / 32;
  /// The digits that one number has, see digits_of().
  static constexpr int digits_of_one = static_cast<int>(sizeof(T) / 4) + 1;
};

/// What no number of units can say. Flags: those of the addends are or-ed together.
enum special : std::uint32_t {
  finite = 0,
  plus_infinity = 1,
  minus_infinity = 2,
  not_a_number = 4
};

/// A number taken apart: significand * 2^position units, and 0 where it is not finite.
template <class T>
struct dissected {
  typename limb_format<T>::significand significand;  // signed; 32 bits for float, 64 for double
  int position;                                      // >= 0
  special kind;
};

/// Takes a float or double apart, by its bits.
template <class T>
THRUST_HIST_HOST_DEVICE inline dissected<T> dissect(T x) noexcept {
  using format = limb_format<T>;
  using significand = typename format::significand;
  constexpr significand one = significand{1} << format::fraction;
  constexpr int beyond = (1 << format::exponent_bits) - 1;

  auto const bits = detail::bit_cast<significand>(x);
  int const field = static_cast<int>(bits >> format::fraction) & beyond;
  significand const fraction = bits & (one - 1);
  if (field == beyond) {
    return {0, 0, fraction != 0 ? not_a_number : (bits < 0 ? minus_infinity : plus_infinity)};
  }
  significand const magnitude = field != 0 ? fraction | one : fraction;
  significand const sign = bits >> (format::digits + format::exponent_bits - 1);  // 0 or -1
  return {(magnitude ^ sign) - sign, field != 0 ? field - 1 : 0, finite};
}

/// A number as digits to be added to neighbouring limbs: the sum of digit[k] * 2^(32 (limb + k))
/// units, each digit in [-2^31, 2^31).
template <class T>
struct digit_run {
  static constexpr int count = limb_format<T>::digits_of_one;  // float 2, double 3
  std::int32_t digit[count];
  int limb;
};

/// The digits of a number. An int32 word takes one with carry_of(), an int64 limb 2^31 of them with
/// no care at all. There is always a limb above the last digit.
template <class T>
THRUST_HIST_HOST_DEVICE inline digit_run<T> digits_of(dissected<T> const& x) noexcept {
  using run = digit_run<T>;
  using significand = typename limb_format<T>::significand;
  using word = std::make_unsigned_t<significand>;
  constexpr int width = static_cast<int>(8 * sizeof(word));
  // Half of each digit's range: what is added to make digits unsigned, and then taken off again.
  constexpr word halves = static_cast<word>(0x8000000080000000u);

  auto const position = static_cast<unsigned>(x.position);
  int const shift = static_cast<int>(position % 32);
  word const low = static_cast<word>(x.significand) << shift;
  word const raised = low + halves;
  word const carry = (low | ~raised) >> (width - 1);
  run result;
  for (int k = 0; k + 1 < run::count; ++k) {
    result.digit[k] =
        static_cast<std::int32_t>(static_cast<std::uint32_t>(raised >> (32 * k)) ^ 0x80000000u);
  }
  auto const top = static_cast<std::int32_t>(x.significand >> (width - 32));
  result.digit[run::count - 1] = ((top >> 1) >> (31 - shift)) + static_cast<std::int32_t>(carry);
  result.limb = static_cast<int>(position / 32);
  return result;
}

/// What the next word is owed, -1, 0 or 1, when `digit` is added to a word of 32 bits that held
/// `before` and wraps around.
THRUST_HIST_HOST_DEVICE inline std::int32_t carry_of(
    std::int32_t before, std::int32_t digit) noexcept {
  auto const after = static_cast<std::int32_t>(
      static_cast<std::uint32_t>(before) + static_cast<std::uint32_t>(digit));
  return ((before ^ after) & (digit ^ after)) < 0 ? (digit < 0 ? -1 : 1) : 0;
}

/// An exact sum of floats or doubles that has not been carried through: limbs of 64 bits, each of
/// which takes 2^31 digits before it must be normalised. All bytes 0 is the empty sum.
template <class T>
struct carry_save {
  static constexpr int limbs = limb_format<T>::limbs;
  /// How many numbers fit between two calls of normalize().
  static constexpr std::uint64_t room = std::uint64_t{1} << 31;

  std::int64_t limb[limbs];
  std::uint64_t specials;  // flags of `special`

  THRUST_HIST_HOST_DEVICE void add(T x) noexcept {
    dissected<T> const parts = dissect(x);
    digit_run<T> const run = digits_of(parts);
    for (int k = 0; k < digit_run<T>::count; ++k) {
      limb[run.limb + k] += run.digit[k];
    }
    specials |= parts.kind;
  }

  /// The additions that `other` has had since it was normalised count here too.
  THRUST_HIST_HOST_DEVICE void add(carry_save const& other) noexcept {
    for (int i = 0; i < limbs; ++i) {
      limb[i] += other.limb[i];
    }
    specials |= other.specials;
  }

  /// Carries through: afterwards all limbs are in [0, 2^32), but the last, which is in
  /// [-2^31, 2^31) and has the sign. Equal sums have equal limbs then.
  THRUST_HIST_HOST_DEVICE void normalize() noexcept {
    std::int64_t carry = 0;
    for (int i = 0; i < limbs; ++i) {
      std::int64_t const sum = limb[i] + carry;
      carry = sum >> 32;
      limb[i] = sum & 0xffffffff;
    }
    limb[limbs - 1] = static_cast<std::int32_t>(limb[limbs - 1]);
  }
};

/// Adds units * 2^position to a long accumulator. What would go above the last limb is lost: sums
/// are modulo what all limbs hold.
template <class T>
THRUST_HIST_HOST_DEVICE inline void add_units(
    carry_save<T>& sum, int128 units, int position) noexcept {
  // The lowest 96 bits, which fit when they are shifted, and what is above them.
  int const limb = position / 32;
  auto const low = (static_cast<uint128>(units) & ((static_cast<uint128>(1) << 96) - 1))
                   << (position % 32);
  auto const high = static_cast<std::int64_t>(units >> 96) * (std::int64_t{1} << (position % 32));
  for (int i = 0; i < 4 && limb + i < carry_save<T>::limbs; ++i) {
    sum.limb[limb + i] += static_cast<std::uint32_t>(low >> (32 * i));
    sum.limb[limb + i] += i == 3 ? high : 0;
  }
}

/// An exact sum all of whose bits lie near each other: units * 2^position, in units of 2^lowest.
template <class T>
struct near_sum {
  int128 units;
  int position;

  /// The same as a normalised long accumulator.
  THRUST_HIST_HOST_DEVICE carry_save<T> spread() const noexcept {
    carry_save<T> sum = {};
    if (units != 0) {
      detail::add_units(sum, units, position);
      sum.normalize();
    }
    return sum;
  }
};

/// The type in which a T is added exactly, and the way there: float for the 16-bit types.
template <class T>
struct addend_of {
  using type = T;
};
template <class T>
using addend_t = typename addend_of<T>::type;

THRUST_HIST_HOST_DEVICE inline float to_addend(float x) noexcept {
  return x;
}
THRUST_HIST_HOST_DEVICE inline double to_addend(double x) noexcept {
  return x;
}

#if defined(__CUDACC__)
template <>
struct addend_of<__half> {
  using type = float;
};
template <>
struct addend_of<__nv_bfloat16> {
  using type = float;
};
THRUST_HIST_HOST_DEVICE inline float to_addend(__half x) noexcept {
  return __half2float(x);  // subnormal halves are normal floats
}
THRUST_HIST_HOST_DEVICE inline float to_addend(__nv_bfloat16 x) noexcept {
  return detail::bit_cast<float>(
      static_cast<std::uint32_t>(detail::bit_cast<std::uint16_t>(x)) << 16);
}
#endif

}  // namespace detail
THRUST_HIST_NAMESPACE_END
