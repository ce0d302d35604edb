// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// options::check(): the sort + reduce_by_key code that a histogram replaces, run beside it.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/by_search.h>
#include <thrust_hist/detail/output.h>
#include <thrust_hist/detail/policy.h>
#include <thrust_hist/detail/rule.h>
#include <thrust_hist/detail/temporary.h>
#include <thrust_hist/detail/transfer.h>
#include <thrust_hist/errors.h>
#include <thrust_hist/options.h>

#include <stdexcept>

#if defined(THRUST_HIST_ENABLE_CHECK)
#  include <thrust/copy.h>
#  include <thrust/iterator/constant_iterator.h>
#  include <thrust/reduce.h>
#  include <thrust/sort.h>
#  include <thrust/transform.h>

#  include <cstdlib>
#  include <string>
#  include <vector>
#endif

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {

#if defined(THRUST_HIST_ENABLE_CHECK)

inline bool wants_check(options const& o) {
  static bool const always = [] {
    char const* const value = std::getenv("THRUST_HIST_CHECK");
    return value != nullptr && std::string(value) == "1";
  }();
  return o.check_ || always;
}

/// The bin of a sample as an unsigned number (the host's thrust::sort of CCCL 3.0 misorders
/// negative ones); whatever is no bin comes last.
template <class Bound>
struct locate_by_search {
  Bound rule;
  std::uint64_t bins;
  THRUST_HIST_EXEC_CHECK_DISABLE
  template <class X>
  THRUST_HIST_HOST_DEVICE std::uint64_t operator()(X const& x) const {
    auto const bin = static_cast<std::uint64_t>(detail::search_bin(rule, x));
    return bin < bins ? bin : bins;
  }
};

/// The counts of all bins by sort + reduce_by_key.
template <class Policy, class Iterator, class Rule>
std::vector<std::uint64_t> count_by_sorting(
    Policy& policy, Iterator first, std::uint64_t n, Rule const& rule) {
  using difference = typename thrust::iterator_traits<Iterator>::difference_type;
  auto const bins = static_cast<std::uint64_t>(rule.size());
  std::vector<std::uint64_t> counts(bins);
  auto const bound = detail::bind_rule<value_t<Iterator>, bin_index>(rule);
  temporary_array<std::uint64_t, Policy> memory(policy, 3 * n);
  std::uint64_t* const keys = memory.data();
  thrust::transform(
      algorithm_policy(policy), first, first + static_cast<difference>(n), keys,
      locate_by_search<std::remove_const_t<decltype(bound)>>{bound, bins});
  thrust::sort(algorithm_policy(policy), keys, keys + n);
  auto const ends = thrust::reduce_by_key(
      algorithm_policy(policy), keys, keys + n, thrust::constant_iterator<std::uint64_t>(1),
      keys + n, keys + 2 * n);
  auto const unique = static_cast<std::uint64_t>(ends.first - (keys + n));
  auto const bin_list = copy_to_host(system_of_t<Policy>{}, policy, keys + n, unique);
  auto const count_list = copy_to_host(system_of_t<Policy>{}, policy, keys + 2 * n, unique);
  for (std::uint64_t i = 0; i < unique; ++i) {
    if (bin_list[i] < bins) {
      counts[bin_list[i]] = count_list[i];
    }
  }
  return counts;
}

/// What the output holds, in host memory.
template <class Policy, class Out>
std::vector<host_element<counter_t<Out>>> read_output(Policy& policy, Out out, std::uint64_t bins) {
  if constexpr (std::is_same_v<system_of_t<Policy>, cuda_system>) {
    temporary_array<counter_t<Out>, Policy> copy(policy, bins);
    thrust::copy(policy, out, out + static_cast<std::ptrdiff_t>(bins), copy.data());
    return copy_to_host(system_of_t<Policy>{}, policy, copy.data(), bins);
  } else {
    std::vector<host_element<counter_t<Out>>> copy;
    copy.reserve(bins);
    for (std::uint64_t bin = 0; bin < bins; ++bin) {
      copy.push_back(*(out + static_cast<std::ptrdiff_t>(bin)));
    }
    return copy;
  }
}

/// Runs `run()` and compares what it leaves in `out`. An output that cannot be read is not checked.
template <class Policy, class Iterator, class Rule, class Out, class Run>
void run_checked(
    Policy& policy, Iterator first, std::uint64_t n, Rule const& rule, Out out, options const& o,
    Run run) {
  if constexpr (counter_of<Out>::readable) {
    using counter = counter_t<Out>;
    auto const bins = static_cast<std::uint64_t>(rule.size());
    auto const before =
        o.accumulate_ ? read_output(policy, out, bins) : std::vector<host_element<counter>>(bins);
    run();
    auto const counts = detail::count_by_sorting(policy, first, n, rule);
    auto const got = read_output(policy, out, bins);
    for (std::uint64_t bin = 0; bin < bins; ++bin) {
      counter const folded = to_counter<counter>(counts[bin]);
      counter const expected = o.accumulate_ ? add_counters<counter>(before[bin], folded) : folded;
      if (!(expected == got[bin]) && !(expected != expected && got[bin] != got[bin])) {
        throw mismatch_error(
            static_cast<std::int64_t>(bin), counter_text(expected),
            counter_text<counter>(got[bin]));
      }
    }
  } else {
    run();
  }
}

#else

inline bool wants_check(options const& o) {
  if (o.check_) {
    throw std::logic_error(
        "thrust_hist: options::check() needs the macro THRUST_HIST_ENABLE_CHECK, "
        "defined in every unit of the program");
  }
  return false;
}

template <class Policy, class Iterator, class Rule, class Out, class Run>
void run_checked(Policy&, Iterator, std::uint64_t, Rule const&, Out, options const&, Run run) {
  run();
}

#endif

}  // namespace detail
THRUST_HIST_NAMESPACE_END
