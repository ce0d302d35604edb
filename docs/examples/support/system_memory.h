// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <thrust/system_error.h>
#if defined(__CUDACC__)
#  include <thrust/system/cuda/error.h>
#endif

#include <cstddef>
#include <new>

#if defined(__CUDACC__)
inline void check_cuda(cudaError_t status, char const* operation) {
  if (status != cudaSuccess) {
    throw thrust::system_error(status, thrust::cuda_category(), operation);
  }
}
#endif

/// Memory of the system that thrust::device is: the GPU's where that is CUDA.
inline void* allocate_device_bytes(std::size_t bytes) {
#if defined(__CUDACC__)
  void* memory = nullptr;
  check_cuda(cudaMalloc(&memory, bytes), "cudaMalloc");
  return memory;
#else
  return ::operator new(bytes);
#endif
}

inline void free_device_bytes(void* memory) noexcept {
#if defined(__CUDACC__)
  cudaFree(memory);
#else
  ::operator delete(memory);
#endif
}
