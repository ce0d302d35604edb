// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Sparse histograms, route partitioned in numbers, where most codes are distinct: they are thrown
/// into buckets in their order, each of which has a region of memory, and a block puts all codes of
/// a bucket in order. No CUDA headers; tested with g++.
///
/// Where codes lie evenly, buckets are equally wide. Codes count from the lowest one; those of 8
/// bytes that lie further apart than 2^32 are shifted so that the highest bit of the highest one is
/// set. The highest bits of a code tell its bucket. Elsewhere buckets begin at codes that are drawn
/// and sorted, so that each has about as many (W. D. Frazer and A. C. McKellar 1970). A bucket is
/// divided into groups, equally wide, of one or two codes on average.

#include <thrust_hist/config.h>
#include <thrust_hist/system/cuda/code_buckets.h>
#include <thrust_hist/system/cuda/device_facts.h>
#include <thrust_hist/system/cuda/ordered_slices.h>
#include <thrust_hist/system/cuda/sample_ranges.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {

/// For codes of 4 or 8 bytes.
template <class Code>
struct ordered_buckets {
  static constexpr unsigned bits = 8 * sizeof(Code);
  static constexpr std::uint32_t most_buckets = 4096;
  /// Of a block that throws codes into buckets: words of shared memory beside them and what it
  /// knows of each.
  static constexpr std::uint32_t words_beside = 36;
  static constexpr unsigned most_of_thread = 4;  ///< buckets
  static constexpr unsigned drawn_of_thread =
      16;  ///< codes of a tile, where buckets are drawn: there are registers for no more

  bounded_slices<Code> slices;
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

  bool are_drawn() const noexcept { return slices.of_bucket != 0; }
  /// Codes that tell where buckets begin.
  std::uint32_t sample_size() const noexcept { return slices.of_bucket * buckets; }
  std::size_t sample_bytes() const noexcept {
    return are_drawn() ? plan_sample(sample_size()).bytes(sizeof(Code)) : 0;
  }
  /// To find the bucket of a code among all of them.
  unsigned steps() const noexcept {
    unsigned steps = 0;
    while ((1u << steps) < buckets) {
      ++steps;
    }
    return steps;
  }
  std::uint32_t codes_of_tile() const noexcept {
    constexpr auto most = code_buckets::bytes_of_thread / static_cast<unsigned>(sizeof(Code));
    return threads * (are_drawn() ? drawn_of_thread : most);
  }
  /// Of a number for each bucket, in multiples of 16.
  std::size_t number_bytes() const noexcept {
    return (std::size_t{buckets} * sizeof(std::uint32_t) + 15) / 16 * 16;
  }
  /// Shared memory of a block that throws codes into buckets.
  std::size_t tile_shared_bytes() const noexcept {
    std::size_t const of_search = are_drawn() ? number_bytes() + (sizeof(Code) << steps()) +
                                                    codes_of_tile() * sizeof(std::uint16_t)
                                              : 0;
    return words_beside * sizeof(std::uint32_t) + 2 * number_bytes() +
           std::size_t{codes_of_tile()} * sizeof(Code) + of_search;
  }
  std::uint32_t tile_blocks(device_facts const& facts) const noexcept {
    std::size_t const by_room = facts.shared_bytes_processor / (tile_shared_bytes() + 1024);
    std::size_t const by_threads = 1024 / threads;
    return facts.multiprocessors *
           static_cast<std::uint32_t>((std::max<std::size_t>)(1, (std::min)(by_room, by_threads)));
  }
  /// Of how many codes buckets have, and if they are drawn how many are between them.
  std::size_t all_number_bytes() const noexcept { return (are_drawn() ? 2 : 1) * number_bytes(); }
  /// Scratch memory: these, and their regions, wherever the next 16-byte boundary lies.
  std::size_t bytes() const noexcept {
    return all_number_bytes() + std::size_t{buckets} * slices.room * sizeof(Code) +
           bucket_layout::alignment;
  }
  /// How many threads make tiles. Many buckets have short segments of a tile, unless this is large.
  void plan_tiles(std::uint64_t codes, device_facts const& facts) noexcept {
    threads = buckets * sizeof(Code) <= 4096 ? 512 : 1024;
    while (tile_shared_bytes() > facts.shared_bytes_block && threads > 32) {
      threads /= 2;
    }
    has_room = codes <= code_buckets::most_codes && buckets <= threads * most_of_thread;
  }
  /// The same with a line of buckets: no more than all codes twice, which a sort would take.
  bool is_small(std::uint64_t codes) const noexcept {
    return bytes() + sample_bytes() + (2 * std::size_t{buckets} + 1) * sizeof(unsigned long long) <=
           2 * codes * sizeof(Code);
  }
};

/// For `codes` codes, which lie in [0, last], and where they are densest so many times as dense as
/// on average.
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
    // What may be in the fullest of thousands, and more: a small sample does not tell where codes
    // are somewhat denser.
    double const room = (density + 0.6) * average + 8 * std::sqrt(density * average) + 128;
    b.slices = {
        plan_ordered_slices(bucket_bits, average * density, room, 2), nullptr, 0, 0, nullptr};
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
  b.plan_tiles(codes, facts);
  b.has_room = b.has_room && is_found;
  return b;
}

/// For codes that lie anywhere: as few buckets as there is room for in shared memory, and so many
/// that all multiprocessors are busy to the end.
template <class Code>
ordered_buckets<Code> plan_drawn_buckets(std::uint64_t codes, device_facts const& facts) {
  using buckets_type = ordered_buckets<Code>;
  constexpr unsigned bits = buckets_type::bits;
  constexpr std::uint32_t of_bucket = 64;
  std::size_t const block = facts.shared_bytes_block;
  buckets_type b = {};
  auto const fits = [&](std::uint64_t buckets, std::size_t most_bytes, double fullest) {
    double const average = static_cast<double>(codes) / static_cast<double>(buckets);
    b.buckets = static_cast<std::uint32_t>(buckets);
    b.slices = {
        plan_ordered_slices(bits, average, fullest * average + 64, 3), nullptr, of_bucket,
        b.buckets, nullptr};
    b.plan_tiles(codes, facts);
    b.has_room = b.has_room && b.is_small(codes) && b.slices.shared_bytes() <= most_bytes &&
                 plan_sample(b.sample_size()).shared_bytes(sizeof(Code)) <= block;
    return b.has_room;
  };
  std::size_t const half = (std::min)(block, facts.shared_bytes_processor / 2 - 1024);
  std::uint64_t const few = (std::max<std::uint64_t>)(2, codes / 2048);
  bool is_found = false;
  for (std::size_t const most_bytes : {half, block}) {
    std::uint32_t const turn = facts.multiprocessors * (most_bytes == half ? 2 : 1);
    for (std::uint32_t turns = 1; !is_found && turns * turn <= buckets_type::most_buckets;
         ++turns) {
      for (double const roots : roots_above_average) {
        is_found = is_found || fits(
                                   (std::min<std::uint64_t>)(few, turns * turn), most_bytes,
                                   cuda::fullest_drawn(of_bucket, roots));
      }
      b.is_paired = is_found && most_bytes == half;
    }
  }
  return b;
}

}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
