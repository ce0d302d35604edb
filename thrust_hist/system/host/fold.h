// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Folding on several host threads, written once over an executor (see count.h).

#include <thrust_hist/config.h>
#include <thrust_hist/detail/fold.h>
#include <thrust_hist/detail/obey.h>
#include <thrust_hist/detail/pairs.h>
#include <thrust_hist/detail/temporary.h>
#include <thrust_hist/options.h>
#include <thrust_hist/system/host/fold_plan.h>
#include <thrust_hist/system/sequential/finish_fold.h>
#include <thrust_hist/system/sequential/fold.h>
#include <thrust_hist/system/sequential/fold_partitioned.h>
#include <thrust_hist/system/sequential/fold_stretch.h>
#include <thrust_hist/system/sequential/function_ref.h>
#include <thrust_hist/system/sequential/output_states.h>
#include <thrust_hist/system/sequential/pair_buckets.h>
#include <thrust_hist/system/sequential/state_tables.h>
#include <thrust_hist/system/sequential/stretch.h>

#include <atomic>
#include <cstddef>
#include <cstdint>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace host {

/// What a route leaves: tables of one layout, and how many pairs had no bin.
template <class Fold>
struct folded {
  sequential::state_tables<typename Fold::state> layout;
  unsigned tables;
  std::uint64_t dropped;
};

/// Workers with tables of their own.
template <class Source, class Fold>
folded<Fold> fold_into_tables(
    sequential::run_function run, sequential::state_tables<typename Fold::state> const& layout,
    char* memory, unsigned workers, Source const& source, Fold const& fold) {
  auto const pairs = source.template bind<bin_index>();
  std::atomic<std::uint64_t> dropped{0};
  run(workers, [&](unsigned worker) {
    dropped += sequential::fold_stretch(
        layout.table(memory, worker), layout, sequential::share_of(source.size(), workers, worker),
        pairs, fold);
  });
  return {layout, workers, dropped};
}

/// Folds in `bytes` of memory by `work(run, memory)`, which says what is where then, and writes.
template <class Executor, class Policy, class Fold, class Out, class Work>
void fold_and_write(
    Executor executor, Policy& policy, fold_team const& team, std::size_t bytes, Fold const& fold,
    Out out, options const& o, Work work) {
  if (o.explain_ != nullptr) {
    *o.explain_ = {team.taken, team.why, Executor::name, team.workers, 1, 0, bytes, Fold::exact};
    return;
  }
  auto const run = [&](unsigned workers, sequential::chunk_function chunk) {
    executor.run(policy, workers, chunk);
  };
  temporary_array<char, Policy> memory(policy, bytes);
  folded<Fold> const result = work(run, memory.data());
  constexpr std::uint64_t work_for_one = 1 << 17;  // bytes
  unsigned const writers = result.layout.stride() * result.tables < work_for_one ? 1 : team.workers;
  sequential::finish_fold(
      run, writers,
      sequential::folded_tables<Fold, Out>{
          result.layout, memory.data(), result.tables, fold, out, o.accumulate_});
  if (o.dropped_ != nullptr) {
    *o.dropped_ = result.dropped;
  }
}

/// Folds the pairs of a source and writes its bins to `out`.
template <class Executor, class Policy, class Source, class Fold, class Out>
void fold_pairs(
    Executor executor, Policy& policy, Source const& source, Fold const& fold, Out out,
    options const& o) {
  using state = typename Fold::state;
  auto const bins = static_cast<std::uint64_t>(source.bins());
  fold_problem const problem = {bins,          source.size(),
                                sizeof(state), sizeof(typename Fold::value),
                                Source::emits, executor.workers()};
  require_host_route(o);
  bool const in_output = sequential::folds_in_output<Fold, Out>(source, o);
  auto const output = [&] { return sequential::states_of_output<Fold, Source>(out, in_output); };
  if (host::wants_buckets(problem, o)) {
    fold_team const team = host::choose_buckets(problem, o, [&](unsigned workers, auto pairs) {
      return sequential::pair_layout<Fold>(bins, pairs, in_output).bytes(workers);
    });
    if (team.workers > 0) {
      sequential::pair_layout<Fold> const planned(bins, team.pairs, in_output);
      host::fold_and_write(
          executor, policy, team, planned.bytes(team.workers), fold, out, o,
          [&](sequential::run_function run, char* memory) {
            auto const buckets = planned.with_output(output());
            std::uint64_t const dropped =
                sequential::fold_partitioned(run, buckets, memory, team.workers, source, fold);
            return folded<Fold>{buckets.table(), 1, dropped};
          });
      return;
    }
  }
  auto const planned =
      sequential::layout_within<state>(bins, problem.inputs, problem.available, in_output, o);
  fold_team const team =
      host::choose_tables(problem, planned.tables_within(o.max_temporary_bytes_), o);
  host::fold_and_write(
      executor, policy, team, planned.bytes(team.workers), fold, out, o,
      [&](sequential::run_function run, char* memory) {
        return host::fold_into_tables(
            run, planned.with_output(output()), memory, team.workers, source, fold);
      });
}

}  // namespace host
}  // namespace detail
THRUST_HIST_NAMESPACE_END
