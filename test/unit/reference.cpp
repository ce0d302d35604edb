// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The reference's own arithmetic, against the machine's and against cases worked out by hand.

#include "../support/reference.h"

#include "../support/boost_test.h"

#include <cfloat>
#include <cmath>
#include <limits>
#include <random>

BOOST_AUTO_TEST_SUITE(reference)

BOOST_AUTO_TEST_CASE(rounding_to_float_agrees_with_the_machine) {
  std::mt19937_64 rng(1);
  for (int i = 0; i < 200000; ++i) {
    // Exponents around the whole range of float, its denormals and its overflow included.
    const std::uint64_t exponent = 1023 - 155 + rng() % 290;
    std::uint64_t bits = (rng() >> 63 << 63) | exponent << 52 | rng() >> 12;
    if (rng() % 4 == 0)
      bits &= ~std::uint64_t{0xfffffff};  // ties
    const double x = test::from_bits<double>(bits);
    BOOST_REQUIRE(test::bits_of(test::round_to<float>(x)) == test::bits_of(static_cast<float>(x)));
  }
  for (double x :
       {0.0, -0.0, DBL_MIN, DBL_MAX, -DBL_MAX, 0x1p-150, 0x1.000002p-150, 0x1.ffffffp127,
        0x1.fffffeffp127})
    BOOST_TEST(test::bits_of(test::round_to<float>(x)) == test::bits_of(static_cast<float>(x)), x);
}

BOOST_AUTO_TEST_CASE(rounding_to_double_changes_nothing) {
  for (double x : {0.0, -0.0, 1.0, -1.5, DBL_MIN, DBL_MIN / 3, DBL_TRUE_MIN, DBL_MAX, -DBL_MAX})
    BOOST_TEST(test::bits_of(test::round_to<double>(x)) == test::bits_of(x), x);
}

BOOST_AUTO_TEST_CASE(order_agrees_with_the_machine_for_numbers_of_one_type) {
  const double values[] = {
      -std::numeric_limits<double>::infinity(),
      -DBL_MAX,
      -1.5,
      -1,
      -DBL_MIN,
      -DBL_TRUE_MIN,
      0,
      DBL_TRUE_MIN,
      DBL_MIN / 2,
      DBL_MIN,
      0.1,
      1,
      1.5,
      2,
      3,
      4,
      1e300,
      DBL_MAX,
      std::numeric_limits<double>::infinity()};
  for (double a : values)
    for (double b : values)
      BOOST_TEST((test::order_of(a) < test::order_of(b)) == (a < b), a << " and " << b);
  BOOST_TEST((test::order_of(-0.0) == test::order_of(0.0)));
  BOOST_TEST((test::order_of(std::numeric_limits<double>::quiet_NaN()) == test::no_order));
}

BOOST_AUTO_TEST_CASE(order_compares_numbers_of_different_types_exactly) {
  using test::order_of;
  BOOST_TEST((order_of(-1) < order_of(256U)));
  BOOST_TEST((order_of(INT64_MAX) < order_of(0x1p63)));
  BOOST_TEST((order_of(UINT64_MAX) < order_of(0x1p64)));
  BOOST_TEST((order_of((std::int64_t{1} << 53) + 1) > order_of(0x1p53)));
  BOOST_TEST((order_of(16777217) > order_of(16777216.F)));
  BOOST_TEST((order_of(INT64_MIN) == order_of(-0x1p63F)));
  BOOST_TEST((order_of(0.1F) > order_of(0.1)));
  BOOST_TEST((order_of(3) < order_of(3.5F)));
  BOOST_TEST((order_of(-3) > order_of(-3.5F)));
  BOOST_TEST((order_of('\xff') == order_of(255)));
}

BOOST_AUTO_TEST_CASE(neighbours_are_the_next_numbers) {
  BOOST_TEST(test::next_up(1.F) == std::nextafter(1.F, 2.F));
  BOOST_TEST(test::next_down(1.0) == std::nextafter(1.0, 0.0));
  BOOST_TEST(test::next_up(-1.0) == std::nextafter(-1.0, 0.0));
  BOOST_TEST(test::next_down(0.F) == -FLT_TRUE_MIN);
  BOOST_TEST(test::next_up(-0.0) == DBL_TRUE_MIN);
  BOOST_TEST(test::next_up(FLT_MAX) == std::numeric_limits<float>::infinity());
}

BOOST_AUTO_TEST_CASE(integer_bins_are_those_of_the_exact_quotient) {
  for (std::int64_t lower : {-128, -7, 0, 3})
    for (std::int64_t upper : {4, 5, 100, 127})
      for (std::int64_t bins : {1, 2, 3, 7, 100, 300}) {
        const test::edge_list find = test::even_reference<int>(bins, lower, upper);
        for (std::int64_t x = lower; x < upper; ++x)
          BOOST_REQUIRE(find(x) == (x - lower) * bins / (upper - lower));
        BOOST_REQUIRE(find(lower - 1) == test::below);
        BOOST_REQUIRE(find(upper) == test::above);
      }
}

BOOST_AUTO_TEST_CASE(the_last_of_equal_edges_wins) {
  const test::edge_list find = test::range_reference(std::vector<int>{0, 2, 2, 2, 5, 5});
  BOOST_TEST(find(1) == 0);
  BOOST_TEST(find(2) == 3);
  BOOST_TEST(find(4) == 3);
  BOOST_TEST(find(5) == test::above);
  BOOST_TEST(test::range_reference(std::vector<int>{0, 2, 5, 5}, true)(5) == 2);
  BOOST_TEST(test::range_reference(std::vector<int>{4, 4}, true)(4) == 0);
  BOOST_TEST(test::range_reference(std::vector<int>{4})(4) == test::above);
}

BOOST_AUTO_TEST_CASE(even_edges_stay_finite_and_sorted_over_the_whole_range) {
  for (test::bin bins : {1, 2, 3, 7, 1000}) {
    const std::vector<double> edges = test::even_edges(bins, -DBL_MAX, DBL_MAX);
    BOOST_TEST(edges.size() == static_cast<std::size_t>(bins) + 1);
    BOOST_TEST(edges.front() == -DBL_MAX);
    BOOST_TEST(edges.back() == DBL_MAX);
    for (std::size_t i = 1; i < edges.size(); ++i)
      BOOST_REQUIRE(edges[i - 1] < edges[i]);
  }
}

BOOST_AUTO_TEST_SUITE_END()
