// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "element_type.h"

#include <fmt/format.h>
#include <langinfo.h>
#include <unistd.h>

#include <algorithm>
#include <clocale>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

/// One row of the table, one bar of the chart.
struct bar {
  std::string label;
  std::uint64_t count;
};

inline std::uint64_t largest_count(std::vector<bar> const& bars) {
  std::uint64_t largest = 1;  // so that one may divide by it
  for (auto const& b : bars) {
    largest = std::max(largest, b.count);
  }
  return largest;
}

/// 1234567 as 1,234,567.
inline std::string with_commas(std::uint64_t value) {
  std::string digits = std::to_string(value);
  for (auto at = static_cast<int>(digits.size()) - 3; at > 0; at -= 3) {
    digits.insert(static_cast<std::size_t>(at), ",");
  }
  return digits;
}

/// Whether the terminal shows block characters.
inline bool shows_unicode() {
  std::setlocale(LC_CTYPE, "");
  return std::string(nl_langinfo(CODESET)) == "UTF-8";
}

/// A bar of `eighths` eighths of a character.
inline std::string draw_bar(std::uint64_t eighths, bool unicode) {
  static char const* const parts[] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
  if (!unicode) {
    return std::string((eighths + 4) / 8, '#');
  }
  std::string drawn;
  for (std::uint64_t i = 0; i < eighths / 8; ++i) {
    drawn += "█";
  }
  return drawn + parts[eighths % 8];
}

inline int terminal_width() {
  char const* const columns = std::getenv("COLUMNS");
  int const width = columns == nullptr ? 0 : std::atoi(columns);
  return width >= 60 ? std::min(width, 200) : 80;
}

/// The table with its bars, `total` being 100 %.
inline void print_bars(std::vector<bar> const& bars, std::uint64_t total) {
  std::size_t label_width = 3, count_width = 5;
  for (auto const& b : bars) {
    label_width = std::max(label_width, b.label.size());
    count_width = std::max(count_width, with_commas(b.count).size());
  }
  auto const used = label_width + count_width + 14;
  auto const width = static_cast<std::size_t>(terminal_width());
  double const eighths = 8.0 * static_cast<double>(width > used + 10 ? width - used : 10);
  auto const scale = eighths / static_cast<double>(largest_count(bars));
  bool const unicode = shows_unicode();
  fmt::print("{:>{}}  {:>{}}  {:>8}\n", "bin", label_width, "count", count_width, "share");
  for (auto const& b : bars) {
    auto const length = static_cast<std::uint64_t>(static_cast<double>(b.count) * scale + 0.5);
    double const share = 100.0 * static_cast<double>(b.count) / static_cast<double>(total);
    fmt::print(
        "{:>{}}  {:>{}}  {:>6.2f} %  {}\n", b.label, label_width, with_commas(b.count), count_width,
        share, draw_bar(length, unicode));
  }
}

inline std::string escaped(std::string const& text) {
  std::string safe;
  for (char const c : text) {
    switch (c) {
    case '&':
      safe += "&amp;";
      break;
    case '<':
      safe += "&lt;";
      break;
    case '>':
      safe += "&gt;";
      break;
    default:
      safe += c;
    }
  }
  return safe;
}

/// The same bars, standing, as a picture.
inline void write_svg(
    std::string const& path, std::string const& title, std::vector<bar> const& bars) {
  double const width = 900, height = 420, left = 90, top = 50, floor = height - 70;
  double const step = (width - left - 20) / static_cast<double>(bars.size());
  double const scale = (floor - top) / static_cast<double>(largest_count(bars));
  std::string svg = fmt::format(
      "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {0} {1}' font-family='sans-serif' "
      "font-size='12'>\n<rect width='{0}' height='{1}' fill='white'/>\n"
      "<text x='{2}' y='28' font-size='16'>{3}</text>\n"
      "<text x='{4}' y='{5}' text-anchor='end'>{6}</text>\n"
      "<path d='M{2} {7}V{8}H{9}' fill='none' stroke='black'/>\n",
      width, height, left, escaped(title), left - 8, top + 4, with_commas(largest_count(bars)), top,
      floor, width - 20);
  auto const every = std::max<std::size_t>(1, (bars.size() + 29) / 30);  // 30 labels at most
  for (std::size_t i = 0; i < bars.size(); ++i) {
    double const x = left + step * static_cast<double>(i);
    double const bar_height = scale * static_cast<double>(bars[i].count);
    svg += fmt::format(
        "<rect x='{:.2f}' y='{:.2f}' width='{:.2f}' height='{:.2f}' fill='#4a7db5'>"
        "<title>{}: {}</title></rect>\n",
        x, floor - bar_height, step * 0.92, bar_height, escaped(bars[i].label),
        with_commas(bars[i].count));
    if (i % every == 0) {
      svg += fmt::format(
          "<text transform='translate({:.2f} {}) rotate(-45)' text-anchor='end'>{}</text>\n",
          x + step / 2, floor + 14, escaped(bars[i].label));
    }
  }
  std::ofstream file(path, std::ios::binary);
  file << svg << "</svg>\n";
  if (!file.flush()) {
    throw input_error(path + " cannot be written");
  }
}

/// "45 % of ..." on a terminal, nothing in a log.
class progress {
public:
  progress(std::string what, std::uint64_t total)
      : what_(std::move(what)), total_(total), shown_(isatty(STDERR_FILENO) != 0) {}
  ~progress() {
    if (shown_) {
      fmt::print(stderr, "\r\033[K");
    }
  }
  progress(progress const&) = delete;
  progress& operator=(progress const&) = delete;

  void add(std::uint64_t done) {
    done_ += done;
    if (shown_) {
      double const percent = 100.0 * static_cast<double>(done_) / static_cast<double>(total_);
      fmt::print(stderr, "\r\033[K{}: {:.0f} %", what_, percent);
    }
  }

private:
  std::string what_;
  std::uint64_t total_, done_ = 0;
  bool shown_;
};
