// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The forms of a call: with and without number of bins, into a container, with a rule, without
// policy; what each returns, and options after any prefix of the optional arguments.

#include "../support/checks.h"
#include "../support/containers.h"
#include <thrust_hist/thrust_hist.h>

BOOST_AUTO_TEST_SUITE(histogram_forms, THRUST_HIST_TEST_SMALL)

namespace {

using thrust_hist::options;

const std::vector<std::uint64_t> counts{2, 0, 3, 1};
const test::samples<int> keys{2, 0, 2, -1, 3, 0, 2};

struct parity {
  THRUST_HIST_HOST_DEVICE int operator()(int x) const { return x < 0 ? -1 : x % 2; }
};

template <class System, class Call>
void check(Call call) {
  test::check_counts<System, int>(keys, counts, call);
}

}  // namespace

BOOST_AUTO_TEST_CASE_TEMPLATE(
    discovers_as_many_bins_as_the_largest_key_asks_for, System, test::every_policy) {
  check<System>([](auto first, auto last, auto out) {
    return thrust_hist::histogram(System::policy(), first, last, out);
  });
  check<System>([](auto first, auto last, auto out) {
    return thrust_hist::histogram(System::policy(), first, last, out, options{});
  });
}

BOOST_AUTO_TEST_CASE_TEMPLATE(
    no_keys_and_only_negative_keys_mean_no_bins, System, test::every_policy) {
  for (auto const& none : {test::samples<int>{}, test::samples<int>{-1, -5, INT32_MIN}})
    test::check_counts<System, int>(none, {}, [](auto first, auto last, auto out) {
      return thrust_hist::histogram(System::policy(), first, last, out);
    });
}

BOOST_AUTO_TEST_CASE_TEMPLATE(
    takes_a_number_of_bins_of_any_integer_type, System, test::every_policy) {
  check<System>([](auto first, auto last, auto out) {
    return thrust_hist::histogram(System::policy(), first, last, out, 4);
  });
  check<System>([](auto first, auto last, auto out) {
    return thrust_hist::histogram(System::policy(), first, last, out, std::size_t{4}, options{});
  });
  check<System>([](auto first, auto last, auto out) {
    return thrust_hist::histogram(System::policy(), first, last, out, std::int8_t{4});
  });
}

BOOST_AUTO_TEST_CASE_TEMPLATE(
    takes_a_rule_in_the_place_of_the_number_of_bins, System, test::every_policy) {
  const std::vector<std::uint64_t> even_and_odd{5, 1};
  test::check_counts<System, int>(keys, even_and_odd, [](auto first, auto last, auto out) {
    return thrust_hist::histogram(
        System::policy(), first, last, out, thrust_hist::make_bins(2, parity{}));
  });
  test::check_counts<System, int>(keys, even_and_odd, [](auto first, auto last, auto out) {
    return thrust_hist::histogram(
        System::policy(), first, last, out, thrust_hist::make_bins(2, parity{}), options{});
  });
  check<System>([](auto first, auto last, auto out) {
    return thrust_hist::histogram(
        System::policy(), first, last, out, thrust_hist::even_bins(4, 0, 4));
  });
}

BOOST_AUTO_TEST_CASE_TEMPLATE(even_and_range_are_calls_of_their_own, System, test::every_policy) {
  check<System>([](auto first, auto last, auto out) {
    return thrust_hist::histogram_even(System::policy(), first, last, out, 4, 0, 4);
  });
  check<System>([](auto first, auto last, auto out) {
    return thrust_hist::histogram_even(System::policy(), first, last, out, 4, 0., 4, options{});
  });
  const int edges[] = {0, 1, 2, 3, 4};
  auto edges_there = test::buffer_of<System>(test::samples<int>{0, 1, 2, 3, 4});
  int const* const there = edges_there.data();
  check<System>([&](auto first, auto last, auto out) {
    return thrust_hist::histogram_range(System::policy(), first, last, out, there, there + 5);
  });
  check<System>([&](auto first, auto last, auto out) {
    return thrust_hist::histogram_range(
        System::policy(), first, last, out, there, there + 5, options{});
  });
  const std::vector<int> on_the_host(std::begin(edges), std::end(edges));
  check<System>([&](auto first, auto last, auto out) {
    return thrust_hist::histogram_range(
        System::policy(), first, last, out, on_the_host.begin(), on_the_host.end());
  });
}

BOOST_AUTO_TEST_CASE_TEMPLATE(fills_containers_and_resizes_them, System, test::every_policy) {
  auto in = test::buffer_of<System>(keys);
  int const* const first = in.data();
  int const* const last = first + keys.size();
  for (std::size_t size : {0, 2, 4, 100}) {
    test::vector_of<System, unsigned> out(size, 77);
    static_assert(
        std::is_void_v<decltype(thrust_hist::histogram(System::policy(), first, last, out))>);
    thrust_hist::histogram(System::policy(), first, last, out);
    BOOST_TEST(
        test::contents(out) == test::convert<unsigned>(counts), boost::test_tools::per_element());
    thrust_hist::histogram(System::policy(), first, first, out, options{});
    BOOST_TEST(out.size() == 0U);
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(
    a_container_grows_but_never_shrinks_when_accumulating, System, test::every_policy) {
  auto in = test::buffer_of<System>(keys);
  int const* const first = in.data();
  int const* const last = first + keys.size();
  for (std::size_t size : {0, 2, 4, 6}) {
    test::vector_of<System, unsigned> out(size, 10);
    thrust_hist::histogram(System::policy(), first, last, out, options{}.accumulate());
    std::vector<unsigned> expected(size, 10);
    expected.resize(std::max<std::size_t>(size, 4), 0);
    for (std::size_t i = 0; i < 4; ++i)
      expected[i] += static_cast<unsigned>(counts[i]);
    BOOST_TEST(test::contents(out) == expected, boost::test_tools::per_element());
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(
    without_a_policy_the_system_of_the_iterators_decides, System, test::every_policy) {
  test::vector_of<System, int> in(keys.begin(), keys.end());
  test::vector_of<System, int> out(4, 77);
  const std::vector<int> expected = test::convert<int>(counts);
  const auto check_out = [&](auto end) {
    BOOST_TEST((end == out.end()));
    BOOST_TEST(test::contents(out) == expected, boost::test_tools::per_element());
    out.assign(4, 77);
  };
  check_out(thrust_hist::histogram(in.begin(), in.end(), out.begin()));
  check_out(thrust_hist::histogram(in.begin(), in.end(), out.begin(), options{}));
  check_out(thrust_hist::histogram(in.begin(), in.end(), out.begin(), 4));
  check_out(thrust_hist::histogram(in.begin(), in.end(), out.begin(), 4, options{}));
  check_out(
      thrust_hist::histogram(in.begin(), in.end(), out.begin(), thrust_hist::identity_bins(4)));
  check_out(thrust_hist::histogram_even(in.begin(), in.end(), out.begin(), 4, 0, 4));
  check_out(thrust_hist::histogram_even(in.begin(), in.end(), out.begin(), 4, 0, 4, options{}));
  const std::vector<double> edges{0, 1, 2, 3, 4};
  check_out(
      thrust_hist::histogram_range(in.begin(), in.end(), out.begin(), edges.begin(), edges.end()));
  thrust_hist::histogram(in.begin(), in.end(), out);
  BOOST_TEST(test::contents(out) == expected, boost::test_tools::per_element());
  thrust_hist::histogram(in.begin(), in.end(), out, options{}.accumulate());
  BOOST_TEST(test::contents(out)[2] == 6);
}

BOOST_AUTO_TEST_SUITE_END()
