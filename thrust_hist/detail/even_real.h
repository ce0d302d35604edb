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
      : upper_(upper), special_(is_tiny(lower) || is_tiny(upper) ? subnormal : ordinary) {
    subnormals_on const guard(special_ == subnormal);
    double const width = add_rounded(upper, -lower);
    if (!is_finite(width)) {
      special_ = halved;
    }
    lower_ = special_ == halved ? lower / 2 : lower;
    step_ =
        divide_rounded(special_ == halved ? upper / 2 - lower_ : width, static_cast<double>(bins));
  }

  THRUST_HIST_HOST_DEVICE double operator()(bin_index i) const noexcept {
    subnormals_on const guard(special_ == subnormal);
    double const sum = add_rounded(lower_, multiply_rounded(static_cast<double>(i), step_));
    double const edge = special_ == halved ? 2 * sum : sum;
    return order_key(edge) < order_key(upper_) ? edge : upper_;
  }

  THRUST_HIST_HOST_DEVICE double lower() const noexcept {
    return special_ == halved ? 2 * lower_ : lower_;
  }
  THRUST_HIST_HOST_DEVICE double upper() const noexcept { return upper_; }
  /// The width of a bin; half of it where the width of all bins is no finite double.
  THRUST_HIST_HOST_DEVICE double step() const noexcept { return step_; }

private:
  enum kind : int {
    ordinary,
    subnormal,  // subnormal numbers may occur on the way
    halved      // lower_ and step_ are
  };

  /// Whether results near this level may be subnormal doubles. Those of a larger level are not: its
  /// last place is far above the smallest normal number.
  THRUST_HIST_HOST_DEVICE static bool is_tiny(double level) noexcept {
    auto const magnitude = bit_cast<std::uint64_t>(level) << 1;
    return magnitude != 0 && (magnitude >> 53) < 128;
  }

  double lower_;
  double upper_;
  double step_;
  kind special_;
};

/// The bin of a sample by its key, among edges rounded to the sample's type S: where the key is less
/// than `reach` above `first`, the last edge at or below it, beginning at a guess. Out of line: it is
/// long, rarely run, and stands in a loop that is unrolled.
template <class S, class Index, class Key = typename real_format<S>::key>
THRUST_HIST_NOINLINE THRUST_HIST_HOST_DEVICE Index search_edges(
    even_edges edges, Index bins, Key first, std::make_unsigned_t<Key> reach, Key position,
    Index guess) noexcept {
  using unsigned_key = std::make_unsigned_t<Key>;
  auto const distance = static_cast<unsigned_key>(
      static_cast<unsigned_key>(position) - static_cast<unsigned_key>(first));
  if (distance >= reach || bins == 0) {
    return position < first ? below_of<Index> : above_of<Index>;
  }
  return last_reached(guess, bins, [&](Index i) {
    return order_key(real_format<S>::from_double(edges(i))) <= position;
  });
}

/// Guesses the bin of a sample, and knows when the guess needs no proof.
///
/// The sample's position among the bins, less one half, is rounded to an integer by adding and
/// subtracting 1.5 * 2^23 (2^52 for double); what the rounding took away says how far the position
/// is from both edges of the bin. The integer stands in the lower bits of the sum: no conversion.
template <class Real>
class even_guess {
public:
  using bits = std::conditional_t<sizeof(Real) == 4, std::int32_t, std::int64_t>;

  /// `digits`: the precision of the sample's type, to which the edges are rounded.
  THRUST_HIST_HOST_DEVICE even_guess(even_edges const& edges, bin_index bins, int digits) noexcept {
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
    // In units of a step: x and the offset are rounded relative to reach, the edges relative to
    // reach and to the sample's precision, the products relative to the number of bins. Eight
    // roundings instead of the four or so that happen leave room for any reassociation.
    double const unit = sizeof(Real) == 4 ? 0x1p-24 : 0x1p-53;
    double const edge_unit = digits < 53 ? 1.0 / static_cast<double>(1ll << digits) : 0x1p-53;
    double const margin = 8 * unit * (static_cast<double>(bins) + reach / edges.step()) +
                          2 * edge_unit * reach / edges.step();
    safe_ = static_cast<Real>(0.5 - margin);
  }

