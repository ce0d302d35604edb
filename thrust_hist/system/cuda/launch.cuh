// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Talking to the CUDA runtime: every call checked, every kernel launched in one place.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/policy.h>
#include <thrust_hist/detail/transfer.h>
#include <thrust_hist/system/cuda/device_facts.h>

#include <thrust/system/cuda/error.h>
#include <thrust/system_error.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <vector>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {

/// Throws thrust::system_error naming the operation unless it succeeded.
inline void require(cudaError_t error, char const* operation) {
  if (error != cudaSuccess) {
    cudaGetLastError();  // a sticky error stays; any other is reported once, here
    throw thrust::system_error(
        static_cast<int>(error), thrust::cuda_category(), std::string("thrust_hist: ") + operation);
  }
}

inline int attribute(cudaDeviceAttr which, int device) {
  int value = 0;
  require(cudaDeviceGetAttribute(&value, which, device), "cudaDeviceGetAttribute");
  return value;
}

inline device_facts query_facts(int device) {
  auto const bytes = [&](cudaDeviceAttr which) {
    return static_cast<std::size_t>(attribute(which, device));
  };
  return {
      static_cast<unsigned>(attribute(cudaDevAttrMultiProcessorCount, device)),
      bytes(cudaDevAttrMaxSharedMemoryPerBlockOptin),
      bytes(cudaDevAttrMaxSharedMemoryPerMultiprocessor), bytes(cudaDevAttrL2CacheSize)};
}

/// The facts of the current device, asked for once. Without a GPU: thrust::system_error.
inline device_facts current_facts() {
  constexpr int cached = 64;
  static std::array<device_facts, cached> facts;
  static std::array<std::atomic<int>, cached> state;  // 0: unknown, 1: being written, 2: known
  int device = 0;
  require(cudaGetDevice(&device), "cudaGetDevice: is there a GPU, and does its driver fit?");
  if (device >= cached) {
    return query_facts(device);
  }
  auto const at = static_cast<std::size_t>(device);
  if (state[at].load(std::memory_order_acquire) == 2) {
    return facts[at];
  }
  device_facts const fresh = query_facts(device);
  int unknown = 0;
  if (state[at].compare_exchange_strong(unknown, 1)) {
    facts[at] = fresh;
    state[at].store(2, std::memory_order_release);
  }
  return fresh;
}

/// Launches a kernel on a stream.
template <class... Parameters, class... Arguments>
void launch(
    char const* name, void (*kernel)(Parameters...), unsigned blocks, unsigned threads,
    std::size_t shared_bytes, cudaStream_t stream, Arguments const&... arguments) {
  constexpr std::size_t without_asking = 48 * 1024;
  if (shared_bytes > without_asking) {
    require(
        cudaFuncSetAttribute(
            reinterpret_cast<void const*>(kernel), cudaFuncAttributeMaxDynamicSharedMemorySize,
            static_cast<int>(shared_bytes)),
        "cudaFuncSetAttribute: shared memory of a block");
  }
  kernel<<<blocks, threads, shared_bytes, stream>>>(arguments...);
  require(cudaGetLastError(), name);
}

inline void synchronize(cudaStream_t stream) {
  require(cudaStreamSynchronize(stream), "cudaStreamSynchronize");
}

inline bool is_capturing(cudaStream_t stream) {
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
  require(cudaStreamIsCapturing(stream, &status), "cudaStreamIsCapturing");
  return status != cudaStreamCaptureStatusNone;
}

/// Throws thrust::system_error: this call cannot become part of a graph.
[[noreturn]] inline void refuse_capture(char const* why) {
  throw thrust::system_error(
      static_cast<int>(cudaErrorStreamCaptureUnsupported), thrust::cuda_category(),
      std::string("thrust_hist: cannot be captured in a graph: ") + why);
}

}  // namespace cuda

template <class Policy, class T>
std::vector<T> copy_to_host(cuda_system, Policy& policy, T const* data, std::uint64_t n) {
  std::vector<T> copy(n);
  cudaStream_t const stream = stream_of(policy);
  if (n > 0) {
    cuda::require(
        cudaMemcpyAsync(copy.data(), data, n * sizeof(T), cudaMemcpyDeviceToHost, stream),
        "cudaMemcpyAsync to the host");
  }
  cuda::synchronize(stream);
  return copy;
}

template <class Policy>
bool is_captured(cuda_system, Policy& policy) {
  return cuda::is_capturing(stream_of(policy));
}

template <class Policy>
void require_not_captured(cuda_system, Policy& policy, char const* why) {
  if (is_captured(cuda_system{}, policy)) {
    cuda::refuse_capture(why);
  }
}

}  // namespace detail
THRUST_HIST_NAMESPACE_END
