// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Sparse histograms, route partitioned: what a warp's part of a table has.

#include <thrust_hist/config.h>
#include <thrust_hist/system/cuda/kernels/lanes.cuh>

#include <cstdint>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {
#pragma GCC visibility push(hidden)

struct range_part {
  std::uint32_t rows;     ///< codes that occur
  std::uint32_t counted;  ///< how often they do

  /// From what its lanes have. All lanes must call it.
  __device__ static range_part over_warp(range_part const& mine) {
    auto const add = [](auto a, auto b) { return a + b; };
    return {cuda::over_warp(mine.rows, add), cuda::over_warp(mine.counted, add)};
  }
};

#pragma GCC visibility pop
}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
