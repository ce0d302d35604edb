// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Route partitioned, first kernel: the bins of a tile, sorted by bucket in shared memory, go to
/// scratch memory as 16-bit rests.

#include <thrust_hist/config.h>
#include <thrust_hist/system/cuda/buckets.h>
#include <thrust_hist/system/cuda/kernels/counters.cuh>
#include <thrust_hist/system/cuda/kernels/kernels_in_turn.cuh>
#include <thrust_hist/system/cuda/kernels/samples.cuh>
#include <thrust_hist/system/cuda/kernels/simplest.cuh>
#include <thrust_hist/system/cuda/kernels/sorted_tile.cuh>
#include <thrust_hist/system/cuda/kernels/tile_sorter.cuh>

#include <cstdint>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {
#pragma GCC visibility push(hidden)

/// Sorts tiles [first_tile, first_tile + tiles) of the samples into buckets. `Few`: samples are few
/// to a bin, so tiles of sorted ones are looked for; that takes registers which others would have
/// to spill.
template <bool Few, class Samples, class Rule>
__launch_bounds__(most_partition_threads, 1) __global__ void partition(
    Samples const samples, __grid_constant__ Rule const rule, bucket_layout const layout,
    bucket_memory const memory, std::uint64_t const first_tile, std::uint32_t const tiles,
    global_counters const out) {
  cuda::take_turn();
  if (memory.is_left_out()) {
    return;
  }
  constexpr unsigned mine = bucket_layout::samples_of_thread;
  extern __shared__ uint4 shared[];
  tile_sorter<most_cursors> const sorter(layout, memory, shared);
  std::uint32_t const none = sorter.no_bin();
  bool const asks = threadIdx.x + 1 == blockDim.x;
  for (std::uint32_t b = threadIdx.x; b < layout.buckets; b += blockDim.x) {
    sorter.totals[b] = 0;
  }

  for (std::uint32_t tile = blockIdx.x; tile < tiles; tile = sorter.next()) {
    std::uint32_t const next = asks ? sorter.take_tile(tiles) : 0;
    for (std::uint32_t b = threadIdx.x; b < layout.cursor_units(); b += blockDim.x) {
      sorter.cursors[b] = make_uint4(0, 0, 0, 0);
    }
    tile_bins bins;
#pragma unroll
    for (unsigned i = 0; i < mine; ++i) {
      bins[i] = none;
    }
    cuda::with_simplest(rule, no_rule_memory{}, [&](auto const& simple) {
      samples.template for_tile<mine>(first_tile + tile, [&](unsigned i, auto const& x) {
        auto const bin = cuda::candidate<std::uint32_t>(simple, x) - layout.first_bin;
        bins[i] = bin < layout.bins ? bin : none;
      });
    });
    if (threadIdx.x == 0) {
      sorter.forget_ends();
    }
    if (asks && next < tiles) {
      samples.template fetch_tile<mine>(first_tile + next);
    }
    bool const may_be_near = __syncthreads_and(sorter.may_be_near(bins)) != 0;
    if (asks) {
      sorter.next() = next;
    }
    if (may_be_near && sorter.are_near(bins)) {
      sorter.count_near(bins, out);
    } else if (
        Few && may_be_near && sorter.reach() < layout.sorted_bins && cuda::are_sorted(bins)) {
      sorter.leave_nothing();
      cuda::add_each<samples_side_by_side<Samples>>(bins, layout, out);
    } else {
      // Asked for before the bins are counted, needed after that: nobody waits for the answer.
      std::uint32_t const place = threadIdx.x == 0 ? sorter.take_place() : 0;
      sorter.count_buckets_of(bins);
      if (threadIdx.x == 0) {
        sorter.place() = place;
      }
      __syncthreads();
      sorter.lay_out_segments();
      __syncthreads();
      sorter.place_rests(bins);
      __syncthreads();
      sorter.write_rests();
    }
    __syncthreads();
  }
  for (std::uint32_t b = threadIdx.x; b < layout.buckets; b += blockDim.x) {
    if (sorter.totals[b] != 0) {
      atomicAdd(memory.totals + b, sorter.totals[b]);
    }
  }
}

#pragma GCC visibility pop
}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
