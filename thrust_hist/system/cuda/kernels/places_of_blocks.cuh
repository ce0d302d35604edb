// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Where a block leaves the states of its bins, for another kernel to bring those of all blocks
/// together.

#include <thrust_hist/config.h>

#include <cstdint>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {
#pragma GCC visibility push(hidden)

/// Writes a state to the place of its bin among those of this block: `all[block * bins + bin]`.
template <class State>
struct place_of_block {
  State* mine;
  __device__ void operator()(std::uint32_t bin, State const& state) const { mine[bin] = state; }
};
template <class State>
__device__ inline place_of_block<State> to_place_of_block(State* all, std::uint32_t bins) {
  return {all + std::uint64_t{blockIdx.x} * bins};
}

#pragma GCC visibility pop
}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
