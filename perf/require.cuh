// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// A benchmark ends at the first failed CUDA call.

#include <cstdio>
#include <cstdlib>

namespace perf {

inline void require(cudaError_t error, char const* what) {
  if (error != cudaSuccess) {
    std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(error));
    std::exit(1);
  }
}

}  // namespace perf
