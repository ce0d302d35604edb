// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Sparse histograms, route partitioned, second kernel: a block counts the codes of a slice, and writes a row for
/// each that occurs, behind those of the slices before it.

#include <thrust_hist/config.h>
#include <thrust_hist/system/cuda/kernels/code_rows.cuh>
#include <thrust_hist/system/cuda/kernels/count_codes.cuh>
#include <thrust_hist/system/cuda/kernels/lanes.cuh>
#include <thrust_hist/system/cuda/kernels/look_back.cuh>
#include <thrust_hist/system/cuda/kernels/partition_codes.cuh>
#include <thrust_hist/system/cuda/kernels/range_table.cuh>
#include <thrust_hist/system/cuda/kernels/segments.cuh>

#include <cstdint>
#include <type_traits>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {
#pragma GCC visibility push(hidden)

/// A list, in shared memory, of the segments that are too long for the warp that comes upon them: these are dealt out
/// to all warps.
struct long_segments {
  static constexpr std::uint32_t most = 255;
  static constexpr std::uint32_t units = 64;  ///< that one warp may have to read by itself

  std::uint32_t size;
  uint2 of[most];  ///< first unit and how many

  /// Returns whether there was room.
  __device__ bool take(std::uint32_t first_unit, std::uint32_t units_of_segment) {
    std::uint32_t const i = atomicAdd(&size, 1u);
    if (i < most) {
      of[i] = make_uint2(first_unit, units_of_segment);
    }
    return i < most;
  }
};

/// Codes that a lane has loaded: of its own bucket and others.
struct loaded_codes {
  static constexpr unsigned units = 2;  ///< of 16 bytes
  uint4 of[units];

  /// Unit `at(j)` for each j with `is_there(j)`, else padding.
  template <class IsThere, class At>
  __device__ static loaded_codes load(
      std::uint32_t const* codes, std::uint32_t padding, IsThere is_there, At at) {
    loaded_codes loaded;
#pragma unroll
    for (unsigned j = 0; j < units; ++j) {
      std::uint32_t const place = at(j);
      loaded.of[j] = make_uint4(padding, padding, padding, padding);
      if (is_there(j)) {
        loaded.of[j] = __ldcs(reinterpret_cast<uint4 const*>(codes) + place);
      }
    }
    return loaded;
  }
  template <class Use>
  __device__ void use_by(Use use) const {
    std::uint32_t codes[units * 4];
#pragma unroll
    for (unsigned j = 0; j < units; ++j) {
      codes[j * 4] = of[j].x;
      codes[j * 4 + 1] = of[j].y;
      codes[j * 4 + 2] = of[j].z;
      codes[j * 4 + 3] = of[j].w;
    }
    use(codes);
  }
};

/// Calls `use(codes)` for the codes of a bucket, and codes of other buckets among them. All threads of the block
/// must call it, and wait for each other before they call it again.
template <class Use>
__device__ inline void for_codes(
    bucket_segments const& segments, std::uint32_t stride, std::uint32_t const* codes,
    std::uint32_t padding, long_segments& too_long, Use use) {
  if (threadIdx.x == 0) {
    too_long.size = 0;
  }
  __syncthreads();
  segment next = segments.after(0);
  for (std::uint32_t done = 0; done < segments.visits(); done += blockDim.x) {
    segment const s = next;
    next = segments.after(done + blockDim.x);  // asked for ahead
    std::uint32_t const first = s.tile * (stride / 4) + s.begin / 4;
    std::uint32_t size = (s.end - s.begin) / 4;
    if (size > long_segments::units && too_long.take(first, size)) {
      size = 0;
    }
    __syncwarp();
    joined_segments const joined(first, size);
    for (std::uint32_t unit = threadIdx.x % 32; unit - threadIdx.x % 32 < joined.size();
         unit += loaded_codes::units * 32) {
      loaded_codes::load(
          codes, padding, [&](unsigned j) { return unit + j * 32 < joined.size(); },
          [&](unsigned j) { return joined.unit(unit + j * 32); })
          .use_by(use);
    }
  }
  __syncthreads();
  std::uint32_t const listed = min(too_long.size, long_segments::most);
  constexpr std::uint32_t stretch = loaded_codes::units * 32;  // of a segment, for one warp
  for (std::uint32_t i = 0; i < listed; ++i) {
    uint2 const s = too_long.of[i];
    // Each segment begins with another warp.
    std::uint32_t const turn = (threadIdx.x / 32 - i) % (blockDim.x / 32);
    for (std::uint32_t begin = turn * stretch; begin < s.y; begin += stretch * (blockDim.x / 32)) {
      std::uint32_t const mine = begin + threadIdx.x % 32;
      loaded_codes::load(
          codes, padding, [&](unsigned j) { return mine + j * 32 < s.y; },
          [&](unsigned j) { return s.x + mine + j * 32; })
          .use_by(use);
    }
  }
}

