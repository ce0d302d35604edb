// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Pairs that a user's function emits, as arrays of bins and values, in two kernels: they are counted, block by block, and
/// then written. The function is called once for each input in each.

#include <thrust_hist/config.h>
#include <thrust_hist/system/cuda/kernels/kernels_in_turn.cuh>
#include <thrust_hist/system/cuda/kernels/lanes.cuh>
#include <thrust_hist/system/cuda/kernels/last_block.cuh>
#include <thrust_hist/system/cuda/kernels/shared_words.cuh>

#include <cstdint>
#include <new>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {
#pragma GCC visibility push(hidden)

inline constexpr unsigned emitting_threads = 512;  ///< of a block

/// How many pairs each block has, and behind these how many have their place. Blocks share tiles of the input out in
/// stretches, so that what is sorted stays so for the most part.
struct emitted_counts {
  unsigned long long* of_blocks;
  unsigned blocks;
  std::uint64_t tiles;

  __device__ unsigned long long& placed() const { return of_blocks[blocks]; }
  /// The first tile of a block, or of the one behind the last.
  __device__ std::uint64_t first_tile(unsigned block) const {
    return tiles / blocks * block + min(static_cast<std::uint64_t>(block), tiles % blocks);
  }
};

/// The pairs of a thread.
struct counted_pairs {
  unsigned long long number = 0;

  template <class Bin, class Value>
  __device__ void add(Bin, Value const&) {
    ++number;
  }
};

/// Where those of a block go, in any order: `next` counts them at a shared address, 0 at first. There is no memory for more
/// than it can count. What a function emits beyond what it did when its pairs were counted is left out.
template <class Value>
struct written_pairs {
  std::uint32_t* bins;
  Value* values;
  unsigned long long size;
  std::uint32_t next;

  template <class Bin>
  __device__ void add(Bin bin, Value const& x) const {
    std::uint32_t const place =
        cuda::next_of_lanes([&](unsigned count) { return cuda::add_shared(next, count); });
    if (place < size) {
      bins[place] = static_cast<std::uint32_t>(bin);
      ::new (static_cast<void*>(values + place)) Value(x);
    }
  }
};

/// The sum of what all threads of a block have goes to `sum` in shared memory, 0 before. Additions of 64 bits wait for each
/// other there: one for each warp.
__device__ inline void add_up_block(unsigned long long mine, unsigned long long& sum) {
  mine = cuda::over_warp(mine, [](unsigned long long a, unsigned long long b) { return a + b; });
  if (threadIdx.x % 32 == 0) {
    atomicAdd(&sum, mine);
  }
  __syncthreads();
}

/// The last block that is done writes how many there are to `letter`, which the host reads. `ticket`: as is_last_block() has
/// it.
template <class Input>
__launch_bounds__(emitting_threads) __global__ void count_emitted(
    Input const input, emitted_counts const counts, unsigned long long* const letter,
    unsigned* const ticket) {
  cuda::take_turn();
  __shared__ unsigned long long sum;
  if (threadIdx.x == 0) {
    sum = 0;
  }
  __syncthreads();
  counted_pairs mine;
  input.fold_tiles(mine, counts.first_tile(blockIdx.x), counts.first_tile(blockIdx.x + 1));
  __syncwarp();
  cuda::add_up_block(mine.number, sum);
  if (threadIdx.x == 0) {
    counts.of_blocks[blockIdx.x] = sum;
    sum = 0;
  }
  if (!cuda::is_last_block(ticket)) {
    return;
  }
  unsigned long long all = 0;
  for (unsigned b = threadIdx.x; b < counts.blocks; b += blockDim.x) {
    all += __ldcg(counts.of_blocks + b);
  }
  __syncwarp();
  cuda::add_up_block(all, sum);
  if (threadIdx.x == 0) {
    counts.placed() = 0;
    *letter = sum;
  }
}

/// By as many blocks.
template <class Input, class Value>
__launch_bounds__(emitting_threads) __global__ void write_emitted(
    Input const input, emitted_counts const counts, std::uint32_t* const bins,
    Value* const values) {
  cuda::take_turn();
  __shared__ unsigned long long first;
  __shared__ std::uint32_t next;
  unsigned long long const size = counts.of_blocks[blockIdx.x];
  if (threadIdx.x == 0) {
    first = atomicAdd(&counts.placed(), size);
    next = 0;
  }
  __syncthreads();
  written_pairs<Value> to = {bins + first, values + first, size, cuda::shared_address(&next)};
  input.fold_tiles(to, counts.first_tile(blockIdx.x), counts.first_tile(blockIdx.x + 1));
}

#pragma GCC visibility pop
}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
