// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// What a count on CUDA is to do, and how it is done: what the plan reads and what it says. No CUDA
/// headers.

#include <thrust_hist/config.h>
#include <thrust_hist/options.h>
#include <thrust_hist/system/cuda/buckets.h>
#include <thrust_hist/system/cuda/frequent_bins.h>
#include <thrust_hist/system/cuda/rule_room.h>

#include <cstddef>
#include <cstdint>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {

/// What is to be counted.
struct counting_problem {
  std::uint64_t samples;
  std::uint64_t bins;
  bool byte_samples;  ///< samples of 1 byte: their 256 values can be counted instead of bins
  bool direct;        ///< the output can take atomics; else a table is needed
  bool short_samples = false;   ///< samples of 2 bytes: the same with 65 536 values
  wanted_bytes of_rule = {};    ///< of shared memory, with which the rule is faster
  bool fresh_scratch = false;   ///< allocated in each call, but for what is kept
  std::size_t cells_bytes = 0;  ///< of scratch memory, with which the rule is faster
  bool waits = false;           ///< somebody waits for the scratch, as for that of cudaMalloc
  std::size_t kept_bytes = 0;   ///< so much scratch is kept from call to call, and costs nothing
  bool is_summed = false;       ///< somebody asks how many samples have a bin
  bool keys_in_memory = false;  ///< samples are bins, side by side: nothing is asked of them

  /// Whether counts of 32 bits may run over.
  bool is_wide() const noexcept { return samples >> 32 != 0; }
};

/// How it is done.
struct counting_plan {
  route taken;
  char const* why;
  unsigned blocks;
  unsigned threads;
  bool by_value;              ///< the table is over the values of samples of 1 or 2 bytes
  unsigned parts_log2;        ///< of the blocks that share the bins out, route shared_split
  bucket_layout buckets;      ///< route partitioned
  std::size_t byte_counters;  ///< bytes behind them that batches count into; 0: none
  look_at_bins look;          ///< route partitioned: before it, if that is worth it
  std::uint32_t hot_entries;  ///< of a block for frequent bins: route global, or with a look
  std::size_t rule_begin;     ///< byte of shared memory where that of the rule begins; 0: none
  std::size_t rule_bytes;     ///< and how much it is
  std::size_t shared_bytes;   ///< of a block
  std::size_t cells_bytes;    ///< of scratch: of the rule; 0: none
  std::size_t table_bytes;    ///< of scratch: counts for an output without atomics, and their sum
  std::size_t scratch_bytes;  ///< of all that, and of what the route needs
};

}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
