// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Sparse histograms, route partitioned in numbers: codes between a lowest and a highest one are
/// thrown into buckets in their order, and each bucket is counted in slices that fit shared memory.
/// No CUDA headers; tested with g++.
///
/// Codes count from the lowest one. Bucket b holds the codes [b << bucket_log2, (b + 1) <<
/// bucket_log2), a slice 2^slice_log2 of these. Two neighbouring codes are a cell, with two
/// counters of 16 bits. Where a slice has no room for the counters of all cells, each cell has a
/// mark, and those that are marked have counters: of 8 or 4 bits where they are many.

#include <thrust_hist/config.h>
#include <thrust_hist/system/cuda/code_buckets.h>
#include <thrust_hist/system/cuda/device_facts.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {

/// Of shared memory beside a slice: for what threads tell each other.
inline constexpr std::size_t bytes_beside_slice = 2560;

/// What a block knows of slices.
struct range_slices {
  static constexpr std::uint32_t most_of_code =
      0xffff;                                ///< how often a counter can tell that it occurs
  static constexpr unsigned most_log2 = 21;  ///< of a slice
  static constexpr unsigned least_marked_log2 =
      17;  ///< a warp has 32 pairs of words of marks at least

  unsigned bucket_log2;
  unsigned slice_log2;
  bool has_marks;
  std::uint32_t
      counter_words;  ///< of 32 bits, each for the counters of 1, 2 or 4 cells, without marks of 1

  THRUST_HIST_HOST_DEVICE unsigned of_bucket_log2() const noexcept {
    return bucket_log2 - slice_log2;
  }
  THRUST_HIST_HOST_DEVICE std::uint32_t codes() const noexcept { return 1u << slice_log2; }
  THRUST_HIST_HOST_DEVICE std::uint32_t cells() const noexcept { return codes() / 2; }
  /// Marks, and the number of those before each two words of them, in half a word: the 17th bit is
  /// the same from some pair on.
  THRUST_HIST_HOST_DEVICE std::uint32_t mark_words() const noexcept {
    return has_marks ? cells() / 32 : 0;
  }
  THRUST_HIST_HOST_DEVICE std::uint32_t rank_words() const noexcept { return mark_words() / 4; }
  /// Cells that there is room for, of which a word holds at most so many, 1, 2 or 4.
  THRUST_HIST_HOST_DEVICE std::uint32_t capacity(std::uint32_t cells_of_word = 4) const noexcept {
    std::uint32_t const most = cells_of_word * counter_words;
    return !has_marks ? counter_words : most < 0x1ffff ? most : 0x1ffff;  // ranks have 17 bits
  }
  std::size_t shared_bytes() const noexcept {
    return bytes_beside_slice +
           (std::size_t{mark_words()} + rank_words() + counter_words) * sizeof(std::uint32_t);
  }
};

struct range_buckets {
  static constexpr unsigned least_bucket_log2 = 11;
  static constexpr unsigned most_slices_log2 = 4;  ///< of a bucket: each reads all of it

  code_buckets codes;  ///< how tiles of codes lie in memory
  range_slices slices;
  bool has_room;  ///< for so many distinct codes, if they lie evenly

  /// By what the place of a code is multiplied to find its bucket.
  std::uint32_t factor() const noexcept { return 1u << (32 - slices.bucket_log2); }
  /// By how many bits places of codes are shifted to the left.
  unsigned shift() const noexcept { return 0; }
  std::uint32_t jobs() const noexcept { return codes.layout.buckets << slices.of_bucket_log2(); }
  /// Makes slices half as wide, with more room for distinct codes in each. Returns whether that is
  /// possible.
  bool halve_slices(device_facts const& facts) noexcept;
};

/// Words of shared memory for marks, ranks and counters.
inline std::uint32_t words_of_slice(device_facts const& facts) noexcept {
  std::size_t const bytes = facts.shared_bytes_block - bytes_beside_slice;
  return static_cast<std::uint32_t>(bytes / sizeof(std::uint32_t) / 4 * 4);
}

