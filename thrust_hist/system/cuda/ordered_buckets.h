// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Sparse histograms, route partitioned in numbers, where most codes are distinct: they are thrown into buckets in
/// their order, each of which has a region of memory, and a block puts all codes of a bucket in order. No CUDA
/// headers; tested with g++.
///
/// Codes count from the lowest one. Those of 8 bytes that lie further apart than 2^32 are shifted so that the highest
/// bit of the highest one is set. Bits of a code from the highest on: its bucket, its group in the bucket, and the
/// rest. A group has one or two codes on average.

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

/// What a block knows of buckets, of which each is one slice.
struct ordered_slices {
  static constexpr unsigned threads = 512;           ///< of a block that puts one in order
  static constexpr unsigned blocks = 2;              ///< that a multiprocessor has registers for
  static constexpr std::uint32_t longest = 4096;     ///< group that has room
  static constexpr unsigned least_groups_log2 = 11;  ///< each thread has four at least
  static constexpr unsigned most_groups_log2 = 15;

  unsigned bucket_bits;  ///< of a code, below those of its bucket
  unsigned groups_log2;  ///< of a bucket
  unsigned code_bytes;
  std::uint32_t room;  ///< of a bucket, for codes

  THRUST_HIST_HOST_DEVICE static constexpr unsigned of_bucket_log2() noexcept { return 0; }
  THRUST_HIST_HOST_DEVICE std::uint32_t groups() const noexcept { return 1u << groups_log2; }
  /// Of a code, below those of its group.
  THRUST_HIST_HOST_DEVICE unsigned group_bits() const noexcept { return bucket_bits - groups_log2; }
  /// Codes, and of each group where it begins.
  std::size_t shared_bytes() const noexcept {
    return bytes_beside_slice + std::size_t{groups()} * sizeof(std::uint32_t) +
           std::size_t{room} * code_bytes;
  }
};

/// For so many codes in a bucket on average, and where they are densest so many times as many. There is room for what
/// may be in the fullest of thousands, and for more: a small sample does not tell where codes are somewhat denser.
inline ordered_slices plan_ordered_slices(
    unsigned bucket_bits, unsigned code_bytes, double average, double density) noexcept {
  constexpr double codes_of_group = 2;  // at most
  ordered_slices s = {bucket_bits, ordered_slices::least_groups_log2, code_bytes, 0};
  while (s.groups_log2 < (std::min)(bucket_bits, ordered_slices::most_groups_log2) &&
         average * density > codes_of_group * s.groups()) {
    ++s.groups_log2;
  }
  double const most = (density + 0.6) * average + 8 * std::sqrt(density * average) + 128;
  s.room = static_cast<std::uint32_t>((std::min)(most, 0x1p20)) / 4 * 4;
  return s;
}

/// For codes of 4 or 8 bytes.
template <class Code>
struct ordered_buckets {
  static constexpr unsigned bits = 8 * sizeof(Code);
  static constexpr std::uint32_t most_buckets = 4096;
  /// Of a block that throws codes into buckets: words of shared memory beside them and what it knows of each.
  static constexpr std::uint32_t words_beside = 36;
  static constexpr unsigned most_of_thread = 4;  ///< buckets

  ordered_slices slices;
  unsigned shift_;  ///< of codes, to the left
  std::uint32_t buckets;
  unsigned threads;  ///< of a block that throws codes into them
  bool has_room;     ///< for all codes of a bucket, if they lie evenly
  bool is_paired;    ///< and for two blocks of a multiprocessor side by side

  /// By what the highest 32 bits of a code are multiplied to find its bucket.
  std::uint32_t factor() const noexcept { return 1u << (bits - slices.bucket_bits); }
  unsigned shift() const noexcept { return shift_; }
  std::uint32_t jobs() const noexcept { return buckets; }
  /// Nothing would be gained.
  static bool halve_slices(device_facts const&) noexcept { return false; }

