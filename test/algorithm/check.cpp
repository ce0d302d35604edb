// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// build: checked
// build: unchecked twin
// check(): a falsified bin is caught on every route of every system, and a right result passes.
// The twin is built without THRUST_HIST_ENABLE_CHECK, and is told to define it.

#include "../support/checks.h"
#include "../support/containers.h"
#include "../support/corruption.h"
#include "../support/messages.h"
#include "check_reduce.h"
#include <thrust_hist/thrust_hist.h>

#include <thrust/functional.h>
#include <thrust/iterator/discard_iterator.h>

#include <cmath>
#include <cstdlib>
#include <limits>
#include <string>

namespace check_setup {

using thrust_hist::options;
using thrust_hist::route;

#if defined(THRUST_HIST_ENABLE_CHECK) && defined(THRUST_HIST_TEST_HOOKS)

// `call(first, last, out, options)` has to pass as it is, and to be caught with a bin falsified.
template <class System, class Counter, class Sample, class Call>
void check_caught(test::samples<Sample> const& s, test::bin bins, Call call) {
  auto in = test::buffer_of<System>(s);
  Sample const* const first = in.data();
  for (route forced : System::every_route())
    for (bool accumulate : {false, true})
      BOOST_TEST_CONTEXT("route " << forced << ", accumulate " << accumulate) {
        test::output<System, Counter> out(std::vector<Counter>(static_cast<std::size_t>(bins), 3));
        const auto how = options{}.check().force(forced).accumulate(accumulate);
        try {
          call(first, first + s.size(), out.data(), how);
        } catch (std::invalid_argument const&) {
          continue;  // no such route here
        }
        for (test::bin wrong : {test::bin{0}, bins / 2, bins - 1}) {
          const test::corruption now(wrong);
          try {
            call(first, first + s.size(), out.data(), how);
            BOOST_ERROR("bin " << wrong << " was falsified and nobody noticed");
          } catch (thrust_hist::mismatch_error const& caught) {
            BOOST_TEST(caught.bin() == wrong);
            BOOST_TEST(caught.expected() != caught.got());
          }
        }
        const test::corruption beside(bins);
        BOOST_CHECK_NO_THROW(call(first, first + s.size(), out.data(), how));
      }
}

#endif

}  // namespace check_setup

BOOST_AUTO_TEST_SUITE(check, THRUST_HIST_TEST_SMALL)
using namespace check_setup;

#if defined(THRUST_HIST_ENABLE_CHECK) && defined(THRUST_HIST_TEST_HOOKS)

