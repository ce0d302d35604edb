// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// How many bins a range of keys needs: the largest key + 1.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/dispatch.h>
#include <thrust_hist/detail/iterator_types.h>
#include <thrust_hist/detail/policy.h>
#include <thrust_hist/detail/samples.h>
#include <thrust_hist/detail/transfer.h>
#include <thrust_hist/options.h>

#include <thrust/functional.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/transform_reduce.h>

#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>
#include <type_traits>

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

/// To read one takes no longer than to read its key.
template <class Key, class Iterator, class Reference, class Value>
inline constexpr bool
    is_in_memory<thrust::transform_iterator<one_past<Key>, Iterator, Reference, Value>> =
        is_in_memory<Iterator>;

struct larger {
  THRUST_HIST_HOST_DEVICE std::uint64_t operator()(
      std::uint64_t a, std::uint64_t b) const noexcept {
    return a < b ? b : a;
  }
};

/// One past the largest key; 0 for none.
template <class Policy, class Iterator>
std::uint64_t one_past_all(Policy& policy, Iterator first, Iterator last) {
  using key = value_t<Iterator>;
  if constexpr (std::is_integral_v<key> && !std::is_same_v<key, bool>) {
    using integer = integer_t<key>;
    auto const n = static_cast<std::uint64_t>(last - first);
    integer const largest = detail::reduce_range(
        system_of_t<Policy>{}, policy, first, n, std::numeric_limits<integer>::lowest(),
        thrust::maximum<integer>{}, options{});
    return n == 0 ? 0 : one_past<integer>{}(largest);
  } else if constexpr (!std::is_same_v<system_of_t<Policy>, cuda_system>) {
    return detail::reduce_range(
        system_of_t<Policy>{}, policy, thrust::make_transform_iterator(first, one_past<key>{}),
        static_cast<std::uint64_t>(last - first), std::uint64_t{0}, larger{}, options{});
  } else {
    return thrust::transform_reduce(
        algorithm_policy(policy), first, last, one_past<key>{}, std::uint64_t{0}, larger{});
  }
}

/// Reads the keys once and waits. Throws std::length_error for more than options::max_bins().
template <class Policy, class Iterator>
std::uint64_t discover_bins(Policy& policy, Iterator first, Iterator last, options const& o) {
  require_not_captured(
      system_of_t<Policy>{}, policy, "the number of bins is not given, and to learn it waits");
  std::uint64_t const bins = detail::one_past_all(policy, first, last);
  if (bins > o.max_bins_) {
    throw std::length_error(
        "thrust_hist: the keys need " + std::to_string(bins) +
        " bins, which is more than max_bins = " + std::to_string(o.max_bins_));
  }
  return bins;
}

}  // namespace detail
THRUST_HIST_NAMESPACE_END
