// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// The edges of even bins, in double, before they are rounded to the sample's type:
///   step = (upper - lower) / bins, edge[i] = min(lower + i * step, upper), edge[bins] = upper,
/// each operation rounded by itself. Where upper - lower is no finite double, the same is computed
/// from halved levels and doubled at the end, so that nothing on the way overflows.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/bin_index.h>
#include <thrust_hist/detail/ieee.h>
#include <thrust_hist/detail/samples.h>

#include <cstdint>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {

/// Edge i of even bins as a function.
class even_edges {
public:
  THRUST_HIST_HOST_DEVICE even_edges(bin_index bins, double lower, double upper) noexcept
      : upper_(upper), special_(is_tiny(lower) || is_tiny(upper) ? subnormal : ordinary) {
    subnormals_on const guard(special_ == subnormal);
    double const width = add_rounded(upper, -lower);
    if (!is_finite(width)) {
      special_ = halved;
    }
    lower_ = special_ == halved ? lower / 2 : lower;
    step_ =
        divide_rounded(special_ == halved ? upper / 2 - lower_ : width, static_cast<double>(bins));
  }

  THRUST_HIST_HOST_DEVICE double operator()(bin_index i) const noexcept {
    subnormals_on const guard(special_ == subnormal);
    double const sum = add_rounded(lower_, multiply_rounded(static_cast<double>(i), step_));
    double const edge = special_ == halved ? 2 * sum : sum;
    return detail::order_key(edge) < detail::order_key(upper_) ? edge : upper_;
  }

  THRUST_HIST_HOST_DEVICE double lower() const noexcept {
    return special_ == halved ? 2 * lower_ : lower_;
  }
  THRUST_HIST_HOST_DEVICE double upper() const noexcept { return upper_; }
  /// The width of a bin; half of it where the width of all bins is no finite double.
  THRUST_HIST_HOST_DEVICE double step() const noexcept { return step_; }

  /// Whether the step is a power of two and both levels are whole multiples of it, with no more
  /// than 2^digits steps between the levels or from zero to `lower`. Then no edge is rounded,
  /// neither here nor in a type that has one digit more and powers of two from 1 / bound to bound.
  /// Never with a subnormal level, which a processor may be set to take for zero.
  THRUST_HIST_HOST_DEVICE bool are_whole_steps(
      bin_index bins, int digits, double bound) const noexcept {
    bool const is_power = (detail::bit_cast<std::uint64_t>(step_) << 12) == 0;
    auto const most = static_cast<double>(bin_index{1} << digits);
    if (!(special_ == ordinary && is_power && step_ > most / bound && step_ < bound / most &&
          static_cast<double>(bins) <= most)) {
      return false;
    }
    double const first = lower_ / step_;
    return first >= -most && first <= most &&
           static_cast<double>(static_cast<std::int64_t>(first)) * step_ == lower_ &&
           add_rounded(lower_, multiply_rounded(static_cast<double>(bins), step_)) == upper_;
  }

private:
  enum kind : int {
    ordinary,
    subnormal,  // subnormal numbers may occur on the way
    halved      // lower_ and step_ are
  };

  /// Whether results near this level may be subnormal doubles. Those of a larger level are not: its
  /// last place is far above the smallest normal number.
  THRUST_HIST_HOST_DEVICE static bool is_tiny(double level) noexcept {
    auto const magnitude = detail::bit_cast<std::uint64_t>(level) << 1;
    return magnitude != 0 && (magnitude >> 53) < 128;
  }

  double lower_;
  double upper_;
  double step_;
  kind special_;
};

}  // namespace detail
THRUST_HIST_NAMESPACE_END
