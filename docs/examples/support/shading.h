// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

/// Counts of a grid of bins, row by row, from the top.
struct count_picture {
  std::size_t width, height;
  std::vector<std::uint32_t> counts;

  // Black to white in 0..1 on a logarithmic scale: counts of a density span many decades.
  double brightness(std::uint64_t count, std::uint64_t most) const {
    return std::log1p(static_cast<double>(count)) / std::log1p(static_cast<double>(most));
  }
};

/// The picture as text, `columns` wide; a character of a terminal is about twice as high as wide.
inline void print_shaded(count_picture const& picture, std::size_t columns) {
  static char const shades[] = " .:-=+*#%@";
  std::size_t const rows = columns * picture.height / picture.width / 2;
  std::vector<std::uint64_t> coarse(rows * columns);
  for (std::size_t y = 0; y < picture.height; ++y) {
    for (std::size_t x = 0; x < picture.width; ++x) {
      std::size_t const cell = y * rows / picture.height * columns + x * columns / picture.width;
      coarse[cell] += picture.counts[y * picture.width + x];
    }
  }
  std::uint64_t const most = *std::max_element(coarse.begin(), coarse.end());
  for (std::size_t row = 0; row < rows; ++row) {
    std::string line;
    for (std::size_t column = 0; column < columns; ++column) {
      double const shade = 9 * picture.brightness(coarse[row * columns + column], most);
      line += shades[static_cast<int>(shade + 0.5)];
    }
    std::printf("%s\n", line.c_str());
  }
}

/// The picture as a file that most viewers show.
inline void write_pgm(std::string const& path, count_picture const& picture) {
  auto const most = *std::max_element(picture.counts.begin(), picture.counts.end());
  std::ofstream file(path, std::ios::binary);
  file << "P5\n" << picture.width << " " << picture.height << "\n255\n";
  for (auto const count : picture.counts) {
    file.put(static_cast<char>(std::lround(255 * picture.brightness(count, most))));
  }
  if (!file.flush()) {
    throw std::runtime_error(path + " cannot be written");
  }
}

/// A histogram as columns of '#', `columns` wide and `rows` high.
inline void print_columns(
    std::vector<std::uint32_t> const& counts, std::size_t columns, std::size_t rows) {
  std::vector<std::uint64_t> sums(columns);
  for (std::size_t i = 0; i < counts.size(); ++i) {
    sums[i * columns / counts.size()] += counts[i];
  }
  std::uint64_t const most =
      std::max<std::uint64_t>(1, *std::max_element(sums.begin(), sums.end()));
  for (std::size_t row = rows; row > 0; --row) {
    std::string line;
    for (auto const sum : sums) {
      line += sum * rows >= row * most ? '#' : 2 * sum * rows >= (2 * row - 1) * most ? '.' : ' ';
    }
    std::printf("|%s|\n", line.c_str());
  }
}
