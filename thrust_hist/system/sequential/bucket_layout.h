// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// How many bins are cut into buckets, and what memory a worker needs to throw samples into them.

#include <thrust_hist/config.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace sequential {

/// A bucket is a power of two of neighbouring bins, few enough for their counters to stay in a cache.
/// Of a sample its bucket keeps the rest, the lower 16 bits of the bin, in a chain of blocks.
class bucket_layout {
public:
  using rest = std::uint16_t;
  static constexpr std::uint32_t block_rests = 512;
  /// Bins whose rests differ; counters are addressed by the rest from the begin of such a window.
  static constexpr std::uint64_t window_bins = std::uint64_t{1} << 16;
  static constexpr std::uint64_t most_bins = std::uint64_t{1} << 27;
  /// Entries of a worker's list of narrow counters that ran over, a word each; it is emptied before it is full.
  static constexpr std::uint64_t most_overflows = 8192;
  static_assert(most_overflows >= 2 * block_rests);

  /// For a worker with at most `samples` samples at a time; `wide` for 64-bit counters.
  bucket_layout(std::uint64_t bins, std::uint64_t samples, bool wide) noexcept
      : bins_(bins), wide_(wide) {
    while (log2_bucket_bins_ < 16 && buckets() > comfortable_buckets) {
      ++log2_bucket_bins_;
    }
    // Of each bucket neither the first nor the last block is full.
    blocks_ = 2 * buckets() + samples / block_rests + 1;
  }

  std::uint64_t bins() const noexcept { return bins_; }
  bool wide() const noexcept { return wide_; }
  std::uint64_t bucket_of(std::uint64_t bin) const noexcept { return bin >> log2_bucket_bins_; }
  std::uint64_t begin_of(std::uint64_t bucket) const noexcept {
    return bucket << log2_bucket_bins_;
  }
  std::uint64_t end_of(std::uint64_t bucket) const noexcept {
    return (std::min)(bins_, begin_of(bucket + 1));
  }
  std::uint64_t size_of(std::uint64_t bucket) const noexcept {
    return end_of(bucket) - begin_of(bucket);
  }
  std::uint64_t window_of(std::uint64_t bucket) const noexcept {
    return begin_of(bucket) / window_bins * window_bins;
  }
  std::uint64_t buckets() const noexcept {
    return bucket_of((std::max)(bins_, std::uint64_t{1}) - 1) + 1;
  }
  std::uint64_t blocks() const noexcept { return blocks_; }

  // The memory of a worker, in 64-bit words: wide and narrow counters of a window, two numbers of 32 bits
  // for each bucket, one for each block, the blocks, a list of narrow counters that ran over, and words to spare
  // for what a worker leaves to the others.
  std::uint64_t narrow_at() const noexcept { return window_bins / (wide_ ? 1 : 2); }
  std::uint64_t buckets_at() const noexcept { return narrow_at() + window_bins / 8; }
  std::uint64_t chains_at() const noexcept { return buckets_at() + whole_lines(buckets()); }
  std::uint64_t blocks_at() const noexcept { return chains_at() + whole_lines(blocks_ / 2 + 1); }
  std::uint64_t overflows_at() const noexcept {
    return blocks_at() + blocks_ * block_rests * sizeof(rest) / sizeof(std::uint64_t);
  }
  std::uint64_t spare_at() const noexcept { return overflows_at() + whole_lines(most_overflows); }
  std::uint64_t words() const noexcept { return spare_at() + whole_lines(3); }
  // And for all workers, a word for each bucket, and a narrow counter for each bin.
  std::uint64_t state_words() const noexcept { return whole_lines(buckets()); }
  std::uint64_t shared_words() const noexcept { return state_words() + whole_lines(bins_ / 8 + 1); }

private:
  static constexpr std::uint64_t comfortable_buckets = 256;

  /// No two workers share a cache line, or a pair of them.
  static std::uint64_t whole_lines(std::uint64_t words) noexcept { return (words + 15) / 16 * 16; }

  std::uint64_t bins_;
  std::uint64_t blocks_ = 0;
  unsigned log2_bucket_bins_ = 13;
  bool wide_;
};

}  // namespace sequential
}  // namespace detail
THRUST_HIST_NAMESPACE_END
