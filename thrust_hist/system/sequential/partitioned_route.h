// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// The route `partitioned` of the host systems, from the memory to the output.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/iterator_types.h>
#include <thrust_hist/detail/obey.h>
#include <thrust_hist/detail/output.h>
#include <thrust_hist/system/sequential/count_partitioned.h>
#include <thrust_hist/system/sequential/fold_tables.h>
#include <thrust_hist/system/sequential/function_ref.h>
#include <thrust_hist/system/sequential/narrow_route.h>
#include <thrust_hist/system/sequential/output_table.h>
#include <thrust_hist/system/sequential/partition_plan.h>

#include <cstdint>
#include <type_traits>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace sequential {

inline worker_tables table_of_all(std::uint64_t bins, std::uint64_t n) noexcept {
  return {bins, n, 1};
}

template <class Iterator, class Rule, class Out>
partition_problem partition_problem_of(std::uint64_t bins, std::uint64_t n) noexcept {
  worker_tables const table = table_of_all(bins, n);
  bool const in_output =  // without bins it has nothing that could be pointed at
      bins > 0 && may_share_output<Iterator, Rule, Out>();
  bool const may_be_narrow = sequential::is_worth_narrow_counters<Iterator, Out>(bins, n, false);
  return {
      table.bins(),
      n,
      sizeof(value_t<Iterator>),
      table.wide(),
      in_output ? 0 : table.words(),
      may_be_narrow ? sequential::least_narrow_bytes<Iterator, Out>(bins, n) : 0};
}

/// Takes the route as planned, with plan.bytes() of memory: the table, if it is not the output,
/// first.
template <class Iterator, class Rule, class Out>
void take_partitioned_route(
    run_function run, std::uint64_t* table, partition_problem const& p, partition_plan const& plan,
    Iterator first, std::uint64_t n, Rule const& rule, Out out, options const& o) {
  std::uint64_t* const buckets = table + p.table_words;
  auto const count = [&](auto* counters, bool keep) {
    using counter = std::remove_pointer_t<decltype(counters)>;
    shared_work<counter> const work(plan.layout(p), plan.workers, counters, keep, buckets);
    return sequential::count_partitioned(run, work, plan.batch, first, n, rule);
  };
  std::uint64_t counted = 0;
  if constexpr (may_share_output<Iterator, Rule, Out>()) {
    if (p.table_words == 0) {
      auto* const counters = sequential::counters_of_output(out);
      counted = count(counters, o.accumulate_);
      corrupt_for_test(p.bins, [&](std::uint64_t wrong) { ++counters[wrong]; });
    }
  }
  if (p.table_words != 0) {
    counted = p.wide ? count(table, false) : count(reinterpret_cast<std::uint32_t*>(table), false);
    worker_tables const layout = table_of_all(p.bins, n);
    count_writer<Out> const write{out, o.accumulate_};
    unsigned const workers = plan.workers;
    run(workers, [&](unsigned worker) {
      stretch const bins = sequential::share_of(layout.bins(), workers, worker);
      sequential::fold_tables(table, layout, 1, bins.begin, bins.end, write);
    });
  }
  if (o.dropped_ != nullptr) {
    *o.dropped_ = n - counted;
  }
}

}  // namespace sequential
}  // namespace detail
THRUST_HIST_NAMESPACE_END
