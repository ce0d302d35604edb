// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Values that are no integers, of keys that nobody knows.

#include "../support/folds.h"
#include "../support/sparse.h"
#include <thrust_hist/histogram_by_key.h>
#include <thrust_hist/sparse_histogram.h>

#include <thrust/complex.h>
#include <thrust/functional.h>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

BOOST_AUTO_TEST_SUITE(sparse_structs, THRUST_HIST_TEST_SMALL)

namespace {

using test::check_values;
using test::values_for;
using thrust_hist::sparse_histogram_by_key;

const test::samples<int> few_keys(3001, [](std::size_t i) {
  return static_cast<int>(i * i % 300) - 150;
});

}  // namespace

BOOST_AUTO_TEST_CASE(structs_of_3_and_of_40_bytes) {
  using System = test::main_system;
  using small_one = test::blob<3>;
  using large_one = test::blob<40, 8>;
  check_values<System, small_one>(
      few_keys, values_for<small_one>(few_keys, test::make_blob<small_one>), test::add_bytes{},
      test::add_bytes{});
  check_values<System, large_one>(
      few_keys, values_for<large_one>(few_keys, test::make_blob<large_one>), test::add_bytes{},
      test::add_bytes{});
}

BOOST_AUTO_TEST_CASE(complex_numbers_are_added) {
  using complex = thrust::complex<float>;
  const auto values = values_for<complex>(few_keys, [](std::size_t i) {
    return complex(static_cast<float>(i % 64), -1 - static_cast<float>(i % 5));
  });
  check_values<test::main_system, complex>(
      few_keys, values, thrust::plus<complex>{}, test::by_plus{});
}

// The same operators as in histogram_by_key: in the same type, NaN left out, one zero.
BOOST_AUTO_TEST_CASE(known_operators_agree_with_histogram_by_key) {
  const test::samples<std::uint8_t> keys(5000, [](std::size_t i) { return i * i % 251; });
  const auto nan = std::numeric_limits<float>::quiet_NaN();
  const test::samples<float> values(keys.size(), [&](std::size_t i) {
    return i % 7 == 0 ? nan : i % 5 == 0 ? -0.F : static_cast<float>(i % 41) - 20;
  });
  const auto check = [&](auto op, auto type) {
    using A = decltype(type);
    std::vector<A> dense(256), sparse(keys.size());
    std::vector<std::uint8_t> found(keys.size());
    thrust_hist::histogram_by_key(
        thrust::seq, keys.begin(), keys.end(), values.begin(), dense.begin(), 256, op);
    const auto ends = sparse_histogram_by_key(
        thrust::seq, keys.begin(), keys.end(), values.begin(), found.begin(), sparse.begin(), op);
    const auto rows = static_cast<std::size_t>(ends.second - sparse.begin());
    BOOST_TEST(rows > 100U);
    for (std::size_t i = 0; i < rows; ++i)
      BOOST_TEST(test::same_bits(sparse[i], dense[found[i]]), "key " << +found[i]);
  };
  check(thrust_hist::detail::minimum_of<float>{}, float{});
  check(thrust_hist::detail::maximum_of<float>{}, double{});
}

BOOST_AUTO_TEST_SUITE_END()
