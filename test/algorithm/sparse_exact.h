// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// What is asked of sums that are rounded once, on any system.

#include "../support/containers.h"
#include "../support/exact.h"
#include "../support/sparse.h"
#include <thrust_hist/sparse_histogram.h>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <vector>

namespace test {

// Sums that differ with the order of additions.
inline double unruly_value(std::size_t i) {
  const double sign = i % 3 == 0 ? -1 : 1;
  return sign * static_cast<double>(i * 7919 % 1000003) *
         (i % 5 == 0   ? 1e-12
          : i % 7 == 0 ? 1e13
                       : 0.1);
}

// Any bits but those of infinities and NaN.
template <class T>
T finite_value(std::size_t i) {
  for (std::uint64_t x = i;; ++x) {
    const T value = from_bits<T>((x + 1) * 0x9e3779b97f4a7c15U >> (64 - 8 * sizeof(T)));
    if (!anatomy<T>(value).is_special())
      return value;
  }
}

// Values that hurt in one way each.
enum class hardship { order, exponents, cancelling, specials };
inline constexpr hardship all_hardships[] = {
    hardship::order, hardship::exponents, hardship::cancelling, hardship::specials};

template <class T>
samples<T> hard_sums(hardship h, std::size_t n) {
  using limits = std::numeric_limits<T>;
  return samples<T>(n, [&](std::size_t i) {
    switch (h) {
    case hardship::exponents:
      return finite_value<T>(i);
    case hardship::cancelling:  // every value comes back with the other sign, to the same key
      return i < n / 2 ? finite_value<T>(i) : i < n / 2 * 2 ? -finite_value<T>(i - n / 2) : T(0);
    case hardship::specials:
      return i % 997 == 0   ? limits::quiet_NaN()
             : i % 499 == 1 ? limits::infinity()
             : i % 499 == 2 ? -limits::infinity()
             : i % 3 == 0   ? (limits::max)()
                            : static_cast<T>(unruly_value(i));
    default:
      return static_cast<T>(unruly_value(i));
    }
  });
}

// Half the list and the other half are the same keys.
inline samples<int> keys_twice(std::size_t n, std::size_t distinct) {
  return samples<int>(
      n, [&](std::size_t i) { return static_cast<int>(i % (n / 2) * 7919 % distinct) - 5; });
}

template <class Value>
rows<int, Value> expected_for(samples<int> const& keys, samples<Value> const& values) {
  std::map<int, thrust_hist::exact_sum<Value>> sums;
  for (std::size_t i = 0; i < keys.size(); ++i)
    sums[keys[i]] += values[i];
  rows<int, Value> expected;
  for (auto const& row : sums) {
    expected.keys.push_back(row.first);
    expected.values.push_back(row.second.value());
  }
  return expected;
}

// Few distinct keys, some thousands, and as many as there are inputs: states are larger than
// inputs.
template <class System, class Value>
void check_exact_rows(hardship h, std::size_t n) {
  const auto values = hard_sums<Value>(h, n);
  for (std::size_t distinct : {10, 3000, 200000})
    BOOST_TEST_CONTEXT("hardship " << static_cast<int>(h) << ", " << distinct << " distinct keys") {
      const auto keys = keys_twice(n, distinct);
      check_sparse<System>(
          keys, values, expected_for(keys, values),
          [&](auto first, auto last, auto with, auto to, auto out, thrust_hist::options o) {
            return thrust_hist::sparse_histogram_by_key(
                System::policy(), first, last, with, to, out, o.exact());
          });
    }
}

// Limbs of chunks, one behind the other, are values like any others.
template <class System>
void check_chunks(hardship h) {
  using sum = thrust_hist::exact_sum<float>;
  const samples<int> keys(10000, [](std::size_t i) { return static_cast<int>(i * i % 700); });
  const auto values = hard_sums<float>(h, keys.size());
  const vector_of<System, int> keys_there(keys.begin(), keys.end());
  const vector_of<System, float> values_there(values.begin(), values.end());
  std::vector<int> all_keys;
  std::vector<sum> all_sums;
  for (int begin = 0; begin < 10000; begin += 2500) {
    vector_of<System, int> some_keys;
    vector_of<System, sum> some_sums;
    thrust_hist::sparse_histogram_by_key(
        System::policy(), keys_there.begin() + begin, keys_there.begin() + begin + 2500,
        values_there.begin() + begin, some_keys, some_sums);
    for (int key : contents(some_keys))
      all_keys.push_back(key);
    for (sum const& s : contents(some_sums))
      all_sums.push_back(s);
  }
  const vector_of<System, int> keys_of_chunks(all_keys.begin(), all_keys.end());
  const vector_of<System, sum> sums_of_chunks(all_sums.begin(), all_sums.end());
  vector_of<System, int> merged_keys;
  vector_of<System, sum> merged;
  thrust_hist::sparse_histogram_by_key(
      System::policy(), keys_of_chunks.begin(), keys_of_chunks.end(), sums_of_chunks.begin(),
      merged_keys, merged);
  std::vector<float> rounded;
  for (sum const& s : contents(merged))
    rounded.push_back(s.value());
  const auto expected = expected_for(keys, values);
  BOOST_TEST(contents(merged_keys) == expected.keys);
  BOOST_TEST(difference(rounded, expected.values) == "");
}

}  // namespace test
