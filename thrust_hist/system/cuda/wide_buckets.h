// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Sparse histograms, route partitioned in numbers, where codes of 8 bytes lie further apart than
/// 2^32: they are thrown into buckets in their order, and each bucket is counted in hash tables
/// that keep the order. No CUDA headers; tested with g++.
///
/// Codes count from the lowest one and are shifted so that the highest bit of the highest one is
/// set. Bits of a code from the highest on: its bucket, its slice of the bucket, its row in the
/// table of the slice, and the rest, which stands in a slot of that row or of one of the next, with
/// how many rows further on, and how often the code occurs.

#include <thrust_hist/config.h>
#include <thrust_hist/system/cuda/code_buckets.h>
#include <thrust_hist/system/cuda/device_facts.h>
#include <thrust_hist/system/cuda/range_buckets.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {

/// What a block knows of slices.
struct wide_slices {
  static constexpr unsigned slots_of_row = 6;
  /// Of a slot: by how many rows behind its own, and one more, a code stands. So no code looks like
  /// a free slot.
  static constexpr unsigned apart_bits = 5;
  static constexpr std::uint32_t most_apart = (1u << apart_bits) - 2;

  unsigned buckets_log2;
  unsigned slices_log2;  ///< of a bucket: each reads all of it
  unsigned rows_log2;    ///< of a table

  THRUST_HIST_HOST_DEVICE unsigned of_bucket_log2() const noexcept { return slices_log2; }
  /// Those of a code that its row knows.
  THRUST_HIST_HOST_DEVICE unsigned known_bits() const noexcept {
    return buckets_log2 + slices_log2 + rows_log2;
  }
  /// Those of a slot that tell how often its code occurs.
  THRUST_HIST_HOST_DEVICE unsigned count_bits() const noexcept { return known_bits() - apart_bits; }
  THRUST_HIST_HOST_DEVICE std::uint32_t rows() const noexcept { return 1u << rows_log2; }
  /// With those behind the last one, for codes that find no slot in it.
  THRUST_HIST_HOST_DEVICE std::uint32_t all_rows() const noexcept {
    return rows() + most_apart + 1;
  }
  /// Codes that find no slot in all the rows where they may stand have a table beside, in which
  /// each has a word and a count.
  THRUST_HIST_HOST_DEVICE unsigned crowd_log2() const noexcept { return rows_log2 - 1; }
  THRUST_HIST_HOST_DEVICE std::uint32_t crowd() const noexcept { return 1u << crowd_log2(); }
  std::size_t shared_bytes() const noexcept {
    return bytes_beside_slice + std::size_t{all_rows()} * slots_of_row * sizeof(std::uint64_t) +
           std::size_t{crowd()} * (sizeof(std::uint64_t) + sizeof(std::uint32_t));
  }
};

struct wide_buckets {
  static constexpr unsigned least_log2 = 9;
  static constexpr unsigned most_log2 = 11;
  static constexpr unsigned most_slices_log2 = 4;

  code_buckets codes;  ///< how tiles of codes lie in memory
  wide_slices slices;
  unsigned shift_;  ///< of codes, to the left
  bool has_room;    ///< for so many distinct codes, if they lie evenly

  std::uint32_t factor() const noexcept { return 1u << slices.buckets_log2; }
  unsigned shift() const noexcept { return shift_; }
  std::uint32_t jobs() const noexcept { return codes.layout.buckets << slices.slices_log2; }
  /// Bits of a code, as it was, that the row where it belongs does not know. 0 or less: there are
  /// none.
  int low_bits() const noexcept { return 64 - static_cast<int>(shift_ + slices.known_bits()); }
  /// Whether codes are spread over rows about as if by chance: of `distinct` codes of a sample in
  /// [0, last] so many more are in the row of another one.
  bool are_spread(
      std::uint64_t last, std::uint32_t distinct, std::uint32_t sharing) const noexcept {
    double const rows = std::ldexp(static_cast<double>(last), -(std::max)(0, low_bits()));
    double const expected = 0.5 * distinct * distinct / rows;
    return sharing <= 1.25 * expected + 6 * std::sqrt(expected) + 6;
  }
  /// Makes slices half as wide, with more room for distinct codes in each. Returns whether that is
  /// possible.
  bool halve_slices(device_facts const&) noexcept {
    bool const is_possible = slices.slices_log2 < most_slices_log2;
    slices.slices_log2 += is_possible ? 1 : 0;
    return is_possible;
  }
};

/// For so many distinct codes among `codes`, which lie in [0, last], and where they are densest so
/// many times as dense as on average.
inline wide_buckets plan_wide_buckets(
    std::uint64_t last, std::uint64_t distinct, double density, std::uint64_t codes,
    device_facts const& facts) {
  // Where codes are densest, rows are half full before there are more buckets, whose segments are
  // shorter, and three fifths before each bucket is read once more: of thousands of tables none has
  // a stretch of 31 rows that are all full, where codes lie as if by chance. (A stretch of 15, in 4
  // 096 tables with 3.4 in each row: one in 25 times.) Distinct codes may be more than was guessed,
  // mostly by less than a sixth.
  constexpr double most_of_row = 3.7;
  constexpr double few_of_row = 3.0;
  wide_buckets b = {};
  while ((last << b.shift_ >> 63) == 0) {
    ++b.shift_;
  }
  wide_slices& s = b.slices;
  s.rows_log2 = 12;
  while (s.rows_log2 > 5 && s.shared_bytes() > facts.shared_bytes_block) {
    --s.rows_log2;
  }
  auto const of_row = [&](double times) {
    double const most =
        (std::min)(times * static_cast<double>(distinct), static_cast<double>(codes));
    double const rows = static_cast<double>(last << b.shift_) / 0x1p64 *
                        static_cast<double>(std::uint64_t{1} << s.known_bits());
    return most * density / rows;
  };
  auto const fits = [&] { return of_row(1) <= most_of_row; };
  auto const has_tiles = [&](unsigned buckets_log2) {
    auto const buckets = static_cast<std::uint32_t>(last << b.shift_ >> (64 - buckets_log2)) + 1;
    code_buckets const laid_out = lay_out_codes(buckets, codes, 8, 0, 0, facts);
    bool const is_so = laid_out.layout.buckets == buckets;
    b.codes = is_so ? laid_out : b.codes;
    return is_so;
  };
  s.buckets_log2 = wide_buckets::least_log2;
  b.has_room = has_tiles(s.buckets_log2) && codes <= code_buckets::most_codes;
  while (s.buckets_log2 < wide_buckets::most_log2 && of_row(1.15) > few_of_row &&
         has_tiles(s.buckets_log2 + 1)) {
    ++s.buckets_log2;
  }
  while (s.slices_log2 < wide_buckets::most_slices_log2 && !fits()) {
    ++s.slices_log2;
  }
  b.has_room = b.has_room && fits();
  return b;
}

}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
