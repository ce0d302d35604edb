// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Groups of codes that have the same high bits, by which they were sorted. No CUDA headers; tested
/// with g++.

#include <thrust_hist/config.h>

#include <cstddef>
#include <cstdint>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {

/// Those that a block puts in order together.
struct prefix_groups {
  static constexpr unsigned threads = 512;
  static constexpr unsigned of_thread = 8;  ///< codes
  static constexpr unsigned few = 6;        ///< codes of a group that a thread puts in order
  static constexpr unsigned most = 256;     ///< codes of a group
  static constexpr unsigned seen = threads * of_thread;
  static constexpr unsigned tile = seen - most;  ///< in which groups begin

  static constexpr unsigned tiles(std::uint64_t codes) noexcept {
    return static_cast<unsigned>((codes + tile - 1) / tile);
  }
};

/// Those with more codes, which get a block each where one of them is not in order.
struct long_prefix_groups {
  static constexpr unsigned threads = 1024;
  static constexpr unsigned log2_of_most = 12;
  static constexpr unsigned most = 1u << log2_of_most;  ///< codes of a group
  static constexpr std::uint32_t room = 1u << 16;       ///< to list them
  /// Of more than `most` codes a block only asks whether they are in order, if they are so many.
  static constexpr std::uint64_t most_read = std::uint64_t{1} << 18;

  std::uint32_t number;  ///< in order or not
  std::uint32_t fallen;  ///< blocks that saw one which is not
};

/// Whether to put groups of so many codes in order, with so many bytes beside each, takes less than
/// the passes of a sort that this spares, if they are short. Of codes of 4 bytes by themselves it
/// never does.
inline bool pay_by_groups(
    std::size_t code_bytes, std::size_t word_bytes, std::uint64_t codes) noexcept {
  constexpr std::uint64_t least = std::uint64_t{1} << 22;
  std::uint64_t const most = word_bytes == 0 ? 0 : word_bytes > 4 ? 4 * least : 3 * least;
  return codes >= least && (code_bytes > 4 || codes <= most);
}

}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
