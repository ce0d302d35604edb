// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Sparse histograms, route sorted bucket by bucket, first kernels: how many codes each part has,
/// and codes with what lies beside them go to their part.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/iterator_types.h>
#include <thrust_hist/detail/pairs.h>
#include <thrust_hist/system/cuda/kernels/bucket_bounds.cuh>
#include <thrust_hist/system/cuda/kernels/code_rows.cuh>
#include <thrust_hist/system/cuda/kernels/code_sorter.cuh>
#include <thrust_hist/system/cuda/kernels/fill_regions.cuh>
#include <thrust_hist/system/cuda/kernels/kernels_in_turn.cuh>
#include <thrust_hist/system/cuda/paired_buckets.h>

#include <cstdint>
#include <type_traits>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {
#pragma GCC visibility push(hidden)

/// Codes and what lies beside them, part by part.
template <class Code, class Word>
struct paired_parts {
  unsigned long long*
      ends;  ///< where each part begins, and when all codes have their place where it ends
  Code* codes;
  Word* words;

  __device__ std::uint32_t take(std::uint32_t part, std::uint32_t count) const {
    return static_cast<std::uint32_t>(
        atomicAdd(ends + part, static_cast<unsigned long long>(count)));
  }
  __device__ static bool has_room(std::uint32_t, std::uint32_t) { return true; }
  __device__ static std::uint32_t place(std::uint32_t, std::uint32_t taken) { return taken; }
};

/// Keys, tile by tile.
template <class Keys, class Encode>
struct keys_in_tiles {
  Keys keys;
  std::uint64_t n;
  Encode encode;

  template <class Tile>
  __device__ std::uint32_t tiles() const {
    std::uint32_t const of_tile = Tile::size * blockDim.x;
    return static_cast<std::uint32_t>((n + of_tile - 1) / of_tile);
  }
  template <class Tile>
  __device__ static std::uint64_t place(std::uint32_t tile, unsigned i) {
    return (std::uint64_t{tile} * Tile::size + i) * blockDim.x + threadIdx.x;
  }
  /// Returns how many of this thread's keys have no code.
  template <class Tile>
  __device__ std::uint32_t take(std::uint32_t t, Tile& tile) const {
    std::uint32_t alone = 0;
#pragma unroll
    for (unsigned i = 0; i < Tile::size; ++i) {
      std::uint64_t const at = place<Tile>(t, i);
      if (at < n) {
        auto const key = static_cast<value_t<Keys>>(keys[static_cast<difference_t<Keys>>(at)]);
        alone += tile.take(i, encode, key) ? 0 : 1;
      }
    }
    return alone;
  }
};

/// Finds the part of each code, and adds up how many each has. `counts` are all 0 at first.
template <class Input, class Code>
__launch_bounds__(paired_buckets<Code>::threads_of_search) __global__ void find_parts(
    Input const input, drawn_bounds<Code, paired_buckets<Code>::of_thread> const bounds,
    std::uint16_t* const found, unsigned long long* const counts, sparse_findings* const findings) {
  cuda::take_turn();
  extern __shared__ uint4 shared[];
  using finder_type = typename std::decay_t<decltype(bounds)>::finder;
  using tile_type = typename finder_type::tile;
  std::uint32_t const parts = 2 * bounds.slices.buckets;
  auto* const counters = reinterpret_cast<std::uint32_t*>(shared);
  finder_type const finder(bounds, shared + (parts + 3) / 4);
  finder.begin();
  for (std::uint32_t p = threadIdx.x; p < parts; p += blockDim.x) {
    counters[p] = 0;
  }
  __syncthreads();
  std::uint32_t const first = cuda::kept(cuda::shared_address(counters));
  std::uint32_t alone = 0;
  for (std::uint32_t t = blockIdx.x; t < input.template tiles<tile_type>(); t += gridDim.x) {
    tile_type tile = {};
    alone += input.take(t, tile);
    auto const buckets = finder.find(tile);
#pragma unroll
    for (unsigned i = 0; i < tile_type::size; ++i) {
      // Behind the code that is before its bucket, if it is not that one.
      std::uint32_t const part =
          2 * finder.bucket(tile, buckets, i) + (finder_type::is_between(buckets, i) ? 0 : 1);
      cuda::increase_shared_if(tile.has(i), first + part * 4, 1);
      if (tile.has(i)) {
        found[input.template place<tile_type>(t, i)] = static_cast<std::uint16_t>(part);
      }
    }
  }
  __syncthreads();
  for (std::uint32_t p = threadIdx.x; p < parts; p += blockDim.x) {
    if (counters[p] != 0) {
      atomicAdd(counts + p, static_cast<unsigned long long>(counters[p]));
    }
  }
  cuda::add_alone(findings, alone);
}

/// What a thread throws of a tile.
template <class Tile, class Word>
struct tile_of_pairs {
  Tile codes;
  tile_places<Tile::size> parts;
  Word words[Tile::size];

  template <class Input, class WordOf>
  __device__ void take(
      std::uint32_t t, Input const& input, std::uint16_t const* found, WordOf const& word) {
    codes.present = 0;
    input.take(t, codes);
#pragma unroll
    for (unsigned i = 0; i < Tile::size; ++i) {
      std::uint64_t const at = input.template place<Tile>(t, i);
      parts.set(i, codes.has(i) ? found[at] : 0);
      words[i] = codes.has(i) ? word(at) : Word{0};
    }
  }
};

/// `word(i)`: what lies beside key i.
template <class Input, class WordOf, class Code, class Word>
__launch_bounds__(1024, 1) __global__ void throw_pairs(
    Input const input, std::uint16_t const* const found, WordOf const word,
    std::uint32_t const parts, paired_parts<Code, Word> const to) {
  cuda::take_turn();
  extern __shared__ uint4 shared[];
  using bounds = known_bounds<Code, paired_buckets<Code>::of_thread>;
  using sorter_type = region_sorter<bounds, Word>;
  using tile_type = typename sorter_type::tile;
  sorter_type const sorter(shared, parts, bounds{});
  std::uint32_t const tiles = input.template tiles<tile_type>();
  tile_of_pairs<tile_type, Word> tile;
  tile.take(blockIdx.x, input, found, word);
  for (std::uint32_t t = blockIdx.x; t < tiles; t += gridDim.x) {
    sorter.clear();
    __syncthreads();
    sorter.count(tile.codes, tile.parts);
    __syncthreads();
    sorter.take_room(to);
    __syncthreads();
    sorter.place(tile.codes, tile.parts, [&](unsigned i) { return tile.words[i]; });
    tile.take(t + gridDim.x, input, found, word);  // while these are written
    __syncthreads();
    sorter.write(to);
  }
}

#pragma GCC visibility pop
}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
