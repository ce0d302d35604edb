// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// A sorted sample of codes, drawn all over the input. Two kernels: codes are thrown into ranges,
/// which begin at codes of a smaller sample, and a block sorts each range.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/iterator_types.h>
#include <thrust_hist/detail/mixed_codes.h>
#include <thrust_hist/detail/pairs.h>
#include <thrust_hist/system/cuda/kernels/block_sum.cuh>
#include <thrust_hist/system/cuda/kernels/kernels_in_turn.cuh>
#include <thrust_hist/system/cuda/kernels/small_sorts.cuh>
#include <thrust_hist/system/cuda/sample_ranges.h>

#include <cstdint>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {
#pragma GCC visibility push(hidden)

template <class Code>
struct sample_memory {
  Code* sorted;
  Code* thrown;  ///< those of range r from r * room on, but for what equals its first code
  Code* firsts;  ///< of ranges
  /// How many codes are thrown into each range, and then how many equal its first one, all 0 at
  /// first: what there is no room for is counted, too.
  std::uint32_t* sizes;
};

inline constexpr unsigned threads_of_sample = 256;  // more would wait for each other

/// The code of the i-th key that is drawn; a key without one leaves the highest code of all.
template <class Code, class Keys, class Encode>
__device__ inline Code drawn_code(
    Keys const& keys, std::uint64_t n, Encode const& encode, std::uint64_t i) {
  std::uint64_t const place = __umul64hi(detail::mix_code(i + 1), n);
  Code code;
  bool const has_code =
      encode(static_cast<value_t<Keys>>(keys[static_cast<difference_t<Keys>>(place)]), code);
  return has_code ? code : static_cast<Code>(~Code{0});
}

/// Codes of the sample for each thread of a block that throws them.
inline constexpr unsigned thrown_by_thread = 4;

/// Each block finds out where ranges begin by itself. Codes with which one begins are only counted:
/// a frequent one is the first of a range, which it would fill. The lowest range has none, and
/// begins with the lowest code of all.
template <class Keys, class Encode, class Code>
__launch_bounds__(threads_of_sample) __global__ void throw_sample(
    Keys const keys, std::uint64_t const n, Encode const encode, sample_ranges const sample,
    sample_memory<Code> const memory) {
  cuda::take_turn();
  constexpr std::uint32_t all = sample_ranges::bounds;
  constexpr std::uint32_t of_range = all / sample_ranges::ranges;
  __shared__ Code firsts[sample_ranges::ranges];
  constexpr std::uint32_t counters = sample_ranges::counters;
  __shared__ Code bounds[all];
  __shared__ std::uint32_t sizes[counters];
  for (std::uint32_t i = threadIdx.x; i < all; i += blockDim.x) {
    bounds[i] = cuda::drawn_code<Code>(keys, n, encode, std::uint64_t{sample.size} + i);
  }
  for (std::uint32_t c = threadIdx.x; c < counters; c += blockDim.x) {
    sizes[c] = 0;
  }
  Code codes[thrown_by_thread];
  std::uint32_t const first = blockIdx.x * blockDim.x * thrown_by_thread + threadIdx.x;
#pragma unroll
  for (unsigned i = 0; i < thrown_by_thread; ++i) {
    codes[i] = cuda::drawn_code<Code>(keys, n, encode, first + i * blockDim.x);
  }
  __syncthreads();
  small_sort::by_block(bounds, all);
  for (std::uint32_t r = threadIdx.x; r < sample_ranges::ranges; r += blockDim.x) {
    firsts[r] = bounds[r * of_range];
    if (blockIdx.x == 0) {
      memory.firsts[r] = firsts[r];
    }
  }
  __syncthreads();
  std::uint32_t ranges[thrown_by_thread];
  std::uint32_t places[thrown_by_thread];
#pragma unroll
  for (unsigned i = 0; i < thrown_by_thread; ++i) {
    ranges[i] = 0;
    for (std::uint32_t half = sample_ranges::ranges / 2; half > 0; half /= 2) {
      ranges[i] += codes[i] >= firsts[ranges[i] + half] ? half : 0;
    }
    bool const is_drawn = first + i * blockDim.x < sample.size;
    bool const is_first = ranges[i] != 0 && codes[i] == firsts[ranges[i]];
    std::uint32_t const counter = ranges[i] + (is_first ? sample_ranges::ranges : 0);
    places[i] = is_drawn ? atomicAdd(sizes + counter, 1u) : sample.room;
    places[i] = is_first ? sample.room : places[i];
  }
  __syncthreads();
  for (std::uint32_t c = threadIdx.x; c < counters; c += blockDim.x) {
    sizes[c] = sizes[c] != 0 ? atomicAdd(memory.sizes + c, sizes[c]) : 0;
  }
  __syncthreads();
#pragma unroll
  for (unsigned i = 0; i < thrown_by_thread; ++i) {
    std::uint32_t const place = sizes[ranges[i]] + places[i];
    if (place < sample.room) {
      memory.thrown[ranges[i] * sample.room + place] = codes[i];
    }
  }
}

/// One block for each range, and shared memory for all codes that one has room for. Lost ones are
/// taken to be as the highest one of their range.
template <class Code>
__launch_bounds__(threads_of_sample)
    __global__ void sort_sample(sample_ranges const sample, sample_memory<Code> const memory) {
  cuda::take_turn();
  extern __shared__ uint4 shared[];
  auto* const of_warps = reinterpret_cast<std::uint32_t*>(shared);
  auto* const codes = reinterpret_cast<Code*>(of_warps + sample_ranges::words_beside);
  std::uint32_t lower = 0;
  for (std::uint32_t r = threadIdx.x; r < blockIdx.x; r += blockDim.x) {
    lower += memory.sizes[r] + memory.sizes[sample_ranges::ranges + r];
  }
  std::uint32_t const size = memory.sizes[blockIdx.x];
  std::uint32_t const firsts = memory.sizes[sample_ranges::ranges + blockIdx.x];
  std::uint32_t const stored = min(size, sample.room);
  for (std::uint32_t i = threadIdx.x; i < stored; i += blockDim.x) {
    codes[i] = memory.thrown[blockIdx.x * sample.room + i];
  }
  if (threadIdx.x < sample_ranges::words_beside) {
    of_warps[threadIdx.x] = 0;  // there are less warps
  }
  __syncthreads();
  cuda::exclusive_sum_over_block(lower, of_warps);
  Code* const to = memory.sorted + cuda::sum_of_warps(of_warps);
  for (std::uint32_t i = threadIdx.x; i < firsts; i += blockDim.x) {
    to[i] = memory.firsts[blockIdx.x];
  }
  small_sort::by_block(codes, stored);
  for (std::uint32_t i = threadIdx.x; i < size; i += blockDim.x) {
    to[firsts + i] = codes[min(i, stored - 1)];
  }
}

/// Codes that count from a higher one from now on.
template <class Code>
__launch_bounds__(threads_of_sample)
    __global__ void lower_sample(Code* const codes, std::uint32_t const size, Code const by) {
  cuda::take_turn();
  std::uint32_t const i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < size) {
    codes[i] -= by;
  }
}

#pragma GCC visibility pop
}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
