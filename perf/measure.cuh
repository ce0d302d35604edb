// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Shared by the benchmarks: inputs by distribution, medians by CUDA events and by the host's clock.

#include "distributions.h"
#include "rows.h"

#include <cub/version.cuh>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace perf {

inline void require(cudaError_t error, char const* what) {
  if (error != cudaSuccess) {
    std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(error));
    std::exit(1);
  }
}

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

template <class T>
T median(std::vector<T> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

/// Median milliseconds of `run()` on the default stream, after one warm-up; `prepare()` is not timed.
template <class Run, class Prepare>
double milliseconds(Run run, Prepare prepare, int repeats) {
  cudaEvent_t begin, end;
  require(cudaEventCreate(&begin), "cudaEventCreate");
  require(cudaEventCreate(&end), "cudaEventCreate");
  std::vector<float> times;
  for (int i = 0; i <= repeats; ++i) {
    prepare();
    require(cudaEventRecord(begin), "cudaEventRecord");
    run();
    require(cudaEventRecord(end), "cudaEventRecord");
    require(cudaEventSynchronize(end), "cudaEventSynchronize");
    float elapsed = 0;
    require(cudaEventElapsedTime(&elapsed, begin, end), "cudaEventElapsedTime");
    if (i > 0) {
      times.push_back(elapsed);
    }
  }
  require(cudaGetLastError(), "a kernel");
  cudaEventDestroy(begin);
  cudaEventDestroy(end);
  return static_cast<double>(median(times));
}

template <class Run>
double milliseconds(Run run, int repeats = 7) {
  return milliseconds(
      run, [] {}, repeats);
}

/// Median milliseconds of two ways of doing the same, run in turn, so that neither has the clocks of
/// another moment.
template <class A, class B>
std::pair<double, double> milliseconds_in_turn(A a, B b, int repeats = 11) {
  std::vector<double> times_a, times_b;
  for (int i = 0; i < repeats; ++i) {
    times_a.push_back(milliseconds(a, 1));
    times_b.push_back(milliseconds(b, 1));
  }
  return {median(times_a), median(times_b)};
}

/// Keeps the GPU busy for half a second: its clocks rise.
template <class Run>
void warm_up(Run run) {
  auto const begin = std::chrono::steady_clock::now();
  while (std::chrono::steady_clock::now() - begin < std::chrono::milliseconds(500)) {
    run();
    require(cudaStreamSynchronize(nullptr), "cudaStreamSynchronize");
  }
}

/// Reads n times 16 bytes, four loads in flight a thread: what the memory can deliver.
template <class Unit>
__global__ void read_all(Unit const* in, std::uint64_t n, unsigned* never) {
  std::uint64_t const stride = std::uint64_t{gridDim.x} * blockDim.x;
  unsigned sum = 0;
  for (std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; i + 3 * stride < n;
       i += 4 * stride) {
    Unit loaded[4];
#pragma unroll
    for (int j = 0; j < 4; ++j) {
      loaded[j] = __ldcs(in + i + j * stride);
    }
#pragma unroll
    for (int j = 0; j < 4; ++j) {
      sum += loaded[j].x ^ loaded[j].y ^ loaded[j].z ^ loaded[j].w;
    }
  }
  if (sum == 0x12345678 && n == 1) {
    *never = sum;
  }
}

/// GB/s of reading `bytes` of memory.
inline double read_roof(void const* memory, std::size_t bytes) {
  double const ms = milliseconds(
      [&] { read_all<<<264, 1024>>>(static_cast<uint4 const*>(memory), bytes / 16, nullptr); }, 11);
  return static_cast<double>(bytes) / ms * 1e-6;
}

/// The first line of the results: where and with what they were measured.
inline void print_origin(char const* benchmark, double roof) {
  int device = 0;
  cudaDeviceProp properties;
  require(cudaGetDevice(&device), "cudaGetDevice");
  require(cudaGetDeviceProperties(&properties, device), "cudaGetDeviceProperties");
  row()("benchmark", benchmark)("gpu", properties.name)(
      "driver", from_environment("THRUST_HIST_DRIVER"))(
      "commit", from_environment("THRUST_HIST_COMMIT"))("date", today())(
      "toolkit", std::to_string(__CUDACC_VER_MAJOR__) + "." + std::to_string(__CUDACC_VER_MINOR__))(
      "cub", std::to_string(CUB_MAJOR_VERSION) + "." + std::to_string(CUB_MINOR_VERSION) + "." +
                 std::to_string(CUB_SUBMINOR_VERSION))("roof_gb_s", roof);
}

/// Median microseconds of a call on the host's clock, the stream waited for.
template <class Run>
double call_microseconds(Run run, int repeats = 101) {
  std::vector<double> times;
  for (int i = 0; i < repeats + 10; ++i) {
    auto const begin = std::chrono::steady_clock::now();
    run();
    require(cudaStreamSynchronize(nullptr), "cudaStreamSynchronize");
    std::chrono::duration<double, std::micro> const elapsed =
        std::chrono::steady_clock::now() - begin;
    if (i >= 10) {
      times.push_back(elapsed.count());
    }
  }
  return median(times);
}

}  // namespace perf
