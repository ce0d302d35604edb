// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Exact comparison and exact rounding of numbers of any type, with integers only: nothing here
// changes its mind under -ffast-math, and nothing is shared with the library.

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace test {

__extension__ using int128 = __int128;
__extension__ using uint128 = unsigned __int128;

// How a floating type is laid out; support/half.cuh adds CUDA's two.
template <class T>
struct float_format {
  static constexpr int fraction = 0;
};
template <>
struct float_format<float> {
  static constexpr int fraction = 23, exponent = 8;
  using bits = std::uint32_t;
};
template <>
struct float_format<double> {
  static constexpr int fraction = 52, exponent = 11;
  using bits = std::uint64_t;
};

template <class T>
inline constexpr bool is_float = float_format<T>::fraction > 0;

template <class T>
auto bits_of(T x) {
  typename float_format<T>::bits bits;
  std::memcpy(&bits, static_cast<void const*>(&x), sizeof(x));
  return bits;
}

template <class T>
T from_bits(std::uint64_t pattern) {
  const auto bits = static_cast<typename float_format<T>::bits>(pattern);
  T x;
  std::memcpy(static_cast<void*>(&x), &bits, sizeof(x));
  return x;
}

template <class T>
struct anatomy {
  static constexpr int fraction = float_format<T>::fraction;
  static constexpr int special = (1 << float_format<T>::exponent) - 1;  // infinities and NaN
  static constexpr int lowest =
      2 - (1 << (float_format<T>::exponent - 1)) - fraction;  // of a denormal's last bit

  bool negative;
  int field;               // biased exponent
  std::uint64_t mantissa;  // with the leading one

  explicit anatomy(T x) {
    const std::uint64_t bits = bits_of(x);
    const std::uint64_t one = std::uint64_t{1} << fraction;
    negative = ((bits >> (fraction + float_format<T>::exponent)) & 1) != 0;
    field = static_cast<int>((bits >> fraction) & special);
    mantissa = (bits & (one - 1)) | (field != 0 ? one : 0);
  }
  bool is_special() const { return field == special; }
  bool is_nan() const { return is_special() && (mantissa << (64 - fraction)) != 0; }
  int scale() const { return lowest + (field > 0 ? field - 1 : 0); }  // value = mantissa * 2^scale
};

// A monotone image of the real numbers with up to 64 significant bits: a < b exactly where
// order_of(a) < order_of(b), whatever the two types are.
using order = int128;
inline constexpr order no_order = static_cast<order>(static_cast<uint128>(1) << 127);  // NaN

inline order order_of_parts(bool negative, std::uint64_t mantissa, int scale) {
  if (mantissa == 0)
    return 0;
  const int shift = __builtin_clzll(mantissa);
  const order top = static_cast<order>(100000 + scale - shift) << 64;
  const order image = top | static_cast<order>(mantissa << shift);
  return negative ? -image : image;
}

template <class T>
order order_of(T x) {
  if constexpr (is_float<T>) {
    const anatomy<T> parts(x);
    if (parts.is_nan())
      return no_order;
    return parts.is_special() ? order_of_parts(parts.negative, 1, 50000)
                              : order_of_parts(parts.negative, parts.mantissa, parts.scale());
  } else if constexpr (std::is_enum_v<T>)
    return order_of(static_cast<std::underlying_type_t<T>>(x));
  else if constexpr (std::is_same_v<T, char>)
    return order_of(static_cast<unsigned char>(x));  // as the library counts it
  else {
    const int128 value = x;
    return order_of_parts(value < 0, static_cast<std::uint64_t>(value < 0 ? -value : value), 0);
  }
}

// An integer of up to 64 bits and a sign.
inline order order_of_integer(int128 value) {
  return order_of_parts(value < 0, static_cast<std::uint64_t>(value < 0 ? -value : value), 0);
}

// Rounds to nearest, ties to even, overflow to infinity.
template <class T>
T round_to(double x) {
  const anatomy<double> from(x);
  using to = anatomy<T>;
  const std::uint64_t sign = std::uint64_t{from.negative}
                             << (to::fraction + float_format<T>::exponent);
  const std::uint64_t infinity = std::uint64_t{to::special} << to::fraction;
  if (from.is_special())
    return from_bits<T>(sign | infinity | (from.is_nan() ? 1 : 0));
  if (from.mantissa == 0)
    return from_bits<T>(sign);

  const int top = from.scale() + 63 - __builtin_clzll(from.mantissa);
  const int last = top - to::fraction > to::lowest ? top - to::fraction : to::lowest;
  const int shift = last - from.scale();
  std::uint64_t quotient = 0;
  if (shift <= 0)
    quotient = from.mantissa << -shift;
  else if (shift < 64) {
    const std::uint64_t half = std::uint64_t{1} << (shift - 1);
    const std::uint64_t rest = from.mantissa & (2 * half - 1);
    quotient = from.mantissa >> shift;
    if (rest > half || (rest == half && (quotient & 1) != 0))
      ++quotient;
  }
  // A quotient that has reached the next power of two carries into the exponent by itself.
  const std::uint64_t bits =
      (static_cast<std::uint64_t>(last - to::lowest) << to::fraction) + quotient;
  return from_bits<T>(sign | (bits < infinity ? bits : infinity));
}

template <class T>
T next_up(T x)  // the neighbour above; of the largest finite value, infinity
{
  using bits = typename float_format<T>::bits;
  const bits pattern = bits_of(x);
  const bits sign = static_cast<bits>(bits{1} << (8 * sizeof(T) - 1));
  if ((pattern & static_cast<bits>(~sign)) == 0)
    return from_bits<T>(1);
  return from_bits<T>(
      static_cast<std::uint64_t>((pattern & sign) != 0 ? pattern - 1 : pattern + 1));
}

template <class T>
T next_down(T x) {
  using bits = typename float_format<T>::bits;
  const bits pattern = bits_of(x);
  const bits sign = static_cast<bits>(bits{1} << (8 * sizeof(T) - 1));
  if ((pattern & static_cast<bits>(~sign)) == 0)
    return from_bits<T>(std::uint64_t{sign} | 1);
  return from_bits<T>(
      static_cast<std::uint64_t>((pattern & sign) != 0 ? pattern + 1 : pattern - 1));
}

}  // namespace test
