// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Route partitioned of folds in numbers. No CUDA headers; tested with g++.
///
/// Pairs are sorted into buckets as counted samples are (see buckets.h); with each rest of a bin
/// travels its value, or the number of its pair where values are large. Rests and what they carry
/// stand in arrays of their own, units of 8 rests in the one, 8 payloads in the other.

#include <thrust_hist/config.h>
#include <thrust_hist/system/cuda/buckets.h>
#include <thrust_hist/system/cuda/device_facts.h>
#include <thrust_hist/system/cuda/tables.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {

/// The most copies of a table's words, as a power of two: one for each lane of a warp.
inline constexpr unsigned copies_log2_of_lanes = 5;

/// What a fold asks of its buckets.
struct bucket_needs {
  unsigned payload_bytes = 0;  ///< that travel with each rest, 4 or 8; 0: there is no such route
  std::size_t bin_bytes = 0;   ///< of the table in shared memory
  /// The same of a table for values that the first is not made for.
  std::size_t wide_bin_bytes = 0;
  std::size_t state_bytes = 0;       ///< of a bin in global memory
  bool locks = false;                ///< each state has a lock
  std::size_t wide_place_bytes = 0;  ///< of a place for a frequent bin beside that table; 0: none
  bool wide_by_atomics = false;      ///< atomics fold such values in global memory as well
  bool by_number = false;            ///< the number of its pair travels in place of a value
  /// Of a bin in global memory, see sum_rows, instead of a state, of which nobody asks then; 0: it
  /// has one.
  unsigned digits = 0;
};

/// Places of each bin that many want at once (see hot_states). Where warps fold the values of equal
/// bins first, few warps meet at a place; else all lanes do.
constexpr std::uint32_t copies_of_hot_bin(bool by_warps) noexcept {
  return by_warps ? 1 : 8;
}
/// Shared memory of so many: their names and locks, in whole units of 16 bytes, then states.
inline std::size_t hot_bytes(
    std::uint32_t entries, std::size_t state_bytes, std::size_t state_alignment) {
  return (entries * std::size_t{8} + 15) / 16 * 16 + entries * state_bytes + state_alignment;
}
/// How many there are: a power of two up to `most`, or 0 where not even one bin has room.
inline std::uint32_t hot_entries_for(
    std::size_t state_bytes, std::size_t state_alignment, std::size_t room, std::uint32_t most,
    bool by_warps) {
  std::uint32_t const least = 2 * copies_of_hot_bin(by_warps);
  while (most >= least && hot_bytes(most, state_bytes, state_alignment) > room) {
    most /= 2;
  }
  return most >= least ? most : 0;
}

/// Places of each warp of a block for such bins where locks lie in shared memory (see warp_states):
/// a word and a state each.
inline constexpr unsigned warps_of_folding_block = 32;
inline constexpr std::uint32_t least_warp_entries = 8;
inline std::size_t warp_entries_bytes(std::size_t state_bytes, std::uint32_t entries) {
  return entries * warps_of_folding_block * (state_bytes + sizeof(unsigned));
}
/// How many in what a table leaves of `room`: a power of two, or 0 where there is room for few.
inline std::uint32_t warp_entries_within(
    std::size_t state_bytes, std::size_t table, std::size_t room, std::uint32_t most = 64) {
  std::uint32_t entries = most;
  while (entries > 0 && table + warp_entries_bytes(state_bytes, entries) > room) {
    entries = entries > least_warp_entries ? entries / 2 : 0;
  }
  return entries;
}
/// How many beside a table. Where values are not read by whole loads, a part of shared memory is
/// left to the cache, in which these meet, unless that leaves no places at all.
inline std::uint32_t warp_entries_for(
    std::size_t state_bytes, std::size_t table, bool whole_loads, device_facts const& facts) {
  std::size_t const all = facts.shared_bytes_block;
  std::uint32_t const entries =
      warp_entries_within(state_bytes, table, whole_loads ? all : all / 7 * 6);
  return entries > 0 ? entries : warp_entries_within(state_bytes, table, all, least_warp_entries);
}

struct fold_buckets {
  /// Of a batch: larger ones would save little.
  static constexpr std::uint64_t most_pairs = std::uint64_t{1} << 27;
  static constexpr unsigned most_threads = 512;  ///< on a multiprocessor, each with 128 registers
  static constexpr unsigned least_threads = 64;
  static constexpr std::uint32_t most_wide_places =
      1024;  ///< which all tables of a block begin anew
  static constexpr std::uint32_t least_wide_places = 32;  ///< for which a table is made smaller
  static constexpr std::uint64_t enough_tiles = std::uint64_t{16} * bucket_layout::tiles_of_group;

