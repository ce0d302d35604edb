// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Several values of each key in one pass: zipped, and added part by part.

#include "../support/containers.h"
#include "../support/sparse.h"
#include <thrust_hist/operators.h>
#include <thrust_hist/sparse_histogram.h>

#include <thrust/iterator/zip_iterator.h>
#include <thrust/tuple.h>

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <vector>

namespace sparse_each_setup {

using thrust_hist::options;
using thrust_hist::plus_each;
using thrust_hist::sparse_histogram_by_key;

// Two columns of values by the keys, what they are added to, and whether each part was: a tuple may
// have padding.
template <class System>
class columns {
public:
  template <class T>
  using vector = test::vector_of<System, T>;
  using both = thrust::tuple<std::uint64_t, double>;  // wider than what is added

  columns(std::size_t n, std::size_t distinct)
      : keys_(
            n, [=](std::size_t i) { return static_cast<int>(i * 7919 % distinct * 0x9e3779b9U); }),
        ones_(n, [](std::size_t i) { return i; }),
        others_(n, [](std::size_t i) { return static_cast<float>(i % 512) / 4 - 50; }),
        in_(keys_.begin(), keys_.end()), left_(ones_.begin(), ones_.end()),
        right_(others_.begin(), others_.end()),
        left_sums_(
            test::reduce_sorted<std::uint64_t>(keys_, ones_, test::by_less{}, test::by_plus{})),
        right_sums_(test::reduce_sorted<double>(keys_, others_, test::by_less{}, test::by_plus{})) {
  }

  std::size_t size() const { return keys_.size(); }
  vector<int> const& keys() const { return in_; }
  auto values() const {
    return thrust::make_zip_iterator(thrust::make_tuple(left_.begin(), right_.begin()));
  }
  void check(
      std::vector<int> const& keys, std::vector<std::uint64_t> const& left,
      std::vector<double> const& right) const {
    BOOST_TEST(test::difference(keys, left_sums_.keys) == "");
    BOOST_TEST(test::difference(left, left_sums_.values) == "");
    BOOST_TEST(test::difference(right, right_sums_.values) == "");
  }

private:
  test::samples<int> keys_;
  test::samples<std::uint8_t> ones_;
  test::samples<float> others_;
  vector<int> in_;
  vector<std::uint8_t> left_;
  vector<float> right_;
  test::rows<int, std::uint64_t> left_sums_;
  test::rows<int, double> right_sums_;
};

template <class System, class Call>
void by_every_route(Call const& call) {
  for (thrust_hist::route forced : test::all_sparse_routes)
    BOOST_TEST_CONTEXT("route " << forced) {
      try {
        call(options{}.force(forced));
      } catch (std::invalid_argument const& refusal) {
        BOOST_TEST(test::sparse_may_be_refused<System>(forced), refusal.what());
      }
    }
}

}  // namespace sparse_each_setup

BOOST_AUTO_TEST_SUITE(sparse_each, THRUST_HIST_TEST_SMALL_LOCKS)
using namespace sparse_each_setup;

BOOST_AUTO_TEST_CASE_TEMPLATE(
    zipped_values_are_added_in_containers_of_tuples, System, test::systems) {
  for (std::size_t distinct : {1, 300, 70001}) {
    const columns<System> c(70001, distinct);
    by_every_route<System>([&](options const& o) {
      test::vector_of<System, int> keys;
      test::vector_of<System, typename columns<System>::both> sums;
      sparse_histogram_by_key(
          System::policy(), c.keys().begin(), c.keys().end(), c.values(), keys, sums, plus_each{},
          o);
      std::vector<std::uint64_t> left;
      std::vector<double> right;
      for (auto const& sum : test::contents(sums)) {
        left.push_back(thrust::get<0>(sum));
        right.push_back(thrust::get<1>(sum));
      }
      c.check(test::contents(keys), left, right);
    });
  }
}

// An array of its own for each column.
BOOST_AUTO_TEST_CASE_TEMPLATE(zipped_values_are_added_in_zipped_outputs, System, test::systems) {
  for (std::size_t n : {1, 3001}) {
    const columns<System> c(n, 300);
    by_every_route<System>([&](options const& o) {
      test::vector_of<System, int> keys(n);
      test::vector_of<System, std::uint64_t> left(n);
      test::vector_of<System, double> right(n);
      const auto out = thrust::make_zip_iterator(thrust::make_tuple(left.begin(), right.begin()));
      const auto ends = sparse_histogram_by_key(
          System::policy(), c.keys().begin(), c.keys().end(), c.values(), keys.begin(), out,
          plus_each{}, o);
      const auto rows = static_cast<std::size_t>(ends.first - keys.begin());
      BOOST_TEST((ends.second - out == ends.first - keys.begin()));
      keys.resize(rows);
      left.resize(rows);
      right.resize(rows);
      c.check(test::contents(keys), test::contents(left), test::contents(right));
    });
  }
}

BOOST_AUTO_TEST_SUITE_END()
