// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Keys whose number of bins is discovered, and their bins.

#include "distributions.h"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace test {

// The bins of keys, the last one that of the largest.
template <class Key>
std::vector<std::uint64_t> bins_of(std::vector<Key> const& keys) {
  std::vector<std::uint64_t> bins;
  for (Key key : keys) {
    const auto bin = static_cast<std::uint64_t>(key);
    if (bin > static_cast<std::uint64_t>(std::numeric_limits<Key>::max()))  // a negative key
      continue;
    if (bins.size() <= bin)
      bins.resize(bin + 1);
    ++bins[bin];
  }
  return bins;
}

// n keys below `bound`; with `negative`, a seventh of them are.
template <class Key>
std::vector<Key> keys_below(std::size_t n, std::uint64_t bound, bool negative = false) {
  random rng(n + bound);
  std::vector<Key> keys(n);
  for (Key& key : keys) {
    key = static_cast<Key>(rng() % bound);
    if (negative && rng() % 7 == 0)
      key = static_cast<Key>(~key);
  }
  return keys;
}

}  // namespace test
