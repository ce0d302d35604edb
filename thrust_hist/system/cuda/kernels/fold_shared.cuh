// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Folds in a table in the shared memory of each block, and the kernel that merges the blocks' tables.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/fold.h>

#include <cstdint>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {
#pragma GCC visibility push(hidden)

/// Where pairs without a bin are counted, if anybody asks.
struct dropped_counter {
  unsigned long long* total;

  /// All threads of the block must call it; `mine` is of this thread.
  __device__ void add(std::uint32_t mine) const {
    if (total != nullptr && mine != 0) {
      atomicAdd(total, static_cast<unsigned long long>(mine));
    }
  }
};

/// Folds an input into tables, one for each block.
///
/// A table description makes the table of a block from dynamic shared memory. The table has `begin()`,
/// `add(bin, value)`, `add_four(bins, values)`, and `deliver()`; all threads call the first and the last.
template <class Input, class Description>
__launch_bounds__(1024, 1) __global__ void fold_shared(
    Input const input, Description const description, dropped_counter const dropped) {
  extern __shared__ uint4 shared[];
  if (description.is_idle()) {
    return;
  }
  auto table = description.make(shared);
  table.begin();
  __syncthreads();
  input.fold_into(table);
  __syncthreads();
  table.deliver();
  dropped.add(table.dropped());
}

#pragma GCC visibility pop
}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
