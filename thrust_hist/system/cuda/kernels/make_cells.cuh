// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Making a table of cells (see cell_table.cuh). Edges out of order give a wrong table, but one
/// that sends nobody beyond its end or that of the edges.

#include <thrust_hist/config.h>
#include <thrust_hist/system/cuda/kernels/block_sum.cuh>
#include <thrust_hist/system/cuda/kernels/cell_table.cuh>
#include <thrust_hist/system/cuda/kernels/kernels_in_turn.cuh>

#include <cstdint>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {
#pragma GCC visibility push(hidden)

/// The keys of a rule's edges.
template <class Search>
class edge_keys;

template <class Iterator, class S, class Index>
class edge_keys<range_search<Iterator, S, Index>> {
public:
  using edge_type = typename range_search<Iterator, S, Index>::edge_type;
  using key = decltype(detail::unsigned_key<edge_type, S>(S{}));
  static constexpr bool are_integers = !are_real_keys<edge_type, S>;
  using finder = cell_finder<key, are_integers>;

  __device__ explicit edge_keys(range_search<Iterator, S, Index> const& rule) : rule_(rule) {}
  __device__ std::uint32_t size() const { return static_cast<std::uint32_t>(rule_.bins) + 1; }
  __device__ key operator[](std::uint32_t i) const {
    return detail::unsigned_key<edge_type, S>(rule_.edge(static_cast<Index>(i)));
  }
  /// How many are less than k.
  __device__ std::uint32_t below(key k) const {
    std::uint32_t low = 0;
    for (std::uint32_t left = size(); left > 0;) {
      std::uint32_t const half = left / 2;
      bool const less = (*this)[low + half] < k;
      low = less ? low + half + 1 : low;
      left = less ? left - half - 1 : half;
    }
    return low;
  }

private:
  range_search<Iterator, S, Index> rule_;
};

/// Where region 1 begins and the last one, and how long those between are.
template <class Keys>
__device__ inline auto head_for(Keys const& keys, bool grow) {
  using key = typename Keys::key;
  std::uint32_t const bins = keys.size() - 1;
  cell_head<key> head = {keys[min(1u, bins)], keys[bins - min(1u, bins)], 0, 0, grow ? 1u : 0u};
  head.highest = max(head.highest, head.lowest);
  auto const longest = static_cast<key>(head.highest - 1 - head.lowest);
  key const steps = grow ? key{cuda::octaves_of(longest)} : longest;
  while (head.highest > head.lowest && (steps >> head.shift) > regions - 3) {
    ++head.shift;
  }
  return head;
}

/// Lays regions out: `begins` tells then how many edges lie before each. All threads of the block
/// call it.
template <class Keys>
__device__ inline void begin_regions(
    Keys const& keys, cell_table<typename Keys::key> const& table, bool grow,
    std::uint32_t* begins) {
  if (threadIdx.x == 0) {
    table.head() = cuda::head_for(keys, grow);
    begins[regions] = keys.size();
  }
  __syncthreads();
  begins[threadIdx.x] = keys.below(typename Keys::finder(table).least_of(threadIdx.x));
  __syncthreads();
}
/// The edges of the fullest region.
__device__ inline std::uint32_t fullest_region(std::uint32_t const* begins, std::uint32_t& most) {
  if (threadIdx.x == 0) {
    most = 0;
  }
  __syncthreads();
  atomicMax(&most, begins[threadIdx.x + 1] - begins[threadIdx.x]);
  __syncthreads();
  std::uint32_t const fullest = most;
  __syncthreads();
  return fullest;
}

/// One block with a thread for each region.
template <class Search>
__launch_bounds__(regions) __global__ void lay_out_regions(celled<Search> const rule) {
  cuda::take_turn();
  using keys_of_rule = edge_keys<Search>;
  using key = typename keys_of_rule::key;
  __shared__ std::uint32_t begins[regions + 1];
  __shared__ std::uint32_t of_warps[32];
  __shared__ std::uint32_t most;
  keys_of_rule const keys(rule.search);
  cell_table<key> const table(rule.table);
  std::uint32_t const r = threadIdx.x;
  cuda::begin_regions(keys, table, false, begins);
  if constexpr (keys_of_rule::are_integers) {  // the keys of reals are logarithms
    std::uint32_t const equal_lengths = cuda::fullest_region(begins, most);
    if (equal_lengths > keys.size() / regions * 8) {
      cuda::begin_regions(keys, table, true, begins);
      if (cuda::fullest_region(begins, most) >= equal_lengths) {
        cuda::begin_regions(keys, table, false, begins);
      }
    }
  }

  std::uint32_t const begin = begins[r];
  bool const in_order = __syncthreads_and(begin <= begins[r + 1]) != 0;
  std::uint32_t const edges = in_order ? begins[r + 1] - begin : 0;
  key const base = edges > 0 ? keys[begin] : key{0};
  key const span = edges > 0 ? max(keys[begin + edges - 1], base) - base : key{0};
  unsigned shift = 0;
  while ((span >> shift) > 0 && (span >> shift) >= edges * cells_of_edge) {
    ++shift;
  }
  auto const last = static_cast<std::uint32_t>(span >> shift);
  std::uint32_t const first = exclusive_sum_over_block(last + 1, of_warps);
  table.all_regions()[r] = {base, first, last << 6 | shift};
  if (r == regions - 1) {
    table.head().cells = first + last + 1;
  }
}

/// The last region whose cells begin at or before a cell.
template <class Key>
__device__ inline std::uint32_t region_with(cell_region<Key> const* all, std::uint32_t cell) {
  std::uint32_t region = 0;
#pragma unroll
  for (std::uint32_t step = regions / 2; step > 0; step /= 2) {
    region += all[region + step].first <= cell ? step : 0;
  }
  return region;
}

/// A thread for each cell, and one for the cell behind all.
template <class Search>
__launch_bounds__(1024) __global__ void fill_cells(celled<Search> const rule) {
  cuda::take_turn();
  using keys_of_rule = edge_keys<Search>;
  using key = typename keys_of_rule::key;
  keys_of_rule const keys(rule.search);
  cell_table<key> const table(rule.table);
  typename keys_of_rule::finder const finder(table);
  std::uint32_t const cells = table.head().cells;
  std::uint32_t const cell = blockIdx.x * blockDim.x + threadIdx.x;
  if (cell > cells) {
    return;
  }
  std::uint32_t before = keys.size();
  if (cell < cells) {
    std::uint32_t const r = region_with(table.all_regions(), cell);
    auto const region = table.all_regions()[r];
    std::uint32_t const i = cell - region.first;
    before = keys.below(
        i == 0 ? finder.least_of(r) : region.base + (static_cast<key>(i) << region.shift()));
  }
  if (before == keys.size()) {
    table.cells()[cell] = {static_cast<key>(-1), edge_cell<key>::pack(before, 0)};
    return;
  }
  key const edge = keys[before];
  bool const next_is_here = before + 1 < keys.size() && finder.cell_of(keys[before + 1]) == cell;
  std::uint32_t const end =
      next_is_here && edge < static_cast<key>(-1) ? keys.below(edge + 1) : before + 1;
  bool const equal = !next_is_here || end == keys.size() || finder.cell_of(keys[end]) != cell;
  table.cells()[cell] = {
      edge, edge_cell<key>::pack(before, equal ? end - before : edge_cell<key>::several)};
}

#pragma GCC visibility pop
}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
