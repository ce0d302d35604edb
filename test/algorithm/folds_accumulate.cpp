// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What the output held before is neither lost nor changed, whatever type values are folded in; and
// the types of sums are as wide as their values.

#include <thrust_hist/histogram_by_key.h>

#include <thrust/complex.h>
#include <thrust/functional.h>
#include <thrust/system/cpp/execution_policy.h>
#include <thrust/system/omp/execution_policy.h>

#include <boost/test/unit_test.hpp>

#include <cmath>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <vector>

using thrust_hist::histogram_by_key;
using thrust_hist::options;

BOOST_AUTO_TEST_SUITE(folds_accumulate)

static const std::vector<int> first_bin{0};

BOOST_AUTO_TEST_CASE(real_values_into_integers_wider_than_they_are) {
  const std::vector<float> one{1};
  std::vector<std::int64_t> out{100000001, 16777217};
  histogram_by_key(
      thrust::seq, first_bin.begin(), first_bin.end(), one.begin(), out.begin(), 2,
      options{}.accumulate());
  BOOST_TEST(out[0] == 100000002);
  BOOST_TEST(out[1] == 16777217);
}

BOOST_AUTO_TEST_CASE(doubles_where_the_identity_is_a_float) {
  const std::vector<float> one{1};
  for (bool exact : {false, true}) {
    std::vector<double> out{0.1, 0.1};
    histogram_by_key(
        thrust::omp::par, first_bin.begin(), first_bin.end(), one.begin(), out.begin(), 2,
        thrust::plus<float>{}, 0.0f, options{}.accumulate().exact(exact));
    BOOST_TEST(out[0] == 1.1);
    BOOST_TEST(out[1] == 0.1);
  }
  // What only a sum of doubles can hold: 1 + 2^-60 - 1.
  const std::vector<float> small{0x1p-60f, -1};
  const std::vector<int> keys{0, 0};
  std::vector<double> out{1};
  histogram_by_key(
      thrust::seq, keys.begin(), keys.end(), small.begin(), out.begin(), 1, thrust::plus<float>{},
      0.0f, options{}.accumulate().exact());
  BOOST_TEST(out[0] == 0x1p-60);
}

BOOST_AUTO_TEST_CASE(bins_without_values_whatever_they_hold) {
  const std::vector<float> one{1};
  const float nan = std::numeric_limits<float>::quiet_NaN();
  std::vector<float> least{5, nan, -0.0f};
  histogram_by_key(
      thrust::seq, first_bin.begin(), first_bin.end(), one.begin(), least.begin(), 3,
      thrust::minimum<float>{}, options{}.accumulate());
  BOOST_TEST(least[0] == 1);
  BOOST_TEST(std::isnan(least[1]));
  std::vector<float> sum{5, nan, -0.0f};
  for (bool exact : {false, true}) {
    histogram_by_key(
        thrust::seq, first_bin.begin(), first_bin.end(), one.begin(), sum.begin(), 3,
        options{}.accumulate().exact(exact));
    BOOST_TEST(std::isnan(sum[1]));
    BOOST_TEST(std::signbit(sum[2]));
  }
  const std::vector<int> no{0};
  std::vector<int> any{5, 7};
  histogram_by_key(
      thrust::seq, first_bin.begin(), first_bin.end(), no.begin(), any.begin(), 2,
      thrust::logical_or<int>{}, options{}.accumulate());
  BOOST_TEST(any[1] == 7);
}

BOOST_AUTO_TEST_CASE(complex_sums_are_as_wide_as_their_values) {
  using wide = thrust::complex<double>;
  const std::vector<int> keys{0, 0};
  const std::vector<wide> values{{1 + 0x1p-25, 0}, {-1, 0}};
  for (bool exact : {false, true}) {
    std::vector<thrust::complex<float>> out(1);
    histogram_by_key(
        thrust::seq, keys.begin(), keys.end(), values.begin(), out.begin(), 1,
        options{}.exact(exact));
    BOOST_TEST(out[0].real() == 0x1p-25f);
  }
}

BOOST_AUTO_TEST_CASE(long_doubles_are_summed_as_such) {
  const std::vector<int> keys{0, 0};
  const std::vector<float> values{0x1p24f, 1};
  std::vector<long double> out(1);
  histogram_by_key(thrust::seq, keys.begin(), keys.end(), values.begin(), out.begin(), 1);
  BOOST_TEST((out[0] == 0x1p24L + 1));
}

BOOST_AUTO_TEST_CASE(plain_weights_into_weighted_sums) {
  const std::vector<int> keys{0, 0};
  const std::vector<double> weights{3, 4};
  std::vector<thrust_hist::weighted_sum<double>> out(1);
  histogram_by_key(thrust::seq, keys.begin(), keys.end(), weights.begin(), out.begin(), 1);
  BOOST_TEST(out[0].sum == 7);
  BOOST_TEST(out[0].sum_of_squares == 25);
}

BOOST_AUTO_TEST_CASE(nan_is_no_identity_of_minima) {
  const std::vector<float> one{1};
  std::vector<float> out{5, 6};
  BOOST_CHECK_THROW(
      histogram_by_key(
          thrust::seq, first_bin.begin(), first_bin.end(), one.begin(), out.begin(), 2,
          thrust::maximum<float>{}, std::numeric_limits<float>::quiet_NaN()),
      std::invalid_argument);
  BOOST_TEST(out[0] == 5);
}

BOOST_AUTO_TEST_SUITE_END()
