// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Even bins of float and double samples without a branch: the edge that is nearest to a sample is
/// computed as even_edges.h says, and the sample lies on one side of it or the other.
///
/// A sample of bin b is at or above edge b and below edge b + 1. Its position among the edges is
/// off by less than half a bin with all that is rounded (see even_guess.h), so the nearest edge is
/// b or b + 1. That edge i is compared: reached, the bin is i, else i - 1. That edges are bounded
/// by the upper level changes nothing for samples below it. Samples below the first edge get a
/// negative number, and those from the upper level on the number of bins or more, as if there were
/// bins there, if the edge computed for the upper level is that level.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/candidate.h>
#include <thrust_hist/detail/even_real.h>
#include <thrust_hist/detail/ieee.h>
#include <thrust_hist/detail/rounding.h>

#include <cstdint>

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
/// The bin of x beside the edge of this number.
__device__ inline std::uint32_t bin_beside(std::uint32_t number, float edge, float x) {
  asm("{ .reg .pred p; setp.gt.f32 p, %1, %2; @p add.u32 %0, %0, -1; }"
      : "+r"(number)
      : "f"(edge), "f"(x));
  return number;
}
__device__ inline std::uint32_t bin_beside(std::uint32_t number, double edge, double x) {
  return edge > x ? number - 1 : number;
}

/// What both rules below have of the edges, for samples of type S and positions of type Real.
template <class S, class Real>
class edges_by_position {
protected:
  __device__ edges_by_position(even_edges const& edges, even_guess<Real> const& guess)
      : scale_(guess.scale()), offset_(guess.offset() + Real(0.5)), lower_(edges.lower()),
        step_(edges.step()) {}

  static constexpr Real magic = sizeof(Real) == 4 ? Real(0x1.8p23) : Real(0x1.8p52);

  /// The number of the edge that is nearest to x, plus `magic`: it stands in the lower bits.
  __device__ Real shifted_number(Real x) const { return x * scale_ + offset_ + magic; }
  /// That edge.
  __device__ S edge(Real shifted) const {
    S rounded;
    auto const number = static_cast<double>(shifted - magic);
    narrow_to(rounded, add_rounded(lower_, multiply_rounded(number, step_)));
    return rounded;
  }

private:
  Real scale_;
  Real offset_;  // half a bin more than for the guess: rounds to edges, not to middles
  double lower_;
  double step_;
};

/// For rules of which ends_plainly() is true, with positions in the arithmetic of the samples.
template <class S>
class nearest_edge_bins : edges_by_position<S, S> {
public:
  template <class Index>
  __device__ explicit nearest_edge_bins(even_real_bins<S, Index> const& rule)
      : edges_by_position<S, S>(rule.edges(), rule.guess()) {}

  /// See candidate.h. The bits of a sum that is not near `magic`, or NaN, make no bin.
  template <class Unsigned>
  __device__ Unsigned candidate(S x) const {
    S const shifted = this->shifted_number(x);
    S const edge = this->edge(shifted);
    if constexpr (sizeof(S) == 4) {
      return bin_beside(detail::bit_cast<std::uint32_t>(shifted), edge, x) - 0x4b400000u;
    } else {
      auto const bits = detail::bit_cast<std::uint64_t>(shifted);
      std::uint32_t const bin = bin_beside(static_cast<std::uint32_t>(bits), edge, x);
      constexpr Unsigned none = static_cast<Unsigned>(-1);
      return (bits >> 32) == 0x43380000u ? bin : none;
    }
  }
  /// Where it is inside of another rule.
  __device__ std::uint32_t operator()(S x) const { return candidate<std::uint32_t>(x); }
};

/// For all others with positions in double: of the point halfway to the next sample, among edges
/// that are not rounded, so that it makes no difference how far rounding moves them (see
/// rounding.h). The upper level is compared, and may belong to the last bin.
template <class S>
class bounded_edge_bins : edges_by_position<S, double> {
public:
  template <class Index>
  __device__ explicit bounded_edge_bins(even_real_bins<S, Index> const& rule)
      : edges_by_position<S, double>(rule.edges(), rule.position()), smallest_(rule.smallest()),
        largest_(rule.largest()), last_(static_cast<std::uint32_t>(rule.size() - 1)) {}

  /// See candidate.h. NaN compares false.
  template <class Unsigned>
  __device__ Unsigned candidate(S x) const {
    double const shifted = this->shifted_number(halfway_up<S>(widened(x)));
    auto const number = static_cast<std::uint32_t>(detail::bit_cast<std::uint64_t>(shifted));
    std::uint32_t const bin = bin_beside(number, this->edge(shifted), x);
    constexpr Unsigned none = static_cast<Unsigned>(-1);
    return is_at_or_below(smallest_, x) && is_at_or_below(x, largest_) ? min(bin, last_) : none;
  }
  /// Where it is inside of another rule.
  __device__ std::uint32_t operator()(S x) const { return candidate<std::uint32_t>(x); }

private:
  S smallest_;  // that has a bin
  S largest_;
  std::uint32_t last_;
};

using detail::candidate;  // beside the one of this rule

template <class Unsigned, class S>
__device__ inline Unsigned candidate(nearest_edge_bins<S> const& rule, S x) {
  return rule.template candidate<Unsigned>(x);
}
template <class Unsigned, class S>
__device__ inline Unsigned candidate(bounded_edge_bins<S> const& rule, S x) {
  return rule.template candidate<Unsigned>(x);
}

}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
