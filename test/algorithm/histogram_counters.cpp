// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Every type of counter over 32-bit samples: counts are formed as 64-bit integers and converted
// once.

#include "../support/checks.h"
#include "../support/fewer.h"
#include <thrust_hist/histogram.h>

namespace histogram_counters_setup {

using integer_counters = std::tuple<
    signed char, unsigned char, char, wchar_t, char32_t, std::int16_t, std::uint16_t, std::int32_t,
    std::uint32_t, long, unsigned long, long long, unsigned long long>;
using real_counters = std::tuple<float, double>;

template <class System, class... Counters>
void check_counters(std::tuple<Counters...> const&) {
  using test::distribution;
  for (auto d :
       test::fewer({distribution::constant, distribution::uniform}, {distribution::uniform}))
    for (test::bin bins : test::fewer({1, 4, 257, 6007}, {4, 257})) {
      const test::samples<std::uint32_t> s(
          test::generate(d, test::fewer(70001, 9001), static_cast<std::uint64_t>(bins)));
      const auto expected = test::count(s, test::identity_reference(bins));
      const auto call = [&](auto first, auto last, auto out, auto options) {
        return thrust_hist::histogram(System::policy(), first, last, out, bins, options);
      };
      for (thrust_hist::route forced : System::every_route())
        (test::check_route<System, Counters>(forced, s, expected, call), ...);
    }
}

}  // namespace histogram_counters_setup

BOOST_AUTO_TEST_SUITE(histogram_counters, THRUST_HIST_TEST_SMALL)
using namespace histogram_counters_setup;

BOOST_AUTO_TEST_CASE_TEMPLATE(
    narrow_integers_wrap_around_modulo_their_range, System, test::systems) {
  check_counters<System>(integer_counters{});
}

BOOST_AUTO_TEST_CASE_TEMPLATE(reals_hold_the_count_rounded_once, System, test::systems) {
  check_counters<System>(real_counters{});
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(histogram_counters_large, THRUST_HIST_TEST_LARGE)
using namespace histogram_counters_setup;

BOOST_AUTO_TEST_CASE_TEMPLATE(
    a_float_is_exact_beyond_what_adding_ones_to_it_gives, System, test::systems) {
  for (std::size_t n : {(1U << 24) + 3U, (1U << 25) + 1U}) {
    const test::samples<std::uint32_t> s(n, [](std::size_t i) { return i % 1000 == 999; });
    const auto expected = test::count(s, test::identity_reference(2));
    for (thrust_hist::route forced : System::every_route())
      test::check_route<System, float>(
          forced, s, expected, [](auto first, auto last, auto out, auto options) {
            return thrust_hist::histogram(System::policy(), first, last, out, 2, options);
          });
  }
}

BOOST_AUTO_TEST_SUITE_END()
