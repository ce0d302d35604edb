// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Route partitioned where most keys are distinct, first kernel: codes go to the region of their
/// bucket. Those of a tile are sorted by bucket in shared memory, so that neighbours are written
/// together.

#include <thrust_hist/config.h>
#include <thrust_hist/system/cuda/kernels/block_sum.cuh>
#include <thrust_hist/system/cuda/kernels/bucket_bounds.cuh>
#include <thrust_hist/system/cuda/kernels/code_rows.cuh>
#include <thrust_hist/system/cuda/kernels/code_sorter.cuh>
#include <thrust_hist/system/cuda/kernels/kernels_in_turn.cuh>
#include <thrust_hist/system/cuda/kernels/samples.cuh>
#include <thrust_hist/system/cuda/kernels/shared_words.cuh>
#include <thrust_hist/system/cuda/ordered_buckets.h>

#include <cstdint>
#include <type_traits>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {
#pragma GCC visibility push(hidden)

/// A stretch of memory for each bucket, which begins at a multiple of 16 bytes.
template <class Code>
struct code_regions {
  Code* codes;  ///< of bucket b from b * room on, in any order
  /// How many codes each bucket has, all 0 at first: more than there is room for are lost.
  std::uint32_t* sizes;
  std::uint32_t room;

  /// Takes room for so many, and returns how many were there before.
  __device__ std::uint32_t take(std::uint32_t bucket, std::uint32_t count) const {
    return atomicAdd(sizes + bucket, count);
  }
  __device__ bool has_room(std::uint32_t taken, std::uint32_t count) const {
    return taken + count <= room;
  }
  __device__ std::uint32_t place(std::uint32_t bucket, std::uint32_t taken) const {
    return bucket * room + taken;
  }
};

/// The codes of a tile by their buckets, in the shared memory of a block. `Word`: of what lies
/// beside a code, or no_value.
template <class Bounds, class Word = no_value>
class region_sorter {
public:
  using code = typename Bounds::code;
  using finder = typename Bounds::finder;
  using tile = typename finder::tile;
  using found = typename finder::buckets;

  __device__ region_sorter(void* memory, std::uint32_t buckets, Bounds const& bounds)
      : buckets_(buckets), of_warps_(static_cast<std::uint32_t*>(memory)),
        cursors_(of_warps_ + ordered_buckets<code>::words_beside),
        offsets_(cursors_ + (buckets + 3) / 4 * 4),
        codes_(reinterpret_cast<code*>(offsets_ + (buckets + 3) / 4 * 4)),
        words_(reinterpret_cast<Word*>(codes_ + tile_size())),
        finder_(bounds, has_words ? static_cast<void*>(words_ + tile_size()) : words_) {}

