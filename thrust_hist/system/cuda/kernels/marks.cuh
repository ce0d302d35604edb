// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Bits of words, each of which says whether a place is taken.

#include <thrust_hist/config.h>

#include <cstdint>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {
#pragma GCC visibility push(hidden)

/// As many low bits as x has beyond a multiple of 32.
__device__ inline std::uint32_t low_bits(std::uint32_t x) {
  std::uint32_t bits;
  asm("bmsk.wrap.b32 %0, 0, %1;" : "=r"(bits) : "r"(x));
  return bits;
}

/// The place of the i-th one among the bits that are set in two words, or any place where there are
/// less.
__device__ inline std::uint32_t place_of_mark(uint2 words, std::uint32_t i) {
  std::uint32_t const in_low = __popc(words.x);
  bool const is_high = i >= in_low;
  std::uint32_t const word = is_high ? words.y : words.x;
  std::uint32_t left = is_high ? i - in_low : i;
  std::uint32_t place = 0;
#pragma unroll
  for (unsigned step = 16; step > 0; step /= 2) {
    std::uint32_t const here = __popc(word >> place & ((1u << step) - 1));
    bool const is_behind = left >= here;
    left -= is_behind ? here : 0;
    place += is_behind ? step : 0;
  }
  return place + (is_high ? 32 : 0);
}

#pragma GCC visibility pop
}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
