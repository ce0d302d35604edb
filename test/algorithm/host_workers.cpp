// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What the host systems do with few workers, with workers that are stopped, and with a route by
// force.

#include "../support/checks.h"
#include <thrust_hist/thrust_hist.h>

#include <thrust/functional.h>

#include <atomic>
#include <cstdint>
#include <numeric>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#ifdef _OPENMP
#  include <omp.h>
#endif
#ifdef THRUST_HIST_TEST_TBB
#  include <tbb/task_group.h>
#endif

BOOST_AUTO_TEST_SUITE(host_workers, THRUST_HIST_TEST_SMALL)

namespace {

using thrust_hist::options;
using thrust_hist::route;

const test::samples<int> keys(1 << 18, [](std::size_t i) { return i % 100; });
const auto counts = test::count(keys, test::identity_reference(100));

template <class System>
thrust_hist::plan plan_for(options const& how) {
  thrust_hist::plan p;
  int* const out = nullptr;
  thrust_hist::histogram(
      System::policy(), keys.begin(), keys.end(), out, 100, options{how}.explain(&p));
  return p;
}

}  // namespace

#ifdef _OPENMP
BOOST_AUTO_TEST_CASE(one_thread_takes_a_private_table_where_it_is_forced_to) {
  const int before = omp_get_max_threads();
  omp_set_num_threads(1);
  const auto forced = options{}.force(route::private_tables);
  const auto automatic = plan_for<test::omp>(options{});
  const auto plan = plan_for<test::omp>(forced);
  BOOST_TEST((automatic.taken == route::serial));
  BOOST_TEST((plan.taken == route::private_tables));
  BOOST_TEST(plan.why == "forced");
  BOOST_TEST(plan.blocks == 1U);
  BOOST_TEST(plan.scratch_bytes == automatic.scratch_bytes);
  test::output<test::omp, int> out(100);
  thrust_hist::histogram(
      thrust::omp::par, keys.begin(), keys.end(), out.data(), 100, options{forced});
  out.check_equals(test::convert<int>(counts));
  omp_set_num_threads(before);
}

BOOST_AUTO_TEST_CASE(the_output_is_the_table_of_one_of_two_workers) {
  const int before = omp_get_max_threads();
  omp_set_num_threads(2);
  const int bins = 6007;
  const test::samples<int> spread(
      20011, [](std::size_t i) { return static_cast<int>(i * 7919 % 6100); });
  auto expected = test::count(spread, test::identity_reference(bins));
  const auto forced = options{}.force(route::private_tables);
  test::output<test::omp, unsigned> out(bins);
  const auto call = [&](options const& how) {
    thrust_hist::histogram(thrust::omp::par, spread.begin(), spread.end(), out.data(), bins, how);
  };
  thrust_hist::plan plan;
  call(options{forced}.explain(&plan));
  BOOST_TEST(plan.blocks == 2U);
  BOOST_TEST(plan.scratch_bytes >= bins * 4U);
  BOOST_TEST(plan.scratch_bytes < bins * 4U + 256);
  call(forced);
  out.check_equals(test::convert<unsigned>(expected));
  call(options{forced}.accumulate());
  for (auto& count : expected)
    count *= 2;
  out.check_equals(test::convert<unsigned>(expected));
  call(options{forced}.max_temporary_bytes(0));
  for (auto& count : expected)
    count /= 2;
  out.check_equals(test::convert<unsigned>(expected));
  omp_set_num_threads(before);
}

BOOST_AUTO_TEST_CASE(a_cap_leaves_one_private_table_of_those_that_are_forced) {
  const auto forced = options{}.force(route::private_tables);
  const auto one = plan_for<test::omp>(options{}.force(route::serial)).scratch_bytes;
  const auto plan = plan_for<test::omp>(options{forced}.max_temporary_bytes(one));
  BOOST_TEST((plan.taken == route::private_tables));
  BOOST_TEST(plan.blocks == 1U);
}

