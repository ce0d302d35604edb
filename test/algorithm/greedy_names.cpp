// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// build: alone
// A program with functions that have the names of our insides and take anything: look-up by
// argument must not find them. They are only declared, so that a call would not link.

#if defined(__CUDACC__)
#  define GREEDY __host__ __device__
#else
#  define GREEDY
#endif
template <class To, class From>
GREEDY To bit_cast(From const&);
template <class... T>
GREEDY int order_key(T...);
template <class... T>
GREEDY bool is_nan(T...);
template <class... T>
GREEDY int count_rests(T...);
template <class... T>
GREEDY int for_each_load(T...);
template <class... T>
GREEDY int unpack_counted(T...);
template <class... T>
GREEDY int common_key(T...);
template <class U, class... T>
GREEDY U candidate(T...);
template <class... T>
GREEDY int with_simplest(T...);
template <class... T>
GREEDY int search_bin(T...);
template <class... T>
GREEDY int raw_pointer(T...);
template <class... T>
GREEDY int head_for(T...);

#include "../support/checks.h"
#include <thrust_hist/thrust_hist.h>

enum class greedy_level : unsigned short { low = 1, high = 300 };  // of the global namespace, too

BOOST_AUTO_TEST_SUITE(greedy_names, THRUST_HIST_TEST_SMALL)

BOOST_AUTO_TEST_CASE_TEMPLATE(are_not_found_for_samples_of_a_global_type, System, test::systems) {
  const test::samples<greedy_level> s(
      3000, [](std::size_t i) { return i % 3 == 0 ? greedy_level::low : greedy_level::high; });
  const test::samples<unsigned short> edges{0, 2, 300, 301};
  auto there = test::buffer_of<System>(edges);
  unsigned short const* const first_edge = there.data();
  for (auto forced : System::every_route()) {
    test::check_route<System, std::uint32_t>(
        forced, s, {1000, 0, 2000}, [&](auto first, auto last, auto out, auto options) {
          return thrust_hist::histogram_range(
              System::policy(), first, last, out, first_edge, first_edge + 4, options);
        });
    test::check_route<System, std::uint32_t>(
        forced, s, {0, 1000, 0}, [&](auto first, auto last, auto out, auto options) {
          return thrust_hist::histogram(System::policy(), first, last, out, 3, options);
        });
    test::check_route<System, std::uint32_t>(
        forced, s, {1000, 2000}, [&](auto first, auto last, auto out, auto options) {
          return thrust_hist::histogram_even(
              System::policy(), first, last, out, 2, 0, 400, options);
        });
  }
}

BOOST_AUTO_TEST_SUITE_END()
