// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Route hashed, first kernel where values are folded: the codes of a tile of pairs, sorted by
/// bucket in shared memory, go to scratch memory, and then the values.

#include <thrust_hist/config.h>
#include <thrust_hist/system/cuda/code_buckets.h>
#include <thrust_hist/system/cuda/kernels/code_sorter.cuh>
#include <thrust_hist/system/cuda/kernels/hot_values.cuh>
#include <thrust_hist/system/cuda/kernels/kernels_in_turn.cuh>
#include <thrust_hist/system/cuda/kernels/tile_pairs.cuh>

#include <cstdint>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {
#pragma GCC visibility push(hidden)

/// Sorts the codes of tiles of pairs, which begin with pair `first` of all, into buckets: codes
/// first, then in their place the values. Values of codes that are hot stay here.
template <class Keys, class Encode, class Carried, class Code, class Hot>
__launch_bounds__(1024, 1) __global__ void partition_code_values(
    Keys const keys, Encode const encode, Carried const carried, bucket_layout const layout,
    std::uint32_t const factor, std::uint32_t const stride,
    code_memory<Code, typename Carried::value> const memory, std::uint64_t const first,
    std::uint32_t const tiles, sparse_findings* const findings, Hot const hot,
    std::uint32_t const hot_offset) {
  cuda::take_turn();
  if (cuda::were_given_up(findings)) {
    return;  // by an earlier batch
  }
  using value = typename Carried::value;
  constexpr unsigned size = code_buckets::codes_with_values;
  extern __shared__ uint4 shared[];
  code_sorter<Code> const sorter(layout, factor, memory, shared);
  auto* const values = reinterpret_cast<value*>(sorter.codes);
  auto const hot_ones = hot.make(shared + hot_offset);
  std::uint32_t alone = 0;
  sorter.clear_totals();
  hot_ones.begin();
  for (std::uint32_t t = blockIdx.x; t < tiles; t += gridDim.x) {
    tile_of_batch const where = {first, t, tiles};
    sorter.clear_cursors();
    tile_of_codes<Code, size> tile = {};
    keys.template for_tile<0, size>(
        where, [&](unsigned i, auto const& key) { alone += tile.take(i, encode, key) ? 0 : 1; });
    tile_places<size> places;
    std::uint32_t const taken = hot_ones.take_from(tile);
    sorter.lay_out(tile, places);
    hot_ones.set_places(taken, tile, places);
#pragma unroll
    for (unsigned i = 0; i < size; ++i) {
      if (tile.has(i)) {
        sorter.codes[places[i]] = tile.codes[i];
      }
    }
    __syncthreads();
    sorter.write(memory.codes(), stride, sizeof(Code));
    value x[size] = {};
    carried.load(where, x);  // registers have no room for them before
    __syncthreads();
#pragma unroll
    for (unsigned i = 0; i < size; ++i) {
      if (tile.has(i)) {
        values[places[i]] = x[i];
      }
    }
    hot_ones.fold(taken, places, x);
    __syncthreads();
    sorter.write(memory.values, stride, sizeof(value));
    __syncthreads();
  }
  sorter.add_totals();
  hot_ones.deliver();
  cuda::add_alone(findings, alone);
}

#pragma GCC visibility pop
}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
