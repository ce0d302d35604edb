// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// The kernels of textbooks, which count samples in `bins` bins over [0, bins): atomics in global
/// memory, a table for each block in shared memory, byte counters of each thread, and the adding up
/// of equal neighbours. Written to be plain; all load 4 bytes at a time or a sample, if that is
/// wider.

#include "measure.cuh"
#include "rows.h"
#include "timing.cuh"

#include <thrust/equal.h>
#include <thrust/execution_policy.h>

#include <cstdint>
#include <type_traits>

namespace perf {
namespace textbook {

/// As many samples as one load brings.
template <class T>
struct alignas(sizeof(T) < 4 ? 4 : sizeof(T)) group {
  static constexpr int size = sizeof(T) < 4 ? 4 / sizeof(T) : 1;
  T samples[size];
};

/// Calls `count(bin)` for the samples of this thread that have a bin. The grid strides over groups.
template <class T, class Count>
__device__ void for_each_bin(T const* in, std::uint64_t n, std::uint64_t bins, Count count) {
  using wide = std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>;
  using limit = std::conditional_t<std::is_unsigned_v<T>, wide, T>;
  auto const end = static_cast<limit>(bins);
  auto const* const groups = reinterpret_cast<group<T> const*>(in);
  std::uint64_t const stride = std::uint64_t{gridDim.x} * blockDim.x;
  for (std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
       i < n / group<T>::size; i += stride) {
    group<T> const loaded = groups[i];
    for (T const sample : loaded.samples) {
      bool const below = std::is_unsigned_v<T> ? false : sample < T{0};
      if (!below && sample < end) {
        count(static_cast<unsigned>(sample));
      }
    }
  }
}

template <class T>
__global__ void count_global(T const* in, std::uint64_t n, unsigned* out, std::uint64_t bins) {
  for_each_bin(in, n, bins, [&](unsigned bin) { atomicAdd(out + bin, 1u); });
}

template <class T>
__global__ void count_shared(T const* in, std::uint64_t n, unsigned* out, std::uint64_t bins) {
  extern __shared__ unsigned table[];
  for (std::uint64_t bin = threadIdx.x; bin < bins; bin += blockDim.x) {
    table[bin] = 0;
  }
  __syncthreads();
  for_each_bin(in, n, bins, [&](unsigned bin) { atomicAdd(table + bin, 1u); });
  __syncthreads();
  for (std::uint64_t bin = threadIdx.x; bin < bins; bin += blockDim.x) {
    atomicAdd(out + bin, table[bin]);
  }
}

/// Equal samples that a thread meets one after the other need one atomic.
template <class T>
__global__ void count_runs(T const* in, std::uint64_t n, unsigned* out, std::uint64_t bins) {
  unsigned run_bin = 0, length = 0;
  for_each_bin(in, n, bins, [&](unsigned bin) {
    if (bin != run_bin) {
      if (length > 0) {
        atomicAdd(out + run_bin, length);
      }
      run_bin = bin;
      length = 0;
    }
    ++length;
  });
  if (length > 0) {
    atomicAdd(out + run_bin, length);
  }
}

/// A byte in shared memory for each bin and thread, no atomics (Podlozhnyuk 2007). Needs so many
/// blocks that no thread counts more than 255 samples.
template <class T>
__global__ void count_bytes(T const* in, std::uint64_t n, unsigned* out, std::uint64_t bins) {
  extern __shared__ unsigned words[];
  auto* const bytes = reinterpret_cast<unsigned char*>(words);
  for (std::uint64_t i = threadIdx.x; i < bins * blockDim.x / 4; i += blockDim.x) {
    words[i] = 0;
  }
  __syncthreads();
  for_each_bin(in, n, bins, [&](unsigned bin) { ++bytes[bin * blockDim.x + threadIdx.x]; });
  __syncthreads();
  for (std::uint64_t bin = threadIdx.x; bin < bins; bin += blockDim.x) {
    unsigned sum = 0;
    for (unsigned i = 0; i < blockDim.x; ++i) {  // beginning elsewhere than the other threads
      sum += bytes[bin * blockDim.x + (i + threadIdx.x * 4) % blockDim.x];
    }
    atomicAdd(out + bin, sum);
  }
}

/// One way of counting, launched on an output of zeros.
enum class way { global, shared, runs, bytes };

/// Shared memory that a block needs; 0 for none.
inline std::size_t shared_bytes(way w, std::uint64_t bins) {
  return w == way::shared ? bins * 4 : w == way::bytes ? bins * 128 : 0;
}

inline bool fits(way w, std::uint64_t bins) {
  return w == way::bytes ? bins <= 64 : shared_bytes(w, bins) <= shared_bytes_of_block();
}

template <class T>
void count(way w, T const* in, std::uint64_t n, unsigned* out, std::uint64_t bins) {
  using kernel = void (*)(T const*, std::uint64_t, unsigned*, std::uint64_t);
  constexpr kernel kernels[] = {count_global<T>, count_shared<T>, count_runs<T>, count_bytes<T>};
  kernel const chosen = kernels[static_cast<int>(w)];
  std::size_t const bytes = shared_bytes(w, bins);
  unsigned const threads = w == way::bytes ? 128 : bytes > 64 * 1024 ? 1024 : 256;
  int blocks = 0;
  require(
      cudaFuncSetAttribute(
          chosen, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes)),
      "cudaFuncSetAttribute");
  require(
      cudaOccupancyMaxActiveBlocksPerMultiprocessor(
          &blocks, chosen, static_cast<int>(threads), bytes),
      "cudaOccupancyMaxActiveBlocksPerMultiprocessor");
  std::uint64_t grid = static_cast<std::uint64_t>(blocks) * multiprocessors();
  if (w == way::bytes) {
    grid = n / (threads * 240) + 1;
  }
  require(cudaMemsetAsync(out, 0, bins * 4), "cudaMemsetAsync");
  chosen<<<static_cast<unsigned>(grid), threads, bytes>>>(in, n, out, bins);
}

/// Adds the figures of all ways that can be taken, in G samples per second, to a row; whether all
/// gave the expected counts.
template <class T>
bool add_columns(
    row& r, T const* in, std::uint64_t n, unsigned* out, std::uint64_t bins,
    unsigned const* expected) {
  constexpr char const* names[] = {"simple_global", "simple_shared", "run_length", "simple_bytes"};
  bool equal = true;
  for (way const w : {way::global, way::shared, way::runs, way::bytes}) {
    if (fits(w, bins)) {
      double const ms = milliseconds([&] { count(w, in, n, out, bins); }, 5);
      r(names[static_cast<int>(w)], static_cast<double>(n) / ms * 1e-6);
      equal = thrust::equal(thrust::device, out, out + bins, expected) && equal;
    }
  }
  return equal;
}

}  // namespace textbook
}  // namespace perf
