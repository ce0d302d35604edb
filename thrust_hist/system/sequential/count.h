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

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace sequential {

/// Whether the output can be the table: an array of integers that may be read as unsigned, and nothing
/// that may throw half-way (a thrown exception leaves outputs as they were).
template <class Iterator, class Rule, class Out>
constexpr bool may_count_in_output() {
  if constexpr (is_counter_array<Out> && is_contiguous<Iterator>) {
    using counter = value_t<Out>;
    using sample = value_t<Iterator>;
    using bound = decltype(detail::bind_rule<sample, bin_index>(std::declval<Rule const&>()));
    return (
        std::is_same_v<counter, std::make_signed_t<counter>> ||
        std::is_same_v<
            counter,
            std::make_unsigned_t<
                counter>>)&& noexcept(std::declval<bound const&>()(std::declval<sample const&>()));
  }
  return false;
}

/// Counts into the output itself; its counters wrap modulo 2^bits as those of a table would.
template <class Iterator, class Rule, class Out>
void count_in_output(
    worker_tables const& layout, Iterator first, std::uint64_t n, Rule const& rule, Out out,
    bool accumulate) {
  using counter = std::make_unsigned_t<value_t<Out>>;
  auto* const counters = reinterpret_cast<counter*>(raw_pointer(out));
  if (!accumulate) {
    std::fill_n(counters, layout.bins(), counter{0});
  }
  sequential::count_into(counters, layout, first, n, rule);
  corrupt_for_test(layout.bins(), [&](std::uint64_t wrong) { ++counters[wrong]; });
}

}  // namespace sequential

/// Counts n samples by a rule and writes rule.size() bins to `out`.
template <class Policy, class Iterator, class Rule, class Out>
void count(
    sequential_system, Policy& policy, Iterator first, std::uint64_t n, Rule const& rule, Out out,
    options const& o) {
  auto const bins = static_cast<std::uint64_t>(rule.size());
  sequential::worker_tables const layout(bins, n);
  constexpr bool may_count_in_output = sequential::may_count_in_output<Iterator, Rule, Out>();
  // Counters wider than needed would only take more of the cache.
  bool const in_output = may_count_in_output && layout.ways() == 1 && o.dropped_ == nullptr &&
                         (sizeof(value_t<Out>) == 4 || layout.wide());
  std::size_t const scratch = in_output ? 0 : layout.words() * sizeof(std::uint64_t);
  require_host_route(o);
  if (o.force_ == route::private_tables) {
    refuse_route(o.force_, "one thread has one table");
  }
  require_memory(o, scratch);
  if (o.explain_ != nullptr) {
    *o.explain_ = {route::serial, "one thread", "sequential", 1, 1, 0, scratch, true};
    return;
  }
  if constexpr (may_count_in_output) {
    if (in_output) {
      sequential::count_in_output(layout, first, n, rule, out, o.accumulate_);
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
