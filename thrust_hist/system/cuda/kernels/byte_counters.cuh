// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Route partitioned in many batches: a byte for each bin, a quarter or less of what a batch reads
/// and writes where it adds to the counters of the output. What a byte has no room for is added to
/// these at once, the rest after the last batch.

#include <thrust_hist/config.h>
#include <thrust_hist/system/cuda/buckets.h>
#include <thrust_hist/system/cuda/kernels/bucket_memory.cuh>
#include <thrust_hist/system/cuda/kernels/count_buckets.cuh>
#include <thrust_hist/system/cuda/kernels/counters.cuh>
#include <thrust_hist/system/cuda/kernels/kernels_in_turn.cuh>
#include <thrust_hist/system/cuda/kernels/work_line.cuh>

#include <cstdint>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {
#pragma GCC visibility push(hidden)

struct byte_counters {
  static constexpr unsigned of_word = 4;
  static constexpr std::uint32_t most = 255;

  std::uint32_t* words;    ///< four bins each, those of a slice; null: there are none
  std::uint32_t* touched;  ///< of each table: whether anything was added to its bytes

  /// Asks for the bytes of a table ahead of add_table(), for which they may have to come from
  /// memory.
  __device__ void prefetch(std::uint32_t bins, std::uint32_t skipped) const {
    constexpr std::uint32_t of_line = 128;
    for (std::uint32_t i = threadIdx.x * of_line; i < bins; i += blockDim.x * of_line) {
      asm volatile("prefetch.global.L2 [%0];" ::"l"(words + (skipped + i) / of_word));
    }
  }
  /// Adds a table that no other block has. `skipped`: the bins of the slice before it, a multiple
  /// of 4; `first_bin`: its first one in the output. Counts of bins that the last word has too many
  /// are 0.
  __device__ void add_table(
      uint4 const* counts, std::uint32_t bins, std::uint32_t skipped, std::uint64_t first_bin,
      global_counters const& out) const {
    constexpr unsigned at_once = 2;
    std::uint32_t* const mine = words + skipped / of_word;
    std::uint32_t const size = (bins + of_word - 1) / of_word;
    for (std::uint32_t first = threadIdx.x; first < size; first += at_once * blockDim.x) {
      std::uint32_t before[at_once];
#pragma unroll
      for (unsigned j = 0; j < at_once; ++j) {
        std::uint32_t const i = first + j * blockDim.x;
        before[j] = i < size ? mine[i] : 0;
      }
#pragma unroll
      for (unsigned j = 0; j < at_once; ++j) {
        std::uint32_t const i = first + j * blockDim.x;
        if (i < size) {
          mine[i] = sum(before[j], counts[i], first_bin + of_word * i, out);
        }
      }
    }
  }

private:
  /// Of four bytes and the counts of their bins, of which what goes beyond a byte goes to the
  /// output.
  __device__ static std::uint32_t sum(
      std::uint32_t bytes, uint4 const& counts, std::uint64_t bin, global_counters const& out) {
    std::uint32_t const sums[of_word] = {
        (bytes & most) + counts.x, (bytes >> 8 & most) + counts.y, (bytes >> 16 & most) + counts.z,
        (bytes >> 24) + counts.w};
    if ((sums[0] | sums[1] | sums[2] | sums[3]) > most) {
      for (unsigned j = 0; j < of_word; ++j) {
        if (sums[j] > most) {
          out.add(bin + j, sums[j] & ~most);
        }
      }
    }
    return (sums[0] & most) | (sums[1] & most) << 8 | (sums[2] & most) << 16 |
           (sums[3] & most) << 24;
  }
};

/// Counts the tables that blocks share, those with many samples, into the output.
__device__ inline void count_shared_tables(
    work_line& line, bucket_layout const& layout, bucket_memory const& memory, std::uint32_t tiles,
    uint4* shared, global_counters const& out) {
  std::uint32_t const size = 1u << layout.table_bits;
  line.lay_out(memory.totals, weight::heavy);
  line.take(blockIdx.x);
  for (std::uint32_t table = line.first_table(); line.reaches(table); ++table) {
    group_interval const groups = line.groups_of(table, layout.groups());
    if (groups.count != 0) {
      std::uint32_t const skipped = table << layout.table_bits;
      cuda::count_table(layout, memory, table, groups, tiles, shared);
      cuda::add_table(
          reinterpret_cast<std::uint32_t const*>(shared), min(size, layout.bins - skipped),
          std::uint64_t{layout.first_bin} + skipped, out);
      __syncthreads();
    }
  }
}

