// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// From the public algorithms to the systems: what holds for every system is judged here, then the
/// system of the policy does the work.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/check.h>
#include <thrust_hist/detail/policy.h>
#include <thrust_hist/detail/rule.h>
#include <thrust_hist/options.h>
#include <thrust_hist/system/host/reduce.h>
#include <thrust_hist/system/omp/executor.h>
#include <thrust_hist/system/sequential/count.h>
#include <thrust_hist/system/tbb/executor.h>
#if defined(__CUDACC__)
#  include <thrust_hist/system/cuda/count.cuh>
#endif

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {

template <class Iterator>
constexpr void require_random_access() {
  static_assert(
      std::is_convertible_v<
          typename thrust::iterator_traversal<Iterator>::type, thrust::random_access_traversal_tag>,
      "thrust_hist: the input must be random-access iterators; copy the range to a vector first.");
}

/// Counts the samples of [first, last) by a rule, under the options.
template <class Policy, class Iterator, class Rule, class Out>
void count_range(
    Policy& policy, Iterator first, Iterator last, Rule const& rule, Out out, options const& o) {
  require_random_access<Iterator>();
  static_assert(
      std::is_trivially_copyable_v<Rule>,
      "thrust_hist: a bin rule must be trivially copyable, so that it can go to a GPU.");
  using system = system_of_t<Policy>;
  auto const n = static_cast<std::uint64_t>(last - first);
  validate_rule<value_t<Iterator>>(rule);
  auto const run = [&] { count(system{}, policy, first, n, rule, out, o); };
  if (o.explain_ == nullptr && wants_check(o) && rule.size() > 0) {
    run_checked(policy, first, n, rule, out, o, run);
  } else {
    run();
  }
}

}  // namespace detail
THRUST_HIST_NAMESPACE_END
