// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Route partitioned in numbers: how bins become buckets, and where the tiles of a batch lie in
/// scratch memory. No CUDA headers; tested with g++.
///
/// Bucket b holds the bins [b << rest_bits, (b + 1) << rest_bits). A table for them fits shared
/// memory, or for half of them: where bins are very many, two tables are counted from the same
/// bucket. Bins that even so are too many are counted slice by slice, each from the whole input.
/// The input is cut into tiles. Of each tile the rests of its bins (16 bits each) are written to
/// scratch memory, bucket after bucket, together with where each begins. These segments are padded
/// to units of 16 bytes each or, where buckets are many and segments short, not at all. Nothing
/// depends on how the keys are distributed: a tile takes the same room whatever its keys are.

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
  static constexpr unsigned unit_log2 = 3;
  static constexpr unsigned rests_of_unit = 1u << unit_log2;  ///< 16 bytes
  static constexpr unsigned tiles_of_group = 16;  ///< whose begins share a sector of 32 bytes
  static constexpr std::uint32_t most_buckets = 4096;
  /// Segments of so many buckets are padded; those of more are so short that padding would be half.
  static constexpr std::uint32_t most_padded = 2048;
  static constexpr std::uint64_t most_samples = 1u << 28;  ///< of a batch
  static constexpr std::size_t alignment = 16;
  static constexpr unsigned most_table_bits = 15;  ///< 128 KiB of counters, and 0xffff is no rest

  std::uint32_t all_bins;
  std::uint32_t first_bin;  ///< of the slice
  std::uint32_t bins;       ///< of the slice; the first slice has most
  std::uint32_t buckets;    ///< of a slice
  unsigned rest_bits;
  unsigned table_bits;    ///< of the rests, those that a table in shared memory has counters for
  unsigned granule_log2;  ///< segments begin at multiples of 2^this rests: 3, or 0 without padding
  unsigned threads;       ///< of a block that makes tiles
  std::uint32_t near_bins;  ///< a tile that has no more between its lowest and highest is near
  /// A tile of sorted samples that has no more is added to the output at once; 0: no look for such
  /// tiles.
  std::uint32_t sorted_bins;
  std::uint32_t tiles;  ///< of a batch
  /// Between groups of tiles as a block visits them: coprime to their number.
  std::uint32_t stride;
  /// Of each bucket while a tile is sorted, a power of two: lanes that are as far apart have one in
  /// common. The hardware does not combine additions that return something, so equal buckets in a
  /// warp wait for each other.
  std::uint32_t cursors = 4;

  /// The slice that begins `first` bins from the first one, all else being equal.
  bucket_layout slice_at(std::uint32_t first) const noexcept {
    bucket_layout slice = *this;
    slice.first_bin = first;
    slice.bins = (std::min)(bins, all_bins - first);
    return slice;
  }

  std::uint32_t samples_of_tile() const noexcept { return threads * samples_of_thread; }
  /// A bucket has 2^this tables, counted one after another from the same rests; a slice has so
  /// many.
  THRUST_HIST_HOST_DEVICE unsigned tables_log2() const noexcept { return rest_bits - table_bits; }
  THRUST_HIST_HOST_DEVICE std::uint32_t tables() const noexcept {
    return ((bins - 1) >> table_bits) + 1;
  }
  /// How many granules hold so many rests, and rests so many granules.
  THRUST_HIST_HOST_DEVICE std::uint32_t granules(std::uint32_t rests) const noexcept {
    return (rests + (1u << granule_log2) - 1) >> granule_log2;
  }
  THRUST_HIST_HOST_DEVICE std::uint32_t rests(std::uint32_t granules) const noexcept {
    return granules << granule_log2;
  }
  /// Units of scratch memory between tiles.
  THRUST_HIST_HOST_DEVICE std::uint32_t units_of_tile() const noexcept {
    return threads * samples_of_thread / rests_of_unit + (granule_log2 == 0 ? 0 : buckets);
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
  THRUST_HIST_HOST_DEVICE std::size_t total_bytes() const noexcept {
    return ((buckets + 4) * sizeof(std::uint32_t) + 15) / 16 * 16;  // and four more numbers
  }
  /// Scratch memory of a batch: rests, begins, totals, wherever the next 16-byte boundary lies.
  std::size_t bytes() const noexcept {
    return rest_bytes() + begin_bytes() + total_bytes() + alignment;
  }

  /// Shared memory of a block that makes tiles: totals, sums of its warps, then cursors and the
  /// rests of a tile, or the counters of a near one. All of it dynamic: the limit of a kernel is
  /// that of the device then.
  std::size_t tile_shared_bytes() const noexcept {
    std::uint32_t const near_units = near_bins / 4 + 1;
    std::uint32_t const sorting_units = cursor_units() + units_of_tile() + 1;
    return std::size_t{total_units() + warp_units + (std::max)(sorting_units, near_units)} *
           unit_bytes;
  }
  /// One bucket more, for what has no bin.
  THRUST_HIST_HOST_DEVICE std::uint32_t cursor_units() const noexcept {
    return (buckets + 1) * (cursors / 4);
  }
  THRUST_HIST_HOST_DEVICE std::uint32_t total_units() const noexcept { return (buckets + 3) / 4; }
  static constexpr std::uint32_t unit_bytes = 16;
  /// 32 warps, how many units the tile has, its ends, its place, and the tile after it.
  static constexpr std::uint32_t warp_units = 10;

  /// Shared memory of a block that counts a table: counters, one for padding, sums of its warps,
  /// and where the tables begin on its line of work.
  std::size_t table_shared_bytes() const noexcept {
    return (sizeof(std::uint32_t) << table_bits) + (tables() + 2 + 32) * sizeof(std::uint32_t);
  }
};

