// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// The buckets of one worker: a chain of blocks for each, which grows as samples come.

#include <thrust_hist/config.h>
#include <thrust_hist/system/sequential/bins_in_buckets.h>

#include <cstdint>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace sequential {

/// A view of a worker's memory. The first block of a bucket has the bucket's number; it is begun a
/// cache line later in each of them, since lines at the same place of many blocks evict each other.
class bucket_chains {
public:
  using rest = bins_in_buckets::rest;

  /// With two numbers for each bucket, one for each block, and the blocks.
  bucket_chains(
      bins_in_buckets const& layout, std::uint32_t* of_buckets, std::uint32_t* of_blocks,
      rest* rests) noexcept
      : ends_(of_buckets), full_(ends_ + layout.buckets()), before_(of_blocks), rests_(rests),
        buckets_(static_cast<std::uint32_t>(layout.buckets())), used_(buckets_) {}

  /// Begins every chain.
  void clear() noexcept {
    used_ = buckets_;
    for (std::uint32_t bucket = 0; bucket < buckets_; ++bucket) {
      ends_[bucket] = first_of(bucket);
      full_[bucket] = 0;
    }
  }
  /// Returns its place in the blocks.
  std::uint32_t add(std::uint64_t bucket, rest r) noexcept {
    std::uint32_t const place = ends_[bucket];
    rests_[place] = r;
    std::uint32_t const end = place + 1;
    ends_[bucket] = end;
    if (end % block_rests == 0) {
      extend(bucket, end / block_rests - 1);
    }
    return place;
  }
  std::uint64_t place_of(rest const* r) const noexcept {
    return static_cast<std::uint64_t>(r - rests_);
  }
  /// How many pieces for_each_piece() visits.
  std::uint64_t pieces(std::uint64_t bucket) const noexcept {
    return std::uint64_t{full_[bucket]} + 1;
  }
  /// Calls visit(rests, n) for each block of a bucket, the last one first.
  template <class Visit>
  void for_each_piece(std::uint64_t bucket, Visit visit) const {
    std::uint32_t end = ends_[bucket];
    std::uint32_t block = end / block_rests;
    while (block != bucket) {
      std::uint32_t const before = before_[block];
      fetch(before);
      visit(rests_ + block * std::uint64_t{block_rests}, end - block * block_rests);
      block = before;
      end = (block + 1) * block_rests;
    }
    std::uint32_t const begin = first_of(block);
    visit(rests_ + begin, end - begin);
  }

private:
  static constexpr std::uint32_t block_rests = bins_in_buckets::block_rests;
  static constexpr std::uint32_t line_rests = 64 / sizeof(rest);

  static std::uint32_t first_of(std::uint64_t bucket) noexcept {
    auto const block = static_cast<std::uint32_t>(bucket);
    return block * block_rests + block * line_rests % block_rests;
  }
  void fetch(std::uint32_t block) const noexcept {
    rest const* const rests = rests_ + block * std::uint64_t{block_rests};
    for (std::uint32_t i = 0; i < block_rests; i += line_rests) {
      __builtin_prefetch(rests + i);
    }
  }
  void extend(std::uint64_t bucket, std::uint32_t block) noexcept {
    before_[used_] = block;
    ++full_[bucket];
    ends_[bucket] = used_ * block_rests;
    ++used_;
  }

  std::uint32_t* ends_;    // of each bucket: where its next rest goes
  std::uint32_t* full_;    // of each bucket: how many of its blocks are full
  std::uint32_t* before_;  // of each block: the one before it in its chain
  rest* rests_;
  std::uint32_t buckets_;
  std::uint32_t used_;  // blocks
};

}  // namespace sequential
}  // namespace detail
THRUST_HIST_NAMESPACE_END
