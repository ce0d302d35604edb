// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Counting samples in bins of equal width.

#include <thrust_hist/bins.h>
#include <thrust_hist/config.h>
#include <thrust_hist/detail/arguments.h>
#include <thrust_hist/detail/dispatch.h>
#include <thrust_hist/detail/overload.h>
#include <thrust_hist/options.h>

THRUST_HIST_ALGORITHMS_BEGIN

/// Counts samples in `num_bins` bins of equal width over [lower, upper).
///
/// \param policy where and how, as in Thrust
/// \param first,last random-access iterators to integers or floating-point numbers
/// \param out an iterator to room for `num_bins` counters
/// \param num_bins the number of bins (what CUB calls num_levels is one more)
/// \param lower,upper the levels, of any arithmetic types
/// \return `out + num_bins`
///
/// Bins and edges as in even_bins, which also has the closed upper edge of NumPy: pass
/// `even_bins(n, lower, upper, upper_edge::inclusive)` to histogram. A sample outside [lower,
/// upper), or NaN, is not counted. Work, memory, exactness, asynchrony and exceptions as in
/// histogram; std::invalid_argument unless num_bins >= 0 and lower < upper, both finite.
///
/// \snippet docs/examples/recipes.cpp even
template <class Derived, class Iterator, class Out, class N, class Lower, class Upper>
Out histogram_even(
    thrust::execution_policy<Derived> const& policy, Iterator first, Iterator last, Out out,
    N num_bins, Lower lower, Upper upper, options const& o = {}) {
  detail::require_input<Iterator>();
  detail::require_count_output<Out>();
  if constexpr (!detail::is_input<Iterator> || !detail::is_count_output<Out>) {
    return out;  // that sentence is enough
  } else {
    even_bins const rule(num_bins, lower, upper);
    detail::count_range(detail::derived(policy), first, last, rule, out, o);
    return out + static_cast<std::ptrdiff_t>(rule.size());
  }
}

/// Without policy: on the system of the input, or of the output where the input has none.
template <class Iterator, class Out, class N, class Lower, class Upper>
Out histogram_even(
    Iterator first, Iterator last, Out out, N num_bins, Lower lower, Upper upper,
    options const& o = {}) {
  return histogram_even(
      detail::default_policy<Iterator, Out>(), first, last, out, num_bins, lower, upper, o);
}

/// Reached by wrong arguments only.
template <bool Never = false>
void histogram_even(
    detail::anything, detail::anything, detail::anything = {}, detail::anything = {},
    detail::anything = {}, detail::anything = {}, detail::anything = {}, detail::anything = {},
    detail::anything = {}) {
  static_assert(
      Never,
      "thrust_hist::histogram_even takes ([policy,] first, last, out, num_bins, lower, upper "
      "[, options]): a policy is one of Thrust's or derived from one, first and last have "
      "the same type, num_bins is an integer.");
}

THRUST_HIST_ALGORITHMS_END
