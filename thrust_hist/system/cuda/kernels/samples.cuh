// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Reading the input: every sample once, by a grid of threads.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/ieee.h>

#include <thrust/iterator/iterator_traits.h>

#include <cstdint>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {

/// Samples side by side in memory, aligned to the sample only: 16-byte loads for all but a head and
/// a tail of less than 16 bytes.
template <class T>
class contiguous_samples {
public:
  using sample = T;
  static constexpr unsigned per_load = 16 / sizeof(T);
  // In flight for each thread; samples of 1 byte are many enough with two.
  static constexpr unsigned loads = sizeof(T) == 1 ? 2 : 4;
  static constexpr unsigned group = per_load * loads;

  contiguous_samples(T const* first, std::uint64_t n) noexcept : first_(first), n_(n) {
    auto const address = reinterpret_cast<std::uintptr_t>(first);
    std::uint64_t const head = ((16 - address % 16) % 16) / sizeof(T);
    head_ = head < n ? head : n;
    chunks_ = (n - head_) / per_load;
  }

  /// Calls `each(x)` for the samples of this thread, and `after_group()` after at most `group`.
  template <class Each, class AfterGroup>
  __device__ void for_each(Each each, AfterGroup after_group) const {
    std::uint64_t const thread = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
    std::uint64_t const stride = std::uint64_t{gridDim.x} * blockDim.x;
    auto const* const body = reinterpret_cast<uint4 const*>(first_ + head_);
    std::uint64_t chunk = thread;
    for (; chunk + (loads - 1) * stride < chunks_; chunk += loads * stride) {
      uint4 loaded[loads];
#pragma unroll
      for (unsigned i = 0; i < loads; ++i) {
        loaded[i] = __ldcs(body + chunk + i * stride);
      }
#pragma unroll
      for (unsigned i = 0; i < loads; ++i) {
        unpack(loaded[i], each);
      }
      after_group();
    }
    for (; chunk < chunks_; chunk += stride) {
      unpack(__ldcs(body + chunk), each);
      after_group();
    }
    std::uint64_t const tail = head_ + chunks_ * per_load;
    if (thread < head_) {
      each(first_[thread]);
      after_group();
    }
    if (thread < n_ - tail) {
      each(first_[tail + thread]);
      after_group();
    }
  }

private:
  template <class Each>
  __device__ static void unpack(uint4 const& loaded, Each each) {
    struct alignas(16) samples_of_a_load {
      T x[per_load];
    };
    auto const samples = bit_cast<samples_of_a_load>(loaded);
#pragma unroll
    for (unsigned i = 0; i < per_load; ++i) {
      each(samples.x[i]);
    }
  }

  T const* first_;
  std::uint64_t n_;
  std::uint64_t head_;
  std::uint64_t chunks_;
};

/// Samples behind any iterator.
template <class Iterator, class T>
class iterator_samples {
public:
  using sample = T;
  static constexpr unsigned loads = 4;
  static constexpr unsigned group = loads;

  iterator_samples(Iterator first, std::uint64_t n) : first_(first), n_(n) {}

  template <class Each, class AfterGroup>
  __device__ void for_each(Each each, AfterGroup after_group) const {
    std::uint64_t const stride = std::uint64_t{gridDim.x} * blockDim.x;
    std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
    for (; i + (loads - 1) * stride < n_; i += loads * stride) {
      T const x[loads] = {at(i), at(i + stride), at(i + 2 * stride), at(i + 3 * stride)};
#pragma unroll
      for (unsigned j = 0; j < loads; ++j) {
        each(x[j]);
      }
      after_group();
    }
    for (; i < n_; i += stride) {
      each(at(i));
      after_group();
    }
  }

private:
  __device__ T at(std::uint64_t i) const {
    using difference = typename thrust::iterator_traits<Iterator>::difference_type;
    return *(first_ + static_cast<difference>(i));
  }

  Iterator first_;
  std::uint64_t n_;
};

}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