/// Counts the tiles of a batch, as count_buckets() does, but into bytes: each table that is light
/// belongs to one block. Leaves the totals of the batch as the next one wants them: 0. There must
/// be a table for each block, or more.
template <class Counters>
__launch_bounds__(1024, 1) __global__ void count_into_bytes(
    bucket_layout const layout, bucket_memory const memory, Counters const out,
    byte_counters const bytes) {
  cuda::take_turn();
  if (memory.is_left_out()) {
    return;
  }
  extern __shared__ uint4 shared[];
  std::uint32_t const size = 1u << layout.table_bits;
  std::uint32_t const tiles = *memory.tiles;
  auto* const behind = reinterpret_cast<std::uint32_t*>(shared) + size + 1;
  work_line line(behind, layout, cuda::work_of_table(tiles), true);
  cuda::count_shared_tables(line, layout, memory, tiles, shared, out);

  line.lay_out(memory.totals, weight::light);
  // Whoever clears the totals comes after all who have read them: see the end.
  __threadfence();
  __syncthreads();
  std::uint32_t table = blockIdx.x;
  while (table < layout.tables()) {
    // Asked for now, known when it is needed.
    std::uint32_t const next = threadIdx.x == 0 ? gridDim.x + atomicAdd(memory.light_jobs, 1u) : 0;
    if (line.has_work(table)) {
      std::uint32_t const skipped = table << layout.table_bits;
      std::uint32_t const bins = min(size, layout.bins - skipped);
      bytes.prefetch(bins, skipped);
      cuda::count_table(layout, memory, table, {0, layout.groups()}, tiles, shared);
      bytes.add_table(shared, bins, skipped, std::uint64_t{layout.first_bin} + skipped, out);
      if (threadIdx.x == 0) {
        bytes.touched[table] = 1;
      }
    }
    __syncthreads();
    if (threadIdx.x == 0) {
      *line.beside() = next;
    }
    __syncthreads();
    table = *line.beside();
  }
  // Each block asks once in vain, when it has read the totals. This one was the last to ask.
  if (table == gridDim.x + layout.tables() - 1) {
    __threadfence();
    auto const words = static_cast<std::uint32_t>(layout.total_bytes() / sizeof *memory.totals);
    for (std::uint32_t i = threadIdx.x; i < words; i += blockDim.x) {
      memory.totals[i] = 0;
    }
  }
}

inline constexpr unsigned bytes_at_once = 8;  ///< that a thread adds

/// Adds the bytes of [first, end) to counters that nobody else changes.
template <class Counter>
__device__ void add_bytes(
    std::uint8_t const* bytes, std::uint32_t first, std::uint32_t end, Counter* counters) {
  constexpr unsigned at_once = bytes_at_once;
  for (; first < end; first += at_once * blockDim.x) {
    std::uint32_t count[at_once];
    Counter before[at_once];
#pragma unroll
    for (unsigned j = 0; j < at_once; ++j) {
      std::uint32_t const i = first + j * blockDim.x + threadIdx.x;
      count[j] = i < end ? bytes[i] : 0;
      before[j] = i < end ? counters[i] : 0;
    }
#pragma unroll
    for (unsigned j = 0; j < at_once; ++j) {
      if (count[j] != 0) {
        counters[first + j * blockDim.x + threadIdx.x] = before[j] + count[j];
      }
    }
  }
}

/// Adds the bytes to the counters of their bins, after the last batch.
template <class Counters>
__launch_bounds__(512) __global__ void add_byte_counters(
    bucket_layout const layout, byte_counters const bytes, Counters const out) {
  cuda::take_turn();
  auto const* const all = reinterpret_cast<std::uint8_t const*>(bytes.words);
  std::uint32_t const piece = min(1u << layout.table_bits, bytes_at_once * blockDim.x);
  for (std::uint32_t first = blockIdx.x * piece; first < layout.bins; first += gridDim.x * piece) {
    if (bytes.touched[first >> layout.table_bits] == 0) {
      continue;
    }
    std::uint32_t const end = min(first + piece, layout.bins);
    if (out.wide) {
      auto* const counters = static_cast<unsigned long long*>(out.data);
      cuda::add_bytes(all, first, end, counters + layout.first_bin);
    } else {
      cuda::add_bytes(all, first, end, static_cast<unsigned*>(out.data) + layout.first_bin);
    }
  }
}

#pragma GCC visibility pop
}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
