// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What each option does to a call, on every route.

#include "../support/checks.h"
#include "../support/containers.h"
#include "../support/fewer.h"
#include "../support/messages.h"
#include <thrust_hist/thrust_hist.h>

#include <cstddef>
#include <numeric>
#include <sstream>

BOOST_AUTO_TEST_SUITE(effects_of_options, THRUST_HIST_TEST_SMALL)

namespace {

using thrust_hist::options;
using thrust_hist::route;

const test::samples<int> keys(5003, [](std::size_t i) { return static_cast<int>(i % 130) - 15; });

template <class System, class Counter>
void check_accumulate(test::bin bins) {
  const auto counts = test::count(keys, test::identity_reference(bins));
  std::vector<Counter> before, after;
  for (test::bin i = 0; i < bins; ++i) {
    before.push_back(static_cast<Counter>(i * 37 - 100));
    const auto count = static_cast<Counter>(counts[static_cast<std::size_t>(i)]);
    after.push_back(static_cast<Counter>(before.back() + count));
  }
  auto in = test::buffer_of<System>(keys);
  int const* const first = in.data();
  for (route forced : System::every_route()) {
    test::output<System, Counter> out(before);
    try {
      thrust_hist::histogram(
          System::policy(), first, first + keys.size(), out.data(), bins,
          options{}.accumulate().force(forced));
    } catch (std::invalid_argument const&) {
      out.check_untouched();
      continue;
    }
    BOOST_TEST_CONTEXT("route " << forced << ", " << bins << " bins") out.check_equals(after);
    thrust_hist::histogram(
        System::policy(), first, first, out.data(), bins, options{}.accumulate().force(forced));
    out.check_equals(after);  // no samples, nothing changed
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE_TEMPLATE(accumulate_adds_to_what_is_there, System, test::systems) {
  for (test::bin bins : test::fewer({1, 3, 5, 100, 257, 6007}, {3, 257})) {
    check_accumulate<System, std::uint32_t>(bins);
    check_accumulate<System, std::int8_t>(bins);
    check_accumulate<System, std::int64_t>(bins);
    check_accumulate<System, float>(bins);
    check_accumulate<System, double>(bins);
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(
    accumulate_leaves_bins_without_input_as_they_are_to_the_bit, System, test::systems) {
  const test::samples<int> only_one{2, 2, 2};
  auto in = test::buffer_of<System>(only_one);
  int const* const first = in.data();
  const double nan = test::from_bits<double>(0x7ff4000000000123);
  for (route forced : System::every_route()) {
    test::output<System, double> out({-0.0, nan, 5., -0.0});
    try {
      thrust_hist::histogram(
          System::policy(), first, first + 3, out.data(), 4, options{}.accumulate().force(forced));
      BOOST_TEST_CONTEXT("route " << forced) out.check_equals({-0.0, nan, 8., -0.0});
    } catch (std::invalid_argument const&) {
      out.check_untouched();
    }
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(dropped_counts_the_samples_without_a_bin, System, test::systems) {
  for (int bins : test::fewer({0, 1, 4, 100, 257, 6007}, {0, 4, 257}))
    for (route forced : System::every_route()) {
      const auto counts = test::count(keys, test::identity_reference(bins));
      std::uint64_t dropped = 12345;
      if (test::check_route<System, int>(
              forced, keys, counts, [&](auto first, auto last, auto out, auto how) {
                return thrust_hist::histogram(
                    System::policy(), first, last, out, bins, how.dropped(&dropped));
              }))
        BOOST_TEST(dropped == keys.size() - test::total(counts), bins << " bins, route " << forced);
    }
  std::uint64_t dropped = 12345;
  test::check_counts<System, int>(
      test::samples<int>{}, {0, 0}, [&](auto first, auto last, auto out) {
        return thrust_hist::histogram(
            System::policy(), first, last, out, 2, options{}.dropped(&dropped));
      });
  BOOST_TEST(dropped == 0U);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(
    dropped_counts_negative_keys_when_bins_are_discovered, System, test::systems) {
  std::uint64_t dropped = 12345;
  const auto counts = test::count(keys, test::identity_reference(115));
  test::check_counts<System, int>(keys, counts, [&](auto first, auto last, auto out) {
    return thrust_hist::histogram(System::policy(), first, last, out, options{}.dropped(&dropped));
  });
  BOOST_TEST(dropped == keys.size() - test::total(counts));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(max_bins_stops_before_anything_is_written, System, test::systems) {
  auto in = test::buffer_of<System>(keys);
  int const* const first = in.data();
  int const* const last = first + keys.size();
  test::output<System, int> out(200);
  test::vector_of<System, int> container(3, 7);
  BOOST_TEST(test::throws_as<std::length_error>(
      [&] {
        thrust_hist::histogram(System::policy(), first, last, out.data(), options{}.max_bins(114));
      },
      {"115", "114"}));
  out.check_untouched();
  BOOST_TEST(test::throws_as<std::length_error>(
      [&] {
        thrust_hist::histogram(System::policy(), first, last, container, options{}.max_bins(114));
      },
      {"115", "114"}));
  BOOST_TEST(
      test::contents(container) == (std::vector<int>{7, 7, 7}), boost::test_tools::per_element());
  thrust_hist::histogram(System::policy(), first, last, container, options{}.max_bins(115));
  BOOST_TEST(container.size() == 115U);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(explain_fills_in_the_plan_and_runs_nothing, System, test::systems) {
  auto in = test::buffer_of<System>(keys);
  int const* const first = in.data();
  int const* const last = first + keys.size();
  for (route forced : System::every_route()) {
    test::output<System, int> out(100);
    thrust_hist::plan plan;
    try {
      const auto end = thrust_hist::histogram(
          System::policy(), first, last, out.data(), 100, options{}.force(forced).explain(&plan));
      BOOST_TEST(end - out.data() == 100);
      BOOST_TEST((forced == route::automatic || plan.taken == forced));
      BOOST_TEST((plan.taken != route::automatic));
      BOOST_TEST(plan.why != "");
      BOOST_TEST(plan.system != "");
      BOOST_TEST(plan.blocks > 0U);
      BOOST_TEST(plan.exact);
      std::ostringstream sentence;
      sentence << plan;
      BOOST_TEST_MESSAGE(sentence.str());
    } catch (std::invalid_argument const& refusal) {
      BOOST_TEST_MESSAGE(refusal.what());
      BOOST_TEST((forced != route::automatic));
    }
    out.check_untouched();
  }
}

#ifndef __CUDACC__
// The cap under which there is room for one worker.
template <class System>
std::size_t bytes_of_one_table(test::samples<int> const& s, int bins) {
  thrust_hist::plan plan;
  int const* const first = s.data();
  int* const out = nullptr;
  thrust_hist::histogram(
      System::policy(), first, first + s.size(), out, bins,
      options{}.force(route::serial).explain(&plan));
  return plan.scratch_bytes;
}

BOOST_AUTO_TEST_CASE_TEMPLATE(explain_says_why_one_worker_counts, System, test::systems) {
  const test::samples<int> many(1 << 20, [](std::size_t i) { return i % 100; });
  int const* const first = many.data();
  int const* const last = first + many.size();
  int* const out = nullptr;
  const auto why = [&](auto end, options const& how) {
    thrust_hist::plan plan;
    thrust_hist::histogram(System::policy(), first, end, out, 100, options{how}.explain(&plan));
    BOOST_TEST((plan.taken == route::serial));
    BOOST_TEST(plan.blocks == 1U);
    return plan.why;
  };
  if (!System::is_parallel) {
    BOOST_TEST(why(last, options{}) == "one thread");
    return;
  }
  BOOST_TEST(why(last, options{}.force(route::serial)) == "forced");
  thrust_hist::plan plan;
  thrust_hist::histogram(System::policy(), first, last, out, 100, options{}.explain(&plan));
  if (plan.taken == route::serial) {
    BOOST_TEST_MESSAGE("there is one worker on this machine anyway: nothing to compare with");
    return;
  }
  BOOST_TEST(why(first + 100, options{}) == "too little input for more workers");
  const std::size_t table = bytes_of_one_table<System>(many, 100);
  const auto capped = options{}.max_temporary_bytes(table);
  const std::string room = why(last, capped);
  BOOST_TEST(room.find("the memory cap leaves room for") != std::string::npos, room);
  BOOST_TEST(why(first + 100, capped) == "too little input for more workers");
  if (plan.blocks == 2) {
    BOOST_TEST_MESSAGE("there are two workers on this machine: no cap has room for fewer of them");
    return;
  }
  thrust_hist::plan of_two;
  thrust_hist::histogram(
      System::policy(), first, last, out, 100,
      options{}.max_temporary_bytes(3 * table - 1).explain(&of_two));
  BOOST_TEST((of_two.taken == route::private_tables));
  BOOST_TEST(of_two.blocks == 2U);
  BOOST_TEST(of_two.scratch_bytes == 2 * table);
  BOOST_TEST(of_two.why.find("the memory cap leaves room for") != std::string::npos, of_two.why);
}
#endif

BOOST_AUTO_TEST_CASE_TEMPLATE(
    explain_leaves_containers_and_even_and_range_alone, System, test::systems) {
  auto in = test::buffer_of<System>(keys);
  int const* const first = in.data();
  int const* const last = first + keys.size();
  test::output<System, int> out(4);
  thrust_hist::plan plan;
  const auto explain = options{}.explain(&plan);
  thrust_hist::histogram_even(System::policy(), first, last, out.data(), 4, 0, 100, explain);
  const std::vector<int> edges{0, 1, 2, 3, 4};
  thrust_hist::histogram_range(
      System::policy(), first, last, out.data(), edges.begin(), edges.end(), explain);
  out.check_untouched();
  test::vector_of<System, int> container(3, 7);
  thrust_hist::histogram(System::policy(), first, last, container, explain);
  BOOST_TEST(
      test::contents(container) == (std::vector<int>{7, 7, 7}), boost::test_tools::per_element());
}

// Containers have the size of the result, and what they are to be added to, when a call runs and
// not before.
BOOST_AUTO_TEST_CASE_TEMPLATE(
    explain_reads_nothing_from_a_container_that_is_smaller, System, test::systems) {
  std::vector<int> wide(1000);
  std::iota(wide.begin(), wide.end(), 0);
  auto in = test::buffer_of<System>(wide);
  int const* const first = in.data();
  for (std::size_t size : {0, 3}) {
    std::vector<int> container(size, 7);
    thrust_hist::plan plan = {};
    thrust_hist::histogram(
        System::policy(), first, first + wide.size(), container,
        options{}.accumulate().explain(&plan));
    BOOST_TEST((plan.taken != route::automatic));
    BOOST_TEST(container == std::vector<int>(size, 7), boost::test_tools::per_element());
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(
    a_cap_on_temporary_memory_is_kept_or_refused_with_one_that_works, System, test::systems) {
  for (int bins : {4, 257, 6007, 100000})
    for (route forced : System::every_route()) {
      const auto counts = test::count(keys, test::identity_reference(bins));
      std::size_t cap = 0;
      const auto call = [&](auto first, auto last, auto out, auto how) {
        return thrust_hist::histogram(
            System::policy(), first, last, out, bins, how.max_temporary_bytes(cap));
      };
      try {
        test::check_route<System, int>(forced, keys, counts, call);
      } catch (thrust_hist::memory_limit_error const& refusal) {
        cap = refusal.smallest();
        BOOST_TEST(cap > 0U);
        test::check_route<System, int>(forced, keys, counts, call);
        --cap;
        BOOST_CHECK_THROW(
            (test::check_route<System, int>(forced, keys, counts, call)),
            thrust_hist::memory_limit_error);
      }
    }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(a_route_of_another_system_is_refused_by_name, System, test::systems) {
  auto in = test::buffer_of<System>(keys);
  int const* const first = in.data();
  test::output<System, int> out(4);
  const auto others = System::is_cuda
                          ? std::vector<route>{route::serial, route::private_tables}
                          : std::vector<route>{route::shared, route::shared_split, route::global};
  for (route forced : others) {
    BOOST_TEST(test::throws(
        [&] {
          thrust_hist::histogram(
              System::policy(), first, first + keys.size(), out.data(), 4, options{}.force(forced));
        },
        thrust_hist::to_string(forced)));
    out.check_untouched();
  }
}

BOOST_AUTO_TEST_SUITE_END()
