// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Even bins whose edges are floating-point numbers (see even_edges.h), rounded once to the
/// sample's type. The bin of x is the last i with edge[i] <= x.
///
/// A bin is guessed in the sample's own arithmetic. A guess that stays clear of both its edges, by
/// more than everything that may have been rounded, is right. Another one needs a look at the
/// nearer edge. Where bins are about as narrow as the spacing of samples, so that rounding may move
/// an edge by half a bin, the edge is found in double, by its place before it is rounded (see
/// rounding.h). Where even that is too coarse, the edges are searched.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/bin_index.h>
#include <thrust_hist/detail/by_search.h>
#include <thrust_hist/detail/compare.h>
#include <thrust_hist/detail/even_edges.h>
#include <thrust_hist/detail/even_guess.h>
#include <thrust_hist/detail/levels.h>
#include <thrust_hist/detail/rounding.h>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {

/// The last edge at or below a sample, given by its key, among edges rounded to the sample's type
/// S; begins at a guess. Out of line: it is long, rarely run, and stands in a loop that is
/// unrolled.
template <class S, class Index>
THRUST_HIST_NOINLINE THRUST_HIST_HOST_DEVICE Index search_edges(
    even_edges edges, Index bins, typename real_format<S>::key position, Index guess) noexcept {
  if (bins == 0) {
    return above_of<Index>;
  }
  return last_reached(guess, bins, [&](Index i) {
    return detail::order_key(real_format<S>::from_double(edges(i))) <= position;
  });
}

