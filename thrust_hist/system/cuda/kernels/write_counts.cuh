// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// From a table of counts to an output that takes no atomics, and how many counts there are.

#include <thrust_hist/config.h>
#include <thrust_hist/system/cuda/kernels/counters.cuh>
#include <thrust_hist/system/cuda/kernels/kernels_in_turn.cuh>

#include <cstdint>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {
#pragma GCC visibility push(hidden)

/// Calls `each(bin, count)` for the bins of this thread. Four counts are under way at once.
template <class Each>
__device__ inline void for_each_count(
    global_counters const& counts, std::uint64_t const bins, Each each) {
  constexpr unsigned at_once = 4;
  std::uint64_t const stride = std::uint64_t{gridDim.x} * blockDim.x;
  for (std::uint64_t first = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; first < bins;
       first += at_once * stride) {
    std::uint64_t count[at_once];
#pragma unroll
    for (unsigned i = 0; i < at_once; ++i) {
      std::uint64_t const bin = first + i * stride;
      count[i] = bin < bins ? counts.count(bin) : 0;
    }
#pragma unroll
    for (unsigned i = 0; i < at_once; ++i) {
      std::uint64_t const bin = first + i * stride;
      if (bin < bins) {
        each(bin, count[i]);
      }
    }
  }
}

/// Writes the counts to an output that takes no atomics.
template <class Writer>
__launch_bounds__(1024, 1) __global__ void write_counts(
    global_counters const counts, std::uint64_t const bins, Writer const write) {
  cuda::take_turn();
  cuda::for_each_count(
      counts, bins, [&](std::uint64_t bin, std::uint64_t count) { write(bin, count); });
}

/// The sum over a warp, in all of its lanes.
__device__ inline unsigned long long sum_over_warp(unsigned long long mine) {
#pragma unroll
  for (unsigned d = 16; d > 0; d /= 2) {
    mine += __shfl_xor_sync(~0u, mine, d);
  }
  return mine;
}

/// Adds all counts to `sum`, each block once. The hardware has no addition of 64 bits in shared
/// memory: threads that all want the same word there would take turns at comparing and swapping.
template <class Counters>
__launch_bounds__(1024, 1) __global__ void add_up_counts(
    Counters const counts, std::uint64_t const bins, unsigned long long* const sum) {
  cuda::take_turn();
  __shared__ unsigned long long of_warps[32];
  unsigned long long mine = 0;
  cuda::for_each_count(counts, bins, [&](std::uint64_t, std::uint64_t count) { mine += count; });
  mine = cuda::sum_over_warp(mine);
  if (threadIdx.x % 32 == 0) {
    of_warps[threadIdx.x / 32] = mine;
  }
  __syncthreads();
  if (threadIdx.x < 32) {
    mine = cuda::sum_over_warp(threadIdx.x < blockDim.x / 32 ? of_warps[threadIdx.x] : 0);
    if (threadIdx.x == 0 && mine != 0) {
      atomicAdd(sum, mine);
    }
  }
}

/// Adds 1 to one bin of an output: for tests that want to be caught.
template <class Writer>
__global__ void falsify(std::uint64_t const bin, Writer const write) {
  cuda::take_turn();
  write(bin, 1);
}

#pragma GCC visibility pop
}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
