// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Sparse counts on CUDA, route shared: when the codes of keys are so few or lie so near each other
/// that each has a counter, as bins have. No CUDA headers; tested with g++.

#include <thrust_hist/config.h>
#include <thrust_hist/system/cuda/device_facts.h>
#include <thrust_hist/system/cuda/sample_memory.h>
#include <thrust_hist/system/cuda/sparse_problem.h>
#include <thrust_hist/system/cuda/tables.h>
#include <thrust_hist/system/cuda/tuning.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {

/// Less keys than this of 2 bytes are sorted: to set their counters to 0 and to look through them
/// takes as long.
inline constexpr std::uint64_t short_keys_worth_counting = std::uint64_t{1} << 18;

/// As a power of two, how many blocks share counters out at most. Each reads all keys of the group.
inline unsigned most_dense_parts_log2(sparse_problem const& p) noexcept {
  return p.code_bytes > 4 ? 1 : default_tuning.split_parts_log2;
}
/// For how many codes so many blocks have counters, and one for all that lie outside.
inline std::uint64_t dense_room(unsigned parts_log2, device_facts const& facts) noexcept {
  std::uint64_t const counters = facts.shared_bytes_block / sizeof(std::uint32_t) - 1;
  return (counters << parts_log2) - 1;
}

/// So many codes, those of the sample in the middle, as far as the type has as many.
inline dense_codes codes_around(sparse_problem const& p, std::uint64_t codes) noexcept {
  std::uint64_t const before = (codes - (p.ranges.last + 1)) / 2;
  std::uint64_t const first = p.ranges.lowest > before ? p.ranges.lowest - before : 0;
  std::uint64_t const last = p.code_bytes > 4 ? ~std::uint64_t{0} : 0xffffffff;
  return {first, static_cast<std::uint32_t>((std::min)(codes - 1, last - first) + 1)};
}

/// The range in which codes are counted, if one that contains those of the sample has room; else it
/// is empty. It is four times as wide as theirs where that costs nothing: a sample does not have
/// all.
inline dense_codes dense_range(sparse_problem const& p, device_facts const& facts) noexcept {
  if (p.narrow_codes != 0) {
    return {0, static_cast<std::uint32_t>(p.narrow_codes)};
  }
  if (p.ranges.codes == 0 || p.ranges.last >= std::uint64_t{1} << 30) {
    return {};
  }
  std::uint64_t const span = p.ranges.last + 1;
  std::uint64_t const least = span + 2 * p.ranges.margin();
  unsigned const parts_log2 = parts_log2_for(least + 1, facts);
  if (parts_log2 > most_dense_parts_log2(p) || 1u << parts_log2 > facts.multiprocessors) {
    return {};
  }
  constexpr std::uint64_t few = 8192;
  std::uint64_t const wanted = std::clamp(
      (std::max)(4 * span, few), least, (std::max)(least, dense_room(parts_log2, facts)));
  return codes_around(p, wanted);
}

/// Whether keys had better be counted by their places: all of their type are few, or those of a
/// sample lie near each other.
inline bool pays_by_places(sparse_problem const& p, device_facts const& facts) noexcept {
  if (!p.has_places || parts_log2_for(byte_values + 1, facts) > 0) {
    return false;
  }
  if (p.narrow_codes != 0) {
    unsigned const parts_log2 = parts_log2_for(p.narrow_codes + 1, facts);
    return p.narrow_codes == byte_values || (p.inputs >= short_keys_worth_counting &&
                                             parts_log2 <= default_tuning.split_parts_log2 &&
                                             1u << parts_log2 <= facts.multiprocessors);
  }
  return dense_range(p, facts).codes != 0;
}

/// Bytes of counters, and of the sums of tiles by which they become rows.
inline std::size_t bytes_of_places(std::uint64_t inputs, std::uint64_t codes) noexcept {
  std::size_t const counter = inputs >> 32 == 0 ? 4 : 8;
  return counter * (codes + 1) + 8 * (codes / 4096 + 2);
}

/// `other`: what is done where codes turn out to lie outside. Those of narrow keys never do.
inline sparse_plan plan_places(
    sparse_problem const& p, sparse_plan const& other, char const* why,
    device_facts const& facts) noexcept {
  sparse_plan plan = {};
  plan.taken = route::shared;
  plan.why = why;
  plan.dense = dense_range(p, facts);
  std::uint64_t const codes =
      plan.dense.codes != 0 ? plan.dense.codes : dense_room(most_dense_parts_log2(p), facts);
  plan.shared_bytes = plain_bytes(bins_of_part(codes + 1, parts_log2_for(codes + 1, facts)));
  std::size_t const places = 8 * (std::min)(codes, p.most_keys);
  plan.bytes = bytes_kept + bytes_of_places(p.inputs, codes) + places + p.staged_bytes + 64;
  if (p.narrow_codes == 0) {
    plan.bytes = (std::max)({plan.bytes, other.bytes, bytes_kept + bytes_of_sample});
  }
  return plan;
}

}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
