// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Range bins with a table of cells in device memory, for more edges than shared memory holds: a
/// sample's cell names the edge in it, and how many lie before.
///
/// Two steps lead to a cell. The line of keys is cut into 1 024 regions of equal length (of
/// integers, if that crowds edges less, into such that grow with the distance from the lowest), and
/// each region, from its first edge to its last, into equal cells, one or two for each of its
/// edges. So cells are narrow wherever edges are close, and the regions, which are few, stay in the
/// first-level cache. Neither step ever falls as keys grow: what range_lookup.cuh says of cells
/// holds here too. The first region and the last one hold what is before the second edge and from
/// the last but one on: an infinite edge leaves the cells of the others narrow.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/candidate.h>
#include <thrust_hist/detail/ieee.h>
#include <thrust_hist/detail/range_key.h>
#include <thrust_hist/detail/range_search.h>
#include <thrust_hist/detail/rule.h>

#include <cstddef>
#include <cstdint>
#include <type_traits>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {

inline constexpr std::uint32_t regions = 1024;
// Cells for each edge of a region, at most: 1 is too few, 4 are no faster.
inline constexpr std::uint32_t cells_of_edge = 2;
/// Samples of 1 byte are counted by value.
template <class Edge, class S>
inline constexpr bool may_have_cells = have_common_key<Edge, S>() && sizeof(S) > 1;

inline constexpr std::uint64_t most_celled_edges = (1u << 25) - regions;  // cells: 26 bits

template <class Key>
struct cell_head {
  Key lowest;   // of region 1; what lies below is in region 0
  Key highest;  // of the last region
  std::uint32_t shift;
  std::uint32_t cells;
  std::uint32_t grow;  // whether regions do
};

/// A number that grows with the logarithm of a distance: 2^23 for each octave, the fraction
/// between. It is monotone.
template <class Key>
__device__ inline std::uint32_t octaves_of(Key distance) {
  constexpr std::uint32_t one = 0x3f800000;  // bits of 1.f
  auto const d = max(distance, Key{1});
  if constexpr (sizeof(Key) == 8) {
    return __float_as_uint(__ull2float_rd(d)) - one;
  } else {
    return __float_as_uint(__uint2float_rd(d)) - one;
  }
}
/// The least distance that has so much.
template <class Key>
__device__ inline Key distance_of(std::uint32_t octaves) {
  return octaves == 0 ? Key{0}
                      : static_cast<Key>(__float2ull_ru(__uint_as_float(octaves + 0x3f800000)));
}

/// The cells [first, first + last] of a region.
template <class Key>
struct alignas(16) cell_region {
  Key base;  // its first edge
  std::uint32_t first;
  std::uint32_t last_and_shift;  // 26 and 6 bits

  __device__ std::uint32_t last() const { return last_and_shift >> 6; }
  __device__ unsigned shift() const { return last_and_shift & 63; }
};

/// The first edge in a cell or behind it, and, packed, how many edges lie before the cell (25 bits)
/// and how many are in it: `several` if they are not all equal, or too many for 7 bits.
template <class Key>
struct alignas(2 * sizeof(Key)) edge_cell {
  Key edge;
  std::uint32_t packed;

  static constexpr std::uint32_t several = 127;
  __device__ static std::uint32_t pack(std::uint32_t before, std::uint32_t edges) {
    return before << 7 | min(edges, several);
  }
  __device__ std::uint32_t before() const { return packed >> 7; }
  __device__ std::uint32_t edges() const { return packed & 127; }
};

/// The table in memory.
template <class Key>
class cell_table {
public:
  using key = Key;
  THRUST_HIST_HOST_DEVICE static constexpr std::uint32_t most_cells(std::uint64_t edges) {
    return static_cast<std::uint32_t>(edges) * cells_of_edge + regions;
  }
  /// With one cell more, behind all.
  static constexpr std::size_t bytes(std::uint64_t edges) {
    return head_bytes + regions * sizeof(cell_region<Key>) +
           (most_cells(edges) + std::size_t{1}) * sizeof(edge_cell<Key>);
  }

  __device__ explicit cell_table(void* memory) : memory_(static_cast<char*>(memory)) {}
  __device__ cell_head<Key>& head() const { return *reinterpret_cast<cell_head<Key>*>(memory_); }
  __device__ cell_region<Key>* all_regions() const {
    return reinterpret_cast<cell_region<Key>*>(memory_ + head_bytes);
  }
  __device__ edge_cell<Key>* cells() const {
    return reinterpret_cast<edge_cell<Key>*>(all_regions() + regions);
  }

private:
  static constexpr std::size_t head_bytes = 64;
  char* memory_;
};

/// Finds regions and cells. `MayGrow`: keys are integers.
template <class Key, bool MayGrow>
class cell_finder {
public:
  __device__ explicit cell_finder(cell_table<Key> const& table)
      : regions_(table.all_regions()), lowest_(table.head().lowest), highest_(table.head().highest),
        shift_(table.head().shift), grow_(MayGrow && table.head().grow != 0) {}

