// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// From a table of 64-bit counts to an output that takes no atomics.

#include <thrust_hist/config.h>
#include <thrust_hist/system/cuda/kernels/counters.cuh>
#include <thrust_hist/system/cuda/kernels/kernels_in_turn.cuh>

#include <cstdint>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {
#pragma GCC visibility push(hidden)

/// Writes counts[0 .. bins) and adds up in counts[bins] how many there are.
template <class Writer>
__launch_bounds__(1024, 1) __global__ void write_counts(
    unsigned long long* const counts, std::uint64_t const bins, Writer const write) {
  cuda::take_turn();
  __shared__ unsigned long long block_total;
  if (threadIdx.x == 0) {
    block_total = 0;
  }
  __syncthreads();
  unsigned long long total = 0;
  std::uint64_t const stride = std::uint64_t{gridDim.x} * blockDim.x;
  for (std::uint64_t bin = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; bin < bins;
       bin += stride) {
    write(bin, counts[bin]);
    total += counts[bin];
  }
  atomicAdd(&block_total, total);
  __syncthreads();
  if (threadIdx.x == 0) {
    atomicAdd(counts + bins, block_total);
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
