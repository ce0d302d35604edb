// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// histogram_range on every route: edges of every kind, on either side.

#include "../support/containers.h"
#include "../support/fewer.h"
#include "../support/rule_checks.h"
#include <thrust_hist/bins.h>
#include <thrust_hist/histogram.h>
#include <thrust_hist/histogram_range.h>

#include <thrust/iterator/counting_iterator.h>

#include <algorithm>

BOOST_AUTO_TEST_SUITE(range, THRUST_HIST_TEST_SMALL)

namespace {

template <class Edge>
std::vector<Edge> some_edges(std::size_t n, std::uint64_t seed) {
  test::random rng(seed);
  std::vector<Edge> edges(n);
  for (Edge& edge : edges)
    edge = static_cast<Edge>(static_cast<double>(rng() % 2000) / 8 - 100);
  std::sort(edges.begin(), edges.end());
  return edges;
}

template <class System, class Edge, class Sample>
void check_range(std::vector<Edge> const& edges, test::samples<Sample> const& s) {
  const auto expected = test::count(s, test::range_reference(edges));
  auto there = test::buffer_of<System>(test::samples<Edge>(edges));
  Edge const* const first_edge = there.data();
  for (thrust_hist::route forced : System::every_route())
    BOOST_TEST_CONTEXT(edges.size() << " edges")
  test::check_route<System, std::uint32_t>(
      forced, s, expected, [&](auto first, auto last, auto out, auto options) {
        return thrust_hist::histogram_range(
            System::policy(), first, last, out, first_edge, first_edge + edges.size(), options);
      });
}

template <class System, class Edge, class Sample>
void check_types() {
  test::random rng(3);
  const test::samples<Sample> s(10007, [&](std::size_t) {
    const double x = static_cast<double>(rng() % 2400) / 8 - 120;
    if constexpr (std::is_integral_v<Sample>)
      return static_cast<Sample>(static_cast<int>(x));  // modulo 2^bits
    return static_cast<Sample>(x);
  });
  for (std::size_t n : test::fewer({1, 2, 3, 5, 6, 17, 101, 257, 3000}, {6, 257}))
    check_range<System>(some_edges<Edge>(n, n), s);
}

}  // namespace

BOOST_AUTO_TEST_CASE_TEMPLATE(real_edges_for_real_samples, System, test::systems) {
  check_types<System, float, float>();
  check_types<System, double, double>();
}

BOOST_AUTO_TEST_CASE_TEMPLATE(integer_edges_for_integer_samples, System, test::systems) {
  check_types<System, int, int>();
  check_types<System, std::int64_t, std::int8_t>();
}

BOOST_AUTO_TEST_CASE_TEMPLATE(edges_of_another_type_than_the_samples, System, test::systems) {
  check_types<System, double, float>();
  check_types<System, double, int>();
  check_types<System, int, float>();
}

enum class level : unsigned short { low = 1, middle = 5, high = 60000 };
enum signed_level : short { below = -3, zero = 0 };

// What counts as an integer is compared as one.
template <class System, class Sample, class Edge>
void check_converted(std::vector<Sample> const& some, std::vector<Edge> const& edges) {
  std::vector<std::uint64_t> expected(edges.size() - 1);
  const test::samples<Sample> s(3000, [&](std::size_t i) { return some[i % some.size()]; });
  for (Sample x : s)
    for (std::size_t i = 0; i + 1 < edges.size(); ++i)
      if (static_cast<Edge>(x) >= edges[i] && static_cast<Edge>(x) < edges[i + 1])
        ++expected[i];
  auto there = test::buffer_of<System>(test::samples<Edge>(edges));
  Edge const* const first_edge = there.data();
  for (thrust_hist::route forced : System::every_route())
    test::check_route<System, std::uint32_t>(
        forced, s, expected, [&](auto first, auto last, auto out, auto options) {
          return thrust_hist::histogram_range(
              System::policy(), first, last, out, first_edge, first_edge + edges.size(), options);
        });
}

