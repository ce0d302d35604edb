// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Bad values: std::invalid_argument that names the parameter and the value, nothing written.

#include "../support/checks.h"
#include "../support/containers.h"
#include "../support/messages.h"
#include <thrust_hist/thrust_hist.h>

#include <limits>
#include <string>

BOOST_AUTO_TEST_SUITE(bad_input, THRUST_HIST_TEST_SMALL)

namespace {

using namespace thrust_hist;

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

template <class System, class Sample>
class bench {
public:
  // Runs `call(first, last, out)`; it has to throw with these words and leave the output alone.
  template <class Call, class... Words>
  void refuses(Call call, Words... words) {
    Sample const* const first = in_.data();
    BOOST_TEST(test::throws([&] { call(first, first + 100, out_.data()); }, words...));
    out_.check_untouched();
  }

private:
  typename System::template buffer<Sample> in_ =
      test::buffer_of<System>(test::samples<Sample>(100, [](std::size_t i) { return i; }));
  test::output<System, int> out_{200};
};

struct itself {
  THRUST_HIST_HOST_DEVICE int operator()(int x) const { return x; }
};

// A rule of a user, which says that it has any number of bins.
struct unchecked {
  int bins;
  THRUST_HIST_HOST_DEVICE int size() const { return bins; }
  THRUST_HIST_HOST_DEVICE int operator()(int x) const { return x; }
};

}  // namespace

BOOST_AUTO_TEST_CASE_TEMPLATE(a_negative_number_of_bins, System, test::systems) {
  bench<System, int> b;
  const auto policy = System::policy();
  b.refuses(
      [&](auto first, auto last, auto out) { histogram(policy, first, last, out, -1); }, "num_bins",
      "-1");
  b.refuses(
      [&](auto first, auto last, auto out) { histogram_even(policy, first, last, out, -5, 0, 10); },
      "num_bins", "-5");
  b.refuses(
      [&](auto first, auto last, auto out) {
        histogram(policy, first, last, out, identity_bins(-2));
      },
      "num_bins", "-2");
  b.refuses(
      [&](auto first, auto last, auto out) {
        histogram(policy, first, last, out, make_bins(std::int64_t{-3}, itself{}));
      },
      "num_bins", "-3");
}

