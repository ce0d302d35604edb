// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Between which codes keys lie: all of them, or some that are drawn all over the input, and how evenly these do.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/mixed_codes.h>
#include <thrust_hist/system/cuda/kernels/lanes.cuh>
#include <thrust_hist/system/cuda/key_sample.h>

#include <cstdint>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {
#pragma GCC visibility push(hidden)

/// In memory, the complement of the lowest code and the highest one, both 0 at first: there is no code yet.
struct code_ends {
  unsigned long long not_lowest;
  unsigned long long highest;
};

/// The lowest and the highest code of a thread.
template <class Code>
struct ends_of_thread {
  Code lowest = static_cast<Code>(~Code{0});
  Code highest = 0;

  __device__ void take(Code code) {
    lowest = min(lowest, code);
    highest = max(highest, code);
  }
  /// All lanes of the warp must call it.
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

/// Whether a code has the high bits of another one that was given, but not its low bits. `tags`: shared memory for
/// twice as many codes as will be given, all 0 at first. One pair of codes in 2^28 is taken for such, and one such in
/// 2^15 is not.
template <class Code>
__device__ inline bool shares_high_bits(Code code, unsigned low_bits, std::uint32_t* tags) {
  constexpr std::uint32_t slots = 2 * range_sample::tagged;
  std::uint64_t const high = detail::mix_code(std::uint64_t{code} >> low_bits);
  auto const of_all = static_cast<std::uint32_t>(detail::mix_code(std::uint64_t{code}) >> 48) | 1;
  std::uint32_t const tag = (static_cast<std::uint32_t>(high >> 32) & 0xffff0000u) | of_all;
  std::uint32_t slot = static_cast<std::uint32_t>(high) % slots;
  while (true) {
    std::uint32_t const before = atomicCAS(&tags[slot], 0u, tag);
    if (before == 0 || (before ^ tag) >> 16 == 0) {
      return before != 0 && before != tag;
    }
    slot = (slot + 1) % slots;
  }
}

/// Of a smaller sample, by one block, and how many codes of it lie in the heaviest of equal parts of its range.
/// `sample` is all 0 at first.
template <class Code>
__device__ inline void sample_range(drawn_codes const& drawn, range_sample* sample) {
  constexpr unsigned mine = range_sample::size / range_sample::threads;
  __shared__ code_ends ends;
  __shared__ std::uint32_t parts[range_sample::parts];
  __shared__ std::uint32_t tags[2 * range_sample::tagged];
  for (unsigned i = threadIdx.x; i < 2 * range_sample::tagged; i += range_sample::threads) {
    tags[i] = 0;
  }
  if (threadIdx.x == 0) {
    ends = {};
  }
  for (unsigned i = threadIdx.x; i < range_sample::parts; i += range_sample::threads) {
    parts[i] = 0;
  }
  Code codes[mine];
  std::uint32_t present = 0;
  ends_of_thread<Code> own;
#pragma unroll
  for (unsigned i = 0; i < mine; ++i) {
    std::uint32_t const number = i * range_sample::threads + threadIdx.x;
    codes[i] = static_cast<Code>(drawn.codes[number]);
    if ((drawn.present[number / 32] >> number % 32 & 1) != 0) {
      present |= 1u << i;
      own.take(codes[i]);
    }
  }
  __syncthreads();
  own.tell(&ends);
  __syncthreads();
  bool const any = ends.not_lowest != 0 || ends.highest != 0;
  std::uint64_t const last = any ? ends.highest - ~ends.not_lowest : 0;
  auto const lowest = static_cast<Code>(~ends.not_lowest);
  unsigned const shift = range_sample::log2_of_part(last);
#pragma unroll
  for (unsigned i = 0; i < mine; ++i) {
    if ((present >> i & 1) != 0) {
      atomicAdd(&parts[(codes[i] - lowest) >> shift], 1u);
    }
  }
  auto const differing =
      static_cast<unsigned>(64 - __clzll(static_cast<long long>(lowest ^ (lowest + last))));
  auto const those_sharing = [&](unsigned low_bits, Code from) {
    std::uint32_t sharing = 0;
#pragma unroll
    for (unsigned i = 0; i < range_sample::tagged / range_sample::threads; ++i) {
      if (low_bits != 0 && (present >> i & 1) != 0) {
        auto const code = static_cast<Code>(codes[i] - from);
        sharing += cuda::shares_high_bits(code, low_bits, tags) ? 1 : 0;
      }
    }
    return sharing;
  };
  unsigned const low_bits = max(differing, range_sample::high_bits) - range_sample::high_bits;
  std::uint32_t const sharing = those_sharing(low_bits, Code{0});
  __syncthreads();
  for (unsigned i = threadIdx.x; i < 2 * range_sample::tagged; i += range_sample::threads) {
    tags[i] = 0;
  }
  __syncthreads();
  auto const bits = static_cast<unsigned>(64 - __clzll(static_cast<long long>(last)));
  std::uint32_t const near_others =
      those_sharing(max(bits, range_sample::near_bits) - range_sample::near_bits, lowest);
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
  if (sharing != 0) {
    atomicAdd(&sample->sharing, sharing);
  }
  if (near_others != 0) {
    atomicAdd(&sample->near_others, near_others);
  }
  if (threadIdx.x == 0) {
    sample->low_bits = low_bits;
    sample->lowest = ~ends.not_lowest;
    sample->last = last;
  }
}

#pragma GCC visibility pop
}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
