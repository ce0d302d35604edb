// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What Thrust's own examples do by sorting (their histograms, and the sum of two sparse vectors), done by
// these algorithms: the same output.

#include "../support/checks.h"
#include <thrust_hist/histogram.h>
#include <thrust_hist/sparse_histogram.h>

#include <thrust/adjacent_difference.h>
#include <thrust/binary_search.h>
#include <thrust/execution_policy.h>
#include <thrust/iterator/constant_iterator.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/merge.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/sort.h>

#include <cstddef>
#include <vector>

BOOST_AUTO_TEST_SUITE(instead_of_sorting, THRUST_HIST_TEST_SMALL)

namespace {

// As the sum of five dice falls: few of the outer numbers, and none below 5.
std::vector<unsigned> throws_of_dice() {
  test::random rng(5);
  std::vector<unsigned> sums(4001);
  for (auto& sum : sums)
    for (int die = 0; die < 5; ++die)
      sum += 1 + static_cast<unsigned>(rng() % 6);
  return sums;
}

// A vector of which most elements are 0: where the others are, ascending, and what they are.
struct sparse_vector {
  std::vector<int> places;
  std::vector<double> values;
};
sparse_vector every(int step, double value) {
  sparse_vector made;
  for (int at = step / 2; at < 3000; at += step) {
    made.places.push_back(at);
    made.values.push_back(value + at);
  }
  return made;
}

}  // namespace

BOOST_AUTO_TEST_CASE_TEMPLATE(a_dense_histogram_and_a_cumulative_one, System, test::systems) {
  const auto data = throws_of_dice();
  std::vector<unsigned> sorted = data;
  thrust::sort(thrust::seq, sorted.begin(), sorted.end());
  const unsigned bins = sorted.back() + 1;
  std::vector<int> old_cumulative(bins), old_counts(bins);
  thrust::counting_iterator<unsigned> const every_number(0);
  thrust::upper_bound(
      thrust::seq, sorted.begin(), sorted.end(), every_number, every_number + bins,
      old_cumulative.begin());
  thrust::adjacent_difference(
      thrust::seq, old_cumulative.begin(), old_cumulative.end(), old_counts.begin());

  std::vector<int> counts, cumulative(bins);
  thrust_hist::histogram(System::policy(), data.begin(), data.end(), counts);
  thrust::inclusive_scan(thrust::seq, counts.begin(), counts.end(), cumulative.begin());
  BOOST_TEST(counts == old_counts, boost::test_tools::per_element());
  BOOST_TEST(cumulative == old_cumulative, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE_TEMPLATE(a_sparse_histogram, System, test::systems) {
  const auto data = throws_of_dice();
  std::vector<unsigned> sorted = data;
  thrust::sort(thrust::seq, sorted.begin(), sorted.end());
  std::vector<unsigned> old_numbers(data.size());
  std::vector<int> old_counts(data.size());
  const auto ends = thrust::reduce_by_key(
      thrust::seq, sorted.begin(), sorted.end(), thrust::constant_iterator<int>(1),
      old_numbers.begin(), old_counts.begin());
  old_numbers.erase(ends.first, old_numbers.end());
  old_counts.erase(ends.second, old_counts.end());

  std::vector<unsigned> numbers;
  std::vector<int> counts;
  thrust_hist::sparse_histogram(System::policy(), data.begin(), data.end(), numbers, counts);
  BOOST_TEST(numbers == old_numbers, boost::test_tools::per_element());
  BOOST_TEST(counts == old_counts, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE_TEMPLATE(the_sum_of_two_sparse_vectors, System, test::systems) {
  const auto a = every(7, 1), b = every(4, 0.5);
  const std::size_t size = a.places.size() + b.places.size();
  sparse_vector merged = {std::vector<int>(size), std::vector<double>(size)};
  thrust::merge_by_key(
      thrust::seq, a.places.begin(), a.places.end(), b.places.begin(), b.places.end(),
      a.values.begin(), b.values.begin(), merged.places.begin(), merged.values.begin());
  sparse_vector old_sum = {std::vector<int>(size), std::vector<double>(size)};
  const auto ends = thrust::reduce_by_key(
      thrust::seq, merged.places.begin(), merged.places.end(), merged.values.begin(),
      old_sum.places.begin(), old_sum.values.begin());
  old_sum.places.erase(ends.first, old_sum.places.end());
  old_sum.values.erase(ends.second, old_sum.values.end());

  sparse_vector both = a, sum;
  both.places.insert(both.places.end(), b.places.begin(), b.places.end());
  both.values.insert(both.values.end(), b.values.begin(), b.values.end());
  thrust_hist::sparse_histogram_by_key(
      System::policy(), both.places.begin(), both.places.end(), both.values.begin(), sum.places,
      sum.values);
  BOOST_TEST(sum.places == old_sum.places, boost::test_tools::per_element());
  BOOST_TEST(sum.values == old_sum.values, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_SUITE_END()
