// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Counting on one thread: the readable specification of what every system computes.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/obey.h>
#include <thrust_hist/detail/output.h>
#include <thrust_hist/detail/policy.h>
#include <thrust_hist/detail/temporary.h>
#include <thrust_hist/system/sequential/count_chunk.h>
#include <thrust_hist/system/sequential/fold_tables.h>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {

/// Counts n samples by a rule and writes rule.size() bins to `out`.
template <class Policy, class Iterator, class Rule, class Out>
void count(
    sequential_system, Policy& policy, Iterator first, std::uint64_t n, Rule const& rule, Out out,
    options const& o) {
  auto const bins = static_cast<std::uint64_t>(rule.size());
  sequential::worker_tables const layout(bins, n);
  std::size_t const scratch = layout.words() * sizeof(std::uint64_t);
  require_host_route(o);
  if (o.force_ == route::private_tables) {
    refuse_route(o.force_, "one thread has one table");
  }
  require_memory(o, scratch);
  if (o.explain_ != nullptr) {
    *o.explain_ = {route::serial, "one thread", "sequential", 1, 1, 0, scratch, true};
    return;
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
