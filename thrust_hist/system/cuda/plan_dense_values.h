// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Sparse histograms on CUDA, route shared with values: when the codes of keys lie so near each
/// other that each has a bin in which values are folded, and how much memory that takes. No CUDA
/// headers; tested with g++.

#include <thrust_hist/config.h>
#include <thrust_hist/system/cuda/device_facts.h>
#include <thrust_hist/system/cuda/plan_dense.h>
#include <thrust_hist/system/cuda/plan_hashing.h>
#include <thrust_hist/system/cuda/sample_memory.h>
#include <thrust_hist/system/cuda/sparse_problem.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {

/// Less keys than this of 1 and of 2 bytes, of which any may occur, are sorted.
inline constexpr std::uint64_t narrow_keys_worth_folding = std::uint64_t{1} << 13;
/// And less than this where bins do not fit a block: a sort by 16 bits takes less than to clear
/// bins, to fold in them, by atomics or through buckets, and to look through them.
inline constexpr std::uint64_t narrow_keys_worth_bins = std::uint64_t{3} << 20;

/// Whether bins for so many codes fit the shared memory of a block.
inline bool bins_fit_block(
    sparse_problem const& p, std::uint64_t codes, device_facts const& facts) noexcept {
  return codes * p.values.slot <= facts.shared_bytes_block;
}

/// Whether values of keys of 1 or 2 bytes may be folded in bins of all codes that there are.
inline bool may_have_narrow_bins(sparse_problem const& p) noexcept {
  return p.narrow_codes != 0 && p.has_places && p.values.any && p.bytes_to_fold != nullptr;
}
/// Whether they had better be folded in bins of all codes that there are.
inline bool pays_by_narrow_values(sparse_problem const& p, device_facts const& facts) noexcept {
  return p.inputs >= (bins_fit_block(p, p.narrow_codes, facts) ? narrow_keys_worth_folding
                                                               : narrow_keys_worth_bins);
}

/// More codes than this have more bins to clear and to look through than a sort takes.
inline std::uint64_t most_dense_values(sparse_problem const& p) noexcept {
  return (std::min)(p.inputs / (p.code_bytes > 4 ? 4 : 5), std::uint64_t{1} << 30);
}

/// The range in which codes have bins, if one that contains those of the sample is not too wide;
/// else it is empty. It reaches further, by a 64th at either end, and where there are few up to
/// four times as far: a sample does not have all, and of keys as uneven as words of a text the
/// rarest may be the highest.
inline dense_codes dense_range_of_values(sparse_problem const& p) noexcept {
  if (p.narrow_codes != 0) {
    return {0, static_cast<std::uint32_t>(p.narrow_codes)};
  }
  std::uint64_t const least = p.ranges.last + 1 + p.ranges.last / 32;
  if (p.ranges.codes == 0 || p.ranges.last >= std::uint64_t{1} << 30 ||
      least > most_dense_values(p)) {
    return {};
  }
  constexpr std::uint64_t few = 8192;
  return codes_around(
      p, (std::max)(least, (std::min<std::uint64_t>)(4 * (p.ranges.last + 1), few)));
}

/// Where codes turn out to lie a little further apart than the sample said, they are taken all the
/// same.
inline std::uint64_t most_codes_of(dense_codes const& expected) noexcept {
  return std::uint64_t{expected.codes} / 4 * 5;
}

/// Scratch memory for so many codes, bits, states, and what the fold takes, or the list of those
/// that occur: if there may be no more than `most`, or the least that is enough.
inline std::size_t bytes_of_dense_values(
    sparse_problem const& p, std::uint64_t codes, std::size_t most = ~std::size_t{0}) {
  std::size_t const kept = bytes_kept + codes / 8 + 64 + codes * p.values.state;
  std::size_t const list = 8 * (std::min)(codes, p.most_keys) + 8 * (codes / 4096 + 2);
  return kept + (std::max)(p.bytes_to_fold(p.inputs, codes, most > kept ? most - kept : 0), list);
}
/// The same for a range. More bins may take less, by another route.
inline std::size_t bytes_of_dense_values(sparse_problem const& p, dense_codes const& range) {
  return (std::max)(
      bytes_of_dense_values(p, std::uint64_t{range.codes}),
      bytes_of_dense_values(p, most_codes_of(range)));
}

/// Whether values had better be folded in bins of their codes: all of their type are few, or those
/// of a sample lie near each other, and either bins fit a block's shared memory, or hash tables
/// would take buckets, too.
inline bool pays_by_dense_values(
    sparse_problem const& p, std::uint64_t guess, device_facts const& facts) {
  dense_codes const range = dense_range_of_values(p);
  if (!p.has_places || p.bytes_to_fold == nullptr || range.codes == 0) {
    return false;
  }
  if (p.narrow_codes != 0) {
    return pays_by_narrow_values(p, facts);
  }
  bool const fit = bins_fit_block(p, range.codes, facts);
  unsigned const slots_log2 = slots_log2_for(
      static_cast<unsigned>(p.code_bytes), static_cast<unsigned>(p.values.slot), facts);
  bool const are_many = guess > direct_keys(p, slots_log2) && guess >= range.codes / 16;
  // No more than is promised, nor than explain() tells, which does not look.
  std::size_t const most =
      (std::min)(promised_bytes(p, guess), plan_hashing(p, p.inputs, false, facts, "").bytes);
  return (fit || are_many) && bytes_of_dense_values(p, range) <= most;
}

/// `other`: what is done where codes turn out to lie too far apart. Those of narrow keys never do,
/// and these may be folded in less memory, up to `cap`. Where that is forced, and nobody has
/// looked, there may be as many as are worth it.
inline sparse_plan plan_dense_values(
    sparse_problem const& p, sparse_plan const& other, char const* why, std::size_t cap) {
  sparse_plan plan = {};
  plan.taken = route::shared;
  plan.why = why;
  plan.dense = dense_range_of_values(p);
  plan.has_all_codes = p.narrow_codes != 0;
  if (plan.has_all_codes) {
    plan.room = plan.dense.codes;
    std::size_t const most = cap > p.staged_bytes ? cap - p.staged_bytes : 0;
    plan.bytes = bytes_of_dense_values(p, plan.room, most) + p.staged_bytes;
    return plan;
  }
  bool const is_known = plan.dense.codes != 0;
  plan.room = is_known ? most_codes_of(plan.dense) : most_dense_values(p);
  std::size_t const bytes =
      is_known ? bytes_of_dense_values(p, plan.dense) : bytes_of_dense_values(p, plan.room);
  plan.bytes = (std::max)({bytes + p.staged_bytes, other.bytes, bytes_kept + bytes_of_sample});
  return plan;
}

}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
