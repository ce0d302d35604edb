// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Plain __device__ lambdas as rule and operator: nobody may ask for their return type on the host.

#include "../support/checks.h"
#include <thrust_hist/thrust_hist.h>

#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

BOOST_AUTO_TEST_SUITE(cuda_lambdas, THRUST_HIST_TEST_SMALL)

BOOST_AUTO_TEST_CASE(a_device_lambda_is_a_rule) {
  const test::samples<unsigned> keys(test::generate(test::distribution::zipf, 100003, 300));
  const auto last_digit =
      thrust_hist::make_bins(10, [] __device__(unsigned key) { return key % 10; });
  for (thrust_hist::route forced : test::cuda::every_route())
    test::check_route<test::cuda, int>(
        forced, keys,
        test::count(keys, 10, [](unsigned key) { return static_cast<test::bin>(key % 10); }),
        [&](auto first, auto last, auto out, auto how) {
          return thrust_hist::histogram(thrust::cuda::par, first, last, out, last_digit, how);
        });
}

BOOST_AUTO_TEST_CASE(a_device_lambda_is_a_rule_within_a_grid_and_within_flow) {
  const test::samples<unsigned> keys(test::generate(test::distribution::zipf, 100003, 300));
  const auto shifted =
      thrust_hist::make_bins(10, [] __device__(unsigned key) { return static_cast<int>(key) - 5; });
  test::check_counts<test::cuda, int>(
      keys,
      test::count(
          keys, 12,
          [](unsigned key) {
            return key < 5 ? 0 : key >= 15 ? 11 : static_cast<test::bin>(key) - 4;
          }),
      [&](auto first, auto last, auto out) {
        return thrust_hist::histogram(
            thrust::cuda::par, first, last, out, thrust_hist::with_flow(shifted));
      });
}

BOOST_AUTO_TEST_CASE(a_device_lambda_is_an_operator) {
  const test::samples<unsigned> keys(test::generate(test::distribution::uniform, 100003, 1 << 30));
  auto in = test::buffer_of<test::cuda>(keys);
  unsigned const* const first = in.data();
  unsigned expected = 0;
  for (unsigned key : keys)
    expected ^= key;
  const unsigned got = thrust_hist::reduce(
      thrust::cuda::par, first, first + keys.size(), 0U,
      [] __device__(unsigned a, unsigned b) { return a ^ b; });
  BOOST_TEST(got == expected);
}

BOOST_AUTO_TEST_CASE(a_host_device_lambda_transforms_the_input) {
  const auto squares = thrust::make_transform_iterator(
      thrust::make_counting_iterator(0), [] __host__ __device__(int i) { return i * i; });
  test::output<test::cuda, int> out(50);
  thrust_hist::histogram(thrust::cuda::par, squares, squares + 100, out.data(), 50);
  std::vector<int> expected(50);
  for (std::size_t i = 0; i * i < 50; ++i)
    ++expected[i * i];
  out.check_equals(expected);
}

BOOST_AUTO_TEST_SUITE_END()
