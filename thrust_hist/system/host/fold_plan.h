// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// How several workers fold: which route, how many of them, and why.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/obey.h>
#include <thrust_hist/options.h>
#include <thrust_hist/system/sequential/bins_in_buckets.h>
#include <thrust_hist/system/sequential/pair_buckets.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace host {

/// What the choice depends on.
struct fold_problem {
  std::uint64_t bins;
  std::uint64_t inputs;
  std::size_t state_bytes;
  std::size_t value_bytes;
  bool emits;          ///< an input may have many pairs
  unsigned available;  ///< workers
};

struct fold_team {
  route taken;
  unsigned workers;
  char const* why;
  std::uint64_t pairs;  ///< partitioned: so many of each worker wait for their bucket
};

/// Tables for some of the workers, where one at least fits a cap on memory.
inline fold_team choose_tables(
    fold_problem const& p, std::uint64_t tables_that_fit, options const& o) {
  constexpr std::uint64_t inputs_worth_a_worker = 1 << 14;
  constexpr char const* by_the_cap = "as many tables as the memory cap leaves room for";
  if (o.force_ == route::serial) {
    return {route::serial, 1, "forced", 0};
  }
  bool const forced = o.force_ == route::private_tables;
  // Each worker begins and merges a table of its own.
  std::uint64_t const fed = p.inputs / (std::max)(inputs_worth_a_worker, 2 * p.bins);
  std::uint64_t const wanted = forced ? p.available : (std::min<std::uint64_t>)(p.available, fed);
  auto const workers = static_cast<unsigned>((std::min)(wanted, tables_that_fit));
  if (forced || workers > 1) {
    char const* const why = forced ? "forced" : "a table for each worker";
    return {route::private_tables, workers, workers < wanted ? by_the_cap : why, 0};
  }
  char const* const why = p.available > 1 ? "too little input for more workers" : "one thread";
  return {route::serial, 1, wanted > 1 ? by_the_cap : why, 0};
}

/// Whether pairs are thrown into buckets of a table that all workers share: where no cache has room
/// for one of each worker, by so much that throwing values pays. Every bin should see a pair or so.
inline bool wants_buckets(fold_problem const& p, options const& o) {
  // Values that are as large as states take as long to be thrown.
  std::uint64_t const thrown = p.state_bytes > 2 * p.value_bytes ? 4 : p.value_bytes;
  std::uint64_t const large_tables = (std::max<std::uint64_t>)(4, thrown) << 24;  // bytes
  if (p.bins == 0) {
    return false;
  }
  if (o.force_ == route::partitioned && p.bins > sequential::bins_in_buckets::most_bins) {
    refuse_route(o.force_, "it is for up to 134217728 bins");
  }
  constexpr std::uint64_t near_cache = std::uint64_t{1} << 21;  // bytes, of each worker
  constexpr std::uint64_t inputs_worth_a_worker = 1 << 14;
  std::uint64_t const table = p.bins * p.state_bytes;
  bool const worth = p.available > 1 && p.inputs >= p.available * inputs_worth_a_worker &&
                     p.inputs >= p.bins && p.bins <= sequential::bins_in_buckets::most_bins &&
                     table > near_cache && p.available * table >= large_tables;
  return o.force_ == route::partitioned || (o.force_ == route::automatic && worth);
}

/// Workers that share a table, as many of them and with as many pairs waiting as a cap has room
/// for: `bytes(workers, pairs)`, pairs of each worker. No workers: there is not enough of it.
template <class Bytes>
fold_team choose_buckets(fold_problem const& p, options const& o, Bytes bytes) {
  bool const forced = o.force_ == route::partitioned;
  char const* const why = forced ? "forced" : "a table for each worker is larger than a cache";
  // Fewer than bins, and each state is fetched for few pairs; more, and no cache has room for those
  // that wait.
  constexpr std::uint64_t fewest = std::uint64_t{1} << 21, most = std::uint64_t{1} << 23;
  std::uint64_t const wanted = (std::max)(fewest, (std::min)(most, p.bins));
  std::uint64_t const batch = p.emits ? wanted : (std::min)(p.inputs, wanted);
  for (unsigned workers = p.available; workers >= (forced ? 1U : p.available); --workers) {
    std::uint64_t const worth = forced ? 0 : (std::min)(p.bins / 2, batch) / workers;
    std::uint64_t const least = (std::max)(sequential::tile_of_pairs, worth);
    std::uint64_t pairs = (std::max)(batch / workers + 1, least);
    while (pairs > least && bytes(workers, pairs) > o.max_temporary_bytes_) {
      pairs = (std::max)(pairs / 2, least);
    }
    if (bytes(workers, pairs) <= o.max_temporary_bytes_) {
      return {route::partitioned, workers, why, pairs};
    }
  }
  if (forced) {
    require_memory(o, bytes(1, sequential::tile_of_pairs));
  }
  return {route::partitioned, 0, why, 0};
}

}  // namespace host
}  // namespace detail
THRUST_HIST_NAMESPACE_END
