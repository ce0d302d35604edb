// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What each option does to a fold, on every route.

#include "../support/allocators.h"
#include "../support/folds.h"
#include "../support/messages.h"
#include "../support/threads.h"
#include <thrust_hist/thrust_hist.h>

#include <thrust/functional.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/discard_iterator.h>

#include <sstream>

BOOST_AUTO_TEST_SUITE(folds_options, THRUST_HIST_TEST_SMALL)

namespace {

using thrust_hist::histogram_by_key;
using thrust_hist::options;
using thrust_hist::route;

const auto keys = test::keys_for(5003, 300);
const test::samples<int> values(keys.size(), [](std::size_t i) {
  return static_cast<int>(i) % 91 - 40;
});

template <class A>
std::vector<A> sums(test::bin bins) {
  return test::fold(keys, values, bins, A{}, [](A a, int b) { return static_cast<A>(a + b); });
}

// `call(first, last, values, options)` by each route that is not refused.
template <class System, class Call>
void on_each_route(Call const& call) {
  auto keys_there = test::buffer_of<System>(keys);
  auto values_there = test::buffer_of<System>(values);
  int const* const first = keys_there.data();
  int const* const with = values_there.data();
  for (route forced : System::every_route())
    BOOST_TEST_CONTEXT("route " << forced) {
      try {
        call(first, first + keys.size(), with, options{}.force(forced));
      } catch (std::invalid_argument const& refusal) {
        BOOST_TEST(test::fold_may_be_refused<System>(forced), refusal.what());
      }
    }
}

struct larger {
  THRUST_HIST_HOST_DEVICE double operator()(double a, double b) const { return a < b ? b : a; }
};

template <class System, class A>
void check_accumulate() {
  for (test::bin bins : {1, 5, 300, 9001})
    on_each_route<System>([&](auto first, auto last, auto with, options const& how) {
      std::vector<A> before, after = sums<A>(bins);
      for (std::size_t i = 0; i < after.size(); ++i) {
        before.push_back(static_cast<A>(i * 3 - 50));
        after[i] = static_cast<A>(after[i] + before[i]);
      }
      test::output<System, A> out(before);
      histogram_by_key(
          System::policy(), first, last, with, out.data(), bins, options{how}.accumulate());
      out.check_equals(after);
      histogram_by_key(
          System::policy(), first, first, with, out.data(), bins, options{how}.accumulate());
      out.check_equals(after);  // no pairs, nothing changed
    });
}

}  // namespace

BOOST_AUTO_TEST_CASE_TEMPLATE(accumulate_adds_to_what_is_there, System, test::systems) {
  check_accumulate<System, std::int16_t>();
  check_accumulate<System, double>();
}

BOOST_AUTO_TEST_CASE_TEMPLATE(accumulate_folds_by_the_operator, System, test::systems) {
  on_each_route<System>([&](auto first, auto last, auto with, options const& how) {
    auto expected = test::fold(keys, values, 300, -1e9, larger{});
    test::output<System, double> out(std::vector<double>(300, 30.));
    histogram_by_key(
        System::policy(), first, last, with, out.data(), 300, larger{}, -1e9,
        options{how}.accumulate());
    for (double& x : expected)
      x = x < 30 ? 30 : x;
    out.check_equals(expected);
  });
}

