// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// A tile of samples in shared memory: its bins are sorted by bucket or, if they lie near each other,
/// counted at once.

#include <thrust_hist/config.h>
#include <thrust_hist/system/cuda/buckets.h>
#include <thrust_hist/system/cuda/kernels/block_sum.cuh>
#include <thrust_hist/system/cuda/kernels/count_shared.cuh>
#include <thrust_hist/system/cuda/kernels/counters.cuh>

#include <cstdint>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {
#pragma GCC visibility push(hidden)

/// Scratch memory of a batch, as bucket_layout describes it.
struct bucket_memory {
  uint4* rests;
  std::uint16_t* begins;  ///< of bucket b in tile t: begins[b * begins_of_bucket + t], in units
  std::uint32_t* totals;  ///< samples of each bucket

  bucket_memory(bucket_layout const& layout, void* memory) noexcept {
    auto const misaligned = reinterpret_cast<std::uintptr_t>(memory) % bucket_layout::alignment;
    auto* const first = static_cast<unsigned char*>(memory) +
                        (misaligned == 0 ? 0 : bucket_layout::alignment - misaligned);
    rests = reinterpret_cast<uint4*>(first);
    begins = reinterpret_cast<std::uint16_t*>(first + layout.rest_bytes());
    totals = reinterpret_cast<std::uint32_t*>(first + layout.rest_bytes() + layout.begin_bytes());
  }
};

inline constexpr unsigned most_partition_threads = 1024;

/// Four cursors for each bucket, for lanes 0, 4, 8 ..., for lanes 1, 5, 9 ... and so on: the hardware
/// does not combine additions that return something, so equal keys in a warp wait for each other.
inline constexpr unsigned cursors_of_bucket = 4;

/// The bins of a thread's samples in a tile.
using tile_bins = std::uint32_t[bucket_layout::samples_of_thread];

/// What a block works with: its shared memory, and where things of the layout lie.
struct tile_sorter {
  static constexpr unsigned mine = bucket_layout::samples_of_thread;

  bucket_layout const& layout;
  bucket_memory const& memory;
  uint4* cursors;           // of a bucket; at first the counts of its samples
  std::uint32_t* totals;    // of a bucket, over all tiles of the block
  std::uint32_t* of_warps;  // a number for each
  std::uint16_t* rests;     // of the tile

  __device__ tile_sorter(
      bucket_layout const& layout, bucket_memory const& memory, uint4* const shared)
      : layout(layout), memory(memory), cursors(shared),
        totals(reinterpret_cast<std::uint32_t*>(cursors + layout.cursor_units())),
        of_warps(totals + layout.total_units() * 4),
        rests(reinterpret_cast<std::uint16_t*>(of_warps + bucket_layout::warp_units * 4)) {}

  /// Of this tile, and a bin that lies in it.
  __device__ std::uint32_t& units() const { return of_warps[most_partition_threads / 32]; }
  __device__ std::uint32_t& some_bin() const { return of_warps[most_partition_threads / 32 + 1]; }
  /// What has no bin is sorted like the rest, into a bucket behind all others, and left behind.
  __device__ std::uint32_t no_bin() const { return layout.buckets << layout.rest_bits; }

  /// Counts the samples of each bucket, for each class of lanes.
  __device__ void count_buckets_of(tile_bins const& bins) const {
    auto const address = static_cast<std::uint32_t>(__cvta_generic_to_shared(cursors)) +
                         threadIdx.x % cursors_of_bucket * 4;
#pragma unroll
    for (unsigned i = 0; i < mine; ++i) {
      std::uint32_t const bin = bins[i];
      increment_shared(address + (bin >> layout.rest_bits) * 16);
    }
  }

