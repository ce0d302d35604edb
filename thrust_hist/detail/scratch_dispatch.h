// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Scratch memory is kept on CUDA alone.

#include <thrust_hist/config.h>

#if defined(__CUDACC__)
#  include <thrust_hist/system/cuda/kept_memory.cuh>
#endif

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {

inline void release_kept_memory() {
#if defined(__CUDACC__)
  cuda::kept_memory::release_on_current_device();
#endif
}

}  // namespace detail
THRUST_HIST_NAMESPACE_END
