// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Sums of real numbers: exact ones in shared memory, whether asked for or not, since integers are
/// faster there than additions of real numbers; and those in global memory, exact only if asked
/// for.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/exact_folds.h>
#include <thrust_hist/system/cuda/exact_sums_of_bins.cuh>
#include <thrust_hist/system/cuda/fold_states.cuh>
#include <thrust_hist/system/cuda/fold_sums_partitioned.cuh>
#include <thrust_hist/system/cuda/folding_job.cuh>
#include <thrust_hist/system/cuda/kernels/collect_sums.cuh>
#include <thrust_hist/system/cuda/kernels/fold_alone.cuh>
#include <thrust_hist/system/cuda/kernels/fold_global.cuh>
#include <thrust_hist/system/cuda/kernels/limb_table.cuh>
#include <thrust_hist/system/cuda/kernels/lone_window.cuh>
#include <thrust_hist/system/cuda/kernels/private_table.cuh>
#include <thrust_hist/system/cuda/kernels/probe_values.cuh>
#include <thrust_hist/system/cuda/kernels/window_table.cuh>
#include <thrust_hist/system/cuda/states_of_bins.cuh>

#include <algorithm>
#include <cstdint>
#include <type_traits>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {

/// `Rounded` is the fold that was asked for: a plain sum, or void for an exact one.
template <class T, class Rounded>
struct sum_means : means_alone {
  using exact_fold = exact_sum_fold<T>;
  using final_fold = exact_fold;
  using total = typename window<T>::total;
  static constexpr bool may_round = !std::is_void_v<Rounded>;
  static constexpr bool lists_emitted = !may_round;
  using buckets = sums_by_buckets<T, std::conditional_t<may_round, T*, rows_of_sums<T>>>;

  static fold_problem problem(std::uint64_t pairs, std::uint64_t bins, bool asks_dropped) {
    return {
        pairs,
        bins,
        fold_means::exact_sum,
        words_of_window,
        limb_table<T>::words,
        sizeof(carry_save<T>),
        alignof(carry_save<T>),
        sizeof(total),
        may_round ? sizeof(T) : 0,
        asks_dropped,
        buckets::needs(pairs)};
  }
  static bool is_exact(route taken) { return !may_round || taken == route::shared; }
  template <class Out>
  static bool in_output(bool accumulates) {
    if constexpr (may_round) {
      return folds_in_output<Rounded, Out>(accumulates);
    } else {
      return false;
    }
  }
  template <class Policy, class Source>
  static double expected_rows(Policy& policy, Source const& source) {
    if constexpr (may_round || Source::emits) {
      return 0;  // has no rows that could be fewer
    } else {
      return buckets::expected_rows(policy, source);
    }
  }
  template <class Fold>
  static exact_fold final(Fold const&) {
    return {};
  }

  template <class Source, class Fold, class Writer>
  static void run(
      folding_job const& job, Source const& source, Fold const& fold, Writer const& write,
      bool asks_dropped) {
    if (job.plan.alone && job.plan.taken == route::shared) {
      typename lone_limbs<T>::description const d = {
          {static_cast<std::uint32_t>(job.bins), limb_table<T>::words, job.plan.limb_copies_log2}};
      cuda::fold_by_one_block<T>(job, d, source, write);
      return;
    }
    if (job.plan.taken == route::shared) {
      run_shared(job, source, write, asks_dropped);
    } else if constexpr (may_round) {
      run_rounded(job, source, fold, write, asks_dropped);
    } else {
      cuda::sum_in_global<T, buckets>(job, source, write, asks_dropped);
    }
  }

private:
  /// Where sums need not be exact, and rounded ones are faster.
  template <class Source, class Fold, class Writer>
  static void run_rounded(
      folding_job const& job, Source const& source, Fold const& fold, Writer const& write,
      bool asks_dropped) {
    fold_writer<decltype(write.out), Fold> const write_rounded = {
        write.out, fold, write.accumulate};
    states_of_bins<Fold, decltype(write_rounded)> const states(job, fold, write_rounded);
    if constexpr (!Source::emits) {
      if (job.plan.taken == route::partitioned) {
        states.begin();
        buckets::run(job, source, states.get(), asks_dropped);
        states.write();
        return;
      }
    }
    if (job.plan.taken == route::registers) {
      typename private_table<Fold>::description const d = {
          static_cast<std::uint32_t>(job.bins), fold, reinterpret_cast<T*>(job.partial)};
      cuda::fold_in_shared(job, d, source, fold, write_rounded, asks_dropped);
    } else {
      typename global_words<Fold>::description const d = {
          job.bins, states.get(), fold, job.plan.hot_entries};
      cuda::fold_in_global(job, d, source, states, asks_dropped);
    }
  }

