// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// The plan of a count on CUDA: a pure function of the problem, the GPU and the options. No CUDA
/// headers; tested with g++.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/obey.h>
#include <thrust_hist/options.h>
#include <thrust_hist/system/cuda/buckets.h>
#include <thrust_hist/system/cuda/counting_problem.h>
#include <thrust_hist/system/cuda/device_facts.h>
#include <thrust_hist/system/cuda/plan_batches.h>
#include <thrust_hist/system/cuda/tables.h>
#include <thrust_hist/system/cuda/tuning.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {

/// Whether blocks that share the bins out are faster than atomics in global memory and than
/// buckets: they take one launch, and each looks at all samples, which therefore are few, and are
/// asked nothing.
inline bool blocks_share_soon(
    counting_problem const& problem, device_facts const& facts, tuning_row const& tuning) {
  unsigned const parts_log2 = parts_log2_for(problem.bins, facts);
  bool const are_some = parts_log2 > 0 && parts_log2 <= tuning.soon_parts_log2 &&
                        (4u << parts_log2) <= facts.multiprocessors;
  return problem.keys_in_memory && !problem.short_samples && are_some &&
         problem.samples >= tuning.soon_least && problem.samples <= tuning.soon_most;
}

/// Counts of scratch memory, and their sum, which is the last word of 64 bits; an even number of
/// these.
inline std::size_t count_table_bytes(counting_problem const& problem) noexcept {
  if (problem.direct && !problem.is_summed) {
    return 0;
  }
  constexpr std::size_t word = sizeof(std::uint64_t);
  std::size_t const counts = problem.direct ? 0
                             : problem.is_wide()
                                 ? static_cast<std::size_t>(problem.bins)
                                 : static_cast<std::size_t>(problem.bins / 2 + problem.bins % 2);
  return (counts / 2 + 1) * 2 * word;
}

/// The route by the number of bins, and why.
inline void choose_route(
    counting_plan& p, counting_problem const& problem, device_facts const& facts, options const& o,
    tuning_row const& tuning) {
  bool const fits_few = parts_log2_for(problem.bins, facts) <= tuning.split_parts_log2;
  bool const fits_shared = plain_bytes(problem.bins) <= facts.shared_bytes_block;
  // Cells make other routes faster. What buckets cost grows with the bins; the values of samples of
  // 2 bytes do not.
  std::uint64_t const part = fits_few ? 2 : 1;
  std::uint64_t const few = (std::max)(
      tuning.global_samples / (p.cells_bytes > 0 ? 8 : part),
      problem.short_samples ? 0 : problem.bins / tuning.global_bins);
  if (problem.byte_samples) {
    p.taken = route::shared_lanes;
    p.why = "samples of 1 byte: all 256 values are counted, a block asks the rule once for each";
    p.by_value = true;
  } else if (lane_bytes(problem.bins) <= tuning.lanes_bytes) {
    p.taken = route::shared_lanes;
    p.why = "few bins: a counter for each lane of a warp";
  } else if (blocks_share_soon(problem, facts, tuning)) {
    p.taken = route::shared_split;
    p.why = "few keys: blocks that share the bins out have soon looked at all of them";
  } else if (problem.samples <= few && (problem.samples < problem.bins || !fits_shared)) {
    p.taken = route::global;
    p.why = "few samples for so many bins";
  } else if (fits_shared) {
    p.taken = route::shared;
    p.why = "32-bit counters fit shared memory";
  } else if (
      problem.short_samples && parts_log2_for(short_values, facts) <= tuning.split_parts_log2) {
    p.taken = route::shared_split;
    p.why = "samples of 2 bytes: all 65 536 values are counted, the rule is asked for each later";
    p.by_value = true;
  } else if (fits_few && p.cells_bytes == 0) {
    p.taken = route::shared_split;
    p.why = "32-bit counters fit the shared memory of a few blocks together";
  } else if (!fits_buckets(problem.bins)) {
    p.taken = route::global;
    p.why = "more bins than buckets hold";
  } else {
    lay_out_buckets(p, problem, facts, o, tuning);
    if (batches_pay(p.buckets, problem, tuning)) {
      p.taken = route::partitioned;
      p.why = fits_few ? "buckets first: blocks that share the bins would each look for all samples"
                       : "more bins than shared memory holds: buckets first";
    } else if (fits_few) {
      p.taken = route::shared_split;
      p.why = "32-bit counters fit a few blocks together; no memory for buckets";
    } else {
      p.taken = route::global;
      p.why = "no memory for buckets: capped, or captured without an allocator";
    }
    if (p.taken == route::partitioned) {
      add_look(p, problem, facts, o, tuning);
    } else {
      p.buckets = {};
      p.table_bytes = count_table_bytes(problem);
    }
  }
}

