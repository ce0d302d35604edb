// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Integers of 8 bits, char, bool and std::byte as samples, with 32-bit counters.

#include "sample_types.h"

BOOST_AUTO_TEST_SUITE(histogram_samples_8, THRUST_HIST_TEST_SMALL)

BOOST_AUTO_TEST_CASE_TEMPLATE(every_type_is_counted_at_its_value, System, test::systems) {
  test::check_sample_types<System>(std::tuple<char, signed char, unsigned char, bool, std::byte>{});
}

BOOST_AUTO_TEST_SUITE_END()
