// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Before route partitioned: rows of 32 samples side by side, from all over the input, tell whether
/// additions to global memory take less.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/candidate.h>
#include <thrust_hist/detail/mixed_codes.h>
#include <thrust_hist/system/cuda/frequent_bins.h>
#include <thrust_hist/system/cuda/kernels/kernels_in_turn.cuh>
#include <thrust_hist/system/cuda/kernels/lanes.cuh>

#include <cstdint>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {
#pragma GCC visibility push(hidden)

/// The bins of two rows of one tile, for a warp of a block of 1 024 threads.
class pair_of_rows {
public:
  static constexpr std::uint32_t none = ~0u;
  /// How many rows have a bin: those that share a counter are taken for one. There are as many as
  /// four times the samples.
  static constexpr std::uint32_t counters = look_at_bins::rows * 32 * 4;

  /// `bin_at(i)` of samples 0 to n - 1, or none; tiles of so many.
  template <class BinAt>
  __device__ pair_of_rows(std::uint64_t n, std::uint32_t tile, BinAt bin_at) {
    std::uint64_t const apart = min(std::uint64_t{tile / 2}, n / 2);
    std::uint64_t const pair = threadIdx.x / 32 + 1;
    std::uint64_t const first = __umul64hi(detail::mix_code(pair), n - apart) + threadIdx.x % 32;
    bins_[0] = bin_at(min(first, n - 1));
    bins_[1] = bin_at(min(first + apart, n - 1));
  }
  __device__ void count(std::uint32_t* counters) const {
    for (std::uint32_t const bin : bins_) {
      bool const is_first = (__match_any_sync(~0u, bin) & ((1u << threadIdx.x % 32) - 1)) == 0;
      if (bin != none && is_first) {
        atomicAdd(counters + counter_of(bin), 1u);
      }
    }
  }
  /// Once all have counted: of this warp.
  __device__ std::uint32_t rare(std::uint32_t const* counters) const {
    std::uint32_t count = 0;
    for (std::uint32_t const bin : bins_) {
      bool const is_rare = bin != none && counters[counter_of(bin)] < look_at_bins::frequent;
      count += static_cast<std::uint32_t>(__popc(__ballot_sync(~0u, is_rare)));
    }
    return count;
  }
  __device__ bool is_near(std::uint32_t near_bins) const {
    std::uint32_t const low = cuda::over_warp(
        min(bins_[0], bins_[1]), [](std::uint32_t a, std::uint32_t b) { return min(a, b); });
    std::uint32_t const end = cuda::over_warp(
        max(bins_[0] + 1, bins_[1] + 1), [](std::uint32_t a, std::uint32_t b) { return max(a, b); });
    return end - low <= near_bins;  // of none `end` is 0
  }

private:
  __device__ static std::uint32_t counter_of(std::uint32_t bin) {
    return bin * 0x9e3779b9u / (~0u / counters + 1);
  }

  std::uint32_t bins_[2];
};

/// By one block of 1 024 threads. Samples are numbered, as iterator_samples has them.
template <class Samples, class Rule>
__launch_bounds__(32 * look_at_bins::pairs, 1) __global__ void look_at_rows(
    Samples const samples, Rule const rule, std::uint32_t const bins, std::uint32_t const tile,
    std::uint32_t const near_bins, look_at_bins const look, std::uint32_t* const prefers_additions) {
  cuda::take_turn();
  __shared__ std::uint32_t counters[pair_of_rows::counters];
  __shared__ seen_rows seen;
  pair_of_rows const rows(samples.size(), tile, [&](std::uint64_t i) {
    auto const bin = detail::candidate<std::uint64_t>(rule, samples.at(i));
    return bin < bins ? static_cast<std::uint32_t>(bin) : pair_of_rows::none;
  });
  for (std::uint32_t i = threadIdx.x; i < pair_of_rows::counters; i += blockDim.x) {
    counters[i] = 0;
  }
  if (threadIdx.x == 0) {
    seen = {};
  }
  __syncthreads();
  rows.count(counters);
  bool const is_near = rows.is_near(near_bins);
  __syncthreads();
  std::uint32_t const rare = rows.rare(counters);
  if (threadIdx.x % 32 == 0) {
    atomicAdd(&seen.rare, rare);
    atomicAdd(&seen.near, is_near ? 1u : 0u);
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    *prefers_additions = look.prefers_additions(seen) ? 1 : 0;
  }
}

#pragma GCC visibility pop
}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
