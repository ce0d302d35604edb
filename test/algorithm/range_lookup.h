// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Range bins found by cells: edges on all sides, samples at each and beside it, on the routes that
// have cells.

#include "../support/around_edges.h"
#include "../support/containers.h"
#include "../support/fewer.h"
#include "../support/rule_checks.h"
#include <thrust_hist/bins.h>
#include <thrust_hist/histogram.h>
#include <thrust_hist/histogram_range.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

namespace range_lookup_setup {

using thrust_hist::route;

template <class T>
using limits = std::numeric_limits<T>;

template <class Sample, class Edge>
test::samples<Sample> samples_around(std::vector<Edge> const& edges) {
  const auto s = test::samples_around<Sample>(edges);
  return test::samples<Sample>(s.size(), [&](std::size_t i) { return s[i]; });
}

template <class Sample, class Edge>
void check_edges(char const* name, std::vector<Edge> edges) {
  std::sort(edges.begin(), edges.end());
  const auto s = samples_around<Sample>(edges);
  const auto expected = test::count(s, test::range_reference(edges));
  auto there = test::buffer_of<test::cuda>(test::samples<Edge>(edges));
  Edge const* const first_edge = there.data();
  thrust_hist::plan plan;
  Sample const* const none = nullptr;
  thrust_hist::histogram_range(
      test::cuda::policy(), none, none, static_cast<std::uint32_t*>(nullptr), first_edge,
      first_edge + edges.size(), thrust_hist::options{}.force(route::shared).explain(&plan));
  BOOST_TEST(plan.shared_bytes > edges.size() * (4 + sizeof(Edge)) + 4096, name << ": no cells");
  // 160 edges at most go to a counter for each lane. The last two routes have a table in memory.
  for (route forced :
       {route::shared, edges.size() <= 160 ? route::shared_lanes : route::shared,
        route::shared_split, route::partitioned})
    BOOST_TEST_CONTEXT(name << ", " << edges.size() << " edges")
  test::check_route<test::cuda, std::uint32_t>(
      forced, s, expected, [&](auto first, auto last, auto out, auto options) {
        return thrust_hist::histogram_range(
            test::cuda::policy(), first, last, out, first_edge, first_edge + edges.size(), options);
      });
}

// Edges of which the last one belongs to the last bin.
template <class Sample, class Edge = Sample>
void check_inclusive(std::vector<Edge> const& edges) {
  const auto s = samples_around<Sample>(edges);
  const auto expected = test::count(s, test::range_reference(edges, true));
  auto there = test::buffer_of<test::cuda>(test::samples<Edge>(edges));
  Edge const* const first_edge = there.data();
  for (route forced : {route::shared, route::shared_lanes, route::shared_split, route::partitioned})
    test::check_route<test::cuda, std::uint32_t>(
        forced, s, expected, [&](auto first, auto last, auto out, auto options) {
          return thrust_hist::histogram(
              test::cuda::policy(), first, last, out,
              thrust_hist::range_bins(
                  first_edge, first_edge + edges.size(), thrust_hist::upper_edge::inclusive),
              options);
        });
}

// More edges than shared memory holds, by the route that is chosen and by those with a table.
template <class Sample, class Edge>
void check_many_edges(char const* name, std::vector<Edge> edges) {
  std::sort(edges.begin(), edges.end());
  const auto s = samples_around<Sample>(edges);
  const auto expected = test::count(s, test::range_reference(edges));
  auto there = test::buffer_of<test::cuda>(test::samples<Edge>(edges));
  Edge const* const first_edge = there.data();
  const auto run = [&](auto first, auto last, auto out, auto options) {
    return thrust_hist::histogram_range(
        test::cuda::policy(), first, last, out, first_edge, first_edge + edges.size(), options);
  };
  for (route forced : {route::automatic, route::shared, route::shared_split, route::partitioned})
    BOOST_TEST_CONTEXT(name << ", " << edges.size() << " edges") {
      if (forced == route::shared && edges.size() > 57000)
        continue;
      Sample const* const none = nullptr;
      thrust_hist::plan plan, without_cells;
      unsigned const* const no_keys = nullptr;
      const auto out = static_cast<std::uint32_t*>(nullptr);
      run(none, none + s.size(), out, thrust_hist::options{}.force(forced).explain(&plan));
      thrust_hist::histogram(
          test::cuda::policy(), no_keys, no_keys + s.size(), out, edges.size() - 1,
          thrust_hist::options{}.force(plan.taken).explain(&without_cells));
      BOOST_TEST(
          plan.scratch_bytes >= without_cells.scratch_bytes + 2 * sizeof(Edge) * edges.size(),
          "no table");
      test::check_route<test::cuda, std::uint32_t>(forced, s, expected, run);
      if (forced == route::automatic) {  // without room for the table
        auto in = test::buffer_of<test::cuda>(s);
        test::output<test::cuda, std::uint32_t> out(expected.size());
        Sample const* const first = in.data();
        run(first, first + s.size(), out.data(), thrust_hist::options{}.max_temporary_bytes(0));
        out.check_equals(test::convert<std::uint32_t>(expected));
      }
    }
}

template <class Edge, class Function>
std::vector<Edge> edges_by(std::size_t n, Function f) {
  std::vector<Edge> edges(n);
  for (std::size_t i = 0; i < n; ++i)
    edges[i] = static_cast<Edge>(f(static_cast<double>(i) / static_cast<double>(n - 1)));
  return edges;
}

template <class Sample, class Edge>
void check_reals() {
  constexpr Edge most = static_cast<Edge>((limits<Sample>::max)());
  constexpr Edge least = static_cast<Edge>(limits<Sample>::denorm_min());
  constexpr Edge infinity = limits<Edge>::infinity();
  for (std::size_t n : test::fewer<std::size_t>({2, 17, 160, 1500, 5001}, {17, 1500})) {
    test::random rng(n);
    check_edges<Sample>("even", edges_by<Edge>(n, [](double x) { return x * 3 - 1; }));
    check_edges<Sample>("squares", edges_by<Edge>(n, [](double x) { return x * x * 1e6; }));
    check_edges<Sample>(
        "decades", edges_by<Edge>(n, [](double x) { return std::pow(10., x * 60 - 30); }));
    check_edges<Sample>(
        "one far away", edges_by<Edge>(n, [](double x) { return x == 1 ? 1e30 : x; }));
    check_edges<Sample>("all in one cell of either kind", edges_by<Edge>(n, [](double x) {
                          return x == 0 ? -1e30 : x == 1 ? 1e30 : 1 + x * 1e-3;
                        }));
    check_edges<Sample>("many equal", edges_by<Edge>(n, [](double x) { return x > .5 ? 2 : 1; }));
    check_edges<Sample>("random", edges_by<Edge>(n, [&](double) {
                          return static_cast<double>(rng() % 100000) / 7 - 5000;
                        }));
  }
  check_edges<Sample>("one bin", std::vector<Edge>{0, 1});
  check_edges<Sample>("no width", std::vector<Edge>{1, 1});
  check_edges<Sample>("one edge", std::vector<Edge>{1});
  check_edges<Sample>("zeros", std::vector<Edge>{-1, -Edge{0}, 0, 1});
  check_edges<Sample>("the whole range", std::vector<Edge>{-most, -1, 0, 1, most});
  check_edges<Sample>("infinite", std::vector<Edge>{-infinity, -1, 0, 1, infinity});
  check_edges<Sample>("infinite at one end", std::vector<Edge>{-3, 0, 1, infinity});
  check_edges<Sample>("subnormal", std::vector<Edge>{-3 * least, -least, 0, least, 2 * least});
}

template <class Sample, class Edge>
void check_integers() {
  constexpr Edge lowest = limits<Edge>::lowest();
  constexpr Edge highest = (limits<Edge>::max)();
  for (std::size_t n : test::fewer<std::size_t>({2, 17, 160, 1500, 5001}, {17, 1500})) {
    test::random rng(n);
    check_edges<Sample>("even", edges_by<Edge>(n, [](double x) { return x * 100; }));
    check_edges<Sample>("squares", edges_by<Edge>(n, [&](double x) {
                          return x * x * static_cast<double>(highest / 2);
                        }));
    std::vector<Edge> edges(n);
    for (Edge& edge : edges)
      edge = static_cast<Edge>(rng());
    check_edges<Sample>("random", edges);
  }
  check_edges<Sample>("the whole range", std::vector<Edge>{lowest, 0, 1, highest});
  check_edges<Sample>("no width", std::vector<Edge>{3, 3});
}

}  // namespace range_lookup_setup
