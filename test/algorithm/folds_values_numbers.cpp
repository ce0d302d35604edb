// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// build: fast-math twin
// Every arithmetic type as a value, summed in itself: integers wrap, real numbers are summed in a
// type as wide as the wider of value and output.

#include "fold_sums.h"

#include <tuple>

BOOST_AUTO_TEST_SUITE(folds_values_numbers, THRUST_HIST_TEST_SMALL)

BOOST_AUTO_TEST_CASE_TEMPLATE(sums_of_a_type_in_itself, V, test::integers) {
  if constexpr (!std::is_same_v<V, bool>)
    test::check_sums<test::main_system, V, V>();
}

BOOST_AUTO_TEST_CASE_TEMPLATE(integer_sums_wrap_on_every_system, System, test::systems) {
  test::check_sums<System, std::int64_t, std::int8_t>();
  test::check_sums<System, std::uint16_t, std::uint64_t>();
  test::check_sums<System, std::int32_t, std::int32_t>();
}

BOOST_AUTO_TEST_CASE_TEMPLATE(real_sums_on_every_system, System, test::systems) {
  test::check_sums<System, float, float>();
  test::check_sums<System, double, double>();
}

// 2^24 and ones: a float would stand still, a double does not.
BOOST_AUTO_TEST_CASE_TEMPLATE(floats_into_a_double_are_summed_in_double, System, test::systems) {
  const test::samples<int> keys(1001, [](std::size_t) { return 0; });
  const test::samples<float> ones(1001, [](std::size_t i) { return i == 500 ? 0x1p24 : 1; });
  test::check_fold<System>(
      keys, ones, std::vector<double>{0x1p24 + 1000},
      [](auto first, auto last, auto with, auto out, auto o) {
        return thrust_hist::histogram_by_key(System::policy(), first, last, with, out, 1, o);
      });
  const test::samples<double> doubles(1001, [](std::size_t i) { return i == 500 ? 0x1p24 : 1; });
  test::check_fold<System>(
      keys, doubles, std::vector<float>{0x1p24F + 1000},
      [](auto first, auto last, auto with, auto out, auto o) {
        return thrust_hist::histogram_by_key(System::policy(), first, last, with, out, 1, o);
      });
}

BOOST_AUTO_TEST_SUITE_END()
