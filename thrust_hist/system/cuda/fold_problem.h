// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// What a fold on CUDA is to do, and how it is done: what the plan reads and what it says. No CUDA
/// headers.

#include <thrust_hist/config.h>
#include <thrust_hist/options.h>
#include <thrust_hist/system/cuda/fold_buckets.h>
#include <thrust_hist/system/cuda/rule_room.h>
#include <thrust_hist/system/cuda/sum_rows.h>

#include <cstddef>
#include <cstdint>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {

/// By what a state is folded: the hardware's atomics on its words, integers that make up an exact
/// sum, or a lock.
enum class fold_means { words, exact_sum, lock };

struct fold_problem {
  std::uint64_t pairs;
  std::uint64_t bins;
  fold_means means;
  unsigned table_words;     ///< of a bin in shared memory; of an exact sum: those of the window
  unsigned limb_words;      ///< of an exact sum: those of the table of limbs
  std::size_t state_bytes;  ///< of a state: of an exact sum, its long accumulator
  std::size_t state_alignment;
  std::size_t partial_bytes;  ///< of what a block leaves for each bin, or each window of it
  std::size_t private_bytes;  ///< of a state in a thread's own table; 0: there is none
  bool asks_dropped;
  bucket_needs buckets = {};  ///< of route partitioned
  bool by_warps = false;      ///< whole warps fold values of equal bins before these meet a lock
  bool emits = false;         ///< pairs are inputs, each of which may have several
  bool visits = false;  ///< pairs do not lie side by side in memory: threads ask for one at a time
  bool direct = false;  ///< states that atomics fold may be the output's own numbers
  std::size_t sorting_bytes = 0;  ///< of scratch memory, route sorted; 0: there is no such route
  wanted_bytes of_rule = {};      ///< of shared memory, with which the rule is faster
  std::size_t cells_bytes = 0;    ///< of scratch memory, for the same on route partitioned
};

struct fold_plan {
  route taken;
  char const* why;
  unsigned blocks;
  unsigned threads;
  std::size_t shared_bytes;  ///< of a block; of exact sums, with the window
  std::size_t rule_bytes;    ///< behind that, for the rule: routes registers and shared
  unsigned copies_log2;      ///< of each word, in the table of words or the window
  bool alone;        ///< one block folds all pairs and writes the output, without scratch memory
  bool has_window;   ///< exact sums: a window, and where it does not fit,
  unsigned windows;  ///< how many, 1 or 2
  bool has_limbs;    ///< limbs
  unsigned limb_parts_log2;     ///< of the blocks that share the bins out among their limbs
  std::size_t limb_bytes;       ///< of shared memory
  std::size_t limb_rule_bytes;  ///< behind that, for the rule
  unsigned limb_copies_log2;
  fold_buckets buckets;  ///< route partitioned
  std::uint32_t
      hot_entries;  ///< for bins that many want at once: of a block, or of each warp of it
                    ///< where locks lie in shared memory
  bool direct;      ///< states in global memory are the output's numbers
  std::size_t
      states_bytes;  ///< scratch: a state for each bin in global memory, and `below`; or `sums`
  sum_rows sums;     ///< exact sums in global memory
  unsigned below;    ///< exact sums: copies of a second window there, behind the states
  std::size_t locks_bytes;    ///< scratch: a lock for each
  std::size_t partial_bytes;  ///< scratch: what blocks leave, or buckets
  std::size_t cells_bytes;    ///< scratch: of the rule, with the gap before it; 0: none
  std::size_t scratch_bytes;  ///< all of it, and what numbers and alignment take

  std::size_t shared_with_rule() const noexcept {
    return cuda::bytes_with_rule(shared_bytes, rule_bytes);
  }
  std::size_t limbs_with_rule() const noexcept {
    return cuda::bytes_with_rule(limb_bytes, limb_rule_bytes);
  }
};

/// Two numbers of 64 bytes, and three gaps of less than 64: see folding_job.
inline constexpr std::size_t scratch_overhead = 2 * 64 + 3 * 64;

}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
