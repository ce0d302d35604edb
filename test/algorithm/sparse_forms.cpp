// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The forms of a call: containers, iterators that are no pointers, keys of a type of the user's, no
// policy.

#include "../support/containers.h"
#include "../support/sparse.h"
#include <thrust_hist/sparse_histogram.h>

#include <thrust/iterator/constant_iterator.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/discard_iterator.h>
#include <thrust/iterator/permutation_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/iterator/transform_output_iterator.h>

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string_view>
#include <tuple>
#include <vector>

BOOST_AUTO_TEST_SUITE(sparse_forms, THRUST_HIST_TEST_SMALL)

namespace {

using thrust_hist::key_operators;
using thrust_hist::options;
using thrust_hist::sparse_histogram;
using thrust_hist::sparse_histogram_by_key;

const std::vector<int> keys = {7, -3, 7, 0, 7, -3};
const std::vector<int> distinct = {-3, 0, 7};
const std::vector<unsigned> counts = {2, 1, 3};
const std::vector<double> values = {1, 2, 4, 8, 16, 32};
const std::vector<double> sums = {34, 8, 21};

struct voxel {
  std::int16_t x, y;
  std::uint8_t level;
  friend bool operator==(voxel const& a, voxel const& b) {
    return std::tie(a.x, a.y, a.level) == std::tie(b.x, b.y, b.level);
  }
  friend bool operator<(voxel const& a, voxel const& b) {
    return std::tie(a.x, a.y, a.level) < std::tie(b.x, b.y, b.level);
  }
};

struct negated {
  THRUST_HIST_HOST_DEVICE int operator()(int x) const { return -x; }
};

// A container that cannot grow beyond so many elements.
struct limited : std::vector<unsigned> {
  using std::vector<unsigned>::vector;
  void resize(std::size_t size) {
    if (size > 3)
      throw std::length_error("no more than 3");
    std::vector<unsigned>::resize(size);
  }
};

}  // namespace

BOOST_AUTO_TEST_CASE_TEMPLATE(
    containers_get_as_many_rows_as_there_are, System, test::every_policy) {
  test::vector_of<System, int> in(keys.begin(), keys.end()), unique;
  test::vector_of<System, double> with(values.begin(), values.end()), folded(100, 5.);
  test::vector_of<System, unsigned> counted(2);
  const auto ends = sparse_histogram(System::policy(), in.begin(), in.end(), unique, counted);
  BOOST_CHECK(ends.first == unique.end() && ends.second == counted.end());
  BOOST_TEST(test::contents(unique) == distinct);
  BOOST_TEST(test::contents(counted) == counts);
  sparse_histogram_by_key(System::policy(), in.begin(), in.end(), with.begin(), unique, folded);
  BOOST_TEST(test::contents(unique) == distinct);
  BOOST_TEST(test::contents(folded) == sums);
  thrust_hist::plan plan;
  sparse_histogram(
      System::policy(), in.begin(), in.end(), unique, counted, options{}.explain(&plan));
  BOOST_TEST(unique.size() == 3U);
  sparse_histogram(System::policy(), in.begin(), in.begin(), unique, counted);
  BOOST_TEST(unique.size() + counted.size() == 0U);
}

BOOST_AUTO_TEST_CASE(containers_are_as_they_were_if_anything_throws) {
  const std::vector<int> five = {1, 2, 3, 4, 5};
  std::vector<int> unique = {9};
  limited counted = {8, 8};
  BOOST_CHECK_THROW(sparse_histogram(five.begin(), five.end(), unique, counted), std::length_error);
  BOOST_TEST(unique == std::vector<int>{9});
  BOOST_TEST((counted == limited{8, 8}));
}

