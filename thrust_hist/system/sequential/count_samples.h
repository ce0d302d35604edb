// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// The innermost loop of counting on the host.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/candidate.h>
#include <thrust_hist/detail/iterator_types.h>
#include <thrust_hist/iterators.h>
#include <thrust_hist/system/sequential/equal_neighbours.h>
#include <thrust_hist/system/sequential/fetch_ahead.h>
#include <thrust_hist/system/sequential/worker_tables.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace sequential {

/// A table while it is counted in: each bin has `Ways` counters side by side that take turns.
template <class Counter, unsigned Ways>
class counters_in_turn {
public:
  static constexpr unsigned ways = Ways;

  explicit counters_in_turn(Counter* table) noexcept : table_(table) {}

  void count(std::uint64_t bin, unsigned turn) noexcept { ++table_[bin * Ways + turn % Ways]; }

  /// So many samples at once. One counter of 32 bits or more can hold all samples of a call; those
  /// of 16 bits overflow unless each takes its part (see count_bytes).
  template <unsigned Samples>
  void count_equal(std::uint64_t bin) noexcept {
    constexpr unsigned sharing = sizeof(Counter) > 2 ? 1 : Ways;
    static_assert(Samples % sharing == 0);
    for (unsigned way = 0; way < sharing; ++way) {
      Counter& counter = table_[bin * Ways + way];
      counter = static_cast<Counter>(counter + Samples / sharing);
    }
  }

private:
  Counter* table_;
};

/// Counts samples, and returns the table as it is then. `Unrolled` samples at a time: the end of
/// the loop can take a cycle of its own, which depends on where its code happens to lie. Equal
/// neighbours are counted at once; where a bin has most counters, which helps them too, they are
/// looked for less often.
template <unsigned Unrolled, class Table, class Iterator, class Rule>
Table count_one_by_one(
    Table table, std::uint64_t bins, Iterator first, std::uint64_t n, Rule rule) {
  using difference = typename thrust::iterator_traits<Iterator>::difference_type;
  constexpr unsigned group = 16;  // of samples that may be equal
  static_assert(Unrolled % Table::ways == 0 && group % Unrolled == 0);
  constexpr bool gain_little = Table::ways == worker_tables::most_ways;
  constexpr unsigned skipped = gain_little ? 3 : 0;  // groups, after one whose samples differ
  auto const bin_of = [&](Iterator at) {
    value_t<Iterator> const x = *at;
    return detail::candidate<std::uint64_t>(rule, x);
  };
  auto const count_some = [&](Iterator here) {
    sequential::fetch_ahead(here);
    THRUST_HIST_UNROLL(16)
    for (unsigned j = 0; j < Unrolled; ++j) {
      auto const bin = bin_of(here + static_cast<difference>(j));
      // By g++ -O2, two jumps for each sample otherwise, where a counter may run over.
      bool const has_bin = bin < bins;
      if (gain_little ? has_bin : __builtin_expect(has_bin, 1)) {
        table.count(bin, j);
      }
    }
  };
  std::uint64_t i = 0;
  for (unsigned skip = 0; i + group <= n; i += group) {
    Iterator const here = first + static_cast<difference>(i);
    if (skip > 0) {
      --skip;
    } else if (sequential::all_equal<group, gain_little>(here)) {
      constexpr unsigned lines = (group * sizeof(value_t<Iterator>) + 63) / 64;  // of a cache
      for (unsigned line = 0; line < lines; ++line) {
        sequential::fetch_ahead(here + static_cast<difference>(line * group / lines));
      }
      auto const bin = bin_of(here);
      if (bin < bins) {
        table.template count_equal<group>(bin);
      }
      continue;
    } else {
      skip = skipped;
    }
    for (unsigned k = 0; k < group; k += Unrolled) {
      count_some(here + static_cast<difference>(k));
    }
  }
  for (; i + Unrolled <= n; i += Unrolled) {
    count_some(first + static_cast<difference>(i));
  }
  for (; i < n; ++i) {
    auto const bin = bin_of(first + static_cast<difference>(i));
    if (bin < bins) {
      table.count(bin, 0);
    }
  }
  return table;
}

/// The same; rows of a pitched input one after the other, so that nobody divides for each sample.
template <unsigned Unrolled, class Table, class Iterator, class Rule>
Table count_samples(Table table, std::uint64_t bins, Iterator first, std::uint64_t n, Rule rule) {
  return sequential::count_one_by_one<Unrolled>(table, bins, first, n, rule);
}
template <unsigned Unrolled, class Table, class T, class Rule>
Table count_samples(
    Table table, std::uint64_t bins, pitched_iterator<T> first, std::uint64_t n, Rule rule) {
  constexpr std::size_t worth_a_row = 16;
  if (first.width() < worth_a_row) {
    return sequential::count_one_by_one<Unrolled>(table, bins, first, n, rule);
  }
  while (n > 0) {
    std::size_t const column = static_cast<std::size_t>(first.index()) % first.width();
    std::uint64_t const here = (std::min<std::uint64_t>)(n, first.width() - column);
    table = sequential::count_one_by_one<Unrolled>(table, bins, std::addressof(*first), here, rule);
    first += static_cast<std::ptrdiff_t>(here);
    n -= here;
  }
  return table;
}

}  // namespace sequential
}  // namespace detail
THRUST_HIST_NAMESPACE_END
