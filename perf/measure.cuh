// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Shared by the benchmarks: inputs by distribution, and device memory.

#include "distributions.h"
#include "require.cuh"
#include "timing.cuh"

#include <algorithm>
#include <cstdint>
#include <type_traits>
#include <vector>

namespace perf {

/// Keys below `bins`; floating-point samples lie anywhere inside their bin, or on its lower edge.
template <class T>
__global__ void fill(T* out, std::uint64_t n, std::uint64_t bins, distribution d) {
  std::uint64_t const stride = std::uint64_t{gridDim.x} * blockDim.x;
  for (std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n; i += stride) {
    std::uint64_t const key = key_at(i, n, bins, d);
    double const any = 0.05 + 0.9 * 0x1p-24 * static_cast<double>(mix(mix(i)) >> 40);
    double const inside = d == distribution::on_edges ? 0 : any;
    out[i] = std::is_floating_point_v<T> ? static_cast<T>(static_cast<double>(key) + inside)
                                         : static_cast<T>(key);
  }
}

/// For some hundred milliseconds after large allocations memory is a tenth slower: fills memory
/// until it is not.
template <class T>
void settle(T* memory, std::uint64_t n) {
  perf::warm_up([&] { fill<<<2048, 256>>>(memory, n, 256, distribution::uniform); });
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

/// Keeps the blocks that were given back for the next call, as a caching allocator does.
class caching_allocator {
public:
  using value_type = char;
  caching_allocator() = default;
  caching_allocator(caching_allocator const&) = delete;
  caching_allocator& operator=(caching_allocator const&) = delete;
  ~caching_allocator() {
    for (block const& b : blocks_) {
      cudaFree(b.data);
    }
  }

  char* allocate(std::ptrdiff_t bytes) {
    block* best = nullptr;
    for (block& b : blocks_) {
      bool const fits = b.is_free && b.bytes >= bytes;
      best = fits && (best == nullptr || b.bytes < best->bytes) ? &b : best;
    }
    if (best == nullptr) {
      best = &grow(bytes);
    }
    best->is_free = false;
    best->asked = bytes;
    in_use_ += bytes;
    peak_ = std::max(peak_, in_use_);
    return best->data;
  }
  void deallocate(char* data, std::size_t) {
    for (block& b : blocks_) {
      if (b.data == data) {
        b.is_free = true;
        in_use_ -= b.asked;
      }
    }
  }
  /// The most bytes that were asked for and not given back at any time.
  std::ptrdiff_t peak() const { return peak_; }

private:
  struct block {
    char* data;
    std::ptrdiff_t bytes;
    bool is_free;
    std::ptrdiff_t asked;
  };

  /// A new block, in the place of one that was too small if there is one.
  block& grow(std::ptrdiff_t bytes) {
    auto old =
        std::find_if(blocks_.begin(), blocks_.end(), [](block const& b) { return b.is_free; });
    if (old == blocks_.end()) {
      old = blocks_.insert(old, block{});
    }
    cudaFree(old->data);
    *old = {nullptr, bytes, true, 0};
    require(cudaMalloc(&old->data, static_cast<std::size_t>(bytes)), "cudaMalloc");
    return *old;
  }

  std::vector<block> blocks_;
  std::ptrdiff_t in_use_ = 0, peak_ = 0;
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
