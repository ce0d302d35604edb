// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// The brick of all host systems: count a chunk of samples into tables of one worker.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/bin_index.h>
#include <thrust_hist/detail/candidate.h>
#include <thrust_hist/detail/policy.h>
#include <thrust_hist/detail/rule.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

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
      : bins_(bins), ways_(bins <= interleaved_bins ? most_ways : 1), wide_(samples >> 32 != 0) {}

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

/// Counts samples into `Ways` tables in turn.
template <unsigned Ways, class Counter, class Iterator, class Rule>
void count_in_turn(
    Counter* tables, std::uint64_t bins, Iterator first, std::uint64_t n, Rule rule) {
  using difference = typename thrust::iterator_traits<Iterator>::difference_type;
  using sample = value_t<Iterator>;
  auto const count = [&](std::uint64_t i, unsigned way) {
    sample const x = *(first + static_cast<difference>(i));
    auto const bin = detail::candidate<std::uint64_t>(rule, x);
    if (bin < bins) {
      ++tables[way * bins + bin];
    }
  };
  constexpr unsigned unrolled = 4;
  static_assert(unrolled % Ways == 0);
  std::uint64_t i = 0;
  for (; i + unrolled <= n; i += unrolled) {
    for (unsigned j = 0; j < unrolled; ++j) {
      count(i + j, j % Ways);
    }
  }
  for (; i < n; ++i) {
    count(i, 0);
  }
}

/// All 256 values of a 1-byte sample are counted as they are; the rule speaks once for each.
template <class Sample>
struct byte_value {
  THRUST_HIST_HOST_DEVICE bin_index operator()(Sample x) const noexcept {
    return bit_cast<unsigned char>(x);
  }
};

inline constexpr std::uint64_t below_overflow = std::uint64_t{1} << 31;

template <class Counter, class Iterator, class Rule>
void count_bytes(
    Counter* counts, std::uint64_t bins, Iterator first, std::uint64_t n, Rule const& rule) {
  using difference = typename thrust::iterator_traits<Iterator>::difference_type;
  using sample = value_t<Iterator>;
  constexpr unsigned ways = worker_tables::most_ways;
  for (std::uint64_t done = 0; done < n; done += below_overflow) {
    std::uint32_t tables[ways * 256] = {};
    count_in_turn<ways>(
        tables, 256, first + static_cast<difference>(done), (std::min)(n - done, below_overflow),
        byte_value<sample>{});
    for (unsigned value = 0; value < 256; ++value) {
      std::uint64_t count = 0;
      for (unsigned way = 0; way < ways; ++way) {
        count += tables[way * 256 + value];
      }
      if (count == 0) {  // a user's rule need not know values that do not occur
        continue;
      }
      auto const bin = detail::candidate<std::uint64_t>(
          rule, bit_cast<sample>(static_cast<unsigned char>(value)));
      if (bin < bins) {
        counts[bin] += static_cast<Counter>(count);
      }
    }
  }
}

/// Adds the counts of a chunk to tables.
template <class Counter, class Iterator, class Rule>
void count_into(
    Counter* tables, worker_tables layout, Iterator first, std::uint64_t n, Rule const& rule) {
  using sample = value_t<Iterator>;
  auto const bound = detail::bind_rule<sample, bin_index>(rule);
  if constexpr (counts_by_value<sample>) {
    if (n >= 1024) {  // fewer samples than that are not worth the visit of all values
      count_bytes(tables, layout.bins(), first, n, bound);
      return;
    }
  }
  if (layout.ways() > 1) {
    count_in_turn<worker_tables::most_ways>(tables, layout.bins(), first, n, bound);
  } else {
    count_in_turn<1>(tables, layout.bins(), first, n, bound);
  }
}

/// Counts a chunk into `memory`, which has worker_tables::words() words.
template <class Iterator, class Rule>
void count_chunk(
    std::uint64_t* memory, worker_tables layout, Iterator first, std::uint64_t n,
    Rule const& rule) {
  std::memset(memory, 0, layout.words() * sizeof *memory);  // whatever the counters' type
  if (layout.wide()) {
    sequential::count_into(memory, layout, first, n, rule);
  } else {
    sequential::count_into(reinterpret_cast<std::uint32_t*>(memory), layout, first, n, rule);
  }
}

}  // namespace sequential
}  // namespace detail
THRUST_HIST_NAMESPACE_END
