// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// The values that benchmarks fold by key: value i is a pure function, independent of key i.
/// Without CUDA headers; tested with g++ (test/unit/perf_values.cpp).

#include "distributions.h"

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

namespace perf {

/// How values are distributed.
enum class value_kind {
  unit,         ///< real: uniform in [0, 1), as many random bits as the type has digits
  normal,       ///< real: mean 0, deviation 1
  whole_range,  ///< real: both signs, each exponent as often, subnormal ones too; but so much below
                ///< the largest that 2^27 of them have a finite sum
  bits          ///< integers: all values
};

inline char const* name_of(value_kind k) {
  constexpr char const* names[] = {"unit", "normal", "whole_range", "bits"};
  return names[static_cast<int>(k)];
}

/// The real number of these bits.
template <class T, class Bits>
PERF_HOST_DEVICE T real_of(Bits bits) {
  static_assert(sizeof(T) == sizeof bits, "a float has 32 bits, a double 64");
  T x;
  std::memcpy(&x, &bits, sizeof x);
  return x;
}

template <class T>
PERF_HOST_DEVICE T real_value(std::uint64_t random, value_kind k) {
  using bits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
  constexpr int digits = std::numeric_limits<T>::digits;
  constexpr int width = 8 * static_cast<int>(sizeof(T));
  double const unit = (static_cast<double>(random >> 11) + 1) * 0x1p-53;
  double const angle = static_cast<double>(mix(random) >> 11) * 0x1p-53 * 6.283185307179586;
  switch (k) {
  case value_kind::normal:  // G. Box, M. Muller 1958
    return static_cast<T>(std::sqrt(-2 * std::log(unit)) * std::cos(angle));
  case value_kind::whole_range: {
    // Those of finite numbers but for the 28 largest, subnormal ones as one.
    constexpr std::uint64_t exponents = (std::uint64_t{1} << (width - digits)) - 1 - 28;
    std::uint64_t const exponent = (mix(random) >> 32) * exponents >> 32;
    auto const sign_and_fraction = static_cast<bits>(
        static_cast<bits>(random) &
        ~(((std::uint64_t{1} << (width - digits)) - 1) << (digits - 1)));
    return perf::real_of<T>(
        static_cast<bits>(sign_and_fraction | static_cast<bits>(exponent << (digits - 1))));
  }
  case value_kind::unit:
  case value_kind::bits:
    break;
  }
  return static_cast<T>(random >> (64 - digits)) / static_cast<T>(std::uint64_t{1} << digits);
}

/// Value i.
template <class T>
PERF_HOST_DEVICE T value_at(std::uint64_t i, value_kind k) {
  std::uint64_t const random = mix(~i);  // keys come from mix(i)
  if constexpr (std::is_integral_v<T>) {
    return static_cast<T>(random);
  } else {
    return perf::real_value<T>(random, k);
  }
}

}  // namespace perf
