// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What memory sparse histograms take on CUDA, and what is left when it runs out.

#include "../support/containers.h"
#include "sparse_calls.h"

BOOST_AUTO_TEST_SUITE(sparse_memory, THRUST_HIST_TEST_LARGE)
using namespace test::sparse_calls;

namespace {

// Unsigned keys in memory are sorted as they stand, others are encoded first.
template <class Key>
void check_memory_is_as_explained() {
  for (std::size_t n : {1, 1000, 100003})
    for (std::size_t distinct : {std::size_t{1}, std::size_t{5000}, std::size_t{1} << 30})
      for (bool by_key : {false, true})
        for (route forced : test::all_sparse_routes) {
          const auto keys = keys_of<Key>(n, distinct);
          if (!has_route(forced, by_key, keys))
            continue;
          calls c(keys);
          thrust_hist::plan plan;
          c.call(by_key, options{}.force(forced).explain(&plan));
          BOOST_TEST(c.book().allocations() == 0U);
          c.check_untouched();
          c.call(by_key, options{}.force(forced));
          c.check_result(by_key);
          BOOST_TEST(c.book().peak() <= plan.scratch_bytes);
        }
}

template <class Key>
void check_caps() {
  for (std::size_t n : {1, 1000, 100003})
    for (int shape = 0; shape < 4; ++shape)
      for (route forced : test::all_sparse_routes) {
        const bool by_key = shape % 2 == 1;
        const auto keys = keys_of<Key>(n, shape < 2 ? n / 2 + 1 : n);
        if (!has_route(forced, by_key, keys))
          continue;
        calls c(keys);
        const auto how = options{}.force(forced);
        thrust_hist::plan plan;
        c.call(by_key, options{how}.explain(&plan));
        std::size_t smallest = 0;
        try {
          c.call(by_key, options{how}.max_temporary_bytes(0));
          c.check_result(by_key);
        } catch (thrust_hist::memory_limit_error const& refusal) {
          smallest = refusal.smallest();
          BOOST_TEST(smallest > 0U);
          BOOST_TEST(smallest <= plan.scratch_bytes);
          BOOST_CHECK_THROW(
              c.call(by_key, options{how}.max_temporary_bytes(smallest - 1)),
              thrust_hist::memory_limit_error);
          BOOST_CHECK_THROW(
              c.call(by_key, options{how}.max_temporary_bytes(smallest - 1).explain(&plan)),
              thrust_hist::memory_limit_error);
          c.check_untouched();
        }
        // Every cap between that and what is taken without one is kept.
        for (std::size_t cap :
             {smallest, smallest + (plan.scratch_bytes - smallest) / 2, plan.scratch_bytes}) {
          calls other(keys);
          other.call(by_key, options{how}.max_temporary_bytes(cap));
          other.check_result(by_key);
          BOOST_TEST(other.book().peak() <= cap);
        }
      }
}

}  // namespace

BOOST_AUTO_TEST_CASE(memory_is_as_explained) {
  check_memory_is_as_explained<int>();
  check_memory_is_as_explained<std::uint32_t>();
  check_memory_is_as_explained<std::uint64_t>();
}
BOOST_AUTO_TEST_CASE(a_cap_is_kept_or_refused_with_one_that_works) {
  check_caps<int>();
  check_caps<std::uint32_t>();
}

// The first allocation fails, then the second, and so on until a call needs no more.
BOOST_AUTO_TEST_CASE(any_allocation_may_fail) {
  for (std::size_t n : {700, 100003})
    for (bool by_key : {false, true})
      for (route forced : test::all_sparse_routes) {
        const auto keys = keys_of(n, n / 2);
        if (!has_route(forced, by_key, keys))
          continue;
        bool done = false;
        for (int healthy = 0; !done && healthy < 500; ++healthy) {
          calls c(keys, healthy);
          try {
            c.call(by_key, options{}.force(forced));
            done = true;
            c.check_result(by_key);
            BOOST_TEST((healthy > 0 || n < 1000));  // scratch comes from the policy
          } catch (test::allocation_refused const&) {
            c.check_untouched();
          }
        }
        BOOST_TEST(done);
      }
}

BOOST_AUTO_TEST_CASE(containers_are_as_they_were_where_an_allocation_fails) {
  const auto keys = keys_of(70001, 3000);
  const test::vector_of<System, int> in(keys.begin(), keys.end());
  bool done = false;
  for (int healthy = 0; !done && healthy < 500; ++healthy) {
    test::ledger book(healthy);
    test::counting_allocator<System> allocator(book);
    test::vector_of<System, int> unique(2, 7), counted(3, 8);
    try {
      sparse_histogram(System::policy_with(allocator), in.begin(), in.end(), unique, counted);
      done = true;
      const auto expected = test::count_sorted<int>(keys);
      BOOST_TEST(test::difference(test::contents(unique), expected.keys) == "");
      BOOST_TEST(test::difference(test::contents(counted), expected.values) == "");
      BOOST_TEST(healthy > 0);
    } catch (test::allocation_refused const&) {
      BOOST_TEST(test::contents(unique) == (std::vector<int>{7, 7}));
      BOOST_TEST(test::contents(counted) == (std::vector<int>{8, 8, 8}));
    }
    BOOST_TEST(book.outstanding() == 0U);
  }
  BOOST_TEST(done);
}

BOOST_AUTO_TEST_SUITE_END()
