// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Route shared and shared_lanes: a table of 32-bit counters in the shared memory of each block,
/// replicated over the lanes of a warp where bins are few.

#include <thrust_hist/config.h>
#include <thrust_hist/system/cuda/kernels/counters.cuh>

#include <cstdint>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {

/// A table of `bins` counters, each 2^replicas_log2 times: counter (bin, lane) lies at
/// bin * replicas + lane, so that with 32 of them every lane has a bank to itself.
struct shared_table {
  std::uint32_t bins;
  unsigned replicas_log2;
};

/// Two blocks of 1024 threads on a multiprocessor leave 32 registers a thread. Samples of 1 byte need
/// no more, and need the threads: they come four times as fast as those of 4 bytes.
template <class Samples>
inline constexpr int resident_blocks = sizeof(typename Samples::sample) == 1 ? 2 : 1;

/// A block sees less than 2^32 samples.
template <class Samples, class Rule, class Deliver>
__launch_bounds__(1024, resident_blocks<Samples>) THRUST_HIST_KERNEL count_shared(
    Samples const samples, Rule const rule, shared_table const table, Deliver const deliver) {
  extern __shared__ std::uint32_t counters[];
  std::uint32_t const replicas = 1u << table.replicas_log2;
  for (std::uint32_t i = threadIdx.x; i < table.bins << table.replicas_log2; i += blockDim.x) {
    counters[i] = 0;
  }
  __syncthreads();

  std::uint32_t* const lane_counters = counters + (threadIdx.x & (replicas - 1));
  samples.for_each(
      [&](auto const& x) {
        auto const bin = static_cast<std::uint32_t>(rule(x));
        if (bin < table.bins) {
          atomicAdd(lane_counters + (bin << table.replicas_log2), 1u);
        }
      },
      [] {});
  __syncthreads();

  for (std::uint32_t bin = threadIdx.x; bin < table.bins; bin += blockDim.x) {
    std::uint32_t count = 0;
    for (std::uint32_t i = 0; i < replicas; ++i)  // each lane begins at a bank of its own
    {
      count += counters[(bin << table.replicas_log2) + ((i + threadIdx.x) & (replicas - 1))];
    }
    if (count != 0) {
      deliver(bin, count);
    }
  }
}

}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