/// Takes the forced route, or says why it cannot be.
inline void force_route(
    counting_plan& p, counting_problem const& problem, device_facts const& facts, options const& o,
    tuning_row const& tuning) {
  route const forced = o.force_;
  p.taken = forced;
  p.why = "forced";
  p.by_value = problem.byte_samples && forced == route::shared_lanes;
  std::size_t const room = facts.shared_bytes_block;
  require_cuda_route(forced);
  switch (forced) {
  case route::registers:
    if (problem.bins > register_bins) {
      refuse_route(forced, "it holds 8 bins at most");
    }
    return;
  case route::shared_lanes:
    if (!p.by_value && lane_bytes(problem.bins) > room) {
      refuse_route(forced, "32 counters a bin do not fit shared memory");
    }
    return;
  case route::shared:
    if (plain_bytes(problem.bins) > room) {
      refuse_route(forced, "the bins do not fit shared memory");
    }
    return;
  case route::shared_packed:
    if (packed_bytes(problem.bins) > room) {
      refuse_route(forced, "the bins do not fit shared memory, not even with 16 bits each");
    }
    return;
  case route::shared_split:
    if (1u << parts_log2_for(problem.bins, facts) > facts.multiprocessors) {
      refuse_route(forced, "the bins do not fit the shared memory of all blocks together");
    }
    return;
  case route::partitioned:
    if (!fits_buckets(problem.bins)) {
      refuse_route(forced, "there are more bins than buckets hold");
    }
    if (problem.bins == 0) {
      return;
    }
    lay_out_buckets(p, problem, facts, o, tuning);
    if (p.buckets.tiles == 0) {
      throw memory_limit_error(o.max_temporary_bytes_, p.table_bytes + smallest_bytes(p.buckets));
    }
    return;
  default:
    return;  // global
  }
}

/// How many different things are counted: bins, or the values of a sample.
inline std::uint64_t counted_bins(counting_plan const& p, counting_problem const& problem) {
  return !p.by_value ? problem.bins : problem.byte_samples ? byte_values : short_values;
}

/// The shared memory of a block, once the route is known.
inline void size_table(
    counting_plan& p, counting_problem const& problem, device_facts const& facts) {
  std::uint64_t const bins = counted_bins(p, problem);
  switch (p.taken) {
  case route::shared:
    p.shared_bytes = plain_bytes(bins);
    return;
  case route::shared_lanes:
    p.shared_bytes = lane_bytes(bins);
    return;
  case route::shared_packed:
    p.shared_bytes = packed_bytes(bins);
    return;
  case route::shared_split:
    p.parts_log2 = parts_log2_for(bins, facts);
    p.shared_bytes = plain_bytes(bins_of_part(bins, p.parts_log2));
    return;
  case route::partitioned:
    p.shared_bytes = p.buckets.table_shared_bytes();
    p.hot_entries =
        p.look.is_worth ? hot_places_for(problem.samples, sizeof(std::uint32_t), facts) : 0;
    return;
  case route::global:
    p.hot_entries = hot_places_for(problem.samples, sizeof(std::uint32_t), facts);
    p.shared_bytes = hot_place_bytes(p.hot_entries, sizeof(std::uint32_t));
    return;
  default:
    p.shared_bytes = 0;
    return;
  }
}