/// Marked slices of 2^slice_log2 codes, with as many counters as there is room for.
inline range_slices marked_slices(
    unsigned bucket_log2, unsigned slice_log2, device_facts const& facts) noexcept {
  range_slices s = {bucket_log2, slice_log2, true, 0};
  std::uint32_t const beside = s.mark_words() + s.rank_words();
  std::uint32_t const words = words_of_slice(facts);
  s.counter_words = beside < words ? words - beside : 0;
  return s;
}

/// Slices of buckets of 2^bucket_log2 codes, of which about one in `spacing` occurs, `often` times
/// on average.
inline range_slices plan_range_slices(
    unsigned bucket_log2, double spacing, double often, device_facts const& facts) noexcept {
  // By chance, few codes occur more often than 15 times, or 255 times.
  std::uint32_t const cells_of_word = often <= 2.4 ? 4 : often <= 100 ? 2 : 1;
  range_slices s = {bucket_log2, bucket_log2, false, 0};
  std::uint32_t const words = words_of_slice(facts);
  unsigned log2 = s.cells() > words ? (std::min)(bucket_log2, range_slices::most_log2) : 0;
  for (; log2 >= range_slices::least_marked_log2; --log2) {
    range_slices const marked = marked_slices(bucket_log2, log2, facts);
    // Of thousands of slices, some are four standard deviations fuller than the average.
    double const neither = (1 - 1 / spacing) * (1 - 1 / spacing);
    double const expected = marked.cells() * (1 - neither);
    if (marked.capacity(cells_of_word) >= expected + 4 * std::sqrt(expected)) {
      return marked;
    }
  }
  while (s.cells() > words) {
    --s.slice_log2;
  }
  s.counter_words = s.cells();
  return s;
}

inline bool range_buckets::halve_slices(device_facts const& facts) noexcept {
  bool const is_possible = slices.has_marks && slices.of_bucket_log2() < most_slices_log2 &&
                           slices.slice_log2 > range_slices::least_marked_log2;
  if (is_possible) {
    slices = marked_slices(slices.bucket_log2, slices.slice_log2 - 1, facts);
  }
  return is_possible;
}

/// For so many distinct codes among `codes`, which lie in [0, last], and where they are densest so
/// many times as dense as on average.
inline range_buckets plan_range_buckets(
    std::uint64_t last, std::uint64_t distinct, double density, std::uint64_t codes,
    device_facts const& facts) {
  range_buckets b = {};
  unsigned bucket_log2 = range_buckets::least_bucket_log2;
  std::uint64_t buckets = 0;
  do {
    buckets = (last >> bucket_log2) + 1;
    if (buckets <= code_buckets::most_buckets) {
      b.codes = lay_out_codes(static_cast<std::uint32_t>(buckets), codes, 4, 0, 0, facts);
    }
  } while (b.codes.layout.buckets != buckets && ++bucket_log2 < 32);
  // A guess may be too low by so much.
  double const most = (std::min)(1.15 * static_cast<double>(distinct), static_cast<double>(codes));
  double const spacing = (static_cast<double>(last) + 1) / (most + 1);
  double const often = static_cast<double>(codes) / static_cast<double>(distinct + 1);
  b.slices = plan_range_slices(bucket_log2, (std::max)(spacing / density, 1.0), often, facts);
  b.has_room = b.slices.of_bucket_log2() <= range_buckets::most_slices_log2 &&
               b.codes.layout.buckets == buckets && codes <= code_buckets::most_codes;
  return b;
}

/// Scratch memory for any buckets of so many codes, and for a line of slices that may be halved, at
/// most.
inline std::size_t bytes_of_ranges(
    std::uint64_t codes, unsigned code_bytes, device_facts const& facts) {
  constexpr std::uint32_t step = 32;
  std::size_t most = 0;
  for (std::uint32_t buckets = 0; buckets <= code_buckets::most_buckets; buckets += step) {
    code_buckets const b = lay_out_codes((std::max)(1u, buckets), codes, code_bytes, 0, 0, facts);
    // A bucket more adds padding to each tile, and where it begins there.
    most = (std::max)(most, b.bytes() + step * (std::size_t{b.layout.tiles} * 14 + 32));
  }
  std::size_t const slices = std::size_t{code_buckets::most_buckets}
                             << (range_buckets::most_slices_log2 + 1);
  return most + (slices + 1) * sizeof(unsigned long long) + 256;
}

}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
