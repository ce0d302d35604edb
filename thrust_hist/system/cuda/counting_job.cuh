// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// One call of a counting route: everything but the input and the rule.

#include <thrust_hist/config.h>
#include <thrust_hist/system/cuda/kernels/counters.cuh>
#include <thrust_hist/system/cuda/launch.cuh>
#include <thrust_hist/system/cuda/plan.h>

#include <cstdint>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {

struct counting_job {
  counting_plan plan;
  global_counters out;
  /// Of the cells or of what a look finds, if there are any, then of the route; aligned to 8 bytes.
  void* scratch;
  cudaStream_t stream;
  bool zeroed;                     ///< the counters are 0 before
  void* cells = nullptr;           ///< of the rule, or null
  std::uint32_t* found = nullptr;  ///< what a look found, or null: there was none
};

}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