  __device__ std::uint32_t cell_of(Key k) const {
    auto const region = load(regions_ + region_of(k));
    Key const offset =
        k < region.base ? Key{0} : static_cast<Key>(k - region.base) >> region.shift();
    return region.first +
           (offset < region.last() ? static_cast<std::uint32_t>(offset) : region.last());
  }
  __device__ std::uint32_t region_of(Key k) const {
    return k < lowest_    ? 0
           : k < highest_ ? 1 + static_cast<std::uint32_t>(steps_of(k - lowest_) >> shift_)
                          : regions - 1;
  }
  /// The least key that is in region i or behind it.
  __device__ Key least_of(std::uint32_t i) const {
    bool const within =
        i > 0 && lowest_ < highest_ && i - 1 <= steps_of(highest_ - 1 - lowest_) >> shift_;
    Key const steps = static_cast<Key>(i - 1) << shift_;
    return i == 0 ? Key{0}
           : within
               ? lowest_ + (grow_ ? distance_of<Key>(static_cast<std::uint32_t>(steps)) : steps)
               : highest_;
  }

private:
  /// What regions are equal parts of.
  __device__ Key steps_of(Key distance) const {
    return grow_ ? Key{cuda::octaves_of(distance)} : distance;
  }
  __device__ static cell_region<Key> load(cell_region<Key> const* from) {
    return detail::bit_cast<cell_region<Key>>(__ldg(reinterpret_cast<uint4 const*>(from)));
  }

  cell_region<Key> const* regions_;
  Key lowest_;
  Key highest_;
  unsigned shift_;
  bool grow_;
};

/// A search with its table.
template <class Search>
struct celled {
  Search search;
  void* table;
};

/// Finds bins by the table.
template <class Search>
class range_cells;

template <class Iterator, class S, class Index>
class range_cells<range_search<Iterator, S, Index>> {
public:
  using search = range_search<Iterator, S, Index>;
  using edge_type = typename search::edge_type;
  using key = decltype(detail::unsigned_key<edge_type, S>(S{}));

  __device__ explicit range_cells(celled<search> const& rule)
      : rule_(rule.search), finder_(cell_table<key>(rule.table)),
        cells_(cell_table<key>(rule.table).cells()) {}

  /// See candidate.h. NaN lies beyond the infinities in the order of keys.
  template <class Unsigned>
  __device__ Unsigned candidate(S x) const {
    key const k = detail::unsigned_key<edge_type, S>(x);
    edge_cell<key> const* const at = cells_ + finder_.cell_of(k);
    auto const cell = load(at);
    std::uint32_t reached = cell.before();  // edges at or below x
    if (cell.edge <= k) {
      reached = cell.edges() != cell.several ? reached + cell.edges()
                                             : search_on(reached + 1, load(at + 1).before(), k);
    }
    auto const bins = static_cast<std::uint32_t>(rule_.bins);
    if (rule_.inclusive && reached > bins && bins > 0 && k <= edge_key(bins)) {
      reached = bins;
    }
    return static_cast<Unsigned>(reached) - 1;
  }

  /// As a bound rule has it.
  __device__ Index operator()(S x) const {
    return static_cast<Index>(candidate<std::make_unsigned_t<Index>>(x));
  }

private:
  __device__ static edge_cell<key> load(edge_cell<key> const* from) {
    using word = std::conditional_t<sizeof(key) == 8, uint4, uint2>;
    return detail::bit_cast<edge_cell<key>>(__ldg(reinterpret_cast<word const*>(from)));
  }
  __device__ key edge_key(std::uint32_t i) const {
    return detail::unsigned_key<edge_type, S>(rule_.edge(static_cast<Index>(i)));
  }
  /// The edges at or below k, of which there are `reached` or more, at most `end`. The last one is
  /// asked first: where edges are few or equal, it settles much.
  __device__ std::uint32_t search_on(std::uint32_t reached, std::uint32_t end, key k) const {
    if (reached < end && edge_key(end - 1) <= k) {
      return end;
    }
    for (end = max(end, 1u) - 1; reached < end;) {
      std::uint32_t const middle = reached + (end - reached) / 2;
      bool const above = edge_key(middle) <= k;
      reached = above ? middle + 1 : reached;
      end = above ? end : middle;
    }
    return reached;
  }

  search rule_;
  cell_finder<key, !are_real_keys<edge_type, S>> finder_;
  edge_cell<key> const* cells_;
};

using detail::candidate;  // beside the one of this rule

template <class Unsigned, class Search, class S>
__device__ inline Unsigned candidate(range_cells<Search> const& rule, S x) {
  return rule.template candidate<Unsigned>(x);
}

}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
