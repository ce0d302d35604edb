// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// How a sparse histogram is formed on CUDA: which route, by what the keys look like, and how much
/// memory that takes. No CUDA headers; tested with g++.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/obey.h>
#include <thrust_hist/options.h>
#include <thrust_hist/system/cuda/device_facts.h>
#include <thrust_hist/system/cuda/key_sample.h>
#include <thrust_hist/system/cuda/plan_dense.h>
#include <thrust_hist/system/cuda/plan_dense_values.h>
#include <thrust_hist/system/cuda/plan_hashing.h>
#include <thrust_hist/system/cuda/plan_ranges.h>
#include <thrust_hist/system/cuda/plan_sorting.h>
#include <thrust_hist/system/cuda/sorted_bits.h>
#include <thrust_hist/system/cuda/sparse_problem.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {

/// Whether there is hope that of n codes so few bits differ that a sort has a pass less, or of 8
/// bytes and more that their highest ones do not: to look at all codes takes a third of a pass. Of
/// few keys there is none, nor where nobody has drawn a sample.
inline bool may_be_sorted_by_less(
    std::uint64_t n, std::size_t code_bytes, key_sample const& seen) noexcept {
  if (n < inputs_worth_a_look(code_bytes) || seen.distinct == 0) {
    return false;
  }
  bit_parts const parts =
      parts_that_differ(static_cast<uint128>(seen.differing_high) << 64 | seen.differing);
  auto const bytes = static_cast<int>(code_bytes);
  return parts.size == 0 || parts.passes() < bytes ||
         (code_bytes > 4 && parts.all().end < 8 * bytes);
}

/// Whether codes of 8 bytes are surely not sorted by less than all bits.
inline bool need_all_bits(key_sample const& seen) noexcept {
  return seen.ranges.surely_share() && parts_that_differ(seen.differing).passes() >= 8;
}

inline void tell_sample(sparse_problem& p, key_sample const& seen) noexcept {
  p.is_skewed = seen.is_skewed();
  p.is_skewed_by_few = p.is_skewed && seen.is_even_beside_hot();
  p.most_seen = seen.most;
  p.seen_once = seen.once;
  p.hot = seen.hot;
  p.ranges = seen.ranges;
  p.is_crowded = seen.ranges.is_crowded();
  p.is_much_crowded = seen.ranges.is_much_crowded();
  p.has_spikes = seen.ranges.has_spikes();
  p.needs_all_bits = p.code_bytes == 8 && cuda::need_all_bits(seen);
}

/// Whether values are folded row by row, when keys are known.
inline bool folds_by_row(sparse_plan const& plan, sparse_problem const& p) noexcept {
  return p.values.any && !(plan.taken == route::hashed ? p.values.in_slots : p.values.sorted);
}

/// Whether that had better be done than to sort values, bucket by bucket where they could be: of
/// few keys. Where there are not so many it takes longer to find their keys and then their rows;
/// and so it does to fold words of 8 bytes in order, of which many in turn go to one row.
inline bool pays_by_row(sparse_problem const& p, std::uint64_t guess, device_facts const& facts) {
  if (p.values.in_slots) {
    return true;
  }
  bool const is_slow = are_wide_pairs(p) && p.values.long_sum == 0 && p.come_in_order;
  return p.inputs >= least_by_row(p) && !is_slow &&
         (guess <= p.inputs / 8192 || !pays_by_buckets(p, facts));
}

/// The least cap with which a plan works.
inline std::size_t least_bytes(sparse_plan const& plan, sparse_problem const& p) noexcept {
  std::size_t const values = folds_by_row(plan, p) ? p.values.least : 0;
  return (std::max)(plan.bytes, values + p.staged_bytes);
}

/// Whether keys have bins of their own: counters, or those in which values are folded.
inline bool have_places(sparse_problem const& p, std::uint64_t guess, device_facts const& facts) {
  return p.values.any ? pays_by_dense_values(p, guess, facts) : pays_by_places(p, facts);
}

/// The same of keys so narrow that nobody need look at them, if a cap has room for that.
inline bool have_places_unseen(
    sparse_problem const& p, device_facts const& facts, options const& o) {
  if (o.force_ != route::automatic || p.narrow_codes == 0 || !have_places(p, p.inputs, facts)) {
    return false;
  }
  return !p.values.any ||
         plan_dense_values(p, {}, "", o.max_temporary_bytes_).bytes <= o.max_temporary_bytes_;
}

