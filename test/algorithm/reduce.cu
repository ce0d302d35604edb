// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../support/half.cuh"
#include "reduce.cpp"

BOOST_AUTO_TEST_SUITE(reduce_halves, THRUST_HIST_TEST_SMALL)
using namespace reduce_setup;

// So few different values that a float holds every sum.
BOOST_AUTO_TEST_CASE(sums_of_half_and_bfloat16_are_exact) {
  check_fold<test::cuda, __half>(few_sizes, 0.5F, thrust::plus<float>{}, 64);
  check_fold<test::cuda, __nv_bfloat16>(few_sizes, 0.5, thrust::plus<double>{}, 1000);
}

BOOST_AUTO_TEST_SUITE_END()
