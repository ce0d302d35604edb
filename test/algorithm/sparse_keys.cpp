// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Every value of every integer type is a key: counts of each, by every route.

#include "sparse_keys.h"

BOOST_AUTO_TEST_SUITE(sparse_keys, THRUST_HIST_TEST_SMALL)

BOOST_AUTO_TEST_CASE_TEMPLATE(integers_with_a_sign, System, test::systems) {
  test::check_integers<System, int>({0, 5, 3000, 70000});
  test::check_integers<System, std::int64_t>({0, 5, 3000, 70000});
}

// What differs from the types above is one function, the same on all systems.
BOOST_AUTO_TEST_CASE(other_types) {
  using System = test::main_system;
  test::check_integers<System, signed char>({0, 5, 3000, 70000});
  test::check_integers<System, std::uint64_t>({0, 5, 3000, 70000});
}

BOOST_AUTO_TEST_CASE(integers_of_128_bits) {
  using System = test::main_system;
  test::check_integers_of_128_bits<System, test::int128>({0, 5, 3000, 70000});
  test::check_integers_of_128_bits<System, test::uint128>({0, 5, 3000, 70000});
}

BOOST_AUTO_TEST_CASE(truth_bytes_and_enums) {
  test::check_truth<test::main_system>();
  test::check_bytes<test::main_system>();
  test::check_enums<test::main_system>();
}

BOOST_AUTO_TEST_SUITE_END()
