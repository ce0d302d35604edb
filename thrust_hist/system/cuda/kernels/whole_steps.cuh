// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Even bins of float and double samples whose step is a power of two and whose levels are whole
/// multiples of it (256 bins over [0, 1), bins of width 1): one operation.
///
/// The bin of x is x / step - lower / step, rounded down. A fused multiplication and addition that
/// rounds down rounds nothing else, and where a power of two is added too from which on numbers of
/// the type are whole, it rounds to whole numbers: the bin stands in the lower bits of the sum.
/// Below that power of two, beyond the last bin, and for NaN, these bits make no bin.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/candidate.h>
#include <thrust_hist/detail/even_real.h>
#include <thrust_hist/detail/ieee.h>

#include <cstdint>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {

// Under --use_fast_math the functions of CUDA take subnormal numbers for zero; these do not.
__device__ inline float multiply_add_down(float a, float b, float c) {
  float sum;
  asm("fma.rm.f32 %0, %1, %2, %3;" : "=f"(sum) : "f"(a), "f"(b), "f"(c));
  return sum;
}
__device__ inline double multiply_add_down(double a, double b, double c) {
  return __fma_rd(a, b, c);
}

/// For rules of which counts_steps() is true.
template <class S>
class whole_step_bins {
public:
  template <class Index>
  __device__ explicit whole_step_bins(even_real_bins<S, Index> const& rule)
      : scale_(static_cast<S>(1 / rule.edges().step())),
        offset_(static_cast<S>(whole_from - rule.edges().lower() / rule.edges().step())) {}

  /// See candidate.h.
  template <class Unsigned>
  __device__ Unsigned candidate(S x) const {
    S const sum = multiply_add_down(x, scale_, offset_);
    if constexpr (sizeof(S) == 4) {
      return detail::bit_cast<std::uint32_t>(sum) - 0x4b000000u;
    } else {
      constexpr Unsigned none = static_cast<Unsigned>(-1);
      auto const bits = detail::bit_cast<std::uint64_t>(sum);
      return (bits >> 32) == 0x43300000u ? static_cast<std::uint32_t>(bits) : none;
    }
  }
  /// Where it is inside of another rule.
  __device__ std::uint32_t operator()(S x) const { return candidate<std::uint32_t>(x); }

private:
  static constexpr double whole_from = sizeof(S) == 4 ? 0x1p23 : 0x1p52;

  S scale_;
  S offset_;
};

using detail::candidate;  // beside the one of this rule

template <class Unsigned, class S>
__device__ inline Unsigned candidate(whole_step_bins<S> const& rule, S x) {
  return rule.template candidate<Unsigned>(x);
}

}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
