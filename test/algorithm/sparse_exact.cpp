// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Sums that are rounded once: the same bits on all systems, on all routes, and of chunks that are merged.

#include "../support/sparse.h"
#include <thrust_hist/sparse_histogram.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

BOOST_AUTO_TEST_SUITE(sparse_exact, THRUST_HIST_TEST_LARGE)

namespace {

using thrust_hist::exact_sum;
using thrust_hist::options;
using thrust_hist::sparse_histogram_by_key;

// Sums that differ with the order of additions.
double value_at(std::size_t i) {
  const double sign = i % 3 == 0 ? -1 : 1;
  return sign * static_cast<double>(i * 7919 % 1000003) *
         (i % 5 == 0   ? 1e-12
          : i % 7 == 0 ? 1e13
                       : 0.1);
}

template <class Value>
test::rows<int, Value> expected_for(
    test::samples<int> const& keys, test::samples<Value> const& values) {
  std::map<int, exact_sum<Value>> sums;
  for (std::size_t i = 0; i < keys.size(); ++i)
    sums[keys[i]] += values[i];
  test::rows<int, Value> expected;
  for (auto const& row : sums) {
    expected.keys.push_back(row.first);
    expected.values.push_back(row.second.value());
  }
  return expected;
}

// Few distinct keys, some thousands, and as many as there are inputs: states are larger than inputs.
template <class System, class Value>
void check_exact() {
  for (std::size_t n : {1000, 70000})
    for (std::size_t distinct : {10, 3000, 200000}) {
      const test::samples<int> keys(
          n, [&](std::size_t i) { return static_cast<int>(i * 7919 % distinct) - 5; });
      const test::samples<Value> values(n, value_at);
      test::check_sparse<System>(
          keys, values, expected_for(keys, values),
          [&](auto first, auto last, auto with, auto to, auto out, options o) {
            return sparse_histogram_by_key(System::policy(), first, last, with, to, out, o.exact());
          });
    }
}

}  // namespace

BOOST_AUTO_TEST_CASE_TEMPLATE(floats, System, test::systems) {
  check_exact<System, float>();
}

BOOST_AUTO_TEST_CASE(doubles) {
  check_exact<test::main_system, double>();
}

BOOST_AUTO_TEST_CASE_TEMPLATE(chunks_merge_without_rounding, System, test::systems) {
  const test::samples<int> keys(10000, [](std::size_t i) { return static_cast<int>(i * i % 700); });
  const test::samples<float> values(keys.size(), value_at);
  std::vector<int> all_keys;
  std::vector<exact_sum<float>> all_sums;
  for (std::size_t begin = 0; begin < keys.size(); begin += 2500) {
    std::vector<int> chunk_keys;
    std::vector<exact_sum<float>> chunk_sums;
    sparse_histogram_by_key(
        System::policy(), keys.begin() + begin, keys.begin() + begin + 2500, values.begin() + begin,
        chunk_keys, chunk_sums);
    all_keys.insert(all_keys.end(), chunk_keys.begin(), chunk_keys.end());
    all_sums.insert(all_sums.end(), chunk_sums.begin(), chunk_sums.end());
  }
  std::vector<int> merged_keys;
  std::vector<exact_sum<float>> merged;
  sparse_histogram_by_key(
      System::policy(), all_keys.begin(), all_keys.end(), all_sums.begin(), merged_keys, merged);
  const auto expected = expected_for(keys, values);
  BOOST_TEST((merged_keys == expected.keys));
  BOOST_REQUIRE(merged.size() == expected.values.size());
  for (std::size_t i = 0; i < merged.size(); ++i)
    BOOST_TEST(test::same_bits(merged[i].value(), expected.values[i]), "key " << merged_keys[i]);
}

BOOST_AUTO_TEST_SUITE_END()
