// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// A part of a range that one worker has to do.

#include <thrust_hist/config.h>

#include <algorithm>
#include <cstdint>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace sequential {

/// The numbers [begin, end).
struct stretch {
  std::uint64_t begin;
  std::uint64_t end;

  std::uint64_t size() const noexcept { return end - begin; }
  bool has(std::uint64_t i) const noexcept { return i >= begin && i < end; }
};

/// Part `index` of `parts` equal shares of [0, n).
inline stretch share_of(std::uint64_t n, std::uint64_t parts, std::uint64_t index) noexcept {
  auto const begin = [&](std::uint64_t i) { return n / parts * i + (std::min)(i, n % parts); };
  return {begin(index), begin(index + 1)};
}

}  // namespace sequential
}  // namespace detail
THRUST_HIST_NAMESPACE_END
