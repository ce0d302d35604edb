// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// A look at some keys, drawn all over the input: how many of them are distinct, and how often they occur.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/iterator_types.h>
#include <thrust_hist/detail/mixed_codes.h>
#include <thrust_hist/detail/pairs.h>
#include <thrust_hist/system/cuda/key_sample.h>

#include <cstdint>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {
#pragma GCC visibility push(hidden)

/// In global memory, all 0 at first. A slot with code 0 is free; the code 0 itself is left out, which
/// changes next to nothing.
struct sample_slot {
  unsigned long long code;
  std::uint32_t count;       ///< in the whole sample
  std::uint32_t first_half;  ///< in its first half
};
static_assert(sizeof(sample_slot) == key_sample::bytes_of_slot);

/// One thread for each key of the sample, of which the low bits of its code are left out.
template <class Keys, class Encode, class Code>
__global__ void sample_keys(
    Keys const keys, std::uint64_t const n, Encode const encode, int const low_bits,
    sample_slot* const slots) {
  std::uint32_t const i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= key_sample::size) {
    return;
  }
  std::uint64_t const place = __umul64hi(detail::mix_code(std::uint64_t{i} + 1), n);
  Code code;
  if (!encode(static_cast<value_t<Keys>>(keys[static_cast<difference_t<Keys>>(place)]), code)) {
    return;
  }
  unsigned long long const mixed = detail::mix_code(static_cast<std::uint64_t>(code) >> low_bits);
  auto slot = static_cast<std::uint32_t>(mixed) % key_sample::slots;
  while (mixed != 0) {
    unsigned long long const found = atomicCAS(&slots[slot].code, 0ull, mixed);
    if (found == 0 || found == mixed) {
      atomicAdd(&slots[slot].count, 1u);
      if (i < key_sample::size / 2) {
        atomicAdd(&slots[slot].first_half, 1u);
      }
      return;
    }
    slot = (slot + 1) % key_sample::slots;
  }
}

/// One thread for each slot. `sample` is all 0 at first.
template <class Slot>
__global__ void tally_sample(Slot const* const slots, key_sample* const sample) {
  std::uint32_t const i = blockIdx.x * blockDim.x + threadIdx.x;
  std::uint32_t const count = i < key_sample::slots ? slots[i].count : 0;
  bool const in_first = i < key_sample::slots && slots[i].first_half != 0;
  auto const add = [](std::uint32_t* to, bool mine) {
    unsigned const lanes = __ballot_sync(~0u, mine);
    if (lanes != 0 && threadIdx.x % 32 == 0) {
      atomicAdd(to, static_cast<std::uint32_t>(__popc(lanes)));
    }
  };
  add(&sample->distinct, count != 0);
  add(&sample->once, count == 1);
  add(&sample->twice, count == 2);
  add(&sample->distinct_in_half, in_first);
  if (count > 1) {
    atomicMax(&sample->most, count);
  }
}

#pragma GCC visibility pop
}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
