// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// NaN among more than a million real keys, where these are looked at, hashed, sorted, or counted
// range by range: each is a row of its own behind all numbers, in the order of the input, with its
// bits and its value.

#include "sparse_reals.h"

#include <cstddef>
#include <cstdint>
#include <limits>

namespace sparse_nan_setup {

using System = test::main_system;
using thrust_hist::sparse_histogram;
using thrust_hist::sparse_histogram_by_key;

inline std::uint64_t mixed(std::uint64_t i) {
  const std::uint64_t x = (i + 1) * 0x9e3779b97f4a7c15U;
  return (x ^ x >> 29) * 0x2545f4914f6cdd1dU;
}

// Each fiftieth key is a NaN of other bits than its neighbours; some are zeros of either sign, and
// infinities.
template <class Real, class Number>
test::samples<Real> with_nan(std::size_t n, Number number) {
  return test::samples<Real>(n, [&](std::size_t i) {
    const test::bits_type<Real> sign = i % 7 < 3 ? test::sign_bit<Real>() : 0;
    switch (i % 50) {
    case 3:
      return test::from_bits<Real>((test::infinity_bits<Real>() + 1 + i % 100003) | sign);
    case 4:
      return test::from_bits<Real>(sign);
    case 5:
      return i % 1000 == 5 ? test::from_bits<Real>(test::infinity_bits<Real>() | sign) : Real{1};
    default:
      return static_cast<Real>(number(i));
    }
  });
}

constexpr std::size_t n = (std::size_t{1} << 20) + 77;

// Counts, and sums of values by which rows can be told apart, by every route.
template <class A, class Real, class Number>
void check(Number number) {
  const auto keys = with_nan<Real>(n, number);
  test::check_sparse_counts<System>(keys, test::count_reals(keys));
  const test::samples<A> values(n, [](std::size_t i) { return i % 61; });
  test::check_sparse<System>(
      keys, values, test::reduce_reals<A>(keys, values),
      [](auto first, auto last, auto with, auto to, auto out, auto const& o) {
        return sparse_histogram_by_key(System::policy(), first, last, with, to, out, o);
      });
}

template <class A, class Real>
void check_all() {
  const auto any = [](std::uint64_t i) {
    return static_cast<double>(static_cast<std::int32_t>(mixed(i)));
  };
  BOOST_TEST_CONTEXT("few distinct numbers")
  check<A, Real>([&](std::size_t i) { return any(mixed(i) % 2000); });
  BOOST_TEST_CONTEXT("many")
  check<A, Real>([&](std::size_t i) { return any(mixed(i) % 100000); });
  BOOST_TEST_CONTEXT("some frequent ones")
  check<A, Real>(
      [&](std::size_t i) { return any(i % 3 == 0 ? mixed(i) % 5 : 1000 + mixed(i) % 20000); });
  BOOST_TEST_CONTEXT("nearly all distinct")
  check<A, Real>([&](std::size_t i) { return any(i); });
}

// So many that nobody forces a route to have them hashed.
template <class A, class Real>
void check_automatic(std::size_t distinct) {
  constexpr std::size_t many = (std::size_t{1} << 23) + 77;
  const auto keys = with_nan<Real>(many, [&](std::size_t i) {
    return static_cast<double>(static_cast<std::int32_t>(mixed(mixed(i) % distinct)));
  });
  const test::samples<A> values(many, [](std::size_t i) { return i % 5; });
  const auto expected = test::reduce_reals<A>(keys, values);
  const auto keys_there = test::buffer_of<System>(keys);
  const auto values_there = test::buffer_of<System>(values);
  test::sparse_output<System, Real, A> out(many);
  const auto ends = sparse_histogram_by_key(
      System::policy(), keys_there.data(), keys_there.data() + many, values_there.data(),
      out.keys(), out.values());
  out.check_ends(ends, expected.keys.size());
  out.check_equals(expected);
}

}  // namespace sparse_nan_setup

BOOST_AUTO_TEST_SUITE(sparse_nan, THRUST_HIST_TEST_LARGE)
using namespace sparse_nan_setup;

BOOST_AUTO_TEST_CASE(among_a_million_floats_with_sums_of_floats) {
  check_all<float, float>();
}

// Keys that are sorted bucket by bucket, and folded before it is known that hardly one is a number,
// or none.
BOOST_AUTO_TEST_CASE(nearly_all_and_all) {
  constexpr std::size_t some = 600007;
  for (std::size_t numbers : {std::size_t{1000}, some + 1}) {
    const test::samples<float> keys(some, [&](std::size_t i) {
      return i % numbers == numbers - 1 ? static_cast<float>(i)
                                        : test::from_bits<float>(static_cast<std::uint32_t>(
                                              test::infinity_bits<float>() + 1 + i % 100003));
    });
    const test::samples<float> values(some, [](std::size_t i) { return i % 61; });
    test::check_sparse<System>(
        keys, values, test::reduce_reals<float>(keys, values),
        [](auto first, auto last, auto with, auto to, auto out, auto const& o) {
          return sparse_histogram_by_key(System::policy(), first, last, with, to, out, o);
        });
  }
}

BOOST_AUTO_TEST_CASE(among_a_million_doubles_with_sums_of_integers) {
  check_all<std::uint64_t, double>();
}

BOOST_AUTO_TEST_CASE(among_numbers_that_lie_evenly_in_a_range) {
  constexpr std::size_t many = (std::size_t{1} << 23) + 77;
  const auto keys = with_nan<float>(many, [](std::size_t i) {
    return 1.F + static_cast<float>(mixed(i) % (1 << 21)) * 0x1p-21F;
  });
  const auto expected = test::count_reals(keys);
  const auto there = test::buffer_of<System>(keys);
  float const* const first = there.data();
  for (thrust_hist::route forced :
       {thrust_hist::route::automatic, thrust_hist::route::partitioned}) {
    test::sparse_output<System, float, std::uint64_t> out(many);
    const auto ends = sparse_histogram(
        System::policy(), first, first + many, out.keys(), out.values(),
        thrust_hist::options{}.force(forced));
    out.check_ends(ends, expected.keys.size());
    out.check_equals(expected);
  }
}

BOOST_AUTO_TEST_CASE(among_four_millions_on_the_automatic_route) {
  for (std::size_t distinct : {2000, 200000}) {
    check_automatic<float, float>(distinct);
    check_automatic<std::uint64_t, double>(distinct);
  }
}

// Of nothing else there is no code at all.
BOOST_AUTO_TEST_CASE(alone) {
  const test::samples<double> keys(n, [](std::size_t i) {
    return test::from_bits<double>(test::infinity_bits<double>() + 1 + mixed(i) % 1000);
  });
  test::check_sparse_counts<System>(keys, test::count_reals(keys));
}

BOOST_AUTO_TEST_SUITE_END()
