// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// histogram_even over integers, with levels of the same and of other types.

#include "even_cases.h"

namespace even_integers_setup {

// Every kind of level, and what is done with 8, 32 and 64 bits.
template <class System>
void check_levels(std::size_t n, std::initializer_list<test::bin> bin_counts) {
  test::check_levels_of_integers<System, std::int8_t>(n, bin_counts);
  test::check_levels_of_integers<System, std::uint32_t>(n, bin_counts);
  test::check_levels_of_integers<System, std::uint64_t>(n, bin_counts);
}

// Types of 8 bits that are converted, and 16 bits. unit/even_integer has the rule for the others.
inline void check_other_types(std::size_t n, std::initializer_list<test::bin> bin_counts) {
  using System = test::main_system;
  test::check_whole_range<System, char>(n, bin_counts);
  test::check_whole_range<System, bool>(n, bin_counts);
  test::check_whole_range<System, std::int16_t>(n, bin_counts);
}

}  // namespace even_integers_setup

BOOST_AUTO_TEST_SUITE(even_integers, THRUST_HIST_TEST_SMALL)
using namespace even_integers_setup;

BOOST_AUTO_TEST_CASE_TEMPLATE(
    samples_fall_where_the_edges_say_on_every_route, System, test::systems) {
  check_levels<System>(3001, {5, 300});
}

BOOST_AUTO_TEST_CASE(samples_of_other_types_fall_where_the_edges_say) {
  check_other_types(2003, {5});
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(even_integers_large, THRUST_HIST_TEST_LARGE)
using namespace even_integers_setup;

BOOST_AUTO_TEST_CASE_TEMPLATE(
    samples_fall_where_the_edges_say_on_every_route, System, test::systems) {
  check_levels<System>(20011, {1, 2, 5, 100, 257, 6007});
}

BOOST_AUTO_TEST_CASE(samples_of_other_types_fall_where_the_edges_say) {
  check_other_types(20011, {1, 257, 6007});
}

BOOST_AUTO_TEST_SUITE_END()
