// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// A block that makes exact sums alone, from the input to the output: what its kernel and the plan
/// agree on. No CUDA headers.

#include <thrust_hist/config.h>

#include <cstddef>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {

/// Whether a long accumulator of so many bytes has many limbs: that of double, not that of float.
constexpr bool has_many_limbs(std::size_t bytes) {
  return bytes > 128;
}

/// Threads of the block at most: with many limbs, each takes more registers than 1024 could have.
constexpr unsigned most_threads_with(std::size_t accumulator_bytes) {
  return has_many_limbs(accumulator_bytes) ? 256 : 1024;
}

}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
