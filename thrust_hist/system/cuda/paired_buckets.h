// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Sparse histograms, route sorted in numbers: codes and what lies beside them are thrown into
/// buckets between codes of a sorted sample, and each bucket is put in order by a block. Where
/// these have their place is counted before, so that all of them need memory once, and a code of
/// the sample itself, however frequent, has a part of its own, which needs no order. No CUDA
/// headers; tested with g++.

#include <thrust_hist/config.h>
#include <thrust_hist/system/cuda/device_facts.h>
#include <thrust_hist/system/cuda/ordered_slices.h>
#include <thrust_hist/system/cuda/sample_ranges.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {

/// For codes of 4 or 8 bytes.
template <class Code>
struct paired_buckets {
  static constexpr std::uint32_t of_bucket = 64;  ///< codes of the sample
  static constexpr unsigned of_thread = 8;        ///< codes of a tile
  static constexpr unsigned most_parts_of_thread = 8;
  static constexpr unsigned threads_of_search = 512;
  static constexpr unsigned pairs_of_thread = 32;  ///< of a bucket that is put in order, at most
  static constexpr std::uint32_t most_room = pairs_of_thread * ordered_slices::threads;
  static constexpr std::uint32_t codes_behind = 4;  ///< the last one, so that words are aligned
  static constexpr std::uint32_t longest_short =
      32;  ///< group of which nobody need put codes in order
  static constexpr std::uint32_t words_beside =
      36;  ///< of shared memory, for a block that makes tiles

  bounded_slices<Code> slices;
  std::size_t word_bytes;  ///< of what lies beside a code
  unsigned threads;        ///< of a block that makes tiles
  bool has_room;           ///< for all codes of a bucket, unless chance will have it

  std::uint32_t buckets() const noexcept { return slices.buckets; }
  /// One for each bucket, and before it one for the code that it begins behind.
  std::uint32_t parts() const noexcept { return 2 * slices.buckets; }
  std::uint32_t sample_size() const noexcept { return of_bucket * slices.buckets; }
  unsigned steps() const noexcept {
    unsigned steps = 0;
    while ((1u << steps) < slices.buckets) {
      ++steps;
    }
    return steps;
  }
  std::uint32_t codes_of_tile() const noexcept { return threads * of_thread; }
  std::size_t tile_shared_bytes() const noexcept {
    std::size_t const of_parts = (std::size_t{parts()} + 3) / 4 * 16;
    return words_beside * sizeof(std::uint32_t) + 2 * of_parts +
           codes_of_tile() * (sizeof(Code) + word_bytes + sizeof(std::uint16_t));
  }
  unsigned tile_blocks(std::uint64_t codes, device_facts const& facts) const noexcept {
    return blocks_for_tiles(codes, threads, tile_shared_bytes(), facts);
  }
  /// Of a block that finds the parts of codes.
  std::size_t search_shared_bytes() const noexcept {
    return (std::size_t{parts()} + 3) / 4 * 16 + (std::size_t{buckets()} + 3) / 4 * 16 +
           (sizeof(Code) << steps());
  }
  unsigned search_blocks(std::uint64_t codes, device_facts const& facts) const noexcept {
    return blocks_for_tiles(codes, threads_of_search, search_shared_bytes(), facts);
  }
  /// Of a block that puts a bucket in order. Beside each code are its word and the number of its
  /// group.
  std::size_t shared_bytes() const noexcept {
    return slices.shared_bytes() + codes_behind * sizeof(Code) +
           slices.room * (word_bytes + sizeof(std::uint16_t));
  }
  /// Scratch memory beside codes and words: of the parts, of the part of each code, and of the
  /// sample.
  std::size_t part_bytes() const noexcept {
    return (std::size_t{parts()} + 1) * sizeof(unsigned long long);
  }
  std::size_t sample_bytes() const noexcept {
    return plan_sample(sample_size()).bytes(sizeof(Code));
  }
  /// Tiles as large as there is room for, but for all multiprocessors.
  void plan_tiles(std::uint64_t codes, device_facts const& facts) noexcept {
    threads = 1024;
    while (threads > 256 && codes < std::uint64_t{codes_of_tile()} * facts.multiprocessors) {
      threads /= 2;
    }
    while (tile_shared_bytes() > facts.shared_bytes_block && threads > 32) {
      threads /= 2;
    }
  }

private:
  /// As many as there is room for at a time, if there are tiles for all of them.
  static unsigned blocks_for_tiles(
      std::uint64_t codes, unsigned threads, std::size_t shared_bytes, device_facts const& facts) {
    std::uint64_t const tiles = (codes + threads * of_thread - 1) / (threads * of_thread);
    std::size_t const by_room = facts.shared_bytes_processor / (shared_bytes + 1024);
    std::size_t const at_once = (std::min<std::size_t>)(by_room, 1024 / threads);
    return static_cast<unsigned>(
        (std::min)(tiles, facts.multiprocessors * (std::max<std::uint64_t>)(1, at_once)));
  }
};

/// As few buckets as there is room for in shared memory, and so many that all multiprocessors are
/// busy to the end. Groups of up to three codes on average take less room than those of one, in
/// which pairs of more than 8 bytes find their places faster.
template <class Code>
paired_buckets<Code> plan_paired_buckets(
    std::uint64_t codes, std::size_t word_bytes, device_facts const& facts) {
  using buckets_type = paired_buckets<Code>;
  constexpr std::uint32_t of_bucket = buckets_type::of_bucket;
  constexpr std::uint32_t most_buckets = 4096;
  std::size_t const block = facts.shared_bytes_block;
  buckets_type b = {};
  b.word_bytes = word_bytes;
  auto const fits = [&](std::uint64_t buckets, std::size_t most_bytes, unsigned of_group,
                        double fullest) {
    double const average = static_cast<double>(codes) / static_cast<double>(buckets);
    b.slices = {
        plan_ordered_slices(8 * sizeof(Code), average, fullest * average + 64, of_group), nullptr,
        of_bucket, static_cast<std::uint32_t>(buckets), nullptr};
    b.plan_tiles(codes, facts);
    return codes >> 30 == 0 && b.parts() <= b.threads * buckets_type::most_parts_of_thread &&
           b.tile_shared_bytes() <= block && b.search_shared_bytes() <= block &&
           b.shared_bytes() <= most_bytes && b.slices.room <= buckets_type::most_room &&
           plan_sample(b.sample_size()).shared_bytes(sizeof(Code)) <= block;
  };
  std::size_t const half = (std::min)(block, facts.shared_bytes_processor / 2 - 1024);
  std::uint64_t const few = (std::max<std::uint64_t>)(2, codes / 2048);
  unsigned const fewest = sizeof(Code) + word_bytes > 8 ? 1 : 3;
  for (unsigned of_group = fewest; of_group <= 3; of_group += 2) {
    for (std::size_t const most_bytes : {half, block}) {
      std::uint32_t const turn = facts.multiprocessors * (most_bytes == half ? 2 : 1);
      for (std::uint32_t turns = 1; !b.has_room && turns * turn <= most_buckets; ++turns) {
        for (double const roots : roots_above_average) {
          b.has_room = b.has_room || fits(
                                         (std::min<std::uint64_t>)(few, turns * turn), most_bytes,
                                         of_group, cuda::fullest_drawn(of_bucket, roots));
        }
      }
    }
  }
  return b;
}

}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
