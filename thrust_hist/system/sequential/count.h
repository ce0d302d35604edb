// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Counting on one thread: the readable specification of what every system computes.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/obey.h>
#include <thrust_hist/detail/output.h>
#include <thrust_hist/detail/temporary.h>
#include <thrust_hist/system/sequential/count_chunk.h>
#include <thrust_hist/system/sequential/fold_tables.h>
#include <thrust_hist/system/sequential/narrow_route.h>
#include <thrust_hist/system/sequential/output_table.h>
#include <thrust_hist/system/sequential/partitioned_route.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
/// Counts n samples by a rule and writes rule.size() bins to `out`.
template <class Policy, class Iterator, class Rule, class Out>
void count(
    sequential_system, Policy& policy, Iterator first, std::uint64_t n, Rule const& rule, Out out,
    options const& o) {
  auto const bins = static_cast<std::uint64_t>(rule.size());
  sequential::worker_tables const layout(bins, n);
  bool const in_output = sequential::counts_in_output<Iterator, Rule, Out>(layout, n, o);
  std::size_t const scratch = in_output ? 0 : layout.words() * sizeof(std::uint64_t);
  require_host_route(o);
  if (o.force_ == route::private_tables) {
    refuse_route(o.force_, "one thread has one table");
  }
  auto const alone = [](unsigned, sequential::chunk_function chunk) { chunk(0); };
  auto const problem = sequential::partition_problem_of<Iterator, Rule, Out>(bins, n);
  auto const many_bins = sequential::plan_partition(problem, 1, o);
  if (many_bins.workers > 0) {
    if (o.explain_ != nullptr) {
      *o.explain_ = sequential::describe(problem, many_bins, "sequential", o);
      return;
    }
    temporary_array<std::uint64_t, Policy> memory(
        policy, many_bins.bytes(problem) / sizeof(std::uint64_t));
    sequential::take_partitioned_route(
        alone, memory.data(), problem, many_bins, first, n, rule, out, o);
    return;
  }
  if constexpr (is_counter_array<Out>) {
    auto const narrow = sequential::plan_narrow<Iterator, Out>(
        bins, n, 1, sequential::is_fast_output<Out>(in_output), o);
    if (narrow.workers > 0) {
      if (o.explain_ != nullptr) {
        *o.explain_ = {route::serial, "one thread", "sequential", 1, 1, 0, narrow.bytes(), true};
        return;
      }
      temporary_array<std::uint64_t, Policy> memory(policy, narrow.words());
      sequential::take_narrow_route(alone, memory.data(), narrow, first, rule, out, o);
      return;
    }
  }
  require_memory(
      o,
      (std::min<std::uint64_t>)(scratch, sequential::least_narrow_bytes<Iterator, Out>(bins, n)));
  if (o.explain_ != nullptr) {
    *o.explain_ = {route::serial, "one thread", "sequential", 1, 1, 0, scratch, true};
    return;
  }
  if constexpr (sequential::may_count_in_output<Iterator, Rule, Out>()) {
    if (in_output) {
      std::uint64_t const counted = sequential::count_in_output(layout, first, n, rule, out, o);
      if (o.dropped_ != nullptr) {
        *o.dropped_ = n - counted;
      }
      sequential::corrupt_output_for_test(bins, out);
      return;
    }
  }
  temporary_array<std::uint64_t, Policy> table(policy, layout.words());
  sequential::count_chunk(table.data(), layout, first, n, rule);
  std::uint64_t const counted = sequential::fold_tables(
      table.data(), layout, 1, 0, bins, count_writer<Out>{out, o.accumulate_});
  if (o.dropped_ != nullptr) {
    *o.dropped_ = n - counted;
  }
}

}  // namespace detail
THRUST_HIST_NAMESPACE_END