BOOST_AUTO_TEST_CASE_TEMPLATE(samples_that_count_as_integers, System, test::systems) {
  check_converted<System, level, unsigned short>(
      {level::low, level::middle, level::high}, {0, 2, 5, 6, 60001});
  check_converted<System, signed_level, short>({below, zero}, {-4, -3, 0, 1});
  check_converted<System, std::byte, unsigned char>(
      {std::byte{0}, std::byte{7}, std::byte{255}}, {0, 1, 7, 200});
  check_converted<System, bool, unsigned char>({true, false, true}, {0, 1, 2});
  check_converted<System, char, int>({'a', 'b', 'z'}, {0, 'b', 'z', 300});
}

BOOST_AUTO_TEST_CASE_TEMPLATE(edges_of_bool_in_either_memory, System, test::systems) {
  const test::samples<int> s(10007, [](std::size_t i) { return static_cast<int>(i % 5) - 2; });
  const std::vector<bool> edges{false, true};
  check_range<System>(edges, s);
  const auto counts = test::count(s, test::range_reference(edges));
  const auto check = [&](auto first_edge, auto last_edge) {
    test::check_counts<System, int>(s, counts, [&](auto first, auto last, auto out) {
      return thrust_hist::histogram_range(
          System::policy(), first, last, out, first_edge, last_edge);
    });
  };
  check(edges.begin(), edges.end());
  std::vector<bool> changeable = edges;  // has iterators of another type
  check(changeable.begin(), changeable.end());
  test::vector_of<System, bool> there(2, false);
  there[1] = true;
  check(there.begin(), there.end());
}

BOOST_AUTO_TEST_CASE_TEMPLATE(edges_in_host_memory, System, test::systems) {
  const test::samples<float> s(10007, [](std::size_t i) { return i % 300; });
  for (std::size_t n : {1, 2, 17, 3000}) {
    const auto edges = some_edges<double>(n, n);
    for (thrust_hist::route forced : System::every_route())
      test::check_route<System, std::uint32_t>(
          forced, s, test::count(s, test::range_reference(edges)),
          [&](auto first, auto last, auto out, auto options) {
            return thrust_hist::histogram_range(
                System::policy(), first, last, out, edges.begin(), edges.end(), options);
          });
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(nan_and_samples_outside_are_not_counted, System, test::systems) {
  const test::samples<double> s{-1e300,
                                -1,
                                -0.0,
                                0,
                                0.5,
                                1,
                                1.5,
                                2,
                                1e300,
                                test::not_a_number<double>(),
                                test::infinity<double>()};
  check_range<System>(std::vector<double>{-1, 0, 1, 1, 1, 2}, s);
  check_range<System>(
      std::vector<double>{-test::infinity<double>(), 0, test::infinity<double>()}, s);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(the_rule_takes_the_upper_edge_in_where_asked, System, test::systems) {
  const test::samples<float> s{0, 1, 2, 2, 2, 3};
  auto edges = test::buffer_of<System>(test::samples<float>{0, 1, 2});
  float const* const there = edges.data();
  test::check_counts<System, int>(s, {1, 4}, [&](auto first, auto last, auto out) {
    return thrust_hist::histogram(
        System::policy(), first, last, out,
        thrust_hist::range_bins(there, there + 3, thrust_hist::upper_edge::inclusive));
  });
  test::check_counts<System, int>(s, {1, 1}, [&](auto first, auto last, auto out) {
    return thrust_hist::histogram(
        System::policy(), first, last, out, thrust_hist::range_bins(there, there + 3));
  });
}

BOOST_AUTO_TEST_CASE_TEMPLATE(logarithmic_edges_count_decades, System, test::systems) {
  const std::vector<double> edges = thrust_hist::log_edges(6, 1e-3, 1e3);
  const test::samples<float> s(
      5000, [](std::size_t i) { return 1e-4 * static_cast<double>(i * i); });
  check_range<System>(edges, s);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(edges_from_an_iterator_without_memory, System, test::systems) {
  const test::samples<float> s(
      5000, [](std::size_t i) { return static_cast<double>(i) / 10 - 50; });
  std::vector<int> edges(101);
  for (std::size_t i = 0; i < edges.size(); ++i)
    edges[i] = static_cast<int>(i);
  const auto counting = thrust::make_counting_iterator(0);
  test::check_counts<System, int>(
      s, test::count(s, test::range_reference(edges)), [&](auto first, auto last, auto out) {
        return thrust_hist::histogram_range(
            System::policy(), first, last, out, counting, counting + 101);
      });
}

BOOST_AUTO_TEST_SUITE_END()
