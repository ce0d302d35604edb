// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// transform_histogram: any number of pairs for a sample, none at all as well; bins that are none;
// the sink by value and by reference, with and without a value; a rule for what is emitted.

#include "../support/folds.h"
#include <thrust_hist/bins.h>
#include <thrust_hist/transform_histogram.h>

#include <thrust/functional.h>

#include <vector>

BOOST_AUTO_TEST_SUITE(folds_emit, THRUST_HIST_TEST_SMALL)

namespace {

using thrust_hist::options;
using thrust_hist::transform_histogram;

const test::samples<int> inputs(3001, [](std::size_t i) { return static_cast<int>(i * 31 % 97); });

// As many pairs as there are, all near the input.
struct emit_some {
  int pairs;
  template <class Sink>
  THRUST_HIST_HOST_DEVICE void operator()(int x, Sink const& sink) const {
    for (int i = 0; i < pairs; ++i)
      sink(x + i % 50, i - 7);
  }
};

// A sample decides how many: 0, 1 or 40.
struct emit_as_many_as_wanted {
  template <class Sink>
  THRUST_HIST_HOST_DEVICE void operator()(int x, Sink sink) const {
    const int pairs = x % 3 == 0 ? 0 : x % 3 == 1 ? 1 : 40;
    for (int i = 0; i < pairs; ++i)
      sink(x, i);
  }
};

struct emit_ones_by_reference {
  template <class Sink>
  THRUST_HIST_HOST_DEVICE void operator()(int x, Sink& sink) const {
    sink(x);
    sink(static_cast<std::int8_t>(x));
  }
};

// Only the first of these is a bin; the others look like small ones once they are truncated.
struct emit_no_bins {
  template <class Sink>
  THRUST_HIST_HOST_DEVICE void operator()(int x, Sink sink) const {
    sink(x);
    sink(-1 - x, 1000);
    sink((std::uint64_t{1} << 32) + 3, 1000);
    sink(INT64_MIN, 1000);
    sink(~std::uint64_t{0}, 1000);
    sink(INT32_MAX);
  }
};

struct emit_real {
  template <class Sink>
  THRUST_HIST_HOST_DEVICE void operator()(int x, Sink sink) const {
    sink(static_cast<float>(x) / 10, 2);
    sink(static_cast<double>(x) / 10 + 1);
  }
};

// Collects what an emitter says on the host.
struct collected {
  std::vector<std::int64_t> sums;
  std::uint64_t dropped = 0;
  template <class X>
  void operator()(X x, std::int64_t value = 1) {
    const bool is_bin = x >= X{} && static_cast<std::uint64_t>(x) < sums.size();
    if (is_bin)
      sums[static_cast<std::size_t>(x)] += value;
    else
      ++dropped;
  }
};

template <class System, class Emit>
void check(Emit emit, std::size_t bins) {
  collected expected{std::vector<std::int64_t>(bins)};
  for (int x : inputs) {
    const auto sink = [&](auto at, auto... value) { expected(at, value...); };
    emit(x, sink);
  }
  auto in = test::buffer_of<System>(inputs);
  int const* const first = in.data();
  for (auto forced : System::every_route())
    BOOST_TEST_CONTEXT("route " << forced << ", " << bins << " bins") {
      test::output<System, std::int64_t> out(bins);
      std::uint64_t dropped = 12345;
      try {
        const auto end = transform_histogram(
            System::policy(), first, first + inputs.size(), out.data(), bins, emit,
            options{}.force(forced).dropped(&dropped));
        BOOST_TEST(end - out.data() == static_cast<std::ptrdiff_t>(bins));
        out.check_equals(expected.sums);
        BOOST_TEST(dropped == expected.dropped);
      } catch (std::invalid_argument const&) {
        BOOST_TEST(test::fold_may_be_refused<System>(forced));
        out.check_untouched();
      }
    }
}

}  // namespace

BOOST_AUTO_TEST_CASE_TEMPLATE(none_one_three_and_forty_pairs, System, test::systems) {
  for (int pairs : {0, 1, 3, 40})
    for (std::size_t bins : {1, 60, 100, 9001})
      check<System>(emit_some{pairs}, bins);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(each_sample_as_many_as_it_likes, System, test::systems) {
  check<System>(emit_as_many_as_wanted{}, 90);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(the_sink_by_reference_counts_without_a_value, System, test::systems) {
  check<System>(emit_ones_by_reference{}, 50);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(negative_and_huge_bins_are_none, System, test::systems) {
  check<System>(emit_no_bins{}, 90);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(a_rule_for_what_is_emitted, System, test::systems) {
  const auto of_floats = test::even_reference<float>(13, 1., 8.);
  const auto of_doubles = test::even_reference<double>(13, 1., 8.);
  std::vector<int> expected(13);
  for (int x : inputs) {
    const auto emitted = [&](auto at, int value) {
      const test::bin bin = [&] {
        if constexpr (std::is_same_v<decltype(at), float>)
          return of_floats(at);
        else
          return of_doubles(at);
      }();
      if (bin >= 0 && bin < 13)
        expected[static_cast<std::size_t>(bin)] += value;
    };
    emitted(static_cast<float>(x) / 10, 2);
    emitted(static_cast<double>(x) / 10 + 1, 1);
  }
  auto in = test::buffer_of<System>(inputs);
  int const* const first = in.data();
  test::output<System, int> out(13);
  transform_histogram(
      System::policy(), first, first + inputs.size(), out.data(),
      thrust_hist::even_bins(13, 1., 8.), emit_real{});
  out.check_equals(expected);
}

// One sample that emits more pairs than buffers hold.
struct emit_many {
  template <class Sink>
  THRUST_HIST_HOST_DEVICE void operator()(int n, Sink sink) const {
    for (int i = 0; i < n; ++i)
      sink(i % 7 == 0 ? 3 : i % 5000, 1);
  }
};

BOOST_AUTO_TEST_CASE_TEMPLATE(one_sample_may_emit_millions, System, test::systems) {
  const test::samples<int> n{1, 1 << 18, 0, 100};
  std::vector<int> expected(5000);
  for (int pairs : n)
    for (int i = 0; i < pairs; ++i)
      ++expected[static_cast<std::size_t>(i % 7 == 0 ? 3 : i % 5000)];
  test::check_fold<System>(n, n, expected, [&](auto first, auto last, auto, auto out, auto o) {
    return transform_histogram(System::policy(), first, last, out, 5000, emit_many{}, o);
  });
}

BOOST_AUTO_TEST_SUITE_END()
