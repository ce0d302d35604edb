// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Keys that are drawn all over the input: how many of them are distinct, and how often they occur.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/iterator_types.h>
#include <thrust_hist/detail/mixed_codes.h>
#include <thrust_hist/detail/pairs.h>
#include <thrust_hist/system/cuda/kernels/code_bits.cuh>
#include <thrust_hist/system/cuda/kernels/key_range.cuh>
#include <thrust_hist/system/cuda/kernels/lanes.cuh>
#include <thrust_hist/system/cuda/key_sample.h>
#include <thrust_hist/system/cuda/sample_memory.h>

#include <cstdint>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {
#pragma GCC visibility push(hidden)

/// In global memory, all 0 at first. A slot with hash 0 is free.
struct sample_slots {
  unsigned long long* codes;
  std::uint32_t* counts;  ///< of 16 bits each: in the first half of the sample, and in the second
  /// What finds no slot after so many is left out: somebody may have chosen keys that meet again
  /// and again.
  static constexpr unsigned most_looks = 256;
  std::uint32_t size;  ///< a power of two, a multiple of range_sample::threads; or 0

  /// So many tally slots, one thread for each.
  THRUST_HIST_HOST_DEVICE unsigned blocks() const { return size / range_sample::threads; }
  /// Codes that meet part again at the next step: side by side, the longest row of them would be
  /// what all wait for.
  __device__ std::uint32_t first(std::uint64_t hash) const {
    return static_cast<std::uint32_t>(hash) & (size - 1);
  }
  __device__ std::uint32_t next(std::uint32_t slot, std::uint64_t hash) const {
    return (slot + (static_cast<std::uint32_t>(hash >> 32) | 1)) & (size - 1);
  }
  static __device__ std::uint32_t in_half(std::uint32_t counts) { return counts & 0xffff; }
  static __device__ std::uint32_t in_all(std::uint32_t counts) {
    return (counts & 0xffff) + (counts >> 16);
  }
};
static_assert(sizeof(unsigned long long) + sizeof(std::uint32_t) == key_sample::bytes_of_slot);
static_assert(key_sample::size / 2 < 1u << 16);

/// All 0 at first.
struct slots_and_seen {
  sample_slots slots;
  key_sample* seen;
};

inline constexpr unsigned threads_of_sampler = key_sample::together;

/// The one code of 8 bytes with the hash 0, which is left out: no key that anybody has is likely to
/// have it.
inline constexpr std::uint64_t code_left_out = 0x9ddfea08eb382d69u;

/// A hash of a code without its low bits, different ones for different codes of up to 8 bytes.
template <class Code>
__device__ inline std::uint64_t hash_of_sample(Code code, int low_bits) {
  Code const high = code >> low_bits;
  std::uint64_t mixed = static_cast<std::uint64_t>(high) ^ code_left_out;
  if constexpr (sizeof(Code) > 8) {
    mixed ^= detail::mix_code(static_cast<std::uint64_t>(high >> 64));
  }
  return detail::mix_code(mixed);
}
/// Of a hash with all bits of a code.
template <class Code>
__device__ inline Code code_of_sample(std::uint64_t hash) {
  return static_cast<Code>(detail::unmix_code(hash) ^ code_left_out);
}

/// Those of a block, by their high bits.
struct codes_drawn_together {
  static constexpr unsigned low_bits = key_sample::low_bits_of_near;
  static constexpr unsigned slots = 2 * threads_of_sampler;

  std::uint32_t codes[slots];  ///< shared memory; 0 where none is

  /// By all threads.
  __device__ void clear() {
    for (unsigned i = threadIdx.x; i < slots; i += blockDim.x) {
      codes[i] = 0;
    }
  }
  /// Whether a code has the high bits of another one that was given, but not its low bits. Code 0
  /// is left out.
  __device__ bool is_near_another(std::uint32_t code) {
    auto slot = static_cast<std::uint32_t>(detail::mix_code(code >> low_bits));
    while (code != 0) {
      slot %= slots;
      std::uint32_t const before = atomicCAS(&codes[slot], 0u, code);
      if (before == 0 || (before ^ code) >> low_bits == 0) {
        return before != 0 && before != code;
      }
      ++slot;
    }
    return false;
  }
};

/// What one more place of a code, or several, make of what is seen, `before` being how often it was
/// seen.
struct seen_change {
  std::uint32_t distinct;
  std::uint32_t once;
  std::uint32_t twice;
  std::uint32_t distinct_in_half;
  std::uint32_t most;
  std::uint32_t near_by;

