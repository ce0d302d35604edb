// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Even bins of float and double samples without a branch: the edge that is nearest to a sample is
/// computed as even_edges.h says, and the sample lies on one side of it or the other.
///
/// A sample of bin b is at or above edge b and below edge b + 1. Its position among the edges is off by
/// less than half a bin with all that is rounded (see even_guess.h), so the nearest edge is b or b + 1.
/// That edge i is compared: reached, the bin is i, else i - 1. That edges are bounded by the upper level
/// changes nothing for samples below it. Where the last edge would be rounded to less than the upper
/// level, or where samples that equal it count, the result is corrected.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/candidate.h>
#include <thrust_hist/detail/even_real.h>
#include <thrust_hist/detail/ieee.h>

#include <cstdint>
#include <type_traits>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {

// Under --use_fast_math the operators of float take subnormal numbers for zero; these do not.
__device__ inline double widened(float x) {
  double wide;
  asm("cvt.f64.f32 %0, %1;" : "=d"(wide) : "f"(x));
  return wide;
}
__device__ inline double widened(double x) {
  return x;
}
__device__ inline void narrow_to(float& x, double wide) {
  asm("cvt.rn.f32.f64 %0, %1;" : "=f"(x) : "d"(wide));
}
__device__ inline void narrow_to(double& x, double wide) {
  x = wide;
}
__device__ inline bool is_at_or_below(float a, float b) {
  int yes;
  asm("{ .reg .pred p; setp.le.f32 p, %1, %2; selp.s32 %0, 1, 0, p; }"
      : "=r"(yes)
      : "f"(a), "f"(b));
  return yes != 0;
}
__device__ inline bool is_at_or_below(double a, double b) {
  return a <= b;
}

/// Even bins of samples of type S, float or double, where the nearest edge is known in the arithmetic
/// of Real. `Corrected`: see above.
template <class S, class Real, bool Corrected>
class nearest_edge_bins {
public:
  template <class Index>
  __device__ nearest_edge_bins(even_real_bins<S, Index> const& rule, even_guess<Real> const& guess)
      : scale_(guess.scale()), offset_(guess.offset() + Real(0.5)), lower_(rule.edges().lower()),
        step_(rule.edges().step()), first_(rule.smallest()), end_(rule.largest()),
        last_(static_cast<std::uint32_t>(rule.size() - 1)) {
    narrow_to(upper_, rule.edges().upper());
  }

  /// See candidate.h. NaN compares false.
  template <class Unsigned>
  __device__ Unsigned candidate(S x) const {
    S edge;
    std::uint32_t nearest;
    narrow_to(edge, add_rounded(lower_, multiply_rounded(nearest_edge(x, nearest), step_)));
    std::uint32_t bin = nearest - (is_at_or_below(edge, x) ? 0u : 1u);
    if constexpr (Corrected) {
      bin = is_at_or_below(upper_, x) ? last_ : min(bin, last_);
    }
    constexpr Unsigned none = static_cast<Unsigned>(-1);
    return is_at_or_below(first_, x) && is_at_or_below(x, end_) ? bin : none;
  }

private:
  /// The number of the nearest edge, as a double and, in `nearest`, as an integer. It stands in the lower
  /// bits of a sum with a large number.
  __device__ double nearest_edge(S x, std::uint32_t& nearest) const {
    if constexpr (std::is_same_v<Real, float>) {
      constexpr float magic = 0x1.8p23f;
      nearest = detail::bit_cast<std::uint32_t>(x * scale_ + offset_ + magic) - 0x4b400000u;
      return static_cast<double>(static_cast<std::int32_t>(nearest));
    } else {
      constexpr double magic = 0x1.8p52;
      double const shifted = widened(x) * scale_ + offset_ + magic;
      nearest = static_cast<std::uint32_t>(detail::bit_cast<std::uint64_t>(shifted));
      return shifted - magic;
    }
  }

  Real scale_;
  Real offset_;  // half a bin more than for the guess: rounds to edges, not to middles
  double lower_;
  double step_;
  S first_;  // the smallest sample that has a bin
  S end_;    // and the largest
  S upper_;
  std::uint32_t last_;
};

using detail::candidate;  // beside the one of this rule

template <class Unsigned, class S, class Real, bool Corrected>
__device__ inline Unsigned candidate(nearest_edge_bins<S, Real, Corrected> const& rule, S x) {
  return rule.template candidate<Unsigned>(x);
}

}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
