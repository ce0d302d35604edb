// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// The input as kernels read it.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/policy.h>
#include <thrust_hist/iterators.h>
#include <thrust_hist/system/cuda/kernels/pitched_samples.cuh>
#include <thrust_hist/system/cuda/kernels/samples.cuh>
#include <thrust_hist/system/cuda/kernels/zipped_samples.cuh>
#include <thrust_hist/system/cuda/zipped_input.cuh>

#include <type_traits>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {

template <class Iterator>
constexpr void require_device_input() {
  static_assert(
      !is_host_container_iterator<Iterator>,
      "thrust_hist: the input of a CUDA policy must be in device memory; copy it to a "
      "thrust::device_vector first.");
}

/// Whether whole 16-byte loads can carry samples of type T.
template <class T>
inline constexpr bool fits_loads =
    std::is_trivially_copyable_v<T>&& std::is_trivially_default_constructible_v<T> &&
    sizeof(T) <= 16 && (sizeof(T) & (sizeof(T) - 1)) == 0 && alignof(T) == sizeof(T);

/// The type of elements of a pitched_iterator, void for others.
template <class Iterator>
struct row_element {
  using type = void;
};
template <class T>
struct row_element<pitched_iterator<T>> {
  using type = T;
};

/// Samples side by side in memory, all of them or row by row or coordinate by coordinate, get wide
/// loads; others go through their iterator.
template <class Iterator>
auto make_samples(Iterator first, std::uint64_t n) {
  using sample = value_t<Iterator>;
  if constexpr (is_contiguous<Iterator> && fits_loads<sample>) {
    return contiguous_samples<sample>(n > 0 ? detail::raw_pointer(first) : nullptr, n);
  } else if constexpr (
      !std::is_void_v<typename row_element<Iterator>::type> && fits_loads<sample>) {
    return pitched_samples<typename row_element<Iterator>::type>(first, n);
  } else if constexpr (zipped_input<Iterator>::exists) {
    auto const pointers = zipped_input<Iterator>::get(first, n);
    return zipped_samples<Iterator, std::remove_const_t<decltype(pointers)>>(first, pointers, n);
  } else {
    return iterator_samples<Iterator, sample>(first, n);
  }
}

}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
