// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// How exact sums of many bins lie in global memory: long accumulators are large, and few bins need
/// one. No CUDA headers; see kernels/rows_of_sums.cuh.

#include <thrust_hist/config.h>

#include <cstddef>
#include <cstdint>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {

enum class sum_rows_are : std::uint32_t {
  taken_and_cleared,  ///< by who needs one
  cleared,            ///< all, in advance
  all_taken           ///< and cleared in advance: those of all bins, which have no numbers
};

/// What kernels know of these sums.
struct alignas(64) sums_header {
  std::uint64_t bins;
  std::uint64_t numbers_offset;
  std::uint64_t rows_offset;
  sum_rows_are rows_are;
  std::uint32_t taken;  ///< rows, or more than there are; or whether there are any
  std::uint32_t rows;   ///< that there are, where they are numbered
  bool has_digits;
  bool is_numbered;  ///< rows are, as they are taken; else a bin's row stands where the bin does
};

/// First that, then what is cleared: of each bin, digits of what lies near a window, and the number
/// of its row. Then rows: long accumulators, with the bins that have them.
struct sum_rows {
  std::uint64_t bins;
  std::uint64_t rows;  ///< less than 2^32 - 2, numbered, or one for each bin
  unsigned digits;     ///< words of 64 bits for each bin; 0 where there is no window

  /// Where no more than so many bins have values.
  static constexpr std::uint64_t rows_for(std::uint64_t bins, std::uint64_t used) noexcept {
    constexpr std::uint64_t being_cleared = 0xffffffff;  // see kernels/rows_of_sums.cuh
    return used < bins && used < being_cleared - 1 ? used : bins;
  }
  /// Whether rows take so much memory that it is worth a look at the values to have fewer: most are
  /// of a few binades, and few bins have others.
  bool are_large(std::size_t sum_bytes) const noexcept {
    constexpr std::size_t much = std::size_t{1} << 28;
    return digits > 0 && rows_bytes(sum_bytes) > much;
  }
  /// Room for twice as many as are expected, and for some that are not.
  sum_rows for_expected(double expected) const noexcept {
    double const wanted = 2 * expected + static_cast<double>(rows / 32);
    bool const are_few = wanted < static_cast<double>(rows / 2);
    return {bins, are_few ? static_cast<std::uint64_t>(wanted) : rows, digits};
  }
  std::size_t cleared_bytes() const noexcept {
    return digits_bytes() + (bins * sizeof(std::uint32_t) + 63) / 64 * 64;
  }
  sums_header header() const noexcept {
    sums_header h = {};
    h.bins = bins;
    h.numbers_offset = sizeof(sums_header) + digits_bytes();
    h.rows_offset = sizeof(sums_header) + cleared_bytes();
    h.has_digits = digits > 0;
    h.is_numbered = rows < bins;
    h.rows = h.is_numbered ? static_cast<std::uint32_t>(rows) : 0;
    h.rows_are = h.has_digits    ? sum_rows_are::taken_and_cleared
                 : h.is_numbered ? sum_rows_are::cleared
                                 : sum_rows_are::all_taken;
    return h;
  }
  /// Of rows with long accumulators of so many bytes.
  std::size_t rows_bytes(std::size_t sum_bytes) const noexcept {
    return rows * (sum_bytes + sizeof(std::uint64_t));
  }
  std::size_t bytes(std::size_t sum_bytes) const noexcept {
    return bins == 0 ? 0 : sizeof(sums_header) + cleared_bytes() + rows_bytes(sum_bytes);
  }

private:
  std::size_t digits_bytes() const noexcept { return bins * digits * sizeof(std::int64_t); }
};

}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
