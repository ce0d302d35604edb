// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// build: fast-math twin

// Range bins found by cells in shared memory or in a table: edges that crowd cells, leave them
// empty, lie at the ends of their type, or are one; samples at every edge and beside it, beyond
// all, and no numbers.

#include "range_lookup.h"

BOOST_AUTO_TEST_SUITE(range_lookup, THRUST_HIST_TEST_SMALL)
using namespace range_lookup_setup;

BOOST_AUTO_TEST_CASE(finds_the_bins_of_floats) {
  check_reals<float, float>();
}

BOOST_AUTO_TEST_CASE(finds_the_bins_of_doubles) {
  check_reals<double, double>();
}

BOOST_AUTO_TEST_CASE(finds_the_bins_of_floats_among_doubles) {
  check_reals<float, double>();
}

BOOST_AUTO_TEST_CASE(finds_the_bins_of_doubles_and_integers_among_floats) {
  constexpr float least = limits<float>::denorm_min();
  for (auto const& edges :
       {std::vector<float>{9 * least, 1, 2}, std::vector<float>{-1, -9 * least, 0, least, 1}}) {
    check_edges<double>("subnormal", edges);
    check_edges<std::int32_t>("subnormal", edges);
  }
}

BOOST_AUTO_TEST_CASE(finds_the_bins_of_integers) {
  check_integers<int, int>();
  check_integers<std::uint32_t, std::uint32_t>();
  check_integers<std::uint64_t, std::uint64_t>();
  check_integers<std::int64_t, std::int64_t>();
}

BOOST_AUTO_TEST_CASE(finds_the_bins_of_integers_among_edges_of_another_width) {
  check_integers<std::int32_t, std::int64_t>();
  check_integers<std::int64_t, std::int16_t>();
  check_integers<std::uint16_t, std::uint16_t>();
  check_integers<std::uint32_t, std::uint16_t>();
}

BOOST_AUTO_TEST_CASE(finds_the_bins_of_short_integers) {
  check_integers<std::int16_t, std::int16_t>();
  check_integers<std::int8_t, std::int8_t>();
}

BOOST_AUTO_TEST_CASE(finds_bins_between_more_edges_than_shared_memory_holds) {
  constexpr std::size_t n = 30000;
  check_many_edges<float>("squares", edges_by<float>(n, [](double x) { return x * x * 1e6; }));
  check_many_edges<double>("equal", std::vector<double>(n, 2.));
}

// Nobody has judged device edges where the policy does not wait: any count may come, and no fault.
BOOST_AUTO_TEST_CASE(edges_out_of_order_do_no_harm) {
  test::random rng(5);
  const float nan = test::not_a_number<float>();
  for (std::size_t n : {2, 17, 160, 5001, 70001}) {
    const test::samples<float> s(20011, [&](std::size_t) { return rng() % 1000; });
    const test::samples<float> edges(
        n, [&](std::size_t i) { return i % 5 == 4 ? nan : static_cast<float>(rng() % 1000); });
    auto in = test::buffer_of<test::cuda>(s);
    auto there = test::buffer_of<test::cuda>(edges);
    float const* const first = in.data();
    float const* const first_edge = there.data();
    for (route forced : {route::shared, route::shared_split, route::partitioned, route::global}) {
      if (forced == route::shared && n > 57000)
        continue;
      test::output<test::cuda, std::uint32_t> out(n - 1);
      thrust_hist::histogram_range(
          thrust::cuda::par_nosync, first, first + s.size(), out.data(), first_edge, first_edge + n,
          thrust_hist::options{}.force(forced));
      std::uint64_t sum = 0;
      for (std::uint32_t count : out.contents())
        sum += count;
      BOOST_TEST(sum <= s.size());
    }
  }
}