  /// Limbs have room for 2^32 additions of the greatest digits, windows for 2^28 numbers of the
  /// highest binade: for 64 pairs of a sample that all go to one bin. A window in
  /// global memory may get the pairs of two blocks, each with a round of its threads more than
  /// others.
  static constexpr std::uint64_t pairs_of_window(bool any_number) {
    constexpr std::uint64_t each = std::uint64_t{1} << 26;
    constexpr std::uint64_t room = std::uint64_t{1} << 28;
    constexpr std::uint64_t round = 1024 * pairs_of_group;
    static_assert(2 * (each + round) <= room, "two blocks have one window in global memory");
    return any_number ? std::uint64_t{1} << 22 : each;
  }

  /// As many windows as share the pairs out. Of those below some have up to twice as many as
  /// others, where blocks are not a multiple of them; words have room for that, but for what
  /// functions emit.
  static unsigned windows_of(fold_plan const& p, bool any_number) {
    unsigned const below = (std::min)(p.blocks, p.below);
    return p.below == 0 ? p.blocks : any_number ? (below + 1) / 2 : below;
  }

  template <class Source, class Writer>
  static void run_shared(
      folding_job const& job, Source const& source, Writer const& write, bool asks_dropped) {
    auto* const sums = reinterpret_cast<carry_save<T>*>(job.states);
    // The look at values clears them by the way.
    if (!job.plan.has_window || source.size() == 0) {
      require(
          cudaMemsetAsync(sums, 0, job.plan.states_bytes, job.stream),
          "cudaMemsetAsync of the long accumulators");
    }
    constexpr bool any_number = emits_any_number<Source>;
    std::uint64_t const piece = (std::min)(
        inputs_of_piece<T>(any_number),
        windows_of(job.plan, any_number) * pairs_of_window(any_number));
    std::uint64_t done = 0;
    do {
      std::uint64_t const left = source.size() - done;
      std::uint64_t const n = left < piece ? left : piece;
      if (n > 0) {
        run_piece(job, source, done, n, sums, asks_dropped);
      }
      done += n;
      collect(job, sums, n > 0, done == source.size(), write);
    } while (done < source.size());
  }

