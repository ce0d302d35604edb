// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// The thresholds of the plan, as data. A row for each GPU that was measured comes with the tuning
/// of all routes; until then one row serves all, and docs/decisions/ holds what it rests on.

#include <thrust_hist/config.h>

#include <cstddef>
#include <cstdint>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {

struct tuning_row {
  unsigned block_threads;           ///< threads of a block, all routes
  std::size_t lanes_bytes;          ///< replicate over lanes while a table stays below this
  std::uint64_t samples_per_block;  ///< a block is worth starting for so many samples
  unsigned fold_ratio;              ///< and for so many samples for each bin it folds
  std::uint64_t global_samples;     ///< up to so many samples atomics on the output may be best
  unsigned global_bins;             ///< or up to one for so many bins
  std::uint64_t global_pairs;       ///< the same of folds by atomics
  unsigned global_pair_bins;
  unsigned split_parts_log2;    ///< at most so many blocks share the bins out
  std::uint64_t rule_samples;   ///< from so many samples on a rule may fill shared memory first
  std::uint64_t cells_samples;  ///< from so many on, and one for each bin, cells are made
  std::uint64_t fresh_batch;    ///< samples of a batch whose scratch no allocator keeps, at least
  unsigned fresh_ratio;         ///< and for each bin, since a batch reads and writes them all
  unsigned byte_batches;        ///< from so many batches on they count into bytes before the output
  unsigned byte_samples;        ///< if each has so many samples a bin at most
  unsigned byte_tables;         ///< and there are so many tables for 8 multiprocessors at least
  unsigned byte_percent;        ///< and bytes take so much of the memory at most
  std::uint64_t lone_pairs;     ///< up to so many floats one block sums faster than several
};

inline constexpr tuning_row default_tuning = {
    1024,       // enough loads in flight with one block on a multiprocessor
    257 * 128,  // 256 bins of 4 bytes for each of 32 lanes; two such blocks share a multiprocessor
    8192,       // below this the start of a block costs more than its work
    2,          // folding a table costs about as much as counting into it
    1 << 19,  // up to a few times this uniform keys are faster than buckets, uneven ones up to this; see 0039
    32,       // likewise
    1 << 19,  // likewise; twice as many real numbers, eight times as many of 8 bytes
    8,        // likewise
    2,        // four blocks reading from the second-level cache are as fast as buckets
    1 << 18,  // each block has thousands of samples then
    1 << 16,  // making cells takes 18 us, searching for few samples takes more; see 0017
    1 << 26,  // larger ones save less than their memory costs, unless bins are many
    8,        // 2^24 bins: 14 % faster than batches of 4 for each bin, 2^26 bins 24 %; see 0030
    5,        // setting bytes to 0 and adding them at the end takes what two batches save; see 0043
    8,        // some thirty batches before most bins have run over
    15,       // two for each: there is a second round of tables, and it is nearly full
    30,       // 50: twice as many batches, and most distributions are slower; see 0043
    1 << 14,  // as long as two launches of kernels take, see 0030
};

static_assert(default_tuning.block_threads % 32 == 0, "warps are whole");

}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
