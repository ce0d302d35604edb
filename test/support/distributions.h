// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Keys as they come in life, and as they hurt: every generator gives n keys below `distinct`.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

namespace test {

using keys = std::vector<std::uint64_t>;
using random = std::mt19937_64;

enum class distribution {
  constant,
  two_alternating,
  uniform,
  zipf,
  sorted,
  reversed,
  runs,
  mostly_one,
  moving_hot_keys,
  skewed_tail
};

inline constexpr distribution all_distributions[] = {
    distribution::constant,   distribution::two_alternating, distribution::uniform,
    distribution::zipf,       distribution::sorted,          distribution::reversed,
    distribution::runs,       distribution::mostly_one,      distribution::moving_hot_keys,
    distribution::skewed_tail};

inline char const* name_of(distribution d) {
  constexpr char const* names[] = {"constant",        "two alternating", "uniform", "zipf",
                                   "sorted",          "reversed",        "runs",    "mostly one",
                                   "moving hot keys", "skewed tail"};
  return names[static_cast<int>(d)];
}

inline std::uint64_t below_limit(random& rng, std::uint64_t limit) {
  return limit == 0 ? 0 : rng() % limit;
}

// Zipf's law by rejection inversion would be exact; a power of a uniform number has the same head
// and tail and is all that a histogram notices. The hot ranks are spread over the range of keys.
inline std::uint64_t zipf_key(random& rng, std::uint64_t distinct) {
  const double u = static_cast<double>(rng() >> 11) * 0x1p-53;
  const auto rank = static_cast<std::uint64_t>(std::pow(static_cast<double>(distinct), u)) - 1;
  return (rank * 0x9e3779b97f4a7c15u) % distinct;
}

inline keys generate(
    distribution d, std::size_t n, std::uint64_t distinct, std::uint64_t seed = 1) {
  random rng(seed);
  keys k(n);
  const std::uint64_t hot = below_limit(rng, distinct), other = below_limit(rng, distinct);
  std::uint64_t run_key = 0;
  std::size_t run_left = 0;
  for (std::size_t i = 0; i < n; ++i)
    switch (d) {
    case distribution::constant:
      k[i] = hot;
      break;
    case distribution::two_alternating:
      k[i] = i % 2 == 0 ? hot : (hot == other ? (hot + 1) % distinct : other);
      break;
    case distribution::zipf:
      k[i] = zipf_key(rng, distinct);
      break;
    case distribution::runs:
      if (run_left-- == 0) {
        run_key = below_limit(rng, distinct);
        run_left = below_limit(rng, 300);
      }
      k[i] = run_key;
      break;
    case distribution::mostly_one:
      k[i] = rng() % 10 != 0 ? hot : below_limit(rng, distinct);
      break;
    case distribution::moving_hot_keys:  // a few hot keys, others after every eighth of the input
    {
      const std::uint64_t era = i * 8 / n;
      k[i] = rng() % 8 != 0 ? (hot + era * 7 + rng() % 3) % distinct : below_limit(rng, distinct);
      break;
    }
    case distribution::skewed_tail:
      k[i] = i < n - n / 4 ? below_limit(rng, distinct) : hot;
      break;
    default:
      k[i] = below_limit(rng, distinct);
    }
  if (d == distribution::sorted)
    std::sort(k.begin(), k.end());
  if (d == distribution::reversed)
    std::sort(k.rbegin(), k.rend());
  return k;
}

}  // namespace test
