// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The forms of calls that fold: with and without policy, operator and identity, a rule in the place
// of the number of bins, options after any prefix of the optional arguments; what each returns.

#include "../support/containers.h"
#include "../support/folds.h"
#include <thrust_hist/thrust_hist.h>

#include <thrust/functional.h>
#include <thrust/iterator/constant_iterator.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/discard_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/tuple.h>

BOOST_AUTO_TEST_SUITE(folds_forms, THRUST_HIST_TEST_SMALL)

namespace {

using thrust_hist::histogram_by_key;
using thrust_hist::options;
using thrust_hist::transform_histogram;

const test::samples<int> keys{2, 0, 2, -1, 3, 0, 2, 4};
const test::samples<int> values{1, 2, 3, 4, 5, 6, -7, 8};
const std::vector<int> sums{8, 0, -3, 5};
const std::vector<int> largest{6, -100, 3, 5};

struct larger {
  THRUST_HIST_HOST_DEVICE int operator()(int a, int b) const { return a < b ? b : a; }
};

// Each key and the one after it.
struct two_bins {
  template <class Sink>
  THRUST_HIST_HOST_DEVICE void operator()(int key, Sink sink) const {
    sink(key);
    sink(key + 1, 10);
  }
};
const std::vector<int> of_two_bins{2 + 10, 20, 3, 30 + 1};

template <class System, class Call>
void check(std::vector<int> const& expected, Call const& call) {
  test::check_fold<System>(keys, values, expected, call);
}

}  // namespace

BOOST_AUTO_TEST_CASE_TEMPLATE(by_key_adds_up_without_an_operator, System, test::every_policy) {
  const auto policy = System::policy();
  check<System>(sums, [&](auto first, auto last, auto with, auto out, auto o) {
    return histogram_by_key(policy, first, last, with, out, 4, o);
  });
  check<System>(sums, [&](auto first, auto last, auto with, auto out, auto) {
    return histogram_by_key(policy, first, last, with, out, std::size_t{4});
  });
}

BOOST_AUTO_TEST_CASE_TEMPLATE(
    by_key_takes_an_operator_and_its_identity, System, test::every_policy) {
  const auto policy = System::policy();
  check<System>(sums, [&](auto first, auto last, auto with, auto out, auto o) {
    return histogram_by_key(policy, first, last, with, out, 4, thrust::plus<int>{}, o);
  });
  check<System>(sums, [&](auto first, auto last, auto with, auto out, auto) {
    return histogram_by_key(policy, first, last, with, out, 4, thrust::plus<int>{});
  });
  check<System>(largest, [&](auto first, auto last, auto with, auto out, auto o) {
    return histogram_by_key(policy, first, last, with, out, 4, larger{}, -100, o);
  });
  check<System>(largest, [&](auto first, auto last, auto with, auto out, auto) {
    return histogram_by_key(policy, first, last, with, out, 4, larger{}, -100);
  });
}

BOOST_AUTO_TEST_CASE_TEMPLATE(by_key_takes_a_rule, System, test::every_policy) {
  const auto policy = System::policy();
  check<System>(sums, [&](auto first, auto last, auto with, auto out, auto o) {
    return histogram_by_key(policy, first, last, with, out, thrust_hist::even_bins(4, 0, 4), o);
  });
  check<System>(largest, [&](auto first, auto last, auto with, auto out, auto o) {
    return histogram_by_key(
        policy, first, last, with, out, thrust_hist::identity_bins(4), larger{}, -100, o);
  });
}

