// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Between which codes keys lie: all of them, or some that are drawn all over the input, and how
/// evenly these do.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/mixed_codes.h>
#include <thrust_hist/system/cuda/kernels/kernels_in_turn.cuh>
#include <thrust_hist/system/cuda/kernels/lanes.cuh>
#include <thrust_hist/system/cuda/key_sample.h>
#include <thrust_hist/system/cuda/sample_memory.h>

#include <cstdint>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {
#pragma GCC visibility push(hidden)

/// The lowest and the highest code of a thread.
template <class Code>
struct ends_of_thread {
  Code lowest = static_cast<Code>(~Code{0});
  Code highest = 0;

  __device__ void take(Code code) {
    lowest = min(lowest, code);
    highest = max(highest, code);
  }
  /// `ends`: all 0 at first. All lanes of the warp must call it.
  __device__ void tell(code_ends* ends) const {
    auto const greater = [](unsigned long long a, unsigned long long b) { return a < b ? b : a; };
    unsigned long long const not_low =
        cuda::over_warp(~static_cast<unsigned long long>(lowest), greater);
    unsigned long long const high =
        cuda::over_warp(static_cast<unsigned long long>(highest), greater);
    if (threadIdx.x % 32 == 0 && ~not_low <= high) {  // most warps have nothing new to tell
      auto const volatile& seen = *ends;
      if (not_low > seen.not_lowest) {
        atomicMax(&ends->not_lowest, not_low);
      }
      if (high > seen.highest) {
        atomicMax(&ends->highest, high);
      }
    }
  }
};

/// Of all keys.
template <class Samples, class Encode, class Code>
__global__ void find_ends(
    Samples const samples, Encode const encode, std::uint64_t const tiles, code_ends* const ends) {
  cuda::take_turn();
  ends_of_thread<Code> mine;
  for (std::uint64_t tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
    samples.template for_tile<16>(tile, [&](unsigned, auto const& key) {
      Code code;
      if (encode(key, code)) {
        mine.take(code);
      }
    });
  }
  __syncwarp();
  mine.tell(ends);
}

/// What is told of a code in shared memory by its high bits: where, by 16 bits of these and 15 of
/// all.
struct high_tag {
  static constexpr std::uint32_t slots = 2 * range_sample::tagged;
  std::uint32_t slot;
  std::uint32_t step;
  std::uint32_t tag;

  __device__ high_tag(std::uint64_t code, std::uint64_t high_bits) {
    std::uint64_t const high = detail::mix_code(high_bits);
    auto const of_all = static_cast<std::uint32_t>(detail::mix_code(code) >> 48);
    tag = (static_cast<std::uint32_t>(high >> 32) & 0xffff0000u) | of_all | 1;
    slot = static_cast<std::uint32_t>(high) % slots;
    step = static_cast<std::uint32_t>(high >> 16) | 1;  // beside slot and tag
  }
  __device__ bool has_high_bits_of(std::uint32_t other) const { return (other ^ tag) >> 16 == 0; }
  __device__ void go_on() { slot = (slot + step) % slots; }
};

/// Whether a code has the high bits of another one that was given, but not its low bits. `tags`:
/// shared memory for twice as many codes as will be given, all 0 at first. One pair of codes in
/// 2^28 is taken for such, and one such in 2^15 is not.
template <class Code>
__device__ inline bool shares_high_bits(Code code, unsigned low_bits, std::uint32_t* tags) {
  high_tag mine(std::uint64_t{code}, std::uint64_t{code} >> low_bits);
  while (true) {
    std::uint32_t const before = atomicCAS(&tags[mine.slot], 0u, mine.tag);
    if (before == 0 || mine.has_high_bits_of(before)) {
      return before != 0 && before != mine.tag;
    }
    mine.go_on();
  }
}

