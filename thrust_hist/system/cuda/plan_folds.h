// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// The plan of a fold on CUDA: a pure function of the problem, the GPU and the options. No CUDA
/// headers; tested with g++.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/obey.h>
#include <thrust_hist/options.h>
#include <thrust_hist/system/cuda/device_facts.h>
#include <thrust_hist/system/cuda/fold_buckets.h>
#include <thrust_hist/system/cuda/fold_problem.h>
#include <thrust_hist/system/cuda/fold_routes.h>
#include <thrust_hist/system/cuda/fold_tables.h>
#include <thrust_hist/system/cuda/lone_block.h>
#include <thrust_hist/system/cuda/plan_folds_capped.h>
#include <thrust_hist/system/cuda/tables.h>
#include <thrust_hist/system/cuda/tuning.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {

/// A table of limbs, and behind it for each bin what is no number.
inline std::size_t lone_limb_bytes(fold_plan const& p, std::uint64_t bins) {
  return p.limb_bytes + table_bytes(bins, 32);
}

/// Plans a fold.
inline fold_plan plan_fold(
    fold_problem const& problem, device_facts const& facts, options const& o,
    tuning_row const& tuning) {
  fold_plan p = {};
  p.threads = tuning.block_threads;
  if (o.force_ == route::automatic) {
    choose_fold_route(p, problem, facts, o, tuning);
  } else {
    force_fold_route(p, problem, facts, o, tuning);
  }
  if (p.taken == route::partitioned) {
    p.blocks = facts.multiprocessors;
    p.shared_bytes = (std::max)(p.buckets.table_bytes, p.buckets.wide_table_bytes);
    p.partial_bytes = p.buckets.layout.tiles == 0 ? 0 : p.buckets.bytes();
    p.hot_entries = p.buckets.hot_entries;
    p.scratch_bytes =
        p.states_bytes + p.locks_bytes + p.partial_bytes + p.cells_bytes + scratch_overhead;
    return p;  // within the cap, by which tiles were counted
  }
  p.states_bytes = 0;
  p.sums = {};
  p.direct = false;
  p.locks_bytes = 0;
  p.cells_bytes = 0;
  p.buckets = {};
  if (p.taken == route::sorted) {
    p.blocks = facts.multiprocessors;
    p.threads = 256;
    p.partial_bytes = problem.sorting_bytes;
    p.scratch_bytes = p.partial_bytes + scratch_overhead;
    return p;
  }
  bool const in_shared = p.taken != route::global;
  if (in_shared) {
    size_tables_beside_rule(p, problem, facts, o.force_ != route::automatic, tuning);
  }
  if (is_for_one_block(problem, p.taken, facts, o, tuning)) {
    p.alone = true;
    p.blocks = 1;
    p.rule_bytes = p.limb_rule_bytes = 0;
    if (p.has_limbs) {
      p.has_window = false;
      p.windows = p.below = p.copies_log2 = 0;
      while (p.limb_copies_log2 > 0 &&
             lone_limb_bytes(p, problem.bins) > facts.shared_bytes_block) {
        --p.limb_copies_log2;
        p.limb_bytes /= 2;
      }
      p.shared_bytes = p.limb_bytes = lone_limb_bytes(p, problem.bins);
      p.threads = (std::min)(p.threads, most_threads_with(problem.state_bytes));
    }
    return p;
  }
  // A block folds and delivers its table: not for less than some pairs for each bin of it, but
  // where blocks are few, of which what they leave is soon brought together.
  std::uint64_t const folded = in_shared ? problem.bins : 0;
  unsigned const one_of = problem.partial_bytes > 8 ? 4 : 2;
  std::uint64_t const wanted = blocks_worth(
      problem.pairs, tuning.samples_per_block / 2, folded, tuning.fold_ratio,
      problem.means == fold_means::lock ? 0 : facts.multiprocessors / one_of);
  std::uint64_t const full = std::uint64_t{facts.multiprocessors} * (in_shared ? 1 : 2);
  p.blocks = static_cast<unsigned>((std::max<std::uint64_t>)(1, (std::min)(full, wanted)));
  // Groups of blocks that share bins out are whole ones.
  unsigned const parts = 1u << p.limb_parts_log2;
  p.blocks = (std::max)(p.blocks / parts, 1u) * parts;

  // So many bins fit nowhere, and their bytes are no overflow.
  auto const bins = static_cast<std::size_t>((std::min)(problem.bins, std::uint64_t{1} << 48));
  bool const rounded =
      !in_shared && problem.means == fold_means::exact_sum && has_words_in_global(problem);
  std::size_t const state_bytes = rounded ? problem.private_bytes : problem.state_bytes;
  if (!in_shared) {
    lay_out_states(p, problem, state_bytes, 0);
  } else if (problem.means == fold_means::exact_sum && p.taken != route::registers) {
    p.states_bytes = bins * state_bytes + bins * p.below * sizeof(std::int64_t);
  }
  if (!in_shared && problem.means != fold_means::lock) {
    std::size_t const place_bytes =
        has_words_in_global(problem) ? state_bytes : problem.limb_words * sizeof(std::uint32_t);
    // Nobody knows how many pairs functions emit.
    std::uint64_t const pairs = problem.emits ? (problem.pairs + 1024) * 16 : problem.pairs;
    p.hot_entries = hot_places_for(pairs, place_bytes, facts);
    p.shared_bytes = hot_place_bytes(p.hot_entries, place_bytes);
  }
  if (!in_shared && problem.means == fold_means::lock) {
    p.locks_bytes = bins * sizeof(unsigned);
    p.hot_entries = hot_entries_for(
        problem.state_bytes, problem.state_alignment, room_of_half(facts),
        has_many_pairs(problem) ? 4096 : 1024, problem.by_warps);
    p.shared_bytes = p.hot_entries == 0
                         ? 0
                         : hot_bytes(p.hot_entries, problem.state_bytes, problem.state_alignment);
  }
  if (in_shared &&
      (problem.means != fold_means::exact_sum || p.has_window || p.taken == route::registers)) {
    p.partial_bytes = bins * problem.partial_bytes * p.blocks * (std::max)(p.windows, 1u);
  }
  p.scratch_bytes = p.states_bytes + p.locks_bytes + p.partial_bytes + scratch_overhead;
  return within_cap(p, problem, facts, o, tuning);
}

/// The plan with fewer rows of exact sums, for a caller that can come back if they don't suffice.
inline fold_plan with_rows_for(fold_plan p, fold_problem const& problem, double expected) {
  sum_rows const few = p.sums.for_expected(expected);
  std::size_t const spared = p.states_bytes - few.bytes(problem.state_bytes);
  p.sums = few;
  p.states_bytes -= spared;
  p.scratch_bytes -= spared;
  return p;
}

}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