  std::uint32_t codes_of_tile() const noexcept {
    return threads * (code_buckets::bytes_of_thread / static_cast<unsigned>(sizeof(Code)));
  }
  /// Of a number for each bucket, in multiples of 16.
  std::size_t number_bytes() const noexcept {
    return (std::size_t{buckets} * sizeof(std::uint32_t) + 15) / 16 * 16;
  }
  /// Shared memory of a block that throws codes into buckets.
  std::size_t tile_shared_bytes() const noexcept {
    return words_beside * sizeof(std::uint32_t) + 2 * number_bytes() +
           std::size_t{codes_of_tile()} * sizeof(Code);
  }
  std::uint32_t tile_blocks(device_facts const& facts) const noexcept {
    std::size_t const by_room = facts.shared_bytes_processor / (tile_shared_bytes() + 1024);
    std::size_t const by_threads = 1024 / threads;
    return facts.multiprocessors *
           static_cast<std::uint32_t>((std::max<std::size_t>)(1, (std::min)(by_room, by_threads)));
  }
  /// Scratch memory: how many codes buckets have, and their regions, wherever the next 16-byte boundary lies.
  std::size_t bytes() const noexcept {
    return number_bytes() + std::size_t{buckets} * slices.room * sizeof(Code) +
           bucket_layout::alignment;
  }
  /// The same with a line of buckets: no more than all codes twice, which a sort would take.
  bool is_small(std::uint64_t codes) const noexcept {
    return bytes() + (2 * std::size_t{buckets} + 1) * sizeof(unsigned long long) <=
           2 * codes * sizeof(Code);
  }
};

/// For `codes` codes, which lie in [0, last], and where they are densest so many times as dense as on average.
template <class Code>
ordered_buckets<Code> plan_ordered_buckets(
    std::uint64_t last, double density, std::uint64_t codes, device_facts const& facts) {
  using buckets_type = ordered_buckets<Code>;
  buckets_type b = {};
  while (sizeof(Code) > 4 && last != 0 && (last << b.shift_ >> 63) == 0) {
    ++b.shift_;
  }
  std::uint64_t const highest = last << b.shift_;
  auto const fits = [&](unsigned bucket_bits, std::size_t most_bytes) {
    double const buckets =
        std::ldexp(static_cast<double>(highest) + 1, -static_cast<int>(bucket_bits));
    double const average = static_cast<double>(codes) / (std::max)(1.0, buckets);
    b.buckets = static_cast<std::uint32_t>(highest >> bucket_bits) + 1;
    b.slices = plan_ordered_slices(bucket_bits, sizeof(Code), average, density);
    bool const are_enough = b.buckets >= 2 * facts.multiprocessors || average < 2048;
    return are_enough && b.slices.shared_bytes() <= most_bytes && b.is_small(codes);
  };
  // The widest ones for two blocks side by side; or if they would be too many, for one.
  std::size_t const block = facts.shared_bytes_block;
  std::size_t const half = (std::min)(block, facts.shared_bytes_processor / 2 - 1024);
  unsigned const least_bits =
      sizeof(Code) > 4 ? buckets_type::bits - 12 : ordered_slices::least_groups_log2;
  bool is_found = false;
  for (std::size_t const most_bytes : {half, block}) {
    for (unsigned bits = buckets_type::bits; !is_found && bits-- > least_bits;) {
      is_found = highest >> bits < buckets_type::most_buckets && fits(bits, most_bytes);
      b.is_paired = is_found && most_bytes == half;
    }
  }
  // Many buckets have short segments of a tile, unless this is large.
  b.threads = b.buckets * sizeof(Code) <= 4096 ? 512 : 1024;
  while (b.tile_shared_bytes() > block && b.threads > 32) {
    b.threads /= 2;
  }
  b.has_room = is_found && codes <= code_buckets::most_codes &&
               b.buckets <= b.threads * buckets_type::most_of_thread;
  return b;
}

}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
