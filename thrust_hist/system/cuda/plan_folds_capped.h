// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// The plan of a fold on CUDA that takes more memory than the cap leaves: another one, or a refusal
/// that names the smallest cap. No CUDA headers; tested with g++.

#include <thrust_hist/config.h>
#include <thrust_hist/errors.h>
#include <thrust_hist/options.h>
#include <thrust_hist/system/cuda/device_facts.h>
#include <thrust_hist/system/cuda/fold_problem.h>
#include <thrust_hist/system/cuda/fold_routes.h>
#include <thrust_hist/system/cuda/tuning.h>

#include <algorithm>
#include <cstddef>
#include <stdexcept>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {

inline fold_plan plan_fold(
    fold_problem const& problem, device_facts const& facts, options const& o,
    tuning_row const& tuning = default_tuning);

/// The smallest cap that does, where no other way needs less than so many bytes: pairs may be
/// sorted.
inline std::size_t least_bytes(
    std::size_t others, fold_problem const& problem, device_facts const& facts, options const& o,
    tuning_row const& tuning) {
  bool const may_sort = o.force_ == route::automatic && sorting_pays(problem, facts, tuning);
  return may_sort ? (std::min)(others, sorting_scratch_bytes(problem)) : others;
}

/// What route global has no memory for, since it has locks there, in buckets, which have none.
/// Throws memory_limit_error where they have none for that either.
inline fold_plan in_buckets_without_locks(
    fold_plan const& in_global, fold_problem const& problem, device_facts const& facts,
    options const& o, tuning_row const& tuning) {
  try {
    fold_plan p = plan_fold(problem, facts, options{o}.force(route::partitioned), tuning);
    p.why = "no memory for locks: capped";
    return p;
  } catch (memory_limit_error const& refused) {
    std::size_t const others = (std::min)(refused.smallest(), in_global.scratch_bytes);
    throw memory_limit_error(
        o.max_temporary_bytes_, least_bytes(others, problem, facts, o, tuning));
  } catch (std::invalid_argument const&) {  // there is no such route
    throw memory_limit_error(
        o.max_temporary_bytes_, least_bytes(in_global.scratch_bytes, problem, facts, o, tuning));
  }
}

/// The plan with fewer blocks where what they leave is above the memory cap; or else, unless a
/// route is forced, in global memory.
inline fold_plan within_cap(
    fold_plan p, fold_problem const& problem, device_facts const& facts, options const& o,
    tuning_row const& tuning) {
  std::size_t const parts = std::size_t{1} << p.limb_parts_log2;
  if (p.scratch_bytes > o.max_temporary_bytes_ && p.below > 0) {  // a matter of speed alone
    std::size_t const below = problem.bins * p.below * sizeof(std::int64_t);
    p.states_bytes -= below;
    p.scratch_bytes -= below;
    p.below = 0;
  }
  if (p.scratch_bytes > o.max_temporary_bytes_ && p.partial_bytes > 0) {
    std::size_t const of_blocks = p.partial_bytes / (p.blocks / parts);  // of as many as share bins
    std::size_t const others = p.scratch_bytes - p.partial_bytes;
    std::size_t const left = o.max_temporary_bytes_ > others ? o.max_temporary_bytes_ - others : 0;
    std::size_t const groups = (std::max)(left / of_blocks, std::size_t{1});
    p.blocks = static_cast<unsigned>(groups * parts);
    p.partial_bytes = of_blocks * groups;
    p.scratch_bytes = others + p.partial_bytes;
  }
  if (p.scratch_bytes > o.max_temporary_bytes_ && o.force_ == route::automatic &&
      p.taken != route::global) {
    fold_plan in_global = plan_fold(problem, facts, options{}.force(route::global), tuning);
    in_global.why = "no memory for the tables of blocks: capped";
    if (in_global.scratch_bytes < p.scratch_bytes) {
      p = in_global;
    }
  }
  if (p.scratch_bytes > o.max_temporary_bytes_ && o.force_ == route::automatic &&
      p.taken == route::global && !problem.buckets.locks && problem.buckets.payload_bytes != 0) {
    return in_buckets_without_locks(p, problem, facts, o, tuning);
  }
  if (p.scratch_bytes > o.max_temporary_bytes_) {
    throw memory_limit_error(
        o.max_temporary_bytes_, least_bytes(p.scratch_bytes, problem, facts, o, tuning));
  }
  return p;
}

}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
