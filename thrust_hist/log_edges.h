// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Edges on a logarithmic scale, computed once on the host.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/bin_index.h>
#include <thrust_hist/detail/levels.h>
#include <thrust_hist/detail/rule.h>
#include <thrust_hist/errors.h>

#include <cmath>
#include <cstddef>
#include <vector>

THRUST_HIST_NAMESPACE_BEGIN

/// `num_bins + 1` edges, spaced evenly on a logarithmic scale from `lower` to `upper`, for
/// range_bins and histogram_range. Throws std::invalid_argument unless 0 < lower < upper, both
/// finite.
template <class N>
std::vector<double> log_edges(N num_bins, double lower, double upper) {
  bin_index const bins = detail::checked_bins(num_bins);
  detail::require_finite("lower", detail::make_level(lower));
  detail::require_finite("upper", detail::make_level(upper));
  if (!(lower > 0)) {
    detail::throw_invalid("lower", lower, "must be above 0 for logarithmic bins");
  }
  if (!(lower < upper)) {
    detail::throw_levels(detail::make_level(lower), detail::make_level(upper), "");
  }
  std::vector<double> edges(static_cast<std::size_t>(bins) + 1, lower);
  // Powers of ten, since those are the edges that people look at, and they come out exact.
  double const first = std::log10(lower);
  double const decades = std::log10(upper) - first;
  for (bin_index i = 1; i < bins; ++i) {
    double const fraction = static_cast<double>(i) / static_cast<double>(bins);
    double const edge = std::pow(10.0, first + decades * fraction);
    double const before = edges[static_cast<std::size_t>(i - 1)];
    edges[static_cast<std::size_t>(i)] = edge < before ? before : edge < upper ? edge : upper;
  }
  edges.back() = bins > 0 ? upper : lower;
  return edges;
}

THRUST_HIST_NAMESPACE_END
