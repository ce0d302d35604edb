// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// A tile of samples in shared memory: its bins are sorted by bucket or, if they lie near each
/// other, counted at once.

#include <thrust_hist/config.h>
#include <thrust_hist/system/cuda/buckets.h>
#include <thrust_hist/system/cuda/kernels/block_sum.cuh>
#include <thrust_hist/system/cuda/kernels/bucket_memory.cuh>
#include <thrust_hist/system/cuda/kernels/count_shared.cuh>
#include <thrust_hist/system/cuda/kernels/counters.cuh>

#include <cstdint>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {
#pragma GCC visibility push(hidden)

inline constexpr unsigned most_partition_threads = 1024;

/// The bins of a thread's samples in a tile.
using tile_bins = std::uint32_t[bucket_layout::samples_of_thread];

/// Of a bucket.
inline constexpr unsigned fewest_cursors = 4;
inline constexpr unsigned most_cursors = 8;

/// What a block works with: its shared memory, and where things of the layout lie. `MostCursors`:
/// of a bucket; where keys carry something, or are codes, registers have no room for a number that
/// is not known.
template <unsigned MostCursors>
struct tile_sorter {
  static constexpr unsigned mine = bucket_layout::samples_of_thread;
  static constexpr unsigned run = 4;  // samples that are placed together

  bucket_layout const& layout;
  bucket_memory const& memory;
  std::uint32_t* totals;    // of a bucket, over all tiles of the block
  std::uint32_t* of_warps;  // a number for each
  uint4* cursors;           // of a bucket; at first the counts of its samples
  std::uint16_t* rests;     // of the tile

  __device__ tile_sorter(
      bucket_layout const& layout, bucket_memory const& memory, uint4* const shared)
      : layout(layout), memory(memory), totals(reinterpret_cast<std::uint32_t*>(shared)),
        of_warps(totals + layout.total_units() * 4),
        cursors(shared + layout.total_units() + bucket_layout::warp_units),
        rests(reinterpret_cast<std::uint16_t*>(cursors + layout.cursor_units())) {}

  /// Of this tile: units, lowest and highest bin, the latter less no_bin(), and where its segments
  /// go.
  __device__ std::uint32_t& units() const { return of_warps[most_partition_threads / 32]; }
  __device__ std::uint32_t& lowest() const { return of_warps[most_partition_threads / 32 + 1]; }
  __device__ std::uint32_t& highest() const { return of_warps[most_partition_threads / 32 + 2]; }
  __device__ std::uint32_t& place() const { return of_warps[most_partition_threads / 32 + 3]; }
  /// The tile after this one.
  __device__ std::uint32_t& next() const { return of_warps[most_partition_threads / 32 + 4]; }
  /// What has no bin is sorted like the rest, into a bucket behind all others, and left behind.
  __device__ std::uint32_t no_bin() const { return layout.buckets << layout.rest_bits; }

  __device__ std::uint32_t cursors_of_bucket() const {
    return MostCursors == fewest_cursors ? fewest_cursors : layout.cursors;
  }
  /// That of the first bucket, for this lane.
  __device__ std::uint32_t* my_cursor() const {
    return reinterpret_cast<std::uint32_t*>(cursors) + (threadIdx.x & (cursors_of_bucket() - 1));
  }

  /// The first tile of a block is that of its number, of so many. Others go to whoever asks first:
  /// blocks of equal shares end a twentieth of the time apart. By one thread, before it loads the
  /// tile before.
  __device__ std::uint32_t take_tile(std::uint32_t tiles) const {
    return gridDim.x < tiles ? gridDim.x + atomicAdd(memory.dealt, 1u) : tiles;
  }
  /// A place for the segments of a tile. Those counted at once leave none.
  __device__ std::uint32_t take_place() const { return atomicAdd(memory.tiles, 1u); }

  /// Counts the samples of each bucket, for each class of lanes.
  __device__ void count_buckets_of(tile_bins const& bins) const {
    auto const address = static_cast<std::uint32_t>(__cvta_generic_to_shared(my_cursor()));
#pragma unroll
    for (unsigned i = 0; i < mine; ++i) {
      std::uint32_t const bin = bins[i];
      increment_shared(address + (bin >> layout.rest_bits) * (cursors_of_bucket() * 4));
    }
  }

