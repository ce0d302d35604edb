// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// The plan of a count on CUDA: a pure function of the problem, the GPU and the options. No CUDA
/// headers; tested with g++.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/obey.h>
#include <thrust_hist/options.h>
#include <thrust_hist/system/cuda/device_facts.h>
#include <thrust_hist/system/cuda/tuning.h>

#include <algorithm>
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
  bool direct;        ///< the output can take atomics; else a table of 64-bit counts is needed
};

/// How it is done.
struct counting_plan {
  route taken;
  char const* why;
  unsigned blocks;
  unsigned threads;
  bool by_value;              ///< the table is over the 256 values of a byte
  std::size_t shared_bytes;   ///< of a block
  std::size_t scratch_bytes;  ///< from the policy
};

inline constexpr std::uint64_t register_bins = 8;  // 8-bit counters in a 64-bit register

/// The bytes of a table in shared memory; more bins than it ever holds count as just too many.
inline std::size_t table_bytes(std::uint64_t bins, unsigned bits_per_bin) {
  std::uint64_t const most = std::uint64_t{1} << 40;
  return static_cast<std::size_t>(((std::min)(bins, most) * bits_per_bin + 31) / 32 * 4);
}

inline constexpr unsigned lane_bits = 32 * 32;  // a counter for each lane of a warp
inline constexpr unsigned plain_bits = 32;
inline constexpr unsigned packed_bits = 16;

/// The route by the number of bins, and why.
inline void choose_route(
    counting_plan& p, counting_problem const& problem, device_facts const& facts,
    tuning_row const& tuning) {
  if (problem.byte_samples) {
    p.taken = route::shared_lanes;
    p.why = "samples of 1 byte: all 256 values are counted, the rule sees each once";
    p.by_value = true;
  } else if (
      problem.samples < problem.bins / tuning.global_ratio &&
      table_bytes(problem.bins, lane_bits) > tuning.lanes_bytes) {
    p.taken = route::global;
    p.why = "fewer samples than bins";
  } else if (table_bytes(problem.bins, lane_bits) <= tuning.lanes_bytes) {
    p.taken = route::shared_lanes;
    p.why = "few bins: a counter for each lane of a warp";
  } else if (table_bytes(problem.bins, plain_bits) <= facts.shared_bytes_block) {
    p.taken = route::shared;
    p.why = "32-bit counters fit shared memory";
  } else if (table_bytes(problem.bins, packed_bits) <= facts.shared_bytes_block) {
    p.taken = route::shared_packed;
    p.why = "16-bit counters fit shared memory";
  } else  // the partitioned route will stand here
  {
    p.taken = route::global;
    p.why = "more bins than shared memory holds";
  }
}

/// Takes the forced route, or says why it cannot be.
inline void force_route(
    counting_plan& p, counting_problem const& problem, device_facts const& facts, route forced) {
  p.taken = forced;
  p.why = "forced";
  p.by_value = problem.byte_samples && forced == route::shared_lanes;
  std::size_t const room = facts.shared_bytes_block;
  switch (forced) {
  case route::registers:
    if (problem.bins > register_bins) {
      refuse_route(forced, "it holds 8 bins at most");
    }
    return;
  case route::shared_lanes:
    if (!p.by_value && table_bytes(problem.bins, lane_bits) > room) {
      refuse_route(forced, "32 counters a bin do not fit shared memory");
    }
    return;
  case route::shared:
    if (table_bytes(problem.bins, plain_bits) > room) {
      refuse_route(forced, "the bins do not fit shared memory");
    }
    return;
  case route::shared_packed:
    if (table_bytes(problem.bins, packed_bits) > room) {
      refuse_route(forced, "the bins do not fit shared memory, not even with 16 bits each");
    }
    return;
  case route::global:
    return;
  case route::partitioned:
    refuse_route(forced, "this route is not built yet");
  default:
    refuse_route(forced, "it is a route of the host systems");
  }
}

/// The shared memory of a block, once the route is known.
inline void size_table(counting_plan& p, counting_problem const& problem) {
  switch (p.taken) {
  case route::shared:
    p.shared_bytes = table_bytes(problem.bins, plain_bits);
    return;
  case route::shared_lanes:
    p.shared_bytes = table_bytes(p.by_value ? 256 : problem.bins, lane_bits);
    return;
  case route::shared_packed:
    p.shared_bytes = table_bytes(problem.bins, packed_bits);
    return;
  default:
    p.shared_bytes = 0;
    return;
  }
}

/// As many blocks as fill the GPU, fewer where they would fold more than they count.
inline void size_grid(
    counting_plan& p, counting_problem const& problem, device_facts const& facts,
    tuning_row const& tuning) {
  // One block fills the registers of a multiprocessor; the kernels for bytes and for the global route
  // are small enough for two.
  bool const two_fit = 2 * (p.shared_bytes + 1024) <= facts.shared_bytes_processor;
  bool const two = two_fit && (p.by_value || p.taken == route::global);
  std::uint64_t const full = std::uint64_t{facts.multiprocessors} * (two ? 2 : 1);
  bool const folds = p.taken == route::shared || p.taken == route::shared_packed;
  std::uint64_t const worth =
      (std::max<
          std::uint64_t>)(tuning.samples_per_block, folds ? tuning.fold_ratio * problem.bins : 0);
  p.threads = tuning.block_threads;
  p.blocks = static_cast<unsigned>(
      (std::min)(full, (std::max<std::uint64_t>)(1, (problem.samples + worth - 1) / worth)));
}

/// Plans a count of at least one sample into at least one bin.
inline counting_plan plan_counting(
    counting_problem const& problem, device_facts const& facts, options const& o,
    tuning_row const& tuning = default_tuning) {
  counting_plan p = {};
  if (o.force_ == route::automatic) {
    choose_route(p, problem, facts, tuning);
  } else {
    force_route(p, problem, facts, o.force_);
  }
  size_table(p, problem);
  size_grid(p, problem, facts, tuning);
  // A table of 64-bit counts, and one more word for their sum.
  p.scratch_bytes =
      problem.direct ? 0 : static_cast<std::size_t>(problem.bins + 1) * sizeof(std::uint64_t);
  require_memory(o, p.scratch_bytes);
  return p;
}

}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
