// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// What comes before each tile, found out while tiles are at work: each says what it has, and looks
/// back at those before it up to one that knows the sum of all (decoupled look-back, D. Merrill and
/// M. Garland 2016).

#include <thrust_hist/config.h>
#include <thrust_hist/system/cuda/kernels/block_sum.cuh>

#include <cstdint>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {
#pragma GCC visibility push(hidden)

/// In global memory, all zero before the launch; null where there is but one tile.
struct tile_line {
  static constexpr unsigned says_own = 1;  ///< what the tile has
  static constexpr unsigned says_sum = 2;  ///< and all before it, too

  /// Of each tile: a number * 4 + what it says. Then which tile is next.
  unsigned long long* words;
  std::uint64_t tiles;

  /// A tile that nobody has yet, or a number behind all of them. Those before it belong to blocks
  /// that have begun, so that they may be waited for.
  __device__ std::uint64_t take() const { return tiles == 1 ? 0 : atomicAdd(words + tiles, 1ull); }
  /// Says what a tile has, for those that look back at it. By the first thread of the warp that
  /// looks back itself, before.
  __device__ void tell(std::uint64_t tile, std::uint64_t mine) const {
    if (tile > 0) {  // the first one knows the sum at once
      static_cast<unsigned long long volatile*>(words)[tile] = mine * 4 + says_own;
    }
  }

  static std::uint64_t size(std::uint64_t tiles) noexcept { return tiles > 1 ? tiles + 1 : 0; }
};

/// What the threads of a block tell each other here, in shared memory.
struct line_memory {
  std::uint64_t first;
  unsigned long long taken;
  std::uint32_t of_warps[32];
};

/// A tile for this block. All of its threads must call it.
__device__ inline std::uint64_t take_tile(tile_line const line, line_memory& memory) {
  if (threadIdx.x == 0) {
    memory.taken = line.take();
  }
  __syncthreads();
  return memory.taken;
}

/// Where tiles are many, waits until others may have told what is looked for: who looks back too
/// soon finds no sum near by, and asks for words that are being written, which takes longer the
/// more ask.
__device__ inline void pause_before_looking(tile_line const line) {
#if __CUDA_ARCH__ >= 700
  constexpr std::uint64_t few = 1024;
  constexpr unsigned nanoseconds = 1000;
  if (line.tiles > few) {
    __nanosleep(nanoseconds);
  }
#endif
}

/// The sum of what all tiles before this one have, which itself has `mine`, and has told unless it
/// is the first. All lanes of one warp must call it.
__device__ inline std::uint64_t sum_before_tile(
    tile_line const line, std::uint64_t const tile, std::uint64_t const mine) {
  unsigned const lane = threadIdx.x % 32;
  unsigned long long volatile* const words = line.words;
  std::uint64_t sum = 0;
  if (tile > 0) {
    cuda::pause_before_looking(line);
    unsigned complete = 0;
    for (std::uint64_t behind = tile; complete == 0; behind -= 32) {
      bool const is_tile = lane < behind;
      unsigned long long word = tile_line::says_sum;  // nothing lies before the first tile
      bool is_wanted = false;
      do {  // none has to be waited for behind one that knows the sum
        if (is_tile) {
          word = words[behind - 1 - lane];
        }
        complete = __ballot_sync(~0u, (word & 3) == tile_line::says_sum);
        unsigned const up_to_sum = complete ^ (complete - 1);  // all, where there is none
        is_wanted = (up_to_sum >> lane & 1) != 0;
      } while (__any_sync(~0u, is_wanted && word == 0));
      std::uint64_t part = is_wanted ? word / 4 : 0;
#pragma unroll
      for (unsigned d = 16; d > 0; d /= 2) {
        part += __shfl_xor_sync(~0u, part, static_cast<int>(d));
      }
      sum += part;
    }
  }
  if (lane == 0 && line.tiles > 1) {
    words[tile] = (sum + mine) * 4 + tile_line::says_sum;
  }
  return sum;
}

/// Keeps that sum for the block. The last tile writes that of all to `total`. All lanes of one warp
/// must call it.
__device__ inline void look_back(
    tile_line const line, std::uint64_t const tile, std::uint64_t const mine,
    unsigned long long* const total, line_memory& memory) {
  std::uint64_t const sum = cuda::sum_before_tile(line, tile, mine);
  if (threadIdx.x % 32 == 0) {
    memory.first = sum;
    if (tile + 1 == line.tiles) {
      *total = sum + mine;
    }
  }
}

/// Where what a warp has comes.
struct place_in_line {
  std::uint64_t first;   ///< so much is before the tile,
  std::uint32_t before;  ///< and so much before the warp in it
};

/// What a tile adds whose rows are lost: those behind it find that so many or more come before
/// them.
inline constexpr std::uint64_t rows_are_lost = std::uint64_t{1} << 40;

/// That of a warp that has `of_warp`; `lost`: rows_are_lost or 0. The last tile writes the sum of
/// all to `total`. All threads of the block must call it, of which there are `Threads`.
template <unsigned Threads>
__device__ inline place_in_line find_place(
    tile_line const line, std::uint64_t const tile, std::uint32_t const of_warp,
    unsigned long long* const total, line_memory& memory, std::uint64_t const lost = 0) {
  unsigned const lane = threadIdx.x % 32;
  std::uint32_t const before =
      cuda::exclusive_sum_over_block(lane == 0 ? of_warp : 0, memory.of_warps);
  std::uint32_t of_tile = 0;
#pragma unroll
  for (unsigned warp = 0; warp < Threads / 32; ++warp) {
    of_tile += memory.of_warps[warp];
  }
  if (threadIdx.x < 32) {
    if (lane == 0) {
      line.tell(tile, of_tile + lost);
    }
    cuda::look_back(line, tile, of_tile + lost, total, memory);
  }
  __syncthreads();
  return {memory.first, __shfl_sync(~0u, before, 0)};
}

#pragma GCC visibility pop
}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
