// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// build: checked
// check() of sparse histograms: right rows pass, in any order and however sums were rounded; a
// falsified value is caught.

#include "sparse_check.h"

#include <thrust_hist/sparse_histogram.h>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#if defined(THRUST_HIST_ENABLE_CHECK) && defined(THRUST_HIST_TEST_HOOKS)

BOOST_AUTO_TEST_SUITE(sparse_check, THRUST_HIST_TEST_LARGE)

namespace {

using thrust_hist::options;
using thrust_hist::sparse_histogram;
using thrust_hist::sparse_histogram_by_key;

const std::vector<int> keys = test::keys_to_check();

}  // namespace

BOOST_AUTO_TEST_CASE_TEMPLATE(of_counts, System, test::systems) {
  test::check_caught<System>([](options const& o) {
    std::vector<int> unique(keys.size());
    std::vector<std::uint16_t> counts(keys.size());
    sparse_histogram(System::policy(), keys.begin(), keys.end(), unique.begin(), counts.begin(), o);
  });
}

BOOST_AUTO_TEST_CASE(of_rounded_and_of_exact_sums) {
  std::vector<float> values;
  for (std::size_t i = 0; i < keys.size(); ++i)
    values.push_back(static_cast<float>(i % 1000) * 0.37F);
  for (bool exact : {false, true})
    test::check_caught<test::main_system>([&](options o) {
      std::vector<int> unique;
      std::vector<float> sums;
      sparse_histogram_by_key(
          keys.begin(), keys.end(), values.begin(), unique, sums, o.exact(exact));
    });
}

BOOST_AUTO_TEST_CASE(of_an_operator_without_identity_and_of_nan_keys) {
  std::vector<double> reals(keys.begin(), keys.end());
  reals[7] = reals[1000] = std::numeric_limits<double>::quiet_NaN();
  reals[8] = -0.;
  test::check_caught<test::main_system>([&](options const& o) {
    std::vector<double> unique;
    std::vector<int> largest;
    sparse_histogram_by_key(
        reals.begin(), reals.end(), keys.begin(), unique, largest,
        [](int a, int b) { return a < b ? b : a; }, o);
  });
}

BOOST_AUTO_TEST_CASE(containers_are_as_they_were_where_a_row_is_wrong) {
  std::vector<int> unique = {1, 2}, counts = {3, 4};
  const test::corruption now(0);
  BOOST_CHECK_THROW(
      sparse_histogram(keys.begin(), keys.end(), unique, counts, options{}.check()),
      thrust_hist::mismatch_error);
  BOOST_TEST(unique.size() == 2U);
  BOOST_TEST(counts.size() == 2U);
}

BOOST_AUTO_TEST_SUITE_END()

#endif
