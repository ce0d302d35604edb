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

/// As many copies, up to one for each lane, as leave a table below `room` bytes.
inline unsigned copies_log2_for(std::uint64_t bins, unsigned words, std::size_t room) {
  unsigned log2 = 0;
  while (log2 < copies_log2_of_lanes && (table_bytes(bins, 32 * words) << (log2 + 1)) <= room) {
    ++log2;
  }
  return log2;
}

/// Copies, and places of warps, are begun and added up: that takes longer than few pairs do.
inline bool has_many_pairs(fold_problem const& problem) {
  return problem.pairs >= 1 << 20;
}
/// The shared memory in which copies pay.
inline std::size_t room_for_copies(fold_problem const& problem, device_facts const& facts) {
  return has_many_pairs(problem) ? facts.shared_bytes_block
                                 : (std::min)(facts.shared_bytes_block, std::size_t{32} << 10);
}

/// A table of limbs, and behind it for each bin what is no number.
inline std::size_t lone_limb_bytes(fold_plan const& p, std::uint64_t bins) {
  return p.limb_bytes + table_bytes(bins, 32);
}

/// Places beside windows, for values outside them: more take longer to begin, and for so few a
/// second window is left out.
inline constexpr std::uint32_t most_outside_places = 256;
inline constexpr std::uint32_t least_outside_places = 32;

/// Tables of exact sums: a window where pairs are many, limbs where these fit.
inline void size_exact(fold_plan& p, fold_problem const& problem, device_facts const& facts) {
  constexpr std::uint64_t worth_a_probe = 1 << 20;
  constexpr std::uint64_t worth_places = 1 << 16;
  bool const is_short = problem.partial_bytes == sizeof(std::int64_t);  // float
  // Limbs of double take so much room that each pair would soon be read by too many blocks.
  unsigned const most_parts_log2 = is_short || problem.pairs < worth_places ? 4 : 2;
  std::size_t const room = facts.shared_bytes_block;
  auto const limb_bytes = [&](unsigned parts_log2) {
    return table_bytes(bins_of_part(problem.bins, parts_log2), 32 * problem.limb_words);
  };
  while (p.limb_parts_log2 < most_parts_log2 && limb_bytes(p.limb_parts_log2) > room) {
    ++p.limb_parts_log2;
  }
  p.has_limbs = limb_bytes(p.limb_parts_log2) <= room;
  p.has_window = !p.has_limbs || p.limb_parts_log2 > 0 || problem.pairs >= worth_a_probe;
  if (p.has_limbs) {
    p.limb_copies_log2 = copies_log2_for(
        bins_of_part(problem.bins, p.limb_parts_log2), problem.limb_words,
        room_for_copies(problem, facts));
    p.limb_bytes = limb_bytes(p.limb_parts_log2) << p.limb_copies_log2;
  } else {
    p.limb_parts_log2 = 0;
  }
  if (p.has_window) {
    // Where windows have all values, frequent bins have places for those outside, if there is room.
    std::size_t const place_bytes = problem.limb_words * sizeof(std::uint32_t);
    std::size_t const of_places = p.has_limbs || is_short || problem.pairs < worth_places
                                      ? 0
                                      : hot_place_bytes(least_outside_places, place_bytes);
    p.windows = table_bytes(problem.bins, 2 * 32 * problem.table_words) + of_places <= room ? 2 : 1;
    unsigned const words = p.windows * problem.table_words;
    std::size_t const for_copies = room_for_copies(problem, facts);
    p.copies_log2 =
        copies_log2_for(problem.bins, words, for_copies - (std::min)(for_copies, of_places));
    // Sums of 64 bits of a warp's equal bins are added up before they come to a copy, if there is
    // one only.
    p.copies_log2 = is_short && p.copies_log2 <= 3 ? 0 : p.copies_log2;
    // Additions to one address in global memory crawl.
    p.below = is_short && p.windows == 1 && has_many_pairs(problem) ? 8 : 0;
    p.shared_bytes = table_bytes(problem.bins, 32 * words) << p.copies_log2;
    if (of_places > 0) {
      std::size_t const before = (p.shared_bytes + 7) / 8 * 8;
      p.hot_entries =
          hot_places_within(most_outside_places, place_bytes, room - (std::min)(room, before));
      p.shared_bytes = p.hot_entries == 0 ? p.shared_bytes
                                          : before + hot_place_bytes(p.hot_entries, place_bytes);
    }
  }
}

