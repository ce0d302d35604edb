// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The forms of a call on CUDA: device and host containers, iterators that are no pointers on every
// side, no policy.

#include "../support/containers.h"
#include "../support/sparse.h"
#include <thrust_hist/sparse_histogram.h>

#include <thrust/execution_policy.h>
#include <thrust/iterator/constant_iterator.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/discard_iterator.h>
#include <thrust/iterator/permutation_iterator.h>
#include <thrust/iterator/reverse_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/iterator/transform_output_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/tuple.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <vector>

namespace sparse_forms_setup {

using System = test::main_system;
using thrust_hist::options;
using thrust_hist::sparse_histogram;
using thrust_hist::sparse_histogram_by_key;
template <class T>
using vector = test::vector_of<System, T>;

const test::samples<int> keys(70001, [](std::size_t i) {
  return static_cast<int>(i * i % 5003) - 2500;
});
const test::samples<double> values(keys.size(), [](std::size_t i) { return i % 512 - 200.0; });

inline auto expected_counts() {
  return test::count_sorted<unsigned>(keys);
}
inline auto expected_sums() {
  return test::reduce_sorted<double>(keys, values, test::by_less{}, test::by_plus{});
}

// Checks the first rows of outputs, by their ends.
template <class Keys, class Values, class Ends, class Key, class A>
void check_rows(
    Keys const& got_keys, Values const& got_values, Ends const& ends,
    test::rows<Key, A> const& expected) {
  const auto rows = static_cast<std::ptrdiff_t>(expected.keys.size());
  BOOST_TEST((ends.first - got_keys.begin() == rows));
  BOOST_TEST((ends.second - got_values.begin() == rows));
  auto first_keys = test::contents(got_keys);
  auto first_values = test::contents(got_values);
  BOOST_REQUIRE(first_keys.size() >= expected.keys.size());
  BOOST_REQUIRE(first_values.size() >= expected.values.size());
  first_keys.resize(expected.keys.size());
  first_values.resize(expected.values.size());
  BOOST_TEST(test::difference(first_keys, expected.keys) == "");
  BOOST_TEST(test::difference(first_values, expected.values) == "");
}

struct negated {
  THRUST_HIST_HOST_DEVICE int operator()(int x) const { return -x; }
};
struct square {
  THRUST_HIST_HOST_DEVICE int operator()(int x) const { return x * x % 257; }
};

// A container that cannot grow beyond so many elements.
template <class Vector>
struct limited : Vector {
  using Vector::Vector;
  void resize(std::size_t size) {
    if (size > 3)
      throw std::length_error("no more than 3");
    Vector::resize(size);
  }
};

using pair = thrust::tuple<int, std::uint16_t>;
struct hash_pair {
  THRUST_HIST_HOST_DEVICE std::uint32_t operator()(pair const& p) const {
    return static_cast<std::uint32_t>(thrust::get<0>(p)) * 31U + thrust::get<1>(p);
  }
};
struct same_pair {
  THRUST_HIST_HOST_DEVICE bool operator()(pair const& a, pair const& b) const {
    return thrust::get<0>(a) == thrust::get<0>(b) && thrust::get<1>(a) == thrust::get<1>(b);
  }
};
struct less_pair {
  THRUST_HIST_HOST_DEVICE bool operator()(pair const& a, pair const& b) const {
    return thrust::get<0>(a) != thrust::get<0>(b) ? thrust::get<0>(a) < thrust::get<0>(b)
                                                  : thrust::get<1>(a) < thrust::get<1>(b);
  }
};

}  // namespace sparse_forms_setup

BOOST_AUTO_TEST_SUITE(sparse_forms, THRUST_HIST_TEST_SMALL_LOCKS)
using namespace sparse_forms_setup;

BOOST_AUTO_TEST_CASE(containers_get_as_many_rows_as_there_are) {
  const vector<int> in(keys.begin(), keys.end());
  const vector<double> with(values.begin(), values.end());
  vector<int> unique;
  vector<unsigned> counted(2);
  vector<double> folded(100000, 5.);  // more than it needs
  const std::size_t rows = expected_counts().keys.size();
  const auto counts = sparse_histogram(System::policy(), in.begin(), in.end(), unique, counted);
  BOOST_TEST(unique.size() == rows);
  BOOST_TEST(counted.size() == rows);
  check_rows(unique, counted, counts, expected_counts());
  const auto sums =
      sparse_histogram_by_key(System::policy(), in.begin(), in.end(), with.begin(), unique, folded);
  BOOST_TEST(unique.size() == rows);
  BOOST_TEST(folded.size() == rows);
  check_rows(unique, folded, sums, expected_sums());
  thrust_hist::plan plan;
  sparse_histogram(
      System::policy(), in.begin(), in.end(), unique, counted, options{}.explain(&plan));
  BOOST_TEST(unique.size() == rows);
  sparse_histogram(System::policy(), in.begin(), in.begin(), unique, counted);
  BOOST_TEST(unique.size() + counted.size() == 0U);
}