  bucket_layout layout;  ///< a bucket has one table
  unsigned payload_bytes;
  unsigned wide_table_bits;  ///< of the other table
  unsigned tile_blocks;      ///< of the first kernel
  std::uint32_t hot_entries;
  bool wide_by_atomics;            ///< instead of the other table, while states stay in the cache
  std::uint32_t wide_hot_entries;  ///< places beside the other table, or of a block before atomics
  std::size_t table_bytes;         ///< of shared memory
  std::size_t wide_table_bytes;

  /// The same bucket with a table for each part of its bins, folded one after another.
  bucket_layout wide_layout(bucket_layout slice) const noexcept {
    slice.table_bits = wide_table_bits;
    return slice;
  }
  std::size_t payload_offset() const noexcept { return (layout.bytes() + 15) / 16 * 16; }
  /// Scratch memory of a batch.
  std::size_t bytes() const noexcept {
    return payload_offset() + std::size_t{layout.tiles} * layout.units_of_tile() *
                                  bucket_layout::rests_of_unit * payload_bytes;
  }
  /// Shared memory of a block that makes tiles; the rests of a tile and then what they carry.
  std::size_t tile_shared_bytes() const noexcept {
    std::size_t const slots = (std::size_t{layout.units_of_tile()} + 1) *
                              (std::max)(2u, payload_bytes) * bucket_layout::rests_of_unit;
    return (layout.total_units() + bucket_layout::warp_units + layout.cursor_units()) *
               bucket_layout::unit_bytes +
           slots;
  }
};

/// Shared memory of a line of work, in whole units of 16 bytes.
THRUST_HIST_HOST_DEVICE inline std::uint32_t line_units(std::uint32_t tables) noexcept {
  return (tables + 32 + 2 + 3) / 4;
}

/// What may stand behind a table, or before it to align it.
inline constexpr std::size_t behind_table_bytes = (std::max<std::size_t>)(nowhere_bytes, 64);

/// The bits of a table whose bins take so many bytes and the number of which is at most
/// `tables(bits)`.
template <class Tables>
unsigned fold_table_bits(std::size_t bin_bytes, std::size_t room, unsigned most, Tables tables) {
  unsigned bits = most;
  while (bits > 0 &&
         (bin_bytes << bits) + line_units(tables(bits)) * 16 + behind_table_bytes > room) {
    --bits;
  }
  return bits;
}

/// How many threads make a tile of so many buckets: 8 pairs for each bucket, if there is room.
inline unsigned tile_threads(fold_buckets b, device_facts const& facts) noexcept {
  b.layout.threads = b.layout.buckets <= 256 ? 256 : 512;
  while (b.layout.threads > 32 && b.tile_shared_bytes() > facts.shared_bytes_block) {
    b.layout.threads /= 2;
  }
  return b.tile_shared_bytes() > facts.shared_bytes_block ? 0 : b.layout.threads;
}

/// What folds values that the tables of buckets are not made for.
inline void size_wide_table(
    fold_buckets& b, std::uint64_t pairs, bucket_needs const& needs, std::size_t room,
    device_facts const& facts) {
  bucket_layout const& layout = b.layout;
  // Sums of float in fewer bins wait for each other longer than limbs take. Where the cache holds
  // hardly more than all sums, uniform keys take longer.
  std::uint32_t const least = needs.state_bytes == 4 ? 1 << 15 : 0;
  b.wide_by_atomics = needs.wide_by_atomics && layout.all_bins >= least &&
                      layout.all_bins <= facts.l2_bytes / 16 * 9 / needs.state_bytes;
  if (b.wide_by_atomics) {
    b.wide_hot_entries = hot_places_for(pairs, needs.state_bytes, facts);
    b.wide_table_bytes = hot_place_bytes(b.wide_hot_entries, needs.state_bytes);
    return;
  }
  bool const has_places = needs.wide_place_bytes != 0;
  std::size_t const of_places = (std::min)(
      hot_place_bytes(fold_buckets::least_wide_places, needs.wide_place_bytes), room / 2);
  auto const tables = [&](unsigned bits) { return layout.buckets << (layout.rest_bits - bits); };
  b.wide_table_bits = fold_table_bits(
      needs.wide_bin_bytes, room - (has_places ? of_places : 0), layout.table_bits, tables);
  b.wide_table_bytes = line_units(tables(b.wide_table_bits)) * 16 +
                       (needs.wide_bin_bytes << b.wide_table_bits) + behind_table_bytes;
  if (has_places) {
    b.wide_hot_entries = hot_places_within(
        fold_buckets::most_wide_places, needs.wide_place_bytes,
        room - (std::min)(room, b.wide_table_bytes));
    b.wide_table_bytes += hot_place_bytes(b.wide_hot_entries, needs.wide_place_bytes);
  }
}

