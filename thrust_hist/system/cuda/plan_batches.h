// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Route partitioned of counts: how large batches are, and what else memory is taken for. No CUDA
/// headers; tested with g++.

#include <thrust_hist/config.h>
#include <thrust_hist/options.h>
#include <thrust_hist/system/cuda/buckets.h>
#include <thrust_hist/system/cuda/counting_problem.h>
#include <thrust_hist/system/cuda/device_facts.h>
#include <thrust_hist/system/cuda/tuning.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {

inline std::uint64_t samples_of_batch(bucket_layout const& layout) {
  return std::uint64_t{layout.tiles} * layout.samples_of_tile();
}

/// A byte for each bin of a slice, and a word for each of its tables: see byte_counters.
inline std::size_t bytes_of_bins(bucket_layout const& layout) {
  return (std::size_t{layout.bins} + 15) / 16 * 16;
}
inline std::size_t bytes_of_byte_counters(bucket_layout const& layout) {
  std::size_t const words = layout.tables();
  return bytes_of_bins(layout) + (words * sizeof(std::uint32_t) + 15) / 16 * 16;
}

/// How many samples a batch may have.
inline std::uint64_t most_of_batch(counting_problem const& problem, tuning_row const& tuning) {
  std::uint64_t most = bucket_layout::most_samples;
  if (problem.fresh_scratch) {
    // What it takes to allocate it grows with its size.
    std::uint64_t const for_bins =
        problem.waits ? tuning.fresh_ratio * (std::min)(problem.bins, most) : 0;
    most = (std::min)(most, (std::max)(tuning.fresh_batch, for_bins));
  }
  return (std::min)(problem.samples, most);
}

/// Whether memory leaves batches that are worth their tables.
inline bool batches_pay(
    bucket_layout const& buckets, counting_problem const& problem, tuning_row const& tuning) {
  std::uint64_t const batch = samples_of_batch(buckets);
  std::uint64_t const enough = (std::max<std::uint64_t>)(1 << 18, problem.bins / 4);
  return batch >= (std::min)(most_of_batch(problem, tuning), enough);
}

/// Gives each bin a byte in the `room` of the buckets, where many batches would each read and write
/// the four or eight of a counter.
inline void lay_out_byte_counters(
    counting_plan& p, counting_problem const& problem, device_facts const& facts, std::size_t room,
    tuning_row const& tuning) {
  bucket_layout const& without = p.buckets;
  std::uint64_t const batch = samples_of_batch(without);
  std::size_t const bytes = bytes_of_byte_counters(without);
  // A byte lasts for many batches, and blocks that take whole tables end together.
  bool const suits =
      without.tiles > 0 && batch <= std::uint64_t{without.bins} * tuning.byte_samples &&
      std::uint64_t{without.tables()} * 8 >= facts.multiprocessors * tuning.byte_tables;
  if (!suits || problem.samples / tuning.byte_batches < batch ||
      bytes > room / 100 * tuning.byte_percent) {
    return;
  }
  bucket_layout const beside =
      plan_buckets(problem.bins, most_of_batch(problem, tuning), facts, room - bytes);
  if (batches_pay(beside, problem, tuning)) {
    p.buckets = beside;
    p.byte_counters = bytes;
  }
}

/// What buckets write keeps to lines of memory if what lies in front of them does, which cells of a
/// rule do not.
inline std::size_t whole_lines(std::size_t bytes) noexcept {
  return (bytes + 255) / 256 * 256;
}

/// Lays out buckets in what options leave beside the table; without room for any, no tiles. Cells
/// give way.
inline void lay_out_buckets(
    counting_plan& p, counting_problem const& problem, device_facts const& facts, options const& o,
    tuning_row const& tuning) {
  p.table_bytes = whole_lines(p.table_bytes);
  p.byte_counters = 0;
  std::size_t const others = p.table_bytes + p.cells_bytes + p.look.scratch_bytes();
  std::size_t const left = o.max_temporary_bytes_ > others ? o.max_temporary_bytes_ - others : 0;
  // No more than 2.5 bytes a sample, 16 a bin, and something for the smallest batches.
  std::uint64_t const samples = most_of_batch(problem, tuning);
  auto const decent = static_cast<std::size_t>(samples * 5 / 2 + problem.bins * 16) + (1u << 20);
  std::size_t room = (std::min)(left, decent);
  p.buckets = plan_buckets(problem.bins, samples, facts, room);
  if (problem.kept_bytes > others) {
    // Three batches, each of which reads and writes all bins, take less than memory for one does.
    std::size_t const less = (std::min)(room, problem.kept_bytes - others);
    bucket_layout const kept = plan_buckets(problem.bins, samples, facts, less);
    if (kept.tiles >= p.buckets.tiles / 3 && batches_pay(kept, problem, tuning)) {
      room = less;
      p.buckets = kept;
    }
  }
  if (p.buckets.tiles == 0 && p.cells_bytes > 0) {
    p.cells_bytes = 0;
    cuda::lay_out_buckets(p, problem, facts, o, tuning);
  } else {
    lay_out_byte_counters(p, problem, facts, room, tuning);
  }
}

/// A look before buckets that are laid out, if it may pay and leaves them batches that do.
inline void add_look(
    counting_plan& p, counting_problem const& problem, device_facts const& facts, options const& o,
    tuning_row const& tuning) {
  // Slices are counted one after the other, of which additions know nothing; a rule with cells is
  // slower without them, as additions ask it.
  auto const has_slices = [](counting_plan const& of) {
    return of.buckets.bins != of.buckets.all_bins;
  };
  if (p.cells_bytes > 0 || problem.short_samples || has_slices(p)) {
    return;
  }
  look_at_bins const look = plan_look(
      problem.samples, problem.bins, facts, {samples_of_batch(p.buckets), p.byte_counters > 0});
  if (look.is_worth) {
    counting_plan const without = p;
    p.look = look;
    lay_out_buckets(p, problem, facts, o, tuning);
    if (!batches_pay(p.buckets, problem, tuning) || has_slices(p)) {
      p = without;
    }
  }
}

}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
