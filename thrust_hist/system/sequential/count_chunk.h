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
#include <thrust_hist/system/sequential/count_samples.h>
#include <thrust_hist/system/sequential/worker_tables.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace sequential {

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
    sequential::count_samples<unrolled>(
        counters_in_turn<std::uint16_t, ways>(values), 256, first + static_cast<difference>(done),
        (std::min)(n - done, below_overflow), byte_value<sample>{});
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
  auto const count = [&](auto counters) {
    constexpr unsigned unrolled = counters.ways == 1 ? 4 : 8;
    sequential::count_samples<unrolled>(counters, layout.bins(), first, n, bound);
  };
  switch (layout.ways()) {
  case 1:
    return count(counters_in_turn<Counter, 1>(table));
  case 2:
    return count(counters_in_turn<Counter, 2>(table));
  default:
    return count(counters_in_turn<Counter, worker_tables::most_ways>(table));
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
