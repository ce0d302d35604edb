// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// What iterators refer to, and whether that lies side by side. Kernels ask this too; which system
/// an iterator belongs to is asked in policy.h, which is dear to read.

#include <thrust_hist/config.h>

#include <thrust/iterator/iterator_traits.h>
#include <thrust/type_traits/is_contiguous_iterator.h>

#include <cstddef>
#include <type_traits>
#include <utility>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {

template <class Iterator>
using value_t = std::remove_cv_t<typename thrust::iterator_traits<Iterator>::value_type>;

/// What `iterator[i]` is: a reference, or what stands for one.
template <class Iterator>
using element_t = decltype(*(std::declval<Iterator const&>() + std::ptrdiff_t{}));

/// An iterator with elements at any distance; false for whatever else there is.
template <class T, class = void>
inline constexpr bool is_indexed = false;
template <class T>
inline constexpr bool
    is_indexed<T, std::void_t<element_t<T>, typename thrust::iterator_traits<T>::value_type>> =
        true;

template <class Iterator, class = void>
inline constexpr bool is_contiguous = false;
template <class Iterator>
inline constexpr bool
    is_contiguous<Iterator, std::void_t<typename thrust::iterator_traits<Iterator>::value_type>> =
        thrust::is_contiguous_iterator<Iterator>::value &&
        !std::is_same_v<typename thrust::iterator_traits<Iterator>::value_type, void>;

/// Whether elements lie in memory, side by side or not: to read one throws nothing unless its type
/// does.
template <class Iterator>
inline constexpr bool is_in_memory = is_contiguous<Iterator>;

}  // namespace detail
THRUST_HIST_NAMESPACE_END
