// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Route partitioned in numbers: how bins become buckets, and where the tiles of a batch lie in
/// scratch memory. No CUDA headers; tested with g++.
///
/// Bucket b holds the bins [b << rest_bits, (b + 1) << rest_bits); a table of them fits shared memory.
/// More bins than that many buckets hold are counted slice by slice, each from the whole input.
/// The input is cut into tiles. Of each tile the rests of its bins (16 bits each) are written to
/// scratch memory, bucket after bucket, each padded to whole 16-byte units, together with the unit at
/// which each bucket begins. Nothing depends on how the keys are distributed: a tile takes the same
/// room whatever its keys are.

#include <thrust_hist/config.h>
#include <thrust_hist/system/cuda/device_facts.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {

struct bucket_layout {
  static constexpr unsigned samples_of_thread = 32;  ///< of a tile
  static constexpr unsigned rests_of_unit = 8;       ///< 16 bytes
  static constexpr unsigned tiles_of_group = 16;     ///< whose begins share a sector of 32 bytes
  static constexpr std::uint32_t most_buckets = 4096;
  static constexpr std::uint64_t most_samples = 1u << 28;  ///< of a batch
  static constexpr std::size_t alignment = 16;
  static constexpr unsigned most_rest_bits = 15;  ///< 128 KiB of counters, and 0xffff is no rest

  std::uint32_t all_bins;
  std::uint32_t first_bin;  ///< of the slice
  std::uint32_t bins;       ///< of the slice; the first slice has most
  std::uint32_t buckets;    ///< of a slice
  unsigned rest_bits;
  unsigned threads;     ///< of a block that makes tiles
  std::uint32_t tiles;  ///< of a batch
  std::uint32_t
      stride;  ///< between groups of tiles as a block visits them: coprime to their number

  /// The slice that begins `first` bins from the first one, all else being equal.
  bucket_layout slice_at(std::uint32_t first) const noexcept {
    bucket_layout slice = *this;
    slice.first_bin = first;
    slice.bins = (std::min)(bins, all_bins - first);
    return slice;
  }

  std::uint32_t samples_of_tile() const noexcept { return threads * samples_of_thread; }
  /// Units of scratch memory between tiles.
  THRUST_HIST_HOST_DEVICE std::uint32_t units_of_tile() const noexcept {
    return threads * samples_of_thread / rests_of_unit + buckets;
  }
  THRUST_HIST_HOST_DEVICE std::uint32_t groups() const noexcept {
    return (tiles + tiles_of_group - 1) / tiles_of_group;
  }
  /// Between the begins of two buckets: one for each tile.
  THRUST_HIST_HOST_DEVICE std::uint32_t begins_of_bucket() const noexcept {
    return groups() * tiles_of_group;
  }

  std::size_t rest_bytes() const noexcept {
    return std::size_t{tiles} * units_of_tile() * rests_of_unit * sizeof(std::uint16_t);
  }
  std::size_t begin_bytes() const noexcept {
    return std::size_t{buckets + 1} * begins_of_bucket() * sizeof(std::uint16_t);
  }
  std::size_t total_bytes() const noexcept {
    return (buckets * sizeof(std::uint32_t) + 15) / 16 * 16;
  }
  /// Scratch memory of a batch: rests, begins, totals, wherever the next 16-byte boundary lies.
  std::size_t bytes() const noexcept {
    return rest_bytes() + begin_bytes() + total_bytes() + alignment;
  }

  /// Shared memory of a block that makes tiles: cursors, totals, sums of its warps, and the rests of a
  /// tile. All of it dynamic: the limit of a kernel is that of the device then.
  std::size_t tile_shared_bytes() const noexcept {
    return std::size_t{cursor_units() + total_units() + warp_units + units_of_tile() + 1} *
           unit_bytes;
  }
  /// One bucket more, for what has no bin.
  THRUST_HIST_HOST_DEVICE std::uint32_t cursor_units() const noexcept { return buckets + 1; }
  THRUST_HIST_HOST_DEVICE std::uint32_t total_units() const noexcept { return (buckets + 3) / 4; }
  static constexpr std::uint32_t unit_bytes = 16;
  static constexpr std::uint32_t warp_units = 9;  // 32 warps, and how many units the tile has

  /// Shared memory of a block that counts a bucket: counters, one for padding, and where the buckets
  /// begin on its line of work.
  std::size_t table_shared_bytes() const noexcept {
    return (sizeof(std::uint32_t) << rest_bits) + (buckets + 2) * sizeof(std::uint32_t);
  }
};

