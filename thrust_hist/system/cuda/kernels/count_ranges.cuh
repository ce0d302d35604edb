// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Sparse histograms, route partitioned, second kernel: a block counts the codes of a slice, and
/// writes a row for each that occurs, behind those of the slices before it.

#include <thrust_hist/config.h>
#include <thrust_hist/system/cuda/kernels/code_rows.cuh>
#include <thrust_hist/system/cuda/kernels/code_sorter.cuh>
#include <thrust_hist/system/cuda/kernels/count_codes.cuh>
#include <thrust_hist/system/cuda/kernels/fill_regions.cuh>
#include <thrust_hist/system/cuda/kernels/kernels_in_turn.cuh>
#include <thrust_hist/system/cuda/kernels/lanes.cuh>
#include <thrust_hist/system/cuda/kernels/look_back.cuh>
#include <thrust_hist/system/cuda/kernels/padded_units.cuh>
#include <thrust_hist/system/cuda/kernels/range_table.cuh>
#include <thrust_hist/system/cuda/kernels/segments.cuh>

#include <cstdint>
#include <type_traits>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {
#pragma GCC visibility push(hidden)

/// Codes by bucket, as partition_codes() leaves them: segments of tiles.
template <class Code>
struct codes_in_tiles {
  bucket_layout layout;
  std::uint32_t stride;
  code_memory<Code, no_value> tiles;

  /// Calls `use(codes)` for the codes of a bucket, and codes of other buckets among them. All
  /// threads of the block must call it, of which there are `Threads`, and wait for each other
  /// before they call it again.
  template <unsigned Threads, class Use>
  __device__ void for_bucket(std::uint32_t bucket, long_segments& too_long, Use use) const {
    constexpr unsigned of_unit = 16 / sizeof(Code);
    bucket_segments const segments(layout, tiles, bucket, {0, layout.groups()}, *tiles.tiles);
    listed_walk<Threads> const walk(padded_segments(segments, stride, of_unit), too_long);
    Code const padding = cuda::padding_of<Code>(bucket);
    cuda::for_units(walk, [&](lane_units const& units) {
      Code loaded[lane_units::size * of_unit];
      units.load(static_cast<Code const*>(tiles.codes()), padding, loaded);
      use(loaded);
    });
  }
  /// Whether there was room for all of a bucket.
  __device__ static bool has_all(std::uint32_t) { return true; }
};

/// The same as fill_regions() leaves them.
template <class Code>
struct codes_in_regions {
  code_regions<Code> regions;

  template <unsigned Threads, class Use>
  __device__ void for_bucket(std::uint32_t bucket, long_segments&, Use use) const {
    constexpr unsigned of_unit = 16 / sizeof(Code);
    using some = some_units<4>;
    std::uint32_t const size = min(regions.sizes[bucket], regions.room);
    Code const padding = cuda::padding_of<Code>(bucket);
    for (std::uint32_t unit = threadIdx.x; unit * of_unit < size; unit += some::size * Threads) {
      some units;
#pragma unroll
      for (unsigned j = 0; j < some::size; ++j) {
        units.at[j] = unit + j * Threads;
        units.is_there[j] = units.at[j] * of_unit < size;
      }
      Code loaded[some::size * of_unit];
      units.load(regions.codes + std::uint64_t{bucket} * regions.room, padding, loaded);
#pragma unroll
      for (unsigned i = 0; i < some::size * of_unit; ++i) {
        bool const is_code = units.at[i / of_unit] * of_unit + i % of_unit < size;
        loaded[i] = is_code ? loaded[i] : padding;
      }
      use(loaded);
    }
  }
  __device__ bool has_all(std::uint32_t bucket) const {
    return regions.sizes[bucket] <= regions.room;
  }
};

/// Where rows go that nobody wants.
struct nowhere {};

/// What the threads of a block tell each other.
struct ranges_memory {
  line_memory line;
  std::uint32_t rows;       ///< of the slice
  std::uint32_t uncounted;  ///< codes of which counters do not tell
  std::uint32_t beyond;     ///< for the table
  long_segments too_long;
};
static_assert(sizeof(ranges_memory) <= bytes_beside_slice);
static_assert(bytes_beside_slice % sizeof(uint4) == 0);

/// What was found in all slices, in memory of the host.
struct range_findings {
  unsigned long long rows;         ///< rows_are_lost and more, if not all slices had room
  unsigned long long is_hopeless;  ///< 1 if there would be no room for all in half a slice
  unsigned long long left_out;     ///< keys that are in no bucket: more or less than was said
};

/// One block for each slice. With `nowhere` it is only found out how many rows there are. A slice
/// that has no room for its codes, or for how often one occurs, has no rows, and those behind it
/// are not written either. Nothing is done where other keys were left out than `left_out`.
template <class Table, class Source, class Decode, class Writer>
__launch_bounds__(Table::threads, Table::blocks) __global__ void count_ranges(
    Source const source, typename Table::description const slices, Decode const decode,
    Writer const writer, tile_line const line, sparse_findings const* const thrown,
    unsigned long long const left_out, range_findings* const findings) {
  cuda::take_turn();
  using code = typename Table::code;
  extern __shared__ uint4 shared[];
  auto& memory = *reinterpret_cast<ranges_memory*>(shared);
  if (thrown->alone != left_out) {
    if (blockIdx.x == 0 && threadIdx.x == 0) {
      findings->left_out = thrown->alone;
      findings->rows = rows_are_lost;
    }
    return;
  }
  auto const job = static_cast<std::uint32_t>(cuda::take_tile(line, memory.line));
  if (threadIdx.x == 0) {
    memory.rows = 0;
    memory.uncounted = 0;
  }
  std::uint32_t const bucket = job >> slices.of_bucket_log2();
  Table table(shared + bytes_beside_slice / sizeof(uint4), slices, job);
  std::uint32_t const counted = table.fill(
      [&](auto use) {
        source.template for_bucket<Table::threads>(bucket, memory.too_long, use);
        __syncthreads();
      },
      memory.line.of_warps, memory.beyond);
  range_part const part = table.part_of_warp();
  std::uint32_t const of_warp = cuda::over_warp(counted, [](auto a, auto b) { return a + b; });
  if (threadIdx.x % 32 == 0) {
    atomicAdd(&memory.rows, part.rows);
    atomicAdd(&memory.uncounted, of_warp - part.counted);
  }
  __syncthreads();
  bool const has_all = source.has_all(bucket) && table.has_room() && memory.uncounted == 0;
  if (!has_all && threadIdx.x == 0 && !table.gains_by_halving(memory.rows)) {
    findings->is_hopeless = 1;
  }
  place_in_line const here = cuda::find_place<Table::threads>(
      line, job, has_all ? part.rows : 0, &findings->rows, memory.line,
      has_all ? 0 : rows_are_lost);
  if constexpr (!std::is_same_v<Writer, nowhere>) {
    if (has_all && here.first < rows_are_lost) {
      table.for_rows(here.before, [&](std::uint32_t i, code c, std::uint32_t count) {
        writer.write_key(here.first + i, decode(c));
        writer.write_value(here.first + i, count);
      });
    }
  }
}

#pragma GCC visibility pop
}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
