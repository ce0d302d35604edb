// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Reading the keys and the values of a tile of pairs, the one after the other: pair i of a thread is the
/// same in both.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/fold.h>
#include <thrust_hist/detail/policy.h>
#include <thrust_hist/system/cuda/kernels/pair_input.cuh>

#include <cstdint>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {
#pragma GCC visibility push(hidden)

/// Where pair `i` of a thread lies, in a tile of `Size` pairs for each thread: four neighbours together.
template <unsigned Size>
__device__ inline std::uint64_t place_in_tile(std::uint64_t tile, unsigned i) {
  return tile * Size * blockDim.x +
         (i / pairs_of_group * blockDim.x + threadIdx.x) * pairs_of_group + i % pairs_of_group;
}

/// Elements that lie side by side in memory.
template <class T>
class memory_column {
public:
  using element = T;
  memory_column(T const* data, std::uint64_t n) noexcept
      : data_(data), n_(n),
        is_aligned_(reinterpret_cast<std::uintptr_t>(data) % quad<T>::alignment == 0) {}

  __device__ T at(std::uint64_t i) const { return data_[i]; }
  /// Calls `each(i, x)` for Count elements of this thread, from `From` on.
  template <unsigned Size, unsigned From, unsigned Count, class Each>
  __device__ void for_tile(std::uint64_t tile, Each each) const {
    if (is_aligned_ && (tile + 1) * Size * blockDim.x <= n_) {
      constexpr unsigned quads = Count / pairs_of_group;
      constexpr unsigned most = 128 / (sizeof(T) * pairs_of_group);  // registers for no more
      constexpr unsigned at_once = quads < most ? quads : most == 0 ? 1 : most;
#pragma unroll
      for (unsigned done = 0; done < quads; done += at_once) {
        typename quad<T>::elements loaded[at_once];
#pragma unroll
        for (unsigned q = 0; q < at_once; ++q) {
          loaded[q] = quad<T>::load(
              data_ + place_in_tile<Size>(tile, From + (done + q) * pairs_of_group));
        }
#pragma unroll
        for (unsigned q = 0; q < at_once; ++q) {
#pragma unroll
          for (unsigned j = 0; j < pairs_of_group; ++j) {
            each((done + q) * pairs_of_group + j, loaded[q].x[j]);
          }
        }
      }
      return;
    }
#pragma unroll
    for (unsigned i = 0; i < Count; ++i) {
      std::uint64_t const place = place_in_tile<Size>(tile, From + i);
      if (place < n_) {
        each(i, data_[place]);
      }
    }
  }

private:
  T const* data_;
  std::uint64_t n_;
  bool is_aligned_;
};

/// Elements behind any iterator.
template <class Iterator>
class iterator_column {
public:
  using element = value_t<Iterator>;
  iterator_column(Iterator first, std::uint64_t n) : first_(first), n_(n) {}

  __device__ element at(std::uint64_t i) const {
    return *(first_ + static_cast<difference_t<Iterator>>(i));
  }
  template <unsigned Size, unsigned From, unsigned Count, class Each>
  __device__ void for_tile(std::uint64_t tile, Each each) const {
#pragma unroll
    for (unsigned i = 0; i < Count; ++i) {
      std::uint64_t const place = place_in_tile<Size>(tile, From + i);
      if (place < n_) {
        each(i, at(place));
      }
    }
  }

private:
  Iterator first_;
  std::uint64_t n_;
};

/// Values that travel with the rests of their bins.
template <class Column, class Value>
struct carried_values {
  using payload =
      std::conditional_t<sizeof(Value) == 8, std::uint64_t, std::uint32_t>;
  static constexpr unsigned at_once = sizeof(payload) == 8 ? 16 : 32;  ///< registers for no more
  Column column;

  template <unsigned Size, unsigned From>
  __device__ void load(std::uint64_t tile, std::uint64_t, payload (&to)[at_once]) const {
    column.template for_tile<Size, From, at_once>(tile, [&](unsigned i, auto const& x) {
      to[i] = detail::bit_cast<payload>(detail::convert<Value>(x));
    });
  }
};

/// Numbers of pairs, counted from the first of the batch.
struct carried_numbers {
  using payload = std::uint32_t;
  static constexpr unsigned at_once = 16;

  template <unsigned Size, unsigned From>
  __device__ void load(
      std::uint64_t tile, std::uint64_t first_tile, payload (&to)[at_once]) const {
#pragma unroll
    for (unsigned i = 0; i < at_once; ++i) {
      to[i] = static_cast<std::uint32_t>(place_in_tile<Size>(tile - first_tile, From + i));
    }
  }
};

#pragma GCC visibility pop
}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
