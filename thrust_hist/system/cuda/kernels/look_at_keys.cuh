// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// A look at some keys, in two kernels: some are drawn, or a part of all is read, or both; and what the slots have, in
/// which they are counted, goes to the host.

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

/// The first blocks, so many as `drawing`, draw keys, and the others read a part.
template <class Keys, class Encode, class Code>
__launch_bounds__(threads_of_sampler) __global__ void look_at_keys(
    Keys const keys, std::uint64_t const n, Encode const encode, unsigned const drawing,
    int const low_bits, slots_and_seen const drawn, drawn_codes* const smaller,
    read_part const part, slots_and_seen const read) {
  cuda::take_turn();
  if (blockIdx.x < drawing) {
    cuda::draw_keys<Keys, Encode, Code>(keys, n, encode, low_bits, drawn, smaller);
  } else {
    cuda::read_keys<Keys, Encode, Code>(
        keys, part, encode, blockIdx.x - drawing, gridDim.x - drawing, read);
  }
}

/// One thread for each slot, of block `block`. Frequent codes are listed in `hot`, where that is not null, and no low
/// bits were left out.
template <class Code>
__device__ inline void tally_slots(unsigned block, slots_and_seen const& of, Code* hot) {
  std::uint32_t const slot = block * range_sample::threads + threadIdx.x;
  std::uint32_t const counts = of.slots.counts[slot];
  std::uint32_t const count = sample_slots::in_all(counts);
  key_sample* const sample = of.seen;
  auto const add = [](std::uint32_t* to, bool is_counted) {
    int const all = __syncthreads_count(is_counted ? 1 : 0);
    if (threadIdx.x == 0 && all != 0) {
      atomicAdd(to, static_cast<std::uint32_t>(all));
    }
  };
  add(&sample->distinct, count != 0);
  add(&sample->once, count == 1);
  add(&sample->twice, count == 2);
  add(&sample->distinct_in_half, sample_slots::in_half(counts) != 0);
  std::uint32_t const most =
      cuda::over_warp(count, [](std::uint32_t a, std::uint32_t b) { return a < b ? b : a; });
  if (threadIdx.x % 32 == 0 && most > 1) {
    atomicMax(&sample->most, most);
  }
  if (hot != nullptr && count >= hot_sample::least) {
    bool const is_often = count >= hot_sample::often;
    std::uint32_t const i = atomicAdd(is_often ? &sample->hot.at_begin : &sample->hot.at_end, 1u);
    if (i < hot_sample::half) {
      atomicAdd(&sample->hot.all, count);
      hot[is_often ? i : hot_sample::place(i, 0)] =
          cuda::code_of_sample<Code>(of.slots.codes[slot]);
    }
  }
}

/// What was seen, in memory of the host.
struct seen_keys {
  key_sample drawn;
  key_sample of_part;
};

/// Some blocks tally the slots of drawn keys, some those of a part; perhaps some more look at the smaller sample, which
/// takes longer. The last block that is done writes what is seen to `letter`, which the host reads: to copy it there
/// would take half as long again. `ticket`: as is_last_block() has it.
template <class Code>
__launch_bounds__(range_sample::threads) __global__ void tally_keys(
    slots_and_seen const drawn, slots_and_seen const read, drawn_codes const* const smaller,
    Code* const hot, seen_keys* const letter, unsigned* const ticket) {
  cuda::take_turn();
  unsigned const of_drawn = drawn.slots.blocks();
  unsigned const of_both = of_drawn + read.slots.blocks();
  if (blockIdx.x < of_drawn) {
    cuda::tally_slots(blockIdx.x, drawn, hot);
  } else if (blockIdx.x < of_both) {
    cuda::tally_slots<Code>(blockIdx.x - of_drawn, read, nullptr);
  } else if constexpr (sizeof(Code) <= 8) {
    cuda::look_at_range<Code>(blockIdx.x - of_both, *smaller, &drawn.seen->ranges);
  }
  if (!cuda::is_last_block(ticket)) {
    return;
  }
  auto const copy = [](key_sample const* from_sample, key_sample* to_sample) {
    auto const* const from = reinterpret_cast<std::uint32_t const*>(from_sample);
    auto* const to = reinterpret_cast<std::uint32_t*>(to_sample);
    for (unsigned i = threadIdx.x; i < sizeof(key_sample) / sizeof *to; i += blockDim.x) {
      to[i] = __ldcg(from + i);
    }
  };
  if (of_drawn != 0) {
    copy(drawn.seen, &letter->drawn);
  }
  if (read.slots.size != 0) {
    copy(read.seen, &letter->of_part);
  }
}

#pragma GCC visibility pop
}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
