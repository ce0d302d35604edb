// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// What blocks left for each bin, brought together.

#include <thrust_hist/config.h>

#include <cstdint>
#include <new>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {

/// Of a block.
inline constexpr unsigned merging_threads = 256;

/// Calls `finish(bin, state)` once for each bin. `add(state, part, bin)` adds one of `parts` parts to what begins as
/// `begin()`, and `merge(state, other)` another such sum. With shared memory, a state for each thread, the warps of a
/// block share the parts of 32 bins out, so that many loads of neighbours are under way; null: each thread has its bins
/// for itself.
template <class State, class Begin, class Add, class Merge, class Finish>
__device__ inline void merge_parts(
    std::uint64_t bins, unsigned parts, State* shared, Begin begin, Add add, Merge merge,
    Finish finish) {
  bool const shares = shared != nullptr;
  unsigned const warp = shares ? threadIdx.x / 32 : 0;
  unsigned const warps = shares ? blockDim.x / 32 : 1;
  unsigned const bins_at_once = blockDim.x / warps;
  for (std::uint64_t first = std::uint64_t{blockIdx.x} * bins_at_once; first < bins;
       first += std::uint64_t{gridDim.x} * bins_at_once) {
    std::uint64_t const bin = first + threadIdx.x % bins_at_once;
    State sum = begin();
    if (bin < bins) {
#pragma unroll 16
      for (unsigned part = warp; part < parts; part += warps) {
        add(sum, part, bin);
      }
    }
    if (shares) {
      __syncthreads();  // the turn before is over
      ::new (static_cast<void*>(shared + threadIdx.x)) State(sum);
      __syncthreads();
      for (unsigned i = threadIdx.x + 32; warp == 0 && i < blockDim.x; i += 32) {
        merge(sum, shared[i]);
      }
    }
    if (warp == 0 && bin < bins) {
      finish(bin, sum);
    }
  }
}

}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
