// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Equally wide groups of codes, found by a multiplication.

#include <thrust_hist/config.h>

#include <cstdint>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {
#pragma GCC visibility push(hidden)

/// Of codes that lie up to a widest distance above the first one.
template <class Code>
struct code_scale {
  static constexpr unsigned bits = 8 * sizeof(Code);

  unsigned shift;
  std::uint32_t factor;

  __device__ static code_scale of(Code widest, std::uint32_t groups) {
    return {shift_for(widest), factor_for(widest, groups)};
  }
  __device__ std::uint32_t group_of(Code distance) const {
    return __umulhi(static_cast<std::uint32_t>((distance << shift) >> (bits - 32)), factor);
  }

  /// To the left, so that the widest distance has its highest bit set.
  __device__ static unsigned shift_for(Code widest) {
    return static_cast<unsigned>(__clzll(static_cast<long long>(std::uint64_t{widest} | 1))) -
           (64 - bits);
  }
  /// By what the highest 32 bits of a distance are multiplied, so that of as many groups the
  /// highest 32 bits of the product tell which. Where all distances of so many bits occur it is the
  /// number of groups.
  __device__ static std::uint32_t factor_for(Code widest, std::uint32_t groups) {
    auto const high =
        static_cast<std::uint32_t>(((widest | 1) << shift_for(widest)) >> (bits - 16));
    return (groups << 16) / (high + 1);
  }
};

/// The same in a word: of 2^15 groups and less.
template <class Code>
class packed_scale {
public:
  packed_scale() = default;
  __device__ explicit packed_scale(code_scale<Code> const& scale)
      : word_(scale.factor << 8 | scale.shift) {}
  __device__ std::uint32_t group_of(Code distance) const {
    return code_scale<Code>{word_ & 0xff, word_ >> 8}.group_of(distance);
  }

private:
  std::uint32_t word_;
};

#pragma GCC visibility pop
}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
