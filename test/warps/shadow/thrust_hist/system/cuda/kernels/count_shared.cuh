// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Stands in for the header of this name: what those that sort tiles take from it.

#include <thrust_hist/config.h>
#include <thrust_hist/system/cuda/kernels/samples.cuh>
#include <thrust_hist/system/cuda/kernels/shared_words.cuh>

#include <cstdint>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {

inline void increment_shared(std::uint32_t address) {
  increase_shared(address, 1);
}

}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