  __device__ void count(std::uint32_t before, std::uint32_t places, bool is_in_half) {
    std::uint32_t const all = sample_slots::in_all(before);
    distinct = all == 0 ? 1 : 0;
    once = (all + places == 1 ? 1 : 0) - (all == 1 ? 1 : 0);
    twice = (all + places == 2 ? 1 : 0) - (all == 2 ? 1 : 0);
    distinct_in_half = is_in_half && sample_slots::in_half(before) == 0 ? 1 : 0;
    most = all + places;
  }
  /// Adds those of a block, modulo 2^32. `of_block`: shared memory, all 0 at first. All threads
  /// must call it.
  __device__ void tell(key_sample* sample, seen_change& of_block) const {
    auto const add = [](std::uint32_t* to, std::uint32_t mine) {
      std::uint32_t const of_warp = cuda::add_over_lanes(~0u, mine);
      if (threadIdx.x % 32 == 0 && of_warp != 0) {
        atomicAdd(to, of_warp);
      }
    };
    add(&of_block.distinct, distinct);
    add(&of_block.once, once);
    add(&of_block.twice, twice);
    add(&of_block.distinct_in_half, distinct_in_half);
    add(&of_block.near_by, near_by);
    std::uint32_t const of_warp =
        cuda::over_warp(most, [](std::uint32_t a, std::uint32_t b) { return a < b ? b : a; });
    if (threadIdx.x % 32 == 0) {
      atomicMax(&of_block.most, of_warp);
    }
    __syncthreads();
    if (threadIdx.x == 0) {
      atomicAdd(&sample->distinct, of_block.distinct);
      atomicAdd(&sample->once, of_block.once);
      atomicAdd(&sample->twice, of_block.twice);
      atomicAdd(&sample->distinct_in_half, of_block.distinct_in_half);
      atomicMax(&sample->most, of_block.most);
      if (of_block.near_by != 0) {
        atomicAdd(&sample->near_by, of_block.near_by);
      }
    }
  }
};

/// One thread of a block of `threads_of_sampler` for each key of the sample, of which the low bits
/// of its code are left out. Codes of the smaller sample go to `drawn`, where that is not null: one
/// block would have to wait for them.
template <class Keys, class Encode, class Code>
__device__ inline void draw_keys(
    Keys const& keys, std::uint64_t n, Encode const& encode, int low_bits, slots_and_seen const& to,
    drawn_codes* drawn) {
  auto const has_code = [&](std::uint32_t i, Code& code) {
    std::uint64_t const place = __umul64hi(detail::mix_code(std::uint64_t{i} + 1), n);
    return encode(static_cast<value_t<Keys>>(keys[static_cast<difference_t<Keys>>(place)]), code);
  };
  std::uint32_t const i = blockIdx.x * blockDim.x + threadIdx.x;
  Code first = 0;
  Code code = 0;
  has_code(0, first);
  bool const is_counted = has_code(i, code);
  if constexpr (sizeof(Code) <= 8) {
    if (drawn != nullptr && i < range_sample::size) {
      drawn->codes[i] = static_cast<unsigned long long>(code);
      std::uint32_t const present = __ballot_sync(~0u, is_counted);
      drawn->present[i / 32] = present;  // each lane the same
      ends_of_thread<Code> own;
      if (is_counted) {
        own.take(code);
      }
      __syncwarp();
      own.tell(&to.seen->ends);
    }
  }
  __shared__ unsigned long long differing[2];
  __shared__ seen_change of_block;
  __shared__ codes_drawn_together together;
  if (threadIdx.x == 0) {
    of_block = {};  // set_bits_by_block() has a barrier behind it
  }
  if constexpr (sizeof(Code) == 4) {
    together.clear();
  }
  cuda::set_bits_by_block(
      &to.seen->differing, cuda::bits_of_code<0>(code) ^ cuda::bits_of_code<0>(first),
      differing[0]);
  if constexpr (sizeof(Code) > 8) {
    cuda::set_bits_by_block(
        &to.seen->differing_high, cuda::bits_of_code<64>(code) ^ cuda::bits_of_code<64>(first),
        differing[1]);
  }
  unsigned long long const mixed = is_counted ? cuda::hash_of_sample(code, low_bits) : 0;
  unsigned const equals = __match_any_sync(~0u, mixed);  // would wait for each other
  bool const is_first = (equals & ((1u << threadIdx.x % 32) - 1)) == 0;
  auto const count = static_cast<std::uint32_t>(__popc(equals));
  bool const is_in_half = i < key_sample::size / 2;
  seen_change mine = {};
  std::uint32_t slot = to.slots.first(mixed);
  for (unsigned looks = 0; mixed != 0 && is_first && looks < sample_slots::most_looks; ++looks) {
    unsigned long long const found = atomicCAS(&to.slots.codes[slot], 0ull, mixed);
    if (found == 0 || found == mixed) {
      std::uint32_t const before =
          atomicAdd(&to.slots.counts[slot], is_in_half ? count : count << 16);
      mine.count(before, count, is_in_half);
      break;
    }
    slot = to.slots.next(slot, mixed);
  }
  if constexpr (sizeof(Code) == 4) {
    mine.near_by = is_counted && is_first && together.is_near_another(code) ? 1 : 0;
  }
  __syncwarp();
  mine.tell(to.seen, of_block);
}

#pragma GCC visibility pop
}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