  /// Turns counts into cursors, and says where each bucket begins. Buckets next to each other
  /// belong to lanes next to each other, in as many rounds as it takes. `pad(bucket, i)` fills
  /// place i, behind a segment.
  template <class Pad>
  __device__ void lay_out_segments(Pad pad) const {
    std::uint32_t const rounds = (layout.buckets + blockDim.x - 1) / blockDim.x;
    std::uint32_t const first = threadIdx.x / 32 * 32 * rounds + threadIdx.x % 32;
    std::uint32_t const last = min(first + rounds * 32, layout.buckets);
    std::uint32_t mine = 0;
    for (std::uint32_t b = first; b < last; b += 32) {
      mine += layout.granules(count_of(b));
    }
    std::uint32_t begin = exclusive_sum_over_block(mine, of_warps);
    std::uint32_t begin_of_round = __shfl_sync(~0u, begin, 0);
    for (std::uint32_t r = 0; r < rounds; ++r) {
      std::uint32_t const b = first + r * 32;
      std::uint32_t const size = b < last ? layout.granules(count_of(b)) : 0;
      if (rounds > 1) {
        std::uint32_t const sum = inclusive_sum_over_warp(size);
        begin = begin_of_round + sum - size;
        begin_of_round += __shfl_sync(~0u, sum, 31);
      }
      if (b < last) {
        lay_out_segment(b, begin, begin + size, pad);
      }
    }
  }
  __device__ std::uint32_t count_of(std::uint32_t bucket) const {
    std::uint32_t const units = cursors_of_bucket() / 4;
    std::uint32_t count = 0;
#pragma unroll 1
    for (std::uint32_t i = bucket * units; i < (bucket + 1) * units; ++i) {
      uint4 const c = cursors[i];
      count += c.x + c.y + c.z + c.w;
    }
    return count;
  }
  /// Padded with what is no rest.
  __device__ void lay_out_segments() const {
    lay_out_segments([this](std::uint32_t, std::uint32_t i) { rests[i] = 0xffff; });
  }
  template <class Pad>
  __device__ void lay_out_segment(
      std::uint32_t bucket, std::uint32_t begin, std::uint32_t end, Pad pad) const {
    std::uint16_t* const begin_of_bucket =
        memory.begins + bucket * layout.begins_of_bucket() + place();
    std::uint32_t const count = set_cursors(bucket, layout.rests(begin));
    totals[bucket] += count;
    *begin_of_bucket = static_cast<std::uint16_t>(begin);
    for (std::uint32_t i = layout.rests(begin) + count; i < layout.rests(end); ++i) {
      pad(bucket, i);
    }
    if (bucket + 1 == layout.buckets) {
      set_cursors(bucket + 1, layout.rests(end));
      begin_of_bucket[layout.begins_of_bucket()] = static_cast<std::uint16_t>(end);
      units() =
          (layout.rests(end) + bucket_layout::rests_of_unit - 1) / bucket_layout::rests_of_unit;
    }
  }
  /// Returns how many samples the bucket has.
  __device__ std::uint32_t set_cursors(std::uint32_t bucket, std::uint32_t at) const {
    std::uint32_t const units = cursors_of_bucket() / 4;
    std::uint32_t end = at;
#pragma unroll 1
    for (std::uint32_t i = bucket * units; i < (bucket + 1) * units; ++i) {
      uint4 const c = cursors[i];
      cursors[i] = make_uint4(end, end + c.x, end + c.x + c.y, end + c.x + c.y + c.z);
      end += c.x + c.y + c.z + c.w;
    }
    return end - at;
  }

