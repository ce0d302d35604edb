// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// build: fast-math twin
// build: optimised under sanitizers
// Even bins about as narrow as the spacing of the samples, or narrower: rounding moves edges by a
// bin and more, and several become one. Compared with edges that are computed where they are
// needed.

#include "../support/checks.h"
#include "../support/many_ranges.h"

#ifdef __CUDACC__
#  include "../support/half.cuh"
#endif

BOOST_AUTO_TEST_SUITE(narrow_even_bins_of_reals, THRUST_HIST_TEST_LARGE)

namespace {

using thrust_hist::even_bins;
using thrust_hist::upper_edge;
#ifdef __CUDACC__
using reals = std::tuple<float, double, __half, __nv_bfloat16>;
#else
using reals = std::tuple<float, double>;
#endif

}  // namespace

BOOST_AUTO_TEST_CASE_TEMPLATE(edges_and_their_neighbours_among_very_many, Sample, reals) {
  test::many_ranges<Sample> ranges;
  for (auto const& [lower, upper] : test::narrow_ranges())
    for (test::bin bins : test::narrow_bin_counts)
      if (test::order_of(test::round_to<Sample>(lower)) <
          test::order_of(test::round_to<Sample>(upper)))
        ranges.add(
            bins, lower, upper, test::some_edge_probes<Sample>(bins, lower, upper),
            [bins = bins, lower = lower, upper = upper](bool inclusive) {
              return test::computed_even_reference<Sample>(bins, lower, upper, inclusive);
            });
  ranges.check();
}

// The twin with -ffast-math takes subnormal levels for zero where nobody looks at their bits.
BOOST_AUTO_TEST_CASE(steps_to_a_subnormal_level_are_not_whole) {
  const auto counts_steps = [](double lower, double upper) {
    return even_bins(256, lower, upper).for_samples<double, int>().counts_steps();
  };
  BOOST_TEST(counts_steps(-1, 0));
  BOOST_TEST(!counts_steps(-1, 0x1p-1074));
  BOOST_TEST(!counts_steps(0x1p-1040, 256));
  BOOST_TEST(!counts_steps(-0x1p-1040, 256));
}

BOOST_AUTO_TEST_CASE(no_bins_have_no_sample_inside) {
  BOOST_TEST(even_bins(0, 0., 1e30)(5.f) == test::above);
  BOOST_TEST(even_bins(0, 0., 1.)(0.5) == test::above);
}

BOOST_AUTO_TEST_SUITE_END()