  /// Turns counts into cursors, and says where each bucket begins. Each thread has some buckets next to
  /// each other.
  __device__ void lay_out_segments(std::uint32_t tile) const {
    std::uint32_t const share = (layout.buckets + blockDim.x - 1) / blockDim.x;
    std::uint32_t const first = min(threadIdx.x * share, layout.buckets);
    std::uint32_t const last = min(first + share, layout.buckets);
    std::uint32_t my_units = 0;
    for (std::uint32_t b = first; b < last; ++b) {
      uint4 const c = cursors[b];
      my_units += (c.x + c.y + c.z + c.w + 7) / 8;
    }
    std::uint32_t begin = exclusive_sum_over_block(my_units, of_warps);
    std::uint16_t* const begins = memory.begins + tile;
    for (std::uint32_t b = first; b < last; ++b) {
      uint4 const c = cursors[b];
      std::uint32_t const count = c.x + c.y + c.z + c.w;
      std::uint32_t const at = begin * 8;
      cursors[b] = make_uint4(at, at + c.x, at + c.x + c.y, at + c.x + c.y + c.z);
      totals[b] += count;
      begins[b * layout.begins_of_bucket()] = static_cast<std::uint16_t>(begin);
      begin += (count + 7) / 8;
      for (std::uint32_t i = at + count; i < begin * 8; ++i) {
        rests[i] = 0xffff;  // padding, which is no rest
      }
    }
    if (last == layout.buckets && first < last) {
      uint4 const c = cursors[last];
      std::uint32_t const at = begin * 8;
      cursors[last] = make_uint4(at, at + c.x, at + c.x + c.y, at + c.x + c.y + c.z);
      begins[last * layout.begins_of_bucket()] = static_cast<std::uint16_t>(begin);
      units() = begin;
    }
  }

  __device__ void place_rests(tile_bins const& bins) const {
    auto* const my_cursors =
        reinterpret_cast<std::uint32_t*>(cursors) + threadIdx.x % cursors_of_bucket;
#pragma unroll
    for (unsigned i = 0; i < mine; ++i) {
      std::uint32_t const bin = bins[i];
      std::uint32_t const bucket = bin >> layout.rest_bits;
      std::uint32_t const at = atomicAdd(my_cursors + bucket * cursors_of_bucket, 1u);
      rests[at] = static_cast<std::uint16_t>(bin & ((1u << layout.rest_bits) - 1));
    }
  }

  __device__ void write_rests(std::uint32_t tile) const {
    uint4* const to = memory.rests + std::uint64_t{tile} * layout.units_of_tile();
    for (std::uint32_t i = threadIdx.x; i < units(); i += blockDim.x) {
      to[i] = reinterpret_cast<uint4 const*>(rests)[i];
    }
  }

  // --- a tile whose bins lie near each other: counted at once, nothing is left for its buckets ------

  /// As many as there is room for counters; half as many as the tile has samples.
  __device__ std::uint32_t near_bins() const {
    return blockDim.x * 16;
  }
  __device__ std::uint32_t first_near_bin() const {
    std::uint32_t const middle = some_bin();
    std::uint32_t const half = near_bins() / 2;
    return middle == no_bin() ? middle : middle > half ? middle - half : 0;
  }
  __device__ bool is_near(std::uint32_t bin) const {
    return bin - first_near_bin() < near_bins() || bin == no_bin();
  }
  /// Whether the warps say so, each of one bin of its lanes: nearly always right.
  __device__ bool may_be_near(tile_bins const& bins) const {
    return bins[0] - __shfl_sync(~0u, bins[0], 0) + near_bins() / 2 < near_bins();
  }
  /// Kept where it is: done beforehand for every tile it would cost a tenth of the kernel's time.
  __device__ bool are_near(tile_bins const& bins) const {
    bool near = true;
#pragma unroll
    for (unsigned i = 0; i < mine; ++i) {
      std::uint32_t bin = bins[i];

      near = near && is_near(bin);
    }
    return near;
  }
  __device__ void count_near(
      tile_bins const& bins, std::uint32_t tile, global_counters const& out) const {
    auto* const counters = reinterpret_cast<std::uint32_t*>(rests);
    auto const address = static_cast<std::uint32_t>(__cvta_generic_to_shared(counters));
    std::uint32_t const first = first_near_bin();
    std::uint32_t const counted = min(near_bins(), layout.bins - min(first, layout.bins));
    for (std::uint32_t i = threadIdx.x; i <= counted; i += blockDim.x) {
      counters[i] = 0;
    }
    for (std::uint32_t b = threadIdx.x; b <= layout.buckets; b += blockDim.x) {
      memory.begins[tile + b * layout.begins_of_bucket()] = 0;
    }
    __syncthreads();
#pragma unroll
    for (unsigned i = 0; i < mine; ++i) {
      std::uint32_t bin = bins[i];

      increment_shared(address + min(bin - first, counted) * 4);
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