/// Throws memory_limit_error, with the least that is enough, and std::invalid_argument for other
/// routes. `guess`: distinct keys, as a sample has it, or all of them where nobody has looked.
inline sparse_plan plan_sparse(
    sparse_problem const& p, std::uint64_t guess, device_facts const& facts, options const& o) {
  if (o.force_ != route::automatic && o.force_ != route::hashed && o.force_ != route::sorted &&
      o.force_ != route::partitioned && o.force_ != route::shared) {
    refuse_route(o.force_, "sparse histograms are shared, partitioned, hashed or sorted");
  }
  if (o.force_ == route::shared && !p.has_places) {
    refuse_route(
        o.force_, "on CUDA, only counts of integers of up to 8 bytes are shared, and sums and the "
                  "like of numbers by "
                  "such keys");
  }
  if (o.force_ == route::partitioned && !p.has_ranges) {
    refuse_route(o.force_, "on CUDA, only the counts of keys of up to 8 bytes are partitioned");
  }
  if (o.force_ == route::hashed && !p.is_number) {
    refuse_route(o.force_, "on CUDA, keys of more than 8 bytes and keys of users are sorted");
  }
  bool const is_forced = o.force_ != route::automatic;
  std::size_t const cap = o.max_temporary_bytes_;
  if (o.force_ == route::shared || (!is_forced && have_places(p, guess, facts))) {
    sparse_plan const sorting = plan_sorting(p, "");
    sparse_plan const places =
        p.values.any
            ? plan_dense_values(
                  p, sorting, is_forced ? "forced" : "codes are near: each has a bin", cap)
            : plan_places(
                  p, sorting, is_forced ? "forced" : "codes are few: each has a counter", facts);
    std::size_t const most = p.values.any ? cap : (std::max)(cap, sorting.bytes);
    if (is_forced || places.bytes <= most) {
      require_memory(o, places.bytes);
      return places;
    }
  }
  bool const by_ranges =
      !is_forced && (pays_by_ranges(p, guess, facts) || pays_by_order(p, guess, facts));
  if (o.force_ == route::partitioned || by_ranges ||
      (!is_forced && pays_by_drawing(p, guess, facts))) {
    sparse_plan const sorting = plan_sorting(
        p, is_forced   ? "forced"
           : by_ranges ? "keys lie evenly in a range"
           : p.inputs < least_looked_at(p, facts)
               ? "keys are few: they are put in order bucket by bucket"
               : "most keys are distinct: they are put in order bucket by bucket");
    sparse_plan const ranges = plan_ranges(p, sorting, guess, is_forced, facts);
    if (is_forced || ranges.bytes <= cap) {
      require_memory(o, ranges.bytes);
      return ranges;
    }
  }
  if (may_hash(p, o, facts)) {
    bool const is_free = o.explain_ == nullptr && cap == options{}.max_temporary_bytes_;
    sparse_plan hashing = plan_hashing(
        p, guess, is_free, facts, is_forced ? "forced" : "distinct keys are sorted only");
    bool const has_slots = hashing.direct || have_slots(p, hashing.buckets, guess);
    bool const keeps = !is_free || hashing.bytes <= promised_bytes(p, guess);
    bool const pays =
        (guess <= most_worth_hashing(p) && pays_by_row(p, guess, facts) && has_slots && keeps) ||
        o.explain_ != nullptr;
    if (o.explain_ != nullptr && !is_forced && p.has_ranges &&
        p.inputs <= code_buckets::most_codes) {  // nobody has looked
      hashing.bytes =
          (std::max)(hashing.bytes, plan_ranges(p, plan_sorting(p, ""), guess, false, facts).bytes);
    }
    if (is_forced || (pays && least_bytes(hashing, p) <= cap)) {
      require_memory(o, least_bytes(hashing, p));
      return hashing;
    }
  }
  char const* const why = is_forced      ? "forced"
                          : !p.is_number ? "keys that hash tables do not hold"
                          : sorts_narrow_keys(p)
                              ? "keys of 1 or 2 bytes are sorted in one pass or two"
                          : p.inputs < least_looked_at(p, facts) ? "few keys"
                                                                 : "most keys are distinct";
  sparse_plan sorting = plan_sorting(p, why);
  sorting.by_buckets = !is_forced && pays_by_buckets(p, facts);
  std::size_t least = least_bytes(sorting, p);
  if (!is_forced && least > cap && may_have_narrow_bins(p)) {
    sparse_plan const places =
        plan_dense_values(p, sorting, "each code has a bin: no memory for a sort", cap);
    if (places.bytes <= cap) {
      return places;
    }
    least = (std::min)(least, places.bytes);
  }
  require_memory(o, least);
  return sorting;
}

/// Scratch memory of a call without a cap at most. Whatever the route, it may sort; places of keys
/// that equal no other one, found on other routes, come beside what these took, which is less than
/// that.
inline std::size_t bytes_at_most(sparse_plan const& plan, sparse_problem const& p) noexcept {
  std::size_t const values = folds_by_row(plan, p) ? p.values.least + p.values.tables : 0;
  sparse_problem without = p;
  without.may_be_alone = false;
  std::size_t const sorting = plan_sorting(without, "").bytes + bytes_of_alone(p);
  bool const has_places_beside = p.may_be_alone && plan.taken != route::sorted;
  return (std::max)({plan.bytes, has_places_beside ? sorting : 0, values + p.staged_bytes});
}

}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
