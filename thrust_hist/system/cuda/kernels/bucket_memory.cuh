// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Where the parts of a batch lie in scratch memory.

#include <thrust_hist/config.h>
#include <thrust_hist/system/cuda/buckets.h>
#include <thrust_hist/system/cuda/frequent_bins.h>

#include <cstddef>
#include <cstdint>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {

/// Scratch memory of a batch, as bucket_layout describes it.
struct bucket_memory {
  uint4* rests;
  std::uint16_t* begins;      ///< of bucket b in tile t: begins[b * begins_of_bucket + t], in units
  std::uint32_t* totals;      ///< samples of each bucket
  std::uint32_t* tiles;       ///< how many have segments: those that were not counted at once
  std::uint32_t* near_tiles;  ///< how many are near, or sorted, and counted something
  std::uint32_t* light_jobs;  ///< jobs that blocks have asked for, or tables: see work_line
  std::uint32_t* dealt;  ///< how many tiles blocks have asked for: see tile_sorter::take_tile()
  /// What look_at_rows() found; null where nobody looked.
  std::uint32_t const* found = nullptr;

  bucket_memory(bucket_layout const& layout, void* memory) noexcept
      : bucket_memory(layout, memory, layout.rest_bytes()) {}
  /// For what takes another number of bytes than rests do.
  bucket_memory(bucket_layout const& layout, void* memory, std::size_t rest_bytes) noexcept {
    auto const misaligned = reinterpret_cast<std::uintptr_t>(memory) % bucket_layout::alignment;
    auto* const first = static_cast<unsigned char*>(memory) +
                        (misaligned == 0 ? 0 : bucket_layout::alignment - misaligned);
    rests = reinterpret_cast<uint4*>(first);
    begins = reinterpret_cast<std::uint16_t*>(first + rest_bytes);
    totals = reinterpret_cast<std::uint32_t*>(first + rest_bytes + layout.begin_bytes());
    tiles = totals + layout.buckets;
    near_tiles = tiles + 1;
    light_jobs = tiles + 2;
    dealt = tiles + 3;
  }
  /// Whether another kernel has counted all samples, and there is nothing to do.
  __device__ bool is_left_out() const {
    return found != nullptr && static_cast<advice>(*found) != advice::buckets;
  }
  /// The memory behind that of the layout, aligned as it is.
  std::uint32_t* end(bucket_layout const& layout) const noexcept {
    return totals + layout.total_bytes() / sizeof *totals;
  }
};

}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
