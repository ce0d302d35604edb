// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Even bins whose edges are floating-point numbers. The edges define the bins:
///   step = (upper - lower) / bins, edge[i] = min(lower + i * step, upper), edge[bins] = upper,
/// in double, each operation rounded by itself, and then rounded once to the sample's type. The bin
/// of x is the last i with edge[i] <= x. Where upper - lower is no finite double, the same is computed
/// from halved levels and doubled at the end, so that nothing on the way overflows.
///
/// A bin is guessed in the sample's own arithmetic. A guess that stays clear of both its edges, by
/// more than everything that may have been rounded, is right; any other is verified.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/bin_index.h>
#include <thrust_hist/detail/by_search.h>
#include <thrust_hist/detail/compare.h>
#include <thrust_hist/detail/levels.h>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {

/// The edges in double, before they are rounded to the sample's type.
class even_edges {
public:
  THRUST_HIST_HOST_DEVICE even_edges(bin_index bins, double lower, double upper) noexcept
      : upper_(upper), tiny_(is_tiny(lower) || is_tiny(upper)) {
    subnormals_on const guard(tiny_);
    double const width = add_rounded(upper, -lower);
    huge_ = !is_finite(width);
    lower_ = huge_ ? lower / 2 : lower;
    step_ = divide_rounded(huge_ ? upper / 2 - lower_ : width, static_cast<double>(bins));
  }

  THRUST_HIST_HOST_DEVICE double operator()(bin_index i) const noexcept {
    subnormals_on const guard(tiny_);
    double const sum = add_rounded(lower_, multiply_rounded(static_cast<double>(i), step_));
    double const edge = huge_ ? 2 * sum : sum;
    return order_key(edge) < order_key(upper_) ? edge : upper_;
  }

  THRUST_HIST_HOST_DEVICE double lower() const noexcept { return huge_ ? 2 * lower_ : lower_; }
  THRUST_HIST_HOST_DEVICE double upper() const noexcept { return upper_; }
  /// The width of a bin; half of it where the width of all bins is no finite double.
  THRUST_HIST_HOST_DEVICE double step() const noexcept { return step_; }

private:
  /// Whether results near this level may be subnormal doubles. Those of a larger level are not: its
  /// last place is far above the smallest normal number.
  THRUST_HIST_HOST_DEVICE static bool is_tiny(double level) noexcept {
    auto const magnitude = bit_cast<std::uint64_t>(level) << 1;
    return magnitude != 0 && (magnitude >> 53) < 128;
  }

  double lower_;
  double upper_;
  double step_;
  bool tiny_;  // subnormal numbers may occur
  bool huge_;  // lower_ and step_ are halved
};

/// Guesses the bin of a sample, and knows when the guess needs no proof.
template <class Real, class Index>
class even_guess {
public:
  /// `digits`: the precision of the sample's type, to which the edges are rounded.
  THRUST_HIST_HOST_DEVICE even_guess(even_edges const& edges, bin_index bins, int digits) noexcept
      : last_(static_cast<Real>(bins > 0 ? bins - 1 : 0)), origin_(0), scale_(0), margin_(1) {
    // Within these bounds nothing overflows, and what is flushed or subnormal is far below a step.
    double const low = sizeof(Real) == 4 ? 0x1p-60 : 0x1p-500;
    double const high = sizeof(Real) == 4 ? 0x1p+60 : 0x1p+500;
    double const reach = larger(magnitude(edges.lower()), magnitude(edges.upper()));
    if (!(edges.step() > low && reach < high && bins <= max_bins)) {
      return;
    }
    origin_ = static_cast<Real>(edges.lower());
    scale_ = static_cast<Real>(1.0 / edges.step());
    // In units of a step: x and the origin are rounded relative to reach, the edges relative to
    // reach and to the sample's precision, the products relative to the number of bins. Eight
    // roundings instead of the four or so that happen leave room for any reassociation.
    double const unit = sizeof(Real) == 4 ? 0x1p-24 : 0x1p-53;
    double const edge_unit = digits < 53 ? 1.0 / static_cast<double>(1ll << digits) : 0x1p-53;
    margin_ = static_cast<Real>(
        8 * unit * (static_cast<double>(bins) + reach / edges.step()) +
        2 * edge_unit * reach / edges.step());
  }

  /// Returns whether the bin is proven.
  THRUST_HIST_HOST_DEVICE bool operator()(Real x, Index& bin) const noexcept {
    Real const position = (x - origin_) * scale_;
    Real const clamped = position < last_ ? (position > 0 ? position : Real(0)) : last_;
    bin = static_cast<Index>(clamped);
    Real const fraction = position - static_cast<Real>(bin);
    return fraction > margin_ && fraction < 1 - margin_;
  }

private:
  // Bins up to here are exact in the guess's arithmetic, and in its index.
  static constexpr bin_index max_bins = sizeof(Real) == 4 ? 1 << 22 : bin_index{1} << 50;

  THRUST_HIST_HOST_DEVICE static double magnitude(double x) noexcept { return x < 0 ? -x : x; }
  THRUST_HIST_HOST_DEVICE static double larger(double a, double b) noexcept {
    return a > b ? a : b;
  }