/// The smaller sample, of which the threads of a block have some codes each, and where it lies.
template <class Code>
class sampled_range {
public:
  /// `ends`: shared memory. All threads must call it.
  __device__ sampled_range(drawn_codes const& drawn, code_ends& ends) {
    if (threadIdx.x == 0) {
      ends = {};
    }
    ends_of_thread<Code> own;
#pragma unroll
    for (unsigned i = 0; i < mine; ++i) {
      std::uint32_t const number = i * range_sample::threads + threadIdx.x;
      codes_[i] = static_cast<Code>(drawn.codes[number]);
      if ((drawn.present[number / 32] >> number % 32 & 1) != 0) {
        present_ |= 1u << i;
        own.take(codes_[i]);
      }
    }
    __syncthreads();
    own.tell(&ends);
    __syncthreads();
    bool const any = ends.not_lowest != 0 || ends.highest != 0;
    lowest_ = ~ends.not_lowest;
    last_ = any ? ends.highest - lowest_ : 0;
  }
  __device__ unsigned long long lowest() const {
    return lowest_;
  }
  /// How far the highest code lies above that.
  __device__ unsigned long long last() const {
    return last_;
  }

  /// Looks how many codes lie in equal parts of the range. `parts`: shared memory.
  __device__ void look_at_parts(std::uint32_t* parts, range_sample* sample) const {
    for (unsigned i = threadIdx.x; i < range_sample::parts; i += range_sample::threads) {
      parts[i] = 0;
    }
    __syncthreads();
    unsigned const shift = range_sample::log2_of_part(last_);
#pragma unroll
    for (unsigned i = 0; i < mine; ++i) {
      if ((present_ >> i & 1) != 0) {
        atomicAdd(&parts[static_cast<Code>(codes_[i] - static_cast<Code>(lowest_)) >> shift], 1u);
      }
    }
    __syncthreads();
    static_assert(range_sample::parts_of_stretch == 64 && range_sample::parts == 64 * 32);
    auto const greater = [](std::uint32_t a, std::uint32_t b) { return a < b ? b : a; };
    auto const add = [](std::uint32_t a, std::uint32_t b) { return a + b; };
    std::uint32_t const* const stretch = parts + threadIdx.x / 32 * 64 + threadIdx.x % 32;
    std::uint32_t const heaviest = cuda::over_warp(max(stretch[0], stretch[32]), greater);
    std::uint32_t const of_stretch = cuda::over_warp(stretch[0] + stretch[32], add);
    if (threadIdx.x % 32 == 0) {
      atomicMax(&sample->heaviest, heaviest);
      atomicMax(&sample->densest, of_stretch);
      atomicAdd(&sample->codes, of_stretch);
    }
  }
  /// Counts those that share all but so many bits of their distance from a code with another one.
  /// `tags`: shared memory.
  __device__ void count_sharing(
      unsigned low_bits, Code from, std::uint32_t* tags, std::uint32_t* all) const {
    std::uint32_t const sharing = __popc(find_sharing(low_bits, from, tags));
    if (sharing != 0) {
      atomicAdd(all, sharing);
    }
  }
  /// Counts cells of so many bits that have one of them; and those that have more than one, and
  /// none around but next to it. A cell is a bit of a word that it shares with its neighbours, of
  /// which each thread looks at one.
  __device__ void count_spikes(
      unsigned low_bits, Code from, std::uint32_t* tags, range_sample* sample) const {
    std::uint32_t const sharing = find_sharing(low_bits, from, tags);
    __syncthreads();  // no tag is needed any more
    constexpr unsigned words = (1u << range_sample::cell_bits) / 32;
    static_assert(words == range_sample::threads && 2 * words + 2 <= high_tag::slots);
    std::uint32_t* const shared = tags;
    std::uint32_t* const taken = tags + words + 1;  // with a word at either end
    shared[threadIdx.x] = 0;
    taken[threadIdx.x] = 0;
    if (threadIdx.x < 2) {
      tags[threadIdx.x == 0 ? words : 2 * words + 1] = 0;
    }
    __syncthreads();
#pragma unroll
    for (unsigned i = 0; i < tagged; ++i) {
      if ((present_ >> i & 1) != 0) {
        auto const cell =
            static_cast<std::uint32_t>(static_cast<Code>(codes_[i] - from) >> low_bits);
        atomicOr(&taken[cell / 32], 1u << cell % 32);
        atomicOr(&shared[cell / 32], (sharing >> i & 1) << cell % 32);
      }
    }
    __syncthreads();
    std::uint32_t const below = taken[static_cast<int>(threadIdx.x) - 1];
    std::uint32_t const here = taken[threadIdx.x];
    std::uint32_t const above = taken[threadIdx.x + 1];
    std::uint32_t around = 0;  // whether the cell two or three before or behind is taken
#pragma unroll
    for (unsigned apart = 2; apart <= 3; ++apart) {
      around |= __funnelshift_l(below, here, apart) | __funnelshift_r(here, above, apart);
    }
    auto const spikes = static_cast<std::uint32_t>(__popc(shared[threadIdx.x] & ~around));
    if (spikes != 0) {
      atomicAdd(&sample->spikes, spikes);
    }
    if (here != 0) {
      atomicAdd(&sample->cells, static_cast<std::uint32_t>(__popc(here)));
    }
  }

private:
  static constexpr unsigned tagged = range_sample::tagged / range_sample::threads;

