// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Sums of real numbers on CUDA into outputs of other types. folds_halves.cu has the types of 16
// bits.

#include "folds_reals.h"

BOOST_AUTO_TEST_SUITE(folds_reals, THRUST_HIST_TEST_SMALL)

namespace {

using sums = std::tuple<
    std::pair<double, double>, std::pair<float, double>, std::pair<double, float>,
    std::pair<float, std::int32_t>, std::pair<std::int32_t, float>>;

}  // namespace

BOOST_AUTO_TEST_CASE_TEMPLATE(sums_arrive_in_outputs_of_other_types, Types, sums) {
  test::check_real_sums<typename Types::first_type, typename Types::second_type>();
}

// A bin without values has +0, whatever zero the identity is.
BOOST_AUTO_TEST_CASE(zeros_of_sums_have_one_sign) {
  const std::size_t n = 9001;
  const test::samples<float> values(n, [](std::size_t i) { return i % 2 == 0 ? -0.0f : 0.0f; });
  for (std::int64_t bins : {10, 3000, 70000})
    BOOST_TEST_CONTEXT(bins << " bins")
  BOOST_TEST(
      test::check_fold<float>(
          test::keys_of(test::distribution::uniform, n, static_cast<std::uint64_t>(bins)), values,
          bins, {}, thrust::plus<float>{}, -0.0f) >= 2);
}

BOOST_AUTO_TEST_SUITE_END()
