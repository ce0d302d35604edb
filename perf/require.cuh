// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// A benchmark ends at the first failed CUDA call. What the GPU is like.

#include <cstddef>
#include <cstdio>
#include <cstdlib>

namespace perf {

inline void require(cudaError_t error, char const* what) {
  if (error != cudaSuccess) {
    std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(error));
    std::exit(1);
  }
}

/// A property of the current GPU.
inline int device_attribute(cudaDeviceAttr which) {
  int device = 0, value = 0;
  require(cudaGetDevice(&device), "cudaGetDevice");
  require(cudaDeviceGetAttribute(&value, which, device), "cudaDeviceGetAttribute");
  return value;
}
inline unsigned multiprocessors() {
  return static_cast<unsigned>(device_attribute(cudaDevAttrMultiProcessorCount));
}
/// The most shared memory that a block can have.
inline std::size_t shared_bytes_of_block() {
  return static_cast<std::size_t>(device_attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin));
}

}  // namespace perf
