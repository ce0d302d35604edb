// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Counting on several host threads, written once over an executor. An executor says how many
/// workers there are, and runs `chunk(worker)` for each of a number of them.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/obey.h>
#include <thrust_hist/detail/output.h>
#include <thrust_hist/detail/policy.h>
#include <thrust_hist/detail/temporary.h>
#include <thrust_hist/system/sequential/count_chunk.h>
#include <thrust_hist/system/sequential/fold_tables.h>
#include <thrust_hist/system/sequential/function_ref.h>
#include <thrust_hist/system/sequential/narrow_route.h>
#include <thrust_hist/system/sequential/output_table.h>
#include <thrust_hist/system/sequential/partitioned_route.h>
#include <thrust_hist/system/sequential/stretch.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace host {

/// How many workers count, each into a table of its own, and why so many.
struct team {
  unsigned workers;
  char const* why;
};

/// As many as there are, if each has so many samples.
inline team choose_team(
    unsigned available, std::uint64_t n, std::uint64_t worth_a_worker, options const& o) {
  if (o.force_ == route::serial) {
    return {1, "forced"};
  }
  bool const forced = o.force_ == route::private_tables;
  std::uint64_t const wanted =
      forced ? available : (std::min<std::uint64_t>)(available, n / worth_a_worker);
  if (wanted <= 1) {
    return {
        1, forced          ? "forced"
           : available > 1 ? "too little input for more workers"
                           : "one thread"};
  }
  return {static_cast<unsigned>(wanted), forced ? "forced" : "a table for each worker"};
}

/// The same or fewer, if a cap has not the room for so many.
inline team fit_team(team const& wanted, std::uint64_t room) {
  if (room >= wanted.workers) {
    return wanted;
  }
  return {static_cast<unsigned>(room), "as many tables as the memory cap leaves room for"};
}

/// The workers of tables as wide as they need be, of whom each zeroes and folds one and needs the
/// memory for it, but for one `in_output`.
inline team choose_tables(
    unsigned available, std::uint64_t n, sequential::worker_tables const& layout, bool in_output,
    options const& o) {
  constexpr std::uint64_t samples_worth_a_worker = 1 << 15;
  std::uint64_t const room =
      o.max_temporary_bytes_ / (layout.words() * sizeof(std::uint64_t)) + (in_output ? 1 : 0);
  team const wanted =
      host::choose_team(available, n, (std::max)(samples_worth_a_worker, 2 * layout.bins()), o);
  return host::fit_team(wanted, room);
}

/// What options::explain() tells.
inline plan describe(
    char const* system, team const& chosen, std::size_t scratch_bytes, options const& o) {
  bool const apart = chosen.workers > 1 || o.force_ == route::private_tables;
  return {
      apart ? route::private_tables : route::serial,
      chosen.why,
      system,
      chosen.workers,
      1,
      0,
      scratch_bytes,
      true};
}

/// Counts with a table for each worker, which have layout.words() of memory each. That of the last
/// one is the output with `in_output`.
template <class Iterator, class Rule, class Out>
void count_in_tables(
    sequential::run_function run, std::uint64_t* tables, unsigned workers, bool in_output,
    sequential::worker_tables const& layout, Iterator first, std::uint64_t n, Rule const& rule,
    Out out, options const& o) {
  using difference = typename thrust::iterator_traits<Iterator>::difference_type;
  std::uint64_t const stride = layout.words();
  unsigned const apart = workers - (in_output ? 1 : 0);
  std::atomic<std::uint64_t> counted{0};
  run(workers, [&](unsigned worker) {
    sequential::stretch const mine = sequential::share_of(n, workers, worker);
    auto const samples = first + static_cast<difference>(mine.begin);
    if constexpr (sequential::may_count_in_output<Iterator, Rule, Out>()) {
      if (worker == apart) {
        counted += sequential::count_in_output(layout, samples, mine.size(), rule, out, o);
        return;
      }
    }
    sequential::count_chunk(tables + worker * stride, layout, samples, mine.size(), rule);
  });
  if (apart == 0) {
    sequential::corrupt_output_for_test(layout.bins(), out);
  } else {
    // Few bins are folded by one worker.
    unsigned const folders = layout.bins() < 1 << 15 ? 1 : workers;
    count_writer<Out> const write{out, in_output || o.accumulate_};
    run(folders, [&](unsigned folder) {
      sequential::stretch const mine = sequential::share_of(layout.bins(), folders, folder);
      counted += sequential::fold_tables(tables, layout, apart, mine.begin, mine.end, write);
    });
  }
  if (o.dropped_ != nullptr) {
    *o.dropped_ = n - counted;
  }
}

