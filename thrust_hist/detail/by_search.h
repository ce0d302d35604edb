// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Finding a bin the slow and obvious way: by searching the edges. check() counts with it, so that
/// it shares no shortcut with the rules it judges.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/bin_index.h>

#include <type_traits>
#include <utility>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {

/// The number of i in [0, n) with reached(i), which holds up to some i and for none after it.
template <class Reached>
THRUST_HIST_HOST_DEVICE inline bin_index count_reached(bin_index n, Reached reached) {
  bin_index low = 0;
  bin_index high = n;
  while (low < high) {
    bin_index const middle = low + (high - low) / 2;
    reached(middle) ? low = middle + 1 : high = middle;
  }
  return low;
}

template <class Bound, class X, class = void>
inline constexpr bool has_search = false;
template <class Bound, class X>
inline constexpr bool has_search<
    Bound, X,
    std::void_t<decltype(std::declval<Bound const&>().search(std::declval<X const&>()))>> = true;

/// The bin of x by the rule's edges, or by the rule itself where it has none.
template <class Bound, class X>
THRUST_HIST_HOST_DEVICE bin_index search_bin(Bound const& rule, X const& x) {
  if constexpr (has_search<Bound, X>) {
    return rule.search(x);
  } else {
    return rule(x);
  }
}

}  // namespace detail
THRUST_HIST_NAMESPACE_END
