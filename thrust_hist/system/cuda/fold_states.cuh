// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Folds whose states are values: by the hardware's atomics where it has them, else by locks.

#include <thrust_hist/config.h>
#include <thrust_hist/system/cuda/fold_partitioned.cuh>
#include <thrust_hist/system/cuda/folding_job.cuh>
#include <thrust_hist/system/cuda/kernels/bin_locks.cuh>
#include <thrust_hist/system/cuda/kernels/bucket_locks.cuh>
#include <thrust_hist/system/cuda/kernels/bucket_tables.cuh>
#include <thrust_hist/system/cuda/kernels/fold_alone.cuh>
#include <thrust_hist/system/cuda/kernels/fold_global.cuh>
#include <thrust_hist/system/cuda/kernels/lock_tables.cuh>
#include <thrust_hist/system/cuda/kernels/merge_states.cuh>
#include <thrust_hist/system/cuda/kernels/private_table.cuh>
#include <thrust_hist/system/cuda/kernels/word_tables.cuh>
#include <thrust_hist/system/cuda/lifted_fold.cuh>

#include <cstdint>
#include <type_traits>
#include <utility>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {

/// States in global memory before the first pair is folded into them, and the output after the last.
template <class Fold>
void begin_all_states(folding_job const& job, typename Fold::state* states, Fold const& fold) {
  cuda::launch(
      "begin_states", begin_states<Fold>, blocks_for(job.bins), merging_threads, 0, job.stream,
      states, job.bins, fold);
}
template <class State, class Writer>
void write_all_states(folding_job const& job, State const* states, Writer const& write) {
  cuda::launch(
      "write_states", write_states<State, Writer>, blocks_for(job.bins), merging_threads, 0,
      job.stream, states, job.bins, write);
}

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
    using table_type = decltype(std::declval<Description const&>().make(nullptr));
    unsigned* dealt = nullptr;
    if (cuda::is_dealt_out<table_type>(input, std::uint64_t{parts} * job.plan.threads)) {
      dealt = static_cast<unsigned*>(job.facts);
      require(
          cudaMemsetAsync(dealt, 0, sizeof *dealt, job.stream),
          "cudaMemsetAsync of what is dealt out");
    }
    cuda::launch(
        "fold_shared", fold_shared<std::remove_const_t<decltype(input)>, Description>, parts,
        job.plan.threads, job.plan.shared_bytes, job.stream, input, table,
        job.counter(asks_dropped), dealt);
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
template <class Description, class Source, class Fold, class Writer>
void fold_in_global(
    folding_job const& job, Description const& table, Source const& source, Fold const& fold,
    Writer const& write, bool asks_dropped) {
  auto* const states = reinterpret_cast<typename Fold::state*>(job.states);
  if (job.bins > 0) {
    cuda::begin_all_states(job, states, fold);
  }
  if (source.size() > 0) {
    auto const input = cuda::make_input<typename Fold::value, bin_index>(source, 0, source.size());
    cuda::launch(
        "fold_global", fold_global<std::remove_const_t<decltype(input)>, Description>,
        job.plan.blocks, job.plan.threads, job.plan.shared_bytes, job.stream, input, table,
        job.counter(asks_dropped));
  }
  if (job.bins > 0) {
    cuda::write_all_states(job, states, write);
  }
}

/// Numbers of 32 or 64 bits and an operator that is an atomic.
template <class Fold>
struct word_means {
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
      typename global_words<Fold>::description const d = {
          job.bins, reinterpret_cast<value*>(job.states), fold, job.plan.hot_entries};
      cuda::fold_in_global(job, d, source, fold, write, asks_dropped);
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
    auto* const states = reinterpret_cast<value*>(job.states);
    typename bucket_words<Fold>::description const d = {fold, states};
    cuda::begin_all_states(job, states, fold);
    cuda::partition_values<value>(
        job, source, asks_dropped, [&](auto const& slice, auto const& memory, std::uint64_t) {
          cuda::launch_fold_buckets(job, slice, job.plan.buckets.table_bytes, memory, d);
        });
    cuda::write_all_states(job, states, write);
  }
};

/// Any value and operator.
template <class Fold>
struct lock_means {
  using final_fold = Fold;
  using state = typename Fold::state;

  using value = typename Fold::value;
  using lifted = decltype(cuda::lifted(std::declval<Fold const&>()));
  /// What is small travels with the rest of its bin; of what is large, the number of its pair.
  static constexpr bool carries_values = sizeof(value) <= 8;
  static constexpr bool has_buckets = alignof(state) <= 64;  // aligned as folding_job has it

