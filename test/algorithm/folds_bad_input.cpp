// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Folds that end in an exception: bad values, memory that is not to be had, functions of the user
// that throw on some worker. Nothing is written then, and all memory is given back.

#include "../support/allocators.h"
#include "../support/folds.h"
#include "../support/messages.h"
#include <thrust_hist/thrust_hist.h>

#include <limits>
#include <new>

#ifdef _OPENMP
#  include <omp.h>
#endif

BOOST_AUTO_TEST_SUITE(folds_bad_input, THRUST_HIST_TEST_SMALL)

namespace {

using thrust_hist::histogram_by_key;
using thrust_hist::options;
using thrust_hist::transform_histogram;

const auto keys = test::keys_for(20011, 500);

struct twice {
  template <class Sink>
  THRUST_HIST_HOST_DEVICE void operator()(int key, Sink sink) const {
    sink(key);
    sink(key, 2);
  }
};

template <class System>
class bench {
public:
  template <class Call, class... Words>
  void refuses(Call call, Words... words) {
    int const* const first = in_.data();
    BOOST_TEST(test::throws([&] { call(first, first + keys.size(), out_.data()); }, words...));
    out_.check_untouched();
  }

private:
  typename System::template buffer<int> in_ = test::buffer_of<System>(keys);
  test::output<System, int> out_{500};
};

}  // namespace

BOOST_AUTO_TEST_CASE_TEMPLATE(a_negative_number_of_bins, System, test::systems) {
  bench<System> b;
  const auto policy = System::policy();
  b.refuses(
      [&](auto first, auto last, auto out) {
        histogram_by_key(policy, first, last, first, out, -1);
      },
      "num_bins", "-1");
  b.refuses(
      [&](auto first, auto last, auto out) {
        transform_histogram(policy, first, last, out, -7, twice{});
      },
      "num_bins", "-7");
}

BOOST_AUTO_TEST_CASE_TEMPLATE(levels_that_are_not_in_order, System, test::systems) {
  bench<System> b;
  const auto policy = System::policy();
  b.refuses(
      [&](auto first, auto last, auto out) {
        histogram_by_key(policy, first, last, first, out, thrust_hist::even_bins(10, 5, 5));
      },
      "lower", "upper");
  b.refuses(
      [&](auto first, auto last, auto out) {
        histogram_by_key(
            policy, first, last, first, out,
            thrust_hist::even_bins(10, 0., std::numeric_limits<double>::infinity()));
      },
      "upper", "inf");
}

BOOST_AUTO_TEST_CASE_TEMPLATE(
    an_allocator_that_throws_leaves_nothing_allocated_and_nothing_written, System, test::systems) {
  auto in = test::buffer_of<System>(keys);
  int const* const first = in.data();
  for (auto forced : System::every_route())
    for (int healthy = 0; healthy < 20; ++healthy) {
      test::ledger book(healthy);
      test::counting_allocator<System> allocator(book);
      test::output<System, double> out(500);
      try {
        histogram_by_key(
            System::policy_with(allocator), first, first + keys.size(), first, out.data(), 500,
            options{}.force(forced));
        BOOST_TEST(book.outstanding() == 0U);
        break;
      } catch (test::allocation_refused const&) {
        out.check_untouched();
      } catch (std::bad_alloc const&) {
        out.check_untouched();
      } catch (std::invalid_argument const&) {
        break;
      }
      BOOST_TEST(book.outstanding() == 0U);
      BOOST_TEST(healthy < 19);
    }
}

#ifndef __CUDACC__

namespace {

// Throws where the last inputs are, so that other workers are done or far from it.
struct add_or_throw {
  int forbidden;
  int operator()(int a, int b) const {
    if (a == forbidden || b == forbidden)
      throw std::domain_error("op");
    return a + b;
  }
};
struct emit_or_throw {
  template <class Sink>
  void operator()(int value, Sink sink) const {
    if (value == 20010)
      throw std::domain_error("emit");
    sink(value % 500, 1);
  }
};
struct last_digits {
  int operator()(int value) const { return value % 500; }
};
struct rule_or_throw {
  int size() const { return 500; }
  int operator()(int value) const {
    if (value == 20010)
      throw std::domain_error("rule");
    return value % 500;
  }
};

template <class System, class Call>
void check_thrown(Call const& call) {
  const test::samples<int> places(20011, [](std::size_t i) { return static_cast<int>(i); });
  for (auto forced : System::every_route())
    for (bool accumulate : {false, true})
      BOOST_TEST_CONTEXT("route " << forced << ", accumulate " << accumulate) {
        test::ledger book;
        test::counting_allocator<System> allocator(book);
        test::output<System, int> out(500);
        std::uint64_t dropped = 42;
        const auto o = options{}.force(forced).accumulate(accumulate).dropped(&dropped);
        try {
          call(System::policy_with(allocator), places.begin(), places.end(), out.data(), o);
          BOOST_ERROR("nothing was thrown");
        } catch (std::domain_error const&) {
        } catch (std::invalid_argument const&) {
          BOOST_TEST(test::fold_may_be_refused<System>(forced));
        }
        out.check_untouched();
        BOOST_TEST(dropped == 42U);
        BOOST_TEST(book.outstanding() == 0U);
      }
}

}  // namespace

BOOST_AUTO_TEST_CASE_TEMPLATE(an_operator_that_throws, System, test::systems) {
  check_thrown<System>([](auto const& policy, auto first, auto last, auto out, options const& o) {
    histogram_by_key(
        policy, first, last, first, out, thrust_hist::make_bins(500, last_digits{}),
        add_or_throw{20010}, 0, o);
  });
}

// Only the old value of the last bin makes it throw.
BOOST_AUTO_TEST_CASE_TEMPLATE(an_operator_that_throws_at_the_end, System, test::systems) {
  const test::samples<int> places(20011, [](std::size_t i) { return static_cast<int>(i % 500); });
  std::vector<int> before(500, 1);
  before.back() = -77;
  for (auto forced : System::every_route()) {
    test::output<System, int> out(before);
    try {
      histogram_by_key(
          System::policy(), places.begin(), places.end(), places.begin(), out.data(), 500,
          add_or_throw{-77}, 0, options{}.force(forced).accumulate());
      BOOST_ERROR("nothing was thrown");
    } catch (std::domain_error const&) {
    } catch (std::invalid_argument const&) {
      BOOST_TEST(test::fold_may_be_refused<System>(forced));
    }
    out.check_untouched();
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(an_emitter_and_a_rule_that_throw, System, test::systems) {
  check_thrown<System>([](auto const& policy, auto first, auto last, auto out, options const& o) {
    transform_histogram(policy, first, last, out, 500, emit_or_throw{}, o);
  });
  check_thrown<System>([](auto const& policy, auto first, auto last, auto out, options const& o) {
    histogram_by_key(policy, first, last, first, out, rule_or_throw{}, o);
  });
}

#endif

BOOST_AUTO_TEST_SUITE_END()
