// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Route registers: a handful of bins, which every thread counts for itself.

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

/// Up to 8 bins as the bytes of one 64-bit register, emptied into 32-bit counters before a byte can
/// overflow. A thread sees less than 2^32 samples.
class register_counters {
public:
  __device__ void add(unsigned bin) { packed_ += 1ull << (8 * bin); }

  /// To be called after at most `Group` additions.
  template <unsigned Group>
  __device__ void after_group() {
    static_assert(Group <= 255);
    held_ += Group;
    if (held_ + Group > 255) {
      empty();
    }
  }
  __device__ void empty() {
#pragma unroll
    for (unsigned bin = 0; bin < 8; ++bin) {
      counts_[bin] += static_cast<std::uint32_t>(packed_ >> (8 * bin)) & 0xff;
    }
    packed_ = 0;
    held_ = 0;
  }
  __device__ std::uint32_t count(unsigned bin) const {
    return counts_[bin];
  }

private:
  std::uint64_t packed_ = 0;
  unsigned held_ = 0;
  std::uint32_t counts_[8] = {};
};

__device__ inline std::uint32_t sum_of_warp(std::uint32_t x) {
  constexpr unsigned all = 0xffffffffu;
#if __CUDA_ARCH__ >= 800
  return __reduce_add_sync(all, x);
#else
  for (unsigned distance = 16; distance > 0; distance /= 2) {
    x += __shfl_xor_sync(all, x, distance);
  }
  return x;
#endif
}

template <class Samples, class Rule>
__launch_bounds__(1024, 1) __global__ void count_registers(
    Samples const samples, __grid_constant__ Rule const rule, std::uint32_t const bins,
    global_counters const out) {
  cuda::take_turn();
  __shared__ std::uint32_t block_counts[8];
  if (threadIdx.x < 8) {
    block_counts[threadIdx.x] = 0;
  }
  __syncthreads();

  register_counters counters;
  samples.for_each(
      among_grid(),
      [&](auto const& x) {
        auto const bin = detail::candidate<std::uint32_t>(rule, x);
        if (bin < bins) {
          counters.add(bin);
        }
      },
      [&] { counters.template after_group<Samples::group>(); });
  counters.empty();

#pragma unroll
  for (unsigned bin = 0; bin < 8; ++bin) {
    std::uint32_t const count = sum_of_warp(counters.count(bin));
    if (threadIdx.x % 32 == 0 && count != 0) {
      atomicAdd(block_counts + bin, count);
    }
  }
  __syncthreads();
  if (threadIdx.x < bins && block_counts[threadIdx.x] != 0) {
    out.add(threadIdx.x, block_counts[threadIdx.x]);
  }
}

#pragma GCC visibility pop
}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
