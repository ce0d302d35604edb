// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// How a sparse histogram is formed on a host system: which route, how many workers and parts, why,
/// and how much memory that takes at most.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/obey.h>
#include <thrust_hist/options.h>
#include <thrust_hist/system/sequential/promised_memory.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace sequential {

/// What the choice depends on.
struct sparse_problem {
  std::uint64_t inputs;
  std::uint64_t most_keys;  ///< that can be distinct
  std::size_t input_bytes;  ///< of a key and a value
  std::size_t
      record_bytes;     ///< of a key and what is folded for it side by side, at most twice as many
  std::uint64_t codes;  ///< that keys can have, if they are few and each may have a state; else 0
  std::uint64_t table_bytes;  ///< of one worker, with a state for each code
  unsigned available;         ///< workers
};

struct sparse_team {
  route taken;
  unsigned workers;
  std::uint32_t parts;
  std::uint32_t parts_to_sort;  ///< where the call turns out to be one for sorting
  bool looks;  ///< nobody forced the route: keys may be sorted without having been hashed
  char const* why;
  std::uint64_t promised;  ///< bytes, beside those for each distinct key
  std::uint64_t bytes;     ///< at most
};

/// Few inputs stay in a cache with all that comes of them: no need for parts.
inline constexpr std::uint64_t inputs_of_one_table = std::uint64_t{1} << 16;

/// Bytes of a worker that may go into padding.
inline constexpr std::uint64_t most_padding = std::uint64_t{3} << 19;

/// What a worker may take for tables, whatever it reads.
inline constexpr std::uint64_t bytes_of_worker = std::uint64_t{2} << 20;

/// A power of 2. The table of a part, of which all keys may be distinct, stays in a near cache.
inline std::uint32_t parts_for(std::uint64_t inputs) noexcept {
  constexpr std::uint64_t inputs_of_part = std::uint64_t{1} << 15;
  constexpr std::uint32_t most_parts = 512;
  std::uint32_t parts = 1;
  while (parts < most_parts && parts * inputs_of_part < inputs) {
    parts *= 2;
  }
  return inputs < inputs_of_one_table ? 1 : parts;
}

/// What two copies with padding take beside twice the input.
inline std::uint64_t bytes_of_padding(sparse_problem const& p) noexcept {
  return 2 * p.inputs * (p.record_bytes - (std::min)(p.record_bytes, p.input_bytes));
}

/// Where one worker sorts, one part as long as that is not much larger than a cache; else parts
/// that are sorted in one.
inline std::uint32_t parts_to_sort_for(sparse_problem const& p, unsigned workers) noexcept {
  constexpr std::uint64_t bytes_of_one = std::uint64_t{4} << 20;
  constexpr std::uint64_t bytes_of_part = std::uint64_t{1} << 19;
  constexpr std::uint32_t most_parts = 512;
  constexpr std::uint32_t parts_of_worker = 4;
  std::uint64_t const bytes = p.inputs * p.record_bytes;
  bool const fits = bytes <= bytes_of_one && bytes_of_padding(p) <= most_padding;
  if (p.inputs < inputs_of_one_table || (workers == 1 && fits)) {
    return 1;
  }
  std::uint32_t parts = 2;
  while (parts < most_parts &&
         (parts * bytes_of_part < bytes || (workers > 1 && parts < workers * parts_of_worker))) {
    parts *= 2;
  }
  return parts;
}

/// The bytes that a route needs for itself.
inline std::uint64_t bytes_beside_inputs(
    route taken, std::uint32_t parts, unsigned workers, std::size_t record_bytes) noexcept {
  constexpr std::uint64_t of_one_table = std::uint64_t{1} << 16;
  std::uint64_t const of_part = 256 + 32 * record_bytes;  // a sample of it, see key_ranges
  if (taken == route::sorted) {
    return 4096 + parts * (of_part + std::uint64_t{workers} * sizeof(std::uint64_t));
  }
  return parts * of_part + (parts == 1 ? of_one_table : workers * bytes_of_worker);
}

