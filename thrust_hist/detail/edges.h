// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Edges of histogram_range: judged, and brought to where the executing system can read them.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/compare.h>
#include <thrust_hist/detail/policy.h>
#include <thrust_hist/detail/range_search.h>
#include <thrust_hist/detail/transfer.h>
#include <thrust_hist/errors.h>
#include <thrust_hist/options.h>

#include <thrust/copy.h>

#include <string>
#include <vector>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {

template <class Edge>
std::string edge_text(Edge edge) {
  if constexpr (is_integer_sample<Edge>) {
    return to_text(static_cast<integer_t<Edge>>(edge));
  } else {
    return to_text(real_format<Edge>::to_double(edge));
  }
}

/// Throws std::invalid_argument unless there is an edge.
template <class Difference>
void require_edges(Difference count) {
  if (count < 1) {
    throw_invalid("edges_last - edges_first", count, "must be at least 1: n bins have n + 1 edges");
  }
}

/// Throws std::invalid_argument unless edges[0] <= edges[1] <= ..., without NaN. Host memory.
template <class Iterator>
void require_sorted(Iterator edges, std::uint64_t n) {
  using edge_type = value_t<Iterator>;
  for (std::uint64_t i = 0; i < n; ++i) {
    edge_type const edge = detail::value_at(edges, static_cast<std::int64_t>(i));
    if constexpr (is_real_sample<edge_type>) {
      if (detail::is_nan(edge)) {
        throw_invalid(("edges[" + std::to_string(i) + "]").c_str(), "NaN", "is no edge");
      }
    }
    if (i == 0) {
      continue;
    }
    edge_type const before = detail::value_at(edges, static_cast<std::int64_t>(i - 1));
    if (!at_or_below(before, edge)) {
      throw std::invalid_argument(
          "thrust_hist: edges[" + std::to_string(i) + "] = " + edge_text(edge) +
          " must not be below edges[" + std::to_string(i - 1) + "] = " + edge_text(before));
    }
  }
}

/// Calls `count(first, last, o)` with edges that a host system can read.
template <class System, class Policy, class Edges, class Count>
void with_edges(System, Policy&, Edges first, Edges last, options const& o, Count count) {
  auto const n = static_cast<std::uint64_t>(last - first);
  if constexpr (
      std::is_convertible_v<system_tag_t<Edges>, thrust::host_system_tag> || is_neutral<Edges>) {
    detail::require_sorted(first, n);
    count(first, last, o);
  } else {
    std::vector<host_element<value_t<Edges>>> copy(n);
    thrust::copy(first, last, copy.begin());
    detail::require_sorted(copy.data(), n);
    count(copy.data(), copy.data() + n, o);
  }
}

}  // namespace detail
THRUST_HIST_NAMESPACE_END
