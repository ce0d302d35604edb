// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Tables of cells for range bins: how large, and their making before a count. Other rules have
/// none.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/range_search.h>
#include <thrust_hist/detail/rule.h>
#include <thrust_hist/system/cuda/kernels/cell_table.cuh>
#include <thrust_hist/system/cuda/kernels/make_cells.cuh>
#include <thrust_hist/system/cuda/launch.cuh>

#include <cstddef>
#include <cstdint>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {

/// Whether bound rules of this type can have cells.
template <class Rule>
inline constexpr bool has_cells = false;
template <class Iterator, class S, class Index>
inline constexpr bool has_cells<range_search<Iterator, S, Index>> =
    may_have_cells<typename range_search<Iterator, S, Index>::edge_type, S>;
template <class Inner, class S>
inline constexpr bool has_cells<converted_for<Inner, S>> = has_cells<Inner>;

template <class Rule>
auto const& search_of(Rule const& rule) {
  return rule;
}
template <class Inner, class S>
auto const& search_of(converted_for<Inner, S> const& rule) {
  return rule.inner;
}

/// A bound rule with its table.
template <class Rule>
auto with_table(Rule const& rule, void* table) {
  return celled<Rule>{rule, table};
}
template <class Inner, class S>
auto with_table(converted_for<Inner, S> const& rule, void* table) {
  return converted_for<celled<Inner>, S>{{rule.inner, table}};
}

/// The bytes of a table in device memory that makes the rule faster, wherever the next boundary of
/// 16 bytes lies; 0: none does.
template <class Rule>
std::size_t wanted_cells(Rule const& rule) {
  if constexpr (has_cells<Rule>) {
    auto const& search = cuda::search_of(rule);
    using key = typename edge_keys<std::decay_t<decltype(search)>>::key;
    auto const edges = static_cast<std::uint64_t>(search.size()) + 1;
    return edges > most_celled_edges ? 0 : (cell_table<key>::bytes(edges) + 15) / 16 * 16 + 16;
  } else {
    return 0;
  }
}

/// Makes the table of a bound rule.
template <class Rule>
void make_cells(Rule const& rule, void* table, cudaStream_t stream) {
  if constexpr (has_cells<Rule>) {
    auto const& search = cuda::search_of(rule);
    using search_type = std::decay_t<decltype(search)>;
    using key = typename edge_keys<search_type>::key;
    celled<search_type> const to_fill = {search, table};
    std::uint32_t const most =
        cell_table<key>::most_cells(static_cast<std::uint64_t>(search.size()) + 1);
    cuda::launch("lay_out_regions", lay_out_regions<search_type>, 1, regions, 0, stream, to_fill);
    cuda::launch("fill_cells", fill_cells<search_type>, most / 256 + 1, 256, 0, stream, to_fill);
  }
}

}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
