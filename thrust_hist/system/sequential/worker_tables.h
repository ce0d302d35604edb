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

/// The memory of one worker: a counter for each bin, of 32 bits where the samples are few enough,
/// else of 64. Where bins are few, each has several counters that take turns: equal keys in a row
/// then hit different addresses, and no increment waits for the store of the one before it. They
/// are neighbours: tables some multiple of 4 096 bytes apart would make accesses look alike to a
/// processor.
class worker_tables {
public:
  static constexpr unsigned most_ways = 4;

  worker_tables(std::uint64_t bins, std::uint64_t samples) noexcept
      : worker_tables(bins, samples, ways_for(bins, samples)) {}
  worker_tables(std::uint64_t bins, std::uint64_t samples, unsigned ways) noexcept
      : bins_(bins), ways_(ways), wide_(samples >> 32 != 0) {}

  std::uint64_t bins() const noexcept { return bins_; }
  unsigned ways() const noexcept { return ways_; }
  bool wide() const noexcept { return wide_; }
  /// 64-bit words a worker needs: counters, and no cache line shared by two workers.
  std::uint64_t words() const noexcept {
    std::uint64_t const counters = ways_ * bins_;
    return ((wide_ ? counters : (counters + 1) / 2) + 15) / 16 * 16 + 16;
  }
  /// Adds what a worker counted in the bins [begin, begin + n) to sums[0 .. n).
  void add_to(
      std::uint64_t* sums, std::uint64_t const* memory, std::uint64_t begin,
      std::uint64_t n) const noexcept {
    for (unsigned way = 0; way < ways_; ++way) {
      std::uint64_t const at = begin * ways_ + way;
      if (wide_) {
        add(sums, memory + at, n);
      } else {
        add(sums, reinterpret_cast<std::uint32_t const*>(memory) + at, n);
      }
    }
  }

private:
  // Not where zeroing and adding up takes the time, and no more than 32 KiB, to stay in a cache.
  static unsigned ways_for(std::uint64_t bins, std::uint64_t samples) noexcept {
    if (samples < 8 * bins || bins > 4096) {
      return 1;
    }
    return bins <= 1024 ? most_ways : 2;
  }

  template <class Counter>
  void add(std::uint64_t* sums, Counter const* counts, std::uint64_t n) const noexcept {
    for (std::uint64_t i = 0; i < n; ++i) {
      sums[i] += counts[i * ways_];
    }
  }

  std::uint64_t bins_;
  unsigned ways_;
  bool wide_;
};

}  // namespace sequential
}  // namespace detail
THRUST_HIST_NAMESPACE_END