/// Gives the rule its shared memory behind the table, if there is room and the samples are worth
/// it.
inline void place_rule(
    counting_plan& p, counting_problem const& problem, device_facts const& facts, options const& o,
    tuning_row const& tuning) {
  bool const can = (p.taken == route::shared || p.taken == route::shared_lanes) && !p.by_value;
  std::size_t const begin = begin_of_rule(p.shared_bytes);
  std::size_t const left = facts.shared_bytes_block - (std::min)(begin, facts.shared_bytes_block);
  bool const fits = can && problem.of_rule.least > 0 && problem.of_rule.least <= left;
  p.rule_bytes =
      fits ? room_for_rule(
                 problem.of_rule, left, problem.samples, o.force_ != route::automatic, tuning)
           : 0;
  if (p.rule_bytes > 0) {
    p.rule_begin = begin;
    p.shared_bytes = begin + p.rule_bytes;
  }
  bool const looks_up =
      p.taken == route::shared || p.taken == route::shared_split || p.taken == route::partitioned;
  if (!looks_up || p.by_value || fits) {
    p.cells_bytes = 0;
  }
}

/// What cells would take, if the samples are worth it and the cap leaves most of its memory for
/// others.
inline std::size_t affordable_cells(
    counting_plan const& p, counting_problem const& problem, options const& o,
    tuning_row const& tuning) {
  bool const pays = problem.samples >= (std::max)(tuning.cells_samples, problem.bins) ||
                    o.force_ != route::automatic;
  std::size_t const cap = o.max_temporary_bytes_;
  bool const fits = cap > p.table_bytes && problem.cells_bytes <= (cap - p.table_bytes) / 4;
  return pays && fits ? problem.cells_bytes : 0;
}

/// As many blocks as fill the GPU, fewer where they would fold more than they count.
inline void size_grid(
    counting_plan& p, counting_problem const& problem, device_facts const& facts,
    tuning_row const& tuning) {
  p.threads = tuning.block_threads;
  if (p.taken == route::partitioned) {
    p.blocks = facts.multiprocessors;
    return;
  }
  // One block fills the registers of a multiprocessor; the kernels for bytes are small enough for
  // two. Those of the global route come one after the other: with one of twice the places, folds
  // took longer (docs/decisions/0040).
  bool const two_fit = 2 * (p.shared_bytes + 1024) <= facts.shared_bytes_processor;
  bool const two = two_fit && (problem.byte_samples || p.taken == route::global);
  unsigned const parts = 1u << p.parts_log2;
  std::uint64_t const full = std::uint64_t{facts.multiprocessors} * (two ? 2 : 1) / parts;
  bool const folds =
      p.taken == route::shared || p.taken == route::shared_packed || p.taken == route::shared_split;
  std::uint64_t const folded = folds ? counted_bins(p, problem) / parts : 0;
  std::uint64_t const wanted = blocks_worth(
      problem.samples, tuning.samples_per_block, folded, tuning.fold_ratio,
      facts.multiprocessors / 2 / parts);
  p.blocks = static_cast<unsigned>(parts * (std::max<std::uint64_t>)(1, (std::min)(full, wanted)));
}

/// Plans a count of at least one sample into at least one bin.
inline counting_plan plan_counting(
    counting_problem const& problem, device_facts const& facts, options const& o,
    tuning_row const& tuning = default_tuning) {
  counting_plan p = {};
  p.table_bytes = count_table_bytes(problem);
  p.cells_bytes = affordable_cells(p, problem, o, tuning);
  if (o.force_ == route::automatic) {
    choose_route(p, problem, facts, o, tuning);
  } else {
    force_route(p, problem, facts, o, tuning);
  }
  size_table(p, problem, facts);
  place_rule(p, problem, facts, o, tuning);
  size_grid(p, problem, facts, tuning);
  p.scratch_bytes = p.table_bytes + p.cells_bytes + p.look.scratch_bytes() +
                    (p.buckets.tiles > 0 ? p.buckets.bytes() + p.byte_counters : std::size_t{0});
  require_memory(o, p.scratch_bytes);
  return p;
}

}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
