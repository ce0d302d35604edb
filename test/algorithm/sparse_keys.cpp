// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Every value of every integer type is a key: counts of each, by every route.

#include "../support/sparse.h"
#include <thrust_hist/sparse_histogram.h>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

BOOST_AUTO_TEST_SUITE(sparse_keys, THRUST_HIST_TEST_SMALL)

namespace {

template <class System, class Integer>
void check_integers() {
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
  for (std::size_t n : test::sparse_sizes) {
    const auto keys = test::keys_with(special, n, [](std::size_t i) {
      return static_cast<Integer>(i * 0x9e3779b97f4a7c15U >> (i % 7 * 8));
    });
    test::check_sparse_counts<System>(keys, test::count_sorted<int>(keys));
  }
}

__extension__ typedef __int128 wide;
__extension__ typedef unsigned __int128 unsigned_wide;

enum class colour : std::int16_t { red = -300, green = 0, blue = 300 };

}  // namespace

BOOST_AUTO_TEST_CASE_TEMPLATE(integers_with_a_sign, System, test::systems) {
  check_integers<System, int>();
  check_integers<System, std::int64_t>();
}

// What differs from the types above is one function, the same on all systems.
BOOST_AUTO_TEST_CASE(other_types) {
  using System = test::main_system;
  check_integers<System, signed char>();
  check_integers<System, std::uint64_t>();
}

BOOST_AUTO_TEST_CASE(integers_of_128_bits) {
  const auto check = [](auto zero) {
    using integer = decltype(zero);
    const auto top = static_cast<integer>(static_cast<unsigned_wide>(-1) >> 1);
    const std::vector<integer> special = {
        0,
        1,
        static_cast<integer>(-1),
        top,
        static_cast<integer>(-top - 1),
        static_cast<integer>(integer{1} << 64),
        static_cast<integer>(-(integer{1} << 64))};
    for (std::size_t n : test::sparse_sizes) {
      const auto keys = test::keys_with(special, n, [](std::size_t i) {
        return static_cast<integer>(static_cast<unsigned_wide>(i % 5000) << (i % 2 * 64));
      });
      test::check_sparse_counts<test::main_system>(keys, test::count_sorted<int>(keys));
    }
  };
  check(wide{});
  check(unsigned_wide{});
}

BOOST_AUTO_TEST_CASE(truth_bytes_and_enums) {
  using System = test::main_system;
  const test::samples<bool> truth(301, [](std::size_t i) { return i % 3 == 0; });
  test::check_sparse_counts<System>(truth, test::rows<unsigned char, int>{{0, 1}, {200, 101}});
  const test::samples<std::byte> bytes(
      300, [](std::size_t i) { return static_cast<std::byte>(i); });
  test::check_sparse_counts<System>(bytes, test::count_sorted<int>(bytes));
  const test::samples<colour> colours(300, [](std::size_t i) {
    return i % 3 == 0 ? colour::blue : i % 3 == 1 ? colour::red : colour::green;
  });
  test::check_sparse_counts<System>(
      colours,
      test::rows<colour, int>{{colour::red, colour::green, colour::blue}, {100, 100, 100}});
}

BOOST_AUTO_TEST_SUITE_END()
