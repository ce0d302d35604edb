// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// build: fast-math twin
#include "../support/exact_addends.h"
#include "../support/systems.h"
#include <thrust_hist/values.h>
#ifdef __CUDACC__
#  include "../support/half.cuh"
#endif

#include <thrust/functional.h>
#include <thrust/reduce.h>
#include <thrust/transform_reduce.h>

#include <cstring>
#include <random>
#include <sstream>
#include <string>
#include <tuple>
#include <type_traits>
#include <vector>

namespace exact_sum_setup {

using namespace test;
using namespace thrust_hist;

using reals = std::tuple<float, double>;
#ifdef __CUDACC__
using targets = std::tuple<float, double, __half, __nv_bfloat16>;
#else
using targets = std::tuple<float, double>;
#endif

template <class T, class Range>
exact_sum<T> sum_of(Range const& range) {
  exact_sum<T> sum;
  for (T x : range)
    sum += x;
  return sum;
}
template <class T>
exact_sum<T> sum_of(std::initializer_list<T> range) {
  return sum_of<T, std::initializer_list<T>>(range);
}

// Calls f(To{}) for every type to which a sum can be rounded.
template <class F>
void for_targets(F f) {
  std::apply([&](auto... to) { (f(to), ...); }, targets{});
}

// Both ways to add, both ways to round, each target.
template <class T>
bool is_right(addends<T> const& numbers) {
  const exact_sum<T> sum = sum_of<T>(numbers);
  thrust_hist::detail::carry_save<T> saved{};
  reference_sum<T> expected;
  for (T x : numbers) {
    saved.add(x);
    expected.add(x);
  }
  bool right = same_bytes(exact_sum<T>(saved), sum);
  saved.normalize();
  for_targets([&](auto to) {
    using To = decltype(to);
    const auto bits = expected.template bits<To>();
    right = right && bits_of(sum.template value_as<To>()) == bits &&
            bits_of(thrust_hist::detail::round_to<To>(saved)) == bits;
  });
  return right;
}

template <class T>
std::string text_of(addends<T> const& numbers) {
  std::ostringstream text;
  for (T x : numbers)
    text << ' ' << std::hexfloat << x;
  return text.str();
}

template <class T>
void check_cases(std::vector<addends<T>> const& cases) {
  for (addends<T> const& c : cases)
    if (!is_right(c)) {
      BOOST_ERROR("the sum of" << text_of(c));
      return;
    }
  BOOST_TEST(true);
}

template <class T>
std::vector<addends<T>> ties(int step) {
  std::mt19937_64 rng(1);
  std::vector<addends<T>> cases;
  for_targets([&](auto to) { add_ties<T, decltype(to)>(cases, rng, step); });
  return cases;
}

template <class T>
std::vector<addends<T>> random_cases(std::size_t n, std::uint64_t seed) {
  std::mt19937_64 rng(seed);
  std::vector<addends<T>> cases(n);
  for (auto& c : cases)
    c = random_addends<T>(rng);
  return cases;
}

}  // namespace exact_sum_setup

BOOST_AUTO_TEST_SUITE(exact_sums)
using namespace exact_sum_setup;

