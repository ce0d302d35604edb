// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// How exact sums of many bins lie in global memory: long accumulators are large, and few bins need one. No CUDA headers;
/// see kernels/rows_of_sums.cuh.

#include <thrust_hist/config.h>

#include <cstddef>
#include <cstdint>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {

/// What kernels know of these sums.
struct alignas(64) sums_header {
  std::uint64_t bins;
  std::uint64_t numbers_offset;
  std::uint64_t rows_offset;
  std::uint32_t taken;  ///< rows; or whether there are any
  bool has_digits;
  bool is_numbered;  ///< rows have numbers as they are taken; else a bin's row has the bin's number
  bool are_cleared;  ///< all rows are, in advance; else each is by who takes it
  bool are_all_taken;  ///< and cleared, where they have no numbers
};

/// First that, then what is cleared: of each bin, digits of what lies near a window, and the number of its row. Then rows: long
/// accumulators, with the bins that have them.
struct sum_rows {
  std::uint64_t bins;
  std::uint64_t rows;  ///< fewer than bins, if no more of these can have values
  unsigned digits;     ///< words of 64 bits for each bin; 0 where there is no window

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
    h.are_cleared = !h.has_digits && h.is_numbered;
    h.are_all_taken = !h.has_digits && !h.is_numbered;
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
