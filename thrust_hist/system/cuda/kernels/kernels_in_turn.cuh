// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Kernels that follow each other in a stream: the next one is on its way before the one before has
/// ended ("programmatic dependent launch", from architecture 90 on), so each of them must wait by
/// itself. See launch().

#include <thrust_hist/config.h>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {
#pragma GCC visibility push(hidden)

/// What every kernel begins with: waits until all kernels before have ended and what they wrote can
/// be read. All threads call it, before they do anything that concerns global memory.
__device__ inline void take_turn() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}

/// Lets the next kernel come, to wait in its turn, once all blocks have called this or ended. Only
/// where each block of the next one takes a multiprocessor for itself, or it is short: blocks that
/// come while this kernel has some of the multiprocessors share the others, and stay there.
__device__ inline void let_next_kernel_come() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
#endif
}

#pragma GCC visibility pop
}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