/// The buckets for a number of bins that fits_buckets; `layout.tiles` is 0 where there is no room
/// for any below `cap`. `by_warps`: see fold_problem.
inline fold_buckets plan_fold_buckets(
    std::uint64_t bins, std::uint64_t pairs, bucket_needs const& needs, bool by_warps,
    device_facts const& facts, std::size_t cap) {
  fold_buckets b = {};
  if (needs.payload_bytes == 0 || bins == 0 || !fits_buckets(bins)) {
    return b;
  }
  bucket_layout& layout = b.layout;
  b.payload_bytes = needs.payload_bytes;
  layout.granule_log2 = bucket_layout::unit_log2;
  std::size_t const all_room = facts.shared_bytes_block;
  b.hot_entries =
      by_warps ? warp_entries_within(needs.state_bytes, 0, all_room / 16, least_warp_entries) : 0;
  std::size_t const room = all_room - warp_entries_bytes(needs.state_bytes, b.hot_entries);
  auto most = static_cast<std::uint32_t>(
      (std::min<std::size_t>)(bucket_layout::most_padded, (std::max<std::size_t>)(room / 64, 1)));
  do {
    layout.buckets = most;
    layout.threads = tile_threads(b, facts);
    most /= 2;
  } while (layout.buckets > 1 &&
           layout.threads * bucket_layout::samples_of_thread < layout.buckets * 8);
  most = layout.buckets;
  unsigned const most_bits = bucket_layout::most_table_bits;
  layout.table_bits =
      fold_table_bits(needs.bin_bytes, room, most_bits, [&](unsigned) { return most; });
  layout.rest_bits = layout.table_bits;
  std::uint64_t const all = buckets_for(bins, layout.rest_bits);
  std::uint64_t const slices = (all + most - 1) / most;
  layout.buckets = static_cast<std::uint32_t>((all + slices - 1) / slices);
  layout.all_bins = static_cast<std::uint32_t>(bins);
  layout.bins = static_cast<std::uint32_t>(
      (std::min)(bins, std::uint64_t{layout.buckets} << layout.rest_bits));
  layout.threads = tile_threads(b, facts);
  if (layout.threads == 0) {
    return b;
  }
  // A bucket that has most of the pairs is folded by no more blocks than there are groups of tiles.
  // Not where padding would be more than a quarter.
  while (layout.threads > fold_buckets::least_threads &&
         pairs < layout.samples_of_tile() * fold_buckets::enough_tiles &&
         layout.samples_of_tile() / 2 >= layout.buckets * 32) {
    layout.threads /= 2;
  }
  b.table_bytes = line_units(layout.tables()) * 16 + (needs.bin_bytes << layout.table_bits) +
                  behind_table_bytes;
  if (by_warps) {
    // Those that do not travel with their rests are fetched one by one.
    b.hot_entries = (std::max)(
        b.hot_entries, warp_entries_for(needs.state_bytes, b.table_bytes, !needs.by_number, facts));
    b.table_bytes += warp_entries_bytes(needs.state_bytes, b.hot_entries);
  }
  if (needs.wide_bin_bytes != 0) {
    size_wide_table(b, pairs, needs, room, facts);
  }
  std::size_t const by_room = facts.shared_bytes_processor / (b.tile_shared_bytes() + 1024);
  std::size_t const by_threads = fold_buckets::most_threads / layout.threads;
  b.tile_blocks =
      facts.multiprocessors *
      static_cast<unsigned>((std::max<std::size_t>)(1, (std::min)(by_room, by_threads)));

  std::uint64_t const in_batch = (std::min)(pairs, fold_buckets::most_pairs);
  std::uint32_t const group = bucket_layout::tiles_of_group;
  std::uint64_t const tiles = in_batch / layout.samples_of_tile() + 1;
  layout.tiles = group;
  std::size_t const of_group = b.bytes();
  std::uint64_t const groups =
      (std::min<std::uint64_t>)((tiles + group - 1) / group, cap / of_group);
  layout.tiles = static_cast<std::uint32_t>(groups) * group;
  layout.stride = groups == 0 ? 0 : visiting_stride(layout.groups());
  return b;
}

/// The scratch memory of the smallest batch.
inline std::size_t smallest_bytes(fold_buckets b) noexcept {
  b.layout.tiles = bucket_layout::tiles_of_group;
  return b.bytes();
}

}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
