// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Even bins of integers that no double holds, between levels of which one is no integer.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/bin_index.h>
#include <thrust_hist/detail/by_search.h>
#include <thrust_hist/detail/compare.h>
#include <thrust_hist/detail/even_edges.h>
#include <thrust_hist/detail/even_guess.h>
#include <thrust_hist/detail/levels.h>

#include <cstdint>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {

/// Throws where levels are one once they are doubles: a 64-bit integer level may be rounded.
inline void require_levels_in_double(level const& lower, level const& upper, bool inclusive) {
  if (inclusive ? upper.real < lower.real : !(lower.real < upper.real)) {
    throw_levels(lower, upper, " when both are rounded to double");
  }
}

/// Even bins over 64-bit integer samples of type S where a level is a floating-point number: the
/// edges stay doubles, unrounded, and are compared with the exact integer.
template <class S, class Index>
class even_mixed_bins {
public:
  THRUST_HIST_HOST_DEVICE
  even_mixed_bins(bin_index bins, double lower, double upper, bool inclusive) noexcept
      : bins_(static_cast<Index>(bins)), inclusive_(inclusive), edges_(bins, lower, upper),
        guess_(edges_, bins, 53, 0x1p-1022) {}

  THRUST_HIST_HOST_DEVICE bin_index size() const noexcept { return bins_; }

  THRUST_HIST_HOST_DEVICE Index operator()(S x) const noexcept {
    auto const guess = guess_(static_cast<double>(x));
    if (guess.proven && guess.bin >= 0 && guess.bin < std::int64_t{bins_}) {
      return static_cast<Index>(guess.bin);
    }
    if (!real_at_or_below_integer(edges_.lower(), x)) {
      return below_of<Index>;
    }
    bool const counts = inclusive_ ? integer_at_or_below_real(x, edges_.upper())
                                   : !real_at_or_below_integer(edges_.upper(), x);
    if (!counts || bins_ == 0) {
      return above_of<Index>;
    }
    auto const is_reached = [&](std::int64_t i) { return real_at_or_below_integer(edges_(i), x); };
    if (!guess_.is_near()) {
      return last_reached(begin_of_search(guess.bin, bins_), bins_, is_reached);
    }
    std::int64_t const edge = guess.bin + (guess.distance > 0 ? 1 : 0);
    if (edge <= 0 || edge >= std::int64_t{bins_}) {
      return edge <= 0 ? 0 : bins_ - 1;
    }
    return static_cast<Index>(is_reached(edge) ? edge : edge - 1);
  }

  /// The bin by searching the edges.
  THRUST_HIST_HOST_DEVICE bin_index search(S x) const noexcept {
    bool const counts = inclusive_ ? integer_at_or_below_real(x, edges_.upper())
                                   : !real_at_or_below_integer(edges_.upper(), x);
    bin_index const reached =
        count_reached(bins_, [&](bin_index i) { return real_at_or_below_integer(edges_(i), x); });
    return !real_at_or_below_integer(edges_.lower(), x) ? no_bin::below
           : counts && bins_ > 0                        ? reached - 1
                                                        : no_bin::above;
  }

private:
  Index bins_;
  bool inclusive_;
  even_edges edges_;
  even_guess<double> guess_;
};

}  // namespace detail
THRUST_HIST_NAMESPACE_END
