// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// How many keys, of how many kinds, in which order; and keys that collide. On any system.

#include "../support/sparse.h"
#include <thrust_hist/sparse_histogram.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace test {

// Some order of keys for the reference, which the library may not know.
struct by_last_digit_first {
  THRUST_HIST_HOST_DEVICE bool operator()(std::uint64_t a, std::uint64_t b) const {
    return a % 10 != b % 10 ? a % 10 < b % 10 : a < b;
  }
};
struct same_number {
  THRUST_HIST_HOST_DEVICE bool operator()(std::uint64_t a, std::uint64_t b) const { return a == b; }
};
struct poor_hash {
  std::uint64_t kinds;
  THRUST_HIST_HOST_DEVICE std::uint64_t operator()(std::uint64_t key) const { return key % kinds; }
};
using poor_keys = thrust_hist::key_operators<poor_hash, same_number, by_last_digit_first>;

template <class System>
void check_poor_hash(samples<std::uint64_t> const& keys, std::uint64_t kinds) {
  const std::vector<int> ones(keys.size(), 1);
  const auto expected = reduce_sorted<unsigned>(keys, ones, by_last_digit_first{}, by_plus{});
  const poor_keys operators = {{kinds}, {}, {}};
  check_sparse<System>(
      keys, keys, expected, [&](auto first, auto last, auto, auto to, auto counts, auto const& o) {
        return thrust_hist::sparse_histogram(
            System::policy(), first, last, to, counts, operators, o);
      });
}

// Keys that all have their hash in common.
template <class System>
void check_keys_that_collide() {
  for (std::size_t n : {1000, 70000})
    for (std::uint64_t kinds : {1, 50}) {
      const samples<std::uint64_t> distinct(n, [](std::size_t i) { return i * 7; });
      check_poor_hash<System>(distinct, kinds);
      const samples<std::uint64_t> some(n, [](std::size_t i) { return i * i % 700; });
      check_poor_hash<System>(some, kinds);
    }
}

// Keys from a list, spread over all values of the type.
template <class System, class Key = std::uint64_t>
void check_spread(keys const& list) {
  const samples<Key> spread(
      list.size(), [&](std::size_t i) { return static_cast<Key>(list[i] * 0x9e3779b97f4a7c15U); });
  check_sparse_counts<System>(spread, count_sorted<unsigned>(spread));
}

// Keys that `make` gives, as they are.
template <class System, class Key, class Make>
void check_made(std::size_t n, Make make) {
  const samples<Key> keys(n, make);
  check_sparse_counts<System>(keys, count_sorted<unsigned>(keys));
}

// Each length once as a run of equal keys, in this order once sorted; the keys come in another
// order.
template <class Key>
samples<Key> keys_of_runs(std::vector<std::size_t> const& lengths) {
  std::vector<Key> sorted;
  for (std::size_t r = 0; r < lengths.size(); ++r)
    sorted.insert(sorted.end(), lengths[r], static_cast<Key>(r * 0x10001));
  const std::size_t n = sorted.size();
  BOOST_REQUIRE(n % 7919 != 0);  // so that each comes once
  return samples<Key>(n, [&](std::size_t i) { return sorted[i * 7919 % n]; });
}
template <class System, class Key>
void check_counted_runs(std::vector<std::size_t> const& lengths) {
  const auto keys = keys_of_runs<Key>(lengths);
  check_sparse_counts<System>(keys, count_sorted<unsigned>(keys));
}
template <class System>
void check_runs(std::vector<std::size_t> const& lengths) {
  check_counted_runs<System, std::uint32_t>(lengths);
  const auto keys = keys_of_runs<std::uint32_t>(lengths);
  const std::size_t n = keys.size();
  const samples<std::uint32_t> values(n, [](std::size_t i) { return i * 2654435761U; });
  check_sparse<System>(
      keys, values, reduce_sorted<std::uint32_t>(keys, values, by_less{}, by_plus{}),
      [](auto first, auto last, auto with, auto to, auto out, auto const& o) {
        return thrust_hist::sparse_histogram_by_key(
            System::policy(), first, last, with, to, out, o);
      });
}

// The key that detail::mix_code, which hashes numbers, makes that hash of.
inline std::uint64_t key_of_hash(std::uint64_t x) {
  x = (x ^ x >> 33) * 0x9cb4b2f8129337dbU;
  x = (x ^ x >> 33) * 0x4f74430c22a54005U;
  return x ^ x >> 33;
}

}  // namespace test
