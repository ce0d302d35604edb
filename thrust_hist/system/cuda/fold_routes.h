// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Which route a fold takes on CUDA, and which it can be forced to. No CUDA headers.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/obey.h>
#include <thrust_hist/options.h>
#include <thrust_hist/system/cuda/device_facts.h>
#include <thrust_hist/system/cuda/fold_buckets.h>
#include <thrust_hist/system/cuda/fold_fits.h>
#include <thrust_hist/system/cuda/fold_problem.h>
#include <thrust_hist/system/cuda/tuning.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {

/// Whether states in global memory are words that atomics fold. Sums that need not be exact are
/// rounded ones there.
inline bool has_words_in_global(fold_problem const& problem) {
  return problem.means == fold_means::words ||
         (problem.means == fold_means::exact_sum && problem.private_bytes != 0);
}

/// The scratch memory of states on routes partitioned and global, but for locks. Exact sums have a
/// row for each pair at most; nobody knows how many pairs functions emit.
inline void lay_out_states(
    fold_plan& p, fold_problem const& problem, std::size_t state_bytes, unsigned digits) {
  // So many bins fit nowhere, and their bytes are no overflow.
  std::uint64_t const bins = (std::min)(problem.bins, std::uint64_t{1} << 48);
  p.direct = problem.direct;
  if (problem.means == fold_means::exact_sum && !has_words_in_global(problem)) {
    p.sums = {bins, problem.emits ? bins : sum_rows::rows_for(bins, problem.pairs), digits};
    p.states_bytes = p.sums.bytes(problem.state_bytes);
  } else {
    p.states_bytes = p.direct ? 0 : static_cast<std::size_t>(bins) * state_bytes;
  }
}

/// Lays out buckets in what the cap leaves beside states and locks; without room for any, no tiles.
/// A rule gets its cells if the pairs are worth it and these leave most of the rest to buckets.
inline void lay_out_fold_buckets(
    fold_plan& p, fold_problem const& problem, device_facts const& facts, options const& o,
    tuning_row const& tuning) {
  lay_out_states(p, problem, problem.buckets.state_bytes, problem.buckets.digits);
  p.locks_bytes =
      problem.buckets.locks ? static_cast<std::size_t>(problem.bins) * sizeof(unsigned) : 0;
  std::size_t const others = p.states_bytes + p.locks_bytes + scratch_overhead;
  std::size_t const left = o.max_temporary_bytes_ > others ? o.max_temporary_bytes_ - others : 0;
  auto const lay_out_beside = [&](std::size_t cells) {
    p.cells_bytes = cells;
    p.buckets = plan_fold_buckets(
        problem.bins, problem.pairs, problem.buckets, problem.by_warps, facts, left - cells);
  };
  constexpr std::size_t gap = 64;  // see folding_job
  bool const pays =
      problem.cells_bytes > 0 && (problem.pairs >= (std::max)(tuning.cells_samples, problem.bins) ||
                                  o.force_ != route::automatic);
  bool const fits = problem.cells_bytes + gap <= left / 4;
  lay_out_beside(pays && fits ? problem.cells_bytes + gap : 0);
  if (p.buckets.layout.tiles == 0 && p.cells_bytes > 0) {
    lay_out_beside(0);
  }
}

/// Up to so many pairs states in global memory are best, that is up to where frequent bins still
/// are. Long accumulators take longer than words do, and locks are waited for.
inline std::uint64_t pairs_for_atomics(
    fold_problem const& problem, device_facts const& facts, tuning_row const& tuning) {
  if (problem.means == fold_means::lock) {
    return (std::max)(std::uint64_t{1} << 13, problem.bins / 1024);
  }
  if (!has_words_in_global(problem)) {
    return (std::max)(std::uint64_t{1} << 14, problem.bins / 64);
  }
  // Buckets take longer for sums of real numbers, and for what travels as 8 bytes.
  bool const adds_reals = problem.means == fold_means::exact_sum;
  bool const is_wide = (adds_reals ? problem.private_bytes : problem.state_bytes) == 8;
  bool const is_wide_in_cache = is_wide && problem.bins <= facts.l2_bytes / 16;
  std::uint64_t const times = is_wide_in_cache ? 4 : is_wide || adds_reals ? 2 : 1;
  return (std::max)(
      tuning.global_pairs * times, problem.bins / tuning.global_pair_bins * (is_wide ? 2 : 1));
}

