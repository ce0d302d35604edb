// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Arrays that are zipped, as kernels read them: by quads of each.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/iterator_types.h>
#include <thrust_hist/detail/policy.h>
#include <thrust_hist/system/cuda/kernels/quads.cuh>

#include <thrust/iterator/zip_iterator.h>
#include <thrust/tuple.h>

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {

/// Whether an iterator zips such that have quads; and their pointers.
template <class Iterator>
struct zipped_input {
  static constexpr bool exists = false;
};

/// Quads of elements of so many bytes together leave registers for what is done with them.
inline constexpr std::size_t most_zipped_bytes = 16;

/// Whether an iterator is a pointer, or its like, to what comes in quads, and is not volatile.
template <class Iterator, class = void>
inline constexpr bool has_quads = false;
template <class Iterator>
inline constexpr bool has_quads<
    Iterator, std::enable_if_t<is_contiguous<Iterator> && fits_quads<value_t<Iterator>>>> =
    std::is_convertible_v<
        decltype(detail::raw_pointer(std::declval<Iterator>())), value_t<Iterator> const*>;

template <template <class...> class Tuple, class... Iterators>
struct zipped_input<thrust::zip_iterator<Tuple<Iterators...>>> {
  using iterator = thrust::zip_iterator<Tuple<Iterators...>>;
  static constexpr bool exists =
      (has_quads<Iterators> && ...) && (sizeof(value_t<Iterators>) + ...) <= most_zipped_bytes;
  using pointers = zipped_pointers<value_t<iterator>, value_t<Iterators>...>;

  static pointers get(iterator const& first, std::uint64_t n) {
    static_assert(
        (!is_host_container_iterator<Iterators> && ...),
        "thrust_hist: the input of a CUDA policy must be in device memory; copy it to a "
        "thrust::device_vector first.");
    return get(first.get_iterator_tuple(), n, std::index_sequence_for<Iterators...>{});
  }

private:
  template <class Columns, std::size_t... Column>
  static pointers get(Columns const& columns, std::uint64_t n, std::index_sequence<Column...>) {
    return pointers(thrust::tuple<value_t<Iterators> const*...>(
        (n > 0 ? detail::raw_pointer(thrust::get<Column>(columns)) : nullptr)...));
  }
};

}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
