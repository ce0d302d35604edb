// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Talking to the CUDA runtime: every call checked, every kernel launched in one place.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/policy.h>
#include <thrust_hist/detail/temporary.h>
#include <thrust_hist/detail/transfer.h>
#include <thrust_hist/system/cuda/device_facts.h>
#include <thrust_hist/system/cuda/kernels/kernels_in_turn.cuh>

#include <thrust/system/cuda/error.h>
#include <thrust/system_error.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <memory>
#include <new>
#include <string>
#include <type_traits>
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

#if defined(THRUST_HIST_TEST_HOOKS)
/// What a test says the GPU is, or null.
inline device_facts const* pretended_facts = nullptr;
#endif

/// What `query(device)` says of the current device, asked for once. Without a GPU:
/// thrust::system_error.
template <class Query>
auto of_current_device(Query query) {
  using facts = decltype(query(0));
  constexpr int cached = 64;
  static std::array<facts, cached> known;
  static std::array<std::atomic<int>, cached> state;  // 0: unknown, 1: being written, 2: known
  int device = 0;
  require(cudaGetDevice(&device), "cudaGetDevice: is there a GPU, and does its driver fit?");
  if (device >= cached) {
    return query(device);
  }
  auto const at = static_cast<std::size_t>(device);
  if (state[at].load(std::memory_order_acquire) == 2) {
    return known[at];
  }
  facts const fresh = query(device);
  int unknown = 0;
  if (state[at].compare_exchange_strong(unknown, 1)) {
    known[at] = fresh;
    state[at].store(2, std::memory_order_release);
  }
  return fresh;
}

/// The facts of the current device. Without a GPU: thrust::system_error.
inline device_facts current_facts() {
#if defined(THRUST_HIST_TEST_HOOKS)
  if (pretended_facts != nullptr) {
    return *pretended_facts;
  }
#endif
  return cuda::of_current_device([](int device) { return cuda::query_facts(device); });
}

#pragma GCC visibility push(hidden)
/// For whom kernels of this unit were compiled is asked of one that does nothing.
template <class>
__global__ void do_nothing() {
  cuda::take_turn();
}

/// Whether kernels run on the current device in code that can wait for the kernels before: that of
/// architecture 90 or newer. What they were compiled for does not tell: a device may run translated
/// code for an older one.
inline bool kernels_can_wait() {
#if CUDART_VERSION >= 12030
  return cuda::of_current_device([](int) {
    cudaFuncAttributes attributes = {};
    require(
        cudaFuncGetAttributes(&attributes, reinterpret_cast<void const*>(do_nothing<void>)),
        "cudaFuncGetAttributes");
    return attributes.ptxVersion >= 90;
  });
#else
  return false;
#endif
}
#pragma GCC visibility pop

/// T where the compiler is not to deduce it.
template <class T>
struct as_given {
  using type = T;
};

/// Lets kernels have shared memory beyond what all have.
inline void allow_shared_memory(void const* entry, std::size_t shared_bytes) {
  constexpr std::size_t without_asking = 48 * 1024;
  if (shared_bytes > without_asking) {
    // All that there is, whatever this launch needs: another thread may launch the same kernel.
    require(
        cudaFuncSetAttribute(
            entry, cudaFuncAttributeMaxDynamicSharedMemorySize,
            static_cast<int>(current_facts().shared_bytes_block)),
        "cudaFuncSetAttribute: shared memory of a block");
  }
}

inline bool is_capturing(cudaStream_t stream) {
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
  require(
      cudaStreamIsCapturing(stream, &status),
      "cudaStreamIsCapturing: is there a GPU, and does its driver fit?");
  return status != cudaStreamCaptureStatusNone;
}

