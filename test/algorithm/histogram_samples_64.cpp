// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Integers of 64 bits and an enum as samples, with 32-bit counters.

#include "sample_types.h"

BOOST_AUTO_TEST_SUITE(histogram_samples_64, THRUST_HIST_TEST_SMALL)

BOOST_AUTO_TEST_CASE_TEMPLATE(every_type_is_counted_at_its_value, System, test::systems) {
  test::check_sample_types<System>(
      std::tuple<long, unsigned long, long long, unsigned long long, test::unsigned_enum>{});
}

BOOST_AUTO_TEST_SUITE_END()
