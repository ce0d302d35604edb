// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// What is asked of keys of every integer type, on any system.

#include "../support/exact.h"
#include "../support/sparse.h"
#include <thrust_hist/sparse_histogram.h>

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <vector>

namespace test {

// The keys beside which a sentinel or a sign would show, each as often as its place says, among
// others.
template <class System, class Integer>
void check_special_keys(std::vector<Integer> const& special, std::size_t others) {
  const auto keys = keys_with(special, others, [](std::size_t i) {
    return static_cast<Integer>(i * 0x9e3779b97f4a7c15U >> (i % 7 * 8));
  });
  check_sparse_counts<System>(keys, count_sorted<int>(keys));
}

template <class System, class Integer>
void check_integers(std::initializer_list<std::size_t> sizes) {
  const auto top = (std::numeric_limits<Integer>::max)();
  const auto bottom = (std::numeric_limits<Integer>::min)();
  const std::vector<Integer> special = {
      0,
      1,
      static_cast<Integer>(-1),
      top,
      bottom,
      static_cast<Integer>(top - 1),
      static_cast<Integer>(bottom + 1),
      static_cast<Integer>(top / 2)};
  for (std::size_t n : sizes)
    check_special_keys<System>(special, n);
  for (Integer alone : special)  // there is no other key that a table could be filled with
    for (std::size_t n : {1, 40}) {
      const samples<Integer> keys(n, [&](std::size_t) { return alone; });
      check_sparse_counts<System>(keys, count_sorted<int>(keys));
    }
}

// Halves that are alike, and the values beside which a sign would show.
template <class System, class Integer>
void check_integers_of_128_bits(std::initializer_list<std::size_t> sizes) {
  const auto top = static_cast<Integer>(static_cast<uint128>(-1) >> 1);
  const std::vector<Integer> special = {
      0,
      1,
      static_cast<Integer>(-1),
      top,
      static_cast<Integer>(-top - 1),
      static_cast<Integer>(Integer{1} << 64),
      static_cast<Integer>(-(Integer{1} << 64))};
  for (std::size_t n : sizes) {
    const auto keys = keys_with(special, n, [](std::size_t i) {
      return static_cast<Integer>(static_cast<uint128>(i % 5000) << (i % 2 * 64));
    });
    check_sparse_counts<System>(keys, count_sorted<int>(keys));
  }
}

template <class System>
void check_truth() {
  for (std::size_t n : {1, 2, 301, 70000}) {
    const samples<bool> truth(n, [](std::size_t i) { return i % 3 == 0; });
    const auto yes = static_cast<int>((n + 2) / 3);
    rows<unsigned char, int> expected = {{1}, {yes}};
    if (n > 1)
      expected = {{0, 1}, {static_cast<int>(n) - yes, yes}};
    check_sparse_counts<System>(truth, expected);
  }
}

template <class System>
void check_bytes() {
  for (std::size_t n : {200, 70000}) {
    const samples<std::byte> bytes(n, [](std::size_t i) { return static_cast<std::byte>(i); });
    check_sparse_counts<System>(bytes, count_sorted<int>(bytes));
  }
}

enum class colour : std::int16_t { red = -300, green = 0, blue = 300 };

template <class System>
void check_enums() {
  const samples<colour> colours(300, [](std::size_t i) {
    return i % 3 == 0 ? colour::blue : i % 3 == 1 ? colour::red : colour::green;
  });
  check_sparse_counts<System>(
      colours, rows<colour, int>{{colour::red, colour::green, colour::blue}, {100, 100, 100}});
}

}  // namespace test