/// Whether pairs are many enough for buckets, and the memory cap leaves batches worth their tables.
inline bool buckets_pay(
    fold_plan& p, fold_problem const& problem, device_facts const& facts, options const& o,
    tuning_row const& tuning) {
  if (problem.pairs <= pairs_for_atomics(problem, facts, tuning)) {
    return false;
  }
  std::uint64_t const enough =
      (std::min)(problem.pairs, (std::max<std::uint64_t>)(1 << 18, problem.bins / 4));
  auto const has_batches_with = [&](fold_problem const& laid_out) {
    lay_out_fold_buckets(p, laid_out, facts, o, tuning);
    bucket_layout const& layout = p.buckets.layout;
    std::uint64_t const batch = std::uint64_t{layout.tiles} * layout.samples_of_tile();
    return batch > 0 && batch >= enough;
  };
  fold_problem without_cells = problem;
  without_cells.cells_bytes = 0;
  return has_batches_with(problem) || (p.cells_bytes > 0 && has_batches_with(without_cells));
}

/// Whether pairs are better sorted than folded under locks in global memory, or in buckets. What a
/// sort takes depends on how many they are, and hardly on their bins; locks are waited for, and
/// states of all bins take most where these are many.
inline bool is_worth_sorting(fold_problem const& problem, tuning_row const& tuning) {
  bool const is_wide = problem.state_bytes > 8;  // buckets carry the numbers of such values
  bool const two_passes = problem.bins >> 16 == 0;
  bool const in_one_launch = problem.pairs <= tuning.sorted_at_once;
  std::uint64_t const least = problem.bins >= tuning.sorted_bins ? 1
                              : two_passes                       ? tuning.sorted_least / 4
                                                                 : tuning.sorted_least;
  std::uint64_t const many = is_wide ? problem.bins * 2 : problem.bins / 2;
  std::uint64_t const most = (std::max)(
      tuning.sorted_most << (two_passes || is_wide ? 1 : 0),
      (std::min)(many, tuning.sorted_most_of_all));
  return in_one_launch || (problem.pairs >= least && problem.pairs <= most);
}
/// Whether what sorting takes is worth asking for. Bins and pairs have numbers of 31 bits there.
inline bool may_be_sorted(
    fold_problem const& problem, device_facts const& facts, options const& o,
    tuning_row const& tuning = default_tuning) {
  bool const asked =
      o.force_ == route::sorted || (o.force_ == route::automatic && !fits_table(problem, facts) &&
                                    is_worth_sorting(problem, tuning));
  return asked && problem.means == fold_means::lock && problem.bins >> 31 == 0 &&
         problem.pairs >> 31 == 0;
}
/// Whether they are sorted, where there is memory for it.
inline bool sorting_pays(
    fold_problem const& problem, device_facts const& facts, tuning_row const& tuning) {
  return problem.sorting_bytes > 0 && !fits_table(problem, facts) &&
         is_worth_sorting(problem, tuning);
}
inline std::size_t sorting_scratch_bytes(fold_problem const& problem) {
  return problem.sorting_bytes + scratch_overhead;
}

/// Whether pairs that functions emit are better counted and written before they are folded, where
/// states in global memory are the other way: as many as are known can be sorted or come to
/// buckets. Bins have numbers of 31 bits there.
inline bool listing_pays(
    fold_problem const& problem, options const& o, tuning_row const& tuning = default_tuning) {
  bool const may_be =
      problem.emits && problem.pairs > 0 && o.force_ == route::automatic && problem.bins >> 31 == 0;
  if (problem.means == fold_means::lock) {
    return may_be && problem.pairs >= tuning.listed_least;
  }
  std::uint64_t const state_bytes = problem.bins * problem.state_bytes;
  return may_be && problem.means == fold_means::exact_sum && !has_words_in_global(problem) &&
         (problem.pairs >= tuning.listed_sums || state_bytes >= tuning.listed_bytes);
}