BOOST_AUTO_TEST_CASE_TEMPLATE(the_empty_sum_is_all_zeros_and_sums_are_plain_bytes, T, reals) {
  static_assert(std::is_trivially_copyable_v<exact_sum<T>>);
  static_assert(std::is_trivial_v<thrust_hist::detail::carry_save<T>>);
  static_assert(sizeof(exact_sum<float>) == 44 && sizeof(exact_sum<double>) == 272);
  static_assert(alignof(exact_sum<T>) == 4);
  const std::vector<unsigned char> zeros(sizeof(exact_sum<T>));
  const exact_sum<T> empty;
  BOOST_TEST(std::memcmp(&empty, zeros.data(), sizeof empty) == 0);
  BOOST_TEST(bits_of(empty.value()) == 0u);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(one_number_is_its_own_sum, T, reals) {
  for (T x : finite_numbers<T>(5000))
    BOOST_REQUIRE(bits_of(exact_sum<T>(x).value()) == bits_of(x));
  for (T x : {least<T>(), most<T>(), infinite<T>(), units<T>(1, 0)})
    for (T y : {x, negated(x)})
      BOOST_TEST(bits_of(exact_sum<T>(y).value()) == bits_of(y));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(an_exact_zero_is_positive, T, reals) {
  const T zero = from_bits<T>(0);
  for (auto const& sum :
       {sum_of<T>({negated(zero)}), sum_of<T>({negated(zero), negated(zero)}),
        sum_of<T>({most<T>(), least<T>(), negated(most<T>()), negated(least<T>())})}) {
    BOOST_TEST(bits_of(sum.value()) == 0u);
    BOOST_TEST(same_bytes(sum, exact_sum<T>{}));
  }
  // What is only rounded to zero keeps its sign, as in any conversion.
  const auto tiny = sum_of<double>({negated(least<double>())});
  BOOST_TEST(bits_of(tiny.value_as<float>()) == 0x80000000u);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(infinities_and_nan_are_those_of_ieee_addition, T, reals) {
  const T up = infinite<T>(), down = infinite<T>(true), nan = quiet_nan<T>(), one = units<T>(1, 0);
  const T signalling = from_bits<T>((infinity_bits<T>() + 1) | 1ull << (8 * sizeof(T) - 1));
  for (T any : {one, most<T>(), negated(most<T>()), least<T>()}) {
    BOOST_TEST(bits_of(sum_of<T>({any, up, any, any}).value()) == bits_of(up));
    BOOST_TEST(bits_of(sum_of<T>({down, any, down}).value()) == bits_of(down));
    BOOST_TEST(bits_of(sum_of<T>({down, any, up}).value()) == bits_of(nan));
    BOOST_TEST(bits_of(sum_of<T>({signalling, any, up}).value()) == bits_of(nan));
  }
  BOOST_TEST(same_bytes(sum_of<T>({one, up}), sum_of<T>({up, most<T>(), one})));
  BOOST_TEST(same_bytes(sum_of<T>({nan, one}), sum_of<T>({up, down, signalling})));
  BOOST_TEST((sum_of<T>({nan}) == sum_of<T>({up, down})));
  BOOST_TEST((sum_of<T>({up}) != sum_of<T>({down})));
  for_targets([&](auto to) {
    using To = decltype(to);
    BOOST_TEST(
        (bits_of(sum_of<T>({signalling}).template value_as<To>()) == bits_of(quiet_nan<To>())));
    BOOST_TEST((bits_of(sum_of<T>({down}).template value_as<To>()) == bits_of(infinite<To>(true))));
  });
}

BOOST_AUTO_TEST_CASE_TEMPLATE(overflow_is_judged_at_the_end, T, reals) {
  const T big = most<T>();
  const T half_step = units<T>(1, exponent_limit<T> - anatomy<T>::fraction - 2);
  BOOST_TEST(bits_of(sum_of<T>({big, big, negated(big)}).value()) == bits_of(big));
  BOOST_TEST(bits_of(sum_of<T>({big, half_step}).value()) == bits_of(infinite<T>()));
  BOOST_TEST(bits_of(sum_of<T>({big, half_step, negated(least<T>())}).value()) == bits_of(big));
  BOOST_TEST(
      bits_of(sum_of<T>({negated(big), negated(big)}).value()) == bits_of(infinite<T>(true)));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(there_is_room_for_2_to_the_41_of_the_largest_numbers, T, reals) {
  for (T x : {most<T>(), negated(most<T>())}) {
    exact_sum<T> sum(x), less(negated(x));
    for (int i = 0; i < 41; ++i) {
      sum += sum;
      less = less + less;
    }
    BOOST_TEST(bits_of(sum.value()) == bits_of(infinite<T>(anatomy<T>(x).negative)));
    sum += least<T>();
    sum += less;
    BOOST_TEST(bits_of(sum.value()) == bits_of(least<T>()));
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(what_cancels_leaves_nothing_behind, T, reals) {
  auto numbers = finite_numbers<T>(3000);
  std::vector<T> both = numbers;
  for (T x : numbers)
    both.push_back(negated(x));
  both.push_back(negated(least<T>()));
  std::shuffle(both.begin(), both.end(), std::mt19937_64(9));
  BOOST_TEST(same_bytes(sum_of<T>(both), exact_sum<T>(negated(least<T>()))));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(order_and_division_change_no_byte, T, reals) {
  std::vector<T> numbers = finite_numbers<T>(20000);
  const exact_sum<T> expected = sum_of<T>(numbers);
  std::mt19937_64 rng(7);
  for (std::size_t ways : {1, 2, 1000}) {
    std::shuffle(numbers.begin(), numbers.end(), rng);
    std::vector<exact_sum<T>> parts(ways);
    std::vector<thrust_hist::detail::carry_save<T>> saved(ways);
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      parts[i % ways] += numbers[i];
      saved[i * ways / numbers.size()].add(numbers[i]);
    }
    exact_sum<T> merged;
    thrust_hist::detail::carry_save<T> carried{};
    for (std::size_t i = 0; i < ways; ++i) {
      merged += parts[i];
      if (i % 3 == 0)
        saved[i].normalize();
      carried.add(saved[i]);
    }
    BOOST_TEST(same_bytes(merged, expected));
    BOOST_TEST((merged == expected));
    BOOST_TEST(same_bytes(exact_sum<T>(carried), expected));
    carried.normalize();
    BOOST_TEST(same_bytes(carried, static_cast<thrust_hist::detail::carry_save<T>>(expected)));
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(sums_near_ties_are_rounded_correctly, T, reals) {
  check_cases(ties<T>(16));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(sums_of_anything_are_rounded_correctly, T, reals) {
  const auto seed = std::random_device{}();
  BOOST_TEST_CONTEXT("seed " << seed)
  check_cases(random_cases<T>(20000, seed));
}

BOOST_AUTO_TEST_CASE(sums_are_values_that_thrust_folds) {
  const auto numbers = finite_numbers<float>(1000);
  const auto expected = sum_of<float>(numbers);
  std::vector<exact_sum<float>> sums(numbers.begin(), numbers.end());
  BOOST_TEST(
      (thrust::reduce(thrust::seq, sums.begin(), sums.end(), exact_sum<float>{}) == expected));
  const auto to_sum = [](float x) { return exact_sum<float>(x); };
  BOOST_TEST(
      (thrust::transform_reduce(
           thrust::seq, numbers.begin(), numbers.end(), to_sum, exact_sum<float>{},
           thrust::plus<exact_sum<float>>{}) == expected));
}

BOOST_AUTO_TEST_CASE(a_weighted_sum_keeps_the_squares) {
  weighted_sum<double> sum{};
  for (double w : {1., -2., 3.})
    sum += weighted_sum<double>::of(w);
  BOOST_TEST(sum.sum == 2);
  BOOST_TEST(sum.sum_of_squares == 14);
  BOOST_TEST((sum + weighted_sum<double>{} == sum));
  BOOST_TEST((sum + sum != sum));
  BOOST_TEST(weighted_sum<short>::of(7).sum_of_squares == 49);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(exact_sums_large, THRUST_HIST_TEST_LARGE)
using namespace exact_sum_setup;

BOOST_AUTO_TEST_CASE_TEMPLATE(sums_near_ties_of_every_exponent, T, reals) {
  check_cases(ties<T>(1));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(ten_million_numbers_have_the_sum_of_integers, T, reals) {
  constexpr int digits = anatomy<T>::fraction + 1, n = 10000000;
  std::mt19937_64 rng(5);
  exact_sum<T> sum;
  thrust_hist::detail::carry_save<T> saved{};
  int128 expected = 0;
  for (int i = 0; i < n; ++i) {
    const std::uint64_t random = rng();
    const auto integer = static_cast<std::int64_t>(random) >> (64 - digits);
    const T x = static_cast<T>(integer);
    expected += integer;
    sum += x;
    saved.add(x);
  }
  const bool negative = expected < 0;
  const auto magnitude = static_cast<uint128>(negative ? -expected : expected);
  wide_integer wide(negative, static_cast<std::uint64_t>(magnitude), 0);
  wide += wide_integer(negative, static_cast<std::uint64_t>(magnitude >> 64), 64);
  BOOST_TEST(bits_of(sum.value()) == rounded_bits<T>(wide, 0));
  BOOST_TEST(same_bytes(exact_sum<T>(saved), sum));
}

BOOST_AUTO_TEST_SUITE_END()