/// The same for a sample that has a bin, where its position among edges that are not rounded is
/// known to less than half a bin: there, halfway to the next sample, the nearest edge is that of
/// its bin or the next one.
template <class S, class Index>
THRUST_HIST_NOINLINE THRUST_HIST_HOST_DEVICE Index
nearest_edge(even_edges edges, even_guess<double> guess, Index bins, S x) noexcept {
  auto const guessed = guess(halfway_up<S>(real_format<S>::to_double(x)));
  std::int64_t const edge = guessed.bin + (guessed.distance > 0 ? 1 : 0);
  if (edge <= 0 || edge >= std::int64_t{bins}) {
    return edge <= 0 ? 0 : bins - 1;
  }
  bool const reached =
      detail::order_key(real_format<S>::from_double(edges(edge))) <= detail::order_key(x);
  return static_cast<Index>(reached ? edge : edge - 1);
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
        guess_(make_guess<guess_type>(edges_, bins, format::digits, format::smallest_normal)),
        position_(make_guess<double>(edges_, bins, 53, coarse_from<S>)),
        first_(detail::order_key(format::from_double(lower))) {
    key const last = detail::order_key(format::from_double(upper));
    are_one_ = inclusive ? last < first_ : last <= first_;
    reach_ = are_one_ || bins == 0 ? unsigned_key{0}
                                   : static_cast<unsigned_key>(
                                         static_cast<unsigned_key>(last) -
                                         static_cast<unsigned_key>(first_) + (inclusive ? 1u : 0u));
    S const end = format::from_double(
        add_rounded(edges_.lower(), multiply_rounded(static_cast<double>(bins), edges_.step())));
    ends_plainly_ = !inclusive && detail::order_key(end) == last;
    constexpr double many = 1. / 24;  // on either side of a bin
    is_narrow_ = sizeof(guess_type) < sizeof(double) && position_.is_near() &&
                 guess_.margin() > many && position_.margin() < many;
    limit_ = is_narrow_ ? guess_type{-1} : guess_.safe();
    // Asked of types whose samples are guessed in their own arithmetic.
    counts_steps_ =
        std::is_same_v<guess_type, S> && !inclusive &&
        edges_.are_whole_steps(bins, format::digits - 1, sizeof(S) == 4 ? 0x1p+126 : 0x1p+1000);
  }

  THRUST_HIST_HOST_DEVICE bin_index size() const noexcept { return bins_; }

  /// Throws where the levels are one once they are rounded to the sample's type.
  void validate(level const& lower, level const& upper) const {
    if (are_one_) {
      throw_levels(lower, upper, " when both are rounded to the type of the samples");
    }
  }

  THRUST_HIST_HOST_DEVICE Index operator()(S x) const noexcept {
    if (detail::is_nan(x)) {  // asked of the bits first: -ffinite-math-only believes in no NaN
      return neither_of<Index>;
    }
    auto const guess = guess_in_type(x);
    if (!guess.proven) {
      return verified(x, guess);
    }
    return guess.bin >= 0 && guess.bin < bins_ ? static_cast<Index>(guess.bin)
                                               : outside(detail::order_key(x));
  }

  /// The bin, or a number that is not less than the number of bins: see candidate.h.
  template <class Unsigned>
  THRUST_HIST_HOST_DEVICE Unsigned candidate(S x) const noexcept {
    auto const guess = guess_in_type(x);
    if (!guess.proven) {
      return static_cast<Unsigned>(verified(x, guess));
    }
    if constexpr (sizeof guess.bin > sizeof(Unsigned)) {
      constexpr Unsigned none = static_cast<Unsigned>(-1);
      return static_cast<std::uint64_t>(guess.bin) <= none ? static_cast<Unsigned>(guess.bin)
                                                           : none;
    } else {
      return static_cast<Unsigned>(guess.bin);
    }
  }

  // What kernels make a rule without branches of.
  THRUST_HIST_HOST_DEVICE even_edges const& edges() const noexcept { return edges_; }
  THRUST_HIST_HOST_DEVICE auto const& guess() const noexcept { return guess_; }
  /// The guess for what halfway_up makes of a sample, among edges that are not rounded.
  THRUST_HIST_HOST_DEVICE even_guess<double> const& position() const noexcept { return position_; }
  /// Whether the bin of x is x / step - lower / step, rounded down, without any other rounding.
  THRUST_HIST_HOST_DEVICE bool counts_steps() const noexcept { return counts_steps_; }
  /// Whether the edge after the last bin, computed like the others, is the upper level.
  THRUST_HIST_HOST_DEVICE bool ends_plainly() const noexcept { return ends_plainly_; }
  /// The smallest and the largest sample that have a bin, unless there is none: then NaN.
  THRUST_HIST_HOST_DEVICE S smallest() const noexcept { return sample_at(0); }
  THRUST_HIST_HOST_DEVICE S largest() const noexcept { return sample_at(reach_ - 1); }

  /// The bin by searching the edges.
  THRUST_HIST_HOST_DEVICE bin_index search(S x) const noexcept {
    key const position = detail::order_key(x);
    if (detail::is_nan(x)) {
      return no_bin::neither;
    }
    if (!is_inside(position)) {
      return position < first_ ? no_bin::below : no_bin::above;
    }
    return count_reached(
               bins_, [&](bin_index i) { return detail::order_key(rounded_edge(i)) <= position; }) -
           1;
  }

private:
  /// The sample whose key is so far above the first.
  THRUST_HIST_HOST_DEVICE S sample_at(unsigned_key distance) const noexcept {
    auto const at = static_cast<key>(static_cast<unsigned_key>(first_) + distance);
    return detail::bit_cast<S>(reach_ == 0 ? max_of<key> : detail::order_key_bits(at));
  }

  /// Edge i, rounded to the sample's type.
  THRUST_HIST_HOST_DEVICE S rounded_edge(bin_index i) const noexcept {
    return format::from_double(i == bins_ ? edges_.upper() : edges_(i));
  }

  using guess_type = typename format::guess;
  using guess_result = typename even_guess<guess_type>::result;

  /// The first guess. On the host none is proven where bins are so narrow that many would not be,
  /// so that what follows is foreseen: a guess in double. In kernels doubles are dear.
  THRUST_HIST_HOST_DEVICE guess_result guess_in_type(S x) const noexcept {
    auto const approximate = static_cast<guess_type>(format::approximate(x));
#if defined(__CUDA_ARCH__)
    return guess_(approximate);
#else
    return guess_.within(limit_, approximate);
#endif
  }
  /// The bin in which the position proves a sample to be, or a number that is no bin. None for the
  /// upper level, whose position lies behind it.
  THRUST_HIST_HOST_DEVICE std::uint64_t proven_in_double(S x) const noexcept {
    constexpr auto none = static_cast<std::uint64_t>(-1);
    if constexpr (sizeof(S) == 2) {  // of NaN of half, halfway up is a number
      if (detail::is_nan(x)) {
        return none;
      }
    }
    auto const guess = position_(halfway_up<S>(format::to_double(x)));
    return guess.proven ? static_cast<std::uint64_t>(guess.bin) : none;
  }

  /// Edges that become infinite in the sample's type leave nothing to guess.
  template <class Real>
  THRUST_HIST_HOST_DEVICE static even_guess<Real> make_guess(
      even_edges const& edges, bin_index bins, int digits, double smallest_normal) noexcept {
    bool const fits = edges.lower() >= -format::largest && edges.upper() <= format::largest;
    return fits ? even_guess<Real>(edges, bins, digits, smallest_normal) : even_guess<Real>();
  }

  THRUST_HIST_HOST_DEVICE Index outside(key position) const noexcept {
    return position < first_ ? below_of<Index> : above_of<Index>;
  }
  THRUST_HIST_HOST_DEVICE bool is_inside(key position) const noexcept {
    return static_cast<unsigned_key>(
               static_cast<unsigned_key>(position) - static_cast<unsigned_key>(first_)) < reach_;
  }

  /// The bin where the guess is not proven. A NaN lies outside.
  THRUST_HIST_HOST_DEVICE Index verified(S x, guess_result const& guess) const noexcept {
#if !defined(__CUDA_ARCH__)
    if constexpr (sizeof(guess_type) < sizeof(double)) {
      std::uint64_t const bin = is_narrow_ ? proven_in_double(x) : max_of<std::uint64_t>;
      if (bin < static_cast<std::uint64_t>(bins_)) {
        return static_cast<Index>(bin);
      }
    }
#endif
    key const position = detail::order_key(x);
    if (!guess_.is_near()) {
      return !is_inside(position) ? outside(position)
             : position_.is_near()
                 ? nearest_edge<S, Index>(edges_, position_, bins_, x)
                 : search_edges<S, Index>(
                       edges_, bins_, position, begin_of_search(guess.bin, bins_));
    }
    using bits = decltype(guess.bin);
    using unsigned_bits = std::make_unsigned_t<bits>;
    auto const edge =
        static_cast<bits>(static_cast<unsigned_bits>(guess.bin) + (guess.distance > 0 ? 1u : 0u));
    if (edge > 0 && edge < bins_) {
      bool const reached = detail::order_key(rounded_edge(edge)) <= position;
      return static_cast<Index>(reached ? edge : edge - 1);
    }
    if (!is_inside(position)) {
      return outside(position);
    }
    return edge > 0 ? bins_ - 1 : 0;
  }

  Index bins_;
  even_edges edges_;
  even_guess<guess_type> guess_;
  even_guess<double> position_;
  key first_;
  bool ends_plainly_;
  bool counts_steps_;
  bool are_one_;  // the levels, rounded
  bool is_narrow_;
  guess_type limit_;  // of guess_ on the host
  unsigned_key
      reach_;  // a sample counts where its key is less than this above the first; 0 without bins
};

}  // namespace detail
THRUST_HIST_NAMESPACE_END
