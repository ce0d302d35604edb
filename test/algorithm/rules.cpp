// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// build: checked
// Function rules, grids and flow through the algorithm, on every route.

#include "../support/checks.h"
#include <thrust_hist/bins.h>
#include <thrust_hist/histogram.h>

#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/tuple.h>

BOOST_AUTO_TEST_SUITE(rules, THRUST_HIST_TEST_SMALL)

namespace {

using namespace thrust_hist;

// No bin for every third key, said in three ways.
struct awkward {
  THRUST_HIST_HOST_DEVICE long long operator()(unsigned key) const {
    return key % 9 == 0   ? -1
           : key % 9 == 3 ? 1LL << 40
           : key % 9 == 6 ? static_cast<long long>(no_bin::neither)
                          : static_cast<long long>(key % 50);
  }
};

}  // namespace

// A rule that owes nothing to the library, with an unsigned index; beside functions that take
// anything. Look-up by argument must not find them: they would silently run in the place of ours.
namespace greedy {

struct rule {
  unsigned bins;
  THRUST_HIST_HOST_DEVICE unsigned size() const { return bins; }
  THRUST_HIST_HOST_DEVICE unsigned operator()(unsigned key) const { return key / 3 - 1; }
};

#define GREEDY(name)             \
  template <class... A>          \
  void name(A&&...) = delete;    \
  template <class T, class... A> \
  void name(A&&...) = delete;
GREEDY(bind_rule)
GREEDY(candidate)
GREEDY(count)
GREEDY(count_checked)
GREEDY(count_chunk)
GREEDY(count_into)
GREEDY(launch)
GREEDY(make_samples)
GREEDY(run)
GREEDY(run_checked)
GREEDY(run_pieces)
GREEDY(run_route)
GREEDY(search_bin)
GREEDY(start)
GREEDY(validate_rule)
GREEDY(with_simplest)
#undef GREEDY

}  // namespace greedy

namespace {

#ifndef __CUDACC__
struct throws_at_777 {
  int operator()(unsigned key) const {
    if (key == 777)
      throw std::out_of_range("777 is no key");
    return 0;
  }
};
#endif

template <class System, class Rule, class Sample, class Find>
void check_rule_counts(Rule rule, test::samples<Sample> const& s, Find find) {
  const auto expected = test::count(s, static_cast<test::bin>(rule.size()), find);
  for (route forced : System::every_route())
    test::check_route<System, std::uint32_t>(
        forced, s, expected, [&](auto first, auto last, auto out, auto options) {
          return histogram(System::policy(), first, last, out, rule, options);
        });
}

test::samples<unsigned> words(std::uint64_t distinct) {
  return test::samples<unsigned>(test::generate(test::distribution::zipf, 30011, distinct));
}

}  // namespace

BOOST_AUTO_TEST_CASE_TEMPLATE(a_function_may_leave_samples_out, System, test::systems) {
  for (int bins : {1, 4, 30, 60})
    check_rule_counts<System>(make_bins(bins, awkward{}), words(1000), [](unsigned key) {
      return key % 3 == 0 ? test::neither : static_cast<test::bin>(key % 50);
    });
}

BOOST_AUTO_TEST_CASE_TEMPLATE(a_rule_of_the_users_own_type_works, System, test::systems) {
  for (unsigned bins : {1U, 5U, 257U, 6007U})
    check_rule_counts<System>(greedy::rule{bins}, words(20000), [](unsigned key) {
      return static_cast<test::bin>(key / 3) - 1;
    });
}

BOOST_AUTO_TEST_CASE_TEMPLATE(flow_bins_hold_what_lies_outside, System, test::systems) {
  const test::samples<float> s(20011, [](std::size_t i) {
    return i % 1000 == 0 ? std::nan("") : static_cast<double>(i % 400) / 10 - 10;
  });
  const auto inner = test::even_reference<float>(7, 0, 20);
  check_rule_counts<System>(with_flow(even_bins(7, 0, 20)), s, [&](float x) {
    const test::bin i = inner(x);
    return i == test::neither ? i : i == test::below ? 0 : i == test::above ? 8 : i + 1;
  });
}

BOOST_AUTO_TEST_CASE_TEMPLATE(a_grid_counts_pairs_of_zipped_samples, System, test::systems) {
  const test::samples<unsigned> x = words(70);
  const test::samples<float> y(
      x.size(), [](std::size_t i) { return static_cast<double>(i % 130) / 100 - 0.1; });
  auto xs = test::buffer_of<System>(x);
  auto ys = test::buffer_of<System>(y);
  const auto fine = test::even_reference<float>(9, 0, 1);
  const grid rule(identity_bins(64), even_bins(9, 0., 1.));
  std::vector<std::uint64_t> expected(64 * 9);
  for (std::size_t i = 0; i < x.size(); ++i)
    if (const test::bin j = fine(y[i]); x[i] < 64 && j >= 0 && j < 9)
      ++expected[x[i] * 9 + static_cast<std::size_t>(j)];
  test::output<System, int> out(expected.size());
  const auto first = thrust::make_zip_iterator(thrust::make_tuple(xs.begin(), ys.begin()));
  const auto end = histogram(
      System::policy(), first, first + static_cast<std::ptrdiff_t>(x.size()), out.data(), rule);
  BOOST_TEST(end - out.data() == 64 * 9);
  out.check_equals(test::convert<int>(expected));
}

