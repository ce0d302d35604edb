// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Coordinates of joint histograms, in an array each.

#include "../support/checks.h"

#include <thrust/iterator/zip_iterator.h>
#include <thrust/tuple.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

namespace test {

// Anything, of 32 bits.
inline std::uint64_t any_word(std::uint64_t i) {
  return (i + 1) * 0x9e3779b97f4a7c15U >> 32;
}

// Inside of [0, 1), on its ends, beyond, and no number.
template <class Real>
samples<Real> coordinates(std::size_t n, unsigned salt) {
  constexpr Real infinity = std::numeric_limits<Real>::infinity();
  const std::vector<Real> odd = {
      0,
      -Real{0},
      1,
      std::nextafter(Real{1}, Real{0}),
      std::nextafter(Real{0}, Real{-1}),
      infinity,
      -infinity,
      std::numeric_limits<Real>::quiet_NaN(),
      -1,
      2};
  return samples<Real>(n, [&](std::size_t i) {
    const std::uint64_t random = any_word(i * 3 + salt);
    return random % 13 == 0 ? odd[random / 13 % odd.size()]
                            : static_cast<Real>(random / 16 % 100000) / 100000;
  });
}

template <class... Pointers>
auto zipped(Pointers... columns) {
  return thrust::make_zip_iterator(thrust::make_tuple(columns...));
}

}  // namespace test