  /// Returns whether it is proven that `x` belongs to bin `bin`, or to none where there is no such
  /// bin. A NaN proves nothing.
  THRUST_HIST_HOST_DEVICE bool operator()(Real x, bits& bin) const noexcept {
    Real const position = opaque(x * scale_ + offset_);
    Real const shifted = opaque(position + magic);
    Real const middle = opaque(shifted - magic);
    Real const distance = position - middle;
    // Far below the bins this wraps around, and is no bin all the same.
    using unsigned_bits = std::make_unsigned_t<bits>;
    bin = static_cast<bits>(bit_cast<unsigned_bits>(shifted) - unsigned_bits{magic_bits});
    return is_closer(distance, safe_);
  }

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
    return (bit_cast<bits>(distance) & no_sign) < bit_cast<bits>(limit);
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
  Real safe_ = -1;  // proven where the position is closer than this to the middle of a bin
};

/// What a guess that is not proven is good for: where to begin the search.
template <class Index, class Bits>
THRUST_HIST_HOST_DEVICE inline Index begin_of_search(Bits guess, Index bins) noexcept {
  return guess < 0 ? 0 : guess < static_cast<Bits>(bins) ? static_cast<Index>(guess) : bins - 1;
}

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
    reach_ = empty ? unsigned_key{0}
                   : static_cast<unsigned_key>(
                         static_cast<unsigned_key>(last) - static_cast<unsigned_key>(first_) +
                         (inclusive ? 1u : 0u));
  }

  THRUST_HIST_HOST_DEVICE bin_index size() const noexcept { return bins_; }

  /// Throws where the levels are one once they are rounded to the sample's type.
  void validate(level const& lower, level const& upper) const {
    if (reach_ == 0) {
      throw_levels(lower, upper, " when both are rounded to the type of the samples");
    }
  }

  THRUST_HIST_HOST_DEVICE Index operator()(S x) const noexcept {
    if (is_nan(x)) {  // asked of the bits first: -ffinite-math-only believes in no NaN
      return neither_of<Index>;
    }
    guess_bits bin;
    if (guess_(static_cast<guess_type>(format::approximate(x)), bin)) {
      return bin >= 0 && bin < bins_ ? static_cast<Index>(bin)
             : order_key(x) < first_ ? below_of<Index>
                                     : above_of<Index>;
    }
    return verified(x, bin);
  }

  /// The bin, or a number that is not less than the number of bins: see candidate.h.
  template <class Unsigned>
  THRUST_HIST_HOST_DEVICE Unsigned candidate(S x) const noexcept {
    guess_bits bin;
    if (!guess_(static_cast<guess_type>(format::approximate(x)), bin)) {
      return static_cast<Unsigned>(verified(x, bin));
    }
    if constexpr (sizeof bin > sizeof(Unsigned)) {
      constexpr Unsigned none = static_cast<Unsigned>(-1);
      return static_cast<std::uint64_t>(bin) <= none ? static_cast<Unsigned>(bin) : none;
    } else {
      return static_cast<Unsigned>(bin);
    }
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
  using guess_bits = typename even_guess<guess_type>::bits;

  /// The bin by the edges, beginning at a guess. A NaN lies outside.
  THRUST_HIST_HOST_DEVICE Index verified(S x, guess_bits guess) const noexcept {
    return search_edges<S, Index>(
        edges_, bins_, first_, reach_, order_key(x), begin_of_search(guess, bins_));
  }

  Index bins_;
  even_edges edges_;
  even_guess<guess_type> guess_;
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

  /// Throws where the levels are one once they are doubles: a 64-bit integer level may be rounded.
  void validate(level const& lower, level const& upper) const {
    if (inclusive_ ? upper.real < lower.real : !(lower.real < upper.real)) {
      throw_levels(lower, upper, " when both are rounded to double");
    }
  }

  THRUST_HIST_HOST_DEVICE Index operator()(S x) const noexcept {
    if (!real_at_or_below_integer(edges_.lower(), x)) {
      return below_of<Index>;
    }
    bool const counts = inclusive_ ? integer_at_or_below_real(x, edges_.upper())
                                   : !real_at_or_below_integer(edges_.upper(), x);
    if (!counts || bins_ == 0) {
      return above_of<Index>;
    }
    std::int64_t bin;
    if (guess_(static_cast<double>(x), bin)) {
      return static_cast<Index>(bin);  // in range, since x is
    }
    return last_reached(begin_of_search(bin, bins_), bins_, [&](Index i) {
      return real_at_or_below_integer(edges_(i), x);
    });
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
  even_guess<double> guess_;
};

}  // namespace detail
THRUST_HIST_NAMESPACE_END
