// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Folds on CUDA from iterators that are no pointers, and of more pairs than 32 bits count.

#include "fold_cases.h"

#include <thrust/iterator/constant_iterator.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/permutation_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/tuple.h>

namespace folds_iterators_setup {

using test::distribution;
using thrust_hist::options;

constexpr std::size_t n = 20011;

struct to_key {
  __host__ __device__ int operator()(std::int64_t i) const {
    return static_cast<int>(i * 7919 % 331) - 10;
  }
};
struct ones_and_more {
  __host__ __device__ float operator()(std::int64_t i) const {
    return (i & 1) != 0 ? 0.1f : 1e-20f;
  }
};
struct first_bin {
  __host__ __device__ std::uint32_t operator()(std::int64_t) const { return 0; }
};

// The same iterators on both sides.
template <class A, class Keys, class Values, class Bins, class... Op>
void check_iterators(Keys keys, Values values, Bins bins, Op... op) {
  const auto expected = test::fold_on_one_thread<A>(n, keys, values, bins, options{}, op...);
  BOOST_TEST(test::check_fold_routes<A>(expected, {}, [&](A* out, options const& o) {
               return thrust_hist::histogram_by_key(
                   test::cuda::policy(), keys, keys + static_cast<std::ptrdiff_t>(n), values, out,
                   bins, op..., o);
             }) >= 2);
}

}  // namespace folds_iterators_setup

BOOST_AUTO_TEST_SUITE(folds_iterators, THRUST_HIST_TEST_SMALL)
using namespace folds_iterators_setup;

BOOST_AUTO_TEST_CASE(keys_are_transformed_and_values_constant) {
  const auto from_0 = thrust::make_counting_iterator(std::int64_t{0});
  check_iterators<std::int64_t>(
      thrust::make_transform_iterator(from_0, to_key{}),
      thrust::make_constant_iterator(std::int64_t{3}), 300);
}

BOOST_AUTO_TEST_CASE(keys_count_and_values_are_transformed) {
  const auto from_0 = thrust::make_counting_iterator(std::int64_t{0});
  check_iterators<float>(
      from_0, thrust::make_transform_iterator(from_0, ones_and_more{}), 15000,
      thrust::maximum<float>{});
}

BOOST_AUTO_TEST_CASE(a_grid_over_zipped_samples_and_permuted_values) {
  const test::samples<float> x(n, [](std::size_t i) { return test::scrambled(i) % 100 * 0.1f; });
  const test::samples<std::uint8_t> y(n, [](std::size_t i) { return test::scrambled(i + n) % 9; });
  const auto values = test::whole_numbers<std::int32_t>(n);
  const test::samples<std::int32_t> order(
      n, [](std::size_t i) { return static_cast<std::int32_t>(n - 1 - i); });
  auto dx = test::buffer_of<test::cuda>(x);
  auto dy = test::buffer_of<test::cuda>(y);
  auto dv = test::buffer_of<test::cuda>(values);
  auto dorder = test::buffer_of<test::cuda>(order);
  const auto rule =
      thrust_hist::grid(thrust_hist::even_bins(12, 1., 9.), thrust_hist::identity_bins(7));
  const auto expected = test::fold_on_one_thread<std::int32_t>(
      n, thrust::make_zip_iterator(thrust::make_tuple(x.begin(), y.begin())),
      thrust::make_permutation_iterator(values.begin(), order.begin()), rule, options{});
  const auto first = thrust::make_zip_iterator(thrust::make_tuple(dx.begin(), dy.begin()));
  const auto weights = thrust::make_permutation_iterator(dv.begin(), dorder.begin());
  BOOST_TEST(
      test::check_fold_routes<std::int32_t>(expected, {}, [&](std::int32_t* out, options const& o) {
        return thrust_hist::histogram_by_key(
            test::cuda::policy(), first, first + static_cast<std::ptrdiff_t>(n), weights, out, rule,
            o);
      }) >= 2);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(folds_of_more_than_32_bits, THRUST_HIST_TEST_LARGE)
using namespace folds_iterators_setup;

BOOST_AUTO_TEST_CASE(counts_as_sums_of_a_constant) {
  constexpr std::int64_t many = (std::int64_t{1} << 32) + 12345;
  const auto from_0 = thrust::make_counting_iterator(std::int64_t{0});
  for (auto forced : {thrust_hist::route::automatic, thrust_hist::route::shared}) {
    test::output<test::cuda, std::int64_t> out(2);
    thrust_hist::histogram_by_key(
        test::cuda::policy(), thrust::make_transform_iterator(from_0, first_bin{}),
        thrust::make_transform_iterator(from_0, first_bin{}) + many,
        thrust::make_constant_iterator(std::int64_t{3}), out.data(), 2, options{}.force(forced));
    out.check_equals({3 * many, 0});
  }
}

// More than one piece; half of the values are far below the window.
BOOST_AUTO_TEST_CASE(exact_sums_in_pieces) {
  constexpr std::int64_t many = (std::int64_t{1} << 31) + 4321;
  const auto from_0 = thrust::make_counting_iterator(std::int64_t{0});
  const auto keys = thrust::make_transform_iterator(from_0, first_bin{});
  const auto values = thrust::make_transform_iterator(from_0, ones_and_more{});
  // As a multiple of either value: 2^30 + 2160 and 2^30 + 2161 of them.
  using sum = thrust_hist::exact_sum<float>;
  const auto times = [](float x, std::int64_t count) {
    sum power(x), total{};
    for (; count != 0; count >>= 1, power += sum(power))
      if ((count & 1) != 0)
        total += power;
    return total;
  };
  const sum expected = times(0.1f, many / 2) + times(1e-20f, many - many / 2);
  test::output<test::cuda, sum> out(2);
  thrust_hist::histogram_by_key(test::cuda::policy(), keys, keys + many, values, out.data(), 2);
  out.check_equals({expected, sum{}});
  // 19 000 bins have no room for limbs.
  test::output<test::cuda, float> rounded(19000);
  thrust_hist::histogram_by_key(
      test::cuda::policy(), keys, keys + many, values, rounded.data(), 19000, options{}.exact());
  std::vector<float> all(19000);
  all[0] = expected.value();
  rounded.check_equals(all);
}

BOOST_AUTO_TEST_SUITE_END()