// Where these types depend on a parameter, nvcc hands `grid plane(side, side)` on to the host's
// compiler as `grid plane(grid(side, side))`.
template <class System, class Level>
void check_rules_of_rules(Level lower, Level upper) {
  const even_bins side(4, lower, upper);
  const grid plane(side, side);
  const with_flow around(side);
  BOOST_TEST(plane.size() == 16);
  BOOST_TEST(around.size() == 6);
  const test::samples<float> x(16, [](std::size_t i) { return static_cast<double>(i % 4) / 4; });
  const test::samples<float> y(16, [](std::size_t i) { return static_cast<double>(i / 4) / 4; });
  auto xs = test::buffer_of<System>(x);
  auto ys = test::buffer_of<System>(y);
  const auto first = thrust::make_zip_iterator(thrust::make_tuple(ys.begin(), xs.begin()));
  test::output<System, int> in_plane(16), in_flow(6);
  histogram(System::policy(), first, first + 16, in_plane.data(), plane);
  in_plane.check_equals(std::vector<int>(16, 1));
  histogram(System::policy(), xs.begin(), xs.begin() + 16, in_flow.data(), around);
  in_flow.check_equals({0, 4, 4, 4, 4, 0});
}
BOOST_AUTO_TEST_CASE_TEMPLATE(rules_of_rules_in_a_template, System, test::systems) {
  check_rules_of_rules<System>(0.f, 1.f);
  check_rules_of_rules<System>(0., 1.);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(inclusive_even_bins_count_as_numpy_does, System, test::systems) {
  const test::samples<double> s{0, 0.5, 1, 1, 1, 1.5, -0.5};
  test::check_counts<System, int>(s, {1, 4}, [](auto first, auto last, auto out) {
    return histogram(System::policy(), first, last, out, even_bins(2, 0, 1, upper_edge::inclusive));
  });
}

BOOST_AUTO_TEST_CASE_TEMPLATE(a_rule_without_bins_writes_nothing, System, test::systems) {
  test::check_counts<System, int>(words(10), {}, [](auto first, auto last, auto out) {
    return histogram(System::policy(), first, last, out, make_bins(0, awkward{}));
  });
}

#ifndef __CUDACC__
BOOST_AUTO_TEST_CASE_TEMPLATE(what_a_rule_throws_reaches_the_caller, System, test::systems) {
  const test::samples<unsigned> s(200000, [](std::size_t i) { return i == 150000 ? 777 : 1; });
  for (int bins : {4, 3000})  // few in tables that take turns, many perhaps in the output itself
    for (route forced : System::every_route()) {
      test::output<System, int> out(static_cast<std::size_t>(bins));
      try {
        histogram(
            System::policy(), s.begin(), s.end(), out.data(), make_bins(bins, throws_at_777{}),
            thrust_hist::options{}.force(forced));
        BOOST_ERROR("nothing was thrown on route " << forced);
      } catch (std::out_of_range const& thrown) {
        BOOST_TEST(thrown.what() == std::string("777 is no key"));
      } catch (std::invalid_argument const&) {
        BOOST_TEST((forced == route::private_tables && !System::is_parallel));
      }
      BOOST_TEST_CONTEXT("route " << forced << ", " << bins << " bins") out.check_untouched();
    }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(what_an_iterator_throws_reaches_the_caller, System, test::systems) {
  const auto keys = thrust::make_transform_iterator(
      thrust::make_counting_iterator(0U), [](unsigned i) -> unsigned {
        if (i == 150000)
          throw std::out_of_range("150000 is no place");
        return i % 3;
      });
  for (int bins : {4, 3000})
    for (route forced : System::every_route()) {
      test::output<System, int> out(static_cast<std::size_t>(bins));
      const auto how = thrust_hist::options{}.force(forced);
      try {
        histogram(System::policy(), keys, keys + 200000, out.data(), bins, how);
        BOOST_ERROR("nothing was thrown on route " << forced);
      } catch (std::out_of_range const& thrown) {
        BOOST_TEST(thrown.what() == std::string("150000 is no place"));
      } catch (std::invalid_argument const&) {
        BOOST_TEST((forced == route::private_tables && !System::is_parallel));
      }
      BOOST_TEST_CONTEXT("route " << forced << ", " << bins << " bins") out.check_untouched();
    }
}
#endif

BOOST_AUTO_TEST_SUITE_END()
