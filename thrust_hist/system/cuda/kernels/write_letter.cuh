// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// What stands in memory of the GPU, written to memory of the host, which the GPU sees: the next
/// kernel follows a kernel sooner than it follows a copy.

#include <thrust_hist/config.h>
#include <thrust_hist/system/cuda/kernels/kernels_in_turn.cuh>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {
#pragma GCC visibility push(hidden)

template <class Letter>
__global__ void write_letter(Letter const* const from, Letter* const letter) {
  cuda::take_turn();
  if (threadIdx.x == 0) {
    *letter = *from;
  }
}

#pragma GCC visibility pop
}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
