// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What Thrust's own examples do by sorting (their histograms, the sum of two sparse vectors, the
// words of a text), done by these algorithms: the same output.

#include "../support/checks.h"
#include "../support/containers.h"
#include <thrust_hist/histogram.h>
#include <thrust_hist/sparse_histogram.h>

#include <thrust/adjacent_difference.h>
#include <thrust/binary_search.h>
#include <thrust/copy.h>
#include <thrust/execution_policy.h>
#include <thrust/functional.h>
#include <thrust/inner_product.h>
#include <thrust/iterator/constant_iterator.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/memory.h>
#include <thrust/merge.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/sort.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace instead_of_sorting_setup {

// As the sum of five dice falls: few of the outer numbers, and none below 5.
inline std::vector<unsigned> throws_of_dice() {
  test::random rng(5);
  std::vector<unsigned> sums(4001);
  for (auto& sum : sums)
    for (int die = 0; die < 5; ++die)
      sum += 1 + static_cast<unsigned>(rng() % 6);
  return sums;
}

// A vector of which most elements are 0: where the others are, ascending, and what they are.
template <class System>
struct sparse_vector {
  test::vector_of<System, int> places;
  test::vector_of<System, double> values;
};
template <class System>
sparse_vector<System> every(int step, double value) {
  std::vector<int> places;
  std::vector<double> values;
  for (int at = step / 2; at < 3000; at += step) {
    places.push_back(at);
    values.push_back(value + at);
  }
  return {{places.begin(), places.end()}, {values.begin(), values.end()}};
}

// The first elements of a container, in the host's memory.
template <class Vector, class Iterator>
auto until(Vector const& v, Iterator end) {
  auto all = test::contents(v);
  all.resize(static_cast<std::size_t>(end - v.begin()));
  return all;
}

// Words of which few are frequent, with what may stand between them.
inline std::string some_text() {
  test::random rng(6);
  std::string text = "  It ";
  for (int i = 0; i < 3000; ++i) {
    const std::uint64_t number = rng() % (std::uint64_t{2} << rng() % 9);
    for (std::uint64_t rest = number + 1; rest != 0; rest /= 7)
      text += static_cast<char>('a' + rest % 7);
    text += i % 11 == 0 ? ".\n" : i % 5 == 0 ? ", " : " ";
  }
  return text + "end";
}

// A text, where it lies.
struct letters {
  char const* text;
  unsigned size;

  THRUST_HIST_HOST_DEVICE bool is_letter(unsigned at) const {
    return at < size && ((text[at] >= 'a' && text[at] <= 'z') || text[at] == 'I');
  }
  // FNV-1a: G. Fowler, L. C. Noll, K.-P. Vo.
  THRUST_HIST_HOST_DEVICE std::uint64_t hash(unsigned at) const {
    std::uint64_t h = 0xcbf29ce484222325u;
    for (; is_letter(at); ++at)
      h = (h ^ static_cast<unsigned char>(text[at])) * 0x100000001b3u;
    return h;
  }
};
struct begins_word {
  letters in;
  THRUST_HIST_HOST_DEVICE bool operator()(unsigned at) const {
    return in.is_letter(at) && (at == 0 || !in.is_letter(at - 1));
  }
};
struct hash_of_word {
  letters in;
  THRUST_HIST_HOST_DEVICE std::uint64_t operator()(unsigned at) const { return in.hash(at); }
};
struct earlier {
  THRUST_HIST_HOST_DEVICE unsigned operator()(unsigned a, unsigned b) const {
    return b < a ? b : a;
  }
};

}  // namespace instead_of_sorting_setup

BOOST_AUTO_TEST_SUITE(instead_of_sorting, THRUST_HIST_TEST_SMALL_LOCKS)
using namespace instead_of_sorting_setup;

BOOST_AUTO_TEST_CASE_TEMPLATE(a_dense_histogram_and_a_cumulative_one, System, test::systems) {
  using numbers = test::vector_of<System, unsigned>;
  using counts_of = test::vector_of<System, int>;
  const auto data = throws_of_dice();
  const numbers in(data.begin(), data.end());
  numbers sorted = in;
  thrust::sort(System::policy(), sorted.begin(), sorted.end());
  const unsigned bins = sorted.back() + 1;
  counts_of old_cumulative(bins), old_counts(bins);
  thrust::counting_iterator<unsigned> const every_number(0);
  thrust::upper_bound(
      System::policy(), sorted.begin(), sorted.end(), every_number, every_number + bins,
      old_cumulative.begin());
  thrust::adjacent_difference(
      System::policy(), old_cumulative.begin(), old_cumulative.end(), old_counts.begin());

  counts_of counts, cumulative(bins);
  thrust_hist::histogram(System::policy(), in.begin(), in.end(), counts);
  thrust::inclusive_scan(System::policy(), counts.begin(), counts.end(), cumulative.begin());
  BOOST_TEST(test::difference(test::contents(counts), test::contents(old_counts)) == "");
  BOOST_TEST(test::difference(test::contents(cumulative), test::contents(old_cumulative)) == "");
}

