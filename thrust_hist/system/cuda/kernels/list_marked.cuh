// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// The places of a range at which something holds, in ascending order: where runs of equal keys
/// begin, or where keys stand that equal no other one. Any number of them, in three launches.

#include <thrust_hist/config.h>
#include <thrust_hist/system/cuda/kernels/block_sum.cuh>
#include <thrust_hist/system/cuda/kernels/kernels_in_turn.cuh>
#include <thrust_hist/system/cuda/run_tiles.h>

#include <cstdint>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {
#pragma GCC visibility push(hidden)

/// A tile is what a block looks at: stretches of `rounds` * 32 neighbours for each of its warps.
struct marked_tile {
  static constexpr unsigned threads = listed_tiles.threads;
  static constexpr unsigned rounds = listed_tiles.of_thread;
  static constexpr std::uint64_t size = threads * rounds;

  static std::uint64_t count(std::uint64_t n) noexcept { return listed_tiles.count(n); }
  __device__ static std::uint64_t place(std::uint64_t tile, unsigned round) {
    return tile * size + (threadIdx.x / 32 * rounds + round) * 32 + threadIdx.x % 32;
  }
};

/// Which places of a warp's stretch are marked, a word for each round.
template <class Marks>
__device__ inline std::uint32_t look_at_tile(
    Marks const& marks, std::uint64_t n, std::uint64_t tile,
    std::uint32_t (&words)[marked_tile::rounds]) {
  std::uint32_t of_warp = 0;
#pragma unroll
  for (unsigned r = 0; r < marked_tile::rounds; ++r) {
    std::uint64_t const i = marked_tile::place(tile, r);
    words[r] = __ballot_sync(~0u, i < n && marks(i));
    of_warp += __popc(words[r]);
  }
  return of_warp;
}

/// How many places of each tile are marked. Of one tile alone, as sum_up_tiles() would leave it.
template <class Marks>
__launch_bounds__(marked_tile::threads) __global__ void count_marked(
    Marks const marks, std::uint64_t const n, unsigned long long* const counts) {
  cuda::take_turn();
  __shared__ std::uint32_t sum;
  if (threadIdx.x == 0) {
    sum = 0;
  }
  __syncthreads();
  std::uint32_t words[marked_tile::rounds];
  std::uint32_t const mine = cuda::look_at_tile(marks, n, blockIdx.x, words);
  if (threadIdx.x % 32 == 0 && mine != 0) {
    atomicAdd(&sum, mine);
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    bool const is_alone = gridDim.x == 1;
    counts[blockIdx.x] = is_alone ? 0 : sum;
    if (is_alone) {
      counts[1] = sum;
    }
  }
}

/// The sum of what the lanes up to this one have.
template <class Count>
__device__ inline Count sum_up_to_lane(Count sum) {
#pragma unroll
  for (unsigned d = 1; d < 32; d *= 2) {
    Count const lower = __shfl_up_sync(~0u, sum, d);
    sum += threadIdx.x % 32 >= d ? lower : 0;
  }
  return sum;
}

/// Counts become the sums of those before them; the sum of all goes to counts[tiles]. One block, of
/// which each warp has some rows of neighbours.
template <class Count>
__launch_bounds__(1024)
    __global__ void sum_up_tiles(Count* const counts, std::uint64_t const tiles) {
  cuda::take_turn();
  constexpr unsigned rows = 8;
  __shared__ Count of_warps[32];
  unsigned const warp = threadIdx.x / 32;
  Count before = 0;
  for (std::uint64_t first = 0; first < tiles; first += rows * blockDim.x) {
    std::uint64_t const mine = first + warp * rows * 32 + threadIdx.x % 32;
    Count count[rows];
#pragma unroll
    for (unsigned r = 0; r < rows; ++r) {
      count[r] = mine + r * 32 < tiles ? counts[mine + r * 32] : 0;
    }
    Count sum[rows];
    Count of_warp = 0;
#pragma unroll
    for (unsigned r = 0; r < rows; ++r) {
      sum[r] = of_warp + cuda::sum_up_to_lane(count[r]);
      of_warp = __shfl_sync(~0u, sum[r], 31);
    }
    if (threadIdx.x % 32 == 31) {
      of_warps[warp] = of_warp;
    }
    __syncthreads();
    Count const up_to_warp = cuda::sum_up_to_lane(of_warps[threadIdx.x % 32]);
    Count const at = before + __shfl_sync(~0u, up_to_warp, static_cast<int>(warp)) - of_warp;
#pragma unroll
    for (unsigned r = 0; r < rows; ++r) {
      if (mine + r * 32 < tiles) {
        counts[mine + r * 32] = at + sum[r] - count[r];
      }
    }
    before += __shfl_sync(~0u, up_to_warp, 31);
    __syncthreads();
  }
  if (threadIdx.x == 0) {
    counts[tiles] = before;
  }
}

/// Places, in words of 4 bytes if these are wide enough for all of them.
struct place_list {
  void* places;
  bool are_short;

  THRUST_HIST_HOST_DEVICE std::uint64_t* words() const {
    return static_cast<std::uint64_t*>(places);
  }
  THRUST_HIST_HOST_DEVICE std::uint32_t* short_words() const {
    return static_cast<std::uint32_t*>(places);
  }
  __device__ std::uint64_t get(std::uint64_t i) const {
    return are_short ? short_words()[i] : words()[i];
  }
};

/// Writes the marked places of each tile, from the place on that the sum of those before says.
template <class Marks, class Word>
__launch_bounds__(marked_tile::threads) __global__ void list_marked(
    Marks const marks, std::uint64_t const n, unsigned long long const* const sums,
    Word* const places) {
  cuda::take_turn();
  __shared__ std::uint32_t of_warps[marked_tile::threads / 32];
  std::uint32_t words[marked_tile::rounds];
  std::uint32_t const of_warp = cuda::look_at_tile(marks, n, blockIdx.x, words);
  std::uint32_t const before =
      exclusive_sum_over_block(threadIdx.x % 32 == 0 ? of_warp : 0, of_warps);
  std::uint64_t to = sums[blockIdx.x] + __shfl_sync(~0u, before, 0);
  std::uint32_t const lower = (1u << threadIdx.x % 32) - 1;
#pragma unroll
  for (unsigned r = 0; r < marked_tile::rounds; ++r) {
    if ((words[r] >> threadIdx.x % 32 & 1) != 0) {
      places[to + __popc(words[r] & lower)] = static_cast<Word>(marked_tile::place(blockIdx.x, r));
    }
    to += __popc(words[r]);
  }
}

#pragma GCC visibility pop
}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
