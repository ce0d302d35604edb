// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Policies: Thrust's own, a user's derived from one of them, with an allocator, with a memory
// resource; scratch memory comes from the policy and goes back, also when something throws.

#include "../support/allocators.h"
#include "../support/checks.h"
#include "../support/containers.h"
#include <thrust_hist/thrust_hist.h>

#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/permutation_iterator.h>

#include <algorithm>
#include <new>
#include <thread>

BOOST_AUTO_TEST_SUITE(policies, THRUST_HIST_TEST_SMALL)

namespace {

using thrust_hist::options;
using thrust_hist::route;

const test::samples<unsigned> keys(test::generate(test::distribution::zipf, 70001, 300));

template <class System, class Policy>
void check_policy(Policy const& policy) {
  for (int bins : {1, 5, 257, 100000}) {
    const auto expected = test::count(keys, test::identity_reference(bins));
    for (route forced : System::every_route())
      test::check_route<System, int>(
          forced, keys, expected, [&](auto first, auto last, auto out, auto how) {
            return thrust_hist::histogram(policy, first, last, out, bins, how);
          });
  }
  const test::bin largest = *std::max_element(keys.begin(), keys.end());
  test::check_counts<System, int>(
      keys, test::count(keys, test::identity_reference(largest + 1)),
      [&](auto first, auto last, auto out) {
        return thrust_hist::histogram(policy, first, last, out);
      });
  const std::vector<double> edges{0, 1, 5.5, 200};
  test::check_counts<System, int>(
      keys, test::count(keys, test::range_reference(edges)), [&](auto first, auto last, auto out) {
        return thrust_hist::histogram_range(policy, first, last, out, edges.begin(), edges.end());
      });
  auto in = test::buffer_of<System>(keys);
  unsigned const* const first = in.data();
  std::uint64_t sum = 0;
  for (unsigned key : keys)
    sum += key;
  BOOST_TEST(thrust_hist::reduce(policy, first, first + keys.size(), std::uint64_t{0}) == sum);
}

template <class System, class Call>
void check_failing_allocations(Call call) {
  auto in = test::buffer_of<System>(keys);
  unsigned const* const first = in.data();
  // The first allocation fails, then only the second, and so on until a call needs no more.
  for (int healthy = 0; healthy < 20; ++healthy) {
    test::ledger book(healthy);
    test::counting_allocator<System> allocator(book);
    test::output<System, int> out(5000);
    try {
      call(System::policy_with(allocator), first, first + keys.size(), out.data());
      BOOST_TEST(book.outstanding() == 0U);
      return;
    } catch (test::allocation_refused const&) {
      out.check_untouched();
    } catch (std::bad_alloc const&) {
      out.check_untouched();
    }
    BOOST_TEST(book.outstanding() == 0U, "after failure of allocation " << healthy);
  }
  BOOST_ERROR("more than 20 allocations in one call");
}

}  // namespace

BOOST_AUTO_TEST_CASE_TEMPLATE(a_policy_of_thrust_itself, System, test::every_policy) {
  check_policy<System>(System::policy());
  const auto constant = System::policy();
  check_policy<System>(constant);
}

BOOST_AUTO_TEST_CASE(the_device_policy_means_what_the_program_was_built_for) {
  check_policy<test::main_system>(thrust::device);
}

#ifndef __CUDACC__
BOOST_AUTO_TEST_CASE(the_host_policy_runs_on_the_host) {
  check_policy<test::cpp>(thrust::host);
}
#endif

BOOST_AUTO_TEST_CASE_TEMPLATE(
    a_users_policy_derived_from_one_of_thrust, System, test::every_policy) {
  check_policy<System>(typename System::users_policy{});
}

