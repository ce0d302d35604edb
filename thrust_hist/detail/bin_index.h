// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// The number of a bin, and how a rule says that there is none.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/samples.h>

THRUST_HIST_NAMESPACE_BEGIN

/// The number of a bin. What lies outside [0, size()) is no bin.
using bin_index = std::int64_t;

/// What the rules of this library give for a sample without a bin. A rule of yours may give any
/// integer outside [0, size()) instead: negative counts as below, size() and more as above.
struct no_bin {
  static constexpr bin_index below = -1;
  static constexpr bin_index above = (std::numeric_limits<bin_index>::max)();
  static constexpr bin_index neither = (std::numeric_limits<bin_index>::min)();  ///< NaN
};

namespace detail {

// The same three for a narrower index, which kernels prefer where there are few bins.
template <class Index>
inline constexpr Index below_of = -1;
template <class Index>
inline constexpr Index above_of = max_of<Index>;
template <class Index>
inline constexpr Index neither_of = min_of<Index>;

/// Any integer that a user's rule returns as an Index: a bin below `bins`, or one of the three.
template <class Index, class Result>
THRUST_HIST_HOST_DEVICE inline Index to_index(Result result, bin_index bins) noexcept {
  static_assert(
      is_integer_sample<Result>,
      "thrust_hist: a bin rule must return an integer, the number of the bin; anything "
      "outside [0, size()) means that the sample has none.");
  if constexpr (is_integer_sample<Result>) {
    // A char is a sample as unsigned, but a result as what it is.
    using integer = std::conditional_t<std::is_same_v<Result, char>, Result, integer_t<Result>>;
    auto const value = static_cast<integer>(result);
    if constexpr (std::is_signed_v<integer>) {
      if (value < 0) {
        return static_cast<std::int64_t>(value) == no_bin::neither ? neither_of<Index>
                                                                   : below_of<Index>;
      }
    }
    using unsigned_integer = std::make_unsigned_t<integer>;
    return static_cast<unsigned_integer>(value) < static_cast<std::uint64_t>(bins)
               ? static_cast<Index>(value)
               : above_of<Index>;
  } else {
    return neither_of<Index>;
  }
}

}  // namespace detail
THRUST_HIST_NAMESPACE_END
