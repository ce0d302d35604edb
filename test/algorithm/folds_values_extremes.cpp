// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// build: fast-math twin
// Minima and maxima: NaN is left out, -0 and +0 are the same zero, bins without values hold the
// largest or the smallest value that there is.

#include "../support/folds.h"
#include <thrust_hist/detail/operators.h>
#include <thrust_hist/histogram_by_key.h>

#include <limits>
#include <tuple>

BOOST_AUTO_TEST_SUITE(folds_values_extremes, THRUST_HIST_TEST_SMALL)

namespace {

using types = std::tuple<
    std::int8_t, std::uint8_t, std::int16_t, std::uint16_t, std::int32_t, std::uint32_t,
    std::int64_t, std::uint64_t, float, double>;

template <class T>
using minimum = thrust_hist::detail::minimum_of<T>;
template <class T>
using maximum = thrust_hist::detail::maximum_of<T>;

template <class T>
T infinity(bool negative = false) {
  using a = test::anatomy<T>;
  const std::uint64_t sign = std::uint64_t{negative} << (8 * sizeof(T) - 1);
  return test::from_bits<T>(sign | std::uint64_t{a::special} << a::fraction);
}
template <class T>
T top() {
  if constexpr (test::is_float<T>)
    return infinity<T>();
  else
    return std::numeric_limits<T>::max();
}
template <class T>
T bottom() {
  if constexpr (test::is_float<T>)
    return infinity<T>(true);
  else
    return std::numeric_limits<T>::min();
}

// Any bits at all: among real numbers denormals, infinities and NaN of both signs.
template <class T>
test::samples<T> hostile_values(std::size_t n) {
  test::random rng(n + sizeof(T));
  std::vector<T> list(n);
  for (T& x : list) {
    if constexpr (test::is_float<T>) {
      const T some[] = {
          test::from_bits<T>(rng()),
          infinity<T>(),
          infinity<T>(true),
          T(0),
          test::from_bits<T>(1),
          test::from_bits<T>(std::uint64_t{1} << (8 * sizeof(T) - 1)),
          test::from_bits<T>(~std::uint64_t{0}),
          static_cast<T>(rng() % 100)};
      x = some[rng() % 8];
    } else
      x = static_cast<T>(rng() >> (rng() % 64));
  }
  return test::samples<T>(list);
}

// By the exact order of numbers; a zero is +0.
template <class T>
std::vector<T> extremes(
    test::samples<int> const& keys, test::samples<T> const& values, test::bin bins, bool largest) {
  auto found = test::fold(keys, values, bins, largest ? bottom<T>() : top<T>(), [&](T a, T b) {
    const auto at = test::order_of(b);
    if (at == test::no_order)
      return a;
    return largest ? (test::order_of(a) < at ? b : a) : (at < test::order_of(a) ? b : a);
  });
  for (T& x : found)
    x = test::order_of(x) == 0 ? T(0) : x;
  return found;
}

template <class System, class T>
void check_extremes() {
  for (test::bin bins : {1, 3, 300, 9001}) {
    const auto keys = test::keys_for(5003, bins, test::distribution::zipf);
    const auto values = hostile_values<T>(keys.size());
    test::check_fold<System>(
        keys, values, extremes(keys, values, bins, false),
        [&](auto first, auto last, auto with, auto out, auto o) {
          return thrust_hist::histogram_by_key(
              System::policy(), first, last, with, out, bins, minimum<T>{}, o);
        });
    test::check_fold<System>(
        keys, values, extremes(keys, values, bins, true),
        [&](auto first, auto last, auto with, auto out, auto o) {
          return thrust_hist::histogram_by_key(
              System::policy(), first, last, with, out, bins, maximum<T>{}, o);
        });
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE_TEMPLATE(of_every_type, T, types) {
  check_extremes<test::main_system, T>();
}

BOOST_AUTO_TEST_CASE_TEMPLATE(on_every_system, System, test::systems) {
  check_extremes<System, double>();
  check_extremes<System, std::int16_t>();
}

BOOST_AUTO_TEST_CASE_TEMPLATE(only_nan_and_only_zeros, System, test::systems) {
  const test::samples<int> keys{0, 0, 1, 1, 2, 3};
  const float minus_zero = test::from_bits<float>(0x80000000U);
  const float nan = test::from_bits<float>(0xffc00001U);
  const test::samples<float> values{nan, nan, minus_zero, 0.F, minus_zero, 0.F};
  test::check_fold<System>(
      keys, values, std::vector<float>{infinity<float>(), 0.F, 0.F, 0.F, infinity<float>()},
      [](auto first, auto last, auto with, auto out, auto o) {
        return thrust_hist::histogram_by_key(
            System::policy(), first, last, with, out, 5, minimum<float>{}, o);
      });
}

// What is no number in the type that sums are formed in is none in the narrower one of the output.
BOOST_AUTO_TEST_CASE_TEMPLATE(
    sums_of_doubles_that_are_no_numbers_as_floats, System, test::systems) {
  const test::samples<int> keys{0, 0, 1, 2, 2, 3};
  const double inf = infinity<double>();
  const test::samples<double> values{
      test::from_bits<double>(0x7ff8000000000000U), 1., inf, inf, -inf, 0x1p-140};
  auto keys_there = test::buffer_of<System>(keys);
  auto values_there = test::buffer_of<System>(values);
  int const* const first = keys_there.data();
  test::output<System, float> out(4);
  thrust_hist::histogram_by_key(
      System::policy(), first, first + keys.size(), values_there.data(), out.data(), 4);
  const auto found = out.contents();
  BOOST_TEST(test::anatomy<float>(found[0]).is_nan());
  BOOST_TEST(test::bits_of(found[1]) == 0x7f800000U);
  BOOST_TEST(test::anatomy<float>(found[2]).is_nan());
  BOOST_TEST(test::bits_of(found[3]) == std::uint32_t{1} << 9);
}

BOOST_AUTO_TEST_SUITE_END()
