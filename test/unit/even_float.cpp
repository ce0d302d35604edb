// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// build: fast-math twin
// build: optimised under sanitizers
// Even bins over floating-point samples: every edge, its two neighbours, and what lies between, on
// ranges that break the usual formula. The twin is compiled, and linked, with -ffast-math
// -march=native (--use_fast_math where CUDA runs it) and has to find the same bins.

#include "../support/checks.h"
#include "../support/many_ranges.h"

#include <cfloat>
#include <random>
#ifdef __CUDACC__
#  include "../support/half.cuh"
#endif

namespace even_float_setup {

using thrust_hist::even_bins;
using thrust_hist::upper_edge;
#ifdef __CUDACC__
using reals = std::tuple<float, double, __half, __nv_bfloat16>;
#else
using reals = std::tuple<float, double>;
#endif

constexpr test::bin bin_counts[] = {1, 2, 3, 4, 5, 7, 10, 100, 255, 256, 257, 1000, 6007};

template <class Sample>
void add(test::many_ranges<Sample>& ranges, double lower, double upper, test::bin bins) {
  if (test::order_of(test::round_to<Sample>(lower)) < test::order_of(test::round_to<Sample>(upper)))
    ranges.add(
        bins, lower, upper, test::edge_probes<Sample>(bins, lower, upper), [=](bool inclusive) {
          return test::even_reference<Sample>(bins, lower, upper, inclusive);
        });
}

template <class Sample>
void check_with_every_number_of_bins(std::vector<std::pair<double, double>> const& levels) {
  test::many_ranges<Sample> ranges;
  for (auto [lower, upper] : levels)
    for (test::bin bins : bin_counts)
      add(ranges, lower, upper, bins);
  ranges.check();
}

template <class Sample>
void check_notorious_ranges() {
  check_with_every_number_of_bins<Sample>(
      {{-1, 1},
       {-3, 3},
       {0, 7},
       {0, 1},
       {0.1, 0.7},
       {-0.3, 0.1},
       {1e30, 2e30},
       {-1e-3, 1e6},
       {1e15, 1e15 + 7},
       {0, 100},
       {-273.15, 1000},
       {16777216, 16777220},
       {1, 1.0000001}});
}

template <class Sample>
void check_whole_range() {
  const auto largest = test::to_double(test::next_down(test::infinity<Sample>()));
  check_with_every_number_of_bins<Sample>(
      {{-largest, largest},
       {0, largest},
       {largest / 2, largest},
       {-DBL_MAX, DBL_MAX},
       {-DBL_MAX, 1}});
}

template <class Sample>
void check_denormals() {
  std::vector<std::pair<double, double>> levels;
  {
    const test::plain_arithmetic for_the_levels_alone;
    const double least = test::to_double(test::from_bits<Sample>(1));
    const double normal = test::to_double(test::least_normal<Sample>());
    levels = {
        {0, least}, {0, 10 * least}, {-7 * least, 3 * least}, {0, normal}, {-normal, 2 * normal}};
  }
  check_with_every_number_of_bins<Sample>(levels);
}

template <class Sample>
void check_random_ranges() {
  test::many_ranges<Sample> ranges;
  test::random rng(sizeof(Sample));
  for (int i = 0; i < 10000; ++i) {
    double a = test::any_finite<Sample>(rng), b = test::any_finite<Sample>(rng);
    if (i % 2 == 0)
      b = a + (static_cast<double>(rng() % 1000) + 1) * a / 1000;
    if (test::anatomy<double>(b).is_special())
      continue;
    if (test::order_of(b) < test::order_of(a))
      std::swap(a, b);
    add(ranges, a, b, static_cast<test::bin>(1 + rng() % (i % 10 == 0 ? 500 : 20)));
  }
  ranges.check();
}

}  // namespace even_float_setup

BOOST_AUTO_TEST_SUITE(even_bins_of_reals_on_many_ranges, THRUST_HIST_TEST_LARGE)
using namespace even_float_setup;

BOOST_AUTO_TEST_CASE_TEMPLATE(edges_and_their_neighbours_on_notorious_ranges, Sample, reals) {
  check_notorious_ranges<Sample>();
}

BOOST_AUTO_TEST_CASE_TEMPLATE(the_whole_finite_range_of_the_type, Sample, reals) {
  check_whole_range<Sample>();
}

BOOST_AUTO_TEST_CASE_TEMPLATE(denormals_of_the_type, Sample, reals) {
  check_denormals<Sample>();
}

BOOST_AUTO_TEST_CASE_TEMPLATE(random_ranges, Sample, reals) {
  check_random_ranges<Sample>();
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(even_bins_of_reals, THRUST_HIST_TEST_SMALL)
using namespace even_float_setup;

BOOST_AUTO_TEST_CASE_TEMPLATE(
    levels_of_float_and_of_integers_give_the_same_as_doubles, Sample, reals) {
  for (test::bin bins : {1, 3, 7, 100}) {
    const auto probes = test::edge_probes<Sample>(bins, -3, 5);
    const auto expected = test::even_reference<Sample>(bins, -3, 5);
    test::check_rule(even_bins(bins, -3.F, 5.F), probes, expected);
    test::check_rule(even_bins(bins, -3, 5), probes, expected);
    test::check_rule(even_bins(bins, std::int8_t{-3}, 5U), probes, expected);
    test::check_rule(even_bins(bins, -3.F, std::uint64_t{5}), probes, expected);
    const double tenth = static_cast<double>(0.1F);
    test::check_rule(
        even_bins(bins, 0, 0.1F), test::edge_probes<Sample>(bins, 0, tenth),
        test::even_reference<Sample>(bins, 0, tenth));
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(inclusive_allows_a_range_of_one_number, Sample, reals) {
  for (double only : {0.0, -1.5, 0x1p-20}) {
    const even_bins rule(5, only, only, upper_edge::inclusive);
    const auto x = test::round_to<Sample>(only);
    test::check_rule(
        rule, std::vector<Sample>{x, test::next_up(x), test::next_down(x)},
        test::even_reference<Sample>(5, only, only, true));
  }
}

BOOST_AUTO_TEST_CASE(edge_gives_the_edges_in_double) {
  for (test::bin bins : bin_counts)
    for (auto [lower, upper] :
         {std::pair{-1.0, 1.0}, {0.1, 0.7}, {1e30, 2e30}, {-DBL_MAX, DBL_MAX}}) {
      const even_bins rule(bins, lower, upper);
      const std::vector<double> expected = test::even_edges(bins, lower, upper);
      for (test::bin i = 0; i <= bins; ++i)
        BOOST_REQUIRE(
            test::bits_of(rule.edge(i)) == test::bits_of(expected[static_cast<std::size_t>(i)]));
    }
}

BOOST_AUTO_TEST_SUITE_END()

#ifdef __CUDACC__
// The same rules on the host side of the same program: needs no GPU.
BOOST_AUTO_TEST_SUITE(even_bins_of_short_reals_on_the_host)
using namespace even_float_setup;

using short_reals = std::tuple<__half, __nv_bfloat16>;

BOOST_AUTO_TEST_CASE_TEMPLATE(fall_where_the_edges_say, Sample, short_reals) {
  const test::rules_on_the_host here;
  check_notorious_ranges<Sample>();
  check_whole_range<Sample>();
  check_denormals<Sample>();
  check_random_ranges<Sample>();
}

BOOST_AUTO_TEST_SUITE_END()
#endif
