// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Samples and counters of types that meet nowhere else.

#include "../support/checks.h"
#include <thrust_hist/histogram.h>

BOOST_AUTO_TEST_SUITE(histogram_pairs, THRUST_HIST_TEST_SMALL)

namespace {

template <class System, class Sample, class Counter>
void check_pair() {
  for (test::bin bins : {1, 4, 100, 257, 6007})
    for (auto d : {test::distribution::mostly_one, test::distribution::zipf}) {
      const test::samples<Sample> s(test::generate(d, 70001, static_cast<std::uint64_t>(bins) + 3));
      const auto expected = test::count(s, test::identity_reference(bins));
      for (thrust_hist::route forced : System::every_route())
        test::check_route<System, Counter>(
            forced, s, expected, [&](auto first, auto last, auto out, auto options) {
              return thrust_hist::histogram(System::policy(), first, last, out, bins, options);
            });
    }
}

}  // namespace

BOOST_AUTO_TEST_CASE_TEMPLATE(bytes_into_other_counters, System, test::systems) {
  check_pair<System, std::uint8_t, std::uint8_t>();
  check_pair<System, std::int8_t, std::int64_t>();
  check_pair<System, char, float>();
}

BOOST_AUTO_TEST_CASE_TEMPLATE(wider_samples_into_other_counters, System, test::systems) {
  check_pair<System, std::int16_t, double>();
  check_pair<System, std::int16_t, std::uint16_t>();
  check_pair<System, std::uint64_t, std::int8_t>();
  check_pair<System, std::int64_t, float>();
}

BOOST_AUTO_TEST_SUITE_END()
