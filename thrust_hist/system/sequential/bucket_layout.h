// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// The memory with which a worker throws samples into buckets and counts them.

#include <thrust_hist/config.h>
#include <thrust_hist/system/sequential/bins_in_buckets.h>

#include <cstddef>
#include <cstdint>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace sequential {

/// Counters are addressed by the rest from the begin of a window.
class bucket_layout : public bins_in_buckets {
public:
  /// Entries of a worker's list of narrow counters that ran over, a word each; it is emptied before
  /// it is full.
  static constexpr std::uint64_t most_overflows = 8192;
  static_assert(most_overflows >= 2 * block_rests);

  /// For a worker with at most `samples` samples at a time; `wide` for 64-bit counters.
  bucket_layout(std::uint64_t bins, std::uint64_t samples, bool wide) noexcept
      : bins_in_buckets(bins, samples, wide ? 8 : 4), wide_(wide) {}

  bool wide() const noexcept { return wide_; }

  // The memory of a worker, in 64-bit words: wide and narrow counters of a window, two numbers of
  // 32 bits for each bucket, one for each block, the blocks, a list of narrow counters that ran
  // over, and words to spare for what a worker leaves to the others.
  std::uint64_t narrow_at() const noexcept { return window_bins / (wide_ ? 1 : 2); }
  std::uint64_t buckets_at() const noexcept { return narrow_at() + window_bins / 8; }
  std::uint64_t chains_at() const noexcept { return buckets_at() + whole_lines(buckets()); }
  std::uint64_t blocks_at() const noexcept { return chains_at() + whole_lines(blocks() / 2 + 1); }
  std::uint64_t overflows_at() const noexcept {
    return blocks_at() + rests() * sizeof(rest) / sizeof(std::uint64_t);
  }
  std::uint64_t spare_at() const noexcept { return overflows_at() + whole_lines(most_overflows); }
  std::uint64_t words() const noexcept { return spare_at() + whole_lines(3); }
  // And for all workers, a word for each bucket, and a narrow counter for each bin.
  std::uint64_t state_words() const noexcept { return whole_lines(buckets()); }
  std::uint64_t shared_words() const noexcept {
    return state_words() + whole_lines(bins() / 8 + 1);
  }

private:
  /// No two workers share a cache line, or a pair of them.
  static std::uint64_t whole_lines(std::uint64_t words) noexcept { return (words + 15) / 16 * 16; }

  bool wide_;
};

}  // namespace sequential
}  // namespace detail
THRUST_HIST_NAMESPACE_END