BOOST_AUTO_TEST_CASE_TEMPLATE(a_rule_of_negative_size, System, test::systems) {
  bench<System, int> b;
  for (const int bins : {-1, -4, std::numeric_limits<int>::min()}) {
    const auto value = std::to_string(bins);
    b.refuses(
        [&](auto first, auto last, auto out) {
          histogram(System::policy(), first, last, out, unchecked{bins});
        },
        "rule.size()", value);
    b.refuses(
        [&](auto first, auto last, auto out) {
          histogram_by_key(System::policy(), first, last, first, out, unchecked{bins});
        },
        "rule.size()", value);
  }
  int const* const nothing = nullptr;
  BOOST_TEST(test::throws(
      [&] {
        histogram(System::policy(), nothing, nothing, static_cast<int*>(nullptr), unchecked{-1});
      },
      "rule.size()"));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(levels_that_are_not_in_order, System, test::systems) {
  bench<System, float> reals;
  bench<System, int> integers;
  const auto even = [](auto lower, auto upper) {
    return [=](auto first, auto last, auto out) {
      histogram_even(System::policy(), first, last, out, 10, lower, upper);
    };
  };
  reals.refuses(even(1., 1.), "lower", "upper", "1");
  reals.refuses(even(2.5, 1.), "lower", "2.5", "upper", "1");
  reals.refuses(even(7, -1.F), "lower", "7", "upper", "-1");
  integers.refuses(even(5, 5), "lower", "upper", "5");
  integers.refuses(even(256U, -1), "lower", "256", "upper", "-1");
  reals.refuses(even(0.5, 0.25F), "lower", "0.5", "upper", "0.25");
  integers.refuses(even(std::uint64_t{1} << 63, INT64_MAX), "lower", "upper");
}

BOOST_AUTO_TEST_CASE_TEMPLATE(
    levels_that_become_equal_once_they_are_rounded_to_the_samples, System, test::systems) {
  bench<System, float> floats;
  bench<System, double> doubles;
  const double above = 1 + 1e-12;
  const auto even = [&](auto first, auto last, auto out) {
    histogram_even(System::policy(), first, last, out, 10, 1., above);
  };
  floats.refuses(even, "lower", "upper");
  const auto rule = [&](auto first, auto last, auto out) {
    histogram(System::policy(), first, last, out, even_bins(10, 1., above));
  };
  floats.refuses(rule, "lower", "upper");
  const auto flow = [&](auto first, auto last, auto out) {
    histogram(System::policy(), first, last, out, with_flow(even_bins(10, 1., above)));
  };
  floats.refuses(flow, "lower", "upper");
  auto in = test::buffer_of<System>(test::samples<double>{1., above});
  test::output<System, int> out(10);
  double const* const first = in.data();
  BOOST_CHECK_NO_THROW(
      histogram_even(System::policy(), first, first + 2, out.data(), 10, 1., above));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(levels_that_are_not_finite, System, test::systems) {
  bench<System, double> b;
  const auto even = [](auto lower, auto upper) {
    return [=](auto first, auto last, auto out) {
      histogram_even(System::policy(), first, last, out, 10, lower, upper);
    };
  };
  b.refuses(even(-infinity, 1.), "lower", "inf");
  b.refuses(even(0, infinity), "upper", "inf");
  b.refuses(even(not_a_number, 1.F), "lower", "nan");
  b.refuses(even(0., static_cast<float>(not_a_number)), "upper", "nan");
}

BOOST_AUTO_TEST_CASE_TEMPLATE(edges_that_are_not_sorted_on_either_side, System, test::systems) {
  bench<System, double> b;
  for (auto const& edges :
       {std::vector<double>{0, 2, 1, 3},
        {0, 1, 0.5},
        {1, 0},
        {0, not_a_number, 2},
        {not_a_number, 0, 1},
        {0, 1, not_a_number}}) {
    b.refuses(
        [&](auto first, auto last, auto out) {
          histogram_range(System::policy(), first, last, out, edges.begin(), edges.end());
        },
        "edges");
    auto there = test::buffer_of<System>(test::samples<double>(edges));
    double const* const start = there.data();
    b.refuses(
        [&](auto first, auto last, auto out) {
          histogram_range(System::policy(), first, last, out, start, start + edges.size());
        },
        "edges");
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(
    the_message_names_the_edges_that_are_out_of_order, System, test::systems) {
  bench<System, double> b;
  const std::vector<double> edges{0, 1, 8.5, 7.25, 9};
  b.refuses(
      [&](auto first, auto last, auto out) {
        histogram_range(System::policy(), first, last, out, edges.begin(), edges.end());
      },
      "edges", "8.5", "7.25", "3");
}

BOOST_AUTO_TEST_CASE_TEMPLATE(no_edges_at_all, System, test::systems) {
  bench<System, double> b;
  const std::vector<double> none;
  b.refuses(
      [&](auto first, auto last, auto out) {
        histogram_range(System::policy(), first, last, out, none.begin(), none.end());
      },
      "edges");
}

BOOST_AUTO_TEST_CASE_TEMPLATE(bad_values_are_refused_without_samples_too, System, test::systems) {
  test::output<System, int> out(10);
  int const* const nothing = nullptr;
  const auto policy = System::policy();
  BOOST_TEST(
      test::throws([&] { histogram(policy, nothing, nothing, out.data(), -1); }, "num_bins"));
  BOOST_TEST(test::throws(
      [&] { histogram_even(policy, nothing, nothing, out.data(), 3, 1, 0); }, "lower"));
  BOOST_TEST(test::throws(
      [&] { histogram_even(policy, nothing, nothing, out.data(), 0, 1, 0); }, "lower"));
  out.check_untouched();
}

BOOST_AUTO_TEST_SUITE_END()
