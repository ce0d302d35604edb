// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// The brick of all host systems: count a chunk of samples into the table of one worker.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/bin_index.h>
#include <thrust_hist/detail/candidate.h>
#include <thrust_hist/detail/iterator_types.h>
#include <thrust_hist/detail/rule.h>
#include <thrust_hist/system/sequential/equal_neighbours.h>
#include <thrust_hist/system/sequential/fetch_ahead.h>
#include <thrust_hist/system/sequential/worker_tables.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace sequential {

/// Counts samples; those of a bin go to its `Ways` counters in turn. `Unrolled` samples at a time: the
/// end of the loop can take a cycle of its own, which depends on where its code happens to lie. Equal neighbours are
/// counted at once; where a bin has most counters, which helps them too, they are looked for less often.
template <unsigned Ways, unsigned Unrolled, class Counter, class Iterator, class Rule>
void count_in_turn(Counter* table, std::uint64_t bins, Iterator first, std::uint64_t n, Rule rule) {
  using difference = typename thrust::iterator_traits<Iterator>::difference_type;
  constexpr unsigned group = 16;  // of samples that may be equal
  static_assert(Unrolled % Ways == 0 && group % Unrolled == 0);
  constexpr bool gain_little = Ways == worker_tables::most_ways;
  constexpr unsigned skipped = gain_little ? 3 : 0;  // groups, after one whose samples differ
  // How many counters share a group of equal samples. One of 32 bits or more can hold all samples of
  // the call; those of 16 bits overflow unless each takes its part (see count_bytes).
  constexpr unsigned sharing = sizeof(Counter) > 2 ? 1 : Ways;
  auto const bin_of = [&](Iterator at) {
    value_t<Iterator> const x = *at;
    return detail::candidate<std::uint64_t>(rule, x);
  };
  auto const count_some = [&](Iterator here) {
    sequential::fetch_ahead(here);
#if !defined(__CUDACC__)  // which knows no such pragma; g++ -O2 does not unroll by itself
#  pragma GCC unroll 16
#endif
    for (unsigned j = 0; j < Unrolled; ++j) {
      auto const bin = bin_of(here + static_cast<difference>(j));
      if (bin < bins) {
        ++table[bin * Ways + j % Ways];
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
      for (unsigned way = 0; way < sharing && bin < bins; ++way) {
        table[bin * Ways + way] = static_cast<Counter>(table[bin * Ways + way] + group / sharing);
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
      ++table[bin * Ways];
    }
  }
}

/// All 256 values of a 1-byte sample are counted as they are; the rule speaks once for each.
template <class Sample>
struct byte_value {
  THRUST_HIST_HOST_DEVICE bin_index operator()(Sample x) const noexcept {
    return detail::bit_cast<unsigned char>(x);
  }
};

/// Counters of 16 bits make a table of few cache lines, which stores reach faster.
template <class Counter, class Iterator, class Rule>
void count_bytes(
    Counter* table, worker_tables layout, Iterator first, std::uint64_t n, Rule const& rule) {
  using difference = typename thrust::iterator_traits<Iterator>::difference_type;
  using sample = value_t<Iterator>;
  constexpr unsigned ways = worker_tables::most_ways;
  constexpr unsigned unrolled = 16;
  constexpr std::uint64_t below_overflow = ways * std::uint64_t{65535 - unrolled};
  std::uint64_t totals[256] = {};
  for (std::uint64_t done = 0; done < n; done += below_overflow) {
    std::uint16_t values[ways * 256] = {};
    sequential::count_in_turn<ways, unrolled>(
        values, 256, first + static_cast<difference>(done), (std::min)(n - done, below_overflow),
        byte_value<sample>{});
    for (unsigned i = 0; i < ways * 256; ++i) {
      totals[i / ways] += values[i];
    }
  }
  for (unsigned value = 0; value < 256; ++value) {
    if (totals[value] == 0) {  // a user's rule need not know values that do not occur
      continue;
    }
    auto const bin = detail::candidate<std::uint64_t>(
        rule, detail::bit_cast<sample>(static_cast<unsigned char>(value)));
    if (bin < layout.bins()) {
      table[bin * layout.ways()] += static_cast<Counter>(totals[value]);
    }
  }
}

/// Adds the counts of a chunk to a table.
template <class Counter, class Iterator, class Rule>
void count_into(
    Counter* table, worker_tables layout, Iterator first, std::uint64_t n, Rule const& rule) {
  using sample = value_t<Iterator>;
  auto const bound = detail::bind_rule<sample, bin_index>(rule);
  if constexpr (counts_by_value<sample>) {
    if (n >= 1024) {  // fewer samples than that are not worth the visit of all values
      sequential::count_bytes(table, layout, first, n, bound);
      return;
    }
  }
  switch (layout.ways()) {
  case 1:
    return sequential::count_in_turn<1, 4>(table, layout.bins(), first, n, bound);
  case 2:
    return sequential::count_in_turn<2, 8>(table, layout.bins(), first, n, bound);
  default:
    return sequential::count_in_turn<worker_tables::most_ways, 8>(
        table, layout.bins(), first, n, bound);
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
