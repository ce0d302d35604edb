// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// The block of a grid that ends last goes on with what all of them have left.

#include <thrust_hist/config.h>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {
#pragma GCC visibility push(hidden)

/// Whether all others of so many blocks have been here; this one then sees what they wrote before.
/// All threads of each of them must call it. `ticket`: 0 at first, and again once the last one has
/// been here.
__device__ inline bool is_last_block_of(unsigned blocks, unsigned* const ticket) {
  bool is_last = false;
  __syncthreads();  // what any thread of the block has written, before the fence of the first one
  if (threadIdx.x == 0) {
    __threadfence();
    is_last = atomicAdd(ticket, 1u) == blocks - 1;
    __threadfence();
    if (is_last) {
      *ticket = 0;
    }
  }
  return __syncthreads_or(is_last) != 0;
}
/// The same of all blocks of a grid.
__device__ inline bool is_last_block(unsigned* const ticket) {
  return cuda::is_last_block_of(gridDim.x, ticket);
}

#pragma GCC visibility pop
}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
