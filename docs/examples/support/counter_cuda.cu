// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "counter_cuda.cuh"

#include <thrust/device_vector.h>
#include <thrust/system/cuda/execution_policy.h>

namespace {
struct cuda_gpu {
  template <class T>
  using vector = thrust::device_vector<T>;
  static constexpr bool warm_up = true;

  auto policy() const { return thrust::cuda::par; }
  unsigned char const* load(std::vector<unsigned char> const& chunk) {
    memory_.assign(chunk.begin(), chunk.end());
    return thrust::raw_pointer_cast(memory_.data());
  }

private:
  vector<unsigned char> memory_;
};
}  // namespace

available_system cuda_system() {
  available_system found{
      "cuda", "", "", [] { return std::unique_ptr<counter>(new counter_on<cuda_gpu>); }};
  cudaDeviceProp properties{};
  cudaError_t const status = cudaGetDeviceProperties(&properties, 0);
  if (status == cudaSuccess) {
    found.description = std::string("CUDA (thrust::cuda::par) on ") + properties.name;
  } else {
    found.why_not = cudaGetErrorString(status);
  }
  return found;
}
