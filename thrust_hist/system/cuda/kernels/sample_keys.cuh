// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// A look at some keys, drawn all over the input: how many of them are distinct, and how often they occur.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/iterator_types.h>
#include <thrust_hist/detail/mixed_codes.h>
#include <thrust_hist/detail/pairs.h>
#include <thrust_hist/system/cuda/kernels/code_bits.cuh>
#include <thrust_hist/system/cuda/kernels/kernels_in_turn.cuh>
#include <thrust_hist/system/cuda/kernels/key_range.cuh>
#include <thrust_hist/system/cuda/kernels/lanes.cuh>
#include <thrust_hist/system/cuda/kernels/last_block.cuh>
#include <thrust_hist/system/cuda/key_sample.h>

#include <cstdint>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {
#pragma GCC visibility push(hidden)

/// In global memory, all 0 at first. A slot with code 0 is free; the code 0 itself is left out, which
/// changes next to nothing.
struct sample_slots {
  unsigned long long* codes;
  std::uint32_t* counts;  ///< of 16 bits each: in the first half of the sample, and in the second

  static __device__ std::uint32_t in_half(std::uint32_t counts) { return counts & 0xffff; }
  static __device__ std::uint32_t in_all(std::uint32_t counts) {
    return (counts & 0xffff) + (counts >> 16);
  }
};
static_assert(sizeof(unsigned long long) + sizeof(std::uint32_t) == key_sample::bytes_of_slot);
static_assert(key_sample::size / 2 < 1u << 16);

/// A hash of a code without its low bits, seldom 0.
template <class Code>
__device__ inline std::uint64_t hash_of_sample(Code code, int low_bits) {
  Code const high = (code >> low_bits) + 1;
  if constexpr (sizeof(Code) > 8) {
    return detail::mix_code(
        static_cast<std::uint64_t>(high) ^
        detail::mix_code(static_cast<std::uint64_t>(high >> 64)));
  } else {
    return detail::mix_code(std::uint64_t{high});
  }
}

/// One thread for each key of the sample, of which the low bits of its code are left out. `sample` is all 0 at
/// first. Codes of the smaller sample go to `drawn`, where that is not null: one block would have to wait for them.
template <class Keys, class Encode, class Code>
__global__ void sample_keys(
    Keys const keys, std::uint64_t const n, Encode const encode, int const low_bits,
    sample_slots const slots, key_sample* const sample, drawn_codes* const drawn) {
  cuda::take_turn();
  auto const has_code = [&](std::uint32_t i, Code& code) {
    std::uint64_t const place = __umul64hi(detail::mix_code(std::uint64_t{i} + 1), n);
    return encode(static_cast<value_t<Keys>>(keys[static_cast<difference_t<Keys>>(place)]), code);
  };
  std::uint32_t const i = blockIdx.x * blockDim.x + threadIdx.x;
  Code first = 0;
  Code code = 0;
  has_code(0, first);
  bool const is_counted = has_code(i, code);
  if (drawn != nullptr && i < range_sample::size) {
    drawn->codes[i] = static_cast<unsigned long long>(code);
    std::uint32_t const present = __ballot_sync(~0u, is_counted);
    drawn->present[i / 32] = present;  // each lane the same
  }
  __shared__ unsigned long long differing[2];
  cuda::set_bits_by_block(
      &sample->differing, cuda::bits_of_code<0>(code) ^ cuda::bits_of_code<0>(first), differing[0]);
  if constexpr (sizeof(Code) > 8) {
    cuda::set_bits_by_block(
        &sample->differing_high, cuda::bits_of_code<64>(code) ^ cuda::bits_of_code<64>(first),
        differing[1]);
  }
  unsigned long long const mixed = is_counted ? cuda::hash_of_sample(code, low_bits) : 0;
  unsigned const equals = __match_any_sync(~0u, mixed);  // would wait for each other
  bool const is_first = (equals & ((1u << threadIdx.x % 32) - 1)) == 0;
  auto const count = static_cast<std::uint32_t>(__popc(equals));
  // Codes that meet part again at the next step: side by side, the longest row of them would be what all wait for.
  auto slot = static_cast<std::uint32_t>(mixed) % key_sample::slots;
  std::uint32_t const step = static_cast<std::uint32_t>(mixed >> 32) | 1;
  while (mixed != 0 && is_first) {
    unsigned long long const found = atomicCAS(&slots.codes[slot], 0ull, mixed);
    if (found == 0 || found == mixed) {
      atomicAdd(&slots.counts[slot], i < key_sample::size / 2 ? count : count << 16);
      return;
    }
    slot = (slot + step) % key_sample::slots;
  }
}

/// One thread for each slot. Frequent codes are listed in `hot`, where that is not null, and no low bits were left out.
template <class Code>
__device__ inline void tally_slots(
    sample_slots const& slots, key_sample* const sample, Code* const hot) {
  std::uint32_t const slot = blockIdx.x * blockDim.x + threadIdx.x;
  std::uint32_t const counts = slots.counts[slot];
  std::uint32_t const count = sample_slots::in_all(counts);
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
          static_cast<Code>(detail::unmix_code(std::uint64_t{slots.codes[slot]}) - 1);
    }
  }
}

/// So many blocks tally slots; perhaps some more look at the smaller sample, which takes longer.
inline constexpr unsigned blocks_of_slots = key_sample::slots / range_sample::threads;

/// The last block that is done writes what is seen to `letter`, which the host reads: to copy it there would take half
/// as long again. `ticket`: as is_last_block() has it.
template <class Code>
__launch_bounds__(range_sample::threads) __global__ void tally_sample(
    sample_slots const slots, key_sample* const sample, drawn_codes const* const drawn,
    Code* const hot, key_sample* const letter, unsigned* const ticket) {
  cuda::take_turn();
  if (blockIdx.x < blocks_of_slots) {
    cuda::tally_slots(slots, sample, hot);
  } else if constexpr (sizeof(Code) <= 8) {
    cuda::look_at_range<Code>(blockIdx.x - blocks_of_slots, *drawn, &sample->ranges);
  }
  if (!cuda::is_last_block(ticket)) {
    return;
  }
  constexpr unsigned words = sizeof(key_sample) / sizeof(std::uint32_t);
  auto const* const from = reinterpret_cast<std::uint32_t const*>(sample);
  auto* const to = reinterpret_cast<std::uint32_t*>(letter);
  for (unsigned i = threadIdx.x; i < words; i += blockDim.x) {
    to[i] = __ldcg(from + i);
  }
}

#pragma GCC visibility pop
}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
