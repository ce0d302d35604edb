// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Route hashed in numbers: how the codes of keys are thrown into buckets, by their mixed bits, and
/// how large the hash tables are in which the codes of a bucket are counted. No CUDA headers;
/// tested with g++.
///
/// Tiles and their segments lie in scratch memory as those of route partitioned do (see buckets.h),
/// with whole codes in the place of rests, padded to units of 16 bytes. A bucket has one table, or
/// two, which read it one after the other.

#include <thrust_hist/config.h>
#include <thrust_hist/system/cuda/buckets.h>
#include <thrust_hist/system/cuda/device_facts.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {

struct code_buckets {
  static constexpr std::uint64_t most_codes = std::uint64_t{1} << 29;  ///< of a batch
  /// The same with values: sums of real numbers carry into 32 bits at most.
  static constexpr std::uint64_t most_values = std::uint64_t{1} << 27;
  static constexpr unsigned bytes_of_thread = 128;  ///< of a tile
  static constexpr unsigned codes_with_values = 16;
  static constexpr std::uint32_t most_buckets = 2048;
  static constexpr unsigned most_slots_log2 = 14;
  static constexpr unsigned most_tables_log2 = 1;  ///< of a bucket

  bucket_layout layout;
  unsigned code_bytes;
  unsigned value_bytes;  ///< that travel with a code
  unsigned state_bytes;  ///< of a slot, beside its code
  unsigned slots_log2;   ///< of a table in shared memory
  unsigned tile_blocks;  ///< of the kernel that makes tiles

  std::uint32_t slots() const noexcept { return 1u << slots_log2; }
  /// Codes of a thread in a tile: with values beside them there are registers for less.
  unsigned codes_of_thread() const noexcept {
    return value_bytes == 0 ? bytes_of_thread / code_bytes : codes_with_values;
  }
  std::uint32_t codes_of_tile() const noexcept { return layout.threads * codes_of_thread(); }
  /// Codes between the begins of two tiles, which have padding behind each segment.
  std::uint32_t stride_of_tile() const noexcept {
    std::uint32_t const padded =
        codes_of_tile() + layout.buckets * (bucket_layout::unit_bytes / code_bytes - 1);
    return (padded + bucket_layout::rests_of_unit - 1) / bucket_layout::rests_of_unit *
           bucket_layout::rests_of_unit;
  }
  std::size_t code_memory() const noexcept {
    return std::size_t{layout.tiles} * stride_of_tile() * code_bytes;
  }
  /// Where values begin, behind codes, begins and totals.
  std::size_t value_offset() const noexcept {
    std::size_t const before = code_memory() + layout.begin_bytes() + layout.total_bytes();
    return (before + bucket_layout::alignment - 1) / bucket_layout::alignment *
           bucket_layout::alignment;
  }
  /// Scratch memory of a batch.
  std::size_t bytes() const noexcept {
    return value_offset() + std::size_t{layout.tiles} * stride_of_tile() * value_bytes +
           bucket_layout::alignment;
  }
  /// A tile's codes, and when they are written, their values in the same place.
  std::size_t tile_shared_bytes() const noexcept {
    return std::size_t{layout.total_units() + bucket_layout::warp_units + layout.cursor_units()} *
               bucket_layout::unit_bytes +
           std::size_t{stride_of_tile()} * (std::max)(code_bytes, value_bytes);
  }
  /// Codes that tables have room for, seven eighths full.
  std::uint64_t capacity() const noexcept {
    return std::uint64_t{layout.tables()} * slots() / 8 * 7;
  }
  /// How many of so many codes may find no room in a table before it is given up: each looks at all
  /// places where it might be, and leaves a row.
  static std::uint32_t most_astray(unsigned slots_log2, std::uint64_t codes) noexcept {
    std::uint64_t const most = (std::max)((std::uint64_t{1} << slots_log2) / 4, codes / 16);
    return static_cast<std::uint32_t>((std::min)(most, std::uint64_t{1} << 30));
  }
  /// Codes and states, two more of each, sums of warps and what a block says beside.
  std::size_t table_bytes() const noexcept {
    return (std::size_t{slots()} + 2) * (code_bytes + state_bytes) + 36 * sizeof(std::uint32_t);
  }
  /// The same, with a line of work.
  std::size_t count_shared_bytes() const noexcept {
    return table_bytes() + (std::size_t{layout.tables()} + 2 + 32) * sizeof(std::uint32_t) + 16;
  }
};

/// The largest table of a power of two of slots, beside a line of work of most tables.
inline unsigned slots_log2_for(
    unsigned code_bytes, unsigned state_bytes, device_facts const& facts,
    unsigned tables_log2 = 0) noexcept {
  code_buckets b = {};
  b.layout.bins = code_buckets::most_buckets << tables_log2;
  b.code_bytes = code_bytes;
  b.state_bytes = state_bytes;
  b.slots_log2 = code_buckets::most_slots_log2;
  while (b.slots_log2 > 4 && b.count_shared_bytes() > facts.shared_bytes_block) {
    --b.slots_log2;
  }
  return b.slots_log2;
}