  template <class Source>
  static void run_piece(
      folding_job const& job, Source const& source, std::uint64_t first, std::uint64_t n,
      carry_save<T>* sums, bool asks_dropped) {
    fold_plan const& p = job.plan;
    dropped_counter const dropped = job.counter(asks_dropped);
    auto const input = cuda::make_input<T, std::int32_t>(source, first, n);
    using input_type = std::remove_const_t<decltype(input)>;
    auto const bins = static_cast<std::uint32_t>(job.bins);
    auto* const facts = static_cast<window_facts*>(job.facts);
    if (p.has_window) {
      cleared_words const all = {
          reinterpret_cast<unsigned long long*>(sums),
          first == 0 ? p.states_bytes / sizeof(unsigned long long) : 0};
      cuda::launch(
          "probe_values", probe_values<T, input_type>,
          first == 0 ? (std::min)(p.blocks, 64u) + 1 : 1, probe_threads, 0, job.stream, input, 8u,
          p.windows, p.has_limbs, facts, all);
      using outside = outside_to_sums<T, carry_save<T>*>;
      if constexpr (is_reduction<Source>) {  // one bin has room for all
        fold_in_table<lone_window<T, outside>>(job, input, {sums}, dropped);
      } else if constexpr (has_below) {
        if (p.windows == 2) {
          fold_in_table<window_table<T, 2, outside>>(job, input, {sums}, dropped);
        } else {
          fold_in_table<window_table<T, 1, outside_to_windows>>(
              job, input, below_of(job, sums), dropped);
        }
      } else if (p.has_limbs) {
        fold_in_windows<outside>(job, input, {sums}, dropped);
      } else {
        fold_in_windows<outside_to_places<T, carry_save<T>*>>(
            job, input, {sums, p.hot_entries}, dropped);
      }
    }
    if (p.has_limbs) {
      using table = typename limb_table<T>::description;
      cuda::launch(
          "fold_shared in limbs", fold_shared<input_type, table>, p.blocks, p.threads,
          p.limbs_with_rule(), job.stream, input,
          table{
              {static_cast<std::uint32_t>(bins_of_part(job.bins, p.limb_parts_log2)),
               limb_table<T>::words, p.limb_copies_log2},
              p.has_window ? facts : nullptr,
              sums,
              bins,
              p.limb_parts_log2},
          dropped, bytes_of_rule(p.limb_bytes, p.limb_rule_bytes));
    }
  }

  template <class Outside, class Input>
  static void fold_in_windows(
      folding_job const& job, Input const& input, typename Outside::description const& outside,
      dropped_counter const& dropped) {
    if (job.plan.windows == 2) {
      fold_in_table<window_table<T, 2, Outside>>(job, input, outside, dropped);
    } else {
      fold_in_table<window_table<T, 1, Outside>>(job, input, outside, dropped);
    }
  }
  template <class Table, class Input>
  static void fold_in_table(
      folding_job const& job, Input const& input,
      typename Table::outside_table::description const& outside, dropped_counter const& dropped) {
    constexpr unsigned windows = Table::windows;
    using description = typename Table::description;
    fold_plan const& p = job.plan;
    auto* const facts = static_cast<window_facts*>(job.facts);
    typename window_table<T, windows, typename Table::outside_table>::description const of_bins = {
        {static_cast<std::uint32_t>(job.bins), windows * words_of_window, p.copies_log2},
        facts,
        outside,
        reinterpret_cast<total*>(job.partial)};
    cuda::launch(
        "fold_shared in windows", fold_shared<Input, description>, p.blocks, p.threads,
        p.shared_with_rule(), job.stream, input, description{of_bins}, dropped,
        bytes_of_rule(p.shared_bytes, p.rule_bytes));
  }

  static constexpr bool has_below = std::is_same_v<T, float>;
  /// Second windows in global memory, behind the long accumulators.
  static outside_to_windows below_of(folding_job const& job, carry_save<T>* sums) {
    if constexpr (has_below) {
      return {
          sums, reinterpret_cast<unsigned long long*>(sums + job.bins),
          static_cast<std::uint32_t>(job.bins), job.plan.below};
    } else {
      return {};
    }
  }

  /// `ran`: the kernels of the route did, and left windows if they have any.
  template <class Writer>
  static void collect(
      folding_job const& job, carry_save<T>* sums, bool ran, bool last, Writer const& write) {
    if (job.bins == 0) {
      return;
    }
    bool const windows = ran && job.plan.has_window;
    window_parts<T> const parts = {
        reinterpret_cast<total const*>(job.partial), windows ? job.plan.blocks : 0,
        job.plan.windows, windows ? static_cast<window_facts const*>(job.facts) : nullptr,
        windows ? below_of(job, sums) : outside_to_windows{}};
    merging_grid const grid = grid_for_merging<window_totals>(job.bins, parts.parts());
    cuda::launch(
        "collect_sums", collect_sums<T, Writer>, grid.blocks, merging_threads, grid.shared_bytes,
        job.stream, parts, job.bins, sums, grid.shares, last, write);
  }
};

}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
