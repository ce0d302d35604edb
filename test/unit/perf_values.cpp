// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// build: optimised under sanitizers
// The values that benchmarks fold, tested: figures for "whole_range" say something only if the
// exponents are so distributed.

#include "../../perf/values.h"
#include "../support/boost_test.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <string>
#include <vector>

BOOST_AUTO_TEST_SUITE(values_of_the_benchmarks, *boost::unit_test::label("large"))

namespace {

using perf::value_kind;

constexpr std::uint64_t n = 1 << 20;

template <class T>
std::vector<T> values_of(value_kind k) {
  std::vector<T> v(n);
  for (std::uint64_t i = 0; i < n; ++i)
    v[i] = perf::value_at<T>(i, k);
  return v;
}

template <class T>
double mean_of(std::vector<T> const& v) {
  double sum = 0;
  for (T x : v)
    sum += static_cast<double>(x);
  return sum / static_cast<double>(v.size());
}

template <class T>
void check_unit() {
  std::vector<T> const v = values_of<T>(value_kind::unit);
  constexpr int digits = std::numeric_limits<T>::digits;
  for (T x : v) {
    BOOST_REQUIRE((x >= 0 && x < 1));
    const T scaled = std::ldexp(x, digits);
    BOOST_REQUIRE(scaled == std::floor(scaled));
  }
  BOOST_TEST(std::abs(mean_of(v) - 0.5) < 5 * std::sqrt(1 / 12. / n));
  // The last digit is used.
  const auto odd = std::count_if(
      v.begin(), v.end(), [](T x) { return std::fmod(std::ldexp(x, digits), T{2}) != 0; });
  BOOST_TEST(std::abs(static_cast<double>(odd) / n - 0.5) < 5 * 0.5 / std::sqrt(n));
}

template <class T>
void check_normal() {
  std::vector<T> const v = values_of<T>(value_kind::normal);
  double squares = 0;
  for (T x : v)
    squares += static_cast<double>(x) * static_cast<double>(x);
  BOOST_TEST(std::abs(mean_of(v)) < 5 / std::sqrt(n));
  BOOST_TEST(std::abs(squares / n - 1) < 5 * std::sqrt(2. / n));
  const auto beyond =
      std::count_if(v.begin(), v.end(), [](T x) { return std::abs(x) > T{1.959964}; });
  BOOST_TEST(std::abs(static_cast<double>(beyond) / n - 0.05) < 5 * std::sqrt(0.05 * 0.95 / n));
}

/// Exponents as frexp tells them; subnormal numbers, which have many, share the first bin.
template <class T>
void check_whole_range() {
  using limits = std::numeric_limits<T>;
  constexpr int normal =
      limits::max_exponent - limits::min_exponent + 1;  // exponents of normal ones
  constexpr int used = normal + 1 - 28;
  std::vector<std::size_t> counts(static_cast<std::size_t>(used));
  std::size_t negative = 0;
  std::set<T> distinct;
  for (std::uint64_t i = 0; i < n; ++i) {
    const T x = perf::value_at<T>(i, value_kind::whole_range);
    int exponent = 0;
    std::frexp(x, &exponent);
    const int bin = std::abs(x) < limits::min() ? 0 : exponent - limits::min_exponent + 1;
    BOOST_REQUIRE((bin >= 0 && bin < used));
    ++counts[static_cast<std::size_t>(bin)];
    negative += std::signbit(x);
    distinct.insert(x);
  }
  const double expected = static_cast<double>(n) / used;
  for (std::size_t count : counts)
    BOOST_TEST(std::abs(static_cast<double>(count) - expected) < 6 * std::sqrt(expected));
  BOOST_TEST(std::abs(static_cast<double>(negative) / n - 0.5) < 5 * 0.5 / std::sqrt(n));
  BOOST_TEST(distinct.size() > n * 99 / 100);
  // 2^27 of the largest have a finite sum.
  const T largest = std::ldexp(T{1}, limits::max_exponent - 28);
  BOOST_TEST(std::isfinite(largest * static_cast<T>(1 << 27)));
  BOOST_TEST(
      std::all_of(distinct.begin(), distinct.end(), [&](T x) { return std::abs(x) < largest; }));
}

}  // namespace

BOOST_AUTO_TEST_CASE(names_are_different) {
  std::set<std::string> names;
  for (value_kind k :
       {value_kind::unit, value_kind::normal, value_kind::whole_range, value_kind::bits})
    BOOST_TEST(names.insert(perf::name_of(k)).second, perf::name_of(k));
}

BOOST_AUTO_TEST_CASE(unit_values_are_uniform_multiples_of_the_last_digit_below_one) {
  check_unit<float>();
  check_unit<double>();
}

BOOST_AUTO_TEST_CASE(normal_values_have_the_moments_and_the_tails_of_their_name) {
  check_normal<float>();
  check_normal<double>();
}

BOOST_AUTO_TEST_CASE(whole_range_has_each_exponent_equally_often_and_finite_sums) {
  check_whole_range<float>();
  check_whole_range<double>();
}

BOOST_AUTO_TEST_CASE(integers_have_each_bit_half_the_time) {
  for (int bit = 0; bit < 64; ++bit) {
    std::size_t set = 0;
    for (std::uint64_t i = 0; i < n; ++i)
      set += perf::value_at<std::uint64_t>(i, value_kind::bits) >> bit & 1;
    BOOST_TEST(std::abs(static_cast<double>(set) / n - 0.5) < 5 * 0.5 / std::sqrt(n));
  }
}

// A sum by key would say little if large values went with some keys.
BOOST_AUTO_TEST_CASE(values_do_not_follow_keys) {
  double product = 0;
  for (std::uint64_t i = 0; i < n; ++i)
    product += (perf::value_at<double>(i, value_kind::unit) - 0.5) *
               (static_cast<double>(perf::key_at(i, n, n, perf::distribution::uniform)) / n - 0.5);
  BOOST_TEST(std::abs(product / n) < 5 / 12. / std::sqrt(n));
}

// Committed results are of these values. Normal ones depend on the last bit of log and cos.
BOOST_AUTO_TEST_CASE(values_are_those_of_the_committed_results) {
  std::uint64_t sum = 0;
  for (std::uint64_t i = 0; i < n; ++i) {
    for (value_kind k : {value_kind::unit, value_kind::whole_range}) {
      const float x = perf::value_at<float>(i, k);
      std::uint32_t bits = 0;
      std::memcpy(&bits, &x, sizeof bits);
      sum = sum * 31 + bits;
    }
    sum = sum * 31 + perf::value_at<std::uint64_t>(i, value_kind::bits);
  }
  BOOST_TEST(sum == 1391832301578423849U, "the values have sum " << sum);
}

BOOST_AUTO_TEST_SUITE_END()
