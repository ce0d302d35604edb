// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Guessing the bin of a sample among even bins by one multiplication and addition.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/bin_index.h>
#include <thrust_hist/detail/even_edges.h>
#include <thrust_hist/detail/ieee.h>

#include <cmath>
#include <cstdint>
#include <type_traits>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {

/// What is known of a sample before any edge is computed.
template <class Bits, class Real>
struct guessed_bin {
  Bits bin;       ///< the bin whose middle is nearest; out of range where the sample is
  Real distance;  ///< from that middle, in bins; NaN where nothing is known
  bool proven;    ///< whether the sample belongs to that bin, or to none if there is no such bin
};

/// Guesses the bin of a sample, and knows how good the guess is.
///
/// The sample's position among the bins, less one half, is rounded to an integer by adding and
/// subtracting 1.5 * 2^23 (2^52 for double); what the rounding took away says how far the position
/// is from the edges of the bin. The integer stands in the lower bits of the sum: no conversion.
template <class Real>
class even_guess {
public:
  using bits = std::conditional_t<sizeof(Real) == 4, std::int32_t, std::int64_t>;
  using result = guessed_bin<bits, Real>;

  /// Knows nothing.
  even_guess() = default;
  /// Edges are rounded to so many digits, and as coarsely as at `smallest_normal` below it: those
  /// of the sample's type, or those of rounding.h where edges are not rounded to it.
  THRUST_HIST_HOST_DEVICE even_guess(
      even_edges const& edges, bin_index bins, int digits, double smallest_normal) noexcept {
    // Within these bounds nothing overflows, and what is flushed or subnormal is far below a step.
    double const low = sizeof(Real) == 4 ? 0x1p-60 : 0x1p-500;
    double const high = sizeof(Real) == 4 ? 0x1p+60 : 0x1p+500;
    double const reach = larger(magnitude(edges.lower()), magnitude(edges.upper()));
    if (!(edges.step() > low && reach < high && bins <= max_bins)) {
      return;
    }
    double const scale = 1.0 / edges.step();
    scale_ = static_cast<Real>(scale);
    offset_ = static_cast<Real>(-edges.lower() * scale - 0.5);
    // In units of a step: scale, product and offset are rounded relative to reach, the sum relative
    // to the number of bins, edges relative to reach, or to where subnormal samples begin, and to
    // the sample's precision. Twice all that
    // (four times in double, where it is next to nothing) leaves room for any order of operations.
    double const unit = sizeof(Real) == 4 ? 0x1p-24 : 0x1p-52;
    double const edge_unit = digits < 53 ? 1.0 / static_cast<double>(1ll << digits) : 0x1p-53;
    double const most = reach / edges.step();
    double const edge_error = edge_unit * larger(reach, smallest_normal) / edges.step();
    double const margin = 2 * (unit * (static_cast<double>(bins) + 3 * most) + edge_error);
    safe_ = static_cast<Real>(0.5 - margin);
    near_ = margin - edge_error < 0.5;  // the edges are off by no more than that
  }

  THRUST_HIST_HOST_DEVICE result operator()(Real x) const noexcept { return within(safe_, x); }
  /// A guess that is proven only if it is closer than `limit` to the middle of its bin: safe() or
  /// less.
  THRUST_HIST_HOST_DEVICE result within(Real limit, Real x) const noexcept {
    Real const position = opaque(x * scale_ + offset_);
    Real const shifted = opaque(position + magic);
    Real const middle = opaque(shifted - magic);
    Real const distance = position - middle;
    // Far below the bins this wraps around, and is no bin all the same.
    using unsigned_bits = std::make_unsigned_t<bits>;
    auto const bin =
        static_cast<bits>(detail::bit_cast<unsigned_bits>(shifted) - unsigned_bits{magic_bits});
    return {bin, distance, is_closer(distance, limit)};
  }

  /// The bin, or 0 for a sample before the first one. It never falls as samples rise; of NaN it is
  /// any number that is not negative.
  THRUST_HIST_HOST_DEVICE bits not_below_first(Real x) const noexcept {
    auto const shifted = detail::bit_cast<bits>(opaque(opaque(x * scale_ + offset_) + magic));
    return (shifted < magic_bits ? magic_bits : shifted) - magic_bits;
  }
  THRUST_HIST_HOST_DEVICE Real safe() const noexcept { return safe_; }
  /// How far beyond an edge of its bin a sample may lie, in bins: 1 where nothing is known.
  THRUST_HIST_HOST_DEVICE double margin() const noexcept {
    return safe_ < 0 ? 1 : 0.5 - static_cast<double>(safe_);
  }

  /// x * scale() + offset() is the position of x among the bins, less one half.
  THRUST_HIST_HOST_DEVICE Real scale() const noexcept { return scale_; }
  THRUST_HIST_HOST_DEVICE Real offset() const noexcept { return offset_; }
  /// Whether a guess that is not proven is off by one bin at most, beyond the edge that is nearer.
  THRUST_HIST_HOST_DEVICE bool is_near() const noexcept { return near_; }

private:
  static constexpr Real magic = sizeof(Real) == 4 ? Real(0x1.8p23) : Real(0x1.8p52);
  static constexpr bits magic_bits =
      sizeof(Real) == 4 ? bits(0x4b400000) : bits(0x4338000000000000);
  // Further positions would leave the range of the shift, or prove nothing anyway.
  static constexpr bin_index max_bins = sizeof(Real) == 4 ? 1 << 20 : bin_index{1} << 48;

  /// |distance| < limit; false for NaN, also where -ffinite-math-only takes it for impossible.
  THRUST_HIST_HOST_DEVICE static bool is_closer(Real distance, Real limit) noexcept {
#if defined(__CUDA_ARCH__)
    return fabs(distance) < limit;
#else
    constexpr bits no_sign = max_of<bits>;
    return (detail::bit_cast<bits>(distance) & no_sign) < detail::bit_cast<bits>(limit);
#endif
  }

  THRUST_HIST_HOST_DEVICE static double magnitude(double x) noexcept {
    return x < 0 ? -x : x;
  }
  THRUST_HIST_HOST_DEVICE static double larger(double a, double b) noexcept {
    return a > b ? a : b;
  }

  Real scale_ = 0;
  Real offset_ = 0;
  bool near_ = false;
  Real safe_ = -1;  // proven where the position is closer than this to the middle of a bin
};

/// What a guess that is not proven is good for: where to begin the search.
template <class Index, class Bits>
THRUST_HIST_HOST_DEVICE inline Index begin_of_search(Bits guess, Index bins) noexcept {
  return guess < 0 ? 0 : guess < static_cast<Bits>(bins) ? static_cast<Index>(guess) : bins - 1;
}

}  // namespace detail
THRUST_HIST_NAMESPACE_END
