// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// build: fast-math twin
// Equal keys in a row may be folded among themselves before they come to their bin: runs of every
// length, beginning anywhere, and keys of which only some neighbours are equal. Minima and maxima
// among them, and floats that become doubles.

#include "../support/folds.h"
#include <thrust_hist/detail/operators.h>
#include <thrust_hist/histogram_by_key.h>

#include <thrust/iterator/transform_iterator.h>

#include <vector>

BOOST_AUTO_TEST_SUITE(folds_runs, THRUST_HIST_TEST_SMALL)

namespace {

// Runs of up to `longest` of the same key; some have no bin.
test::samples<int> runs_of(std::size_t n, test::bin bins, unsigned longest) {
  test::random rng(n + longest);
  std::vector<int> keys;
  while (keys.size() < n) {
    const auto key = static_cast<int>(rng() % static_cast<std::uint64_t>(bins + 2)) - 1;
    keys.insert(keys.end(), rng() % longest + 1, key);
  }
  keys.resize(n);
  return test::samples<int>(keys);
}

// Two keys, such that the first and the last of some neighbours are equal and others are not.
test::samples<int> ends_of(std::size_t n, std::size_t period, int other) {
  return test::samples<int>(n, [&](std::size_t i) { return i % period == 0 ? 5 : other; });
}

template <class Check>
void for_all_keys(Check const& check) {
  for (test::bin bins : {9, 9001})
    for (unsigned longest : {1, 2, 7, 30, 300})
      for (std::size_t n : {0, 1, 7, 8, 9, 15, 16, 17, 1003})
        check(runs_of(n, bins, longest), bins);
  for (int other : {0, 6, -1, 9001})
    for (std::size_t period : {1, 2, 3, 5, 7})
      check(ends_of(203, period, other), 9001);
}

template <class T>
test::samples<T> small_numbers(std::size_t n) {
  return test::samples<T>(n, [](std::size_t i) { return i * 2654435761U % 1009; });
}

template <class System, class T>
void check_sums() {
  for_all_keys([](auto const& keys, test::bin bins) {
    const auto values = small_numbers<T>(keys.size());
    const auto expected = test::fold(keys, values, bins, T(0), thrust::plus<T>{});
    test::check_fold<System>(
        keys, values, expected, [&](auto first, auto last, auto with, auto out, auto o) {
          return thrust_hist::histogram_by_key(System::policy(), first, last, with, out, bins, o);
        });
  });
}

// NaN of both signs, infinities, zeros of both signs, subnormal numbers.
template <class T>
test::samples<T> hostile_numbers(std::size_t n) {
  using a = test::anatomy<T>;
  const std::uint64_t sign = std::uint64_t{1} << (8 * sizeof(T) - 1);
  const std::uint64_t infinity = std::uint64_t{a::special} << a::fraction;
  const std::uint64_t some[] = {
      0, sign, 1, sign + 1, infinity, infinity, infinity + 1, sign + infinity, sign + infinity + 1};
  test::random rng(n);
  std::vector<T> list(n);
  for (T& x : list)
    x = test::from_bits<T>(rng() % 2 == 0 ? some[rng() % 9] : rng());
  return test::samples<T>(list);
}

// By the exact order of numbers; a zero is +0.
template <bool Largest, class T>
std::vector<T> extremes(
    test::samples<int> const& keys, test::samples<T> const& values, test::bin bins, T identity) {
  auto found = test::fold(keys, values, bins, identity, [](T a, T b) {
    const auto at = test::order_of(b);
    const bool is_beyond = Largest ? test::order_of(a) < at : at < test::order_of(a);
    return at != test::no_order && is_beyond ? b : a;
  });
  for (T& x : found)
    x = test::order_of(x) == 0 ? T(0) : x;
  return found;
}

template <class System, class T>
void check_extremes(T identity) {
  for_all_keys([&](auto const& keys, test::bin bins) {
    const auto values = hostile_numbers<T>(keys.size());
    const auto call = [&](auto op) {
      return [=](auto first, auto last, auto with, auto out, auto o) {
        return thrust_hist::histogram_by_key(
            System::policy(), first, last, with, out, bins, op, identity, o);
      };
    };
    test::check_fold<System>(
        keys, values, extremes<false>(keys, values, bins, identity),
        call(thrust_hist::detail::minimum_of<T>{}));
    test::check_fold<System>(
        keys, values, extremes<true>(keys, values, bins, identity),
        call(thrust_hist::detail::maximum_of<T>{}));
  });
}

}  // namespace

