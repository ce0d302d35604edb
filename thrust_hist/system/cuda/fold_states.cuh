// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Folds whose states are values that the hardware's atomics fold; and how any states are folded in
/// shared and in global memory.

#include <thrust_hist/config.h>
#include <thrust_hist/system/cuda/fold_partitioned.cuh>
#include <thrust_hist/system/cuda/folding_job.cuh>
#include <thrust_hist/system/cuda/kernels/bucket_tables.cuh>
#include <thrust_hist/system/cuda/kernels/fold_alone.cuh>
#include <thrust_hist/system/cuda/kernels/fold_global.cuh>
#include <thrust_hist/system/cuda/kernels/merge_states.cuh>
#include <thrust_hist/system/cuda/kernels/word_tables.cuh>
#include <thrust_hist/system/cuda/states_of_bins.cuh>

#include <cstdint>
#include <type_traits>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {

/// Folds in the shared memory of one block, which writes.
template <class Value, class Description, class Source, class Writer>
void fold_by_one_block(
    folding_job const& job, Description const& table, Source const& source, Writer const& write) {
  auto const input = cuda::make_input<Value, std::int32_t>(source, 0, source.size());
  cuda::launch(
      "fold_alone", fold_alone<std::remove_const_t<decltype(input)>, Description, Writer>, 1,
      job.plan.threads, job.plan.shared_bytes, job.stream, input, table, write);
}

/// Folds in shared memory and merges what blocks leave, if there are several.
template <class Description, class Source, class Fold, class Writer>
void fold_in_shared(
    folding_job const& job, Description const& table, Source const& source, Fold const& fold,
    Writer const& write, bool asks_dropped) {
  using state = typename Fold::state;
  if (job.plan.alone) {
    cuda::fold_by_one_block<typename Fold::value>(job, table, source, write);
    return;
  }
  unsigned const parts = source.size() > 0 ? job.plan.blocks : 0;
  if (parts > 0) {
    auto const input =
        cuda::make_input<typename Fold::value, std::int32_t>(source, 0, source.size());
    cuda::launch(
        "fold_shared", fold_shared<std::remove_const_t<decltype(input)>, Description>, parts,
        job.plan.threads, job.plan.shared_with_rule(), job.stream, input, table,
        job.counter(asks_dropped), bytes_of_rule(job.plan.shared_bytes, job.plan.rule_bytes));
  }
  merging_grid const grid = grid_for_merging<state>(job.bins, parts);
  if (job.bins > 0) {
    cuda::launch(
        "merge_states", merge_states<Fold, Writer>, grid.blocks, merging_threads, grid.shared_bytes,
        job.stream, reinterpret_cast<state const*>(job.partial), parts, job.bins, grid.shares, fold,
        write);
  }
}

/// Folds in global memory and writes.
template <class Description, class Source, class States>
void fold_in_global(
    folding_job const& job, Description const& table, Source const& source, States const& states,
    bool asks_dropped) {
  states.begin();
  if (source.size() > 0) {
    auto const input =
        cuda::make_input<typename States::value, bin_index>(source, 0, source.size());
    cuda::launch(
        "fold_global", fold_global<std::remove_const_t<decltype(input)>, Description>,
        job.plan.blocks, job.plan.threads, job.plan.shared_bytes, job.stream, input, table,
        job.counter(asks_dropped));
  }
  states.write();
}

/// Numbers of 32 or 64 bits and an operator that is an atomic.
template <class Fold>
struct word_means : means_alone {
  using final_fold = Fold;
  using value = typename Fold::value;
  using table = word_table_for<Fold>;

  static fold_problem problem(std::uint64_t pairs, std::uint64_t bins, bool asks_dropped) {
    return {
        pairs,
        bins,
        fold_means::words,
        table::words,
        0,
        sizeof(value),
        alignof(value),
        sizeof(value),
        0,
        asks_dropped,
        {sizeof(value), bucket_words<Fold>::bin_bytes, 0, sizeof(value)}};
  }
  static bool is_exact(route) { return true; }
  template <class Out>
  static bool in_output(bool accumulates) {
    return folds_in_output<Fold, Out>(accumulates);
  }
  static Fold const& final(Fold const& fold) { return fold; }

  template <class Source, class Writer>
  static void run(
      folding_job const& job, Source const& source, Fold const& fold, Writer const& write,
      bool asks_dropped) {
    if constexpr (!Source::emits) {
      if (job.plan.taken == route::partitioned) {
        run_partitioned(job, source, fold, write, asks_dropped);
        return;
      }
    }
    if (job.plan.taken == route::global) {
      states_of_bins<Fold, Writer> const states(job, fold, write);
      typename global_words<Fold>::description const d = {
          job.bins, states.get(), fold, job.plan.hot_entries};
      cuda::fold_in_global(job, d, source, states, asks_dropped);
    } else {
      typename table::description const d = {
          {static_cast<std::uint32_t>(job.bins), table::layout_words, job.plan.copies_log2},
          fold,
          reinterpret_cast<value*>(job.partial)};
      cuda::fold_in_shared(job, d, source, fold, write, asks_dropped);
    }
  }

private:
  template <class Source, class Writer>
  static void run_partitioned(
      folding_job const& job, Source const& source, Fold const& fold, Writer const& write,
      bool asks_dropped) {
    states_of_bins<Fold, Writer> const states(job, fold, write);
    typename bucket_words<Fold>::description const d = {fold, states.get()};
    states.begin();
    cuda::partition_values<value>(
        job, source, asks_dropped, [&](auto const& slice, auto const& memory, std::uint64_t) {
          cuda::launch_fold_buckets(job, slice, job.plan.buckets.table_bytes, memory, d);
        });
    states.write();
  }
};

}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
