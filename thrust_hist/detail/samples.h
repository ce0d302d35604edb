// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// What a sample is: an integer of 8 to 64 bits or a floating-point number, and for the latter an
/// order-preserving map to integers, in which comparisons need no floating-point unit.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/ieee.h>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>

#if defined(__CUDACC__)
#  include <cuda_bf16.h>
#  include <cuda_fp16.h>
#endif

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {

// Variables, since device code may read them where it may not call std::numeric_limits.
template <class T>
inline constexpr T min_of = (std::numeric_limits<T>::min)();
template <class T>
inline constexpr T max_of = (std::numeric_limits<T>::max)();

// --- integers: the type that a sample counts as ---------------------------------------------

template <class T, class = void>
struct integer_of {
  static constexpr bool valid = false;
};
template <class T>
struct integer_of<T, std::enable_if_t<std::is_integral_v<T> && sizeof(T) <= 8>> {
  static constexpr bool valid = true;
  using type = T;
};
template <>
struct integer_of<char> {
  static constexpr bool valid = true;
  using type = unsigned char;  // on every machine, whatever its plain char is
};
template <>
struct integer_of<bool> {
  static constexpr bool valid = true;
  using type = unsigned char;
};
template <class T>
struct integer_of<T, std::enable_if_t<std::is_enum_v<T>>>  // std::byte too
    : integer_of<std::underlying_type_t<T>> {};

/// value < 0, also for types that have no negative values and make compilers say so.
template <class Integer>
THRUST_HIST_HOST_DEVICE constexpr bool is_negative(Integer value) noexcept {
  if constexpr (std::is_signed_v<Integer>) {
    return value < 0;
  } else {
    return false;
  }
}

/// The integer type that T is counted as: char as unsigned char, an enum as what is under it.
template <class T>
using integer_t = typename integer_of<T>::type;

template <class T>
inline constexpr bool is_integer_sample = integer_of<T>::valid;

/// Whether the values of samples of so many bytes can be counted themselves, each a bit pattern,
/// and the rule asked once for each that occurs.
template <class T, std::size_t Bytes>
inline constexpr bool has_values_of =
    sizeof(T) ==
        Bytes&& std::is_trivially_copyable_v<T>&& std::is_trivially_default_constructible_v<T> &&
    !std::is_same_v<std::remove_cv_t<T>, bool>;
template <class T>
inline constexpr bool counts_by_value = has_values_of<T, 1>;

// --- floating-point numbers -----------------------------------------------------------------

/// Layout of a floating-point format, and the conversion from double, rounded once.
template <class T>
struct real_format {
  static constexpr bool valid = false;
};

/// Whether a number whose format has `fraction` bits after the point is subnormal. On a GPU zeros
/// are, too; on the host nobody would foresee them among other numbers.
template <int Fraction, class Bits>
THRUST_HIST_HOST_DEVICE inline bool is_subnormal(Bits bits) noexcept {
#if defined(__CUDA_ARCH__)
  constexpr Bits sign = static_cast<Bits>(Bits{1} << (sizeof(Bits) * 8 - 1));
  constexpr Bits exponents = static_cast<Bits>(static_cast<Bits>(~sign) >> Fraction << Fraction);
  return (bits & exponents) == 0;
#else
  constexpr Bits normal = static_cast<Bits>(Bits{2} << Fraction);
  bool const is_other = static_cast<Bits>(2 * bits - 2) >= normal - 2;  // without the sign
  return __builtin_expect(!is_other, 0);
#endif
}

/// The widening of such a number, with exponents down to 1 - bias, by its bits: no flag may flush
/// it.
template <int Fraction, int Bias, class Bits>
THRUST_HIST_HOST_DEVICE inline double widen_subnormal(Bits bits) noexcept {
  constexpr Bits sign = static_cast<Bits>(Bits{1} << (sizeof(Bits) * 8 - 1));
  double const unit =
      detail::bit_cast<double>(static_cast<std::uint64_t>(1024 - Bias - Fraction) << 52);
  double const magnitude = static_cast<double>(static_cast<std::int64_t>(bits & ~sign)) * unit;
  return (bits & sign) != 0 ? -magnitude : magnitude;
}

template <>
struct real_format<double> {
  static constexpr bool valid = true;
  using key = std::int64_t;
  using guess = double;  // the arithmetic in which a bin is guessed
  static constexpr int digits = 53;
  static constexpr double smallest_normal = 0x1p-1022;
  static constexpr double largest = 0x1.fffffffffffffp1023;
  THRUST_HIST_HOST_DEVICE static double from_double(double x) noexcept { return x; }
  THRUST_HIST_HOST_DEVICE static double to_double(double x) noexcept { return x; }
  THRUST_HIST_HOST_DEVICE static double approximate(double x) noexcept { return x; }
};

template <>
struct real_format<float> {
  static constexpr bool valid = true;
  using key = std::int32_t;
  using guess = float;
  static constexpr int digits = 24;
  static constexpr double smallest_normal = 0x1p-126;
  static constexpr double largest = 0x1.fffffep127;

  THRUST_HIST_HOST_DEVICE static float from_double(double x) noexcept {
#if defined(__CUDA_ARCH__)
    float rounded;  // the cast would flush subnormals under --use_fast_math
    asm("cvt.rn.f32.f64 %0, %1;" : "=f"(rounded) : "d"(x));
    return rounded;
#else
    std::uint64_t const bits = detail::bit_cast<std::uint64_t>(x);
    std::uint64_t const positive = bits & ~(std::uint64_t{1} << 63);
    if (positive >= std::uint64_t{1023 - 126} << 52) {  // by bits: NaN, too
      return static_cast<float>(x);
    }
    auto const magnitude = detail::bit_cast<double>(positive);
    // Subnormal as a float: its fraction is |x| * 2^149 rounded to even. Below 2^23 the addition
    // of 2^52 rounds just there. A subnormal double is far below half of the smallest float.
    double const shifted = add_rounded(multiply_rounded(magnitude, 0x1p149), 0x1p52);
    auto const fraction = static_cast<std::uint32_t>(add_rounded(shifted, -0x1p52));
    return detail::bit_cast<float>(fraction | (static_cast<std::uint32_t>(bits >> 63) << 31));
#endif
  }
  THRUST_HIST_HOST_DEVICE static double to_double(float x) noexcept {
    auto const bits = detail::bit_cast<std::uint32_t>(x);
    return is_subnormal<23>(bits) ? widen_subnormal<23, 127>(bits) : static_cast<double>(x);
  }
  THRUST_HIST_HOST_DEVICE static float approximate(float x) noexcept {
    return x;
  }
};

#if defined(__CUDACC__)
template <>
struct real_format<__half> {
  static constexpr bool valid = true;
  using key = std::int16_t;
  using guess = float;
  static constexpr int digits = 11;
  static constexpr double smallest_normal = 0x1p-14;
  static constexpr double largest = 65504;
  THRUST_HIST_HOST_DEVICE static __half from_double(double x) noexcept { return __double2half(x); }
  THRUST_HIST_HOST_DEVICE static double to_double(__half x) noexcept {
    return static_cast<double>(__half2float(x));  // subnormal halves are normal floats
  }
  THRUST_HIST_HOST_DEVICE static float approximate(__half x) noexcept { return __half2float(x); }
};

template <>
struct real_format<__nv_bfloat16> {
  static constexpr bool valid = true;
  using key = std::int16_t;
  using guess = float;
  static constexpr int digits = 8;
  static constexpr double smallest_normal = 0x1p-126;
  static constexpr double largest = 0x1.fep127;
  THRUST_HIST_HOST_DEVICE static __nv_bfloat16 from_double(double x) noexcept {
    return __double2bfloat16(x);
  }
  THRUST_HIST_HOST_DEVICE static double to_double(__nv_bfloat16 x) noexcept {
    auto const bits = detail::bit_cast<std::uint16_t>(x);
    return is_subnormal<7>(bits) ? widen_subnormal<7, 127>(bits)
                                 : static_cast<double>(__bfloat162float(x));
  }
  THRUST_HIST_HOST_DEVICE static float approximate(__nv_bfloat16 x) noexcept {
    return __bfloat162float(x);
  }
};
#endif

template <class T>
inline constexpr bool is_real_sample = real_format<T>::valid;

/// An integer whose highest bit is a sign in front of its size, and back: both zeros become 0.
template <class Key>
THRUST_HIST_HOST_DEVICE inline Key mirror_negative(Key k) noexcept {
  using unsigned_key = std::make_unsigned_t<Key>;
#if defined(__CUDA_ARCH__)
  return k < 0 ? static_cast<Key>(
                     static_cast<unsigned_key>(min_of<Key>) - static_cast<unsigned_key>(k))
               : k;
#else  // no branch: nobody foresees signs, and g++ makes one of the above for 64 bits
  auto const ones_if_negative =
      static_cast<unsigned_key>(-(static_cast<unsigned_key>(k) >> (8 * sizeof(Key) - 1)));
  auto const size = static_cast<unsigned_key>(k & max_of<Key>);
  return static_cast<Key>(static_cast<unsigned_key>((size ^ ones_if_negative) - ones_if_negative));
#endif
}

/// Maps a floating-point number to an integer of its size, in order; -0 and +0 become one, NaNs
/// lie beyond the infinities.
template <class T>
THRUST_HIST_HOST_DEVICE inline typename real_format<T>::key order_key(T x) noexcept {
  return detail::mirror_negative(detail::bit_cast<typename real_format<T>::key>(x));
}

/// The bits of the number that has this key; of +0 for the zeros.
template <class Key>
THRUST_HIST_HOST_DEVICE inline Key order_key_bits(Key k) noexcept {
  return detail::mirror_negative(k);
}

template <class T>
THRUST_HIST_HOST_DEVICE inline bool is_nan(T x) noexcept {
  using format = real_format<T>;
  using key = typename format::key;
  constexpr int fraction = format::digits - 1;
  constexpr auto infinity =
      static_cast<key>(static_cast<std::make_unsigned_t<key>>(max_of<key>) >> fraction << fraction);
  return static_cast<key>(detail::bit_cast<key>(x) & max_of<key>) > infinity;
}

/// The type that a sample is judged as by the built-in rules.
template <class T, bool Integer = is_integer_sample<T>>
struct sample_of {
  using type = T;
};
template <class T>
struct sample_of<T, true> {
  using type = integer_t<T>;
};
template <class T>
using sample_t = typename sample_of<std::remove_cv_t<T>>::type;

}  // namespace detail
THRUST_HIST_NAMESPACE_END
