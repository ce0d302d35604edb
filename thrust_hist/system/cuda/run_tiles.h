// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Tiles of sorted codes, of which each block makes rows: one for each run. No CUDA headers; tested with g++.

#include <thrust_hist/config.h>

#include <algorithm>
#include <cstdint>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {

struct run_tiles {
  static constexpr unsigned threads = 256;
  static constexpr unsigned most_rounds = 16;
  static constexpr std::uint64_t few_states = std::uint64_t{1} << 19;
  static constexpr std::uint64_t some_states = std::uint64_t{1} << 21;

  unsigned rounds;  ///< codes of a thread

  /// Few states are folded soonest by many blocks; where tiles are many, they wait for those before them.
  static run_tiles of(std::uint64_t codes, bool have_states) noexcept {
    return {!have_states || codes > some_states ? most_rounds : codes > few_states ? 8u : 4u};
  }
  std::uint64_t count(std::uint64_t codes) const noexcept {
    return (codes + threads * rounds - 1) / (threads * rounds);
  }
  /// Of so many codes or less.
  static std::uint64_t most(std::uint64_t codes, bool have_states) noexcept {
    auto const with = [&](std::uint64_t n) { return of(n, have_states).count(n); };
    return (std::max)(
        {with(codes), with((std::min)(codes, some_states)), with((std::min)(codes, few_states))});
  }
};

}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
