// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Route partitioned of folds, first kernel: the pairs of a tile, sorted by bucket in shared
/// memory, go to scratch memory as 16-bit rests of their bins and what these carry.

#include <thrust_hist/config.h>
#include <thrust_hist/system/cuda/fold_buckets.h>
#include <thrust_hist/system/cuda/kernels/fold_shared.cuh>
#include <thrust_hist/system/cuda/kernels/kernels_in_turn.cuh>
#include <thrust_hist/system/cuda/kernels/simplest.cuh>
#include <thrust_hist/system/cuda/kernels/tile_pairs.cuh>
#include <thrust_hist/system/cuda/kernels/tile_sorter.cuh>

#include <cstdint>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {
#pragma GCC visibility push(hidden)

/// Scratch memory of a batch of pairs: that of counting, and what each rest carries.
template <class Payload>
struct pair_memory : bucket_memory {
  Payload* payloads;

  pair_memory(fold_buckets const& b, unsigned char* memory) noexcept
      : bucket_memory(b.layout, memory),
        payloads(reinterpret_cast<Payload*>(memory + b.payload_offset())) {}
};

/// A tile in shared memory: its rests, and when these are written, in the same place what they
/// carry.
template <class Payload>
struct pair_sorter : tile_sorter<fewest_cursors> {
  pair_memory<Payload> const& pairs;

  __device__ pair_sorter(
      bucket_layout const& layout, pair_memory<Payload> const& memory, uint4* const shared)
      : pair_sorter::tile_sorter(layout, memory, shared), pairs(memory) {}

  /// Bins become places in the tile.
  __device__ void place_rests_and_tell(tile_bins& bins) const {
    auto* const first = this->my_cursor();
#pragma unroll
    for (unsigned i = 0; i < mine; ++i) {
      std::uint32_t const bin = bins[i];
      std::uint32_t const bucket = bin >> this->layout.rest_bits;
      bins[i] = atomicAdd(first + bucket * this->cursors_of_bucket(), 1u);
      this->rests[bins[i]] = static_cast<std::uint16_t>(bin & ((1u << this->layout.rest_bits) - 1));
    }
  }
  template <unsigned From, unsigned Count>
  __device__ void place_payloads(tile_bins const& places, Payload const (&x)[Count]) const {
    auto* const slots = reinterpret_cast<Payload*>(this->rests);
#pragma unroll
    for (unsigned i = 0; i < Count; ++i) {
      slots[places[From + i]] = x[i];
    }
  }
  __device__ void write_payloads() const {
    constexpr std::uint32_t per_unit = bucket_layout::rests_of_unit * sizeof(Payload) / 16;
    auto* const to = reinterpret_cast<uint4*>(pairs.payloads) +
                     std::uint64_t{this->place()} * this->layout.units_of_tile() * per_unit;
    for (std::uint32_t i = threadIdx.x; i < this->units() * per_unit; i += blockDim.x) {
      to[i] = reinterpret_cast<uint4 const*>(this->rests)[i];
    }
  }
};

/// Loads the rest of what the pairs of a tile carry, some at a time, and puts all of it where their
/// rests were. `x` holds the first.
template <unsigned From, class Carried, class Sorter>
__device__ inline void place_payloads(
    Carried const& carried, tile_of_batch const& tile, Sorter const& sorter,
    tile_bins const& places, typename Carried::payload const (&x)[Carried::at_once]) {
  sorter.template place_payloads<From>(places, x);
  constexpr unsigned next = From + Carried::at_once;
  if constexpr (next < bucket_layout::samples_of_thread) {
    typename Carried::payload more[Carried::at_once] = {};
    carried.template load<next>(tile, more);
    cuda::place_payloads<next>(carried, tile, sorter, places, more);
  }
}

/// Sorts the pairs of a batch, which begins with pair `first` and has so many tiles, into buckets.
/// Unless it is told by `skips`, which may be null, that this is not needed.
template <class Keys, class Rule, class Carried>
__launch_bounds__(fold_buckets::most_threads, 1) __global__ void partition_pairs(
    Keys const keys, __grid_constant__ Rule const rule, Carried const carried,
    bucket_layout const layout, pair_memory<typename Carried::payload> const memory,
    std::uint64_t const first, std::uint32_t const tiles, dropped_counter const dropped,
    unsigned const* const skips) {
  cuda::take_turn();
  if (skips != nullptr && *skips != 0) {
    return;
  }
  constexpr unsigned mine = bucket_layout::samples_of_thread;
  extern __shared__ uint4 shared[];
  pair_sorter<typename Carried::payload> const sorter(layout, memory, shared);
  std::uint32_t const none = sorter.no_bin();
  bool const asks = threadIdx.x + 1 == blockDim.x;
  std::uint32_t without_bin = 0;
  for (std::uint32_t b = threadIdx.x; b < layout.buckets; b += blockDim.x) {
    sorter.totals[b] = 0;
  }
  for (std::uint32_t t = blockIdx.x; t < tiles; t = sorter.next()) {
    std::uint32_t const next = asks ? sorter.take_tile(tiles) : 0;
    tile_of_batch const tile = {first, t, tiles};
    for (std::uint32_t b = threadIdx.x; b < layout.cursor_units(); b += blockDim.x) {
      sorter.cursors[b] = make_uint4(0, 0, 0, 0);
    }
    tile_bins bins;
#pragma unroll
    for (unsigned i = 0; i < mine; ++i) {
      bins[i] = none;
    }
    cuda::with_simplest(rule, no_rule_memory{}, [&](auto const& simple) {
      keys.template for_tile<0, mine>(tile, [&](unsigned i, auto const& x) {
        auto const of_all = cuda::candidate<std::uint32_t>(simple, x);
        without_bin += of_all >= layout.all_bins ? 1 : 0;
        std::uint32_t const bin = of_all - layout.first_bin;
        bins[i] = bin < layout.bins ? bin : none;
      });
    });
    if (asks && next < tiles) {
      keys.template fetch_tile<mine>(tile_of_batch{first, next, tiles});
      carried.template fetch_tile<mine>(tile_of_batch{first, next, tiles});
    }
    // Under way while the bins are sorted.
    typename Carried::payload payloads[Carried::at_once] = {};
    carried.template load<0>(tile, payloads);
    std::uint32_t const place = threadIdx.x == 0 ? sorter.take_place() : 0;
    __syncthreads();
    if (asks) {
      sorter.next() = next;
    }
    sorter.count_buckets_of(bins);
    if (threadIdx.x == 0) {
      sorter.place() = place;
    }
    __syncthreads();
    sorter.lay_out_segments();
    __syncthreads();
    sorter.place_rests_and_tell(bins);
    __syncthreads();
    sorter.write_rests();
    __syncthreads();
    cuda::place_payloads<0>(carried, tile, sorter, bins, payloads);
    __syncthreads();
    sorter.write_payloads();
    // What the next tile does before its first barrier touches none of this.
  }
  __syncthreads();
  for (std::uint32_t b = threadIdx.x; b < layout.buckets; b += blockDim.x) {
    if (sorter.totals[b] != 0) {
      atomicAdd(memory.totals + b, sorter.totals[b]);
    }
  }
  dropped.add(without_bin);
}

#pragma GCC visibility pop
}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
