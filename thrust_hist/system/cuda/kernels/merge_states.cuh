// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// From the tables of blocks to the output.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/fold.h>
#include <thrust_hist/system/cuda/kernels/kernels_in_turn.cuh>
#include <thrust_hist/system/cuda/kernels/merged_parts.cuh>
#include <thrust_hist/system/cuda/kernels/shared_words.cuh>

#include <cstdint>
#include <new>
#include <type_traits>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {
#pragma GCC visibility push(hidden)

/// Folds `parts` states of each bin, which lie `bins` apart, and writes them. Shared memory: a
/// state for each thread, or none, as grid_for_merging says.
template <class Fold, class Writer>
__launch_bounds__(merging_threads) __global__ void merge_states(
    typename Fold::state const* const states, unsigned const parts, std::uint64_t const bins,
    bool const shares, Fold const fold, Writer const write) {
  cuda::take_turn();
  using state = typename Fold::state;
  // Large ones are read where they are added.
  using loaded = std::conditional_t<(parts_at_once<state> > 1), state, state const&>;
  extern __shared__ uint4 shared[];
  cuda::merge_parts(
      bins, shares ? cuda::aligned_for<state>(shared) : nullptr, [&] { return fold.empty(); },
      [&](state& sum, std::uint64_t bin, unsigned first, unsigned step) {
        cuda::add_parts<parts_at_once<state>>(
            first, step, parts, [&](unsigned part) -> loaded { return states[part * bins + bin]; },
            [&](unsigned, state const& x) { fold.merge(sum, x); });
      },
      [&](state& sum, state const& other) { fold.merge(sum, other); }, write);
}

/// The same where there is one state of each bin.
template <class State, class Writer>
__launch_bounds__(merging_threads) __global__ void write_states(
    State const* const states, std::uint64_t const bins, Writer const write) {
  cuda::take_turn();
  std::uint64_t const stride = std::uint64_t{gridDim.x} * blockDim.x;
#pragma unroll 4
  for (std::uint64_t bin = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; bin < bins;
       bin += stride) {
    write(bin, states[bin]);
  }
}

/// Begins states in global memory.
template <class Fold>
__launch_bounds__(merging_threads) __global__ void begin_states(
    typename Fold::state* const states, std::uint64_t const bins, Fold const fold) {
  cuda::take_turn();
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
