// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Sums that are rounded once on CUDA have the bits of every other system.

#include "../support/neighbours.h"
#include "sparse_exact.h"
#include "sparse_reals.h"

#include <thrust/complex.h>

#include <cstddef>
#include <map>

BOOST_AUTO_TEST_SUITE(sparse_exact, THRUST_HIST_TEST_SMALL_LOCKS)

BOOST_AUTO_TEST_CASE(floats) {
  for (test::hardship h : test::all_hardships)
    test::check_exact_rows<test::main_system, float>(h, 5000);
}

BOOST_AUTO_TEST_CASE(chunks_merge_without_rounding) {
  for (test::hardship h : test::all_hardships)
    test::check_chunks<test::main_system>(h);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(sparse_exact_large, THRUST_HIST_TEST_LARGE)

BOOST_AUTO_TEST_CASE(many_floats) {
  for (test::hardship h : test::all_hardships)
    test::check_exact_rows<test::main_system, float>(h, 300000);
}

BOOST_AUTO_TEST_CASE(many_doubles) {
  for (test::hardship h : test::all_hardships)
    for (std::size_t n : {1000, 100000})
      test::check_exact_rows<test::main_system, double>(h, n);
}

// Part by part, as the sums of one thread.
BOOST_AUTO_TEST_CASE(complex_numbers) {
  using complex = thrust::complex<float>;
  const auto keys = test::keys_twice(70001, 3000);
  const auto real = test::hard_sums<float>(test::hardship::order, keys.size());
  const auto imaginary = test::hard_sums<float>(test::hardship::exponents, keys.size());
  const test::samples<complex> values(
      keys.size(), [&](std::size_t i) { return complex(real[i], imaginary[i]); });
  const auto re = test::expected_for(keys, real), im = test::expected_for(keys, imaginary);
  test::rows<int, complex> expected = {re.keys, {}};
  for (std::size_t row = 0; row < re.keys.size(); ++row)
    expected.values.emplace_back(re.values[row], im.values[row]);
  test::check_sparse<test::main_system>(
      keys, values, expected,
      [](auto first, auto last, auto with, auto to, auto out, thrust_hist::options o) {
        return thrust_hist::sparse_histogram_by_key(
            test::main_system::policy(), first, last, with, to, out, o.exact());
      });
}

// Keys that are no numbers are rows of their own, behind all others; what lies behind the pairs
// that have a number is anything when rows are written for the first time.
BOOST_AUTO_TEST_CASE(sums_of_keys_that_may_be_no_numbers) {
  using System = test::main_system;
  constexpr std::size_t n = (std::size_t{1} << 18) + 77;
  for (test::hardship h : test::all_hardships)
    for (std::size_t numbers : {0, 1, 500, 999, 1000})
      BOOST_TEST_CONTEXT(
          "hardship " << static_cast<int>(h) << ", of 1000 keys " << numbers << " are numbers") {
        const auto values = test::hard_sums<float>(h, n);
        const test::samples<float> keys(n, [=](std::size_t i) {
          return test::mixed(i) % 1000 < numbers
                     ? static_cast<float>(test::mixed(i + 1) % 3001) - 1000
                     : test::from_bits<float>(test::infinity_bits<float>() + 1 + i);
        });
        std::map<float, thrust_hist::exact_sum<float>> sums;
        test::rows<float, float> alone;
        for (std::size_t i = 0; i < n; ++i)
          if (test::anatomy<float>(keys[i]).is_nan()) {
            alone.keys.push_back(keys[i]);
            alone.values.push_back((thrust_hist::exact_sum<float>() += values[i]).value());
          } else
            sums[keys[i]] += values[i];
        test::rows<float, float> expected;
        for (auto const& row : sums) {
          expected.keys.push_back(row.first);
          expected.values.push_back(row.second.value());
        }
        expected.keys.insert(expected.keys.end(), alone.keys.begin(), alone.keys.end());
        expected.values.insert(expected.values.end(), alone.values.begin(), alone.values.end());
        test::check_sparse<System>(
            keys, values, expected,
            [](auto first, auto last, auto with, auto to, auto out, thrust_hist::options o) {
              return thrust_hist::sparse_histogram_by_key(
                  System::policy(), first, last, with, to, out, o.exact());
            });
      }
}

// One limb too few would show: all exponents are there, and one key has them all.
BOOST_AUTO_TEST_CASE(sums_of_one_key_are_exact_too) {
  using System = test::main_system;
  const test::samples<int> keys(1000003, [](std::size_t) { return -7; });
  for (test::hardship h : test::all_hardships) {
    const auto values = test::hard_sums<double>(h, keys.size());
    test::check_sparse<System>(
        keys, values, test::expected_for(keys, values),
        [](auto first, auto last, auto with, auto to, auto out, thrust_hist::options o) {
          return thrust_hist::sparse_histogram_by_key(
              System::policy(), first, last, with, to, out, o.exact());
        });
  }
}

BOOST_AUTO_TEST_SUITE_END()