  static fold_problem problem(std::uint64_t pairs, std::uint64_t bins, bool asks_dropped) {
    constexpr unsigned payload = carries_values ? sizeof(bytes_of_value<value>) : 4;
    // Lifted states of 8 bytes are swapped, but have locks as well: without, fewer rows might take more than all of them.
    return {
        pairs,
        bins,
        fold_means::lock,
        0,
        0,
        sizeof(state),
        alignof(state),
        sizeof(state),
        sizeof(state),
        asks_dropped,
        {has_buckets ? payload : 0, sizeof(state) + sizeof(unsigned), 0, sizeof(state),
         !can_swap<Fold>, 0, false, !carries_values},
        std::is_same_v<state, typename lifted::value>};
  }
  static bool is_exact(route) { return Fold::exact; }
  static Fold const& final(Fold const& fold) { return fold; }

  template <class Source, class Writer>
  static void run(
      folding_job const& job, Source const& source, Fold const& fold, Writer const& write,
      bool asks_dropped) {
    if constexpr (!Source::emits && has_buckets) {
      if (job.plan.taken == route::partitioned) {
        run_partitioned(job, source, cuda::lifted(fold), write, asks_dropped);
        return;
      }
    }
    run_in_tables(job, source, cuda::lifted(fold), write, asks_dropped);
  }

private:
  template <class Source, class Writer>
  static void run_in_tables(
      folding_job const& job, Source const& source, lifted const& fold, Writer const& write,
      bool asks_dropped) {
    auto const bins = static_cast<std::uint32_t>(job.bins);
    auto* const partial = reinterpret_cast<state*>(job.partial);
    if (job.plan.taken == route::registers) {
      typename private_table<lifted>::description const d = {bins, fold, partial};
      cuda::fold_in_shared(job, d, source, fold, write, asks_dropped);
    } else if (job.plan.taken == route::shared) {
      typename shared_lock_table<lifted>::description const d = {
          bins, job.plan.copies_log2, job.plan.hot_entries, fold, partial};
      cuda::fold_in_shared(job, d, source, fold, write, asks_dropped);
    } else {
      typename global_locks<lifted>::description const d = {
          job.bins, fold, reinterpret_cast<state*>(job.states), begin_locks(job),
          job.plan.hot_entries};
      cuda::fold_in_global(job, d, source, fold, write, asks_dropped);
    }
  }
  static unsigned* begin_locks(folding_job const& job) {
    auto* const locks = reinterpret_cast<unsigned*>(job.locks);
    if (job.plan.locks_bytes > 0) {
      require(
          cudaMemsetAsync(locks, 0, job.plan.locks_bytes, job.stream),
          "cudaMemsetAsync of the locks");
    }
    return locks;
  }

  template <class Source, class Writer>
  static void run_partitioned(
      folding_job const& job, Source const& source, lifted const& fold, Writer const& write,
      bool asks_dropped) {
    locked_states<lifted, true> const states = {
        reinterpret_cast<state*>(job.states), begin_locks(job)};
    cuda::begin_all_states(job, states.states, fold);
    std::size_t const shared_bytes = job.plan.buckets.table_bytes;
    if constexpr (carries_values) {
      using column = decltype(cuda::make_column(source.values, source.size()));
      using get = unpacked_value<value>;
      pair_partition<Source, carried_bytes<column, value>> const pass(
          job, source, {cuda::make_column(source.values, source.size())}, asks_dropped);
      pass.run([&](auto const& slice, auto const& memory, std::uint64_t) {
        typename bucket_locks<lifted, get>::description const d = {
            fold, get{}, states, job.plan.hot_entries};
        cuda::launch_fold_buckets(job, slice, shared_bytes, memory, d);
      });
    } else {
      auto const values = cuda::simplest_iterator(source.values, source.size());
      using iterator = std::remove_const_t<decltype(values)>;
      using get = fetched_value<value, iterator>;
      pair_partition<Source, carried_numbers> const pass(
          job, source, carried_numbers{}, asks_dropped);
      pass.run([&](auto const& slice, auto const& memory, std::uint64_t first) {
        typename bucket_locks<lifted, get>::description const d = {
            fold, get{iterator_column<iterator>(values, source.size()), first}, states,
            job.plan.hot_entries};
        cuda::launch_fold_buckets(job, slice, shared_bytes, memory, d);
      });
    }
    cuda::write_all_states(job, states.states, write);
  }
};

}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
