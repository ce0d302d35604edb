// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// The smaller or the greater of two values, of which some may be no numbers.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/samples.h>

#include <type_traits>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {

#if defined(__CUDA_ARCH__)
/// Of two real numbers, or the one that is a number. An instruction by itself, which no flag makes
/// flush subnormal ones, or forget NaN.
template <bool Greater, class Real>
__device__ inline Real picked_by_instruction(Real a, Real b) {
  Real picked;
  if constexpr (std::is_same_v<Real, float>) {
    if constexpr (Greater) {
      asm("max.f32 %0, %1, %2;" : "=f"(picked) : "f"(a), "f"(b));
    } else {
      asm("min.f32 %0, %1, %2;" : "=f"(picked) : "f"(a), "f"(b));
    }
  } else if constexpr (Greater) {
    asm("max.f64 %0, %1, %2;" : "=d"(picked) : "d"(a), "d"(b));
  } else {
    asm("min.f64 %0, %1, %2;" : "=d"(picked) : "d"(a), "d"(b));
  }
  return picked;
}
#endif

/// Whether b takes the place of a, which it follows: it is less (or greater), or a is NaN. By the
/// bits of real numbers, since flags may deny that there are NaNs.
template <bool Greater, class T>
THRUST_HIST_HOST_DEVICE bool takes_place(T const& b, T const& a) {
  if constexpr (is_real_sample<T>) {
    auto const key_a = detail::order_key(a);
    auto const key_b = detail::order_key(b);
    return detail::is_nan(a) || (!detail::is_nan(b) && (Greater ? key_b > key_a : key_b < key_a));
  } else {
    return Greater ? a < b : b < a;
  }
}

/// The smaller or greater one, or b if neither is a number; of two zeros, any.
template <bool Greater, class T>
THRUST_HIST_HOST_DEVICE T picked_number(T const& a, T const& b) {
#if defined(__CUDA_ARCH__)
  if constexpr (std::is_same_v<T, float> || std::is_same_v<T, double>) {
    T const picked = detail::picked_by_instruction<Greater>(a, b);
    return detail::is_nan(picked) ? b : picked;
  } else
#endif
  {
    return detail::takes_place<Greater>(b, a) ? b : a;
  }
}

}  // namespace detail
THRUST_HIST_NAMESPACE_END
