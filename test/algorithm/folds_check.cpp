// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// build: checked
// check() of folds: right results pass, whatever rounding did to them; a falsified bin is caught.

#include "../support/corruption.h"
#include "../support/folds.h"
#include "../support/messages.h"
#include <thrust_hist/thrust_hist.h>

#include <thrust/functional.h>
#include <thrust/iterator/discard_iterator.h>

#if defined(THRUST_HIST_ENABLE_CHECK) && defined(THRUST_HIST_TEST_HOOKS)

BOOST_AUTO_TEST_SUITE(folds_check, THRUST_HIST_TEST_LARGE)

namespace {

using thrust_hist::histogram_by_key;
using thrust_hist::options;
using thrust_hist::route;

// `call(first, last, values, out, options)` has to pass as it is, and to be caught with a bin
// falsified.
template <class System, class A, class V, class Call>
void check_caught(test::samples<V> const& values, std::vector<A> const& before, Call call) {
  const auto bins = static_cast<test::bin>(before.size());
  const auto keys = test::keys_for(values.size(), bins, test::distribution::zipf);
  auto keys_there = test::buffer_of<System>(keys);
  auto values_there = test::buffer_of<System>(values);
  int const* const first = keys_there.data();
  V const* const with = values_there.data();
  for (route forced : System::every_route())
    for (bool accumulate : {false, true})
      BOOST_TEST_CONTEXT("route " << forced << ", accumulate " << accumulate) {
        test::output<System, A> out(before);
        const auto how = options{}.check().force(forced).accumulate(accumulate);
        try {
          call(first, first + keys.size(), with, out.data(), how);
        } catch (std::invalid_argument const&) {
          continue;  // no such route here
        }
        for (test::bin wrong : {test::bin{0}, bins / 2, bins - 1}) {
          const test::corruption now(wrong);
          try {
            call(first, first + keys.size(), with, out.data(), how);
            BOOST_ERROR("bin " << wrong << " was falsified and nobody noticed");
          } catch (thrust_hist::mismatch_error const& caught) {
            BOOST_TEST(caught.bin() == wrong);
            BOOST_TEST(caught.expected() != caught.got());
          }
        }
        const test::corruption beside(bins);
        BOOST_CHECK_NO_THROW(call(first, first + keys.size(), with, out.data(), how));
      }
}

template <class T>
test::samples<T> some_values(std::size_t n) {
  return test::samples<T>(n, [](std::size_t i) { return static_cast<double>(i % 1000) * 0.37; });
}

struct emit_three {
  template <class Sink>
  THRUST_HIST_HOST_DEVICE void operator()(int key, Sink sink) const {
    sink(key, 0.1F);
    sink(key + 1);
    sink(key - 3, -0.3F);
  }
};

}  // namespace

BOOST_AUTO_TEST_CASE_TEMPLATE(of_integers_and_of_minima, System, test::systems) {
  check_caught<System>(
      some_values<int>(3001), std::vector<std::int64_t>(100, 3),
      [](auto first, auto last, auto with, auto out, auto o) {
        histogram_by_key(System::policy(), first, last, with, out, 100, o);
      });
  check_caught<System>(
      some_values<double>(3001), std::vector<double>(100, 3),
      [](auto first, auto last, auto with, auto out, auto o) {
        using least = thrust_hist::detail::minimum_of<double>;
        histogram_by_key(System::policy(), first, last, with, out, 100, least{}, o);
      });
}

BOOST_AUTO_TEST_CASE_TEMPLATE(of_rounded_and_of_exact_sums, System, test::systems) {
  check_caught<System>(
      some_values<float>(3001), std::vector<float>(100, 0.1F),
      [](auto first, auto last, auto with, auto out, auto o) {
        histogram_by_key(System::policy(), first, last, with, out, 100, o);
      });
  check_caught<System>(
      some_values<double>(3001), std::vector<double>(100, 0.1),
      [](auto first, auto last, auto with, auto out, auto o) {
        histogram_by_key(System::policy(), first, last, with, out, 100, o.exact());
      });
}

BOOST_AUTO_TEST_CASE_TEMPLATE(of_structs_that_can_be_compared, System, test::systems) {
  using blob = test::blob<17>;
  check_caught<System>(
      test::samples<blob>(3001, test::make_blob<blob>), std::vector<blob>(100),
      [](auto first, auto last, auto with, auto out, auto o) {
        histogram_by_key(
            System::policy(), first, last, with, out, 100, test::add_bytes{}, blob{}, o);
      });
}

BOOST_AUTO_TEST_CASE_TEMPLATE(of_emitted_pairs, System, test::systems) {
  check_caught<System>(
      some_values<float>(3001), std::vector<float>(100, 0.1F),
      [](auto first, auto last, auto, auto out, auto o) {
        thrust_hist::transform_histogram(System::policy(), first, last, out, 100, emit_three{}, o);
      });
}

// One bin with a million roundings, whose order is never the same.
BOOST_AUTO_TEST_CASE_TEMPLATE(rounding_is_no_mistake, System, test::systems) {
  const test::samples<int> keys(1 << 18, [](std::size_t) { return 1; });
  const test::samples<float> values(keys.size(), [](std::size_t i) {
    return i % 2 == 0 ? 1e6 / static_cast<double>(i + 1) : -0.1;
  });
  auto keys_there = test::buffer_of<System>(keys);
  auto values_there = test::buffer_of<System>(values);
  int const* const first = keys_there.data();
  test::output<System, float> out(3);
  BOOST_CHECK_NO_THROW(histogram_by_key(
      System::policy(), first, first + keys.size(), values_there.data(), out.data(), 3,
      options{}.check()));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(infinities_and_nan_are_compared, System, test::systems) {
  const double inf = test::from_bits<double>(std::uint64_t{0x7ff} << 52);
  const double nan = test::from_bits<double>(std::uint64_t{0x7ff8} << 48);
  const test::samples<int> keys{0, 0, 1, 2, 2, 3, 3};
  const test::samples<double> values{inf, 1, nan, inf, -inf, 1e308, 1e308};
  auto keys_there = test::buffer_of<System>(keys);
  auto values_there = test::buffer_of<System>(values);
  int const* const first = keys_there.data();
  test::output<System, double> out(5);
  const auto call = [&](options const& o) {
    histogram_by_key(
        System::policy(), first, first + keys.size(), values_there.data(), out.data(), 5, o);
  };
  for (bool exact : {false, true}) {
    const auto how = options{}.check().exact(exact);
    BOOST_CHECK_NO_THROW(call(how));
    for (int wrong : {0, 1, 2}) {
      const test::corruption now(wrong);
      BOOST_CHECK_THROW(call(how), thrust_hist::mismatch_error);
    }
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(what_cannot_be_compared_runs_unchecked, System, test::systems) {
  const test::samples<int> keys{0, 1, 2};
  auto in = test::buffer_of<System>(keys);
  int const* const first = in.data();
  const test::samples<test::best> values(3, [](std::size_t) { return test::best{1, 1, 1}; });
  auto with = test::buffer_of<System>(values);
  test::best const* const best = with.data();
  test::output<System, test::best> out(4);
  const test::corruption now(1);
  BOOST_CHECK_NO_THROW(histogram_by_key(
      System::policy(), first, first + 3, best, out.data(), 4, test::pick_best{}, test::best{},
      options{}.check()));
  BOOST_CHECK_NO_THROW(histogram_by_key(
      System::policy(), first, first + 3, first, thrust::make_discard_iterator(), 4,
      options{}.check()));
}

BOOST_AUTO_TEST_SUITE_END()

#endif
