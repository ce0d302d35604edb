// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Counters that are narrower than counts may be: more of them stay in a cache.

#include <thrust_hist/config.h>

#include <cstdint>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace sequential {

/// A table of narrow counters while it is counted in, one a bin. Where that of a bin runs over,
/// `overflow(bin)` has to remember it. See count_samples().
template <class Counter, class Overflow>
class narrow_counters {
public:
  static constexpr unsigned ways = 1;

  narrow_counters(Counter* table, Overflow overflow) noexcept
      : table_(table), overflow_(overflow) {}

  void count(std::uint64_t bin, unsigned) noexcept {
    // One addition in memory and a jump; with its carry asked for it took twice as long.
    if (++table_[bin] == 0) {
      overflow_(bin);
    }
  }
  template <unsigned Samples>
  void count_equal(std::uint64_t bin) noexcept {
    static_assert(Samples < std::uint64_t{1} << (8 * sizeof(Counter)));
    auto const sum = static_cast<Counter>(table_[bin] + Samples);
    table_[bin] = sum;
    if (sum < Samples) {
      overflow_(bin);
    }
  }
  Overflow const& overflow() const noexcept { return overflow_; }

private:
  Counter* table_;
  Overflow overflow_;
};

/// Lists the bins whose counters ran over, each as often as that happened.
struct list_bins {
  std::uint32_t* end;  ///< of the list

  void operator()(std::uint64_t bin) noexcept { *end++ = static_cast<std::uint32_t>(bin); }
};

/// Lists the wide counters of such bins. Adding to them at once would wait for each: they are
/// seldom in a cache.
template <class Wide>
struct list_wide {
  Wide* table;
  Wide** end;  ///< of the list

  void operator()(std::uint64_t bin) noexcept { *end++ = table + bin; }
};

}  // namespace sequential
}  // namespace detail
THRUST_HIST_NAMESPACE_END
