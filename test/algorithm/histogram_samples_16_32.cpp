// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Integers of 16 and 32 bits and an enum as samples, with 32-bit counters.

#include "sample_types.h"

BOOST_AUTO_TEST_SUITE(histogram_samples_16_32, THRUST_HIST_TEST_SMALL)

BOOST_AUTO_TEST_CASE_TEMPLATE(every_type_is_counted_at_its_value, System, test::systems) {
  test::check_sample_types<System>(
      std::tuple<std::int16_t, std::uint16_t, std::int32_t, std::uint32_t, test::signed_enum>{});
}

BOOST_AUTO_TEST_SUITE_END()
