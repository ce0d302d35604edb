// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// build: checked
// check() of sparse histograms on CUDA: right rows pass, in any order and however sums were
// rounded; a falsified value is caught.

#include "../support/containers.h"
#include "sparse_check.h"
#include <thrust_hist/sparse_histogram.h>

#include <thrust/iterator/discard_iterator.h>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#if defined(THRUST_HIST_ENABLE_CHECK) && defined(THRUST_HIST_TEST_HOOKS)

// Not in the namespace without a name: sorting calls no hash, and nvcc warns of what is not called.
namespace sparse_check_operators {

struct larger {
  THRUST_HIST_HOST_DEVICE int operator()(int a, int b) const { return a < b ? b : a; }
};

// Keys of users, in an order of their own.
struct as_unsigned {
  THRUST_HIST_HOST_DEVICE unsigned operator()(int k) const { return static_cast<unsigned>(k); }
};
struct same {
  THRUST_HIST_HOST_DEVICE bool operator()(int a, int b) const { return a == b; }
};
struct greater {
  THRUST_HIST_HOST_DEVICE bool operator()(int a, int b) const { return b < a; }
};

}  // namespace sparse_check_operators

BOOST_AUTO_TEST_SUITE(sparse_check, THRUST_HIST_TEST_LARGE)

namespace {

using System = test::main_system;
using namespace sparse_check_operators;
using thrust_hist::options;
using thrust_hist::sparse_histogram;
using thrust_hist::sparse_histogram_by_key;
template <class T>
using vector = test::vector_of<System, T>;

const std::vector<int> keys = test::keys_to_check();

}  // namespace

BOOST_AUTO_TEST_CASE(of_counts_by_pointers) {
  const test::samples<int> list(keys);
  auto in = test::buffer_of<System>(list);
  int const* const first = in.data();
  test::check_caught<System>([&](options const& o) {
    test::sparse_output<System, int, std::uint16_t> out(keys.size());
    sparse_histogram(System::policy(), first, first + keys.size(), out.keys(), out.values(), o);
  });
}

BOOST_AUTO_TEST_CASE(of_counts_in_host_containers) {
  const vector<int> in(keys.begin(), keys.end());
  test::check_caught<System>([&](options const& o) {
    std::vector<int> unique;
    std::vector<unsigned> counted;
    sparse_histogram(System::policy(), in.begin(), in.end(), unique, counted, o);
  });
}

BOOST_AUTO_TEST_CASE(of_rounded_and_of_exact_sums) {
  std::vector<float> list;
  for (std::size_t i = 0; i < keys.size(); ++i)
    list.push_back(static_cast<float>(i % 1000) * 0.37F);
  const vector<int> in(keys.begin(), keys.end());
  const vector<float> values(list.begin(), list.end());
  for (bool exact : {false, true})
    test::check_caught<System>([&](options o) {
      vector<int> unique;
      vector<float> sums;
      sparse_histogram_by_key(
          System::policy(), in.begin(), in.end(), values.begin(), unique, sums, o.exact(exact));
    });
}

BOOST_AUTO_TEST_CASE(of_an_operator_without_identity_and_of_nan_keys) {
  std::vector<double> list(keys.begin(), keys.end());
  list[7] = list[1000] = std::numeric_limits<double>::quiet_NaN();
  list[8] = -0.;
  const vector<double> reals(list.begin(), list.end());
  const vector<int> values(keys.begin(), keys.end());
  test::check_caught<System>([&](options const& o) {
    vector<double> unique;
    vector<int> largest;
    sparse_histogram_by_key(
        System::policy(), reals.begin(), reals.end(), values.begin(), unique, largest, larger{}, o);
  });
}

BOOST_AUTO_TEST_CASE(of_keys_of_the_users) {
  const vector<int> in(keys.begin(), keys.end());
  test::check_caught<System>([&](options const& o) {
    vector<int> unique;
    vector<unsigned> counted;
    sparse_histogram(
        System::policy(), in.begin(), in.end(), unique, counted,
        thrust_hist::key_operators<as_unsigned, same, greater>{}, o);
  });
}

BOOST_AUTO_TEST_CASE(containers_have_their_size_again_where_a_row_is_wrong) {
  const vector<int> in(keys.begin(), keys.end());
  vector<int> unique(2), counted(3);
  const test::corruption now(0);
  BOOST_CHECK_THROW(
      sparse_histogram(System::policy(), in.begin(), in.end(), unique, counted, options{}.check()),
      thrust_hist::mismatch_error);
  BOOST_TEST(unique.size() == 2U);
  BOOST_TEST(counted.size() == 3U);
}

BOOST_AUTO_TEST_CASE(the_row_and_both_values_are_named) {
  const vector<int> in(keys.begin(), keys.end());
  vector<int> unique, counted;
  const auto expected = test::count_sorted<int>(keys);
  for (std::int64_t wrong : {0, 200}) {
    const test::corruption now(wrong);
    try {
      sparse_histogram(System::policy(), in.begin(), in.end(), unique, counted, options{}.check());
      BOOST_ERROR("nobody noticed");
    } catch (thrust_hist::mismatch_error const& caught) {
      BOOST_TEST(caught.bin() == wrong);
      BOOST_TEST(
          caught.expected() == std::to_string(expected.values[static_cast<std::size_t>(wrong)]));
      BOOST_TEST(caught.expected() != caught.got());
    }
  }
}

BOOST_AUTO_TEST_CASE(outputs_that_cannot_be_read_are_not_checked_and_nothing_is_without_asking) {
  const vector<int> in(keys.begin(), keys.end());
  const auto nowhere = thrust::make_discard_iterator();
  BOOST_CHECK_NO_THROW(sparse_histogram(
      System::policy(), in.begin(), in.end(), nowhere, nowhere, options{}.check()));
  BOOST_CHECK_NO_THROW(sparse_histogram(
      System::policy(), in.begin(), in.begin(), nowhere, nowhere, options{}.check()));
  vector<int> unique, counted;
  const test::corruption now(2);
  sparse_histogram(System::policy(), in.begin(), in.end(), unique, counted);
  const auto expected = test::count_sorted<int>(keys);
  BOOST_TEST(test::contents(unique) == expected.keys);
  BOOST_TEST(test::difference(test::contents(counted), expected.values) != "");
}

BOOST_AUTO_TEST_SUITE_END()

#endif
