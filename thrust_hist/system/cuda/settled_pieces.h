// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Sparse histograms on CUDA, route sorted, exact sums: which part of a row is summed by whom,
/// where registers do not hold its sum. No CUDA headers; tested with g++.

#include <thrust_hist/config.h>
#include <thrust_hist/system/cuda/run_tiles.h>

#include <cstddef>
#include <cstdint>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {

struct settled_pieces {
  static constexpr std::uint64_t most_of_thread = 256;  ///< values of a row; others are for warps,
  static constexpr std::uint64_t most_values = 4096;    ///< of which each takes a piece

  /// Of n values, so many pieces and rows of several pieces there may be.
  static constexpr std::uint64_t pieces(std::uint64_t n) noexcept {
    return n / (most_of_thread + 1) + n / most_values + 1;
  }
  static constexpr std::uint64_t sums(std::uint64_t n) noexcept { return n / most_values; }

  static constexpr std::size_t bytes_of_piece = 32;

  /// Where a row begins takes 4 bytes, if there are not too many values for that.
  static constexpr std::uint64_t words_of_begins(std::uint64_t n) noexcept {
    return places_are_short(n) ? n / 2 + 1 : n;
  }
  /// What that takes: where rows begin, and all else. `sum_bytes`: of a long accumulator.
  static constexpr std::size_t bytes(std::uint64_t n, std::size_t sum_bytes) noexcept {
    return 8 * (words_of_begins(n) + listed_tiles.count(n) + 1) + other_bytes(n, sum_bytes);
  }
  /// Sums and their rows, pieces, and marks; whole words of 8 bytes.
  static constexpr std::size_t other_bytes(std::uint64_t n, std::size_t sum_bytes) noexcept {
    return sums(n) * (sum_bytes + 8) + pieces(n) * bytes_of_piece + bytes_of_marks(n);
  }
  /// A byte for each row, and before them three words: how many pieces there are, and sums, and
  /// whether any row is marked.
  static constexpr std::size_t bytes_of_marks(std::uint64_t rows) noexcept {
    return (12 + rows + 7) / 8 * 8;
  }
};

}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
