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
  std::uint32_t discovery_room;     ///< bins to have counters for, however few the keys are
  std::uint64_t global_samples;     ///< up to so many samples atomics on the output may be best
  unsigned global_bins;             ///< or up to one for so many bins
  std::uint64_t global_pairs;       ///< the same of folds by atomics
  unsigned global_pair_bins;
  unsigned split_parts_log2;        ///< at most so many blocks share the bins out
  unsigned soon_parts_log2;         ///< or so many, where keys in memory are not less
  std::uint64_t soon_least;         ///< than that,
  std::uint64_t soon_most;          ///< and not more
  std::uint64_t rule_samples;       ///< from so many samples on a rule may fill shared memory first
  std::uint64_t value_samples;      ///< or all values of 2 bytes be asked for their bins
  std::uint64_t more_rule_samples;  ///< from so many on, more of it than it needs
  std::uint64_t cells_samples;      ///< from so many on, and one for each bin, cells are made
  std::uint64_t fresh_batch;  ///< samples of a batch whose scratch no allocator keeps, at least
  unsigned fresh_ratio;       ///< and for each bin, since a batch reads and writes them all
  unsigned byte_batches;      ///< from so many batches on they count into bytes before the output
  unsigned byte_samples;      ///< if each has so many samples a bin at most
  unsigned byte_tables;       ///< and there are so many tables for 8 multiprocessors at least
  unsigned byte_percent;      ///< and bytes take so much of the memory at most
  std::uint64_t lone_pairs;   ///< up to so many floats one block sums faster than several
  std::uint64_t sorted_at_once;  ///< so many pairs CUB sorts in one launch
  std::uint64_t sorted_least;    ///< or from so many on that no atomics fold,
  std::uint64_t sorted_most;     ///< up to so many, a sort takes less than locks and buckets do
  /// Nor more than that, with more bins: it takes 20 bytes a pair and more.
  std::uint64_t sorted_most_of_all;
  std::uint64_t sorted_bins;  ///< from so many bins on, however few pairs are
  /// From so many inputs on, what functions emit is written before locks have it.
  std::uint64_t listed_least;
  std::uint64_t listed_sums;   ///< or long accumulators, of this many on,
  std::uint64_t listed_bytes;  ///< or where these take so much
};

inline constexpr tuning_row default_tuning = {
    1024,       // enough loads in flight with one block on a multiprocessor
    257 * 128,  // 256 bins of 4 bytes for each of 32 lanes; two such blocks share a multiprocessor
    8192,       // below this the start of a block costs more than its work
    2,          // folding a table costs about as much as counting into it
    1 << 12,    // not searched: 16 KB, which a block clears and folds soon
    1 << 19,  // a few times this uniform keys are faster than buckets, uneven ones up to this; 0039
    32,       // likewise
    1 << 21,  // likewise; twice as many real numbers, four times as many of 8 bytes; see 0045
    8,        // likewise
    2,        // four blocks reading from the second-level cache are as fast as buckets
    4,        // up to 2^20 keys in 2^19 bins: 14 to 22 us, atomics and buckets 22 to 28; see 0045
    1 << 16,  // fewer were not measured
    1 << 20,  // beyond, buckets take as long
    1 << 18,  // each block has thousands of samples then
    1 << 24,  // to ask for all values takes some 20 us; see 0060
    1 << 24,  // to look at thousands of edges takes 5 us; see 0058
    1 << 16,  // making cells takes 18 us, searching for few samples takes more; see 0017
    1 << 26,  // larger ones save less than their memory costs, unless bins are many
    8,        // 2^24 bins: 14 % faster than batches of 4 for each bin, 2^26 bins 24 %; see 0030
    5,        // setting bytes to 0 and adding them at the end takes what two batches save; see 0043
    8,        // some thirty batches before most bins have run over
    15,       // two for each: there is a second round of tables, and it is nearly full
    30,       // 50: twice as many batches, and most distributions are slower; see 0043
    1 << 14,  // as long as two launches of kernels take, see 0030
    4608,     // 256 threads of 18 pairs; all of this in 0045
    1 << 16,  // fewer take no longer under locks than a sort is launched; a quarter with two passes
    1 << 21,  // buckets take less beyond; twice as many with two passes, or of wide values
    1 << 25,  // 2^24 pairs of 12 bytes in 2^23 bins: 1 018 us, not 1 150; 2^26 longer than buckets
    1 << 21,  // states of all bins and their locks take longer than a sort
    1 << 16,  // as for a sort by key; all three in 0049
    1 << 20,  // uniform keys take as long before, Zipf keys up to ten times as long
    1 << 24,  // 2^12 doubles in 60 000 bins: 79 us, 49 by key
};

static_assert(default_tuning.block_threads % 32 == 0, "warps are whole");

}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
