// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Sums in two doubles, as kernels fold runs of values: what they say they know has the bits of the
// exact sum, and they know all that 106 bits hold.

#include "../support/checks.h"
#include "../support/exact.h"
#include <thrust_hist/system/cuda/kernels/double_double.cuh>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

namespace double_double_setup {

using thrust_hist::exact_sum;
using thrust_hist::detail::cuda::double_double;
using thrust_hist::detail::cuda::double_double_fold;

// Folded as kernels do: neighbours first, then these.
template <class T>
double_double folded(std::vector<T> const& numbers) {
  const double_double_fold<T> fold;
  std::vector<double_double> states;
  for (T x : numbers)
    states.push_back(fold.start(x));
  for (std::size_t step = 1; step < states.size(); step *= 2)
    for (std::size_t i = 0; i + step < states.size(); i += 2 * step)
      fold.merge(states[i], states[i + step]);
  return states[0];
}

template <class T>
exact_sum<T> sum_of(std::vector<T> const& numbers) {
  exact_sum<T> sum;
  for (T x : numbers)
    sum += x;
  return sum;
}

// Every way in which a sum is given away.
template <class T>
bool is_right(double_double const& found, exact_sum<T> const& sum) {
  const double_double_fold<T> fold;
  return test::bits_of(fold.template finish<T>(found)) == test::bits_of(sum.value()) &&
         test::bits_of(fold.template finish<float>(found)) ==
             test::bits_of(sum.template value_as<float>()) &&
         test::bits_of(fold.template finish<double>(found)) ==
             test::bits_of(sum.template value_as<double>()) &&
         fold.template finish<exact_sum<T>>(found) == sum;
}

// How many of some random sums are known; those that are must be right. Signs differ, and exponents
// by `spread`.
template <class T>
int number_known(int sums, std::size_t addends, int lowest, int spread) {
  std::mt19937_64 rng(1234 + static_cast<unsigned>(spread));
  int known = 0;
  for (int i = 0; i < sums; ++i) {
    std::vector<T> numbers(1 + rng() % addends);
    for (T& x : numbers) {
      const auto exponent = lowest + static_cast<int>(rng() % static_cast<unsigned>(spread + 1));
      const double size = std::ldexp(1 + static_cast<double>(rng() >> 11) * 0x1p-53, exponent);
      x = static_cast<T>((rng() & 1) != 0 ? size : -size);
    }
    const double_double found = folded(numbers);
    known += found.is_known() ? 1 : 0;
    if (found.is_known())
      BOOST_TEST(is_right(found, sum_of(numbers)));
  }
  return known;
}

}  // namespace double_double_setup

using namespace double_double_setup;

BOOST_AUTO_TEST_SUITE(double_double_sums)

BOOST_AUTO_TEST_CASE(what_lies_within_106_bits_is_known) {
  // 24 or 53 digits, so many exponents, and 7 bits for up to 100 addends.
  BOOST_TEST(number_known<float>(3000, 100, -40, 70) == 3000);
  BOOST_TEST(number_known<float>(3000, 100, -149, 70) == 3000);
  BOOST_TEST(number_known<float>(3000, 100, 50, 70) == 3000);
  BOOST_TEST(number_known<double>(3000, 100, -20, 40) == 3000);
  BOOST_TEST(number_known<double>(3000, 100, -1074, 40) == 3000);
}

BOOST_AUTO_TEST_CASE(what_is_known_is_right_whatever_the_exponents) {
  for (int spread : {60, 90, 110, 130, 160, 220}) {
    number_known<float>(2000, 8, -149, spread);
    number_known<double>(2000, 8, -1074, spread);
    number_known<double>(2000, 8, 700, spread);
  }
  BOOST_TEST(number_known<float>(2000, 100, -149, 270) < 1000);
  BOOST_TEST(number_known<double>(2000, 100, -1000, 2000) < 1000);
}

// Halfway between two floats, or two doubles, and by the smallest bit more or less than that.
BOOST_AUTO_TEST_CASE(ties_are_broken_by_what_lies_below) {
  for (float sign : {1.F, -1.F})
    for (float even : {0x1p0F, 0x1.000002p0F, 0x1.fffffep0F, 0x1p24F})
      for (float tiny : {0.F, 0x1p-70F, -0x1p-70F}) {
        const float half = std::ldexp(even, 0) < 0x1p1F ? 0x1p-24F : 0x1p0F;
        const std::vector<float> numbers = {sign * even, sign * half, tiny};
        const double_double found = folded(numbers);
        BOOST_TEST(found.is_known());
        BOOST_TEST(is_right(found, sum_of(numbers)));
      }
  for (double sign : {1., -1.})
    for (double even : {0x1p0, 0x1.0000000000001p0, 0x1.fffffffffffffp0})
      for (double tiny : {0., 0x1p-104, -0x1p-104}) {
        const std::vector<double> numbers = {sign * even, sign * 0x1p-53, tiny};
        const double_double found = folded(numbers);
        BOOST_TEST(found.is_known());
        BOOST_TEST(is_right(found, sum_of(numbers)));
      }
}

BOOST_AUTO_TEST_CASE(zeros_and_what_cancels_are_plus_zero) {
  for (std::vector<double> const& numbers :
       {std::vector<double>{-0.}, {-0., -0.}, {1e300, -1e300}, {0x1p-1074, -0x1p-1074, -0.}})
    BOOST_TEST(is_right(folded(numbers), sum_of(numbers)));
  BOOST_TEST(is_right(folded(std::vector<float>{-0.F}), sum_of(std::vector<float>{-0.F})));
}

BOOST_AUTO_TEST_CASE(infinities_and_no_numbers_are_known) {
  const double infinity = std::numeric_limits<double>::infinity();
  const double none = std::numeric_limits<double>::quiet_NaN();
  for (std::vector<double> const& numbers :
       {std::vector<double>{infinity},
        {-infinity, 1},
        {1, infinity, 2},
        {infinity, -infinity},
        {none},
        {-none, 1},
        {1, none, infinity}}) {
    const double_double found = folded(numbers);
    BOOST_TEST(found.is_known());
    BOOST_TEST(is_right(found, sum_of(numbers)));
  }
}

// Which may come back, so an infinity that no addend was is none.
BOOST_AUTO_TEST_CASE(what_is_too_large_on_the_way_is_not_known) {
  const double most = std::numeric_limits<double>::max();
  BOOST_TEST(!folded(std::vector<double>{most, most, -most}).is_known());
  BOOST_TEST(!folded(std::vector<double>{most, most, 1, -std::numeric_limits<double>::infinity()})
                  .is_known());
  const float most_float = std::numeric_limits<float>::max();
  const std::vector<float> numbers = {most_float, most_float, most_float};
  BOOST_TEST(folded(numbers).is_known());
  BOOST_TEST(is_right(folded(numbers), sum_of(numbers)));
}

// What was lost is not found again.
BOOST_AUTO_TEST_CASE(what_is_not_known_stays_so) {
  const std::vector<double> lost = {1e300, 1, 1e-300, 0, -1e300, -1};
  BOOST_TEST(!folded(lost).is_known());
  BOOST_TEST(!folded(std::vector<float>{0x1p127F, 0x1p60F, 0x1p-149F, 1}).is_known());
}

BOOST_AUTO_TEST_SUITE_END()
