// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "bar_chart.h"
#include "counter.h"
#include <thrust_hist/bins.h>

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

// How histogram_file names and shows what it counted.

inline std::string name_of_byte(std::size_t byte) {
  bool const printable = byte > ' ' && byte < 0x7f;
  return printable      ? fmt::format("'{}' 0x{:02x}", static_cast<char>(byte), byte)
         : byte == ' '  ? "space 0x20"
         : byte == '\n' ? "newline 0x0a"
         : byte == '\t' ? "tab 0x09"
                        : fmt::format("0x{:02x}", byte);
}

inline std::vector<bar> bars_of_numbers(
    job const& wanted, std::vector<std::uint64_t> const& counts, std::size_t rows) {
  std::vector<bar> bars;
  auto const label = [&](auto lower, auto upper) {
    thrust_hist::even_bins const rule(
        wanted.bins, lower, upper, thrust_hist::upper_edge::inclusive);
    std::size_t const merged = (counts.size() + rows - 1) / rows;  // bins in a row of the table
    for (std::size_t i = 0; i < counts.size(); i += merged) {
      std::size_t const end = std::min(i + merged, counts.size());
      bool const closed = wanted.upper_included && end == counts.size();
      bars.push_back(
          {fmt::format(
               "[{:.6g}, {:.6g}{}", rule.edge(static_cast<std::int64_t>(i)),
               rule.edge(static_cast<std::int64_t>(end)), closed ? ']' : ')'),
           std::accumulate(counts.begin() + i, counts.begin() + end, std::uint64_t{0})});
    }
  };
  visit(wanted.type, [&](auto element) {
    using level = wide<decltype(element)>;
    label(std::get<level>(wanted.lower), std::get<level>(wanted.upper));
  });
  return bars;
}

inline std::vector<bar> make_bars(
    job const& wanted, std::vector<std::uint64_t> const& counts, std::size_t rows) {
  if (wanted.counted == subject::numbers) {
    return bars_of_numbers(wanted, counts, rows);
  }
  std::vector<bar> bars;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    bool const letters = wanted.counted == subject::letters;
    bars.push_back(
        {letters ? std::string(1, static_cast<char>('a' + i)) : name_of_byte(i), counts[i]});
  }
  return bars;
}

// The table: of bytes the most frequent ones.
inline void print_table(
    job const& wanted, std::vector<std::uint64_t> const& counts, std::size_t rows,
    std::uint64_t total) {
  auto bars = make_bars(wanted, counts, rows);
  std::size_t hidden = 0;
  if (wanted.counted == subject::bytes) {
    std::stable_sort(bars.begin(), bars.end(), [](auto& a, auto& b) { return a.count > b.count; });
    while (!bars.empty() && bars.back().count == 0) {
      bars.pop_back();
    }
    hidden = bars.size() - std::min(bars.size(), rows);
    bars.resize(bars.size() - hidden);
  }
  print_bars(bars, total);
  if (hidden != 0) {
    fmt::print("and {} rarer bytes (histogram_file --rows N shows more)\n", hidden);
  }
}

inline std::string duration(double seconds) {
  return seconds < 1e-3 ? fmt::format("{:.3g} us", seconds * 1e6)
         : seconds < 1  ? fmt::format("{:.3g} ms", seconds * 1e3)
                        : fmt::format("{:.3g} s", seconds);
}

inline std::string rate(double per_second) {
  return per_second < 1e9 ? fmt::format("{:.3g} million keys per second", per_second / 1e6)
                          : fmt::format("{:.4g} billion keys per second", per_second / 1e9);
}
