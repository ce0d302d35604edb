// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// From reduce to the systems: exact sums are a histogram of one bin, all else is
/// `reduce_range(system, policy, first, n, init, op, options)` of the system; explain() makes that
/// return `init`.

#include <thrust_hist/bins.h>
#include <thrust_hist/config.h>
#include <thrust_hist/detail/check_reduce.h>
#include <thrust_hist/detail/constant.h>
#include <thrust_hist/detail/dispatch.h>
#include <thrust_hist/detail/fold_dispatch.h>
#include <thrust_hist/detail/operators.h>
#include <thrust_hist/detail/pairs.h>
#include <thrust_hist/options.h>

#include <cstdint>
#include <vector>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {

/// Whether options::exact() means that a reduction into a T is a histogram of one bin, of exact
/// sums.
template <class T, class Op>
inline constexpr bool sums_exactly = is_sum<Op> && (is_real_sample<T> || is_complex<T>);

/// `init` and all values, rounded once.
template <class Policy, class Iterator, class T>
T sum_exactly(Policy& policy, Iterator first, std::uint64_t n, T const& init, options const& o) {
  std::vector<T> sum(1, init);
  options rest = o;
  auto const fold = [&](auto const& source) {
    detail::fold_range<value_t<Iterator>, true>(
        policy, source, sum.begin(), plus_of<T>{}, no_identity{}, rest.accumulate());
  };
  if constexpr (std::is_same_v<system_of_t<Policy>, cuda_system> && is_real_sample<T>) {
    using value = folded_value_t<no_identity, T, value_t<Iterator>, plus_of<T>>;
    fold(emitted_pairs<value, Iterator, identity_bins, emit_to_one_bin>{
        first, n, identity_bins(1), {}});
  } else {
    auto const zeros = detail::repeat(std::uint32_t{0});
    fold(keyed_pairs<std::decay_t<decltype(zeros)>, Iterator, identity_bins>{
        zeros, first, n, identity_bins(1)});
  }
  return sum.front();
}

/// The fold of a range, checked where that is wanted.
template <class Policy, class Iterator, class T, class Op>
T reduce_checked(
    Policy& policy, Iterator first, std::uint64_t n, T const& init, Op const& op,
    options const& o) {
  bool const checked = wants_check(o) && o.explain_ == nullptr;
  if constexpr (sums_exactly<T, Op>) {
    if (o.exact_) {
      return detail::sum_exactly(policy, first, n, init, o);
    }
  }
  detail::require_exact_operator<Op, T>(o);
  T result = detail::reduce_range(system_of_t<Policy>{}, policy, first, n, init, op, o);
  if (o.explain_ == nullptr) {
    detail::corrupt_result_for_test(result);
  }
  if (checked) {
    detail::check_reduction(policy, first, n, init, op, result);
  }
  return result;
}

}  // namespace detail
THRUST_HIST_NAMESPACE_END