  Real last_;
  Real origin_;
  Real scale_;
  Real margin_;
};

/// Even bins over floating-point samples of type S.
template <class S, class Index>
class even_real_bins {
public:
  using format = real_format<S>;
  using key = typename format::key;
  using unsigned_key = std::make_unsigned_t<key>;

  THRUST_HIST_HOST_DEVICE
  even_real_bins(bin_index bins, double lower, double upper, bool inclusive) noexcept
      : bins_(static_cast<Index>(bins)), edges_(bins, lower, upper),
        guess_(edges_, bins, format::digits), first_(order_key(format::from_double(lower))) {
    key const last = order_key(format::from_double(upper));
    bool const empty = inclusive ? last < first_ : last <= first_;
    reach_ = empty || bins == 0 ? unsigned_key{0}
                                : static_cast<unsigned_key>(
                                      static_cast<unsigned_key>(last) -
                                      static_cast<unsigned_key>(first_) + (inclusive ? 1u : 0u));
  }

  THRUST_HIST_HOST_DEVICE bin_index size() const noexcept { return bins_; }

  /// Throws where the levels are one once they are rounded to the sample's type.
  void validate(level const& lower, level const& upper) const {
    if (reach_ == 0 && bins_ != 0) {
      throw_levels(lower, upper, " when both are rounded to the type of the samples");
    }
  }

  THRUST_HIST_HOST_DEVICE Index operator()(S x) const noexcept {
    key const position = order_key(x);
    if (static_cast<unsigned_key>(
            static_cast<unsigned_key>(position) - static_cast<unsigned_key>(first_)) >= reach_) {
      return is_nan(x) ? neither_of<Index> : position < first_ ? below_of<Index> : above_of<Index>;
    }
    Index bin;
    if (guess_(static_cast<guess_type>(format::approximate(x)), bin)) {
      return bin;
    }
    return last_reached(
        bin, bins_, [&](Index i) { return order_key(rounded_edge(i)) <= position; });
  }

  /// The bin by searching the edges.
  THRUST_HIST_HOST_DEVICE bin_index search(S x) const noexcept {
    key const position = order_key(x);
    if (is_nan(x)) {
      return no_bin::neither;
    }
    if (position < first_ || bins_ == 0) {
      return no_bin::below;
    }
    key const last = order_key(rounded_edge(bins_));
    bool const closed =
        static_cast<unsigned_key>(
            static_cast<unsigned_key>(last) - static_cast<unsigned_key>(first_)) != reach_;
    if (position > last || (position == last && !closed)) {
      return no_bin::above;
    }
    return count_reached(
               bins_, [&](bin_index i) { return order_key(rounded_edge(i)) <= position; }) -
           1;
  }

private:
  /// Edge i, rounded to the sample's type.
  THRUST_HIST_HOST_DEVICE S rounded_edge(bin_index i) const noexcept {
    return format::from_double(i == bins_ ? edges_.upper() : edges_(i));
  }

  using guess_type = typename format::guess;

  Index bins_;
  even_edges edges_;
  even_guess<guess_type, Index> guess_;
  key first_;
  unsigned_key reach_;  // a sample counts where its key is less than this above the first
};

/// Even bins over integer samples of type S where a level is a floating-point number: the edges
/// stay doubles, unrounded, and are compared with the exact integer.
template <class S, class Index>
class even_mixed_bins {
public:
  THRUST_HIST_HOST_DEVICE
  even_mixed_bins(bin_index bins, double lower, double upper, bool inclusive) noexcept
      : bins_(static_cast<Index>(bins)), inclusive_(inclusive), edges_(bins, lower, upper),
        guess_(edges_, bins, 53) {}

  THRUST_HIST_HOST_DEVICE bin_index size() const noexcept { return bins_; }

  THRUST_HIST_HOST_DEVICE Index operator()(S x) const noexcept {
    if (!real_at_or_below_integer(edges_.lower(), x)) {
      return below_of<Index>;
    }
    bool const counts = inclusive_ ? integer_at_or_below_real(x, edges_.upper())
                                   : !real_at_or_below_integer(edges_.upper(), x);
    if (!counts || bins_ == 0) {
      return above_of<Index>;
    }
    Index bin;
    if (guess_(static_cast<double>(x), bin)) {
      return bin;
    }
    return last_reached(
        bin, bins_, [&](Index i) { return real_at_or_below_integer(edges_(i), x); });
  }

  /// The bin by searching the edges.
  THRUST_HIST_HOST_DEVICE bin_index search(S x) const noexcept {
    bool const counts = inclusive_ ? integer_at_or_below_real(x, edges_.upper())
                                   : !real_at_or_below_integer(edges_.upper(), x);
    bin_index const reached =
        count_reached(bins_, [&](bin_index i) { return real_at_or_below_integer(edges_(i), x); });
    return reached == 0 ? no_bin::below : counts ? reached - 1 : no_bin::above;
  }

private:
  Index bins_;
  bool inclusive_;
  even_edges edges_;
  even_guess<double, Index> guess_;
};

}  // namespace detail
THRUST_HIST_NAMESPACE_END