inline sparse_team sparse_team_of(
    route taken, char const* why, sparse_problem const& p, bool looks, std::uint64_t cap) {
  constexpr std::uint64_t inputs_worth_a_worker = std::uint64_t{1} << 15;
  std::uint32_t const parts = parts_for(p.inputs);
  auto workers = static_cast<unsigned>(
      (std::min<std::uint64_t>)(p.available, 1 + p.inputs / inputs_worth_a_worker));
  workers = parts == 1 ? 1 : workers;
  for (;;) {
    std::uint32_t const to_sort = parts_to_sort_for(p, workers);
    if (taken == route::sorted) {
      std::uint64_t const beside = bytes_beside_inputs(taken, to_sort, workers, p.record_bytes);
      std::uint64_t const least = p.inputs * p.record_bytes + beside;
      // With less than twice the input, what has no room is sorted where it is.
      std::uint64_t const bytes =
          (std::max)(least, (std::min)(cap, 2 * p.inputs * p.input_bytes + beside));
      return {taken, workers, to_sort, to_sort, false, why, bytes, bytes};
    }
    std::uint64_t const padding = parts == 1 ? (std::min)(bytes_of_padding(p), most_padding) : 0;
    std::uint64_t const promised = 2 * p.inputs * p.input_bytes + padding +
                                   bytes_beside_inputs(taken, parts, workers, p.record_bytes);
    std::uint64_t const bytes = promised + promised_for_a_key * p.most_keys;
    if (bytes <= cap || workers == 1) {
      return {taken, workers, parts, to_sort, looks, why, promised, bytes};
    }
    workers = (workers + 1) / 2;
  }
}

/// A state for each code: as many workers as memory has room for, one at least.
inline sparse_team shared_team_of(char const* why, sparse_problem const& p, std::uint64_t cap) {
  // Each worker begins a table and merges a part of all.
  std::uint64_t const worth = (std::max)(std::uint64_t{1} << 15, 2 * p.codes);
  std::uint64_t workers = (std::min<std::uint64_t>)(p.available, 1 + p.inputs / worth);
  if (p.table_bytes > bytes_of_worker) {
    workers = (std::min)(workers, 2 * p.inputs * p.input_bytes / (p.table_bytes - bytes_of_worker));
  }
  workers = (std::max)(std::uint64_t{1}, (std::min)(workers, cap / p.table_bytes));
  std::uint64_t const bytes = workers * p.table_bytes;
  return {route::shared, static_cast<unsigned>(workers), 1, 1, false, why, bytes, bytes};
}

/// Whether inputs are so many that a table is worth clearing and reading, and a cache holds it.
inline bool are_worth_a_table(sparse_problem const& p) noexcept {
  constexpr std::uint64_t most_bytes = std::uint64_t{8} << 20;
  std::uint64_t const least = p.codes <= 256 ? 512 : 24576;
  return p.codes > 0 && p.inputs >= least && p.table_bytes <= most_bytes &&
         p.table_bytes <= bytes_of_worker + 2 * p.inputs * p.input_bytes;
}

/// Throws memory_limit_error, with the least that is enough, and std::invalid_argument for other
/// routes.
inline sparse_team choose_sparse(sparse_problem const& p, options const& o) {
  if (o.force_ != route::automatic && o.force_ != route::hashed && o.force_ != route::sorted &&
      o.force_ != route::shared) {
    refuse_route(o.force_, "sparse histograms are shared, hashed or sorted");
  }
  if (o.force_ == route::shared && p.codes == 0) {
    refuse_route(o.force_, "on the host, only integers of 1 and 2 bytes have a table for all keys");
  }
  if (p.inputs == 0) {
    return {route::hashed, 1, 1, 1, false, "few keys", 0, 0};
  }
  bool const forced = o.force_ != route::automatic;
  std::uint64_t const cap = o.max_temporary_bytes_;
  if (p.codes > 0 && (o.force_ == route::shared || (!forced && are_worth_a_table(p)))) {
    sparse_team const shared =
        shared_team_of(forced ? "forced" : "codes are few: each has a state", p, cap);
    if (forced) {
      require_memory(o, static_cast<std::size_t>(shared.bytes));
    }
    if (shared.bytes <= cap) {
      return shared;
    }
  }
  char const* const why =
      p.inputs < inputs_of_one_table ? "few keys" : "distinct keys are sorted only";
  sparse_team const hashed =
      sparse_team_of(route::hashed, forced ? "forced" : why, p, !forced, cap);
  if (o.force_ != route::sorted && hashed.bytes <= cap) {
    return hashed;
  }
  if (o.force_ == route::hashed) {
    require_memory(o, static_cast<std::size_t>(hashed.bytes));
  }
  sparse_team const sorted = sparse_team_of(
      route::sorted, forced ? "forced" : "the memory cap leaves no room for hash tables", p, false,
      cap);
  if (!forced && p.codes > 0 && sorted.bytes > cap && p.table_bytes < sorted.bytes) {
    require_memory(o, static_cast<std::size_t>(p.table_bytes));
    return shared_team_of("each code has a state: no memory for a sort", p, cap);
  }
  require_memory(o, static_cast<std::size_t>(sorted.bytes));
  return sorted;
}

}  // namespace sequential
}  // namespace detail
THRUST_HIST_NAMESPACE_END
