// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Whether samples are thrown into buckets before they are counted, by how many workers, and how
/// many samples at a time.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/obey.h>
#include <thrust_hist/options.h>
#include <thrust_hist/system/sequential/bucket_layout.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace sequential {

/// What the choice depends on.
struct partition_problem {
  std::uint64_t bins;
  std::uint64_t samples;
  std::size_t sample_bytes;
  bool wide;                  ///< 64-bit counters
  std::uint64_t table_words;  ///< of the table of all bins; 0 where it is the output
  std::uint64_t
      narrow_bytes;  ///< with which one worker counts in narrow counters instead; 0: it cannot
};

/// `workers` throw `batch` samples at a time; no workers: another route is to be taken.
struct partition_plan {
  unsigned workers = 0;
  std::uint64_t batch = 0;

  bucket_layout layout(partition_problem const& p) const noexcept {
    return {p.bins, batch / (std::max)(workers, 1U) + 1, p.wide};
  }
  std::uint64_t bytes(partition_problem const& p) const noexcept {
    bucket_layout const buckets = layout(p);
    return (p.table_words + workers * buckets.words() + buckets.shared_words()) *
           sizeof(std::uint64_t);
  }
};

/// Several workers gain where private tables are so large that the memory for them is slow to get
/// and to add up; those of narrow counters where the last cache has no room for all of them. One
/// worker gains where its counters of 8 bits would fill that cache, if the output is the table.
/// Every bin should see a sample or so.
inline bool is_worth_partitioning(
    partition_problem const& p, unsigned workers, options const& o) noexcept {
  constexpr std::uint64_t many_bins = std::uint64_t{1} << 22;
  constexpr std::uint64_t last_cache = std::uint64_t{1} << 24;
  constexpr std::uint64_t most_alone = std::uint64_t{1} << 26;  // more make buckets too long
  if (p.samples < p.bins || p.sample_bytes <= 2) {
    return false;
  }
  if (workers == 1) {
    return p.bins >= last_cache && p.bins <= most_alone && p.table_words == 0;
  }
  bool const fit_narrow = p.narrow_bytes > 0 && p.narrow_bytes <= o.max_temporary_bytes_ &&
                          workers * p.bins <= last_cache;
  return p.bins >= many_bins && p.bins <= bucket_layout::most_bins && !fit_narrow;
}

/// Twice the bins: less, and each counter is fetched for few samples. Memory of less than 32 MiB,
/// where it suffices: above that C libraries give memory back to the system, and it costs page
/// faults anew.
inline std::uint64_t comfortable_batch(partition_problem const& p, unsigned workers) noexcept {
  constexpr std::uint64_t fewest = std::uint64_t{1} << 21;
  constexpr std::uint64_t most = std::uint64_t{12} << 20;
  constexpr std::uint64_t kept = (std::uint64_t{32} << 20) - 4096;
  std::uint64_t const batch =
      (std::min)(p.samples, (std::max)(fewest, (std::min)(most, 2 * p.bins)));
  std::uint64_t const bytes = partition_plan{workers, batch}.bytes(p);
  std::uint64_t const too_many = bytes > kept ? (bytes - kept) / sizeof(bucket_layout::rest) : 0;
  return batch >= too_many + fewest ? batch - too_many : batch;
}

/// The memory of the smallest batch that is worth its way by itself.
inline std::uint64_t least_bytes(partition_problem const& p, unsigned workers) noexcept {
  std::uint64_t const batch = (std::min)(p.bins / 2, comfortable_batch(p, workers));
  return partition_plan{workers, batch}.bytes(p);
}

/// The largest batch that a cap on memory has room for, not less than `least`.
inline partition_plan fit_batch(
    partition_problem const& p, unsigned workers, std::uint64_t least, options const& o) noexcept {
  partition_plan plan{workers, sequential::comfortable_batch(p, workers)};
  while (plan.bytes(p) > o.max_temporary_bytes_ && plan.batch > least) {
    plan.batch = (std::max)(plan.batch / 2, least);
  }
  return plan.bytes(p) <= o.max_temporary_bytes_ ? plan : partition_plan{};
}

/// Throws memory_limit_error where the route is forced and no batch fits.
inline partition_plan plan_partition(
    partition_problem const& p, unsigned workers, options const& o) {
  if (o.force_ == route::automatic) {
    return is_worth_partitioning(p, workers, o) ? sequential::fit_batch(p, workers, p.bins / 2, o)
                                                : partition_plan{};
  }
  if (o.force_ != route::partitioned) {
    return {};
  }
  if (p.bins > bucket_layout::most_bins) {
    refuse_route(o.force_, "it is for up to 134217728 bins");
  }
  constexpr std::uint64_t least = 4096;
  for (; workers > 1; --workers) {
    partition_plan const plan = sequential::fit_batch(p, workers, least, o);
    if (plan.workers > 0) {
      return plan;
    }
  }
  require_memory(o, partition_plan{1, (std::min)(p.samples, least)}.bytes(p));
  return sequential::fit_batch(p, 1, least, o);
}

/// What options::explain() tells.
inline plan describe(
    partition_problem const& p, partition_plan const& chosen, char const* system,
    options const& o) {
  char const* const why =
      o.force_ == route::partitioned ? "forced" : "a table of all bins is larger than a cache";
  return {route::partitioned, why, system, chosen.workers, 1, 0, chosen.bytes(p), true};
}

}  // namespace sequential
}  // namespace detail
THRUST_HIST_NAMESPACE_END
