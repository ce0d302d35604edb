// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// histogram_even over integers, with levels of the same and of other types.

#include "even_cases.h"

BOOST_AUTO_TEST_SUITE(even_integers, THRUST_HIST_TEST_SMALL)

BOOST_AUTO_TEST_CASE_TEMPLATE(
    samples_fall_where_the_edges_say_on_every_route, System, test::systems) {
  test::check_integer_samples<System, std::int8_t>();
  test::check_integer_samples<System, std::int32_t>();
  test::check_integer_samples<System, std::uint64_t>();
}

BOOST_AUTO_TEST_SUITE_END()
