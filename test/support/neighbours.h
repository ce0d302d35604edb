// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Keys that lie side by side.

#include "checks.h"

#include <cstddef>
#include <cstdint>

namespace test {

inline std::uint64_t mixed(std::uint64_t i) {
  const std::uint64_t x = (i + 1) * 0x9e3779b97f4a7c15U;
  return x ^ x >> 29;
}

// So many keys of `wide` neighbours from `first` on, in no order.
template <class Key>
samples<Key> neighbours(std::size_t n, Key first, std::uint64_t wide) {
  return samples<Key>(n, [=](std::size_t i) {
    return static_cast<Key>(first + static_cast<Key>(mixed(i) % wide));
  });
}

}  // namespace test
