// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Route partitioned, first kernel: the bins of a tile, sorted by bucket in shared memory, go to
/// scratch memory as 16-bit rests.

#include <thrust_hist/config.h>
#include <thrust_hist/system/cuda/buckets.h>
#include <thrust_hist/system/cuda/kernels/block_sum.cuh>
#include <thrust_hist/system/cuda/kernels/count_shared.cuh>
#include <thrust_hist/system/cuda/kernels/counters.cuh>
#include <thrust_hist/system/cuda/kernels/samples.cuh>
#include <thrust_hist/system/cuda/kernels/simplest.cuh>

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

/// Sorts tiles [first_tile, first_tile + tiles) of the samples into buckets.
template <class Samples, class Rule>
__launch_bounds__(most_partition_threads, 1) __global__ void partition(
    Samples const samples, Rule const rule, bucket_layout const layout, bucket_memory const memory,
    std::uint64_t const first_tile, std::uint32_t const tiles) {
  constexpr unsigned mine = bucket_layout::samples_of_thread;
  extern __shared__ uint4 shared[];
  uint4* const cursors = shared;  // of a bucket; at first the counts of its samples
  auto* const totals = reinterpret_cast<std::uint32_t*>(cursors + layout.cursor_units());
  auto* const of_warps =
      reinterpret_cast<std::uint32_t*>(cursors + layout.cursor_units() + layout.total_units());
  std::uint32_t& units = of_warps[most_partition_threads / 32];  // of this tile
  auto* const rests = reinterpret_cast<std::uint16_t*>(of_warps + bucket_layout::warp_units * 4);
  auto const address = static_cast<std::uint32_t>(__cvta_generic_to_shared(cursors)) +
                       threadIdx.x % cursors_of_bucket * 4;
  auto* const my_cursors =
      reinterpret_cast<std::uint32_t*>(cursors) + threadIdx.x % cursors_of_bucket;
  // A bucket behind all others for what has no bin: it is sorted like the rest, and left behind.
  std::uint32_t const none = layout.buckets << layout.rest_bits;
  for (std::uint32_t b = threadIdx.x; b < layout.buckets; b += blockDim.x) {
    totals[b] = 0;
  }

  for (std::uint32_t tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
    for (std::uint32_t b = threadIdx.x; b <= layout.buckets; b += blockDim.x) {
      cursors[b] = make_uint4(0, 0, 0, 0);
    }
    std::uint32_t bins[mine];
#pragma unroll
    for (unsigned i = 0; i < mine; ++i) {
      bins[i] = none;
    }
    cuda::with_simplest(rule, nullptr, [&](auto const& simple) {
      samples.template for_tile<mine>(first_tile + tile, [&](unsigned i, auto const& x) {
        auto const bin = cuda::candidate<std::uint32_t>(simple, x) - layout.first_bin;
        bins[i] = bin < layout.bins ? bin : none;
      });
    });
    __syncthreads();

#pragma unroll
    for (unsigned i = 0; i < mine; ++i) {
      increment_shared(address + (bins[i] >> layout.rest_bits) * 16);
    }
    __syncthreads();

    // Each thread has some buckets next to each other: counts become cursors, in units of 8 rests.
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
      uint4 const c = cursors[last];  // what has no bin goes behind all others
      std::uint32_t const at = begin * 8;
      cursors[last] = make_uint4(at, at + c.x, at + c.x + c.y, at + c.x + c.y + c.z);
      begins[last * layout.begins_of_bucket()] = static_cast<std::uint16_t>(begin);
      units = begin;
    }
    __syncthreads();

#pragma unroll
    for (unsigned i = 0; i < mine; ++i) {
      std::uint32_t const bucket = bins[i] >> layout.rest_bits;
      std::uint32_t const at = atomicAdd(my_cursors + bucket * cursors_of_bucket, 1u);
      rests[at] = static_cast<std::uint16_t>(bins[i] & ((1u << layout.rest_bits) - 1));
    }
    __syncthreads();

    uint4* const to = memory.rests + std::uint64_t{tile} * layout.units_of_tile();
    for (std::uint32_t i = threadIdx.x; i < units; i += blockDim.x) {
      to[i] = reinterpret_cast<uint4 const*>(rests)[i];
    }
    __syncthreads();
  }
  for (std::uint32_t b = threadIdx.x; b < layout.buckets; b += blockDim.x) {
    if (totals[b] != 0) {
      atomicAdd(memory.totals + b, totals[b]);
    }
  }
}

#pragma GCC visibility pop
}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