/// The bits of a rest: as many as a table in the shared memory of a block leaves room for.
inline unsigned rest_bits_for(device_facts const& facts) noexcept {
  constexpr std::size_t own = 8 * 1024;  // what the kernel keeps beside the table
  unsigned bits = bucket_layout::most_rest_bits;
  while (bits > 1 && (sizeof(std::uint32_t) << bits) + own > facts.shared_bytes_block) {
    --bits;
  }
  return bits;
}

/// The scratch memory of the smallest batch.
inline std::size_t smallest_bytes(bucket_layout layout) noexcept {
  layout.tiles = bucket_layout::tiles_of_group;
  return layout.bytes();
}

/// How many tiles a batch has when scratch memory is limited to `cap` bytes; may be 0.
inline std::uint32_t tiles_within(bucket_layout const& layout, std::size_t cap) noexcept {
  std::size_t const fixed = layout.total_bytes() + bucket_layout::alignment;
  std::size_t const each = smallest_bytes(layout) - fixed;
  std::size_t const groups = cap < fixed ? 0 : (cap - fixed) / each;
  return static_cast<std::uint32_t>(
      (std::min<std::size_t>)(groups * bucket_layout::tiles_of_group, layout.tiles));
}

/// A number near the golden section of `groups` and coprime to it: visiting every stride-th group
/// spreads any run of groups evenly over the visitors.
inline std::uint32_t visiting_stride(std::uint32_t groups) noexcept {
  auto stride = static_cast<std::uint32_t>(groups * 0.6180339887498949);
  while (std::gcd(stride, groups) != 1) {
    ++stride;
  }
  return groups == 1 ? 1 : stride;
}

inline std::uint64_t buckets_for(std::uint64_t bins, unsigned rest_bits) noexcept {
  return bins == 0 ? 1 : ((bins - 1) >> rest_bits) + 1;
}

/// How many buckets a slice may have: tiles that have 8 samples for each must fit shared memory.
inline std::uint32_t most_buckets_for(device_facts const& facts) noexcept {
  bucket_layout layout = {};
  layout.buckets = bucket_layout::most_buckets * 2;
  do {
    layout.buckets /= 2;
    layout.threads = (std::max)(256u, layout.buckets * 8 / bucket_layout::samples_of_thread);
  } while (layout.buckets > 1 && layout.tile_shared_bytes() > facts.shared_bytes_block);
  return layout.buckets;
}

/// Whether bins can be sorted into buckets at all: their numbers, and those of edges, have 31 bits there.
inline bool fits_buckets(std::uint64_t bins) noexcept {
  return bins < (std::uint64_t{1} << 31) - 1;
}

/// The layout for a number of bins that fits_buckets and at least one sample; `tiles` is 0 where not
/// even one group of tiles stays below `cap`.
inline bucket_layout plan_buckets(
    std::uint64_t bins, std::uint64_t samples, device_facts const& facts, std::size_t cap) {
  bucket_layout layout = {};
  layout.rest_bits = rest_bits_for(facts);
  std::uint64_t const all = buckets_for(bins, layout.rest_bits);
  std::uint64_t const most = most_buckets_for(facts);
  std::uint64_t const slices = (all + most - 1) / most;
  layout.buckets = static_cast<std::uint32_t>((all + slices - 1) / slices);
  layout.all_bins = static_cast<std::uint32_t>(bins);
  layout.bins = static_cast<std::uint32_t>(
      (std::min)(bins, std::uint64_t{layout.buckets} << layout.rest_bits));
  // Many buckets want large tiles, so that each gets more than a few keys of a tile.
  layout.threads = layout.buckets <= 64 ? 256 : layout.buckets <= 1024 ? 512 : 1024;
  while (layout.threads > 256 && layout.tile_shared_bytes() > facts.shared_bytes_block) {
    layout.threads /= 2;
  }
  std::uint64_t const in_batch = (std::min)(samples, bucket_layout::most_samples);
  // Two loads more than samples fill: the ends of an unaligned range.
  std::uint64_t const tiles = (in_batch + 64) / layout.samples_of_tile() + 1;
  layout.tiles = static_cast<std::uint32_t>(
      (tiles + bucket_layout::tiles_of_group - 1) / bucket_layout::tiles_of_group *
      bucket_layout::tiles_of_group);
  layout.tiles = tiles_within(layout, cap);
  layout.stride = layout.tiles == 0 ? 0 : visiting_stride(layout.groups());
  return layout;
}

}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
