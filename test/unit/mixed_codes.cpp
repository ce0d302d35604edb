// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Mixed codes: what mixes can be undone, and neighbours part.

#include "../support/boost_test.h"
#include <thrust_hist/detail/mixed_codes.h>

#include <cstdint>
#include <map>

BOOST_AUTO_TEST_SUITE(mixed_codes)

using thrust_hist::detail::mix_code;
using thrust_hist::detail::unmix_code;

BOOST_AUTO_TEST_CASE(mixing_can_be_undone) {
  int wrong = 0;
  for (std::uint64_t i = 0; i < 1000000; ++i) {
    const std::uint64_t wide = i * 0x9e3779b97f4a7c15u;
    const auto narrow = static_cast<std::uint32_t>(wide >> 13);
    wrong += unmix_code(mix_code(wide)) != wide || unmix_code(mix_code(narrow)) != narrow ? 1 : 0;
  }
  BOOST_TEST(wrong == 0);
  for (std::uint64_t x : {std::uint64_t{0}, ~std::uint64_t{0}, std::uint64_t{1} << 63}) {
    BOOST_TEST(unmix_code(mix_code(x)) == x);
    BOOST_TEST(
        unmix_code(mix_code(static_cast<std::uint32_t>(x))) == static_cast<std::uint32_t>(x));
  }
}

BOOST_AUTO_TEST_CASE(neighbours_fall_into_different_buckets) {
  std::map<std::uint64_t, int> buckets;
  for (std::uint64_t i = 0; i < 64000; ++i)
    ++buckets[mix_code(i) >> 58];
  BOOST_TEST(buckets.size() == 64U);
  for (auto const& b : buckets)
    BOOST_TEST((b.second > 850 && b.second < 1150));
}

BOOST_AUTO_TEST_SUITE_END()
