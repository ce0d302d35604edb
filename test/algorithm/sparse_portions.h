// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Keys of which few are distinct, as they are sorted in two portions.

#include "../support/sparse.h"

#include <cstddef>
#include <cstdint>

namespace test {

// Hash tables have no slots for it.
struct either_bit {
  THRUST_HIST_HOST_DEVICE std::uint32_t operator()(std::uint32_t a, std::uint32_t b) const {
    return a ^ b;
  }
};

THRUST_HIST_HOST_DEVICE inline uint128 spread_key(std::uint64_t i) {
  return uint128{thrust_hist::detail::mix_code(i + 1)} << 64 | thrust_hist::detail::mix_code(i + 7);
}
// Keys by which of the distinct ones each is.
template <class Key, class Which>
samples<Key> spread_keys(std::size_t n, Which which) {
  return samples<Key>(n, [&](std::size_t i) { return static_cast<Key>(spread_key(which(i))); });
}

}  // namespace test