  __device__ void place_rests(tile_bins const& bins) const {
    if (are_of_one_bucket(bins, 0) || are_of_one_bucket(bins, mine / 2)) {
      place_runs(bins);
      return;
    }
#pragma unroll
    for (unsigned i = 0; i < mine; ++i) {
      place_rest(take_places(bins[i], 1), bins[i]);
    }
  }
  /// Where a warp has runs of samples of one bucket: four of them wait for places once.
  __device__ void place_runs(tile_bins const& bins) const {
#pragma unroll
    for (unsigned i = 0; i < mine; i += run) {
      if (are_of_one_bucket(bins, i)) {
        std::uint32_t const at = take_places(bins[i], run);
#pragma unroll
        for (unsigned j = 0; j < run; ++j) {
          place_rest(at + j, bins[i + j]);
        }
      } else {
#pragma unroll
        for (unsigned j = i; j < i + run; ++j) {
          place_rest(take_places(bins[j], 1), bins[j]);
        }
      }
    }
  }
  /// Whether each lane of the warp has one bucket for its samples from i to i + 3.
  __device__ bool are_of_one_bucket(tile_bins const& bins, unsigned i) const {
    bool are_one = true;
#pragma unroll
    for (unsigned j = i + 1; j < i + run; ++j) {
      are_one = are_one && bins[j] >> layout.rest_bits == bins[i] >> layout.rest_bits;
    }
    return __all_sync(~0u, are_one) != 0;
  }
  __device__ std::uint32_t take_places(std::uint32_t bin, std::uint32_t count) const {
    return atomicAdd(my_cursor() + (bin >> layout.rest_bits) * cursors_of_bucket(), count);
  }
  __device__ void place_rest(std::uint32_t at, std::uint32_t bin) const {
    rests[at] = static_cast<std::uint16_t>(bin & ((1u << layout.rest_bits) - 1));
  }

  __device__ void write_rests() const {
    uint4* const to = memory.rests + std::uint64_t{place()} * layout.units_of_tile();
    for (std::uint32_t i = threadIdx.x; i < units(); i += blockDim.x) {
      to[i] = reinterpret_cast<uint4 const*>(rests)[i];
    }
  }

  // --- a tile whose bins lie near each other: counted at once, nothing is left for its buckets ---

  /// Before the bins of a tile are looked at. One thread is enough.
  __device__ void forget_ends() const {
    lowest() = ~0u;
    highest() = 0;
  }
  /// Whether the warps say so, each of one bin of its lanes: nearly always right. A look at all
  /// bins of every tile would cost a tenth of the kernel's time.
  __device__ bool may_be_near(tile_bins const& bins) const {
    return bins[0] - __shfl_sync(~0u, bins[0], 0) + layout.near_bins / 2 < layout.near_bins;
  }
  /// Whether there is a counter for each bin from the lowest to the highest. All threads must call
  /// it.
  __device__ bool are_near(tile_bins const& bins) const {
    std::uint32_t low = ~0u;
    std::uint32_t high = 0;
#pragma unroll
    for (unsigned i = 0; i < mine; ++i) {
      low = min(low, bins[i]);
      high = max(high, bins[i] - no_bin());  // so that what has no bin is lower than any bin
    }
#pragma unroll
    for (unsigned d = 16; d > 0; d /= 2) {
      low = min(low, __shfl_xor_sync(~0u, low, d));
      high = max(high, __shfl_xor_sync(~0u, high, d));
    }
    if (threadIdx.x % 32 == 0) {
      atomicMin(&lowest(), low);
      atomicMax(&highest(), high);
    }
    __syncthreads();
    return reach() < layout.near_bins;
  }
  /// From the lowest bin to the highest, once it was asked whether they are near.
  __device__ std::uint32_t reach() const {
    return highest() + no_bin() - lowest();
  }
  /// The samples of this tile are counted at once, so the output is not what it was before the
  /// batch.
  __device__ void leave_nothing() const {
    if (threadIdx.x == 0) {
      atomicAdd(memory.near_tiles, 1u);
    }
  }
  __device__ void count_near(tile_bins const& bins, global_counters const& out) const {
    auto* const counters = reinterpret_cast<std::uint32_t*>(cursors);
    auto const address = static_cast<std::uint32_t>(__cvta_generic_to_shared(counters));
    std::uint32_t const first = lowest();
    std::uint32_t const counted =
        min(highest() + no_bin() + 1 - first, layout.bins - min(first, layout.bins));
    if (counted > 0) {
      leave_nothing();
    }
    for (std::uint32_t i = threadIdx.x; i <= counted; i += blockDim.x) {
      counters[i] = 0;
    }
    __syncthreads();
#pragma unroll
    for (unsigned i = 0; i < mine; ++i) {
      increment_shared(address + min(bins[i] - first, counted) * 4);
    }
    __syncthreads();
    for (std::uint32_t i = threadIdx.x; i < counted; i += blockDim.x) {
      if (counters[i] != 0) {
        out.add(std::uint64_t{layout.first_bin} + first + i, counters[i]);
      }
    }
  }
};

#pragma GCC visibility pop
}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