BOOST_AUTO_TEST_CASE(without_policy_all_forms) {
  std::vector<int> unique(6);
  std::vector<double> folded(6);
  const auto ends = sparse_histogram_by_key(
      keys.begin(), keys.end(), values.begin(), unique.begin(), folded.begin());
  BOOST_CHECK(ends.first == unique.begin() + 3 && ends.second == folded.begin() + 3);
  const auto descending = key_operators{
      [](int k) { return static_cast<unsigned>(k); }, [](int a, int b) { return a == b; },
      [](int a, int b) { return b < a; }};
  sparse_histogram_by_key(
      keys.begin(), keys.end(), values.begin(), unique, folded,
      [](double a, double b) { return a < b ? a : b; }, descending, options{}.unordered(false));
  BOOST_TEST(unique == (std::vector<int>{7, 0, -3}));
  BOOST_TEST(folded == (std::vector<double>{1, 8, 2}));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(inputs_and_outputs_that_are_no_pointers, System, test::every_policy) {
  test::vector_of<System, int> in(keys.begin(), keys.end()), unique(6);
  test::vector_of<System, double> folded;
  const auto negative = thrust::make_transform_iterator(in.begin(), negated{});
  const auto ends = sparse_histogram(
      System::policy(), negative, negative + 6,
      thrust::make_transform_output_iterator(unique.begin(), negated{}),
      thrust::make_discard_iterator());
  unique.resize(static_cast<std::size_t>(ends.second - thrust::make_discard_iterator()));
  BOOST_TEST(test::contents(unique) == (std::vector<int>{7, 0, -3}));

  const test::vector_of<System, int> places(3, 1);
  const auto third = thrust::make_permutation_iterator(in.begin(), places.begin());
  sparse_histogram_by_key(
      System::policy(), third, third + 3, thrust::make_constant_iterator(5.), unique, folded);
  BOOST_TEST(test::contents(unique) == std::vector<int>{-3});
  BOOST_TEST(test::contents(folded) == std::vector<double>{15});
}

BOOST_AUTO_TEST_CASE(keys_of_a_type_of_the_users) {
  const test::samples<voxel> voxels(70000, [](std::size_t i) {
    return voxel{
        static_cast<std::int16_t>(i % 313), static_cast<std::int16_t>(-static_cast<int>(i % 41)),
        static_cast<std::uint8_t>(i % 3)};
  });
  const auto expected = test::reduce_sorted<int>(
      voxels, std::vector<int>(voxels.size(), 1), test::by_less{}, test::by_plus{});
  const auto of_voxels = key_operators{
      [](voxel const& v) { return v.x * 41 - v.y; },
      [](voxel const& a, voxel const& b) { return a == b; }, test::by_less{}};
  std::vector<voxel> unique;
  std::vector<int> counted;
  for (thrust_hist::route forced : test::sparse_routes) {
    sparse_histogram(
        thrust::host, voxels.begin(), voxels.end(), unique, counted, of_voxels,
        options{}.force(forced));
    BOOST_TEST((unique == expected.keys));
    BOOST_TEST(counted == expected.values);
  }
}

BOOST_AUTO_TEST_CASE(arrays) {  // as in the example of thrust::reduce_by_key
  int const keys[] = {3, 1, 1, 3}, values[] = {9, 8, 7, 6};
  int unique[4], sums[4];
  const auto ends =
      thrust_hist::sparse_histogram_by_key(thrust::host, keys, keys + 4, values, unique, sums);
  BOOST_TEST(ends.first - unique == 2);
  BOOST_TEST((unique[0] == 1 && unique[1] == 3 && sums[0] == 15 && sums[1] == 15));
}

BOOST_AUTO_TEST_CASE(words) {
  const std::vector<std::string_view> text = {"to", "be", "or", "not", "to", "be"};
  std::vector<std::string_view> words;
  std::vector<int> counted;
  sparse_histogram(
      text.begin(), text.end(), words, counted,
      key_operators{std::hash<std::string_view>{}, std::equal_to<>{}, std::less<>{}});
  BOOST_TEST(words == (std::vector<std::string_view>{"be", "not", "or", "to"}));
  BOOST_TEST(counted == (std::vector<int>{2, 1, 1, 2}));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(unordered_rows_are_the_same_rows, System, test::every_policy) {
  for (std::size_t n : {100, 70000}) {
    const test::samples<int> list(n, [](std::size_t i) { return static_cast<int>(i * i % 9973); });
    const auto expected = test::count_sorted<int>(list);
    std::vector<int> unique, counted;
    sparse_histogram(
        System::policy(), list.begin(), list.end(), unique, counted, options{}.unordered());
    const auto sorted = test::reduce_sorted<int>(unique, counted, test::by_less{}, test::by_plus{});
    BOOST_TEST(sorted.keys == expected.keys);
    BOOST_TEST(sorted.values == expected.values);
    BOOST_TEST(unique.size() == sorted.keys.size());
  }
}

BOOST_AUTO_TEST_SUITE_END()