BOOST_AUTO_TEST_CASE_TEMPLATE(transform_takes_the_same, System, test::every_policy) {
  const auto policy = System::policy();
  check<System>(of_two_bins, [&](auto first, auto last, auto, auto out, auto o) {
    return transform_histogram(policy, first, last, out, 4, two_bins{}, o);
  });
  check<System>(of_two_bins, [&](auto first, auto last, auto, auto out, auto) {
    return transform_histogram(policy, first, last, out, 4, two_bins{});
  });
  check<System>(of_two_bins, [&](auto first, auto last, auto, auto out, auto o) {
    return transform_histogram(
        policy, first, last, out, thrust_hist::identity_bins(4), two_bins{}, thrust::plus<int>{},
        o);
  });
  const std::vector<int> one_or_ten{10, 10, 1, 10};
  check<System>(one_or_ten, [&](auto first, auto last, auto, auto out, auto o) {
    return transform_histogram(policy, first, last, out, 4, two_bins{}, larger{}, -100, o);
  });
  check<System>(one_or_ten, [&](auto first, auto last, auto, auto out, auto) {
    return transform_histogram(policy, first, last, out, 4, two_bins{}, larger{}, -100);
  });
}

BOOST_AUTO_TEST_CASE_TEMPLATE(
    without_a_policy_the_system_of_the_iterators_decides, System, test::every_policy) {
  test::vector_of<System, int> in(keys.begin(), keys.end()), with(values.begin(), values.end());
  test::vector_of<System, int> out(4, 77);
  const auto check_out = [&](auto end, std::vector<int> const& expected) {
    BOOST_TEST((end == out.end()));
    BOOST_TEST(test::contents(out) == expected, boost::test_tools::per_element());
    out.assign(4, 77);
  };
  const thrust::plus<int> plus;
  check_out(histogram_by_key(in.begin(), in.end(), with.begin(), out.begin(), 4), sums);
  check_out(histogram_by_key(in.begin(), in.end(), with.begin(), out.begin(), 4, options{}), sums);
  check_out(histogram_by_key(in.begin(), in.end(), with.begin(), out.begin(), 4, plus), sums);
  check_out(
      histogram_by_key(
          in.begin(), in.end(), with.begin(), out.begin(), 4, larger{}, -100, options{}),
      largest);
  check_out(transform_histogram(in.begin(), in.end(), out.begin(), 4, two_bins{}), of_two_bins);
  check_out(
      transform_histogram(in.begin(), in.end(), out.begin(), 4, two_bins{}, plus, 0, options{}),
      of_two_bins);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(iterators_may_be_of_any_kind, System, test::every_policy) {
  const auto policy = System::policy();
  const thrust::counting_iterator<int> zero(0);
  test::output<System, std::int64_t> out(10);
  histogram_by_key(
      policy, thrust::make_transform_iterator(zero, thrust::negate<int>{}),
      thrust::make_transform_iterator(zero + 10, thrust::negate<int>{}),
      thrust::constant_iterator<std::int64_t>(3), out.data(), 10);
  out.check_equals({3, 0, 0, 0, 0, 0, 0, 0, 0, 0});
  std::uint64_t dropped = 0;
  histogram_by_key(
      policy, zero, zero + 100, zero, thrust::make_discard_iterator(), 10,
      options{}.dropped(&dropped));
  BOOST_TEST(dropped == 90U);
  transform_histogram(
      policy, zero, zero + 100, thrust::make_discard_iterator(), 10, two_bins{},
      options{}.dropped(&dropped));
  BOOST_TEST(dropped == 90U + 91U);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(no_input_and_no_bins, System, test::every_policy) {
  const auto policy = System::policy();
  int const* const nothing = nullptr;
  test::output<System, int> out(3), none(0);
  BOOST_TEST(
      (histogram_by_key(policy, nothing, nothing, nothing, out.data(), 3) == out.data() + 3));
  out.check_equals({0, 0, 0});
  histogram_by_key(policy, nothing, nothing, nothing, out.data(), 3, larger{}, -100);
  out.check_equals({-100, -100, -100});
  histogram_by_key(
      policy, nothing, nothing, nothing, out.data(), 3, larger{}, -200, options{}.accumulate());
  out.check_equals({-100, -100, -100});
  test::check_fold<System>(
      keys, values, std::vector<int>{}, [&](auto first, auto last, auto with, auto to, auto o) {
        return histogram_by_key(policy, first, last, with, to, 0, o);
      });
  BOOST_TEST(
      (transform_histogram(policy, nothing, nothing, none.data(), 0, two_bins{}) == none.data()));
}

BOOST_AUTO_TEST_SUITE_END()
