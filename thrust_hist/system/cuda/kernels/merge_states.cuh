// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// From the tables of blocks to the output.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/fold.h>
#include <thrust_hist/system/cuda/kernels/lanes.cuh>

#include <cstdint>
#include <new>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {
#pragma GCC visibility push(hidden)

/// Folds `parts` states of each bin, which lie `bins` apart, and writes them. `lanes` threads for each bin,
/// 1 or 32.
template <class Fold, class Writer>
__launch_bounds__(256) __global__ void merge_states(
    typename Fold::state const* const states, unsigned const parts, std::uint64_t const bins,
    unsigned const lanes, Fold const fold, Writer const write) {
  std::uint64_t const stride = std::uint64_t{gridDim.x} * blockDim.x / lanes;
  std::uint64_t const thread = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  for (std::uint64_t bin = thread / lanes; bin < bins; bin += stride) {
    typename Fold::state sum = fold.empty();
    for (unsigned part = static_cast<unsigned>(thread % lanes); part < parts; part += lanes) {
      fold.merge(sum, states[part * bins + bin]);
    }
    if (lanes > 1) {
      cuda::fold_over_lanes(fold, sum, lanes);
    }
    if (thread % lanes == 0) {
      write(bin, sum);
    }
  }
}

/// Begins states in global memory.
template <class Fold>
__launch_bounds__(256) __global__ void begin_states(
    typename Fold::state* const states, std::uint64_t const bins, Fold const fold) {
  std::uint64_t const stride = std::uint64_t{gridDim.x} * blockDim.x;
  for (std::uint64_t bin = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; bin < bins;
       bin += stride) {
    ::new (static_cast<void*>(states + bin)) typename Fold::state(fold.empty());
  }
}

#pragma GCC visibility pop
}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
