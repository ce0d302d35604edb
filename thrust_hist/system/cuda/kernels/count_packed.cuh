// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Route shared_packed: two 16-bit counters in each word of shared memory, for twice the bins.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/candidate.h>
#include <thrust_hist/system/cuda/kernels/counters.cuh>
#include <thrust_hist/system/cuda/kernels/kernels_in_turn.cuh>
#include <thrust_hist/system/cuda/kernels/samples.cuh>

#include <cstdint>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {
#pragma GCC visibility push(hidden)

/// Adds 1 to the 16-bit counter of a bin and never lets it carry into its neighbour. The thread
/// that brings it to 2^15 moves 2^15 to the output. Until that is done others may go on; who finds
/// 3 * 2^14 waits, and since each of the 1024 threads of a block can add at most one before it
/// waits, the counter stays below 2^16.
__device__ inline void add_packed(
    std::uint32_t* words, std::uint32_t bin, global_counters const& out) {
  constexpr std::uint32_t spill = 1u << 15;
  constexpr std::uint32_t wait = 3u << 14;
  unsigned const shift = (bin & 1) * 16;
  std::uint32_t* const word = words + (bin >> 1);
  std::uint32_t const before = (atomicAdd(word, 1u << shift) >> shift) & 0xffff;
  if (before >= spill - 1) {
    if (before == spill - 1) {
      atomicSub(word, spill << shift);
      out.add(bin, spill);
    } else if (before >= wait) {
      while (((*static_cast<std::uint32_t volatile*>(word) >> shift) & 0xffff) >= wait) {
      }
    }
  }
}

template <class Samples, class Rule>
__launch_bounds__(1024, 1) __global__ void count_packed(
    Samples const samples, __grid_constant__ Rule const rule, std::uint32_t const bins,
    global_counters const out) {
  cuda::take_turn();
  extern __shared__ std::uint32_t words[];
  for (std::uint32_t i = threadIdx.x; i < (bins + 1) / 2; i += blockDim.x) {
    words[i] = 0;
  }
  __syncthreads();

  samples.for_each(
      among_grid(),
      [&](auto const& x) {
        auto const bin = detail::candidate<std::uint32_t>(rule, x);
        if (bin < bins) {
          add_packed(words, bin, out);
        }
      },
      [] {});
  __syncthreads();

  for (std::uint32_t bin = threadIdx.x; bin < bins; bin += blockDim.x) {
    std::uint32_t const count = (words[bin >> 1] >> ((bin & 1) * 16)) & 0xffff;
    if (count != 0) {
      out.add(bin, count);
    }
  }
}

#pragma GCC visibility pop
}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