BOOST_AUTO_TEST_CASE(takes_the_upper_edge_in_where_asked) {
  constexpr float infinity = limits<float>::infinity();
  const float most = limits<float>::max();
  check_inclusive<float>({0, 1, 2, 2});
  check_inclusive<float>({0, 1, 2, 4});
  check_inclusive<float>({-4, -3, -2, -0.f});
  check_inclusive<float>({-infinity, 1, 1, infinity});
  check_inclusive<float>({0, 1, 2, infinity});
  check_inclusive<double>({0, 1, 2, limits<double>::infinity()});
  check_inclusive<float, double>({0, 0.1});
  check_inclusive<float, double>({0, 1, 1e39});
  check_inclusive<float, std::int32_t>({0, 16777217});
  check_inclusive<float>({-most, 0, most});
  check_inclusive<float>({-2, -limits<float>::denorm_min()});
  check_inclusive<double>({1e-300, 1, 1e10, 1e300});
  check_inclusive<std::int32_t>({0, 3, 10, 11});
  check_inclusive<std::int32_t>({-5, 3, limits<std::int32_t>::max()});
  check_inclusive<std::uint64_t>({0, 1, 1000, 1u << 31, limits<std::uint64_t>::max()});
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(range_lookup_large, THRUST_HIST_TEST_LARGE)
using namespace range_lookup_setup;

BOOST_AUTO_TEST_CASE(finds_bins_between_very_many_edges) {
  constexpr float infinity = limits<float>::infinity();
  for (std::size_t n : {30000, 60001, 250007}) {
    test::random rng(n);
    check_many_edges<float>("even", edges_by<float>(n, [](double x) { return x * 3 - 1; }));
    check_many_edges<float>("squares", edges_by<float>(n, [](double x) { return x * x * 1e6; }));
    check_many_edges<float>(
        "decades", edges_by<float>(n, [](double x) { return std::pow(10., x * 60 - 30); }));
    check_many_edges<float>("infinite at both ends", edges_by<float>(n, [](double x) {
                              return x == 0 ? -infinity : x == 1 ? infinity : x;
                            }));
    check_many_edges<float>("all in one region", edges_by<float>(n, [](double x) {
                              return x == 0 ? -1e30 : x < 1e-3 ? 0. : x > .999 ? 1e30 : 1 + x * .1;
                            }));
    check_many_edges<float>("all in one cell", edges_by<float>(n, [](double x) {
                              return x < .1 ? 1. : x > .9 ? 1.5 : 1.1 + x * 1e-3;
                            }));
    check_many_edges<float>(
        "many equal", edges_by<float>(n, [](double x) { return std::floor(x * 1000); }));
    check_many_edges<float>("equal", std::vector<float>(n, 2.f));
    check_many_edges<float>(
        "126 to 130 equal", edges_by<float>(n, [&](double x) {
          const auto i = static_cast<long>(std::lround(x * static_cast<double>(n)));
          const long j = i % 640;
          const long run = j < 126 ? 0 : j < 253 ? 1 : j < 381 ? 2 : j < 510 ? 3 : 4;
          return static_cast<double>(i / 640 * 5 + run);
        }));
    check_many_edges<std::uint32_t>(
        "up to the largest", edges_by<std::uint32_t>(n, [](double x) { return x * 4294967295.; }));
    check_many_edges<double>("random", edges_by<double>(n, [&](double) {
                               return static_cast<double>(rng()) / 7 - 5000;
                             }));
    check_many_edges<float, double>("doubles for floats", edges_by<double>(n, [&](double) {
                                      return static_cast<double>(rng() % (1 << 28)) * 1e-6;
                                    }));
    check_many_edges<int>("integers", edges_by<int>(n, [&](double) {
                            return static_cast<double>(static_cast<int>(rng()));
                          }));
    check_many_edges<std::int64_t, std::int64_t>(
        "long integers",
        edges_by<std::int64_t>(n, [](double x) { return std::ldexp(x * x * x - .5, 62); }));
    // Regions that grow: of 32 and 64 bits, from a negative edge, up to the largest, and with an
    // edge far below.
    check_many_edges<std::uint32_t>(
        "powers", edges_by<std::uint32_t>(n, [](double x) { return 1024 * std::exp2(x * 21); }));
    check_many_edges<std::uint64_t, std::uint64_t>(
        "long powers", edges_by<std::uint64_t>(n, [](double x) { return std::exp2(x * 63.9); }));
    check_many_edges<int>("powers from below", edges_by<int>(n, [](double x) {
                            return x == 0 ? -2147483648. : -1e6 + std::exp2(x * 30);
                          }));
    check_many_edges<std::int64_t, std::int64_t>(
        "crowded below", edges_by<std::int64_t>(n, [](double x) {
          return x == 1 ? 9e18 : x < .999 ? -9e18 + x * 1e6 : std::exp2(x * 60);
        }));
    check_many_edges<std::uint64_t, std::uint32_t>(
        "narrow edges", edges_by<std::uint32_t>(n, [](double x) { return x * 4e9; }));
  }
}

BOOST_AUTO_TEST_SUITE_END()
