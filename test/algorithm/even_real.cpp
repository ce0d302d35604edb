// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// histogram_even over float and double.

#include "even_cases.h"

BOOST_AUTO_TEST_SUITE(even_real, THRUST_HIST_TEST_SMALL)

BOOST_AUTO_TEST_CASE_TEMPLATE(
    samples_fall_where_the_edges_say_on_every_route, System, test::systems) {
  test::check_real_samples<System, float>();
  test::check_real_samples<System, double>();
}

BOOST_AUTO_TEST_CASE_TEMPLATE(
    samples_just_below_the_upper_level_are_all_counted, System, test::systems) {
  // Where a well-known library loses all of them.
  for (auto [lower, upper] : {std::pair{-1.F, 1.F}, {-3.F, 3.F}, {0.F, 7.F}})
    for (test::bin bins : {1, 2, 3, 7, 100, 256, 1000}) {
      const float just_below = test::next_down(upper);
      const test::samples<float> s(65536, [&](std::size_t) { return just_below; });
      std::vector<std::uint64_t> expected(static_cast<std::size_t>(bins));
      expected.back() = 65536;
      test::check_counts<System, std::uint32_t>(
          s, expected, [&, lower = lower, upper = upper](auto first, auto last, auto out) {
            return thrust_hist::histogram_even(
                System::policy(), first, last, out, bins, lower, upper);
          });
    }
}

BOOST_AUTO_TEST_SUITE_END()
