// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// build: fast-math twin
// Real numbers as keys: judged by their bits, whatever flags say of NaN, zeros and subnormal
// numbers.

#include "sparse_reals.h"

BOOST_AUTO_TEST_SUITE(sparse_reals, THRUST_HIST_TEST_SMALL)

BOOST_AUTO_TEST_CASE_TEMPLATE(reals_have_one_zero_and_nan_equals_nothing, System, test::systems) {
  test::check_reals<System, float>();
}

BOOST_AUTO_TEST_CASE(doubles_as_well) {
  test::check_reals<test::main_system, double>();
}

BOOST_AUTO_TEST_CASE(each_nan_keeps_its_value) {
  test::check_values_of_reals<test::main_system, float>();
}

BOOST_AUTO_TEST_SUITE_END()
