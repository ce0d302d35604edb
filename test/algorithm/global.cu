// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Route global: frequent bins have places in the shared memory of each block, whatever makes them
// frequent. It must be right, and it must not crawl.

#include "../support/fewer.h"
#include "crowded.h"
#include "fold_cases.h"
#include "many_bins.h"

#include <thrust/device_vector.h>
#include <thrust/functional.h>
#include <thrust/tabulate.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <tuple>
#include <type_traits>
#include <vector>

namespace global_setup {

using test::distribution;
using thrust_hist::options;
using thrust_hist::route;

const auto global = std::initializer_list<route>{route::global};

using test::in_turn;

using numbers = std::tuple<std::int32_t, std::uint64_t, float, double>;
using reals = std::tuple<float, double>;

template <class V, class Keys, class Values, class Op>
void check_one(
    Keys const& keys, Values const& values, std::int64_t bins, options const& how, Op op) {
  const auto expected =
      test::fold_on_one_thread<V>(keys.size(), keys.data(), values.data(), bins, how, op);
  auto k = test::buffer_of<test::cuda>(keys);
  auto v = test::buffer_of<test::cuda>(values);
  std::uint32_t const* const first = k.data();
  for (bool accumulate : {false, true}) {
    test::output<test::cuda, V> out(
        accumulate ? test::old_output<V>(expected.plain.size())
                   : std::vector<V>(expected.plain.size()));
    std::uint64_t dropped = 0;
    thrust_hist::histogram_by_key(
        test::cuda::policy(), first, first + keys.size(), static_cast<V const*>(v.data()),
        out.data(), bins, op, options{how}.accumulate(accumulate).dropped(&dropped));
    out.check_equals(accumulate ? expected.added : expected.plain);
    BOOST_TEST(dropped == expected.dropped);
  }
}

}  // namespace global_setup

BOOST_AUTO_TEST_SUITE(cuda_global, THRUST_HIST_TEST_SMALL)
using namespace global_setup;

BOOST_AUTO_TEST_CASE(counts_every_distribution) {
  for (std::size_t which = 0; which < test::many_bins_distributions; ++which)
    for (test::bin bins : test::fewer({1, 300, 70001, 1 << 20}, {70001}))
      BOOST_TEST_CONTEXT(test::name_of_many(which) << ", " << bins << " bins") {
        const test::samples<std::uint32_t> s(test::keys_for_bins(which, 40009, bins));
        test::check_many_bins<std::uint32_t>(global, s, bins);
        test::check_many_bins<std::uint64_t>(global, s, bins);
        test::check_many_bins<std::uint8_t>(global, s, bins);  // through a table
      }
}

BOOST_AUTO_TEST_CASE(counts_keys_of_64_bits_that_look_like_frequent_ones) {
  const test::samples<std::int64_t> s(50021, [](std::size_t i) {
    const auto high = static_cast<std::int64_t>(test::scrambled(i) % 4);
    return i % 3 == 0 ? 77 : i % 3 == 1 ? 77 + (high << 32) : static_cast<std::int64_t>(i) - 100;
  });
  test::check_many_bins<std::uint32_t>(global, s, 70001);
}

BOOST_AUTO_TEST_CASE(counts_bins_that_come_in_turn) {
  for (std::uint32_t period : {2, 3, 4, 5, 16, 17})
    for (std::uint32_t bins : {70001, 1 << 20}) {
      test::check_many_bins<std::uint32_t>(
          global, test::samples<std::uint32_t>(60013, in_turn{period, bins}), bins);
      test::check_many_bins<std::uint32_t>(
          global, test::samples<std::uint32_t>(200017, in_turn{period, bins, 100000}), bins);
    }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(folds_words_and_sums, V, numbers) {
  constexpr std::int64_t bins = 70001;
  const std::size_t n = test::fewer(50021, 20011);
  const auto values = test::whole_numbers<V>(n);
  for (distribution d :
       test::fewer(test::all_distributions, {distribution::two_alternating, distribution::zipf})) {
    const auto keys = test::keys_of(d, n, bins);
    const auto on_global = options{}.force(route::global);
    BOOST_TEST_CONTEXT(test::name_of(d)) {
      check_one<V>(keys, values, bins, on_global, thrust::plus<V>{});
      check_one<V>(keys, values, bins, on_global, thrust::maximum<V>{});
      if constexpr (std::is_floating_point_v<V>)
        check_one<V>(keys, values, bins, options{on_global}.exact(), thrust::plus<V>{});
    }
  }
}

// Of what is no number, too, and of sums that cancel, in bins that have places of their own.
BOOST_AUTO_TEST_CASE_TEMPLATE(sums_and_extremes_of_any_reals, V, reals) {
  constexpr std::size_t n = 30011;
  constexpr std::int64_t bins = 70001;
  const test::samples<std::uint32_t> keys(n, in_turn{3, bins});
  const test::samples<V> values(n, [](std::size_t i) {
    const V large = std::numeric_limits<V>::max() / 4;
    switch (test::scrambled(i) % 5) {
    case 0:
      return i % 1013 == 3 ? std::numeric_limits<V>::quiet_NaN() : large;
    case 1:
      return i % 2017 == 5 ? -std::numeric_limits<V>::infinity() : -large;
    case 2:
      return std::numeric_limits<V>::denorm_min();
    default:
      return static_cast<V>(i) / 7;
    }
  });
  const auto on_global = options{}.force(route::global);
  check_one<V>(keys, values, bins, options{on_global}.exact(), thrust::plus<V>{});
  check_one<V>(keys, values, bins, on_global, thrust::minimum<V>{});
  check_one<V>(keys, values, bins, on_global, thrust::maximum<V>{});
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(cuda_global_large, THRUST_HIST_TEST_LARGE)
using namespace global_setup;

// Additions to one address in global memory take fifty to three hundred times as long as to any.
BOOST_AUTO_TEST_CASE(frequent_bins_take_no_longer_than_others) {
  constexpr std::uint32_t bins = 1 << 18;
  constexpr std::size_t n = std::size_t{1} << 24;
  const thrust::device_vector<int> ones(n, 1);
  const thrust::device_vector<double> reals(n, 0.3);
  thrust::device_vector<unsigned> counts(bins);
  thrust::device_vector<int> sums(bins);
  thrust::device_vector<double> real_sums(bins);
  thrust::device_vector<std::uint32_t> keys(n);
  const auto how = options{}.force(route::global);
  const auto by_key = [&](auto const& values, auto& out, auto op, options const& o) {
    return test::least_ms([&] {
      thrust_hist::histogram_by_key(
          thrust::cuda::par, keys.begin(), keys.end(), values.begin(), out.begin(), bins, op, o);
    });
  };
  const auto measure = [&](in_turn which) {
    thrust::tabulate(keys.begin(), keys.end(), which);
    return std::vector<float>{
        test::least_ms([&] {
          thrust_hist::histogram(
              thrust::cuda::par, keys.begin(), keys.end(), counts.begin(), bins, how);
        }),
        by_key(ones, sums, thrust::plus<int>{}, how),
        by_key(reals, real_sums, thrust::plus<double>{}, how),
        by_key(reals, real_sums, thrust::maximum<double>{}, how),
        by_key(ones, sums, thrust::maximum<int>{}, how),
        by_key(reals, real_sums, thrust::plus<double>{}, options{how}.exact())};
  };
  test::check_crowds_take_no_longer(
      measure, {1, bins, n}, {{1, bins}, {2, bins}, {3, bins}, {1, bins, n / 2}, {5, bins, n / 2}});
}

BOOST_AUTO_TEST_SUITE_END()
