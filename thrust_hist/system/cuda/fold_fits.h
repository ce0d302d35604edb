// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// How much shared memory the tables of a fold take, whether a block has it, and whether one block
/// is enough. No CUDA headers.

#include <thrust_hist/config.h>
#include <thrust_hist/options.h>
#include <thrust_hist/system/cuda/device_facts.h>
#include <thrust_hist/system/cuda/fold_problem.h>
#include <thrust_hist/system/cuda/lone_block.h>
#include <thrust_hist/system/cuda/tables.h>
#include <thrust_hist/system/cuda/tuning.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {

/// Shared memory of 2^copies_log2 tables with locks, and of the private tables of so many threads.
inline std::size_t lock_table_bytes(fold_problem const& problem, unsigned copies_log2 = 0) {
  std::uint64_t const most = std::uint64_t{1} << 40;
  std::uint64_t const bins = (std::min)(problem.bins, most / problem.state_bytes) << copies_log2;
  return static_cast<std::size_t>((bins * sizeof(unsigned) + 15) / 16 * 16) +
         static_cast<std::size_t>(bins) * problem.state_bytes + problem.state_alignment;
}
/// A table of words in shared memory, or a window, with 2^copies_log2 copies of each.
inline std::size_t word_table_bytes(fold_problem const& problem, unsigned copies_log2 = 0) {
  return (table_bytes(problem.bins, 32 * problem.table_words) << copies_log2) +
         (problem.means == fold_means::words ? nowhere_bytes : 0);
}
inline std::size_t private_table_bytes(fold_problem const& problem, unsigned threads) {
  std::uint64_t const most = std::uint64_t{1} << 40;
  std::uint64_t const bins = (std::min)(problem.bins, most / problem.private_bytes);
  return static_cast<std::size_t>(bins) * problem.private_bytes * threads + problem.state_alignment;
}
/// The threads of a block with private tables: 1024 down to 128; 0 where not even these fit.
inline unsigned private_threads(fold_problem const& problem, device_facts const& facts) {
  if (problem.private_bytes == 0) {
    return 0;
  }
  for (unsigned threads = 1024; threads >= 128; threads /= 2) {
    if (private_table_bytes(problem, threads) <= facts.shared_bytes_block) {
      return threads;
    }
  }
  return 0;
}

inline bool fits_table(fold_problem const& problem, device_facts const& facts) {
  return problem.means == fold_means::lock ? lock_table_bytes(problem) <= facts.shared_bytes_block
                                           : word_table_bytes(problem) <= facts.shared_bytes_block;
}

/// Whether one block has room for all bins; of exact sums, for limbs and a word for specials.
inline bool fits_one_block(fold_problem const& problem, device_facts const& facts) {
  std::size_t const bytes = problem.means == fold_means::exact_sum
                                ? table_bytes(problem.bins, 32 * (problem.limb_words + 1))
                                : 0;
  return fits_table(problem, facts) && bytes <= facts.shared_bytes_block;
}
/// Up to so many pairs are folded by one block while a second launch, which brings together what
/// several leave, takes as long. Words take one addition a pair, limbs of double and locks more
/// than limbs of float.
inline std::uint64_t most_lone_pairs(
    fold_problem const& problem, route taken, tuning_row const& tuning) {
  bool const in_table = taken == route::shared;
  bool const many_limbs =
      problem.means == fold_means::exact_sum && has_many_limbs(problem.state_bytes);
  std::uint64_t const few = problem.emits ? tuning.lone_pairs / 8 : tuning.lone_pairs;
  return problem.means == fold_means::words                              ? 2 * few
         : in_table && (many_limbs || problem.means == fold_means::lock) ? few / 4
                                                                         : few;
}
/// Whether a route of blocks with tables needs one alone, from the input to the output. Routes that
/// are forced are what larger calls take.
inline bool is_for_one_block(
    fold_problem const& problem, route taken, device_facts const& facts, options const& o,
    tuning_row const& tuning) {
  bool const fits =
      taken == route::shared ? fits_one_block(problem, facts) : taken == route::registers;
  return o.force_ == route::automatic && fits && !problem.asks_dropped &&
         problem.pairs <= most_lone_pairs(problem, taken, tuning);
}

}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
