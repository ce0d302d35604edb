// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Range bins by a table: the line of numbers is cut into cells, several for each edge, and of each
/// cell it is known how many edges lie before it. Where at most one lies in it, a sample costs a
/// comparison with that; where edges crowd, they are searched, those of the cell only.
///
/// Nothing depends on how exactly a cell is found: an edge that lies close to the end of a cell
/// counts as one of both cells (see cell_steps.h), and edges are compared as integers in the order
/// of the numbers.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/bin_index.h>
#include <thrust_hist/detail/range_key.h>
#include <thrust_hist/detail/range_search.h>
#include <thrust_hist/detail/samples.h>
#include <thrust_hist/system/sequential/cell_steps.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace sequential {

/// 32 bits count twice as many edges, and four times as many cells.
inline constexpr std::uint64_t most_celled_edges = std::uint64_t{1} << 28;

/// How many of the keys [0, end) are at or below k, which at least `reached` are.
template <class Key>
THRUST_HIST_NOINLINE THRUST_HIST_HOST_DEVICE std::uint32_t search_keys(
    Key const* keys, std::uint32_t reached, std::uint32_t end, Key k) noexcept {
  while (reached < end) {
    std::uint32_t const middle = reached + (end - reached) / 2;
    bool const above = keys[middle] <= k;
    reached = above ? middle + 1 : reached;
    end = above ? end : middle;
  }
  return reached;
}

/// A view of the table in memory.
template <class Edge, class S>
class edge_cells {
public:
  using key = decltype(detail::common_key<Edge, S>(S{}));

  static constexpr std::size_t bytes(std::uint64_t edges) {
    return (keys_of(edges) * sizeof(key) + 15) / 16 * 16 +
           (most_cells(edges) + 5) * sizeof(std::uint32_t);
  }

  /// Of so many edges, one at least, which nobody is to look for yet.
  edge_cells(std::uint64_t n, bool inclusive) noexcept
      : edges_(static_cast<std::uint32_t>(n)), inclusive_(inclusive && n > 1) {}

  /// Makes the table in bytes() of memory.
  template <class Edges>
  void make(Edges edges, void* memory) {
    std::uint64_t const n = edges_;
    auto* const keys = static_cast<key*>(memory);
    auto* const cells = reinterpret_cast<std::uint32_t*>(
        static_cast<char*>(memory) + (keys_of(n) * sizeof(key) + 15) / 16 * 16);
    auto const edge = [&](std::uint64_t i) {
      return detail::value_at(edges, static_cast<std::int64_t>(i));
    };
    for (std::uint64_t i = 0; i < n; ++i) {
      keys[i] = detail::common_key<Edge, S>(edge(i));
    }
    keys[n] = keys[n - 1];  // read where all edges have been reached
    keys_ = keys;
    lowest_ = keys[0];
    cells_ = cells;
    // What lies far outside must not make the cells of all others wide.
    std::uint64_t const outer = n > 2 ? 1 : 0;
    Edge const low = edge(outer);
    Edge const high = edge(n - 1 - outer);
    auto const wanted = static_cast<std::uint32_t>(most_cells(n));
    auto const by_value = steps::of_value(low, high, wanted);
    std::uint64_t const crowded = by_value.are_known() ? fill(cells, edge, by_value) : 2 * n;
    if (crowded > n / 8 && fill(cells, edge, steps::of_bits(low, high, wanted)) > crowded) {
      fill(cells, edge, by_value);
    }
  }

  THRUST_HIST_HOST_DEVICE bin_index bins() const noexcept { return bin_index{edges_} - 1; }

  /// How many edges are at or below a sample, or one more if all are; one less, inclusive, at the
  /// last one. NaN lies beyond the infinities.
  THRUST_HIST_HOST_DEVICE std::uint32_t reached(S x) const noexcept {
    key const k = detail::common_key<Edge, S>(x);
    std::uint32_t const* const cell = cells_ + steps_.cell_of(x);
    std::uint32_t const before = *cell / 2;
    std::uint32_t at_or_below = before + static_cast<std::uint32_t>(keys_[before] <= k);
    if (__builtin_expect(static_cast<int>(*cell % 2), 0) != 0) {
      // Behind the next cell but one no edge is in this one.
      at_or_below = sequential::search_keys(keys_, before, cell[2] / 2, k);
    }
    if (inclusive_ && k == keys_[edges_ - 1]) {
      return edges_ - 1;
    }
    // Also where the cell is wrong: a NaN may lose its sign on the way to a double.
    return k < lowest_ ? 0 : at_or_below;
  }

private:
  using steps = cell_steps<Edge, S>;

  static constexpr std::uint64_t keys_of(std::uint64_t edges) { return edges + 1; }
  static constexpr std::uint64_t most_cells(std::uint64_t edges) {
    constexpr std::uint64_t fewest = 1024;
    return (std::max)(fewest, 4 * edges);
  }

  /// Returns how many edges are crowded: in a cell with others.
  template <class EdgeAt>
  std::uint64_t fill(std::uint32_t* cells, EdgeAt edge, steps const& cut) {
    steps_ = cut;
    std::uint32_t const last = cut.last();
    std::uint32_t cell = 0;
    for (std::uint32_t before = 0; before < edges_; ++before) {
      for (std::uint32_t const end = cut.cells_at(edge(before)).second; cell <= end; ++cell) {
        cells[cell] = 2 * before;
      }
    }
    std::fill(cells + cell, cells + last + 3, 2 * edges_);  // two more: see reached()
    std::uint64_t crowded = 0;
    std::uint32_t begin_of_next = cut.cells_at(edge(0)).first;
    for (std::uint32_t end = 0, c = 0; c <= last; ++c) {
      while (end < edges_ && begin_of_next <= c) {
        ++end;
        begin_of_next = end < edges_ ? cut.cells_at(edge(end)).first : begin_of_next;
      }
      std::uint32_t const before = cells[c] / 2;
      if (end > before + 1) {
        crowded += end - before;
        ++cells[c];
      }
    }
    return crowded;
  }

  key const* keys_ = nullptr;
  key lowest_ = 0;
  std::uint32_t const* cells_ = nullptr;  // twice the edges before each, and 1 if it has several
  std::uint32_t edges_;
  bool inclusive_;
  steps steps_;
};

/// Bound range bins that find samples so.
template <class Edge, class S, class Index>
struct celled_search {
  edge_cells<Edge, S> cells;

  THRUST_HIST_HOST_DEVICE bin_index size() const noexcept { return cells.bins(); }

  THRUST_HIST_HOST_DEVICE Index operator()(S x) const noexcept {
    if constexpr (is_real_sample<S>) {
      if (detail::is_nan(x)) {
        return neither_of<Index>;
      }
    }
    auto const reached = static_cast<Index>(cells.reached(x));
    return reached == 0 ? below_of<Index> : reached > size() ? above_of<Index> : reached - 1;
  }
  /// See candidate.h.
  template <class Unsigned>
  THRUST_HIST_HOST_DEVICE Unsigned candidate(S x) const noexcept {
    return static_cast<Unsigned>(cells.reached(x)) - 1;
  }
};

}  // namespace sequential
}  // namespace detail
THRUST_HIST_NAMESPACE_END