// Buckets would fit the cap, but they are not what is forced; nor are narrow counters for an output
// of reals.
BOOST_AUTO_TEST_CASE(a_forced_table_of_many_bins_needs_its_memory) {
  const int bins = 1 << 22;
  const std::vector<int> ones(bins, 1);
  test::output<test::omp, float> out(bins);
  std::uint64_t dropped = 42;
  for (route forced : {route::serial, route::private_tables}) {
    const auto how = options{}.force(forced).dropped(&dropped).max_temporary_bytes(10'000'000);
    BOOST_CHECK_THROW(
        thrust_hist::histogram(thrust::omp::par, ones.begin(), ones.end(), out.data(), bins, how),
        thrust_hist::memory_limit_error);
  }
  BOOST_TEST(dropped == 42U);
  out.check_untouched();
}
#endif

BOOST_AUTO_TEST_CASE(the_sequential_system_has_no_private_tables) {
  BOOST_CHECK_THROW(
      plan_for<test::seq>(options{}.force(route::private_tables)), std::invalid_argument);
}

#ifdef THRUST_HIST_TEST_TBB
// A cancelled group leaves out the tasks of whatever is called in it.
BOOST_AUTO_TEST_CASE(work_that_a_cancelled_group_leaves_out_is_an_error) {
  for (route forced : {route::private_tables, route::partitioned}) {
    const auto how = options{}.force(forced);
    if (plan_for<test::tbb>(how).blocks == 1) {
      BOOST_TEST_MESSAGE("there is one worker on this machine: no task to leave out");
      return;
    }
    test::output<test::tbb, double> out(100);
    std::string message;
    tbb::task_group group;
    group.run_and_wait([&] {
      group.cancel();
      try {
        thrust_hist::histogram(thrust::tbb::par, keys.begin(), keys.end(), out.data(), 100, how);
      } catch (std::runtime_error const& error) {
        message = error.what();
      }
    });
    BOOST_TEST(message.find("left out work") != std::string::npos, message);
    out.check_untouched();
  }
}
#endif

BOOST_AUTO_TEST_CASE_TEMPLATE(reduce_has_no_bins_to_throw_into_buckets, System, test::systems) {
  try {
    thrust_hist::reduce(
        System::policy(), keys.begin(), keys.end(), 0, thrust::plus<int>{},
        options{}.force(route::partitioned));
    BOOST_ERROR("reduce took a route for many bins");
  } catch (std::invalid_argument const& refusal) {
    const std::string why = refusal.what();
    BOOST_TEST(why.find("partitioned") != std::string::npos, why);
    BOOST_TEST(why.find("reduce has no bins") != std::string::npos, why);
  }
}

// To wake others would take longer, where inputs lie in memory.
BOOST_AUTO_TEST_CASE_TEMPLATE(
    few_inputs_are_reduced_by_the_thread_that_calls, System, test::host_systems) {
  enum class letter : unsigned { a, b, c };
  const auto here = std::this_thread::get_id();
  std::atomic<int> elsewhere{0};
  for (int n : {0, 1, 1000, 16383, 16384, 100000}) {
    std::vector<int> numbers(n);
    std::iota(numbers.begin(), numbers.end(), 0);
    const auto note = [&elsewhere, here](int a, int b) {
      elsewhere += std::this_thread::get_id() == here ? 0 : 1;
      return (a + b) % 1000;
    };
    const int sum = static_cast<int>(std::int64_t{n} * (n - 1) / 2 % 1000);
    BOOST_TEST(
        thrust_hist::reduce(System::policy(), numbers.begin(), numbers.end(), 0, note) == sum);
    const std::vector<letter> letters(n, letter::c);
    std::vector<int> found;
    thrust_hist::histogram(System::policy(), letters.begin(), letters.end(), found);
    BOOST_TEST(found == (n == 0 ? std::vector<int>{} : std::vector<int>{0, 0, n}));
    BOOST_TEST((elsewhere == 0 || n > 16383));
  }
}

BOOST_AUTO_TEST_SUITE_END()
