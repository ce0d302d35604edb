// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// How many bins a range of keys needs: the largest key + 1.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/policy.h>
#include <thrust_hist/detail/samples.h>
#include <thrust_hist/detail/transfer.h>
#include <thrust_hist/options.h>

#include <thrust/transform_reduce.h>

#include <stdexcept>
#include <string>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {

/// One past a key; 0 for a negative one, which has no bin. Saturates at the largest number.
template <class Key>
struct one_past {
  THRUST_HIST_HOST_DEVICE std::uint64_t operator()(Key key) const noexcept {
    auto const value = static_cast<integer_t<Key>>(key);
    if (is_negative(value)) {
      return 0;
    }
    auto const wide = static_cast<std::uint64_t>(value);
    return wide + (wide == max_of<std::uint64_t> ? 0 : 1);
  }
};

struct larger {
  THRUST_HIST_HOST_DEVICE std::uint64_t operator()(
      std::uint64_t a, std::uint64_t b) const noexcept {
    return a < b ? b : a;
  }
};

/// Reads the keys once and waits. Throws std::length_error for more than options::max_bins().
template <class Policy, class Iterator>
std::uint64_t discover_bins(Policy& policy, Iterator first, Iterator last, options const& o) {
  using key = value_t<Iterator>;
  require_not_captured(
      system_of_t<Policy>{}, policy, "the number of bins is not given, and to learn it waits");
  std::uint64_t const bins = thrust::transform_reduce(
      algorithm_policy(policy), first, last, one_past<key>{}, std::uint64_t{0}, larger{});
  if (bins > o.max_bins_) {
    throw std::length_error(
        "thrust_hist: the keys need " + std::to_string(bins) +
        " bins, which is more than max_bins = " + std::to_string(o.max_bins_));
  }
  return bins;
}

}  // namespace detail
THRUST_HIST_NAMESPACE_END