  /// All threads must call it, and wait for each other before and afterwards, as for all that
  /// follow.
  __device__ void begin() const { finder_.begin(); }
  __device__ void end() const { finder_.end(); }
  __device__ void clear() const {
    for (std::uint32_t b = threadIdx.x; b < buckets_; b += blockDim.x) {
      cursors_[b] = 0;
    }
  }
  __device__ found find(tile const& of) const { return finder_.find(of); }
  __device__ void count(tile const& of, found const& buckets) const {
    std::uint32_t const first = cuda::kept(cuda::shared_address(cursors_));
#pragma unroll
    for (unsigned i = 0; i < tile::size; ++i) {
      std::uint32_t const bucket = finder_.bucket(of, buckets, i);
      cuda::increase_shared_if(is_stored(of, buckets, i), first + bucket * 4, 1);
      if (of.has(i) && finder::is_between(buckets, i)) {
        finder_.count_between(bucket);
      }
    }
  }
  /// Finds out where buckets begin in the tile, and takes room in their regions for what they have.
  template <class Regions>
  __device__ void take_room(Regions const& regions) const {
    constexpr unsigned most = Bounds::most_of_thread;
    std::uint32_t const mine = (buckets_ + blockDim.x - 1) / blockDim.x;
    std::uint32_t const first = threadIdx.x * mine;
    std::uint32_t counts[most];
    std::uint32_t taken[most];
    std::uint32_t sum = 0;
#pragma unroll
    for (unsigned i = 0; i < most; ++i) {
      bool const is_bucket = i < mine && first + i < buckets_;
      counts[i] = is_bucket ? cursors_[first + i] : 0;
      taken[i] = counts[i] != 0 ? regions.take(first + i, counts[i]) : 0;
      sum += counts[i];
    }
    std::uint32_t before = cuda::exclusive_sum_over_block(sum, of_warps_);
#pragma unroll
    for (unsigned i = 0; i < most; ++i) {
      if (i < mine && first + i < buckets_) {
        bool const has_room = regions.has_room(taken[i], counts[i]);
        cursors_[first + i] = before;
        offsets_[first + i] =
            has_room ? regions.place(first + i, taken[i]) + tile_size() - before : nowhere;
        before += counts[i];
      }
    }
    if (threadIdx.x + 1 == blockDim.x) {
      of_warps_[32] = before;
    }
  }
  /// `word(i)`: what lies beside the i-th code.
  template <class... Words>
  __device__ void place(tile const& of, found const& buckets, Words const&... word) const {
    constexpr unsigned run = 4;
    static_assert(tile::size % run == 0);
    std::uint32_t const first = cuda::kept(cuda::shared_address(cursors_));
    auto const put = [&](std::uint32_t at, unsigned i) {
      codes_[at] = of.codes[i];
      ((words_[at] = word(i)), ...);
      finder_.keep(at, finder_.bucket(of, buckets, i));
    };
#pragma unroll
    for (unsigned i = 0; i < tile::size; i += run) {
      // Where keys come in order a warp has many of one bucket: its lanes would wait for each
      // other.
      std::uint32_t const bucket = finder_.bucket(of, buckets, i);
      bool are_one = bucket == __shfl_sync(~0u, bucket, 0);
#pragma unroll
      for (unsigned j = i; j < i + run; ++j) {
        are_one = are_one && is_stored(of, buckets, j) && finder_.bucket(of, buckets, j) == bucket;
      }
      if (__all_sync(~0u, are_one)) {
        std::uint32_t const lane = threadIdx.x % 32;
        std::uint32_t at = lane == 0 ? cuda::add_shared(first + bucket * 4, 32 * run) : 0;
        at = __shfl_sync(~0u, at, 0);
#pragma unroll
        for (unsigned j = 0; j < run; ++j) {
          put(at + j * 32 + lane, i + j);
        }
      } else {
        std::uint32_t at[run];
#pragma unroll
        for (unsigned j = 0; j < run; ++j) {
          at[j] = cuda::add_shared_if(
              is_stored(of, buckets, i + j), first + finder_.bucket(of, buckets, i + j) * 4, 1);
        }
#pragma unroll
        for (unsigned j = 0; j < run; ++j) {
          if (is_stored(of, buckets, i + j)) {
            put(at[j], i + j);
          }
        }
      }
    }
  }
  template <class Regions>
  __device__ void write(Regions const& regions) const {
    std::uint32_t const all = of_warps_[32];
#pragma unroll(has_words ? 4 : 1)
    for (std::uint32_t i = threadIdx.x; i < all; i += blockDim.x) {
      code const c = codes_[i];
      std::uint32_t const offset = offsets_[finder_.kept(i, c)];
      if (offset != nowhere) {
        std::uint64_t const to = std::uint64_t{offset} + i - tile_size();
        regions.codes[to] = c;
        if constexpr (has_words) {
          regions.words[to] = words_[i];
        }
      }
    }
  }

private:
  static constexpr bool has_words = !std::is_same_v<Word, no_value>;
  static constexpr std::uint32_t nowhere = ~0u;

  __device__ static bool is_stored(tile const& of, found const& buckets, unsigned i) {
    return of.has(i) && !finder::is_between(buckets, i);
  }
  /// Added to offsets, which else might be less than 0.
  __device__ static std::uint32_t tile_size() {
    return blockDim.x * tile::size;
  }

  std::uint32_t buckets_;
  std::uint32_t* of_warps_;  // a word for each, and one more for how many codes the tile has
  std::uint32_t* cursors_;   // of a bucket: how many codes, then where the next one goes
  std::uint32_t* offsets_;   // from where a code stands here to its place in memory
  code* codes_;
  Word* words_;
  finder finder_;
};

/// Throws the codes of keys into the regions of their buckets.
template <class Samples, class Encode, class Bounds>
__launch_bounds__(1024, 1) __global__ void fill_regions(
    Samples const samples, Encode const encode, std::uint32_t const buckets, Bounds const bounds,
    std::uint32_t const tiles, code_regions<typename Bounds::code> const regions,
    sparse_findings* const findings) {
  cuda::take_turn();
  extern __shared__ uint4 shared[];
  using sorter_type = region_sorter<Bounds>;
  sorter_type const sorter(shared, buckets, bounds);
  sorter.begin();
  std::uint32_t alone = 0;
  for (std::uint32_t t = blockIdx.x; t < tiles; t += gridDim.x) {
    sorter.clear();
    typename sorter_type::tile tile = {};
    samples.template for_tile<tile.size>(
        t, [&](unsigned i, auto const& key) { alone += tile.take(i, encode, key) ? 0 : 1; });
    if (threadIdx.x + 1 == blockDim.x && t + gridDim.x < tiles) {
      samples.template fetch_tile<tile.size>(t + gridDim.x);
    }
    __syncthreads();
    auto const found = sorter.find(tile);
    sorter.count(tile, found);
    __syncthreads();
    sorter.take_room(regions);
    __syncthreads();
    sorter.place(tile, found);
    __syncthreads();
    sorter.write(regions);
  }
  __syncthreads();
  sorter.end();
  cuda::add_alone(findings, alone);
}

#pragma GCC visibility pop
}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
