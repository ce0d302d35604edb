// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Shared by the benchmarks: inputs by distribution, and device memory.

#include "distributions.h"
#include "require.cuh"

#include <cstdint>
#include <type_traits>

namespace perf {

/// Keys below `bins`; floating-point samples lie anywhere inside their bin.
template <class T>
__global__ void fill(T* out, std::uint64_t n, std::uint64_t bins, distribution d) {
  std::uint64_t const stride = std::uint64_t{gridDim.x} * blockDim.x;
  for (std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n; i += stride) {
    std::uint64_t const key = key_at(i, n, bins, d);
    double const inside = static_cast<double>(mix(mix(i)) >> 40) * 0x1p-24;
    out[i] = std::is_floating_point_v<T>
                 ? static_cast<T>(static_cast<double>(key) + 0.05 + 0.9 * inside)
                 : static_cast<T>(key);
  }
}

/// Device memory for the time of a benchmark.
class buffer {
public:
  explicit buffer(std::size_t bytes) { require(cudaMalloc(&data_, bytes), "cudaMalloc"); }
  ~buffer() { cudaFree(data_); }
  buffer(buffer const&) = delete;
  buffer& operator=(buffer const&) = delete;
  template <class T>
  T* as() const {
    return static_cast<T*>(data_);
  }

private:
  void* data_ = nullptr;
};

/// Keeps the largest block that was asked for: what a caching allocator gives a call.
class caching_allocator {
public:
  using value_type = char;
  char* allocate(std::ptrdiff_t bytes) {
    if (bytes > size_) {
      cudaFree(block_);
      require(cudaMalloc(&block_, static_cast<std::size_t>(bytes)), "cudaMalloc");
      size_ = bytes;
    }
    return block_;
  }
  void deallocate(char*, std::size_t) {}
  ~caching_allocator() { cudaFree(block_); }

private:
  char* block_ = nullptr;
  std::ptrdiff_t size_ = 0;
};

/// Throws what the second-level cache holds out of it, for inputs that would fit: writes more than
/// any cache of a GPU of today holds.
class cache_flush {
public:
  void operator()() const { require(cudaMemsetAsync(memory_.as<void>(), 0, bytes), "flush"); }

private:
  static constexpr std::size_t bytes = std::size_t{256} << 20;
  buffer memory_{bytes};
};

}  // namespace perf
