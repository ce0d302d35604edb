// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// How many bins are cut into buckets, and how much a worker throws into them needs.

#include <thrust_hist/config.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace sequential {

/// A bucket is a power of two of neighbouring bins, few enough for what belongs to them to stay in
/// a cache. Of a bin its bucket keeps the rest, the lower 16 bits, in a chain of blocks.
class bins_in_buckets {
public:
  using rest = std::uint16_t;
  static constexpr std::uint32_t block_rests = 512;
  static constexpr std::uint64_t most_bins = std::uint64_t{1} << 27;
  /// Bins whose rests differ.
  static constexpr std::uint64_t window_bins = std::uint64_t{1} << 16;

  /// For a worker that throws at most `most` at a time; a bin takes so many bytes of a cache.
  bins_in_buckets(std::uint64_t bins, std::uint64_t most, std::size_t bytes_of_bin) noexcept
      : bins_(bins) {
    while (log2_bucket_bins_ > 6 && bytes_of_bin << log2_bucket_bins_ > comfortable_bytes) {
      --log2_bucket_bins_;
    }
    while (log2_bucket_bins_ < 16 && buckets() > comfortable_buckets) {
      ++log2_bucket_bins_;
    }
    // Of each bucket neither the first nor the last block is full.
    blocks_ = 2 * buckets() + most / block_rests + 1;
  }

  std::uint64_t bins() const noexcept { return bins_; }
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
  std::uint64_t most_bins_of_bucket() const noexcept {
    return (std::min)(bins_, std::uint64_t{1} << log2_bucket_bins_);
  }
  /// A bin from the begin of its bucket, of its rest.
  std::uint64_t place_in_bucket(rest r) const noexcept {
    return r & ((std::uint64_t{1} << log2_bucket_bins_) - 1);
  }
  /// Of all chains of a worker.
  std::uint64_t blocks() const noexcept { return blocks_; }
  std::uint64_t rests() const noexcept { return blocks_ * block_rests; }

private:
  static constexpr std::uint64_t comfortable_buckets = 256;
  static constexpr std::size_t comfortable_bytes = std::size_t{1} << 19;

  std::uint64_t bins_;
  std::uint64_t blocks_ = 0;
  unsigned log2_bucket_bins_ = 13;
};

}  // namespace sequential
}  // namespace detail
THRUST_HIST_NAMESPACE_END
