// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// By which bits numbers are sorted. No CUDA headers; tested with g++.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/ieee.h>

#include <cstddef>
#include <cstdint>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {

struct bit_range {
  int first;
  int end;

  /// CUB's: eight bits each.
  constexpr int passes() const noexcept { return (end - first + 7) / 8; }
};

/// Parts of numbers, from the lowest one on, by which they are sorted one after the other.
struct bit_parts {
  static constexpr int most = 8;
  bit_range parts[most];
  int size;

  /// Each part but one begins with a reading of all numbers, which takes about as long as another
  /// pass.
  constexpr int passes() const noexcept {
    int passes = size - 1;
    for (int i = 0; i < size; ++i) {
      passes += parts[i].passes();
    }
    return passes;
  }
  constexpr bit_range all() const noexcept { return {parts[0].first, parts[size - 1].end}; }
};

/// Those that have all bits in which numbers differ, of which there is one at least. Bits between
/// that do not, as between two numbers that make a key, are left out where that spares passes.
constexpr bit_parts parts_that_differ(uint128 differing) noexcept {
  bit_parts found = {};
  for (int bit = 0; bit < 128; ++bit) {
    if ((differing >> bit & 1) == 0) {
      continue;
    }
    bool const is_first = found.size == 0;
    // So many spare two passes at least, and another part takes about one.
    if (is_first || (bit - found.parts[found.size - 1].end >= 24 && found.size < bit_parts::most)) {
      found.parts[found.size] = {bit, bit};
      ++found.size;
    }
    found.parts[found.size - 1].end = bit + 1;
  }
  return found;
}

/// How many bits it takes to write a number, and so many more, in passes of 8, as CUB sorts.
constexpr int bits_in_passes(std::uint64_t number, int of_each, int more) noexcept {
  int bits = more;
  for (; number > 0; number /= 2) {
    bits += of_each;
  }
  return (bits + 7) / 8 * 8;
}
/// So many high bits, in passes of 8, leave random codes in groups of two on average, or of less,
/// which are put in order in less than another pass.
constexpr int bits_of_groups(std::size_t code_bytes, std::uint64_t codes) noexcept {
  int const bits = bits_in_passes((codes - 1) / 2, 1, 0);
  return bits < 8 * static_cast<int>(code_bytes) ? bits : 8 * static_cast<int>(code_bytes);
}
/// So many bits tell so many random codes apart, but for one pair in some thousands.
constexpr int high_bits_for(std::uint64_t codes) noexcept {
  return bits_in_passes(codes, 1, 13);
}
/// So many tell all of them apart, but for one time in some hundreds: codes that come so often that
/// two which are not told apart would make a long group.
constexpr int high_bits_for_often(std::uint64_t codes) noexcept {
  return bits_in_passes(codes, 2, 8);
}

}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
