// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// The search for a sample among sorted edges.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/bin_index.h>
#include <thrust_hist/detail/compare.h>
#include <thrust_hist/detail/iterator_types.h>

#include <thrust/iterator/iterator_traits.h>

#include <type_traits>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {

/// The value that an iterator refers to, i places on; proxies are resolved.
THRUST_HIST_EXEC_CHECK_DISABLE
template <class Iterator>
THRUST_HIST_HOST_DEVICE typename thrust::iterator_traits<Iterator>::value_type value_at(
    Iterator first, std::int64_t i) {
  using difference = typename thrust::iterator_traits<Iterator>::difference_type;
  return *(first + static_cast<difference>(i));
}

template <class Edges, bool = is_indexed<Edges>>
inline constexpr bool are_edges = false;
template <class Edges>
inline constexpr bool are_edges<Edges, true> =
    is_integer_sample<value_t<Edges>> || is_real_sample<value_t<Edges>>;

template <class Edges>
constexpr void require_edge_type() {
  static_assert(
      are_edges<Edges>,
      "thrust_hist: edges are given by two random-access iterators to integers or floating-point "
      "numbers: pass edges.begin(), edges.end().");
}

template <class Edges>
bin_index count_edges(Edges first, Edges last) {
  require_edge_type<Edges>();
  if constexpr (are_edges<Edges>) {
    return static_cast<bin_index>(last - first);
  } else {
    return 0;
  }
}

template <class Iterator, class S, class Index>
struct range_search {
  using edge_type = value_t<Iterator>;

  Iterator edges;
  Index bins;
  bool inclusive;

  THRUST_HIST_HOST_DEVICE bin_index size() const noexcept { return bins; }
  THRUST_HIST_HOST_DEVICE edge_type edge(Index i) const {
    return detail::value_at(edges, static_cast<std::int64_t>(i));
  }

  THRUST_HIST_HOST_DEVICE Index operator()(S x) const {
    if constexpr (is_real_sample<S>) {
      if (detail::is_nan(x)) {
        return neither_of<Index>;
      }
    }
    // The number of edges at or below x, by halving what is left.
    Index low = 0;
    Index left = bins + 1;
    while (left > 0) {
      Index const half = left / 2;
      bool const reached = at_or_below(edge(low + half), x);
      low = reached ? low + half + 1 : low;
      left = reached ? left - half - 1 : half;
    }
    if (low == bins + 1 && inclusive && bins > 0 && is_last_edge(x)) {
      return bins - 1;
    }
    return low == 0 ? below_of<Index> : low > bins ? above_of<Index> : low - 1;
  }

private:
  THRUST_HIST_HOST_DEVICE bool is_last_edge(S x) const {
    return at_or_below(edge(bins), x) && at_or_below(x, edge(bins));
  }
};

}  // namespace detail
THRUST_HIST_NAMESPACE_END
