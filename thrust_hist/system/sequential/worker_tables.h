// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// The tables in which one worker counts.

#include <thrust_hist/config.h>

#include <cstdint>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace sequential {

/// The memory of one worker: a table of counters for all bins, of 32 bits where the samples are few
/// enough, else of 64. Where bins are few, several tables take turns: equal keys in a row then hit
/// different addresses, and no increment waits for the store of the one before it.
class worker_tables {
public:
  static constexpr unsigned most_ways = 4;

  worker_tables(std::uint64_t bins, std::uint64_t samples) noexcept
      : worker_tables(bins, samples, bins <= interleaved_bins ? most_ways : 1) {}
  worker_tables(std::uint64_t bins, std::uint64_t samples, unsigned ways) noexcept
      : bins_(bins), ways_(ways), wide_(samples >> 32 != 0) {}

  std::uint64_t bins() const noexcept { return bins_; }
  unsigned ways() const noexcept { return ways_; }
  bool wide() const noexcept { return wide_; }
  /// 64-bit words a worker needs: tables, a word to spare, and no cache line shared by two workers.
  std::uint64_t words() const noexcept {
    std::uint64_t const counters = ways_ * bins_;
    return ((wide_ ? counters : (counters + 1) / 2) + 15) / 16 * 16 + 16;
  }
  /// Adds what a worker counted in the bins [begin, begin + n) to sums[0 .. n).
  void add_to(
      std::uint64_t* sums, std::uint64_t const* memory, std::uint64_t begin,
      std::uint64_t n) const noexcept {
    for (unsigned way = 0; way < ways_; ++way) {
      std::uint64_t const at = way * bins_ + begin;
      if (wide_) {
        add(sums, memory + at, n);
      } else {
        add(sums, reinterpret_cast<std::uint32_t const*>(memory) + at, n);
      }
    }
  }

private:
  // 16 KiB of 32-bit counters leave half of a first-level cache to the input.
  static constexpr std::uint64_t interleaved_bins = 1024;

  template <class Counter>
  static void add(std::uint64_t* sums, Counter const* counts, std::uint64_t n) noexcept {
    for (std::uint64_t i = 0; i < n; ++i) {
      sums[i] += counts[i];
    }
  }

  std::uint64_t bins_;
  unsigned ways_;
  bool wide_;
};

}  // namespace sequential
}  // namespace detail
THRUST_HIST_NAMESPACE_END