/// Counts n samples by a rule and writes rule.size() bins to `out`.
template <class Executor, class Policy, class Iterator, class Rule, class Out>
void count(
    Executor executor, Policy& policy, Iterator first, std::uint64_t n, Rule const& rule, Out out,
    options const& o) {
  auto const bins = static_cast<std::uint64_t>(rule.size());
  sequential::worker_tables const layout(bins, n);
  require_host_route(o);
  auto const run = [&](unsigned workers, sequential::chunk_function chunk) {
    executor.run(policy, workers, chunk);
  };
  auto const problem = sequential::partition_problem_of<Iterator, Rule, Out>(bins, n);
  auto const many_bins = sequential::plan_partition(problem, executor.workers(), o);
  if (many_bins.workers > 0) {
    if (o.explain_ != nullptr) {
      *o.explain_ = sequential::describe(problem, many_bins, Executor::name, o);
      return;
    }
    temporary_array<std::uint64_t, Policy> memory(
        policy, many_bins.bytes(problem) / sizeof(std::uint64_t));
    sequential::take_partitioned_route(
        run, memory.data(), problem, many_bins, first, n, rule, out, o);
    return;
  }
  bool const in_output = sequential::counts_in_output<Iterator, Rule, Out>(layout, n, o);
  if constexpr (is_counter_array<Out>) {
    team const wanted =
        host::choose_team(executor.workers(), n, sequential::samples_of_a_narrow_worker(bins), o);
    auto const narrow = sequential::plan_narrow<Iterator, Out>(
        bins, n, wanted.workers, sequential::is_fast_output<Out>(in_output), o);
    if (narrow.workers > 0) {
      if (o.explain_ != nullptr) {
        *o.explain_ = host::describe(
            Executor::name, host::fit_team(wanted, narrow.workers), narrow.bytes(), o);
        return;
      }
      temporary_array<std::uint64_t, Policy> memory(policy, narrow.words());
      sequential::take_narrow_route(run, memory.data(), narrow, first, rule, out, o);
      return;
    }
  }
  std::uint64_t least = in_output ? 0 : layout.words() * sizeof(std::uint64_t);
  least = (std::min)(least, sequential::least_narrow_bytes<Iterator, Out>(bins, n));
  if (o.force_ == route::automatic &&
      sequential::is_worth_partitioning(problem, executor.workers(), o)) {
    least = (std::min)(least, sequential::least_bytes(problem, executor.workers()));
  }
  require_memory(o, least);
  team const chosen = host::choose_tables(executor.workers(), n, layout, in_output, o);
  unsigned const workers = chosen.workers;
  std::uint64_t const words = (workers - (in_output ? 1 : 0)) * layout.words();
  if (o.explain_ != nullptr) {
    *o.explain_ = host::describe(Executor::name, chosen, words * sizeof(std::uint64_t), o);
    return;
  }
  temporary_array<std::uint64_t, Policy> memory(policy, words);
  host::count_in_tables(run, memory.data(), workers, in_output, layout, first, n, rule, out, o);
}

}  // namespace host
}  // namespace detail
THRUST_HIST_NAMESPACE_END
