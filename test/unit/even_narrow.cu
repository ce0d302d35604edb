// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// build: fast-math twin
#include "../support/candidates.cuh"
#include "even_narrow.cpp"

// The rules without branches that kernels make of even bins: with few bins and with many, with
// samples far outside and with none.

BOOST_AUTO_TEST_SUITE(narrow_even_bins_in_kernels, THRUST_HIST_TEST_LARGE)
using namespace narrow_even_bins_of_reals;

namespace {

template <class Sample>
void check_candidates(test::bin bins, double lower, double upper, bool inclusive) {
  std::vector<Sample> probes = test::some_edge_probes<Sample>(bins, lower, upper);
  test::random rng(static_cast<std::uint64_t>(bins) + inclusive);
  for (int i = 0; i < 200; ++i)
    probes.push_back(test::from_bits<Sample>(rng()));  // anything
  const Sample nan = test::not_a_number<Sample>(), most = (std::numeric_limits<Sample>::max)(),
               infinity = std::numeric_limits<Sample>::infinity();
  for (Sample x : {nan, infinity, most, Sample{0}}) {
    probes.push_back(x);
    probes.push_back(-x);
  }
  // Where the sums of the kernels leave the range in which they hold a number.
  for (int log2 : {20, 21, 22, 23, 24, 31, 32, 51, 52, 53})
    for (int sign : {-1, 1})
      probes.push_back(static_cast<Sample>(
          lower + sign * std::ldexp((upper - lower) / static_cast<double>(bins), log2)));
  const even_bins rule(
      bins, lower, upper, inclusive ? upper_edge::inclusive : upper_edge::exclusive);
  const auto bound = rule.template for_samples<Sample, int>();
  const test::computed_even_reference<Sample> expected(bins, lower, upper, inclusive);

  const std::vector<std::uint32_t> found = test::candidates_of(bound, probes);
  for (std::size_t i = 0; i < probes.size(); ++i) {
    const test::bin bin = expected(probes[i]);
    const bool has_none = bin < 0 || bin >= bins;
    if (has_none ? found[i] < static_cast<std::uint64_t>(bins) : found[i] != bin) {
      BOOST_ERROR(
          "sample " << test::text_of(probes[i]) << " becomes " << found[i] << " instead of "
                    << bin);
      return;
    }
  }
  BOOST_TEST(true);
}

}  // namespace

using kernel_reals = std::tuple<float, double>;

BOOST_AUTO_TEST_CASE_TEMPLATE(candidates_are_the_bins_or_none, Sample, kernel_reals) {
  for (auto [lower, upper] : test::narrow_ranges())
    for (test::bin bins : test::narrow_bin_counts)
      for (bool inclusive : {false, true})
        if (test::order_of(test::round_to<Sample>(lower)) <
            test::order_of(test::round_to<Sample>(upper)))
          BOOST_TEST_CONTEXT(bins << " bins over [" << lower << ", " << upper << ")" << inclusive)
  check_candidates<Sample>(bins, lower, upper, inclusive);
}

BOOST_AUTO_TEST_SUITE_END()
