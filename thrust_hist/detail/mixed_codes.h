// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Codes of keys with their bits mixed, so that any bits of them are as good as random: the
/// finalisers of MurmurHash3 (A. Appleby 2011), which have inverses. Two codes that differ stay
/// different, and no code is lost.

#include <thrust_hist/config.h>

#include <cstdint>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {

/// The number by which to multiply to undo a multiplication by an odd one (Newton's iteration).
template <class Code>
THRUST_HIST_HOST_DEVICE constexpr Code inverse_of(Code odd) noexcept {
  Code inverse = odd;  // right in the lowest 3 bits, and in twice as many after each step
  for (int bits = 3; bits < 64; bits *= 2) {
    inverse *= 2 - odd * inverse;
  }
  return inverse;
}

THRUST_HIST_HOST_DEVICE inline std::uint32_t mix_code(std::uint32_t x) noexcept {
  x ^= x >> 16;
  x *= 0x85ebca6bU;
  x ^= x >> 13;
  x *= 0xc2b2ae35U;
  return x ^ (x >> 16);
}
THRUST_HIST_HOST_DEVICE inline std::uint32_t unmix_code(std::uint32_t x) noexcept {
  constexpr std::uint32_t second = inverse_of(0xc2b2ae35U);
  constexpr std::uint32_t first = inverse_of(0x85ebca6bU);
  x ^= x >> 16;
  x *= second;
  x ^= (x >> 13) ^ (x >> 26);
  x *= first;
  return x ^ (x >> 16);
}

THRUST_HIST_HOST_DEVICE inline std::uint64_t mix_code(std::uint64_t x) noexcept {
  x ^= x >> 33;
  x *= 0xff51afd7ed558ccdU;
  x ^= x >> 33;
  x *= 0xc4ceb9fe1a85ec53U;
  return x ^ (x >> 33);
}
THRUST_HIST_HOST_DEVICE inline std::uint64_t unmix_code(std::uint64_t x) noexcept {
  constexpr std::uint64_t second = inverse_of(std::uint64_t{0xc4ceb9fe1a85ec53U});
  constexpr std::uint64_t first = inverse_of(std::uint64_t{0xff51afd7ed558ccdU});
  x ^= x >> 33;
  x *= second;
  x ^= x >> 33;
  x *= first;
  return x ^ (x >> 33);
}

}  // namespace detail
THRUST_HIST_NAMESPACE_END
