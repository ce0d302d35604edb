// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// The tables in which one worker counts where bins are many: counters so narrow that more of them
/// stay in a cache, and a list of those that ran over.

#include <thrust_hist/config.h>

#include <cstdint>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace sequential {

/// The memory of one worker: for each bin a counter of 16 bits, of 8 where bins are more; the list
/// of overflows, which has the bin once for each time that its counter ran over; and two words to
/// spare.
class narrow_tables {
public:
  static constexpr std::uint64_t most_bins_of_16_bits = std::uint64_t{1} << 17;

  narrow_tables(std::uint64_t bins, std::uint64_t samples_of_a_worker) noexcept
      : bins_(bins), samples_(samples_of_a_worker) {}

  std::uint64_t bins() const noexcept { return bins_; }
  unsigned bits() const noexcept { return bins_ <= most_bins_of_16_bits ? 16 : 8; }

  // In 64-bit words from the begin of a worker's memory. Every entry of the list is for 2^bits
  // samples.
  std::uint64_t overflows_at() const noexcept { return whole_lines(bins_ * bits() / 64 + 1); }
  std::uint64_t result_at() const noexcept {
    return overflows_at() + whole_lines((samples_ >> bits()) / 2 + 1);
  }
  std::uint64_t words() const noexcept { return result_at() + whole_lines(2); }

private:
  /// No two workers share a cache line, or a pair of them.
  static std::uint64_t whole_lines(std::uint64_t words) noexcept { return (words + 15) / 16 * 16; }

  std::uint64_t bins_;
  std::uint64_t samples_;
};

/// What a worker leaves to the others, in its spare words.
struct narrow_result {
  std::uint64_t overflows;  ///< entries of its list
  std::uint64_t counted;    ///< samples that had a bin
};

}  // namespace sequential
}  // namespace detail
THRUST_HIST_NAMESPACE_END