BOOST_AUTO_TEST_CASE_TEMPLATE(a_sparse_histogram, System, test::systems) {
  using numbers_of = test::vector_of<System, unsigned>;
  const auto data = throws_of_dice();
  const numbers_of in(data.begin(), data.end());
  numbers_of sorted = in;
  thrust::sort(System::policy(), sorted.begin(), sorted.end());
  const int bins = thrust::inner_product(
      System::policy(), sorted.begin(), sorted.end() - 1, sorted.begin() + 1, 1,
      thrust::plus<int>{}, thrust::not_equal_to<unsigned>{});
  const auto size = static_cast<std::size_t>(bins);
  numbers_of old_numbers(size);
  test::vector_of<System, int> old_counts(size);
  thrust::reduce_by_key(
      System::policy(), sorted.begin(), sorted.end(), thrust::constant_iterator<int>(1),
      old_numbers.begin(), old_counts.begin());

  numbers_of numbers;
  test::vector_of<System, int> counts;
  thrust_hist::sparse_histogram(System::policy(), in.begin(), in.end(), numbers, counts);
  BOOST_TEST(test::difference(test::contents(numbers), test::contents(old_numbers)) == "");
  BOOST_TEST(test::difference(test::contents(counts), test::contents(old_counts)) == "");
}

BOOST_AUTO_TEST_CASE_TEMPLATE(the_sum_of_two_sparse_vectors, System, test::systems) {
  using vector = sparse_vector<System>;
  const auto a = every<System>(7, 1), b = every<System>(4, 0.5);
  const std::size_t size = a.places.size() + b.places.size();
  const auto with_room = [&] {
    return vector{test::vector_of<System, int>(size), test::vector_of<System, double>(size)};
  };
  vector merged = with_room(), old_sum = with_room();
  thrust::merge_by_key(
      System::policy(), a.places.begin(), a.places.end(), b.places.begin(), b.places.end(),
      a.values.begin(), b.values.begin(), merged.places.begin(), merged.values.begin());
  const auto ends = thrust::reduce_by_key(
      System::policy(), merged.places.begin(), merged.places.end(), merged.values.begin(),
      old_sum.places.begin(), old_sum.values.begin());

  vector both = with_room(), sum;
  thrust::copy(
      b.places.begin(), b.places.end(),
      thrust::copy(a.places.begin(), a.places.end(), both.places.begin()));
  thrust::copy(
      b.values.begin(), b.values.end(),
      thrust::copy(a.values.begin(), a.values.end(), both.values.begin()));
  thrust_hist::sparse_histogram_by_key(
      System::policy(), both.places.begin(), both.places.end(), both.values.begin(), sum.places,
      sum.values);
  BOOST_TEST(test::difference(test::contents(sum.places), until(old_sum.places, ends.first)) == "");
  BOOST_TEST(
      test::difference(test::contents(sum.values), until(old_sum.values, ends.second)) == "");
}

// How often each word occurs, and where first. Words are found as Thrust's word_count finds them.
BOOST_AUTO_TEST_CASE_TEMPLATE(the_words_of_a_text, System, test::systems) {
  const std::string text = some_text();
  const test::vector_of<System, char> there(text.begin(), text.end());
  const letters in = {thrust::raw_pointer_cast(there.data()), static_cast<unsigned>(there.size())};
  thrust::counting_iterator<unsigned> const place(0);
  test::vector_of<System, unsigned> begins(there.size());
  begins.resize(static_cast<std::size_t>(
      thrust::copy_if(System::policy(), place, place + in.size, begins.begin(), begins_word{in}) -
      begins.begin()));
  BOOST_TEST(begins.size() == 3002U);
  const auto hashes = thrust::make_transform_iterator(begins.begin(), hash_of_word{in});
  const auto hashes_end = hashes + static_cast<std::ptrdiff_t>(begins.size());

  test::vector_of<System, std::uint64_t> sorted(hashes, hashes_end), old_words(begins.size());
  test::vector_of<System, unsigned> moved = begins, old_counts(begins.size()),
                                    old_firsts(begins.size());
  thrust::stable_sort_by_key(System::policy(), sorted.begin(), sorted.end(), moved.begin());
  const auto counted = thrust::reduce_by_key(
      System::policy(), sorted.begin(), sorted.end(), thrust::constant_iterator<unsigned>(1),
      old_words.begin(), old_counts.begin());
  thrust::reduce_by_key(
      System::policy(), sorted.begin(), sorted.end(), moved.begin(), old_words.begin(),
      old_firsts.begin(), thrust::equal_to<std::uint64_t>{}, earlier{});
  old_firsts.resize(static_cast<std::size_t>(counted.first - old_words.begin()));

  test::vector_of<System, std::uint64_t> words;
  test::vector_of<System, unsigned> counts, firsts;
  thrust_hist::sparse_histogram(System::policy(), hashes, hashes_end, words, counts);
  BOOST_TEST(test::difference(test::contents(words), until(old_words, counted.first)) == "");
  BOOST_TEST(test::difference(test::contents(counts), until(old_counts, counted.second)) == "");
  thrust_hist::sparse_histogram_by_key(
      System::policy(), hashes, hashes_end, begins.begin(), words, firsts, earlier{});
  BOOST_TEST(test::difference(test::contents(words), until(old_words, counted.first)) == "");
  BOOST_TEST(test::difference(test::contents(firsts), test::contents(old_firsts)) == "");
}

BOOST_AUTO_TEST_SUITE_END()