/// Tiles of `codes` codes for so many buckets, or less where a tile has no room for them, of
/// 2^tables_log2 tables each.
inline code_buckets lay_out_codes(
    std::uint32_t buckets, std::uint64_t codes, unsigned code_bytes, unsigned value_bytes,
    unsigned state_bytes, device_facts const& facts, unsigned tables_log2 = 0) {
  code_buckets b = {};
  bucket_layout& layout = b.layout;
  b.code_bytes = code_bytes;
  b.value_bytes = value_bytes;
  b.state_bytes = state_bytes;
  b.slots_log2 = slots_log2_for(code_bytes, state_bytes, facts, tables_log2);
  layout.buckets = buckets;
  layout.granule_log2 = code_bytes == 4 ? 2 : 1;
  // Tiles with values have half as many codes, or even less.
  std::uint32_t const few = value_bytes == 0 ? 1024 : 128;
  layout.threads = layout.buckets <= 64 ? 256 : layout.buckets <= few ? 512 : 1024;
  while (b.tile_shared_bytes() > facts.shared_bytes_block && layout.threads > 32) {
    // Small tiles would have more begins than codes.
    if (layout.threads <= 256 && layout.buckets > 64) {
      layout.buckets /= 2;
    } else {
      layout.threads /= 2;
    }
  }
  layout.rest_bits = tables_log2;
  layout.bins = layout.all_bins = layout.buckets << tables_log2;
  std::size_t const by_room = facts.shared_bytes_processor / (b.tile_shared_bytes() + 1024);
  std::size_t const by_threads = 1024 / layout.threads;
  b.tile_blocks =
      facts.multiprocessors *
      static_cast<unsigned>((std::max<std::size_t>)(1, (std::min)(by_room, by_threads)));

  std::uint64_t const in_batch =
      (std::min)(codes, value_bytes == 0 ? code_buckets::most_codes : code_buckets::most_values);
  std::uint32_t const group = bucket_layout::tiles_of_group;
  // Two loads more than codes fill: the ends of an unaligned range.
  std::uint64_t const tiles = (in_batch + 64) / b.codes_of_tile() + 1;
  layout.tiles = static_cast<std::uint32_t>((tiles + group - 1) / group * group);
  layout.stride = visiting_stride(layout.groups());
  return b;
}

/// How full the tables of buckets are to be, if the guess at distinct codes is right: half, a
/// fifth, or where buckets would be many, two fifths.
enum class table_fullness { half, fifth, fifth_if_few };

/// Buckets for so many distinct codes among `codes` codes.
inline code_buckets plan_code_buckets(
    std::uint64_t distinct, table_fullness full, std::uint64_t codes, unsigned code_bytes,
    unsigned value_bytes, unsigned state_bytes, device_facts const& facts) {
  // In tables that are a fifth full of a thousand codes one or two do not stand in their row of
  // four slots. With values a quarter. Less buckets have longer segments, of which less is read in
  // vain. Where some codes are frequent and others not, frequent ones come first and find room,
  // whatever follows.
  constexpr std::uint64_t many = 700;
  unsigned const slots_log2 = slots_log2_for(code_bytes, state_bytes, facts);
  auto const number = [](std::uint64_t wanted) {
    return static_cast<std::uint32_t>(
        std::clamp<std::uint64_t>(wanted + 1, 64, code_buckets::most_buckets));
  };
  auto const lay_out = [&](std::uint32_t buckets, unsigned tables_log2) {
    return lay_out_codes(buckets, codes, code_bytes, value_bytes, state_bytes, facts, tables_log2);
  };
  unsigned const spread = full == table_fullness::half ? 2 : value_bytes != 0 ? 4 : 5;
  std::uint32_t buckets = number(distinct * spread >> slots_log2);
  code_buckets b = lay_out(buckets, 0);
  // Tiles that have no room for so many have less anyhow.
  if (full == table_fullness::fifth_if_few && buckets > many && b.layout.buckets == buckets) {
    buckets = number((std::max)(many, distinct * 5 / 2 >> slots_log2));
    b = lay_out(buckets, 0);
  }
  // Tables of long codes that are more than three quarters full take longer than reading each
  // bucket twice.
  std::uint64_t const most = code_bytes > 4 ? b.capacity() / 7 * 6 : b.capacity();
  if (value_bytes == 0 || distinct <= most) {
    return b;
  }
  // To read a bucket twice takes less than to sort all pairs; codes by themselves are sorted
  // faster.
  code_buckets const with_two = lay_out(buckets, code_buckets::most_tables_log2);
  return with_two.capacity() > b.capacity() ? with_two : b;
}

}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