BOOST_AUTO_TEST_CASE_TEMPLATE(sums, System, test::systems) {
  check_sums<System, int>();
  check_sums<System, std::int64_t>();
  check_sums<System, float>();
  check_sums<System, double>();
}

BOOST_AUTO_TEST_CASE_TEMPLATE(minima_and_maxima, System, test::systems) {
  const float inf = test::from_bits<float>(0x7f800000U);
  for (float identity : {inf, -inf, 1.F, test::from_bits<float>(0x80000000U)})
    check_extremes<System, float>(identity);
  check_extremes<System, double>(-2.5);
}

// An operator of mine may throw or not; keys may be made when they are read.
BOOST_AUTO_TEST_CASE_TEMPLATE(other_operators_and_other_keys, System, test::systems) {
  const auto larger = [](int a, int b) { return a < b ? b : a; };
  const auto silent = [](int a, int b) noexcept { return a < b ? b : a; };
  const auto one_more = [](int key) { return key + 1; };
  for_all_keys([&](auto const& keys, test::bin bins) {
    const auto values = small_numbers<int>(keys.size());
    const auto expected = test::fold(keys, values, bins, 3, larger);
    const auto check = [&](auto op) {
      test::check_fold<System>(
          keys, values, expected, [&](auto first, auto last, auto with, auto out, auto o) {
            return thrust_hist::histogram_by_key(
                System::policy(), first, last, with, out, bins, op, 3, o);
          });
    };
    check(larger);
    check(silent);
    test::samples<int> made(keys.size(), [&](std::size_t i) { return keys[i] + 1; });
    test::check_fold<System>(
        keys, values, test::fold(made, values, bins, 0, thrust::plus<int>{}),
        [&](auto first, auto last, auto with, auto out, auto o) {
          return thrust_hist::histogram_by_key(
              System::policy(), thrust::make_transform_iterator(first, one_more),
              thrust::make_transform_iterator(last, one_more), with, out, bins, o);
        });
  });
}

// Each in a bin of its own: a zero is +0, and the unit of subnormal floats is a double like any
// other.
BOOST_AUTO_TEST_CASE_TEMPLATE(floats_of_any_size_become_doubles, System, test::systems) {
  const test::samples<std::uint32_t> sizes{0, 1, 2, 3, 0x7fffff, 0x800000, 0x800001, 0x7f800000};
  std::vector<int> keys;
  std::vector<float> values;
  std::vector<double> expected;
  for (std::size_t i = 0; i < 200; ++i) {
    const std::uint32_t size = sizes[i % sizes.size()];
    const bool is_negative = i % 3 == 0 && size != 0x7f800000;
    keys.push_back(static_cast<int>(i));
    values.push_back(test::from_bits<float>(size | (is_negative ? 0x80000000U : 0)));
    // In units of 2^-149: 2^23 of them up to the second of the numbers that are normal.
    const double wide =
        size == 0x7f800000
            ? test::from_bits<double>(std::uint64_t{0x7ff} << 52)
            : static_cast<double>(size) * test::from_bits<double>(std::uint64_t{1023 - 149} << 52);
    expected.push_back(is_negative && size != 0 ? -wide : wide);
  }
  for (const test::bin bins : {200, 201}) {
    expected.resize(static_cast<std::size_t>(bins));
    test::check_fold<System>(
        test::samples<int>(keys), test::samples<float>(values), expected,
        [&](auto first, auto last, auto with, auto out, auto o) {
          return thrust_hist::histogram_by_key(System::policy(), first, last, with, out, bins, o);
        });
  }
}

BOOST_AUTO_TEST_SUITE_END()