  /// A bit for each that shares all but so many bits with another one.
  __device__ std::uint32_t find_sharing(unsigned low_bits, Code from, std::uint32_t* tags) const {
    for (unsigned i = threadIdx.x; i < high_tag::slots; i += range_sample::threads) {
      tags[i] = 0;
    }
    __syncthreads();
    std::uint32_t sharing = 0;
#pragma unroll
    for (unsigned i = 0; i < tagged; ++i) {
      if (low_bits != 0 && (present_ >> i & 1) != 0) {
        auto const code = static_cast<Code>(codes_[i] - from);
        sharing |= (cuda::shares_high_bits(code, low_bits, tags) ? 1u : 0u) << i;
      }
    }
    return sharing;
  }

  static constexpr unsigned mine = range_sample::size / range_sample::threads;

  Code codes_[mine];
  std::uint32_t present_ = 0;  // a bit for each
  unsigned long long lowest_;
  unsigned long long last_;
};

/// Bits of a number, but for the highest ones.
__device__ inline unsigned bits_below(unsigned long long x, unsigned highest) {
  auto const bits = static_cast<unsigned>(64 - __clzll(static_cast<long long>(x)));
  return max(bits, highest) - highest;
}

/// What is seen in a smaller sample, by so many blocks: each has a look of its own, since all of
/// them by one would take twice as long as anything else that is looked at. `sample` is all 0 at
/// first.
inline constexpr unsigned looks_at_range = 4;
template <class Code>
__device__ inline void look_at_range(
    unsigned look, drawn_codes const& drawn, range_sample* sample) {
  __shared__ code_ends ends;
  __shared__ std::uint32_t words[2 * range_sample::tagged];
  static_assert(range_sample::parts <= 2 * range_sample::tagged);
  sampled_range<Code> const range(drawn, ends);
  auto const lowest = static_cast<Code>(range.lowest());
  if (look == 0) {
    range.look_at_parts(words, sample);
    if (threadIdx.x == 0) {
      sample->lowest = range.lowest();
      sample->last = range.last();
    }
  } else if (look == 1) {
    unsigned long long const differing = range.lowest() ^ (range.lowest() + range.last());
    unsigned const low_bits = cuda::bits_below(differing, range_sample::high_bits);
    range.count_sharing(low_bits, Code{0}, words, &sample->sharing);
    if (threadIdx.x == 0) {
      sample->low_bits = low_bits;
    }
  } else if (look == 2) {
    unsigned const low_bits = cuda::bits_below(range.last(), range_sample::near_bits);
    range.count_sharing(low_bits, lowest, words, &sample->near_others);
  } else {
    unsigned const low_bits = cuda::bits_below(range.last(), range_sample::cell_bits);
    range.count_spikes(low_bits, lowest, words, sample);
  }
}

#pragma GCC visibility pop
}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
