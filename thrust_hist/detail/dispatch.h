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
#include <thrust_hist/system/host/celled_rules.h>
#include <thrust_hist/system/host/reduce.h>
#include <thrust_hist/system/omp/executor.h>
#include <thrust_hist/system/sequential/count.h>
#include <thrust_hist/system/tbb/executor.h>
#if defined(__CUDACC__)
#  include <thrust_hist/system/cuda/count.cuh>
#  include <thrust_hist/system/cuda/edges.cuh>
#  include <thrust_hist/system/cuda/reduce.cuh>
#  include <thrust_hist/system/cuda/stage.cuh>
#endif

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {

/// Counts into an output that the system can write to, checked where that is wanted.
template <class Policy, class Iterator, class Rule, class Out>
void count_checked(
    Policy& policy, Iterator first, std::uint64_t n, Rule const& rule, Out out, options const& o) {
  using system = system_of_t<Policy>;
  auto const run = [&] {
    // Rules are asked for each value of a byte once.
    if constexpr (std::is_same_v<system, cuda_system> || counts_by_value<value_t<Iterator>>) {
      detail::count(system{}, policy, first, n, rule, out, o);
    } else {
      host::with_cells<value_t<Iterator>>(
          policy, rule, n, o, [&](auto const& faster, options const& rest) {
            detail::count(system{}, policy, first, n, faster, out, rest);
          });
    }
  };
  bool const checked = wants_check(o) && o.explain_ == nullptr && rule.size() > 0 &&
                       !is_captured(system_of_t<Policy>{}, policy);
  if (checked) {
    detail::run_checked(policy, first, n, rule, out, o, run);
  } else {
    run();
  }
}

/// Throws std::invalid_argument where counts are to be added to what can only be written.
template <class Out>
void require_readable(options const& o) {
  if (o.accumulate_ && !counter_of<Out>::readable) {
    throw std::invalid_argument("thrust_hist: accumulate() needs an output that can be read");
  }
}

/// Calls `count(out, o)` with an output of so many bins that the system of the policy can write to:
/// `out`, or memory of its own, whose content is copied there.
template <class Policy, class Out, class Count>
void with_device_output(
    Policy& policy, Out out, std::uint64_t bins, options const& o, Count const& count) {
  detail::require_readable<Out>(o);
  constexpr bool staged =
      std::is_same_v<system_of_t<Policy>, cuda_system> && is_host_container_iterator<Out>;
  if constexpr (staged) {
    stage_output(element<counter_t<Out>>{}, policy, out, bins, o, count);
  } else {
    count(out, o);
  }
}

/// Counts the samples of [first, last) by a rule, under the options.
template <class Policy, class Iterator, class Rule, class Out>
void count_range(
    Policy& policy, Iterator first, Iterator last, Rule const& rule, Out out, options const& o) {
  static_assert(
      is_copied_by_bytes<Rule>,
      "thrust_hist: a bin rule must be trivially copyable, so that it can go to a GPU.");
  auto const n = static_cast<std::uint64_t>(last - first);
  require_size(static_cast<bin_index>(rule.size()));
  detail::validate_rule<value_t<Iterator>>(rule);
  detail::with_device_output(
      policy, out, static_cast<std::uint64_t>(rule.size()), o,
      [&](auto counters, options const& rest) {
        detail::count_checked(policy, first, n, rule, counters, rest);
      });
}

}  // namespace detail
THRUST_HIST_NAMESPACE_END
