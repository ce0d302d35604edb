// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Memory of a system, allocated to the byte so that a sanitizer sees every access beside it. They
// launch nothing: a unit with many types would otherwise compile Thrust's kernels for each of them.

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <memory>
#include <type_traits>
#include <vector>

#ifdef __CUDACC__
#  include <cuda_runtime_api.h>
#  include <thrust/device_ptr.h>
#  include <thrust/system/cuda/error.h>
#  include <thrust/system_error.h>
#endif

namespace test {

template <class T>
class host_buffer {
public:
  using value_type = T;

  host_buffer(T const* from, std::size_t size) : size_(size), data_(new T[size]) {
    std::copy_n(from, size, data_.get());
  }
  std::size_t size() const { return size_; }
  T* data() { return data_.get(); }
  T const* data() const { return data_.get(); }
  T* begin() { return data(); }
  T* end() { return data() + size_; }
  void read(T* to) const { std::copy_n(data(), size_, to); }

private:
  std::size_t size_;
  std::unique_ptr<T[]> data_;
};

#ifdef __CUDACC__
inline void check_cuda(cudaError_t status, char const* what) {
  if (status != cudaSuccess)
    throw thrust::system_error(status, thrust::cuda_category(), what);
}

template <class T>
class cuda_buffer {
public:
  using value_type = T;

  cuda_buffer(T const* from, std::size_t size) : size_(size) {
    T* pointer = nullptr;
    if (size > 0)
      check_cuda(cudaMalloc(&pointer, size * sizeof(T)), "cudaMalloc of a test buffer");
    data_.reset(pointer);
    if (size > 0)
      check_cuda(
          cudaMemcpy(pointer, from, size * sizeof(T), cudaMemcpyHostToDevice), "copy to a buffer");
    // From pageable memory the copy may still be under way, and no other stream waits for it.
    check_cuda(cudaDeviceSynchronize(), "the copy to a buffer");
  }
  std::size_t size() const { return size_; }
  T* data() { return data_.get(); }
  T const* data() const { return data_.get(); }
  thrust::device_ptr<T> begin() { return thrust::device_ptr<T>(data()); }
  thrust::device_ptr<T> end() { return begin() + static_cast<std::ptrdiff_t>(size_); }
  void read(T* to) const {
    check_cuda(cudaDeviceSynchronize(), "the work before reading a buffer");
    if (size_ > 0)
      check_cuda(
          cudaMemcpy(to, data(), size_ * sizeof(T), cudaMemcpyDeviceToHost), "copy of a buffer");
  }

private:
  struct release {
    void operator()(T* pointer) const { cudaFree(pointer); }
  };
  std::size_t size_;
  std::unique_ptr<T, release> data_;
};
#endif

}  // namespace test
