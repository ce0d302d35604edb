// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Thrust's operators under one name each: from CCCL 3.3 on some of its own are deprecated aliases.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/samples.h>

#include <thrust/functional.h>

#if THRUST_VERSION >= 300300
#  include <cuda/functional>
#  include <cuda/std/functional>
#endif

#include <type_traits>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {

#if THRUST_VERSION >= 300300
template <class T>
using plus_of = ::cuda::std::plus<T>;
template <class T>
using maximum_of = ::cuda::maximum<T>;
template <class T>
using minimum_of = ::cuda::minimum<T>;
#else
template <class T>
using plus_of = thrust::plus<T>;
template <class T>
using maximum_of = thrust::maximum<T>;
template <class T>
using minimum_of = thrust::minimum<T>;
#endif

/// Whether a fold gives the same bits in any order: all but sums and products of real numbers do.
template <class T, class Op>
inline constexpr bool is_exact_fold =
    std::is_integral_v<T> || std::is_same_v<Op, maximum_of<T>> || std::is_same_v<Op, minimum_of<T>>;

}  // namespace detail
THRUST_HIST_NAMESPACE_END
