// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Which even bins samples of a type get.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/bin_index.h>
#include <thrust_hist/detail/even_integer.h>
#include <thrust_hist/detail/even_mixed.h>
#include <thrust_hist/detail/even_real.h>
#include <thrust_hist/detail/levels.h>
#include <thrust_hist/detail/rule.h>
#include <thrust_hist/detail/samples.h>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {

/// Even bins over samples of type S, a plain number, between levels of which all are integers or
/// not.
template <level_kind Kind, class S, class Index>
THRUST_HIST_HOST_DEVICE auto even_bins_for(
    bin_index bins, level const& lower, level const& upper, bool inclusive) noexcept {
  if constexpr (is_real_sample<S>) {
    return even_real_bins<S, Index>(bins, lower.real, upper.real, inclusive);
  } else if constexpr (Kind == level_kind::integer) {
    return even_integer_bins<S, Index>(bins, lower, upper, inclusive);
  } else if constexpr (sizeof(S) < 8) {  // a double holds it
    using rule = even_real_bins<double, Index>;
    return converted_for<rule, double>{rule(bins, lower.real, upper.real, inclusive)};
  } else {
    return even_mixed_bins<S, Index>(bins, lower.real, upper.real, inclusive);
  }
}

}  // namespace detail
THRUST_HIST_NAMESPACE_END
