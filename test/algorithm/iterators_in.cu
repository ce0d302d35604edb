// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "iterators_in.cpp"

BOOST_AUTO_TEST_SUITE(large_images, THRUST_HIST_TEST_LARGE)
using namespace iterators_in;

// Every thread makes many loads: in one row, a row later, some rows later.
BOOST_AUTO_TEST_CASE(threads_step_from_row_to_row) {
  constexpr std::size_t n = 12'000'000;
  for (rows const& r :
       {rows{1000, 1013, 7, 10, n},
        {1920, 2048, 0, 0, n},
        {48, 64, 0, 5, n},
        {5'000'000, 5'000'001, 3, 2, n}}) {
    check_rows<test::cuda, std::uint8_t>(r);
  }
  for (rows const& r :
       {rows{4, 8, 0, 0, n / 4},
        {101, 103, 1, 0, n / 4},
        {1'000'000, 1'000'003, 2, 999'999, n / 4}}) {
    check_rows<test::cuda, std::uint32_t>(r);
  }
}

BOOST_AUTO_TEST_SUITE_END()
