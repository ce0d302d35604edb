// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// The same value at every place. Thrust's iterator for it is deprecated from CCCL 3.5 on, and what
/// replaces it is not in the older ones.

#include <thrust_hist/config.h>

#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

#include <cstddef>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {

template <class T>
struct always {
  T value;
  THRUST_HIST_HOST_DEVICE T operator()(std::ptrdiff_t) const { return value; }
};
template <class T>
using repeated = thrust::transform_iterator<always<T>, thrust::counting_iterator<std::ptrdiff_t>>;

template <class T>
repeated<T> repeat(T const& value) {
  return {thrust::counting_iterator<std::ptrdiff_t>(0), always<T>{value}};
}

}  // namespace detail
THRUST_HIST_NAMESPACE_END
