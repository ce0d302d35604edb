// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Sums of real numbers of 16 bits on CUDA, summed as floats, and minima of them.

#include "folds_reals.h"

BOOST_AUTO_TEST_SUITE(folds_halves, THRUST_HIST_TEST_SMALL)

namespace {

using sums = std::tuple<
    std::pair<__half, __half>, std::pair<__half, float>, std::pair<__nv_bfloat16, __nv_bfloat16>,
    std::pair<__nv_bfloat16, float>>;

}  // namespace

BOOST_AUTO_TEST_CASE_TEMPLATE(sums_are_rounded_once, Types, sums) {
  using V = typename Types::first_type;
  using A = typename Types::second_type;
  test::check_real_sums<V, A>();
  test::check_any_bits<V, A>();
}

BOOST_AUTO_TEST_CASE(minima_leave_nan_out) {
  const test::samples<__half> values(
      30011, [](std::size_t i) { return test::from_bits<__half>(test::scrambled(i)); });
  for (auto d : {test::distribution::uniform, test::distribution::constant})
    BOOST_TEST(
        test::check_fold<__half>(
            test::keys_of(d, 30011, 3000), values, 3000, {}, thrust::minimum<__half>{}) >= 2);
}

BOOST_AUTO_TEST_SUITE_END()
