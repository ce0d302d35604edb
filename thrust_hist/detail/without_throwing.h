// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// What is known to throw nothing, so that it may be done in an output itself.

#include <thrust_hist/config.h>

#include <utility>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {

#if defined(__CUDACC__)  // the host cannot ask a __device__ lambda
template <class F, class X>
inline constexpr bool runs_without_throwing = false;
#else
/// Whether a function, for an X, is.
template <class F, class X>
inline constexpr bool runs_without_throwing =
    noexcept(std::declval<F const&>()(std::declval<X const&>()));
#endif

}  // namespace detail
THRUST_HIST_NAMESPACE_END
