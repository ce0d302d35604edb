// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Reading the input: every sample once, by a grid of threads.

#include <thrust_hist/config.h>
#include <thrust_hist/system/cuda/kernels/loads.cuh>
#include <thrust_hist/system/cuda/kernels/memory_behind.cuh>

#include <thrust/iterator/iterator_traits.h>

#include <cstdint>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {

template <class Iterator, class T>
class iterator_samples;

/// Samples side by side in memory, aligned to the sample only: 16-byte loads for all but a head and
/// a tail of less than 16 bytes.
template <class T>
class contiguous_samples {
public:
  using sample = T;
  using shape = load_shape<T>;
  static constexpr unsigned per_load = shape::per_load;
  static constexpr unsigned group = shape::group;

  contiguous_samples(T const* first, std::uint64_t n) noexcept : first_(first), n_(n) {
    auto const address = reinterpret_cast<std::uintptr_t>(first);
    std::uint64_t const head = ((16 - address % 16) % 16) / sizeof(T);
    head_ = head < n ? head : n;
    chunks_ = (n - head_) / per_load;
  }

  /// Calls `each(x)` for the samples of this thread, and `after_group()` after at most `group`.
  /// `Again`: other blocks read the same samples.
  template <bool Again = false, class Each, class AfterGroup>
  __device__ void for_each(sharing const share, Each each, AfterGroup after_group) const {
    if constexpr (sizeof(T) == 2) {  // eight samples a load leave no registers for a cursor
      cuda::for_each_load<T, Again>(
          share, chunks_, [&](std::uint64_t i) { return body() + i; }, each, after_group);
    } else {
      cuda::for_each_load<T, Again>(share, chunks_, load_cursor(body(), share), each, after_group);
    }
    std::uint64_t const tail = head_ + chunks_ * per_load;
    if (share.thread < head_) {
      each(first_[share.thread]);
      after_group();
    }
    if (share.thread < n_ - tail) {
      each(first_[tail + share.thread]);
      after_group();
    }
  }

  /// The same samples, not so many to a thread at once but one: those of a warp lie side by side.
  iterator_samples<T const*, T> one_by_one() const { return {first_, n_}; }

  /// How many tiles of `samples_of_tile` samples there are, all but the last ones full. Head and
  /// tail stand behind the body, as if each were one load.
  std::uint64_t tiles(unsigned samples_of_tile) const noexcept {
    std::uint64_t const per_tile = samples_of_tile / per_load;
    return (chunks_ + 2 + per_tile - 1) / per_tile;
  }

  /// Calls `each(i, x)` for the samples of this thread in a tile of Count * blockDim.x, i < Count.
  template <unsigned Count, class Each>
  __device__ void for_tile(std::uint64_t tile, Each each) const {
    constexpr unsigned tile_loads = Count / per_load;
    std::uint64_t const first = tile * tile_loads * blockDim.x;
    if (first + tile_loads * blockDim.x <= chunks_) {
      constexpr unsigned at_once = tile_loads < 8 ? tile_loads : 8;  // registers for no more
#pragma unroll
      for (unsigned done = 0; done < tile_loads; done += at_once) {
        uint4 loaded[at_once];
#pragma unroll
        for (unsigned i = 0; i < at_once; ++i) {
          loaded[i] = __ldcs(body() + first + (done + i) * blockDim.x + threadIdx.x);
        }
#pragma unroll
        for (unsigned i = 0; i < at_once; ++i) {
          cuda::unpack_counted<T>(loaded[i], (done + i) * per_load, each);
        }
      }
      return;
    }
    std::uint64_t const tail = head_ + chunks_ * per_load;
#pragma unroll
    for (unsigned i = 0; i < tile_loads; ++i) {
      std::uint64_t const chunk = first + i * blockDim.x + threadIdx.x;
      std::uint64_t const begin = chunk < chunks_    ? head_ + chunk * per_load
                                  : chunk == chunks_ ? 0
                                                     : tail;
      std::uint64_t const end = chunk < chunks_        ? begin + per_load
                                : chunk == chunks_     ? head_
                                : chunk == chunks_ + 1 ? n_
                                                       : tail;
#pragma unroll
      for (unsigned j = 0; j < per_load; ++j) {
        if (begin + j < end) {
          each(i * per_load + j, first_[begin + j]);
        }
      }
    }
  }