BOOST_AUTO_TEST_CASE_TEMPLATE(catches_a_falsified_bin_on_every_route, System, test::systems) {
  const test::samples<int> keys(3001, [](std::size_t i) { return static_cast<int>(i % 300) - 9; });
  auto in = test::buffer_of<System>(keys);
  int const* const first = in.data();
  for (int bins : {1, 257, 6007})
    for (route forced : System::every_route())
      BOOST_TEST_CONTEXT("route " << forced << ", " << bins << " bins") {
        test::output<System, int> out(static_cast<std::size_t>(bins));
        const auto how = options{}.check().force(forced);
        const test::corruption now(bins / 2);
        try {
          thrust_hist::histogram(
              System::policy(), first, first + keys.size(), out.data(), bins, how);
          BOOST_ERROR("nobody noticed");
        } catch (std::invalid_argument const& refusal) {
          const std::string why = refusal.what();
          BOOST_TEST(why.find(thrust_hist::to_string(forced)) != std::string::npos, why);
          BOOST_TEST(test::may_be_refused(forced, out.size()), why);
          out.check_untouched();
        } catch (thrust_hist::mismatch_error const& caught) {
          BOOST_TEST(caught.bin() == bins / 2);
        }
      }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(catches_a_falsified_reduction, System, test::systems) {
  const test::samples<int> keys(3001, [](std::size_t i) { return static_cast<int>(i % 300) - 9; });
  check_reduce_caught<System>(keys, 5, thrust::plus<int>{});
  check_reduce_caught<System>(keys, std::int64_t{5}, thrust::plus<std::int64_t>{});
  check_reduce_caught<System>(keys, std::uint8_t{5}, thrust::plus<std::uint8_t>{});
  check_reduce_caught<System>(keys, 100, thrust::minimum<int>{});
  check_reduce_caught<System>(keys, 2.5, thrust::plus<double>{});
  const test::samples<float> reals(
      1001, [](std::size_t i) { return static_cast<double>(i) / 7000 - 1; });
  check_reduce_caught<System>(reals, 0.1F, thrust::plus<float>{});
  check_reduce_caught<System>(reals, 0.1, thrust::plus<double>{});
  check_reduce_caught<System>(reals, 0.1, thrust::plus<double>{}, options{}.exact());
  check_reduce_caught<System>(reals, -2.F, thrust::maximum<float>{});
  const test::samples<largest> places(301, [](std::size_t i) {
    return largest{static_cast<int>(i * 79 % 100), 1};
  });
  check_reduce_caught<System>(places, largest{-1, 0}, take_larger{});
}

BOOST_AUTO_TEST_CASE_TEMPLATE(
    a_reduction_that_depends_on_the_order_is_not_compared, System, test::systems) {
  const test::samples<float> reals(3001, [](std::size_t i) { return i % 3 == 2 ? NAN : 0.5F; });
  auto in = test::buffer_of<System>(reals);
  float const* const first = in.data();
  const test::corruption now(0);
  const auto how = options{}.check();
  const auto run = [&](auto init, auto op, std::size_t n = 3001) {
    BOOST_CHECK_NO_THROW(thrust_hist::reduce(System::policy(), first, first + n, init, op, how));
  };
  run(0.F, thrust::maximum<float>{});                               // a maximum with NaN
  run(1.F, thrust::multiplies<float>{});                            // a product of real numbers
  run(0, thrust::plus<int>{}, 2);                                   // real numbers cut to integers
  run((std::numeric_limits<float>::max)(), thrust::plus<float>{});  // may overflow on its way
  run(point{0, 0}, add_points{});                                   // real numbers, by an operator
}

#  ifndef __CUDACC__
// What compiles without the macro does so with it.
BOOST_AUTO_TEST_CASE(a_reduction_that_cannot_be_checked_is_not) {
  const std::vector<int> numbers{1, 2, 3};
  const auto run = [&](auto init, auto op) {
    return thrust_hist::reduce(
        thrust::seq, numbers.data(), numbers.data() + 3, init, op, options{}.check());
  };
  int calls = 0;
  BOOST_TEST(run(0, [calls](int a, int b) mutable { return ++calls, a + b; }) == 6);
  struct mean {
    int sum, n;
  };
  const auto found = run(mean{0, 0}, [](mean a, int x) { return mean{a.sum + x, a.n + 1}; });
  BOOST_TEST(found.sum == 6);
  BOOST_TEST(found.n == 3);
}
#  endif

BOOST_AUTO_TEST_CASE_TEMPLATE(
    an_output_that_cannot_be_read_is_counted_unchecked, System, test::systems) {
  const test::samples<int> keys{1, 2, 3};
  auto in = test::buffer_of<System>(keys);
  int const* const first = in.data();
  BOOST_CHECK_NO_THROW(thrust_hist::histogram(
      System::policy(), first, first + 3, thrust::make_discard_iterator(), 4, options{}.check()));
}

BOOST_AUTO_TEST_CASE(the_environment_turns_it_on_for_every_call) {
  auto const& suite = boost::unit_test::framework::master_test_suite();
  const std::string command = std::string("THRUST_HIST_CHECK=1 '") + suite.argv[0] +
                              "' --run_test=check_by_environment --report_level=no";
  BOOST_TEST(std::system(command.c_str()) == 0, command);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(is_not_run_by_itself, System, test::systems) {
  if (std::getenv("THRUST_HIST_CHECK") != nullptr)
    return;
  const test::samples<int> keys{1, 2, 3};
  auto in = test::buffer_of<System>(keys);
  int const* const first = in.data();
  test::output<System, int> out(4);
  const test::corruption now(2);
  thrust_hist::histogram(System::policy(), first, first + 3, out.data(), 4);
  out.check_equals({0, 1, 2, 1});  // the hook works and nobody looked
  const test::corruption first_bin(0);
  BOOST_TEST(thrust_hist::reduce(System::policy(), first, first + 3) == 7);
}

#else

BOOST_AUTO_TEST_CASE_TEMPLATE(names_the_macro_that_is_missing, System, test::systems) {
  const test::samples<int> keys{1, 2, 3};
  auto in = test::buffer_of<System>(keys);
  int const* const first = in.data();
  test::output<System, int> out(4);
  const auto refuses = [](auto call) {
    return test::throws_as<std::logic_error>(call, {"THRUST_HIST_ENABLE_CHECK"});
  };
  const auto policy = System::policy();
  thrust_hist::plan plan;
  auto how = options{}.check();
  for (bool explain : {false, true})
    for (int bins : {4, 0})
      for (int n : {3, 0})
        BOOST_TEST_CONTEXT("explain " << explain << ", " << bins << " bins, n = " << n) {
          how.explain(explain ? &plan : nullptr);
          BOOST_TEST(refuses(
              [&] { thrust_hist::histogram(policy, first, first + n, out.data(), bins, how); }));
          BOOST_TEST(refuses([&] {
            thrust_hist::histogram_by_key(
                policy, first, first + n, first, out.data(), bins, options{how}.accumulate());
          }));
          BOOST_TEST(refuses([&] { thrust_hist::reduce(policy, first, first + n, how); }));
          BOOST_TEST(refuses(
              [&] { thrust_hist::reduce(policy, first, first + n, 0.5, options{how}.exact()); }));
          BOOST_TEST(refuses([&] {
            thrust_hist::sparse_histogram(
                policy, first, first + n, out.data(), out.data() + n, how);
          }));
          BOOST_TEST(
              refuses([&] { thrust_hist::histogram(policy, first, first + n, out.data(), how); }));
        }
  out.check_untouched();
}

#endif

BOOST_AUTO_TEST_SUITE_END()

#if defined(THRUST_HIST_ENABLE_CHECK) && defined(THRUST_HIST_TEST_HOOKS)

BOOST_AUTO_TEST_SUITE(check_of_every_kind_of_call, THRUST_HIST_TEST_LARGE)
using namespace check_setup;

BOOST_AUTO_TEST_CASE_TEMPLATE(catches_a_falsified_bin_of_keys, System, test::systems) {
  for (int bins : {1, 5, 257, 6007}) {
    const test::samples<int> keys(
        20011, [](std::size_t i) { return static_cast<int>(i % 7000) - 9; });
    check_caught<System, std::uint32_t>(keys, bins, [&](auto first, auto last, auto out, auto how) {
      thrust_hist::histogram(System::policy(), first, last, out, bins, how);
    });
    const test::samples<std::uint8_t> bytes(20011, [](std::size_t i) { return i % 251; });
    check_caught<System, double>(bytes, bins, [&](auto first, auto last, auto out, auto how) {
      thrust_hist::histogram(System::policy(), first, last, out, bins, how);
    });
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(
    catches_a_falsified_bin_of_even_and_range_bins, System, test::systems) {
  const test::samples<float> s(
      20011, [](std::size_t i) { return static_cast<double>(i) / 7000 - 1; });
  check_caught<System, int>(s, 100, [&](auto first, auto last, auto out, auto how) {
    thrust_hist::histogram_even(System::policy(), first, last, out, 100, -1, 1, how);
  });
  const std::vector<float> edges{-1, -0.5, 0, 0, 0.1F, 2};
  check_caught<System, int>(s, 5, [&](auto first, auto last, auto out, auto how) {
    thrust_hist::histogram_range(
        System::policy(), first, last, out, edges.begin(), edges.end(), how);
  });
}

BOOST_AUTO_TEST_CASE_TEMPLATE(catches_it_where_bins_are_discovered, System, test::systems) {
  const test::samples<int> keys(5000, [](std::size_t i) { return static_cast<int>(i % 50) - 9; });
  check_caught<System, int>(keys, 41, [&](auto first, auto last, auto out, auto how) {
    thrust_hist::histogram(System::policy(), first, last, out, how);
  });
  auto in = test::buffer_of<System>(keys);
  int const* const first = in.data();
  test::vector_of<System, int> container;
  const test::corruption now(40);
  BOOST_CHECK_THROW(
      thrust_hist::histogram(
          System::policy(), first, first + keys.size(), container, options{}.check()),
      thrust_hist::mismatch_error);
}

BOOST_AUTO_TEST_SUITE_END()

// Started by a case above: the variable is read once in a process.
BOOST_AUTO_TEST_SUITE(
    check_by_environment, *boost::unit_test::precondition([](boost::unit_test::test_unit_id) {
      char const* const value = std::getenv("THRUST_HIST_CHECK");
      return boost::test_tools::assertion_result(value != nullptr && std::string(value) == "1");
    }))
using namespace check_setup;

BOOST_AUTO_TEST_CASE_TEMPLATE(catches_a_falsified_bin_without_being_asked, System, test::systems) {
  const test::samples<int> keys{1, 2, 3};
  auto in = test::buffer_of<System>(keys);
  int const* const first = in.data();
  test::output<System, int> out(4);
  thrust_hist::histogram(System::policy(), first, first + 3, out.data(), 4);
  out.check_equals({0, 1, 1, 1});
  const test::corruption now(2);
  BOOST_CHECK_THROW(
      thrust_hist::histogram(System::policy(), first, first + 3, out.data(), 4),
      thrust_hist::mismatch_error);
  const test::corruption result(0);
  BOOST_CHECK_THROW(
      thrust_hist::reduce(System::policy(), first, first + 3), thrust_hist::mismatch_error);
}

BOOST_AUTO_TEST_SUITE_END()

#endif
