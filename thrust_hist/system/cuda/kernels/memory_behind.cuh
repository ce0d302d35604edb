// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// The memory that an iterator reads, where its element i depends on element i of an array or of
/// several: asked for ahead of time. What a functor makes of an element may have a branch, behind
/// which the compiler reads the next one only then.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/iterator_types.h>
#include <thrust_hist/system/cuda/kernels/loads.cuh>

#include <thrust/iterator/iterator_traits.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/memory.h>
#include <thrust/tuple.h>

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {

/// Of most iterators nothing is known.
template <class Iterator, class = void>
struct memory_behind {
  __device__ static void fetch(Iterator const&, std::uint64_t, std::uint32_t) {}
};

/// An array.
template <class Iterator>
struct memory_behind<
    Iterator,
    std::enable_if_t<
        is_contiguous<Iterator> && !std::is_volatile_v<std::remove_reference_t<
                                       typename thrust::iterator_traits<Iterator>::reference>>>> {
  /// Asks for elements [from, from + count), but for what is less than 16 bytes at either end. One
  /// thread is enough.
  __device__ static void fetch(Iterator const& first, std::uint64_t from, std::uint32_t count) {
    using difference = typename thrust::iterator_traits<Iterator>::difference_type;
    auto const* const place = thrust::raw_pointer_cast(&*(first + static_cast<difference>(from)));
    auto const begin = (reinterpret_cast<std::uintptr_t>(place) + 15) / 16 * 16;
    auto const end = reinterpret_cast<std::uintptr_t>(place + count) / 16 * 16;
    if (begin < end) {
      cuda::fetch_ahead(
          reinterpret_cast<void const*>(begin), static_cast<std::uint32_t>(end - begin));
    }
  }
};

/// What is made of the elements of another iterator.
template <class F, class Iterator, class Reference, class Value>
struct memory_behind<thrust::transform_iterator<F, Iterator, Reference, Value>> {
  __device__ static void fetch(
      thrust::transform_iterator<F, Iterator, Reference, Value> const& first, std::uint64_t from,
      std::uint32_t count) {
    memory_behind<Iterator>::fetch(first.base(), from, count);
  }
};

/// Several arrays.
template <template <class...> class Tuple, class... Iterators>
struct memory_behind<thrust::zip_iterator<Tuple<Iterators...>>> {
  using iterator = thrust::zip_iterator<Tuple<Iterators...>>;
  __device__ static void fetch(iterator const& first, std::uint64_t from, std::uint32_t count) {
    fetch(first, from, count, std::index_sequence_for<Iterators...>{});
  }

private:
  template <std::size_t... Column>
  __device__ static void fetch(
      iterator const& first, std::uint64_t from, std::uint32_t count,
      std::index_sequence<Column...>) {
    auto const& columns = first.get_iterator_tuple();
    (memory_behind<Iterators>::fetch(thrust::get<Column>(columns), from, count), ...);
  }
};

}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