BOOST_AUTO_TEST_CASE(host_containers_are_staged) {
  const vector<int> in(keys.begin(), keys.end());
  const vector<double> with(values.begin(), values.end());
  for (thrust_hist::route forced : {thrust_hist::route::automatic, thrust_hist::route::sorted}) {
    std::vector<int> unique(3, 3);
    std::vector<unsigned> counted;
    std::vector<double> folded(100000, 5.);
    const auto counts = sparse_histogram(
        thrust::device, in.begin(), in.end(), unique, counted, options{}.force(forced));
    BOOST_TEST(unique.size() == counted.size());
    check_rows(unique, counted, counts, expected_counts());
    const auto sums = sparse_histogram_by_key(
        System::policy(), in.begin(), in.end(), with.begin(), unique, folded,
        options{}.force(forced));
    BOOST_TEST(unique.size() == folded.size());
    check_rows(unique, folded, sums, expected_sums());
  }
}

BOOST_AUTO_TEST_CASE(host_containers_by_iterators_are_staged_and_not_written_beside_the_rows) {
  const vector<int> in(keys.begin(), keys.end());
  std::vector<int> unique(keys.size(), 77);
  std::vector<unsigned> counted(keys.size(), 78);
  const auto ends =
      sparse_histogram(thrust::device, in.begin(), in.end(), unique.begin(), counted.begin());
  check_rows(unique, counted, ends, expected_counts());
  for (std::size_t row = expected_counts().keys.size(); row < keys.size(); ++row)
    BOOST_REQUIRE((unique[row] == 77 && counted[row] == 78));
}

BOOST_AUTO_TEST_CASE(containers_are_as_they_were_if_one_cannot_grow) {
  const std::vector<int> five = {1, 2, 3, 4, 5};
  const vector<int> in(five.begin(), five.end());
  vector<int> unique(1, 9);
  limited<vector<unsigned>> counted(2, 8U);
  BOOST_CHECK_THROW(
      sparse_histogram(System::policy(), in.begin(), in.end(), unique, counted), std::length_error);
  BOOST_TEST(test::contents(unique) == std::vector<int>{9});
  BOOST_TEST(test::contents(counted) == (std::vector<unsigned>{8, 8}));
}

// Iterators that are aligned to their element only, on all sides, without a policy.
BOOST_AUTO_TEST_CASE(iterators_of_vectors_may_begin_anywhere) {
  vector<int> in(keys.size() + 1, 12345), unique(keys.size() + 1, 77);
  vector<double> with(keys.size() + 1, 54321.), folded(keys.size() + 1, 78.);
  thrust::copy(keys.begin(), keys.end(), in.begin() + 1);
  thrust::copy(values.begin(), values.end(), with.begin() + 1);
  const auto ends = sparse_histogram_by_key(
      in.begin() + 1, in.end(), with.begin() + 1, unique.begin() + 1, folded.begin() + 1);
  const auto expected = expected_sums();
  std::vector<int> all_keys(keys.size() + 1, 77);
  std::vector<double> all_values(keys.size() + 1, 78.);
  std::copy(expected.keys.begin(), expected.keys.end(), all_keys.begin() + 1);
  std::copy(expected.values.begin(), expected.values.end(), all_values.begin() + 1);
  BOOST_TEST(
      (ends.first - unique.begin() == static_cast<std::ptrdiff_t>(expected.keys.size() + 1)));
  BOOST_TEST(test::difference(test::contents(unique), all_keys) == "");
  BOOST_TEST(test::difference(test::contents(folded), all_values) == "");
}

BOOST_AUTO_TEST_CASE(keys_may_go_through_an_operator_and_either_output_nowhere) {
  const vector<int> in(keys.begin(), keys.end());
  vector<int> unique(keys.size());
  vector<unsigned> counted(keys.size());
  const auto nowhere = thrust::make_discard_iterator();
  const auto ends = sparse_histogram(
      System::policy(), in.begin(), in.end(),
      thrust::make_transform_output_iterator(unique.begin(), negated{}), nowhere);
  auto expected = expected_counts();
  unique.resize(static_cast<std::size_t>(ends.second - nowhere));
  auto unnegated = expected.keys;
  for (int& key : unnegated)
    key = -key;
  BOOST_TEST(test::difference(test::contents(unique), unnegated) == "");
  const auto ends_of_counts =
      sparse_histogram(System::policy(), in.begin(), in.end(), nowhere, counted.begin());
  counted.resize(static_cast<std::size_t>(ends_of_counts.second - counted.begin()));
  BOOST_TEST(test::difference(test::contents(counted), expected.values) == "");
}

