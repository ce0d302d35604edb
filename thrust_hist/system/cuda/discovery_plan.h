// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// The plan of a count that discovers its bins: how many there is room for while nobody knows how
/// many there are. No CUDA headers; tested with g++.

#include <thrust_hist/config.h>
#include <thrust_hist/system/cuda/device_facts.h>
#include <thrust_hist/system/cuda/tables.h>
#include <thrust_hist/system/cuda/tuning.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {

struct discovery_plan {
  /// Shared memory in front of the table: the largest key of each warp.
  static constexpr std::size_t warp_bytes = 32 * sizeof(std::uint64_t);

  std::uint32_t room;  ///< keys below are counted while the largest is looked for
  bool by_value;       ///< keys of one byte, of which all values have a counter for each lane
  unsigned blocks;
  unsigned threads;
  std::size_t shared_bytes;
};

/// For at least one key of so many bytes. `most`: bins that there are counters for.
inline discovery_plan plan_discovery(
    std::uint64_t keys, std::size_t key_bytes, std::uint64_t most, device_facts const& facts,
    tuning_row const& tuning = default_tuning) {
  discovery_plan p = {};
  p.threads = tuning.block_threads;
  p.by_value = key_bytes == 1;
  // Few keys have fewer bins than a block has room for, or soon are counted once more.
  std::size_t const table = facts.shared_bytes_block - discovery_plan::warp_bytes;
  std::uint64_t const fit = table / 16 * 4 - 1;
  std::uint64_t const room =
      p.by_value ? byte_values
                 : (std::min)({fit, most, (std::max)(keys, std::uint64_t{tuning.discovery_room})});
  p.room = static_cast<std::uint32_t>(room);
  std::size_t const bytes = p.by_value ? lane_bytes(room) : plain_bytes(room);
  p.shared_bytes = discovery_plan::warp_bytes + (bytes + 15) / 16 * 16;
  std::uint64_t const full = std::uint64_t{facts.multiprocessors} * (p.by_value ? 2 : 1);
  p.blocks = static_cast<unsigned>((std::clamp)(
      (keys + tuning.samples_per_block - 1) / tuning.samples_per_block, std::uint64_t{1}, full));
  return p;
}

}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
