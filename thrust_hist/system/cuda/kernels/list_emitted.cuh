// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Pairs that a user's function emits, as arrays of bins and values: one kernel that runs twice,
/// first to count the pairs of each block, then to write them.
///
/// One, since a function that is compiled into two may differ from itself in the last bit: a
/// multiplication and an addition are contracted in the one and not in the other, and what depends
/// on the result is emitted here and not there.

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

inline constexpr unsigned listing_threads = 512;  ///< of a block

/// How many pairs each block has, and behind these how many have their place. Blocks share tiles of
/// the input out in stretches, so that what is sorted stays so for the most part.
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

/// `bins` is null while pairs are counted.
template <class Value>
struct pair_list {
  std::uint32_t* bins;
  Value* values;

  __device__ bool is_there() const { return bins != nullptr; }
};

/// What a thread does with its pairs. Those of a block go to its part of the list in any order:
/// `next` counts them at a shared address.
template <class Value>
class listed_pairs {
public:
  __device__ listed_pairs(pair_list<Value> part, std::uint32_t size, std::uint32_t next)
      : part_(part), size_(size), next_(next), writes_(part.is_there() ? 1 : 0) {}

  template <class Bin>
  __device__ void add(Bin bin, Value const& x) {
    if (!writes()) {
      ++number_;
      return;
    }
    std::uint32_t const place =
        cuda::next_of_lanes([&](unsigned count) { return cuda::add_shared(next_, count); });
    if (place < size_) {  // the function may read what somebody changes meanwhile
      part_.bins[place] = static_cast<std::uint32_t>(bin);
      ::new (static_cast<void*>(part_.values + place)) Value(x);
    }
  }
  __device__ unsigned long long number() const { return number_; }

private:
  /// Asked in a way that the compiler cannot see through, or it might make a loop for each answer.
  __device__ bool writes() const {
    unsigned answer;
    asm volatile("mov.u32 %0, %1;" : "=r"(answer) : "r"(writes_));
    return answer != 0;
  }

  pair_list<Value> const part_;
  std::uint32_t const size_;
  std::uint32_t const next_;
  unsigned const writes_;
  unsigned long long number_ = 0;
};

/// The sum of what all threads of a block have goes to `sum` in shared memory, 0 before. Additions
/// of 64 bits wait for each other there: one for each warp.
__device__ inline void add_up_block(unsigned long long mine, unsigned long long& sum) {
  mine = cuda::over_warp(mine, [](unsigned long long a, unsigned long long b) { return a + b; });
  if (threadIdx.x % 32 == 0) {
    atomicAdd(&sum, mine);
  }
  __syncthreads();
}

/// Without a list, the last block that is done writes how many pairs there are to `letter`, which
/// the host reads; `ticket`: as is_last_block() has it. With one, of as many blocks, of less than
/// 2^32 pairs: writes it. Places that nothing is emitted for have no bin.
template <class Input, class Value>
__launch_bounds__(listing_threads) __global__ void list_emitted(
    Input const input, emitted_counts const counts, pair_list<Value> const list,
    unsigned long long* const letter, unsigned* const ticket) {
  cuda::take_turn();
  __shared__ unsigned long long sum;  // of the block while pairs are counted, else its first place
  __shared__ std::uint32_t next;
  std::uint32_t size = 0;
  if (list.is_there()) {
    size = static_cast<std::uint32_t>(counts.of_blocks[blockIdx.x]);
  }
  if (threadIdx.x == 0) {
    sum = list.is_there() ? atomicAdd(&counts.placed(), std::uint64_t{size}) : 0;
    next = 0;
  }
  __syncthreads();
  pair_list<Value> const part = {
      list.is_there() ? list.bins + sum : nullptr, list.is_there() ? list.values + sum : nullptr};
  listed_pairs<Value> mine(part, size, cuda::shared_address(&next));
  input.fold_tiles(mine, counts.first_tile(blockIdx.x), counts.first_tile(blockIdx.x + 1));
  __syncthreads();
  if (list.is_there()) {
    for (std::uint64_t i = next + std::uint64_t{threadIdx.x}; i < size; i += blockDim.x) {
      part.bins[i] = ~std::uint32_t{0};
    }
    return;
  }
  cuda::add_up_block(mine.number(), sum);
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

#pragma GCC visibility pop
}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
