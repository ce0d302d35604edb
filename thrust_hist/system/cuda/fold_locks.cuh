// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Folds of any values by any operator: a table for each thread, locks in shared or global memory,
/// buckets, or a sort.

#include <thrust_hist/config.h>
#include <thrust_hist/system/cuda/fold_partitioned.cuh>
#include <thrust_hist/system/cuda/fold_sorted_bins.cuh>
#include <thrust_hist/system/cuda/fold_states.cuh>
#include <thrust_hist/system/cuda/folding_job.cuh>
#include <thrust_hist/system/cuda/kernels/bin_locks.cuh>
#include <thrust_hist/system/cuda/kernels/bucket_locks.cuh>
#include <thrust_hist/system/cuda/kernels/fold_global.cuh>
#include <thrust_hist/system/cuda/kernels/lock_tables.cuh>
#include <thrust_hist/system/cuda/kernels/private_table.cuh>
#include <thrust_hist/system/cuda/lifted_fold.cuh>
#include <thrust_hist/system/cuda/states_of_bins.cuh>

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {

/// Any value and operator.
template <class Fold>
struct lock_means : means_alone {
  static constexpr bool lists_emitted = true;
  using final_fold = Fold;
  using state = typename Fold::state;

  using value = typename Fold::value;
  using lifted = decltype(cuda::lifted(std::declval<Fold const&>()));
  /// What is small travels with the rest of its bin; of what is large, the number of its pair.
  static constexpr bool carries_values = sizeof(value) <= 8;
  static constexpr bool has_buckets = alignof(state) <= 64;  // aligned as folding_job has it

  static fold_problem problem(std::uint64_t pairs, std::uint64_t bins, bool asks_dropped) {
    constexpr unsigned payload = carries_values ? sizeof(bytes_of_value<value>) : 4;
    // Lifted states of 8 bytes are swapped, but have locks as well: without, fewer rows might take
    // more than all of them.
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
  template <class Source, class Out>
  static std::size_t sorting_bytes(Source const& source, cudaStream_t stream) {
    if constexpr (may_sort_bins<Source, Fold, Out>) {
      return sorted_bins<Source, Fold>::bytes(
          source.size(), static_cast<std::uint64_t>(source.bins()), stream);
    } else {
      return 0;
    }
  }

  template <class Source, class Writer>
  static void run(
      folding_job const& job, Source const& source, Fold const& fold, Writer const& write,
      bool asks_dropped) {
    if constexpr (may_sort_bins<Source, Fold, decltype(write.out)>) {
      if (job.plan.taken == route::sorted) {
        sorted_bins<Source, Fold>(source.size(), job.bins, job.partial, job.stream)
            .run(job, source, fold, write, asks_dropped);
        return;
      }
    }
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
      states_of_bins<lifted, Writer> const states(job, fold, write);
      typename global_locks<lifted>::description const d = {
          job.bins, fold, states.get(), begin_locks(job), job.plan.hot_entries};
      cuda::fold_in_global(job, d, source, states, asks_dropped);
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
    states_of_bins<lifted, Writer> const all(job, fold, write);
    locked_states<lifted, true> const states = {all.get(), begin_locks(job)};
    all.begin();
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
    all.write();
  }
};

}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