BOOST_AUTO_TEST_CASE(keys_that_are_computed) {
  vector<int> unique(100003);
  vector<unsigned> counted(100003);
  const auto numbers = thrust::make_counting_iterator(-50000);
  check_rows(  // the system is that of the output
      unique, counted, sparse_histogram(numbers, numbers + 100003, unique.begin(), counted.begin()),
      test::count_sorted<unsigned>(test::samples<int>(100003, [](int i) { return i - 50000; })));
  const auto squares = thrust::make_transform_iterator(thrust::make_counting_iterator(0), square{});
  check_rows(
      unique, counted,
      sparse_histogram(System::policy(), squares, squares + 40000, unique.begin(), counted.begin()),
      test::count_sorted<unsigned>(test::samples<int>(40000, square{})));
}

BOOST_AUTO_TEST_CASE(one_key_and_one_value_for_all) {
  vector<int> unique(70001);
  vector<double> folded(70001);
  const vector<int> in(keys.begin(), keys.end()), places(3000, 1);
  const auto second = thrust::make_permutation_iterator(in.begin(), places.begin());
  check_rows(
      unique, folded,
      sparse_histogram_by_key(
          System::policy(), second, second + 3000, thrust::make_constant_iterator(5.),
          unique.begin(), folded.begin()),
      test::rows<int, double>{{keys[1]}, {15000.}});
  const vector<double> with(values.begin(), values.end());
  const auto same = thrust::make_constant_iterator(-7);
  double sum = 0;
  for (double v : values)
    sum += v;
  check_rows(
      unique, folded,
      sparse_histogram_by_key(
          System::policy(), same, same + 70001, with.begin(), unique.begin(), folded.begin()),
      test::rows<int, double>{{-7}, {sum}});
}

// The values of keys that are read backwards are read backwards, too.
BOOST_AUTO_TEST_CASE(backwards) {
  const vector<int> in(keys.begin(), keys.end());
  const vector<double> with(values.begin(), values.end());
  vector<int> unique(keys.size());
  vector<double> folded(keys.size());
  check_rows(
      unique, folded,
      sparse_histogram_by_key(
          System::policy(), thrust::make_reverse_iterator(in.end()),
          thrust::make_reverse_iterator(in.begin()), thrust::make_reverse_iterator(with.end()),
          unique.begin(), folded.begin()),
      expected_sums());
}

BOOST_AUTO_TEST_CASE(keys_and_values_that_are_zipped) {
  constexpr std::size_t n = 70001;
  const auto one = [](std::size_t i) { return static_cast<int>(i * i % 71) - 35; };
  const auto other = [](std::size_t i) { return static_cast<std::uint16_t>(i % 13); };
  const test::samples<int> ones(n, one);
  const test::samples<std::uint16_t> others(n, other);
  const test::samples<std::int64_t> both(
      n, [&](std::size_t i) { return one(i) * 65536LL + other(i); });
  const auto expected = test::count_sorted<unsigned>(both);
  const vector<int> left(ones.begin(), ones.end());
  const vector<std::uint16_t> right(others.begin(), others.end());
  vector<int> left_out(n);
  vector<std::uint16_t> right_out(n);
  vector<unsigned> counted(n);
  const auto in = thrust::make_zip_iterator(thrust::make_tuple(left.begin(), right.begin()));
  const auto out =
      thrust::make_zip_iterator(thrust::make_tuple(left_out.begin(), right_out.begin()));
  const auto ends = sparse_histogram(
      System::policy(), in, in + static_cast<std::ptrdiff_t>(n), out, counted.begin(),
      thrust_hist::key_operators<hash_pair, same_pair, less_pair>{});
  counted.resize(static_cast<std::size_t>(ends.second - counted.begin()));
  BOOST_TEST((ends.first - out == static_cast<std::ptrdiff_t>(counted.size())));
  BOOST_TEST(test::difference(test::contents(counted), expected.values) == "");
  const auto left_keys = test::contents(left_out);
  const auto right_keys = test::contents(right_out);
  for (std::size_t row = 0; row < expected.keys.size(); ++row)
    BOOST_REQUIRE(left_keys[row] * 65536LL + right_keys[row] == expected.keys[row]);
}

BOOST_AUTO_TEST_SUITE_END()