/// A table of states with locks: copies; where not each warp has one of its own, half of them if
/// that makes room for places of warps.
inline void size_locks(fold_plan& p, fold_problem const& problem, device_facts const& facts) {
  constexpr unsigned most_copies_log2 = 5;
  while (p.copies_log2 < most_copies_log2 &&
         lock_table_bytes(problem, p.copies_log2 + 1) <= room_for_copies(problem, facts)) {
    ++p.copies_log2;
  }
  if (problem.by_warps && has_many_pairs(problem) && p.copies_log2 < most_copies_log2) {
    auto const entries_with = [&](unsigned copies_log2) {
      return warp_entries_for(
          problem.state_bytes, lock_table_bytes(problem, copies_log2), problem.state_bytes <= 16,
          facts);
    };
    if (entries_with(p.copies_log2) == 0 && p.copies_log2 > 0 &&
        entries_with(p.copies_log2 - 1) > 0) {
      --p.copies_log2;
    }
    p.hot_entries = entries_with(p.copies_log2);
  }
  p.shared_bytes = lock_table_bytes(problem, p.copies_log2) +
                   warp_entries_bytes(problem.state_bytes, p.hot_entries);
}

/// The tables of a route in shared memory.
inline void size_tables(fold_plan& p, fold_problem const& problem, device_facts const& facts) {
  if (p.taken == route::registers) {
    p.threads = private_threads(problem, facts);
    p.shared_bytes = private_table_bytes(problem, p.threads);
  } else if (problem.means == fold_means::lock) {
    size_locks(p, problem, facts);
  } else if (problem.means == fold_means::words) {
    p.copies_log2 = copies_log2_for(
        problem.bins, problem.table_words,
        (std::min)(room_for_copies(problem, facts), facts.shared_bytes_block - nowhere_bytes));
    p.shared_bytes = word_table_bytes(problem, p.copies_log2);
  } else {
    size_exact(p, problem, facts);
  }
}

/// A pair takes longer than a sample does, however its bin is found: a rule pays later by so much.
inline constexpr unsigned samples_of_pair = 8;

/// The same with room for a rule behind them, which has it instead of copies and half of the
/// places; not instead of windows or limbs.
inline void size_tables_beside_rule(
    fold_plan& p, fold_problem const& problem, device_facts const& facts, bool is_forced,
    tuning_row const& tuning) {
  fold_plan beside = p;
  size_tables(p, problem, facts);
  auto const bytes_behind = [&](std::size_t table) {
    std::size_t const begin = (std::min)(begin_of_rule(table), facts.shared_bytes_block);
    return room_for_rule(
        problem.of_rule, facts.shared_bytes_block - begin, problem.pairs / samples_of_pair,
        is_forced, tuning);
  };
  device_facts left = facts;
  left.shared_bytes_block = (facts.shared_bytes_block - bytes_behind(0)) / 16 * 16;
  bool const fits = p.taken == route::registers ? private_threads(problem, left) == p.threads
                                                : fits_table(problem, left);
  if (fits) {
    size_tables(beside, problem, left);
  }
  bool const is_alike = beside.windows == p.windows && beside.has_window == p.has_window &&
                        beside.has_limbs == p.has_limbs;
  bool const keeps_places = beside.hot_entries >= p.hot_entries / 2 + p.hot_entries % 2;
  bool const has_table =
      problem.means != fold_means::exact_sum || p.has_window || p.taken == route::registers;
  if (fits && is_alike && keeps_places && has_table) {
    p.copies_log2 = beside.copies_log2;
    p.hot_entries = beside.hot_entries;
    p.shared_bytes = beside.shared_bytes;
    p.rule_bytes = bytes_behind(p.shared_bytes);
  }
  if (fits && beside.has_limbs && beside.limb_parts_log2 == p.limb_parts_log2) {
    p.limb_copies_log2 = beside.limb_copies_log2;
    p.limb_bytes = beside.limb_bytes;
    p.limb_rule_bytes = bytes_behind(p.limb_bytes);
  }
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
    force_fold_route(p, problem, facts, o);
  }
  if (p.taken == route::partitioned) {
    p.blocks = facts.multiprocessors;
    p.shared_bytes = (std::max)(p.buckets.table_bytes, p.buckets.wide_table_bytes);
    p.partial_bytes = p.buckets.layout.tiles == 0 ? 0 : p.buckets.bytes();
    p.hot_entries = p.buckets.hot_entries;
    p.scratch_bytes = p.states_bytes + p.locks_bytes + p.partial_bytes + scratch_overhead;
    return p;  // within the cap, by which tiles were counted
  }
  p.states_bytes = 0;
  p.sums = {};
  p.direct = false;
  p.locks_bytes = 0;
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
