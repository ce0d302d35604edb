// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// How the shared memory of a block is shared out in folds: tables, copies of them, places for
/// frequent bins, and what a rule has. No CUDA headers; tested with g++.

#include <thrust_hist/config.h>
#include <thrust_hist/system/cuda/device_facts.h>
#include <thrust_hist/system/cuda/fold_buckets.h>
#include <thrust_hist/system/cuda/fold_problem.h>
#include <thrust_hist/system/cuda/fold_routes.h>
#include <thrust_hist/system/cuda/rule_room.h>
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
    // one only. What functions emit is not: its lanes are not together.
    p.copies_log2 = is_short && !problem.emits && p.copies_log2 <= 3 ? 0 : p.copies_log2;
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

}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
