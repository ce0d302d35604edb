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

#include <numeric>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {

/// Counts n samples by a rule and writes rule.size() bins to `out`.
template <class Policy, class Iterator, class Rule, class Out>
void count(
    sequential_system, Policy& policy, Iterator first, std::uint64_t n, Rule const& rule, Out out,
    options const& o) {
  auto const bins = static_cast<std::uint64_t>(rule.size());
  sequential::worker_tables const layout(bins);
  std::size_t const scratch = layout.words() * sizeof(std::uint64_t);
  require_host_route(o);
  require_memory(o, scratch);
  if (o.explain_ != nullptr) {
    *o.explain_ = {route::serial, "one thread", "sequential", 1, 1, 0, scratch, true};
    return;
  }
  temporary_array<std::uint64_t, Policy> table(policy, layout.words());
  std::uint64_t* const counts = table.data();
  sequential::count_chunk(counts, layout, first, n, rule);
  if (o.dropped_ != nullptr) {
    *o.dropped_ = n - std::accumulate(counts, counts + bins, std::uint64_t{0});
  }
  corrupt_for_test(bins, [=](std::uint64_t bin) { ++counts[bin]; });
  count_writer<Out> const write{out, o.accumulate_};
  for (std::uint64_t bin = 0; bin < bins; ++bin) {
    write(bin, counts[bin]);
  }
}

}  // namespace detail
THRUST_HIST_NAMESPACE_END
