// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Route global: an atomic on global memory for each sample, but for bins that many samples have.

#include <thrust_hist/config.h>
#include <thrust_hist/system/cuda/frequent_bins.h>
#include <thrust_hist/system/cuda/kernels/counters.cuh>
#include <thrust_hist/system/cuda/kernels/hot_places.cuh>
#include <thrust_hist/system/cuda/kernels/kernels_in_turn.cuh>
#include <thrust_hist/system/cuda/kernels/samples.cuh>
#include <thrust_hist/system/cuda/kernels/shared_words.cuh>
#include <thrust_hist/system/cuda/kernels/simplest.cuh>

#include <cstdint>
#include <type_traits>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {
#pragma GCC visibility push(hidden)

/// What places for frequent bins hold: a counter each.
struct hot_counters {
  static constexpr std::uint32_t parts = 1;
  std::uint32_t counts;  // shared address

  __device__ void clear(std::uint32_t i) const { cuda::store_shared(counts + i * 4, 0); }
  __device__ bool add(std::uint32_t i) const {
    cuda::increment_shared(counts + i * 4);
    return true;
  }
  template <class Give>
  __device__ void flush(std::uint32_t i, Give give) const {
    std::uint32_t const count = cuda::load_shared(counts + i * 4);
    if (count != 0) {
      give(count);
    }
  }
};

/// A block sees less than 2^32 samples. `look`: null, or what a look has found.
template <class Samples, class Rule>
__launch_bounds__(1024, 1) __global__ void count_global(
    Samples const samples, __grid_constant__ Rule const rule, std::uint64_t const bins,
    global_counters const out, std::uint32_t const hot_entries, std::uint32_t const* const look) {
  cuda::take_turn();
  auto const found = look == nullptr ? advice::additions : static_cast<advice>(*look);
  if (found == advice::buckets) {
    return;
  }
  if constexpr (may_be_looked_at<typename Samples::sample>) {
    if (found == advice::additions_in_order) {
      samples.for_each(
          among_grid(),
          [&](auto const& x) {
            auto const bin = cuda::candidate<std::uint64_t>(rule, x);
            if (bin < bins) {
              out.add(bin, 1);
            }
          },
          [] {});
      return;
    }
  }
  extern __shared__ uint4 shared[];
  using places = hot_places<hot_counters>;
  std::uint32_t const memory = cuda::shared_address(shared);
  places hot(hot_entries, memory, {places::behind_names(hot_entries, memory)});
  hot.begin();
  __syncthreads();
  auto const count = [&](auto const& asked) {
    samples.for_each(
        among_grid(),
        [&](auto const& x) {
          auto const bin = cuda::candidate<std::uint64_t>(asked, x);
          if (bin < bins && !hot.add(bin)) {
            out.add(bin, 1);
          }
        },
        [] {});
  };
  if constexpr (std::is_floating_point_v<typename Samples::sample>) {
    cuda::with_simplest(rule, no_rule_memory{}, count);
  } else {
    count(rule);  // of integers the simplest form takes more registers, and spills
  }
  __syncthreads();
  hot.flush([&](std::uint64_t bin, std::uint32_t count) { out.add(bin, count); });
}

#pragma GCC visibility pop
}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