  /// Asks for the samples of a tile ahead of time. One thread is enough.
  template <unsigned Count>
  __device__ void fetch_tile(std::uint64_t tile) const {
    std::uint32_t const tile_loads = Count / per_load * blockDim.x;
    if ((tile + 1) * tile_loads <= chunks_) {
      cuda::fetch_ahead(body() + tile * tile_loads, tile_loads * 16);
    }
  }

private:
  __device__ uint4 const* body() const {
    return reinterpret_cast<uint4 const*>(first_ + head_);
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

  iterator_samples const& one_by_one() const { return *this; }

  __device__ std::uint64_t size() const { return n_; }
  __device__ T at(std::uint64_t i) const {
    using difference = typename thrust::iterator_traits<Iterator>::difference_type;
    return *(first_ + static_cast<difference>(i));
  }

  /// Small samples that are made of arrays are read in stretches, one for each block as long as all
  /// have one, and a later one is asked for before this one is worked on. Of others all threads
  /// read neighbours: atomics by arrays took up to 8 % longer otherwise, three doubles a fifth.
  template <bool Again = false, class Each, class AfterGroup>
  __device__ void for_each(sharing const share, Each each, AfterGroup after_group) const {
    std::uint64_t const stride = in_stretches ? blockDim.x : share.threads;
    std::uint64_t const of_others = in_stretches ? share.thread - threadIdx.x : 0;
    std::uint64_t const own = share.thread + (loads - 1) * of_others;
    std::uint64_t const step = loads * share.threads;
    std::uint64_t const to_last = in_stretches ? step - 1 - own : (loads - 1) * stride;
    std::uint64_t i = own;
    for (; i + to_last < n_; i += step) {
      fetch_stretch(i + stretches_ahead * step);
      T const x[loads] = {at(i), at(i + stride), at(i + 2 * stride), at(i + 3 * stride)};
#pragma unroll
      for (unsigned j = 0; j < loads; ++j) {
        each(x[j]);
      }
      after_group();
    }
    for (i = i - own + share.thread; i < n_; i += share.threads) {
      each(at(i));
      after_group();
    }
  }

  std::uint64_t tiles(unsigned samples_of_tile) const noexcept {
    return (n_ + samples_of_tile - 1) / samples_of_tile;
  }

  template <unsigned Count, class Each>
  __device__ void for_tile(std::uint64_t tile, Each each) const {
    std::uint64_t const first = tile * Count * blockDim.x + threadIdx.x;
    std::uint32_t const stride = blockDim.x;
    if ((tile + 1) * Count * blockDim.x <= n_) {
      constexpr unsigned at_once = sizeof(T) <= 8 ? loads : 1;  // registers for no more
      static_assert(Count % at_once == 0, "no rest");
#pragma unroll
      for (unsigned i = 0; i < Count; i += at_once) {
        if constexpr (at_once == loads) {
          T const x[loads] = {
              at(first + i * stride), at(first + (i + 1) * stride), at(first + (i + 2) * stride),
              at(first + (i + 3) * stride)};
#pragma unroll
          for (unsigned j = 0; j < loads; ++j) {
            each(i + j, x[j]);
          }
        } else {
          each(i, at(first + i * stride));
        }
      }
      return;
    }
#pragma unroll
    for (unsigned i = 0; i < Count; ++i) {
      if (first + i * stride < n_) {
        each(i, at(first + i * stride));
      }
    }
  }

  template <unsigned Count>
  __device__ void fetch_tile(std::uint64_t) const {}

private:
  static constexpr bool in_stretches = !is_contiguous<Iterator> && sizeof(T) <= 8;
  /// The next one is asked for too late where it is small; large ones would throw each other out of
  /// the cache.
  static constexpr unsigned stretches_ahead = sizeof(T) <= 4 ? 2 : 1;

  __device__ void fetch_stretch(std::uint64_t from) const {
    std::uint32_t const stretch = loads * blockDim.x;
    if (in_stretches && threadIdx.x == 0 && from + stretch <= n_) {
      memory_behind<Iterator>::fetch(first_, from, stretch);
    }
  }

  Iterator first_;
  std::uint64_t n_;
};

}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
