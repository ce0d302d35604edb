// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Sums that are rounded once: the same bits on all systems, on all routes, and of chunks that are
// merged.

#include "sparse_exact.h"

BOOST_AUTO_TEST_SUITE(sparse_exact, THRUST_HIST_TEST_LARGE)

BOOST_AUTO_TEST_CASE_TEMPLATE(floats, System, test::systems) {
  for (std::size_t n : {1000, 70000})
    test::check_exact_rows<System, float>(test::hardship::order, n);
  for (test::hardship h : test::all_hardships)
    test::check_exact_rows<System, float>(h, 5000);
}

BOOST_AUTO_TEST_CASE(doubles) {
  for (std::size_t n : {1000, 70000})
    test::check_exact_rows<test::main_system, double>(test::hardship::order, n);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(chunks_merge_without_rounding, System, test::systems) {
  for (test::hardship h : test::all_hardships)
    test::check_chunks<System>(h);
}

BOOST_AUTO_TEST_SUITE_END()
