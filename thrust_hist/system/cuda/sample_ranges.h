// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// How a sample of codes is sorted, between which buckets lie. No CUDA headers; tested with g++.

#include <thrust_hist/config.h>

#include <cstddef>
#include <cstdint>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {

/// Codes are thrown into ranges between codes of a smaller one, of which a block sorts one each.
struct sample_ranges {
  static constexpr std::uint32_t bounds = 1024;  ///< codes of the smaller one
  static constexpr std::uint32_t ranges = bounds / 8;
  static constexpr std::uint32_t counters =
      2 * ranges;  ///< of codes in them, and of those with which they begin
  static constexpr std::uint32_t words_beside = 32;  ///< of a block that sorts a range
  std::uint32_t size;
  std::uint32_t room;  ///< of a range: what it has more is lost

  std::size_t shared_bytes(std::size_t code_bytes) const noexcept {
    return words_beside * sizeof(std::uint32_t) + room * code_bytes;
  }

  /// Of scratch memory, in multiples of 8: the sorted codes, ranges, with which code each begins,
  /// and counters.
  std::size_t bytes(std::size_t code_bytes) const noexcept {
    std::size_t const all =
        (size + std::size_t{ranges} * (room + 1)) * code_bytes + counters * sizeof(std::uint32_t);
    return (all + 7) / 8 * 8;
  }
};
/// A range has 8 codes of the smaller sample on average: one in many thousands has three times the
/// codes that an average one has. So has one with a code that is a hundredth of all; more frequent
/// ones begin a range.
inline sample_ranges plan_sample(std::uint32_t size) noexcept {
  return {size, (size / sample_ranges::ranges * 4 + 16) / 4 * 4};
}

}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
