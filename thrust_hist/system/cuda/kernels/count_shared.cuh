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
#pragma GCC visibility push(hidden)

/// A counter for each bin.
struct plain_table {
  std::uint32_t bins;
  static constexpr unsigned replicas_log2 = 0;
};

/// 32 counters for each bin: counter (bin, lane) lies at 32 * bin + lane, so that every lane has a
/// bank to itself.
struct lane_table {
  std::uint32_t bins;
  static constexpr unsigned replicas_log2 = 5;
};

/// The same for the values of a byte, which need no comparison with the number of bins.
struct byte_table {
  static constexpr std::uint32_t bins = 256;
  static constexpr unsigned replicas_log2 = 5;
};

/// Two blocks of 1024 threads on a multiprocessor leave 32 registers a thread. Samples of 1 byte need
/// no more, and need the threads: they come four times as fast as those of 4 bytes.
template <class Samples>
inline constexpr int resident_blocks = sizeof(typename Samples::sample) == 1 ? 2 : 1;

/// Adds 1 to the counter at an address in shared memory if bin < bins. By 32-bit address rather than
/// by pointer, whose conversion would cost as much as the addition; and predicated rather than
/// branched around, which would cost three instructions more. The hardware combines equal addresses.
__device__ inline void increment_shared_if_below(
    std::uint32_t bin, std::uint32_t bins, std::uint32_t address) {
  asm volatile(
      "{ .reg .pred counts; setp.lt.u32 counts, %0, %1; @counts red.shared.add.u32 [%2], 1; }" ::
          "r"(bin),
      "r"(bins), "r"(address)
      : "memory");
}

/// A block sees less than 2^32 samples.
template <class Samples, class Rule, class Table, class Deliver>
__launch_bounds__(1024, resident_blocks<Samples>) __global__ void count_shared(
    Samples const samples, Rule const rule, Table const table, Deliver const deliver) {
  extern __shared__ std::uint32_t counters[];
  constexpr unsigned log2 = Table::replicas_log2;
  constexpr std::uint32_t replicas = 1u << log2;
  for (std::uint32_t i = threadIdx.x; i < table.bins << log2; i += blockDim.x) {
    counters[i] = 0;
  }
  __syncthreads();

  auto const lane_counters = static_cast<std::uint32_t>(__cvta_generic_to_shared(counters)) +
                             (threadIdx.x & (replicas - 1)) * 4;
  samples.for_each(
      [&](auto const& x) {
        auto const bin = candidate<std::uint32_t>(rule, x);
        increment_shared_if_below(bin, table.bins, lane_counters + (bin << (log2 + 2)));
      },
      [] {});
  __syncthreads();

  for (std::uint32_t bin = threadIdx.x; bin < table.bins; bin += blockDim.x) {
    std::uint32_t count = 0;
    for (std::uint32_t i = 0; i < replicas; ++i) {  // each lane begins at a bank of its own
      count += counters[(bin << log2) + ((i + threadIdx.x) & (replicas - 1))];
    }
    if (count != 0) {
      deliver(bin, count);
    }
  }
}

#pragma GCC visibility pop
}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
