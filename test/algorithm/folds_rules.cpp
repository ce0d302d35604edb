// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Folds over samples: every rule in the place of the number of bins, against bins found by
// searching edges.

#include "../support/folds.h"
#include <thrust_hist/bins.h>
#include <thrust_hist/histogram_by_key.h>

#include <thrust/iterator/zip_iterator.h>
#include <thrust/tuple.h>

#include <vector>

BOOST_AUTO_TEST_SUITE(folds_rules, THRUST_HIST_TEST_SMALL)

namespace {

using thrust_hist::histogram_by_key;

// Weights that add up exactly.
const test::samples<float> weights(4001, [](std::size_t i) {
  return static_cast<double>(i % 64) / 8 - 3;
});

template <class Sample>
test::samples<Sample> samples_of(double from, double step) {
  return test::samples<Sample>(weights.size(), [&](std::size_t i) {
    return from + step * static_cast<double>(i * 7919 % weights.size());
  });
}

template <class Samples, class Find>
std::vector<float> weigh(Samples const& s, test::bin bins, Find const& find) {
  std::vector<float> sums(static_cast<std::size_t>(bins));
  for (std::size_t i = 0; i < s.size(); ++i) {
    const test::bin at = find(s[i]);
    if (at >= 0 && at < bins)
      sums[static_cast<std::size_t>(at)] += weights[i];
  }
  return sums;
}

template <class System, class Sample, class Rule>
void check(test::samples<Sample> const& s, std::vector<float> const& expected, Rule const& rule) {
  auto keys_there = test::buffer_of<System>(s);
  Sample const* const first = keys_there.data();
  auto with = test::buffer_of<System>(weights);
  for (auto forced : System::every_route())
    BOOST_TEST_CONTEXT("route " << forced) {
      test::output<System, float> out(expected.size());
      try {
        float* const end = histogram_by_key(
            System::policy(), first, first + s.size(), with.data(), out.data(), rule,
            thrust_hist::options{}.force(forced));
        BOOST_TEST(end - out.data() == static_cast<std::ptrdiff_t>(expected.size()));
        out.check_equals(expected);
      } catch (std::invalid_argument const&) {
        BOOST_TEST(test::fold_may_be_refused<System>(forced));
      }
    }
}

struct last_digit {
  THRUST_HIST_HOST_DEVICE int operator()(int x) const { return x < 0 ? -1 : x % 10; }
};
// A rule of a user from scratch, with 64-bit bins.
struct halves {
  THRUST_HIST_HOST_DEVICE std::int64_t size() const { return 3; }
  THRUST_HIST_HOST_DEVICE std::int64_t operator()(int x) const { return x / 2; }
};

}  // namespace

BOOST_AUTO_TEST_CASE_TEMPLATE(even_bins, System, test::systems) {
  const auto reals = samples_of<float>(-1.5, 0.001);
  check<System>(
      reals, weigh(reals, 37, test::even_reference<float>(37, -1., 2.)),
      thrust_hist::even_bins(37, -1., 2.));
  const auto bytes = samples_of<std::int8_t>(-100, 0.05);
  check<System>(
      bytes, weigh(bytes, 7, test::even_reference<std::int8_t>(7, -128, 100)),
      thrust_hist::even_bins(7, -128, 100));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(range_bins, System, test::systems) {
  const std::vector<double> edges{-1, -0.5, 0, 0, 0.125, 3};
  const auto reals = samples_of<double>(-1.5, 0.001);
  auto there = test::buffer_of<System>(test::samples<double>(edges));
  double const* const first = there.data();
  check<System>(
      reals, weigh(reals, 5, test::range_reference(edges)),
      thrust_hist::range_bins(first, first + edges.size()));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(with_a_bin_at_each_end, System, test::systems) {
  const auto reals = samples_of<float>(-1.5, 0.001);
  const auto inner = test::even_reference<float>(5, 0., 1.);
  const auto expected = weigh(reals, 7, [&](float x) {
    const test::bin at = inner(x);
    return at == test::below ? 0 : at == test::above ? 6 : at + 1;
  });
  check<System>(reals, expected, thrust_hist::with_flow(thrust_hist::even_bins(5, 0., 1.)));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(rules_of_a_user, System, test::systems) {
  const auto keys = samples_of<int>(-50, 0.1);
  check<System>(
      keys, weigh(keys, 10, [](int x) { return test::bin{x < 0 ? -1 : x % 10}; }),
      thrust_hist::make_bins(10, last_digit{}));
  check<System>(keys, weigh(keys, 3, [](int x) { return test::bin{x / 2}; }), halves{});
}

BOOST_AUTO_TEST_CASE_TEMPLATE(a_grid_over_zipped_samples, System, test::systems) {
  const auto x = samples_of<float>(-1.5, 0.001);
  const auto y = samples_of<std::int16_t>(-20, 0.013);
  const auto of_x = test::even_reference<float>(5, -1., 2.);
  const auto of_y = test::even_reference<std::int16_t>(3, -10, 20);
  std::vector<float> expected(15);
  for (std::size_t i = 0; i < weights.size(); ++i) {
    const test::bin row = of_x(x[i]), column = of_y(y[i]);
    if (row >= 0 && row < 5 && column >= 0 && column < 3)
      expected[static_cast<std::size_t>(row * 3 + column)] += weights[i];
  }
  auto x_there = test::buffer_of<System>(x);
  auto y_there = test::buffer_of<System>(y);
  auto with = test::buffer_of<System>(weights);
  float const* const first_x = x_there.data();
  std::int16_t const* const first_y = y_there.data();
  const auto first = thrust::make_zip_iterator(thrust::make_tuple(first_x, first_y));
  test::output<System, float> out(15);
  histogram_by_key(
      System::policy(), first, first + static_cast<std::ptrdiff_t>(x.size()), with.data(),
      out.data(),
      thrust_hist::grid(thrust_hist::even_bins(5, -1., 2.), thrust_hist::even_bins(3, -10, 20)));
  out.check_equals(expected);
}

BOOST_AUTO_TEST_SUITE_END()
