// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Route partitioned, second kernel: the rests of each bucket are counted in shared memory.

#include <thrust_hist/config.h>
#include <thrust_hist/system/cuda/buckets.h>
#include <thrust_hist/system/cuda/kernels/counters.cuh>
#include <thrust_hist/system/cuda/kernels/kernels_in_turn.cuh>
#include <thrust_hist/system/cuda/kernels/segments.cuh>
#include <thrust_hist/system/cuda/kernels/tile_sorter.cuh>
#include <thrust_hist/system/cuda/kernels/work_line.cuh>

#include <cstdint>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {
#pragma GCC visibility push(hidden)

/// Adds the table of a bucket to the counters of its bins.
__device__ inline void add_table(
    std::uint32_t const* counts, std::uint32_t bins, std::uint64_t first_bin,
    global_counters const& out) {
  constexpr unsigned at_once = 8;
  // Blocks that share a table begin at different bins, so as not to meet at the same address.
  std::uint32_t const turn = blockIdx.x * blockDim.x % bins;
  for (std::uint32_t first = threadIdx.x; first < bins; first += at_once * blockDim.x) {
    std::uint32_t bin[at_once];
    std::uint32_t count[at_once];
#pragma unroll
    for (unsigned j = 0; j < at_once; ++j) {
      std::uint32_t const i = first + j * blockDim.x;
      bin[j] = i < bins - turn ? i + turn : i + turn - bins;
      count[j] = i < bins ? counts[bin[j]] : 0;
    }
#pragma unroll
    for (unsigned j = 0; j < at_once; ++j) {
      if (count[j] != 0) {
        out.add(first_bin + bin[j], count[j]);
      }
    }
  }
}

/// The same for bins that are still 0, and that nobody else counts into.
__device__ inline void store_table(
    std::uint32_t const* counts, std::uint32_t bins, std::uint64_t first_bin,
    global_counters const& out) {
  for (std::uint32_t i = threadIdx.x; i < bins; i += blockDim.x) {
    out.set(first_bin + i, counts[i]);
  }
}

/// Counts those rests of a table that lie in some groups of tiles, in the shared memory of the
/// block.
__device__ inline void count_table(
    bucket_layout const& layout, bucket_memory const& memory, std::uint32_t table,
    group_interval const& groups, std::uint32_t tiles, uint4* shared) {
  std::uint32_t const size = 1u << layout.table_bits;
  for (std::uint32_t i = threadIdx.x; i < size / 4; i += blockDim.x) {
    shared[i] = make_uint4(0, 0, 0, 0);
  }
  __syncthreads();
  std::uint32_t const bucket = table >> layout.tables_log2();
  std::uint32_t const part = table - (bucket << layout.tables_log2());
  rest_counters const counters = {
      static_cast<std::uint32_t>(__cvta_generic_to_shared(shared)), size,
      (part << layout.table_bits) * 0x10001u};
  bucket_segments const segments(layout, memory, bucket, groups, tiles);
  if (layout.granule_log2 != 0) {
    cuda::count_padded(segments, layout, memory.rests, counters);
  } else {
    cuda::count_adjoining(segments, layout, memory.rests, counters);
  }
  __syncthreads();
}

/// Counts the tiles of a batch. `zeroed`: the counters of the output were 0 before the batch.
template <class Counters>
__launch_bounds__(1024, 1) __global__ void count_buckets(
    bucket_layout const layout, bucket_memory const memory, Counters const out, bool const zeroed) {
  cuda::take_turn();
  if (memory.is_left_out()) {
    return;
  }
  extern __shared__ uint4 shared[];
  auto* const counts = reinterpret_cast<std::uint32_t*>(shared);
  std::uint32_t const size = 1u << layout.table_bits;
  std::uint32_t const tiles = *memory.tiles;
  bool const is_zero = zeroed && *memory.near_tiles == 0;  // still
  work_line line(counts + size + 1, layout, cuda::work_of_table(tiles));

#pragma unroll 1
  for (int turn = 0; turn < 2; ++turn) {
    line.lay_out(memory.totals, turn == 0 ? weight::heavy : weight::light);
    for (std::uint32_t job = blockIdx.x; job < line.jobs();
         job = line.after(job, memory.light_jobs)) {
      line.take(job);
      for (std::uint32_t table = line.first_table(); line.reaches(table); ++table) {
        group_interval const groups = line.groups_of(table, layout.groups());
        if (groups.count == 0) {
          continue;
        }
        cuda::count_table(layout, memory, table, groups, tiles, shared);

        std::uint32_t const skipped = table << layout.table_bits;
        std::uint32_t const bins = min(size, layout.bins - skipped);
        std::uint64_t const first_bin = std::uint64_t{layout.first_bin} + skipped;
        // Additions reach 300 G counters/s, stores three times as many, but they write empty bins
        // too.
        bool const is_dense = line.samples_of(table) >= (size << layout.tables_log2()) / 2;
        if (is_zero && is_dense && groups.count == layout.groups()) {
          cuda::store_table(counts, bins, first_bin, out);
        } else {
          cuda::add_table(counts, bins, first_bin, out);
        }
        __syncthreads();
      }
    }
    if (!line.has_light()) {
      return;
    }
  }
}

#pragma GCC visibility pop
}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
