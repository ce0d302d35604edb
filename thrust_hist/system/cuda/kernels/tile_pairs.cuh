// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Reading the keys and the values of a tile of pairs, the one after the other: pair i of a thread
/// is the same in both.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/fold.h>
#include <thrust_hist/detail/ieee.h>
#include <thrust_hist/detail/iterator_types.h>
#include <thrust_hist/detail/pairs.h>
#include <thrust_hist/system/cuda/kernels/pair_input.cuh>
#include <thrust_hist/system/cuda/kernels/quads.cuh>

#include <cstdint>
#include <cstring>
#include <type_traits>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {
#pragma GCC visibility push(hidden)

/// One of the tiles of a batch. Its rows, of four neighbours for each thread, lie far apart: where
/// the input is sorted, a bucket has a few pairs of each of many tiles then, instead of all of a
/// few, and the warps that fold it have equal shares.
struct tile_of_batch {
  std::uint64_t first;  ///< pair of the batch
  std::uint32_t tile;
  std::uint32_t tiles;  ///< of the batch

  /// Where pair `i` of a thread lies.
  __device__ std::uint64_t place(unsigned i) const {
    std::uint64_t const row = std::uint64_t{i / pairs_of_group} * tiles + tile;
    return first + (row * blockDim.x + threadIdx.x) * pairs_of_group + i % pairs_of_group;
  }
  /// Behind the last pair of the last of so many rows.
  __device__ std::uint64_t end_of_row(unsigned row) const {
    return first + (std::uint64_t{row} * tiles + tile + 1) * blockDim.x * pairs_of_group;
  }
};

/// Elements that lie side by side in memory, or part by part: behind a pointer, or several.
template <class Pointer>
class memory_column {
public:
  using access = quads_behind<Pointer>;
  using element = typename access::element;
  memory_column(Pointer data, std::uint64_t n) noexcept
      : data_(data), n_(n), is_aligned_(access::may_begin_at(data)) {}

  __device__ element at(std::uint64_t i) const { return data_[i]; }
  /// Calls `each(i, x)` for Count elements of this thread, from `From` on.
  template <unsigned From, unsigned Count, class Each>
  __device__ void for_tile(tile_of_batch const& tile, Each each) const {
    constexpr unsigned quads = Count / pairs_of_group;
    if (is_aligned_ && tile.end_of_row(From / pairs_of_group + quads - 1) <= n_) {
      constexpr unsigned most = 128 / (access::bytes * pairs_of_group);  // registers for no more
      constexpr unsigned log2 = most >= 8 ? 3 : most >= 4 ? 2 : most >= 2 ? 1 : 0;
      constexpr unsigned at_once = quads < 1u << log2 ? quads : 1u << log2;
      static_assert(quads % at_once == 0, "no rest");
#pragma unroll
      for (unsigned done = 0; done < quads; done += at_once) {
        typename access::elements loaded[at_once];
#pragma unroll
        for (unsigned q = 0; q < at_once; ++q) {
          loaded[q] = access::load(data_ + tile.place(From + (done + q) * pairs_of_group));
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
      std::uint64_t const place = tile.place(From + i);
      if (place < n_) {
        each(i, data_[place]);
      }
    }
  }

  /// Asks for the elements of a tile ahead of time. One thread is enough.
  template <unsigned Count>
  __device__ void fetch_tile(tile_of_batch const& tile) const {
#pragma unroll
    for (unsigned row = 0; row < Count / pairs_of_group; ++row) {
      std::uint32_t const size = blockDim.x * pairs_of_group;
      if (is_aligned_ && tile.end_of_row(row) <= n_) {
        access::fetch(data_ + (tile.end_of_row(row) - size), size);
      }
    }
  }

private:
  Pointer data_;
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
  template <unsigned From, unsigned Count, class Each>
  __device__ void for_tile(tile_of_batch const& tile, Each each) const {
#pragma unroll
    for (unsigned i = 0; i < Count; ++i) {
      std::uint64_t const place = tile.place(From + i);
      if (place < n_) {
        each(i, at(place));
      }
    }
  }
  template <unsigned Count>
  __device__ void fetch_tile(tile_of_batch const&) const {}

private:
  Iterator first_;
  std::uint64_t n_;
};

/// Values that travel with the rests of their bins.
template <class Column, class Value>
struct carried_values {
  using payload = std::conditional_t<sizeof(Value) == 8, std::uint64_t, std::uint32_t>;
  static constexpr unsigned at_once = sizeof(payload) == 8 ? 16 : 32;  ///< registers for no more
  Column column;

  template <unsigned From>
  __device__ void load(tile_of_batch const& tile, payload (&to)[at_once]) const {
    column.template for_tile<From, at_once>(tile, [&](unsigned i, auto const& x) {
      to[i] = detail::bit_cast<payload>(detail::convert<Value>(x));
    });
  }
  template <unsigned Count>
  __device__ void fetch_tile(tile_of_batch const& tile) const {
    column.template fetch_tile<Count>(tile);
  }
};

/// Values of up to 8 bytes of any type.
template <class Value>
using bytes_of_value = std::conditional_t<(sizeof(Value) > 4), std::uint64_t, std::uint32_t>;
template <class Column, class Value>
struct carried_bytes {
  using payload = bytes_of_value<Value>;
  static constexpr unsigned at_once = sizeof(payload) == 8 ? 16 : 32;
  Column column;

  template <unsigned From>
  __device__ void load(tile_of_batch const& tile, payload (&to)[at_once]) const {
    column.template for_tile<From, at_once>(tile, [&](unsigned i, auto const& x) {
      Value const value = detail::convert<Value>(x);
      to[i] = 0;
      memcpy(&to[i], &value, sizeof value);
    });
  }
  template <unsigned Count>
  __device__ void fetch_tile(tile_of_batch const& tile) const {
    column.template fetch_tile<Count>(tile);
  }
};

/// Numbers of pairs, counted from the first of the batch.
struct carried_numbers {
  using payload = std::uint32_t;
  static constexpr unsigned at_once = 16;

  template <unsigned From>
  __device__ void load(tile_of_batch const& tile, payload (&to)[at_once]) const {
#pragma unroll
    for (unsigned i = 0; i < at_once; ++i) {
      to[i] = static_cast<std::uint32_t>(tile.place(From + i) - tile.first);
    }
  }
  template <unsigned Count>
  __device__ void fetch_tile(tile_of_batch const&) const {}
};

/// Values as what they are folded into, beside keys of a sparse histogram.
template <class Column, class Value>
struct converted_values {
  using value = Value;
  Column column;

  template <unsigned Count, class Each>
  __device__ void for_tile(tile_of_batch const& tile, Each each) const {
    column.template for_tile<0, Count>(
        tile, [&](unsigned i, auto const& x) { each(i, detail::convert<Value>(x)); });
  }
  template <unsigned Count>
  __device__ void load(tile_of_batch const& tile, Value (&to)[Count]) const {
    for_tile<Count>(tile, [&](unsigned i, Value const& x) { to[i] = x; });
  }
};

#pragma GCC visibility pop
}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
