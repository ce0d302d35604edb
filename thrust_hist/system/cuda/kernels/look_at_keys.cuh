// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// A look at some keys, in a kernel or two: some are drawn, or a part of all is read, or both, and
/// counted in slots; then what the slots of a part have, and which keys are frequent, and how they
/// lie. What is seen goes to the host.

#include <thrust_hist/config.h>
#include <thrust_hist/system/cuda/kernels/kernels_in_turn.cuh>
#include <thrust_hist/system/cuda/kernels/key_range.cuh>
#include <thrust_hist/system/cuda/kernels/lanes.cuh>
#include <thrust_hist/system/cuda/kernels/last_block.cuh>
#include <thrust_hist/system/cuda/kernels/sample_keys.cuh>
#include <thrust_hist/system/cuda/kernels/sample_part.cuh>
#include <thrust_hist/system/cuda/key_sample.h>
#include <thrust_hist/system/cuda/sample_memory.h>

#include <cstdint>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {
#pragma GCC visibility push(hidden)

/// What was seen, in memory of the host.
struct seen_keys {
  key_sample drawn;
  key_sample of_part;
};

/// By all threads of a block.
__device__ inline void copy_sample(key_sample const* from_sample, key_sample* to_sample) {
  auto const* const from = reinterpret_cast<std::uint32_t const*>(from_sample);
  auto* const to = reinterpret_cast<std::uint32_t*>(to_sample);
  for (unsigned i = threadIdx.x; i < sizeof(key_sample) / sizeof *to; i += blockDim.x) {
    to[i] = __ldcg(from + i);
  }
}

/// The first blocks, so many as `drawing`, draw keys, and the others read a part. Where `letter` is
/// not null the last of the first ones writes to it what is known then: all but hot ones and
/// ranges.
template <class Keys, class Encode, class Code>
__launch_bounds__(threads_of_sampler) __global__ void look_at_keys(
    Keys const keys, std::uint64_t const n, Encode const encode, unsigned const drawing,
    int const low_bits, slots_and_seen const drawn, drawn_codes* const smaller,
    read_part const part, slots_and_seen const read, seen_keys* const letter,
    unsigned* const ticket) {
  cuda::take_turn();
  if (blockIdx.x < drawing) {
    cuda::draw_keys<Keys, Encode, Code>(keys, n, encode, low_bits, drawn, smaller);
    if (letter != nullptr && cuda::is_last_block_of(drawing, ticket)) {
      cuda::copy_sample(drawn.seen, &letter->drawn);
    }
  } else {
    cuda::read_keys<Keys, Encode, Code>(
        keys, part, encode, blockIdx.x - drawing, gridDim.x - drawing, read);
  }
}

/// One thread for each slot of a part, of block `block`.
__device__ inline void tally_slots(unsigned block, slots_and_seen const& of) {
  std::uint32_t const slot = block * range_sample::threads + threadIdx.x;
  std::uint32_t const count = sample_slots::in_all(of.slots.counts[slot]);
  auto const add = [](std::uint32_t* to, bool is_counted) {
    int const all = __syncthreads_count(is_counted ? 1 : 0);
    if (threadIdx.x == 0 && all != 0) {
      atomicAdd(to, static_cast<std::uint32_t>(all));
    }
  };
  add(&of.seen->distinct, count != 0);
  add(&of.seen->once, count == 1);
  add(&of.seen->twice, count == 2);
}

/// The same of drawn keys, of which no low bits were left out: frequent codes are listed.
template <class Code>
__device__ inline void list_hot(unsigned block, slots_and_seen const& of, Code* hot) {
  std::uint32_t const slot = block * range_sample::threads + threadIdx.x;
  std::uint32_t const count = sample_slots::in_all(of.slots.counts[slot]);
  if (count >= hot_sample::least) {
    hot_sample* const seen = &of.seen->hot;
    bool const is_often = count >= hot_sample::often;
    std::uint32_t const i = atomicAdd(is_often ? &seen->at_begin : &seen->at_end, 1u);
    if (i < hot_sample::half) {
      atomicAdd(&seen->all, count);
      hot[is_often ? i : hot_sample::place(i, 0)] =
          cuda::code_of_sample<Code>(of.slots.codes[slot]);
    }
  }
}

/// Some blocks list frequent codes in `hot`, where that is not null, some tally the slots of a
/// part; perhaps some more look at the smaller sample, which takes longer. The last block that is
/// done writes what is seen to `letter`, which the host reads: to copy it there would take half as
/// long again. `ticket`: as is_last_block() has it.
template <class Code>
__launch_bounds__(range_sample::threads) __global__ void tally_keys(
    slots_and_seen const drawn, slots_and_seen const read, drawn_codes const* const smaller,
    Code* const hot, seen_keys* const letter, unsigned* const ticket) {
  cuda::take_turn();
  unsigned const of_drawn = hot != nullptr ? drawn.slots.blocks() : 0;
  unsigned const of_both = of_drawn + read.slots.blocks();
  if (blockIdx.x < of_drawn) {
    cuda::list_hot(blockIdx.x, drawn, hot);
  } else if (blockIdx.x < of_both) {
    cuda::tally_slots(blockIdx.x - of_drawn, read);
  } else if constexpr (sizeof(Code) <= 8) {
    cuda::look_at_range<Code>(blockIdx.x - of_both, *smaller, &drawn.seen->ranges);
  }
  if (!cuda::is_last_block(ticket)) {
    return;
  }
  if (drawn.slots.size != 0) {
    cuda::copy_sample(drawn.seen, &letter->drawn);
  }
  if (read.slots.size != 0) {
    cuda::copy_sample(read.seen, &letter->of_part);
  }
}

#pragma GCC visibility pop
}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
