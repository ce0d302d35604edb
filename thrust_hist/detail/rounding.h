// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Where edges that are rounded to a sample's type come to lie at the sample or below: up to
/// halfway to the next number of that type.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/ieee.h>
#include <thrust_hist/detail/samples.h>

#include <cstdint>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {

/// Halfway from a number of type S, given as a double, to the next larger one; that number itself
/// where S is double. Where numbers of S are subnormal it may be off by half their distance; of NaN
/// it is any number.
///
/// From one power of two to the next, on either side of zero, the bits of doubles are numbered
/// evenly, and those of S evenly among them.
template <class S>
THRUST_HIST_HOST_DEVICE inline double halfway_up(double x) noexcept {
  if constexpr (real_format<S>::digits == 53) {
    return x;
  } else {
    constexpr std::uint64_t half = std::uint64_t{1} << (52 - real_format<S>::digits);
    auto const bits = detail::bit_cast<std::uint64_t>(x);
    return detail::bit_cast<double>(x < 0 ? bits - half : bits + half);
  }
}

/// The magnitude at which doubles are as far apart as subnormal numbers of S: halfway_up is off by
/// no more than the rounding of a double of this size.
template <class S>
inline constexpr double coarse_from = real_format<S>::smallest_normal* static_cast<double>(
    std::int64_t{1} << (53 - real_format<S>::digits));

}  // namespace detail
THRUST_HIST_NAMESPACE_END