/// Where rows go that nobody wants.
struct nowhere {};

/// What the threads of a block tell each other.
struct ranges_memory {
  line_memory line;
  std::uint32_t uncounted;  ///< codes of which counters do not tell
  long_segments too_long;
};
static_assert(sizeof(ranges_memory) <= range_slices::bytes_beside);
static_assert(range_slices::bytes_beside % sizeof(uint4) == 0);

/// What was found in all slices, in memory of the host.
struct range_findings {
  unsigned long long rows;         ///< rows_are_lost and more, if not all slices had room
  unsigned long long is_frequent;  ///< 1 if some code occurs more often than 16 bits can tell
};

/// One block for each slice. With `nowhere` it is only found out how many rows there are. A slice that has no room
/// for its distinct codes, or for how often one occurs, has no rows, and those behind it are not written either.
template <class Code, class Writer>
__launch_bounds__(1024, 1) __global__ void count_ranges(
    bucket_layout const layout, std::uint32_t const stride,
    code_memory<std::uint32_t, no_value> const tiles, range_slices const slices, Code const lowest,
    Writer const writer, tile_line const line, range_findings* const findings) {
  extern __shared__ uint4 shared[];
  auto& memory = *reinterpret_cast<ranges_memory*>(shared);
  auto const job = static_cast<std::uint32_t>(cuda::take_tile(line, memory.line));
  if (threadIdx.x == 0) {
    memory.uncounted = 0;
  }
  std::uint32_t const bucket = job >> slices.of_bucket_log2();
  bucket_segments const segments(layout, tiles, bucket, {0, layout.groups()}, *tiles.tiles);
  range_table table(
      shared + range_slices::bytes_beside / sizeof(uint4), slices, job << slices.slice_log2);
  auto const for_all = [&](auto use) {
    cuda::for_codes(
        segments, stride, tiles.codes(), cuda::padding_of<std::uint32_t>(bucket), memory.too_long,
        use);
    __syncthreads();
  };

  std::uint32_t cells = slices.cells();
  if (slices.has_marks) {
    table.clear_marks();
    for_all([&](auto const& codes) { table.mark(codes); });
    table.rank(memory.line.of_warps);
    __syncthreads();
    cells = cuda::sum_of_warps(memory.line.of_warps);
  }
  bool has_room = cells <= slices.capacity();
  std::uint32_t counted = 0;
  if (has_room && cells != 0) {
    table.clear_counters(cells);
    if (slices.has_marks) {
      for_all([&](auto const& codes) { counted += table.template count<true>(codes); });
    } else {
      for_all([&](auto const& codes) { counted += table.template count<false>(codes); });
    }
  }
  range_table::part const part =
      has_room && cells != 0 ? table.part_of_warp() : range_table::part{};
  std::uint32_t const of_warp = cuda::over_warp(counted, [](auto a, auto b) { return a + b; });
  if (threadIdx.x % 32 == 0 && of_warp != part.counted) {
    atomicAdd(&memory.uncounted, of_warp - part.counted);
  }
  __syncthreads();
  if (memory.uncounted != 0) {
    has_room = false;
    if (threadIdx.x == 0 && !table.has_small_counters()) {
      findings->is_frequent = 1;
    }
  }
  place_in_line const here = cuda::find_place<1024>(
      line, job, has_room ? part.rows : 0, &findings->rows, memory.line,
      has_room ? 0 : rows_are_lost);
  if constexpr (!std::is_same_v<Writer, nowhere>) {
    if (has_room && here.first < rows_are_lost) {
      table.for_rows(here.before, [&](std::uint32_t i, std::uint32_t code, std::uint32_t count) {
        writer.write_key(here.first + i, lowest + static_cast<Code>(code));
        writer.write_value(here.first + i, count);
      });
    }
  }
}

#pragma GCC visibility pop
}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
