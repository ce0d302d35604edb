// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// How large tables of counters are in shared memory. No CUDA headers.

#include <thrust_hist/config.h>
#include <thrust_hist/system/cuda/device_facts.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {

inline constexpr std::uint64_t byte_values = 256;
inline constexpr std::uint64_t short_values = 65536;
inline constexpr std::uint64_t register_bins = 8;  // 8-bit counters in a 64-bit register

/// The bytes of a table in shared memory; more bins than it ever holds count as just too many.
inline std::size_t table_bytes(std::uint64_t bins, unsigned bits_per_bin) {
  std::uint64_t const most = std::uint64_t{1} << 40;
  return static_cast<std::size_t>(((std::min)(bins, most) * bits_per_bin + 31) / 32 * 4);
}

/// Two blocks share a multiprocessor, which keeps 1 KiB for each.
inline std::size_t room_of_half(device_facts const& facts) {
  std::size_t const half = facts.shared_bytes_processor / 2;
  return (std::min)(facts.shared_bytes_block, half > 1024 ? half - 1024 : 0);
}

/// How many blocks are worth starting for so many inputs, of which each has `least` at least and
/// folds a table of so many bins: one for `ratio` inputs a bin. Up to `few` blocks pay sooner,
/// since they begin and fold their tables side by side.
inline std::uint64_t blocks_worth(
    std::uint64_t inputs, std::uint64_t least, std::uint64_t bins, unsigned ratio,
    std::uint64_t few) {
  constexpr unsigned bins_of_input = 4;
  auto const with = [&](std::uint64_t each) {
    each = (std::max)({each, least, std::uint64_t{1}});
    return (inputs + each - 1) / each;
  };
  return (std::max)(with(ratio * bins), (std::min)(few, with(bins / bins_of_input)));
}

/// Shared memory of places for frequent bins of global memory, and their names.
inline std::size_t hot_place_bytes(std::uint32_t entries, std::size_t place_bytes) {
  return entries * (sizeof(std::uint32_t) + place_bytes);
}
/// They lie behind a table of so many words, or one more.
THRUST_HIST_HOST_DEVICE inline std::uint32_t words_before_places(std::uint32_t words) {
  return (words + 1) / 2 * 2;
}
/// How many of them have room: up to `most`, and whole units of 8.
inline std::uint32_t hot_places_within(
    std::uint64_t most, std::size_t place_bytes, std::size_t room) {
  std::uint64_t const fit = room / hot_place_bytes(1, place_bytes);
  return static_cast<std::uint32_t>((std::min)(fit, most) / 8 * 8);
}
/// How many of them: one for some samples, none for few.
inline std::uint32_t hot_places_for(
    std::uint64_t samples, std::size_t place_bytes, device_facts const& facts) {
  return hot_places_within(
      samples < (1 << 14) ? 0 : samples / 16, place_bytes, room_of_half(facts));
}

/// Behind words that are folded by atomics: one for each lane of a warp, for what has no bin.
inline constexpr std::size_t nowhere_bytes = 32 * 4;

/// A counter of 16 bits for each bin.
inline std::size_t packed_bytes(std::uint64_t bins) {
  return table_bytes(bins, 16);
}
/// A counter of 32 bits for each bin, and one for what has no bin.
inline std::size_t plain_bytes(std::uint64_t bins) {
  return table_bytes(bins + 1, 32);
}
/// The same for each lane of a warp.
inline std::size_t lane_bytes(std::uint64_t bins) {
  return table_bytes(bins + 1, 32 * 32);
}

/// The bins of the first of 2^log2 parts, which has most.
inline std::uint64_t bins_of_part(std::uint64_t bins, unsigned log2) {
  return (bins >> log2) + ((bins & ((std::uint64_t{1} << log2) - 1)) != 0 ? 1 : 0);
}

/// How many blocks, as a power of two, it takes to hold all bins; 2^16 if more.
inline unsigned parts_log2_for(std::uint64_t bins, device_facts const& facts) {
  unsigned log2 = 0;
  while (log2 < 16 && plain_bytes(bins_of_part(bins, log2)) > facts.shared_bytes_block) {
    ++log2;
  }
  return log2;
}

}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