/// As many bits of a bin as a table in the shared memory of a block leaves room for.
inline unsigned table_bits_for(device_facts const& facts) noexcept {
  // A quarter of the table is enough for the line of work: tiles have no room for more buckets.
  auto const bytes = [](unsigned bits) { return (sizeof(std::uint32_t) << bits) * 5 / 4 + 256; };
  unsigned bits = bucket_layout::most_table_bits;
  while (bits > 1 && bytes(bits) > facts.shared_bytes_block) {
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
inline std::uint32_t most_buckets_for(device_facts const& facts, unsigned granule_log2) noexcept {
  bucket_layout layout = {};
  layout.granule_log2 = granule_log2;
  layout.buckets = bucket_layout::most_buckets * 2;
  do {
    layout.buckets /= 2;
    layout.threads = (std::max)(256u, layout.buckets * 8 / bucket_layout::samples_of_thread);
  } while (layout.buckets > 1 && layout.tile_shared_bytes() > facts.shared_bytes_block);
  return layout.buckets;
}

/// Whether bins can be sorted into buckets at all: their numbers, and those of edges, have 31 bits
/// there.
inline bool fits_buckets(std::uint64_t bins) noexcept {
  return bins < (std::uint64_t{1} << 31) - 1;
}

/// A tile is near with half as many bins as samples; where bins are so many that sorted samples
/// have more, with as many as there is room for.
inline std::uint32_t near_bins_for(bucket_layout layout, device_facts const& facts) noexcept {
  if (layout.granule_log2 != 0) {
    return layout.samples_of_tile() / 2;
  }
  layout.near_bins = layout.samples_of_tile() * 3 / 2;
  while (layout.near_bins > 0 && layout.tile_shared_bytes() > facts.shared_bytes_block) {
    layout.near_bins -= 1024;
  }
  return layout.near_bins;
}

/// Samples that are sorted from end to end have as many bins for each in a tile as in all. Four
/// times that is too many: bins come again, and buckets bring their samples together
/// (docs/decisions/0044). With two samples to a bin and more, tiles of sorted ones are near.
inline std::uint32_t sorted_bins_for(bucket_layout const& layout, std::uint64_t samples) noexcept {
  std::uint64_t const bins = std::uint64_t{4} * layout.samples_of_tile() * layout.all_bins;
  std::uint64_t const most = bins / (std::max<std::uint64_t>)(samples, 1);
  bool const are_few = samples / 2 <= layout.all_bins;
  return are_few ? static_cast<std::uint32_t>((std::min<std::uint64_t>)(most, ~std::uint32_t{0}))
                 : 0;
}

/// Of many buckets, few have their place in the same warp, and clearing and adding up takes longer.
/// A tile is not made smaller for the sake of more cursors.
inline std::uint32_t cursors_for(bucket_layout layout, device_facts const& facts) noexcept {
  std::uint32_t const few = layout.cursors;
  layout.cursors = 2 * few;
  bool const fits = layout.tile_shared_bytes() <= facts.shared_bytes_block;
  return layout.buckets <= 256 && fits ? layout.cursors : few;
}

/// The layout for a number of bins that fits_buckets and at least one sample; `tiles` is 0 where
/// not even one group of tiles stays below `cap`.
inline bucket_layout plan_buckets(
    std::uint64_t bins, std::uint64_t samples, device_facts const& facts, std::size_t cap) {
  bucket_layout layout = {};
  layout.table_bits = table_bits_for(facts);
  std::uint64_t const tables = buckets_for(bins, layout.table_bits);
  std::uint64_t const most_padded =
      (std::min)(bucket_layout::most_padded, most_buckets_for(facts, bucket_layout::unit_log2));
  layout.granule_log2 = tables <= most_padded ? bucket_layout::unit_log2 : 0;
  std::uint64_t const most = most_buckets_for(facts, layout.granule_log2);
  // Two tables a bucket rather than two slices: rests are read twice then, but not samples.
  layout.rest_bits = layout.table_bits + (tables <= most ? 0 : 1);
  std::uint64_t const all = buckets_for(bins, layout.rest_bits);
  std::uint64_t const slices = (all + most - 1) / most;
  layout.buckets = static_cast<std::uint32_t>((all + slices - 1) / slices);
  layout.all_bins = static_cast<std::uint32_t>(bins);
  layout.bins = static_cast<std::uint32_t>(
      (std::min)(bins, std::uint64_t{layout.buckets} << layout.rest_bits));
  // Many buckets want large tiles, so that each gets more than a few keys of a tile.
  layout.threads = layout.buckets <= 64 ? 256 : layout.buckets <= 512 ? 512 : 1024;
  while (layout.threads > 256 && layout.tile_shared_bytes() > facts.shared_bytes_block) {
    layout.threads /= 2;
  }
  layout.near_bins = near_bins_for(layout, facts);
  layout.sorted_bins = sorted_bins_for(layout, samples);
  layout.cursors = cursors_for(layout, facts);
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
