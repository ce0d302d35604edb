// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// The coordinates of samples that are tuples.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/samples.h>

#include <thrust/tuple.h>

#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {

/// Coordinate Axis of a tuple of Thrust, cuda::std or std, found by argument-dependent look-up.
namespace tuple_access {
using std::get;
using thrust::get;
THRUST_HIST_EXEC_CHECK_DISABLE
template <std::size_t Axis, class Tuple>
THRUST_HIST_HOST_DEVICE decltype(auto) coordinate(Tuple const& tuple) noexcept(
    noexcept(get<Axis>(tuple))) {
  return get<Axis>(tuple);
}
}  // namespace tuple_access

/// Numbers are none, though a conversion to CUDA's dim3 makes coordinates of them.
template <class X>
inline constexpr bool can_be_tuple =
    !std::is_scalar_v<X> && !is_integer_sample<X> && !is_real_sample<X>;

template <class Tuple, std::size_t Axis>
using coordinate_t =
    std::decay_t<decltype(tuple_access::coordinate<Axis>(std::declval<Tuple const&>()))>;

}  // namespace detail
THRUST_HIST_NAMESPACE_END
