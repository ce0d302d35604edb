// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What options do to sparse histograms on CUDA.

#include "../support/containers.h"
#include "../support/messages.h"
#include "sparse_calls.h"

#include <cmath>
#include <string>

BOOST_AUTO_TEST_SUITE(sparse_options, THRUST_HIST_TEST_SMALL_LOCKS)
using namespace test::sparse_calls;

BOOST_AUTO_TEST_CASE(what_is_impossible_is_refused) {
  const auto keys = keys_of(100, 30);
  for (bool by_key : {false, true}) {
    calls c(keys);
    BOOST_TEST(test::throws([&] { c.call(by_key, options{}.accumulate()); }, "accumulate()"));
    for (route forced : {route::serial, route::private_tables, route::shared_lanes})
      BOOST_TEST(test::throws([&] { c.call(by_key, options{}.force(forced)); }, to_string(forced)));
#if !defined(THRUST_HIST_ENABLE_CHECK)
    BOOST_TEST(test::throws_as<std::logic_error>(
        [&] { c.call(by_key, options{}.check()); }, {"THRUST_HIST_ENABLE_CHECK"}));
#endif
    c.check_untouched();
    BOOST_TEST(c.book().allocations() == 0U);
    c.call(by_key, {});  // and nothing is wrong with the keys
    c.check_result(by_key);
  }
}

BOOST_AUTO_TEST_CASE(no_key_is_dropped) {
  for (std::size_t n : {1, 100}) {
    const auto keys = keys_of(n, 30);
    calls c(keys);
    std::uint64_t dropped = 77;
    c.count(options{}.dropped(&dropped));
    BOOST_TEST(dropped == 0U);
    c.check_result(false);
  }
}

BOOST_AUTO_TEST_CASE(both_routes_are_there_for_numbers) {
  const auto keys = keys_of(70001, 3000);
  for (bool by_key : {false, true})
    for (route forced : {route::hashed, route::sorted}) {
      thrust_hist::plan plan;
      calls(keys).call(by_key, options{}.force(forced).explain(&plan));
      BOOST_TEST(plan.taken == forced);
      BOOST_TEST(plan.why != "");
      BOOST_TEST(plan.system == (System::is_cuda ? "cuda" : "sequential"));
    }
}

// Also where there is nothing that could be read.
BOOST_AUTO_TEST_CASE(explaining_runs_nothing) {
  int const* const keys = nullptr;
  int* const none = nullptr;
  std::size_t scratch = 0;
  for (std::ptrdiff_t n : {0, 1, 1000, 100000, 100000000}) {
    thrust_hist::plan plan;
    std::uint64_t dropped = 77;
    const auto ends = sparse_histogram(
        System::policy(), keys, keys + n, none, none,
        options{}.explain(&plan).max_bins(0).dropped(&dropped));
    BOOST_TEST((ends.first == none && ends.second == none));
    BOOST_TEST(plan.why != "");
    BOOST_TEST(
        (plan.taken == (n > 1000000 ? route::hashed
                        : n > 70000 ? route::partitioned
                                    : route::sorted)));
    BOOST_TEST(plan.scratch_bytes >= scratch);
    BOOST_TEST(plan.exact);
    scratch = plan.scratch_bytes;
  }
  BOOST_TEST(scratch > 0U);
}

BOOST_AUTO_TEST_CASE(more_keys_than_wanted_are_refused) {
  for (std::size_t n : {1000, 70000})
    for (bool by_key : {false, true})
      for (route forced : test::all_sparse_routes) {
        const auto keys = keys_of(n, 500);
        if (!has_route(forced, by_key, keys))
          continue;
        calls c(keys);
        for (std::size_t wanted : {0, 1, 499})
          BOOST_TEST(test::throws_as<std::length_error>(
              [&] { c.call(by_key, options{}.max_bins(wanted).force(forced)); },
              {"500", "max_bins = " + std::to_string(wanted)}));
        c.check_untouched();
        c.call(by_key, options{}.max_bins(500).force(forced));
        c.check_result(by_key);
      }
}

// As many rows as inputs: the largest number that is no limit, and the next.
BOOST_AUTO_TEST_CASE(rows_may_be_as_many_as_keys) {
  for (std::size_t n : {1, 1000, 70000})
    for (bool by_key : {false, true}) {
      const auto keys = keys_of(n, n);
      calls c(keys);
      BOOST_TEST(test::throws_as<std::length_error>(
          [&] { c.call(by_key, options{}.max_bins(n - 1)); },
          {std::to_string(n), "max_bins = " + std::to_string(n - 1)}));
      c.check_untouched();
      c.call(by_key, options{}.max_bins(n));
      c.check_result(by_key);
    }
}

// NaN rows count as well.
BOOST_AUTO_TEST_CASE(rows_of_nan_are_rows_that_may_be_too_many) {
  const test::samples<double> keys(1000, [](std::size_t i) { return i < 10 ? std::nan("") : 1.; });
  auto there = test::buffer_of<System>(keys);
  double const* const first = there.data();
  test::sparse_output<System, double, int> out(1000);
  const auto call = [&](std::size_t most) {
    const auto ends = sparse_histogram(
        System::policy(), first, first + 1000, out.keys(), out.values(), options{}.max_bins(most));
    BOOST_TEST((ends.first == out.keys() + 11));
  };
  BOOST_CHECK_THROW(call(10), std::length_error);
  out.check_untouched();
  call(11);
}

BOOST_AUTO_TEST_CASE(unordered_rows_are_the_same_rows) {
  for (std::size_t n : {0, 1, 100, 100003})
    for (route forced : test::all_sparse_routes)
      for (std::size_t distinct : {9, 9973}) {
        const auto keys = keys_of(n, distinct);
        auto there = test::buffer_of<System>(keys);
        int const* const first = there.data();
        test::vector_of<System, int> unique(n), counted(n);
        std::ptrdiff_t rows = 0;
        try {
          rows = sparse_histogram(
                     System::policy(), first, first + n, unique.begin(), counted.begin(),
                     options{}.unordered().force(forced))
                     .first -
                 unique.begin();
        } catch (std::invalid_argument const& refusal) {
          BOOST_TEST(test::sparse_may_be_refused<System>(forced), refusal.what());
          continue;
        }
        unique.resize(static_cast<std::size_t>(rows));
        const auto expected = test::count_sorted<int>(keys);
        const auto sorted = test::reduce_sorted<int>(
            test::contents(unique), test::contents(counted), test::by_less{}, test::by_plus{});
        BOOST_TEST(unique.size() == expected.keys.size());
        BOOST_TEST(test::difference(sorted.keys, expected.keys) == "");
        BOOST_TEST(test::difference(sorted.values, expected.values) == "");
      }
}

BOOST_AUTO_TEST_SUITE_END()
