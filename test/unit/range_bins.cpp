// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Range bins: edges and samples of any two types, equal edges, inclusive, NaN; and log_edges.

#include "../support/rule_checks.h"
#include <thrust_hist/bins.h>

#include <thrust/iterator/counting_iterator.h>

#include <cmath>
#include <limits>
#include <random>

BOOST_AUTO_TEST_SUITE(range_bins_rule)

namespace {

using thrust_hist::range_bins;
using thrust_hist::upper_edge;

template <class T>
T any(test::random& rng) {
  if constexpr (test::is_float<T>) {
    const T some[] = {T(-1e30), T(-2.5), T(-1), T(0), T(0.1), T(1), T(255.5), T(0x1p31), T(0x1p63)};
    const T x = some[rng() % 9];
    return rng() % 3 == 0 ? test::next_up(x) : rng() % 3 == 0 ? test::next_down(x) : x;
  } else
    return rng() % 3 == 0 ? static_cast<T>(rng()) : static_cast<T>(rng() % 600 - 300);
}

template <class Edge, class Sample>
void check_types() {
  test::random rng(sizeof(Edge) * 16 + sizeof(Sample));
  for (int round = 0; round < 60; ++round) {
    std::vector<Edge> edges(1 + rng() % 40);
    for (Edge& edge : edges)
      edge = any<Edge>(rng);
    std::sort(edges.begin(), edges.end());
    std::vector<Sample> samples;
    for (int i = 0; i < 100; ++i)
      samples.push_back(any<Sample>(rng));
    for (Edge edge : edges)
      samples.push_back(static_cast<Sample>(edge > Edge(0) && edge < Edge(100) ? edge : Edge(0)));
    for (auto ends : {upper_edge::exclusive, upper_edge::inclusive})
      test::check_rule(
          range_bins(edges.data(), edges.data() + edges.size(), ends), samples,
          test::range_reference(edges, ends == upper_edge::inclusive));
  }
}

template <class Edge, class... Samples>
void check_edges(std::tuple<Samples...> const&) {
  (check_types<Edge, Samples>(), ...);
}

using numbers = std::tuple<
    std::int8_t, std::uint8_t, std::int32_t, std::uint32_t, std::int64_t, std::uint64_t, float,
    double>;

}  // namespace

#ifndef __CUDACC__
BOOST_AUTO_TEST_CASE_TEMPLATE(edges_and_samples_of_different_types_compare_exactly, Edge, numbers) {
  check_edges<Edge>(numbers{});
}
#endif

BOOST_AUTO_TEST_CASE(the_last_of_equal_edges_wins_and_the_others_stay_empty) {
  const std::vector<double> edges{0, 1, 1, 1, 2, 2};
  const range_bins rule(edges.data(), edges.data() + edges.size());
  BOOST_TEST(rule.size() == 5);
  BOOST_TEST(rule(1) == 3);
  BOOST_TEST(rule(1.5) == 3);
  BOOST_TEST(rule(0.5) == 0);
  BOOST_TEST(rule(2.) == thrust_hist::no_bin::above);
  const range_bins inclusive(edges.data(), edges.data() + edges.size(), upper_edge::inclusive);
  BOOST_TEST(inclusive(2.) == 4);
}

BOOST_AUTO_TEST_CASE(nan_is_neither_and_infinities_are_outside_unless_they_are_edges) {
  const double infinity = std::numeric_limits<double>::infinity();
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const std::vector<double> finite{-1, 0, 1}, infinite{-infinity, 0, infinity};
  const range_bins rule(finite.data(), finite.data() + 3);
  BOOST_TEST(rule(nan) == thrust_hist::no_bin::neither);
  BOOST_TEST(rule(-infinity) == thrust_hist::no_bin::below);
  BOOST_TEST(rule(infinity) == thrust_hist::no_bin::above);
  BOOST_TEST(rule(-0.0) == 1);
  const range_bins all(infinite.data(), infinite.data() + 3);
  BOOST_TEST(all(-infinity) == 0);
  BOOST_TEST(all(infinity) == thrust_hist::no_bin::above);
  BOOST_TEST(all(nan) == thrust_hist::no_bin::neither);
  BOOST_TEST(
      range_bins(infinite.data(), infinite.data() + 3, upper_edge::inclusive)(infinity) == 1);
}

BOOST_AUTO_TEST_CASE(edges_may_come_from_any_iterator_and_keep_their_type) {
  const range_bins rule(
      thrust::make_counting_iterator<short>(10), thrust::make_counting_iterator<short>(20));
  static_assert(std::is_same_v<std::decay_t<decltype(rule.edge(0))>, short>);
  BOOST_TEST(rule.size() == 9);
  BOOST_TEST(rule.edge(0) == 10);
  BOOST_TEST(rule.edge(9) == 19);
  BOOST_TEST(rule(18.5) == 8);
}

BOOST_AUTO_TEST_CASE(log_edges_start_and_end_exactly_and_grow_by_one_factor) {
  for (int bins : {1, 2, 3, 10, 1000})
    for (auto [lower, upper] : {std::pair{1., 10.}, {1e-300, 1e300}, {0.1, 0.2}, {20., 20000.}}) {
      const std::vector<double> edges = thrust_hist::log_edges(bins, lower, upper);
      BOOST_TEST(edges.size() == static_cast<std::size_t>(bins) + 1);
      BOOST_TEST(edges.front() == lower);
      BOOST_TEST(edges.back() == upper);
      const double factor = std::pow(upper / lower, 1. / bins);
      for (std::size_t i = 1; i < edges.size(); ++i) {
        BOOST_REQUIRE(edges[i - 1] < edges[i]);
        if (upper < 1e10)
          BOOST_REQUIRE_CLOSE_FRACTION(edges[i] / edges[i - 1], factor, 1e-9);
      }
    }
}

BOOST_AUTO_TEST_CASE(log_edges_of_levels_that_nearly_touch_or_span_everything_stay_sorted) {
  const double tiny = std::numeric_limits<double>::denorm_min();
  const double huge = std::numeric_limits<double>::max();
  for (auto [lower, upper] :
       {std::pair{1., std::nextafter(1., 2.)}, {tiny, huge}, {tiny, 4 * tiny}, {huge / 2, huge}})
    for (int bins : {1, 2, 7, 1000}) {
      const std::vector<double> edges = thrust_hist::log_edges(bins, lower, upper);
      BOOST_TEST(edges.front() == lower);
      BOOST_TEST(edges.back() == upper);
      BOOST_TEST(std::is_sorted(edges.begin(), edges.end()));
    }
}

BOOST_AUTO_TEST_SUITE_END()
