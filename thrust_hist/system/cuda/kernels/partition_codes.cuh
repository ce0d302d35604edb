// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Routes hashed and partitioned, first kernel: the codes of a tile of keys, sorted by bucket in
/// shared memory, go to scratch memory. They are mixed, or count from the lowest one.

#include <thrust_hist/config.h>
#include <thrust_hist/system/cuda/kernels/code_sorter.cuh>
#include <thrust_hist/system/cuda/kernels/hot_codes.cuh>
#include <thrust_hist/system/cuda/kernels/kernels_in_turn.cuh>
#include <thrust_hist/system/cuda/kernels/placed_codes.cuh>
#include <thrust_hist/system/cuda/kernels/samples.cuh>

#include <cstdint>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {
#pragma GCC visibility push(hidden)

/// Sorts the codes of tiles [first_tile, first_tile + tiles) of the keys into buckets, without
/// those that are hot. `hot_offset`: where in shared memory the table for these lies, in units of
/// 16 bytes.
template <class Samples, class Encode, class Code, class Hot>
__launch_bounds__(1024, 1) __global__ void partition_codes(
    Samples const samples, Encode const encode, bucket_layout const layout,
    std::uint32_t const factor, std::uint32_t const stride,
    code_memory<Code, no_value> const memory, std::uint64_t const first_tile,
    std::uint32_t const tiles, sparse_findings* const findings, Hot const hot,
    std::uint32_t const hot_offset) {
  cuda::take_turn();
  if (cuda::were_given_up(findings)) {
    return;  // by an earlier batch
  }
  extern __shared__ uint4 shared[];
  code_sorter<Code> const sorter(layout, factor, memory, shared);
  typename table_of_hot<Hot>::type const hot_ones(hot, shared + hot_offset);
  std::uint32_t alone = 0;
  bool const asks = threadIdx.x + 1 == blockDim.x;
  sorter.clear_totals();
  hot_ones.begin();
  for (std::uint32_t t = blockIdx.x; t < tiles; t = sorter.next()) {
    std::uint32_t const next = asks ? sorter.take_tile(tiles) : 0;
    sorter.clear_cursors();
    tile_of_codes<Code> tile = {};
    samples.template for_tile<tile.size>(first_tile + t, [&](unsigned i, auto const& key) {
      alone += tile.take(i, encode, key) ? 0 : 1;
    });
    if (asks && next < tiles) {
      samples.template fetch_tile<tile.size>(first_tile + next);
    }
    hot_ones.take_from(tile, sorter.unread());
    sorter.lay_out(tile);
    if (asks) {
      sorter.next() = next;
    }
    sorter.for_places(
        tile, [&](unsigned i, std::uint32_t at) { sorter.codes[at] = tile.codes[i]; });
    __syncthreads();
    sorter.write(memory.codes(), stride, sizeof(Code));
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
