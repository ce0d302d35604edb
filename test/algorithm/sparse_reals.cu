// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// build: fast-math twin
// Real numbers as keys on CUDA, the two short types as well: judged by their bits, also with
// --use_fast_math.

#ifdef __CUDACC__
#  include "../support/half.cuh"
#endif
#include "sparse_reals.h"

BOOST_AUTO_TEST_SUITE(sparse_reals, THRUST_HIST_TEST_SMALL_LOCKS)

BOOST_AUTO_TEST_CASE(floats_have_one_zero_and_nan_equals_nothing) {
  test::check_reals<test::main_system, float>();
}

BOOST_AUTO_TEST_CASE(doubles_as_well) {
  test::check_reals<test::main_system, double>();
}

#ifdef __CUDACC__
BOOST_AUTO_TEST_CASE(short_types_as_well) {
  test::check_reals<test::main_system, __half>();
  test::check_reals<test::main_system, __nv_bfloat16>();
}
#endif

BOOST_AUTO_TEST_CASE(each_nan_keeps_its_value) {
  test::check_values_of_reals<test::main_system, double>();
}

BOOST_AUTO_TEST_SUITE_END()