BOOST_AUTO_TEST_CASE_TEMPLATE(accumulate_needs_an_output_that_can_be_read, System, test::systems) {
  int const* const none = nullptr;
  BOOST_TEST(test::throws(
      [&] {
        histogram_by_key(
            System::policy(), none, none, none, thrust::make_discard_iterator(), 3,
            options{}.accumulate());
      },
      "accumulate()"));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(dropped_counts_the_pairs_without_a_bin, System, test::systems) {
  for (test::bin bins : {0, 1, 100, 300, 9001})
    on_each_route<System>([&](auto first, auto last, auto with, options const& how) {
      std::uint64_t expected = 0, dropped = 12345;
      for (int key : keys)
        expected += key < 0 || key >= bins ? 1 : 0;
      test::output<System, int> out(static_cast<std::size_t>(bins));
      histogram_by_key(
          System::policy(), first, last, with, out.data(), bins, options{how}.dropped(&dropped));
      BOOST_TEST(dropped == expected);
    });
}

BOOST_AUTO_TEST_CASE_TEMPLATE(explain_fills_in_the_plan_and_runs_nothing, System, test::systems) {
  on_each_route<System>([&](auto first, auto last, auto with, options const& how) {
    test::output<System, float> out(300);
    thrust_hist::plan plan;
    const auto end = histogram_by_key(
        System::policy(), first, last, with, out.data(), 300, options{how}.explain(&plan));
    BOOST_TEST(end - out.data() == 300);
    BOOST_TEST((how.force_ == route::automatic || plan.taken == how.force_));
    BOOST_TEST((plan.taken != route::automatic));
    BOOST_TEST(plan.why != "");
    BOOST_TEST(plan.system != "");
    BOOST_TEST(plan.blocks > 0U);
    std::ostringstream sentence;
    sentence << plan;
    BOOST_TEST_MESSAGE(sentence.str());
    out.check_untouched();
  });
}

BOOST_AUTO_TEST_CASE_TEMPLATE(explain_says_whether_a_call_is_exact, System, test::systems) {
  int const* const none = nullptr;
  const auto is_exact = [&](auto* out, auto op, options const& how) {
    thrust_hist::plan plan;
    histogram_by_key(System::policy(), none, none, none, out, 10, op, options{how}.explain(&plan));
    return plan.exact;
  };
  int* const integers = nullptr;
  double* const reals = nullptr;
  const thrust_hist::detail::plus_of<double> plus;
  const thrust_hist::detail::minimum_of<double> minimum;
  BOOST_TEST(is_exact(integers, plus, options{}));
  BOOST_TEST(!is_exact(reals, plus, options{}));
  BOOST_TEST(is_exact(reals, plus, options{}.exact()));
  BOOST_TEST(is_exact(reals, minimum, options{}));
  BOOST_TEST(is_exact(reals, minimum, options{}.exact()));
  BOOST_TEST(!is_exact(reals, thrust::multiplies<double>{}, options{}));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(exact_is_refused_where_it_means_nothing, System, test::systems) {
  test::output<System, double> out(10);
  int const* const none = nullptr;
  BOOST_TEST(test::throws(
      [&] {
        histogram_by_key(
            System::policy(), none, none, none, out.data(), 10, thrust::multiplies<double>{},
            options{}.exact());
      },
      "exact()"));
  BOOST_TEST(test::throws(
      [&] {
        histogram_by_key(
            System::policy(), none, none, none, out.data(), 10, larger{}, 0., options{}.exact());
      },
      "exact()"));
  out.check_untouched();
}

BOOST_AUTO_TEST_CASE_TEMPLATE(scratch_is_what_the_plan_says, System, test::systems) {
  for (test::bin bins : {1, 300, 9001})
    on_each_route<System>([&](auto first, auto last, auto with, options const& how) {
      test::ledger book;
      test::counting_allocator<System> allocator(book);
      const auto policy = System::policy_with(allocator);
      test::output<System, double> out(static_cast<std::size_t>(bins));
      thrust_hist::plan plan;
      const auto call = [&](options const& o) {
        histogram_by_key(policy, first, last, with, out.data(), bins, o);
      };
      call(options{how}.explain(&plan));
      BOOST_TEST(book.allocations() == 0U);
      call(how);
      BOOST_TEST(book.peak() <= plan.scratch_bytes);
      BOOST_TEST(book.outstanding() == 0U);
    });
}

BOOST_AUTO_TEST_CASE_TEMPLATE(
    a_cap_on_temporary_memory_is_kept_or_refused_with_one_that_works, System, test::systems) {
  for (test::bin bins : {1, 300, 9001})
    on_each_route<System>([&](auto first, auto last, auto with, options const& how) {
      test::output<System, int> out(static_cast<std::size_t>(bins));
      const auto call = [&](std::size_t cap) {
        histogram_by_key(
            System::policy(), first, last, with, out.data(), bins,
            options{how}.max_temporary_bytes(cap));
      };
      std::size_t cap = 0;
      try {
        call(0);
      } catch (thrust_hist::memory_limit_error const& refusal) {
        out.check_untouched();
        cap = refusal.smallest();
        BOOST_TEST(cap > 0U);
        BOOST_CHECK_THROW(call(cap - 1), thrust_hist::memory_limit_error);
        out.check_untouched();
        call(cap);
      }
      out.check_equals(sums<int>(bins));
    });
}

BOOST_AUTO_TEST_CASE_TEMPLATE(a_route_of_another_system_is_refused_by_name, System, test::systems) {
  int const* const none = nullptr;
  test::output<System, int> out(4);
  const auto others = System::is_cuda ? std::vector<route>{route::serial, route::private_tables}
                                      : std::vector<route>{route::shared, route::global};
  for (route forced : others)
    BOOST_TEST(test::throws(
        [&] {
          histogram_by_key(
              System::policy(), none, none, none, out.data(), 4, options{}.force(forced));
        },
        thrust_hist::to_string(forced)));
  out.check_untouched();
}

#if defined(_OPENMP) && !defined(__CUDACC__)
template <class A>
thrust_hist::plan plan_of(std::ptrdiff_t n, test::bin bins, options const& how = options{}) {
  thrust_hist::plan plan;
  A* const out = nullptr;
  const thrust::counting_iterator<int> zero(0);
  histogram_by_key(thrust::omp::par, zero, zero + n, zero, out, bins, options{how}.explain(&plan));
  return plan;
}

BOOST_AUTO_TEST_CASE(many_workers_agree_with_one) {
  for (int workers : {1, 2, 3, 7}) {
    const test::threads set(workers);
    on_each_route<test::omp>([&](auto first, auto last, auto with, options const& how) {
      for (test::bin bins : {1, 300, 9001}) {
        test::output<test::omp, double> out(static_cast<std::size_t>(bins));
        histogram_by_key(thrust::omp::par, first, last, with, out.data(), bins, how);
        out.check_equals(sums<double>(bins));
      }
    });
  }
}

BOOST_AUTO_TEST_CASE(the_plan_follows_input_bins_and_memory) {
  const test::threads set(4);
  BOOST_TEST((plan_of<float>(1000, 100).taken == route::serial));
  BOOST_TEST(plan_of<float>(1000, 100).why == "too little input for more workers");
  const auto tables = plan_of<float>(1 << 20, 1000);
  BOOST_TEST((tables.taken == route::private_tables));
  BOOST_TEST(tables.blocks == 4U);
  const auto fewer =
      plan_of<float>(1 << 20, 1000, options{}.max_temporary_bytes(tables.scratch_bytes - 1));
  BOOST_TEST(fewer.blocks >= 1U);
  BOOST_TEST(fewer.scratch_bytes < tables.scratch_bytes);
  const auto buckets = plan_of<float>(1 << 26, 1 << 24);
  BOOST_TEST((buckets.taken == route::partitioned));
  BOOST_TEST(buckets.scratch_bytes < 2U * (1 << 26));
  // Room for one table, but not for what waits beside it.
  const auto one =
      plan_of<float>(1 << 26, 1 << 24, options{}.max_temporary_bytes((1U << 26) + 256));
  BOOST_TEST((one.taken == route::serial));
  const test::threads alone(1);
  BOOST_TEST((plan_of<float>(1 << 26, 1 << 24).taken == route::serial));
  BOOST_TEST(plan_of<float>(1 << 20, 1000).why == "one thread");
}

BOOST_AUTO_TEST_CASE(a_table_that_no_machine_has_is_no_memory) {
  BOOST_CHECK_THROW(plan_of<double>(10, test::bin{1} << 50), std::bad_alloc);
}
#endif

BOOST_AUTO_TEST_SUITE_END()