/// Launches a kernel on a stream. It is sent off while the one before ends, where the GPU can do
/// that, and so it begins with take_turn(). Not in a graph, of which some drivers refuse such
/// kernels.
template <class... Parameters>
void launch(
    char const* name, void (*kernel)(Parameters...), unsigned blocks, unsigned threads,
    std::size_t shared_bytes, cudaStream_t stream,
    std::decay_t<typename as_given<Parameters>::type>... arguments) {
  auto const* const entry = reinterpret_cast<void const*>(kernel);
  allow_shared_memory(entry, shared_bytes);
  void* addresses[] = {static_cast<void*>(std::addressof(arguments))...};
#if CUDART_VERSION >= 12030
  if (!is_capturing(stream) && kernels_can_wait()) {
    cudaLaunchAttribute early = {};
    early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    early.val.programmaticStreamSerializationAllowed = 1;
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3(blocks);
    config.blockDim = dim3(threads);
    config.dynamicSmemBytes = shared_bytes;
    config.stream = stream;
    config.attrs = &early;
    config.numAttrs = 1;
    require(cudaLaunchKernelExC(&config, entry, addresses), name);
    return;
  }
#endif
  require(
      cudaLaunchKernel(entry, dim3(blocks), dim3(threads), addresses, shared_bytes, stream), name);
}

/// Blocks of 256 threads, of which each takes several turns where they are many.
inline unsigned blocks_for(std::uint64_t threads) {
  return static_cast<unsigned>(std::clamp<std::uint64_t>(
      (threads + 255) / 256, 1, std::uint64_t{16} * current_facts().multiprocessors));
}

inline void synchronize(cudaStream_t stream) {
  require(cudaStreamSynchronize(stream), "cudaStreamSynchronize");
}

/// What stands there when all work of the stream is done.
template <class T>
T copy_from_device(T const* data, cudaStream_t stream) {
  T copy;
  require(
      cudaMemcpyAsync(&copy, data, sizeof copy, cudaMemcpyDeviceToHost, stream),
      "cudaMemcpyAsync to the host");
  synchronize(stream);
  return copy;
}

/// Whether a copy from this host memory may still be under way when the call that began it returns.
inline bool is_page_locked(void const* host) {
  cudaPointerAttributes attributes = {};
  require(cudaPointerGetAttributes(&attributes, host), "cudaPointerGetAttributes");
  return attributes.type != cudaMemoryTypeUnregistered;
}

/// Throws thrust::system_error: this call cannot become part of a graph.
[[noreturn]] inline void refuse_capture(char const* why) {
  throw thrust::system_error(
      static_cast<int>(cudaErrorStreamCaptureUnsupported), thrust::cuda_category(),
      std::string("thrust_hist: cannot be captured in a graph: ") + why);
}

}  // namespace cuda

template <class Policy, class T>
std::vector<host_element<T>> copy_to_host(
    cuda_system, Policy& policy, T const* data, std::uint64_t n) {
  std::vector<host_element<T>> copy(n);
  cudaStream_t const stream = stream_of(policy);
  if (n > 0) {
    cuda::require(
        cudaMemcpyAsync(copy.data(), data, n * sizeof(T), cudaMemcpyDeviceToHost, stream),
        "cudaMemcpyAsync to the host");
  }
  cuda::synchronize(stream);
  return copy;
}

namespace cuda {

template <class Iterator, class T>
__global__ void copy_range(Iterator first, std::uint64_t n, T* to) {
  cuda::take_turn();
  std::uint64_t const stride = std::uint64_t{gridDim.x} * blockDim.x;
  for (std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n; i += stride) {
    ::new (static_cast<void*>(to + i)) T(*(first + static_cast<std::ptrdiff_t>(i)));
  }
}

}  // namespace cuda

/// What any iterator refers to, for the checks of the host.
template <class Policy, class Iterator, class T>
void copy_range_to_host(cuda_system, Policy& policy, Iterator first, std::uint64_t n, T* to) {
  if (n == 0) {
    return;
  }
  cudaStream_t const stream = stream_of(policy);
  temporary_array<T, Policy> const copy(policy, n);
  cuda::launch(
      "copy_range", cuda::copy_range<Iterator, T>, 1024, 256, 0, stream, first, n, copy.data());
  cuda::require(
      cudaMemcpyAsync(to, copy.data(), n * sizeof(T), cudaMemcpyDeviceToHost, stream),
      "cudaMemcpyAsync to the host");
  cuda::synchronize(stream);
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
