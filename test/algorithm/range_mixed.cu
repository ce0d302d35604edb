// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Range bins found by cells where edges and samples are of different kinds.

#include "range_lookup.h"

namespace range_mixed_setup {

using namespace range_lookup_setup;

// Integers among floating-point edges and the other way round, and with signs and without.
template <class Sample, class Edge>
void check_mixed() {
  constexpr bool are_signed = std::is_signed_v<Sample> && std::is_signed_v<Edge>;
  constexpr double from = are_signed ? -1500 : 0;
  for (std::size_t n : test::fewer<std::size_t>({2, 17, 160, 1500, 5001}, {17, 1500})) {
    check_edges<Sample>("even", edges_by<Edge>(n, [](double x) { return from + x * 3000; }));
    check_edges<Sample>("squares", edges_by<Edge>(n, [](double x) { return x * x * 30000; }));
    check_edges<Sample>("halves", edges_by<Edge>(n, [&](double x) {
                          return std::floor(x * static_cast<double>(n - 1)) / 2;
                        }));
    check_edges<Sample>("many equal", edges_by<Edge>(n, [](double x) { return x > .5 ? 2 : 1; }));
  }
  if constexpr (are_signed)
    check_edges<Sample>("zeros", std::vector<Edge>{-1, -Edge{0}, 0, 1});
  check_many_edges<Sample>("many", edges_by<Edge>(70001, [](double x) { return x * x * 30000; }));
}

}  // namespace range_mixed_setup

BOOST_AUTO_TEST_SUITE(range_mixed, THRUST_HIST_TEST_SMALL)
using namespace range_mixed_setup;

BOOST_AUTO_TEST_CASE(finds_the_bins_of_integers_among_reals) {
  check_mixed<std::int32_t, double>();
  check_edges<std::int32_t>(
      "the whole range",
      std::vector<double>{-2147483648.5, -2147483648., -0.5, 2147483647., 2147483647.5});
}

BOOST_AUTO_TEST_CASE(finds_the_bins_of_reals_among_integers) {
  check_mixed<float, std::int32_t>();
}

BOOST_AUTO_TEST_CASE(finds_the_bins_of_integers_among_edges_with_another_sign) {
  check_mixed<std::uint32_t, std::int32_t>();
}

BOOST_AUTO_TEST_SUITE_END()
