// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <thrust_hist/config.h>

#include <cstdint>

/// Random numbers that depend on a counter alone, so that every system and every thread draws the
/// same ones (the mixing steps of SplitMix64, G. L. Steele, D. Lea, C. H. Flood 2014).
THRUST_HIST_HOST_DEVICE inline std::uint64_t random_bits(std::uint64_t counter) {
  std::uint64_t z = (counter + 1) * 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

/// Uniform in (0, 1), a multiple of 2^-54.
THRUST_HIST_HOST_DEVICE inline double random_unit(std::uint64_t counter) {
  return (static_cast<double>(random_bits(counter) >> 11) + 0.5) * (1.0 / 9007199254740992.0);
}
