// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Every value of every integer type is a key on CUDA: counts of each, by every route.

#include "sparse_keys.h"

#include <tuple>

namespace sparse_keys_setup {

// One of each size, which is what the code of a system may depend on, and all the others.
using one_of_each_size = std::tuple<unsigned char, std::int16_t, std::uint32_t, std::int64_t>;
using all_integers = std::tuple<
    signed char, unsigned char, char, std::int16_t, std::uint16_t, int, std::uint32_t, std::int64_t,
    std::uint64_t>;

}  // namespace sparse_keys_setup

BOOST_AUTO_TEST_SUITE(sparse_keys, THRUST_HIST_TEST_SMALL_LOCKS)

BOOST_AUTO_TEST_CASE_TEMPLATE(integers_of_each_size, Integer, sparse_keys_setup::one_of_each_size) {
  test::check_integers<test::main_system, Integer>({3000});
}

BOOST_AUTO_TEST_CASE(enums) {
  test::check_enums<test::main_system>();
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(sparse_keys_large, THRUST_HIST_TEST_LARGE)

BOOST_AUTO_TEST_CASE_TEMPLATE(integers_of_all_types, Integer, sparse_keys_setup::all_integers) {
  test::check_integers<test::main_system, Integer>({0, 5, 3000, 70000, 1100003});
}

BOOST_AUTO_TEST_CASE(integers_of_128_bits) {
  using System = test::main_system;
  test::check_integers_of_128_bits<System, test::int128>({0, 5, 3000, 70000, 1100003});
  test::check_integers_of_128_bits<System, test::uint128>({0, 5, 3000, 70000});
}

BOOST_AUTO_TEST_CASE(truth_and_bytes) {
  test::check_truth<test::main_system>();
  test::check_bytes<test::main_system>();
}

BOOST_AUTO_TEST_SUITE_END()
