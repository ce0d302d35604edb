// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Every arithmetic type as a value, summed in an output of another type.

#include "fold_sums.h"

#include <tuple>

BOOST_AUTO_TEST_SUITE(folds_values_outputs, THRUST_HIST_TEST_SMALL)

BOOST_AUTO_TEST_CASE(every_type_in_a_wide_integer_and_in_a_narrow_one) {
  test::check_sums_of<test::main_system, std::int64_t>(test::integers{});
  test::check_sums_of<test::main_system, std::uint8_t>(
      std::tuple<bool, char, std::int8_t, std::uint64_t>{});
}

BOOST_AUTO_TEST_CASE(every_type_in_a_real_number) {
  test::check_sums_of<test::main_system, double>(test::integers{});
  test::check_sums_of<test::main_system, float>(std::tuple<std::int8_t, std::uint64_t, double>{});
  test::check_sums_of<test::main_system, int>(std::tuple<float, double>{});
}

BOOST_AUTO_TEST_SUITE_END()
