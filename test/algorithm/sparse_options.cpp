// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What options do to sparse histograms, what memory they take, and what is left when it runs out.

#include "../support/allocators.h"
#include "../support/messages.h"
#include "../support/sparse.h"
#include "../support/threads.h"
#include <thrust_hist/histogram.h>
#include <thrust_hist/sparse_histogram.h>

#include <cstddef>
#include <cstdint>
#include <vector>

BOOST_AUTO_TEST_SUITE(sparse_options, THRUST_HIST_TEST_SMALL)

namespace {

using thrust_hist::options;
using thrust_hist::route;
using thrust_hist::sparse_histogram;

test::samples<int> keys_of(std::size_t n, std::size_t distinct) {
  return test::samples<int>(
      n, [&](std::size_t i) { return static_cast<int>(i * 7919 % distinct * 1013); });
}

// Counts under a policy, into outputs with room enough.
template <class Policy, class System>
struct counting {
  Policy policy;
  test::samples<int> const& keys;
  test::sparse_output<System, int, int>& out;
  auto operator()(options const& o) const {
    return sparse_histogram(policy, keys.begin(), keys.end(), out.keys(), out.values(), o);
  }
};

}  // namespace

BOOST_AUTO_TEST_CASE_TEMPLATE(what_is_impossible_is_refused, System, test::systems) {
  const auto keys = keys_of(10, 3);
  test::sparse_output<System, int, int> out(10);
  const auto call = [&](options const& o) {
    sparse_histogram(System::policy(), keys.begin(), keys.end(), out.keys(), out.values(), o);
  };
  BOOST_TEST(test::throws([&] { call(options{}.accumulate()); }, "accumulate()"));
  for (route forced : {route::serial, route::partitioned, route::shared})
    BOOST_TEST(test::throws([&] { call(options{}.force(forced)); }, to_string(forced)));
#if !defined(THRUST_HIST_ENABLE_CHECK)
  BOOST_TEST(test::throws_as<std::logic_error>(
      [&] { call(options{}.check()); }, {"THRUST_HIST_ENABLE_CHECK"}));
#endif
  out.check_untouched();
  for (route forced : {route::hashed, route::sorted})
    BOOST_TEST(test::throws(
        [&] {
          thrust_hist::histogram(
              System::policy(), keys.begin(), keys.end(), out.values(), 3, options{}.force(forced));
        },
        to_string(forced)));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(no_key_is_dropped, System, test::systems) {
  const auto keys = keys_of(10, 3);
  test::sparse_output<System, int, int> out(10);
  std::uint64_t dropped = 77;
  sparse_histogram(
      System::policy(), keys.begin(), keys.end(), out.keys(), out.values(),
      options{}.dropped(&dropped));
  BOOST_TEST(dropped == 0U);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(memory_is_as_explained_and_promised, System, test::systems) {
  for (std::size_t n : {1, 1000, 60000, 200000})
    for (std::size_t distinct : {std::size_t{1}, std::size_t{5000}, std::size_t{1} << 30})
      for (route forced : test::sparse_routes) {
        const auto keys = keys_of(n, distinct);
        const auto expected = test::count_sorted<int>(keys);
        test::ledger book;
        test::counting_allocator<System> allocator(book);
        test::sparse_output<System, int, int> out(n);
        const counting<decltype(System::policy_with(allocator)), System> call = {
            System::policy_with(allocator), keys, out};
        thrust_hist::plan plan;
        call(options{}.force(forced).explain(&plan));
        BOOST_TEST(book.allocations() == 0U);
        BOOST_TEST((plan.taken == route::hashed || forced == route::sorted));
        BOOST_TEST(plan.why != "");
        out.check_untouched();
        call(options{}.force(forced));
        out.check_equals(expected);
        BOOST_TEST(book.outstanding() == 0U);
        BOOST_TEST(book.peak() <= plan.scratch_bytes);
        BOOST_TEST(
            book.peak() <=
            2 * sizeof(int) * n + 64 * expected.keys.size() + plan.blocks * (std::size_t{3} << 20));
      }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(nothing_takes_no_memory, System, test::systems) {
  const test::samples<int> keys(0, [](std::size_t) { return 0; });
  test::sparse_output<System, int, int> out(3);
  thrust_hist::plan plan;
  const counting<decltype(System::policy()), System> call = {System::policy(), keys, out};
  call(options{}.max_temporary_bytes(0).explain(&plan));
  BOOST_TEST(plan.scratch_bytes == 0U);
  call(options{}.max_temporary_bytes(0));
  out.check_untouched();
}

// Pairs that take more room than a key and a value do, since they are aligned.
BOOST_AUTO_TEST_CASE_TEMPLATE(memory_of_padded_pairs_is_as_explained, System, test::systems) {
  for (std::size_t n : {300, 20000, 65535, 65536, 300000})
    for (std::size_t distinct : {n, std::size_t{50}}) {
      const auto keys = keys_of(n, distinct);
      const test::samples<double> values(n, [](std::size_t i) { return i % 64; });
      const auto expected =
          test::reduce_sorted<double>(keys, values, test::by_less{}, test::by_plus{});
      test::ledger book;
      test::counting_allocator<System> allocator(book);
      test::sparse_output<System, int, double> out(n);
      thrust_hist::plan plan;
      const auto call = [&](options const& o) {
        thrust_hist::sparse_histogram_by_key(
            System::policy_with(allocator), keys.begin(), keys.end(), values.begin(), out.keys(),
            out.values(), o);
      };
      call(options{}.explain(&plan));
      call({});
      out.check_equals(expected);
      BOOST_TEST(book.outstanding() == 0U);
      BOOST_TEST(book.peak() <= plan.scratch_bytes);
      BOOST_TEST(
          book.peak() <= 2 * std::size_t{12} * n + 64 * expected.keys.size() +
                             plan.blocks * (std::size_t{3} << 20));
    }
}

// Values are folded in a type that may be wider than theirs.
BOOST_AUTO_TEST_CASE_TEMPLATE(memory_of_narrow_values_is_as_explained, System, test::systems) {
  const auto keys = keys_of(200000, 50000);
  const test::samples<std::uint8_t> values(
      keys.size(), [](std::size_t i) { return static_cast<std::uint8_t>(i); });
  const auto expected =
      test::reduce_sorted<std::uint64_t>(keys, values, test::by_less{}, test::by_plus{});
  test::ledger book;
  test::counting_allocator<System> allocator(book);
  test::sparse_output<System, int, std::uint64_t> out(keys.size());
  const auto call = [&](options const& o) {
    thrust_hist::sparse_histogram_by_key(
        System::policy_with(allocator), keys.begin(), keys.end(), values.begin(), out.keys(),
        out.values(), o);
  };
  thrust_hist::plan plan;
  call(options{}.explain(&plan));
  call({});
  out.check_equals(expected);
  BOOST_TEST(book.peak() <= plan.scratch_bytes);
  const std::size_t of_a_pair = sizeof(int) + sizeof(std::uint64_t);
  BOOST_TEST(
      book.peak() <= 2 * of_a_pair * keys.size() + 64 * expected.keys.size() +
                         plan.blocks * (std::size_t{3} << 20));
}

BOOST_AUTO_TEST_CASE(short_keys_cannot_be_many) {
  std::uint8_t const* const keys = nullptr;
  std::uint8_t* const none = nullptr;
  thrust_hist::plan plan;
  constexpr std::ptrdiff_t n = 1000000000;
  const auto forced = options{}.force(route::hashed);
  sparse_histogram(thrust::seq, keys, keys + n, none, none, options{forced}.explain(&plan));
  BOOST_TEST((plan.taken == route::hashed));
  BOOST_TEST(plan.scratch_bytes < std::size_t{3} * n);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(more_keys_than_wanted_are_refused, System, test::systems) {
  for (std::size_t n : {1000, 70000})
    for (route forced : test::sparse_routes) {
      const auto keys = keys_of(n, 500);
      test::sparse_output<System, int, int> out(n);
      const counting<decltype(System::policy()), System> call = {System::policy(), keys, out};
      BOOST_TEST(test::throws_as<std::length_error>(
          [&] { call(options{}.max_bins(499).force(forced)); }, {"500", "max_bins = 499"}));
      out.check_untouched();
      call(options{}.max_bins(500).force(forced));
      out.check_equals(test::count_sorted<int>(keys));
    }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(a_cap_is_kept_or_refused_with_one_that_works, System, test::systems) {
  for (std::size_t n : {1, 1000, 100000}) {
    const auto keys = keys_of(n, n / 2 + 1);
    const auto expected = test::count_sorted<int>(keys);
    test::ledger book;
    test::counting_allocator<System> allocator(book);
    test::sparse_output<System, int, int> out(n);
    const counting<decltype(System::policy_with(allocator)), System> call = {
        System::policy_with(allocator), keys, out};
    std::size_t smallest = 0;
    try {
      call(options{}.max_temporary_bytes(0));
    } catch (thrust_hist::memory_limit_error const& refusal) {
      smallest = refusal.smallest();
    }
    BOOST_TEST(smallest > 0U);
    BOOST_CHECK_THROW(
        call(options{}.max_temporary_bytes(smallest - 1)), thrust_hist::memory_limit_error);
    BOOST_CHECK_THROW(
        call(options{}.max_temporary_bytes(smallest).force(route::hashed)),
        thrust_hist::memory_limit_error);
    out.check_untouched();
    thrust_hist::plan plan;
    call(options{}.max_temporary_bytes(smallest).explain(&plan));
    BOOST_TEST((plan.taken == route::sorted));
    call(options{}.max_temporary_bytes(smallest));
    BOOST_TEST(book.peak() <= smallest);
    out.check_equals(expected);
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(any_allocation_may_fail, System, test::systems) {
  for (std::size_t n : {700, 70000})
    for (route forced : test::sparse_routes) {
      const auto keys = keys_of(n, n);
      const auto expected = test::count_sorted<int>(keys);
      bool done = false;
      for (int healthy = 0; !done; ++healthy) {
        test::ledger book(healthy);
        test::counting_allocator<System> allocator(book);
        test::sparse_output<System, int, int> out(n);
        const counting<decltype(System::policy_with(allocator)), System> call = {
            System::policy_with(allocator), keys, out};
        try {
          call(options{}.force(forced));
          done = true;
          out.check_equals(expected);
          BOOST_TEST(healthy > 2);
        } catch (test::allocation_refused const&) {
          out.check_untouched();
        }
        BOOST_TEST(book.outstanding() == 0U);
      }
    }
}

#if defined(_OPENMP) && !defined(__CUDACC__)
BOOST_AUTO_TEST_CASE(workers_are_as_many_as_the_input_and_a_cap_allow) {
  const test::threads set(4);
  const auto plan_of = [](std::size_t n, options o) {
    thrust_hist::plan plan;
    int const* const keys = nullptr;
    int* const out = nullptr;
    sparse_histogram(thrust::omp::par, keys, keys + n, out, out, o.explain(&plan));
    return plan;
  };
  BOOST_TEST(plan_of(65535, {}).blocks == 1U);
  BOOST_TEST(plan_of(65536, {}).blocks == 3U);
  const auto many = plan_of(std::size_t{1} << 24, {});
  BOOST_TEST(many.blocks == 4U);
  const auto fewer =
      plan_of(std::size_t{1} << 24, options{}.max_temporary_bytes(many.scratch_bytes - 1));
  BOOST_TEST(fewer.blocks == 2U);
  BOOST_TEST((fewer.taken == route::hashed));
}
#endif

BOOST_AUTO_TEST_SUITE_END()
