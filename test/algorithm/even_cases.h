// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// histogram_even on every route: every edge, its neighbours and what lies between. The units beside
// it choose the types, since each of them costs a CUDA unit seconds.

#include "../support/rule_checks.h"
#include "sample_types.h"
#include <thrust_hist/histogram_even.h>

#include <limits>

namespace test {

template <class System, class Sample, class Lower, class Upper>
void check_even(samples<Sample> const& s, bin bins, Lower lower, Upper upper) {
  const auto expected = count(s, even_reference<Sample>(bins, lower, upper));
  for (thrust_hist::route forced : System::every_route())
    BOOST_TEST_CONTEXT(bins << " bins over [" << +lower << ", " << +upper << ")")
  check_route<System, std::uint32_t>(
      forced, s, expected, [&](auto first, auto last, auto out, auto options) {
        return thrust_hist::histogram_even(
            System::policy(), first, last, out, bins, lower, upper, options);
      });
}

// Probes around the edges, over and over until there are n.
template <class Sample>
samples<Sample> repeated(std::vector<Sample> const& probes, std::size_t n) {
  return samples<Sample>(n, [&](std::size_t i) { return probes[i * 7919 % probes.size()]; });
}

template <class System, class Sample>
void check_real_samples() {
  const std::pair<double, double> ranges[] = {{-1, 1},    {-3, 3},      {0, 7},
                                              {0.1, 0.7}, {1e30, 2e30}, {0, 1e-40}};
  for (auto [lower, upper] : ranges)
    for (bin bins : {1, 2, 5, 100, 257, 6007}) {
      if (order_of(round_to<Sample>(lower)) >= order_of(round_to<Sample>(upper)) ||
          anatomy<Sample>(round_to<Sample>(upper)).is_special())
        continue;
      const auto probes = edge_probes<Sample>(bins, lower, upper);
      check_even<System>(repeated(probes, probes.size() + 3001), bins, lower, upper);
    }
  const auto probes = edge_probes<Sample>(9, -4, 5);
  check_even<System>(repeated(probes, 1000), 9, -4, 5);
}

// The ends of the type, what lies beside them, the smallest numbers and those of every length.
template <class Sample>
samples<Sample> integer_samples(std::size_t n) {
  using limits = std::numeric_limits<typename integer_under<Sample>::type>;
  random rng(sizeof(Sample));
  return samples<Sample>(n, [&](std::size_t i) {
    return i % 4 == 0   ? static_cast<std::uint64_t>(limits::max()) - rng() % 50
           : i % 4 == 1 ? static_cast<std::uint64_t>(limits::min()) + rng() % 50
           : i % 4 == 2 ? rng() % 3
                        : rng() >> (rng() % 64);
  });
}

template <class System, class Sample>
void check_whole_range(std::size_t n, std::initializer_list<bin> bin_counts) {
  using limits = std::numeric_limits<typename integer_under<Sample>::type>;
  const auto s = integer_samples<Sample>(n);
  for (bin bins : bin_counts)
    check_even<System>(
        s, bins, static_cast<std::int64_t>(limits::min()),
        static_cast<std::uint64_t>(limits::max()));
}

template <class System, class Sample>
void check_levels_of_integers(std::size_t n, std::initializer_list<bin> bin_counts) {
  check_whole_range<System, Sample>(n, bin_counts);
  const auto s = integer_samples<Sample>(n);
  for (bin bins : bin_counts) {
    check_even<System>(s, bins, -1, 256U);
    check_even<System>(s, bins, std::int64_t{-1000}, std::uint64_t{1} << 63);
    if constexpr (sizeof(Sample) == 8)
      check_even<System>(s, bins, 0, 100.5);
  }
}

}  // namespace test
