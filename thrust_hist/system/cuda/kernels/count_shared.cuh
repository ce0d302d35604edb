// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Routes shared, shared_lanes and shared_split: a table of 32-bit counters in the shared memory of
/// each block; replicated over the lanes of a warp where bins are few, shared out among blocks
/// where they are too many for one.

#include <thrust_hist/config.h>
#include <thrust_hist/system/cuda/kernels/counters.cuh>
#include <thrust_hist/system/cuda/kernels/kernels_in_turn.cuh>
#include <thrust_hist/system/cuda/kernels/rule_memory.cuh>
#include <thrust_hist/system/cuda/kernels/samples.cuh>
#include <thrust_hist/system/cuda/kernels/shared_words.cuh>
#include <thrust_hist/system/cuda/kernels/simplest.cuh>

#include <cstdint>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {
#pragma GCC visibility push(hidden)

/// A counter for each bin. Its slots are the bins.
struct plain_table {
  std::uint32_t bins;
  static constexpr unsigned replicas_log2 = 0;
  static constexpr bool reads_again = false;
  __device__ std::uint32_t slots() const { return bins; }
  __device__ std::uint32_t slot(std::uint32_t bin) const { return bin; }
  __device__ std::uint32_t bin(std::uint32_t slot) const { return slot; }
  __device__ sharing share() const { return among_grid(); }
};

/// 32 counters for each bin: counter (bin, lane) lies at 32 * bin + lane, so that every lane has a
/// bank to itself.
struct lane_table : plain_table {
  static constexpr unsigned replicas_log2 = 5;
};

/// The same for the values of a byte, none of which lies outside.
struct byte_table : lane_table {
  __device__ static constexpr std::uint32_t slots() { return 256; }
};

/// A counter for each bin in the blocks of a group together, a power of two of them. They read the
/// same samples at about the same time, so that all but the first find them in the second-level
/// cache. Block i counts the bins i, i + parts, i + 2 * parts ..., so that none has all the
/// frequent ones.
struct split_table {
  std::uint32_t bins;
  std::uint32_t parts_log2;
  static constexpr unsigned replicas_log2 = 0;
  static constexpr bool reads_again = true;

  __device__ std::uint32_t part() const { return blockIdx.x & ((1u << parts_log2) - 1); }
  __device__ std::uint32_t slots() const {
    return part() < bins ? ((bins - part() - 1) >> parts_log2) + 1 : 0;
  }
  /// A rotation puts the bins of other blocks, and what is no bin, behind all slots.
  __device__ std::uint32_t slot(std::uint32_t bin) const {
    std::uint32_t const from_first = bin - part();
    return __funnelshift_r(from_first, from_first, parts_log2);
  }
  __device__ std::uint32_t bin(std::uint32_t slot) const { return (slot << parts_log2) + part(); }
  __device__ sharing share() const {
    return {
        std::uint64_t{blockIdx.x >> parts_log2} * blockDim.x + threadIdx.x,
        std::uint64_t{gridDim.x >> parts_log2} * blockDim.x};
  }
};

/// Two blocks of 1024 threads on a multiprocessor leave 32 registers a thread. Samples of 1 byte
/// need no more, and need the threads: they come four times as fast as those of 4 bytes.
template <class Samples>
inline constexpr int resident_blocks = sizeof(typename Samples::sample) == 1 ? 2 : 1;

/// What all replicas of a slot have counted.
template <class Table>
__device__ inline std::uint32_t count_of_slot(std::uint32_t const* counters, std::uint32_t slot) {
  constexpr unsigned log2 = Table::replicas_log2;
  constexpr std::uint32_t replicas = 1u << log2;
  std::uint32_t count = 0;
  for (std::uint32_t i = 0; i < replicas; ++i) {  // each lane begins at a bank of its own
    count += counters[(slot << log2) + ((i + threadIdx.x) & (replicas - 1))];
  }
  return count;
}

/// A block sees less than 2^32 samples. What has no slot is counted behind the last one: a branch
/// around the addition costs more.
template <class Samples, class Rule, class Table, class Deliver>
__launch_bounds__(1024, resident_blocks<Samples>) __global__ void count_shared(
    Samples const samples, __grid_constant__ Rule const rule, Table const table,
    __grid_constant__ Deliver const deliver, bytes_of_rule const of_rule) {
  cuda::take_turn();
  extern __shared__ std::uint32_t counters[];
  constexpr unsigned log2 = Table::replicas_log2;
  constexpr std::uint32_t replicas = 1u << log2;
  std::uint32_t const slots = table.slots();
  for (std::uint32_t i = threadIdx.x; i < (slots + 1) << log2; i += blockDim.x) {
    counters[i] = 0;
  }
  __syncthreads();

  auto const lane_counters = static_cast<std::uint32_t>(__cvta_generic_to_shared(counters)) +
                             (threadIdx.x & (replicas - 1)) * 4;
  cuda::with_simplest(rule, of_rule.in(counters), [&](auto const& simple) {
    samples.template for_each<Table::reads_again>(
        table.share(),
        [&](auto const& x) {
          std::uint32_t const slot =
              min(table.slot(cuda::candidate<std::uint32_t>(simple, x)), slots);
          increment_shared(lane_counters + (slot << (log2 + 2)));
        },
        [] {});
  });
  __syncthreads();

  for (std::uint32_t slot = threadIdx.x; slot < slots; slot += blockDim.x) {
    std::uint32_t const count = cuda::count_of_slot<Table>(counters, slot);
    if (count != 0) {
      deliver(table.bin(slot), count);
    }
  }
}

#pragma GCC visibility pop
}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