inline void choose_fold_route(
    fold_plan& p, fold_problem const& problem, device_facts const& facts, options const& o,
    tuning_row const& tuning) {
  constexpr std::uint64_t begun_at_once = 1 << 14;  // bins: a few turns of each thread
  bool const fits = fits_table(problem, facts);
  bool const few_pairs = problem.pairs <= tuning.lone_pairs / (problem.emits ? 8 : 1);
  bool const alone = is_for_one_block(problem, route::shared, facts, o, tuning);
  // Threads that wait for each pair have to be many, where a warp need not wait for locks instead.
  bool const waits = problem.visits && problem.by_warps &&
                     !is_for_one_block(problem, route::registers, facts, o, tuning);
  unsigned const enough = problem.means == fold_means::exact_sum || waits ? 1024 : 256;
  if (private_threads(problem, facts) >= enough) {
    p.taken = route::registers;
    p.why = "few bins: a table for each thread";
  } else if (
      fits &&
      (!few_pairs || problem.bins <= (std::max)(problem.pairs, alone ? begun_at_once : 0))) {
    p.taken = route::shared;
    p.why = "the bins fit shared memory";
  } else if (
      sorting_pays(problem, facts, tuning) &&
      sorting_scratch_bytes(problem) <= o.max_temporary_bytes_) {
    p.taken = route::sorted;
    p.why = "no atomics fold these values, and pairs are few for buckets: they are sorted";
  } else if (!fits && buckets_pay(p, problem, facts, o, tuning)) {
    p.taken = route::partitioned;
    p.why = "more bins than shared memory holds: buckets first";
  } else {
    p.taken = route::global;
    p.why = fits ? "few pairs for so many bins" : "more bins than shared memory holds";
  }
}

inline void force_fold_route(
    fold_plan& p, fold_problem const& problem, device_facts const& facts, options const& o,
    tuning_row const& tuning) {
  p.taken = o.force_;
  p.why = "forced";
  if (o.force_ == route::sorted) {
    if (problem.sorting_bytes == 0) {
      refuse_route(
          o.force_, "only values that no atomics fold are sorted, of up to 64 bytes, one to an "
                    "input, less than 2^31 of them and of bins, for an output in memory");
    }
    require_memory(o, sorting_scratch_bytes(problem));
    return;
  }
  require_cuda_route(o.force_);
  switch (o.force_) {
  case route::registers:
    if (problem.private_bytes == 0) {
      refuse_route(
          o.force_,
          "only values that no atomics fold have a table for each thread, and rounded sums");
    }
    if (private_threads(problem, facts) == 0) {
      refuse_route(o.force_, "tables for each thread do not fit shared memory");
    }
    return;
  case route::shared:
    if (!fits_table(problem, facts)) {
      refuse_route(o.force_, "the bins do not fit shared memory");
    }
    return;
  case route::global:
    return;
  case route::partitioned:
    if (problem.buckets.payload_bytes == 0) {
      refuse_route(o.force_, "what functions emit, and a reduction, has no buckets");
    }
    if (problem.bins == 0) {
      p.taken = route::global;  // pairs are only looked at
      return;
    }
    lay_out_fold_buckets(p, problem, facts, o, tuning);
    if (p.buckets.layout.threads == 0) {
      refuse_route(o.force_, "bins are too many, or shared memory is too little");
    }
    if (p.buckets.layout.tiles == 0) {
      std::size_t const least =
          p.states_bytes + p.locks_bytes + scratch_overhead + smallest_bytes(p.buckets);
      throw memory_limit_error(o.max_temporary_bytes_, least);
    }
    return;
  default:
    refuse_route(o.force_, "it is a route of counts");
  }
}

}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
