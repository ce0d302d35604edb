// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// How a call is to be done, and what it says of itself.

#include <thrust_hist/config.h>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <ostream>
#include <string>

THRUST_HIST_TYPES_BEGIN

/// The ways in which a histogram can be formed. The host systems know serial, private_tables and
/// partitioned, CUDA all but serial and private_tables: counts none of hashed and sorted, folds
/// registers, shared, partitioned, global and sorted. Sparse histograms know hashed, sorted and,
/// for integers that are short or near each other, shared; and their counts on CUDA partitioned.
enum class route {
  automatic,       ///< chosen by the plan
  serial,          ///< one worker, one table
  private_tables,  ///< a table for each worker, added up at the end
  registers,       ///< a handful of bins: packed counters in each thread's registers
  shared,          ///< 32-bit counters in the shared memory of each block
  shared_lanes,    ///< the same, replicated over the lanes of a warp: few bins, 1-byte samples
  shared_packed,   ///< 16-bit counters in shared memory with an exact spill
  shared_split,    ///< 32-bit counters, the bins shared out among blocks that read the same input
  partitioned,     ///< bins go to buckets first, each of which fits shared memory or a cache
  global,          ///< atomics on the output or on a table in global memory
  hashed,          ///< sparse: keys are found in hash tables, and the distinct ones sorted
  sorted           ///< keys are sorted, and runs of equal ones folded
};

/// The name of a route, as in `route::shared`: "shared".
inline char const* to_string(route r) noexcept {
  switch (r) {
  case route::automatic:
    return "automatic";
  case route::serial:
    return "serial";
  case route::private_tables:
    return "private_tables";
  case route::registers:
    return "registers";
  case route::shared:
    return "shared";
  case route::shared_lanes:
    return "shared_lanes";
  case route::shared_packed:
    return "shared_packed";
  case route::shared_split:
    return "shared_split";
  case route::partitioned:
    return "partitioned";
  case route::global:
    return "global";
  case route::hashed:
    return "hashed";
  case route::sorted:
    return "sorted";
  }
  return "unknown";
}

/// Prints the name of a route.
inline std::ostream& operator<<(std::ostream& stream, route r) {
  return stream << to_string(r);
}

/// What a call would do: filled in by options::explain().
struct plan {
  route taken = route::automatic;  ///< the route
  std::string why;                 ///< the reason, half a sentence
  std::string system;              ///< "sequential", "omp", "tbb" or "cuda"
  unsigned blocks = 0;             ///< workers on the host, thread blocks on CUDA
  unsigned threads = 0;            ///< threads in each of them
  std::size_t shared_bytes = 0;    ///< dynamic shared memory of a block
  std::size_t scratch_bytes = 0;   ///< temporary memory, from the policy or kept by earlier calls
  bool exact = true;               ///< whether the result depends on no order of operations
};

/// Prints a plan as one sentence.
inline std::ostream& operator<<(std::ostream& stream, plan const& p) {
  stream << p.system << ": route " << p.taken << " (" << p.why << ") on " << p.blocks;
  if (p.system == "cuda") {
    stream << " blocks of " << p.threads << " threads, " << p.shared_bytes
           << " bytes of shared memory in each, ";
  } else {
    stream << (p.blocks == 1 ? " thread, " : " threads, ");
  }
  return stream << p.scratch_bytes << " bytes of scratch, result "
                << (p.exact ? "exact" : "may be rounded");
}

/// Options of a call, last among its arguments: `options{}.accumulate().force(route::shared)`.
/// An aggregate; each setter changes one member and returns the object.
struct options {
  bool accumulate_ = false;
  bool check_ = false;
  route force_ = route::automatic;
  plan* explain_ = nullptr;
  std::size_t max_temporary_bytes_ = (std::numeric_limits<std::size_t>::max)();
  std::size_t max_bins_ = (std::numeric_limits<std::size_t>::max)();
  std::uint64_t* dropped_ = nullptr;
  bool exact_ = false;
  bool unordered_ = false;

  /// Add to what the output holds; bins without input stay as they are.
  constexpr options& accumulate(bool on = true) noexcept {
    accumulate_ = on;
    return *this;
  }
  /// Take this route; std::invalid_argument says why where it is impossible.
  constexpr options& force(route r) noexcept {
    force_ = r;
    return *this;
  }
  /// Fill in `*p` and run nothing. A call that discovers its bins still reads the keys for that.
  constexpr options& explain(plan* p) noexcept {
    explain_ = p;
    return *this;
  }
  /// Run sort + reduce_by_key beside the call, throw mismatch_error on a difference. Needs
  /// THRUST_HIST_ENABLE_CHECK (else std::logic_error); skipped while a graph is captured.
  constexpr options& check(bool on = true) noexcept {
    check_ = on;
    return *this;
  }
  /// Round sums of floating-point numbers correctly: once, at the end. The same bits in every run,
  /// on every system and for every split of the input. Changes nothing where sums are of integers,
  /// and for minima and maxima; std::invalid_argument for other operators.
  constexpr options& exact(bool on = true) noexcept {
    exact_ = on;
    return *this;
  }
  /// A hard cap on temporary memory; memory_limit_error before anything is written otherwise.
  constexpr options& max_temporary_bytes(std::size_t bytes) noexcept {
    max_temporary_bytes_ = bytes;
    return *this;
  }
  /// Discovered bins above this throw std::length_error before anything is written.
  constexpr options& max_bins(std::size_t bins) noexcept {
    max_bins_ = bins;
    return *this;
  }
  /// Receives how many samples fell in no bin (the call synchronises for it).
  constexpr options& dropped(std::uint64_t* count) noexcept {
    dropped_ = count;
    return *this;
  }
  /// Sparse histograms: leave the keys in any order, which spares sorting them on the host systems.
  /// Changes nothing elsewhere.
  constexpr options& unordered(bool on = true) noexcept {
    unordered_ = on;
    return *this;
  }
};

/// Prints the options that differ from the defaults.
inline std::ostream& operator<<(std::ostream& stream, options const& o) {
  stream << "options{}";
  if (o.accumulate_) {
    stream << ".accumulate()";
  }
  if (o.force_ != route::automatic) {
    stream << ".force(route::" << o.force_ << ")";
  }
  if (o.explain_ != nullptr) {
    stream << ".explain(...)";
  }
  if (o.check_) {
    stream << ".check()";
  }
  if (o.exact_) {
    stream << ".exact()";
  }
  if (o.max_temporary_bytes_ != options{}.max_temporary_bytes_) {
    stream << ".max_temporary_bytes(" << o.max_temporary_bytes_ << ")";
  }
  if (o.max_bins_ != options{}.max_bins_) {
    stream << ".max_bins(" << o.max_bins_ << ")";
  }
  if (o.dropped_ != nullptr) {
    stream << ".dropped(...)";
  }
  if (o.unordered_) {
    stream << ".unordered()";
  }
  return stream;
}

THRUST_HIST_TYPES_END
