// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Sums over the threads of a warp and of a block.

#include <thrust_hist/config.h>

#include <cstdint>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {

/// The sum of `mine` over the lanes up to this one. All lanes of the warp must call it.
__device__ inline std::uint32_t inclusive_sum_over_warp(std::uint32_t mine) {
  std::uint32_t sum = mine;
#pragma unroll
  for (unsigned d = 1; d < 32; d *= 2) {
    std::uint32_t const before = __shfl_up_sync(~0u, sum, d);
    sum += threadIdx.x % 32 >= d ? before : 0;
  }
  return sum;
}

/// The sum of `mine` over all threads before this one; `of_warps` is shared memory, a number for
/// each warp. All threads of the block must call it.
__device__ inline std::uint32_t exclusive_sum_over_block(
    std::uint32_t mine, std::uint32_t* of_warps) {
  unsigned const lane = threadIdx.x % 32;
  unsigned const warp = threadIdx.x / 32;
  std::uint32_t sum = inclusive_sum_over_warp(mine);
  if (lane == 31) {
    of_warps[warp] = sum;
  }
  __syncthreads();
  for (unsigned w = 0; w < warp; ++w) {
    sum += of_warps[w];
  }
  return sum - mine;
}

/// The same where there are at most so many warps, and the sum over all threads, too.
template <unsigned Warps>
__device__ inline std::uint32_t exclusive_sum_over_block(
    std::uint32_t mine, std::uint32_t* of_warps, std::uint32_t& of_all) {
  unsigned const warp = threadIdx.x / 32;
  std::uint32_t sum = inclusive_sum_over_warp(mine);
  if (threadIdx.x % 32 == 31) {
    of_warps[warp] = sum;
  }
  __syncthreads();
  of_all = 0;
#pragma unroll
  for (unsigned w = 0; w < Warps; ++w) {
    std::uint32_t const of_warp = w < blockDim.x / 32 ? of_warps[w] : 0;
    sum += w < warp ? of_warp : 0;
    of_all += of_warp;
  }
  return sum - mine;
}

/// The sum over all warps of a block, once exclusive_sum_over_block() has left them there and
/// threads have waited for each other. There must be 32 words, 0 for warps that there are not.
__device__ inline std::uint32_t sum_of_warps(std::uint32_t const* of_warps) {
  std::uint32_t const mine = of_warps[threadIdx.x % 32];
  return __shfl_sync(~0u, inclusive_sum_over_warp(mine), 31);
}

}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