BOOST_AUTO_TEST_CASE_TEMPLATE(
    an_allocator_gives_the_scratch_memory_and_gets_it_back, System, test::every_policy) {
  test::ledger book;
  test::counting_allocator<System> allocator(book);
  check_policy<System>(System::policy_with(allocator));
  BOOST_TEST(book.outstanding() == 0U);
  BOOST_TEST(book.allocations() > 0U);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(scratch_is_what_the_plan_says, System, test::every_policy) {
  auto in = test::buffer_of<System>(keys);
  unsigned const* const first = in.data();
  for (int bins : {4, 257, 6007, 100000})
    for (route forced : System::every_route()) {
      test::ledger book;
      test::counting_allocator<System> allocator(book);
      test::output<System, std::uint8_t> out(static_cast<std::size_t>(bins));
      thrust_hist::plan plan;
      const auto policy = System::policy_with(allocator);
      try {
        thrust_hist::histogram(
            policy, first, first + keys.size(), out.data(), bins,
            options{}.force(forced).explain(&plan));
      } catch (std::invalid_argument const&) {
        continue;
      }
      BOOST_TEST(book.allocations() == 0U);
      thrust_hist::histogram(
          policy, first, first + keys.size(), out.data(), bins, options{}.force(forced));
      BOOST_TEST(
          book.peak() <= plan.scratch_bytes, bins << " bins, route " << forced << ": "
                                                  << book.peak() << " bytes were taken, "
                                                  << plan.scratch_bytes << " were planned");
      BOOST_TEST(book.outstanding() == 0U);
    }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(
    an_allocator_that_throws_leaves_nothing_allocated_and_nothing_written, System,
    test::every_policy) {
  for (route forced : System::every_route())
    for (int bins : {4, 257, 5000})
      BOOST_TEST_CONTEXT("route " << forced << ", " << bins << " bins") {
        try {
          check_failing_allocations<System>(
              [&](auto const& policy, auto first, auto last, auto out) {
                thrust_hist::histogram(
                    policy, first, last, out, bins, options{}.force(forced).dropped(nullptr));
              });
          std::uint64_t dropped = 0;
          check_failing_allocations<System>(
              [&](auto const& policy, auto first, auto last, auto out) {
                thrust_hist::histogram(
                    policy, first, last,
                    thrust::make_permutation_iterator(out, thrust::make_counting_iterator(0)), bins,
                    options{}.force(forced).dropped(&dropped));
              });
        } catch (std::invalid_argument const&) {
        }
      }
  check_failing_allocations<System>([&](auto const& policy, auto first, auto last, auto out) {
    thrust_hist::histogram(policy, first, last, out);
  });
  check_failing_allocations<System>([&](auto const& policy, auto first, auto last, auto out) {
    const std::vector<double> edges{0, 1, 5.5, 200};
    thrust_hist::histogram_range(policy, first, last, out, edges.begin(), edges.end());
  });
  check_failing_allocations<System>([&](auto const& policy, auto first, auto last, auto) {
    thrust_hist::reduce(policy, first, last, 0);
  });
}

BOOST_AUTO_TEST_CASE_TEMPLATE(
    a_container_is_as_it_was_when_the_call_throws, System, test::every_policy) {
  auto in = test::buffer_of<System>(keys);
  unsigned const* const first = in.data();
  for (std::size_t size : {3, 1000})
    for (bool accumulate : {false, true})
      for (int healthy = 0; healthy < 20; ++healthy) {
        test::ledger book(healthy);
        test::counting_allocator<System> allocator(book);
        test::vector_of<System, int> container(size, 7);
        try {
          thrust_hist::histogram(
              System::policy_with(allocator), first, first + keys.size(), container,
              options{}.accumulate(accumulate));
          break;
        } catch (test::allocation_refused const&) {
        } catch (std::bad_alloc const&) {
        }
        BOOST_TEST(test::difference(test::contents(container), std::vector<int>(size, 7)) == "");
      }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(
    a_memory_resource_gives_the_scratch_memory, System, test::every_policy) {
  test::counting_resource<System> resource;
  check_policy<System>(System::policy_with(&resource));
  BOOST_TEST(resource.book.outstanding() == 0U);
  BOOST_TEST(resource.book.allocations() > 0U);
}

#ifndef __CUDACC__
BOOST_AUTO_TEST_CASE_TEMPLATE(two_threads_of_the_caller_count_at_once, System, test::every_policy) {
  std::string found[2];
  const auto work = [&](int which) {
    for (int i = 0; i < 10; ++i)
      for (int bins : {4, 257, 6007}) {
        std::vector<int> out(static_cast<std::size_t>(bins), 7);
        thrust_hist::histogram(System::policy(), keys.begin(), keys.end(), out.data(), bins);
        const auto counts = test::count(keys, test::identity_reference(bins));
        found[which] += test::difference(out, test::convert<int>(counts));
      }
  };
  std::thread one(work, 0), other(work, 1);
  one.join();
  other.join();
  BOOST_TEST(found[0] == "");
  BOOST_TEST(found[1] == "");
}
#endif

BOOST_AUTO_TEST_SUITE_END()
