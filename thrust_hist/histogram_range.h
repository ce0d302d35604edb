// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Counting samples in bins between given edges.

#include <thrust_hist/bins.h>
#include <thrust_hist/config.h>
#include <thrust_hist/detail/arguments.h>
#include <thrust_hist/detail/dispatch.h>
#include <thrust_hist/detail/edges.h>
#include <thrust_hist/detail/overload.h>
#include <thrust_hist/options.h>

THRUST_HIST_ALGORITHMS_BEGIN

/// Counts samples in the bins between sorted edges: bin i is [edges[i], edges[i+1]).
///
/// \param policy where and how, as in Thrust
/// \param first,last random-access iterators to integers or floating-point numbers
/// \param out an iterator to room for one counter fewer than there are edges
/// \param edges_first,edges_last random-access iterators to the edges, at least one, in ascending
///   order, of any arithmetic type; containers may be in host or device memory, a bare pointer
///   follows the policy
/// \return `out + number of edges - 1`
///
/// Of equal edges the last one wins, so that the bins between them stay empty. A sample outside, or
/// NaN, is not counted. Work: a binary search for each sample; where samples are many, tables leave
/// one step of it or few. Memory, exactness, asynchrony and exceptions as in histogram;
/// std::invalid_argument for edges that are not sorted (or NaN), except for edges in device memory
/// under a policy that does not wait, where order is a precondition: wrong counts, never a memory
/// fault.
///
/// \snippet docs/examples/recipes.cpp log_bins
template <class Derived, class Iterator, class Out, class Edges>
Out histogram_range(
    thrust::execution_policy<Derived> const& policy, Iterator first, Iterator last, Out out,
    Edges edges_first, Edges edges_last, options const& o = {}) {
  detail::require_input<Iterator>();
  detail::require_count_output<Out>();
  detail::require_edge_type<Edges>();
  if constexpr (
      !detail::is_input<Iterator> || !detail::is_count_output<Out> || !detail::are_edges<Edges>) {
    return out;  // that sentence is enough
  } else {
    auto& exec = detail::derived(policy);
    detail::require_edges(edges_last - edges_first);
    detail::with_edges(
        detail::system_of_t<Derived>{}, exec, edges_first, edges_last, o,
        [&](auto begin, auto end, options const& rest) {
          detail::count_range(exec, first, last, range_bins(begin, end), out, rest);
        });
    return out + (static_cast<std::ptrdiff_t>(edges_last - edges_first) - 1);
  }
}

/// Without policy: on the system of the input, or of the output where the input has none.
template <class Iterator, class Out, class Edges>
Out histogram_range(
    Iterator first, Iterator last, Out out, Edges edges_first, Edges edges_last,
    options const& o = {}) {
  return histogram_range(
      detail::default_policy<Iterator, Out>(), first, last, out, edges_first, edges_last, o);
}

/// Reached by wrong arguments only.
template <bool Never = false>
void histogram_range(
    detail::anything, detail::anything, detail::anything = {}, detail::anything = {},
    detail::anything = {}, detail::anything = {}, detail::anything = {}, detail::anything = {}) {
  static_assert(
      Never, "thrust_hist::histogram_range takes ([policy,] first, last, out, edges_first, "
             "edges_last [, options]): a policy is one of Thrust's or derived from one, first and "
             "last have the same type, and so have edges_first and edges_last.");
}

THRUST_HIST_ALGORITHMS_END
