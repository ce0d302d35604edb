// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Route hashed, second kernel: the codes of each bucket are counted in a hash table. And the only kernel
/// where distinct keys are so few that every block has room for all of them.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/mixed_codes.h>
#include <thrust_hist/system/cuda/code_buckets.h>
#include <thrust_hist/system/cuda/kernels/code_rows.cuh>
#include <thrust_hist/system/cuda/kernels/code_table.cuh>
#include <thrust_hist/system/cuda/kernels/partition_codes.cuh>
#include <thrust_hist/system/cuda/kernels/segments.cuh>
#include <thrust_hist/system/cuda/kernels/work_line.cuh>

#include <cstdint>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {
#pragma GCC visibility push(hidden)

/// The keys of a thread in a tile, where they are counted as they come in: 16-byte loads of bytes at least.
inline constexpr unsigned keys_of_thread = 16;

/// Counts the codes of the segments of a warp, all lanes together.
template <class Code>
__device__ inline void count_joined(
    joined_segments const& segments, Code const* codes, code_table<Code> const& table,
    code_rows<Code> const& rows) {
  constexpr unsigned loads = 4;
  for (std::uint32_t first = 0; first < segments.size(); first += loads * 32) {
    Code loaded[loads];
    std::uint32_t present = 0;
#pragma unroll
    for (unsigned j = 0; j < loads; ++j) {
      std::uint32_t const i = first + j * 32 + threadIdx.x % 32;
      std::uint32_t const at = segments.unit(i);
      bool const is_present = i < segments.size();
      loaded[j] = is_present ? __ldcs(codes + at) : 0;
      present |= is_present ? 1u << j : 0;
    }
    table.add(loaded, present, rows);
  }
}

/// Counts those codes of a bucket that lie in some groups of tiles.
template <class Code>
__device__ inline void count_segments(
    bucket_segments const& segments, std::uint32_t codes_of_tile, Code const* codes,
    code_table<Code> const& table, code_rows<Code> const& rows) {
  segment next = segments.after(0);
  for (std::uint32_t done = 0; done < segments.visits(); done += blockDim.x) {
    segment const s = next;
    next = segments.after(done + blockDim.x);  // asked for ahead
    cuda::count_joined({s.tile * codes_of_tile + s.begin, s.end - s.begin}, codes, table, rows);
  }
}

/// Counts the tiles of a batch and writes rows.
template <class Code>
__launch_bounds__(1024, 1) __global__ void count_codes(
    bucket_layout const layout, code_memory<Code> const memory, unsigned const slots_log2,
    code_rows<Code> const rows) {
  extern __shared__ uint4 shared[];
  std::uint32_t const tiles = *memory.tiles;
  std::uint32_t const codes_of_tile = layout.threads * code_buckets::bytes_of_thread / sizeof(Code);
  work_line line(reinterpret_cast<std::uint32_t*>(shared), layout, tiles);
  code_table<Code> const table(shared + (layout.buckets + 2 + 32 + 3) / 4, slots_log2);

#pragma unroll 1
  for (int turn = 0; turn < 2; ++turn) {
    line.lay_out(memory.totals, turn == 0 ? weight::heavy : weight::light);
    for (std::uint32_t job = blockIdx.x; job < line.jobs(); job += gridDim.x) {
      line.take(job);
      for (std::uint32_t bucket = line.first_table(); line.reaches(bucket); ++bucket) {
        group_interval const groups = line.groups_of(bucket, layout.groups());
        if (groups.count == 0) {
          continue;
        }
        table.clear();
        __syncthreads();
        cuda::count_segments<Code>(
            bucket_segments(layout, memory, bucket, groups, tiles), codes_of_tile, memory.codes(),
            table, rows);
        __syncthreads();
        table.deliver(rows);
        __syncthreads();
      }
    }
    if (!line.has_light()) {
      return;
    }
  }
}

/// Counts keys as they come in.
template <class Samples, class Encode, class Code>
__launch_bounds__(1024, 1) __global__ void count_keys_by_hash(
    Samples const samples, Encode const encode, unsigned const slots_log2,
    std::uint64_t const tiles, code_rows<Code> const rows) {
  constexpr unsigned mine = keys_of_thread;
  constexpr unsigned at_once = 4;
  extern __shared__ uint4 shared[];
  code_table<Code> const table(shared, slots_log2);
  table.clear();
  __syncthreads();
  std::uint32_t alone = 0;
  for (std::uint64_t tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
    Code mixed[mine / at_once][at_once] = {};
    std::uint32_t present = 0;
    samples.template for_tile<mine>(tile, [&](unsigned i, auto const& key) {
      Code code;
      if (encode(key, code)) {
        mixed[i / at_once][i % at_once] = detail::mix_code(code);
        present |= 1u << i;
      } else {
        ++alone;
      }
    });
    __syncwarp();
#pragma unroll
    for (unsigned i = 0; i < mine / at_once; ++i) {
      table.add(mixed[i], present >> i * at_once & ((1u << at_once) - 1), rows);
    }
  }
  __syncthreads();
  table.deliver(rows);
  cuda::add_alone(rows.findings, alone);
}

#pragma GCC visibility pop
}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
