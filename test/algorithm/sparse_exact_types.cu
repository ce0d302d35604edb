// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Exact sums by sparse keys on CUDA, of values and into outputs of other types than float and
// double: rounded once from the whole sum, and subnormal numbers count whatever flags say.
// build: fast-math twin

#include "../support/exact_addends.h"
#include "../support/half.cuh"
#include "../support/sparse.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <random>
#include <type_traits>
#include <vector>

namespace sparse_exact_types_setup {

using test::addends;

// A sum of Ts as an A.
template <class A, class T>
A rounded(test::reference_sum<T> const& sum) {
  if constexpr (test::is_float<A>)
    return test::from_bits<A>(sum.template bits<A>());
  else
    return static_cast<A>(test::from_bits<T>(sum.template bits<T>()));
}

// A key for each case, whose addends lie apart. `Sum`: what values are summed as.
template <class Sum, class A, class V>
void check_cases(std::vector<addends<V>> const& cases) {
  const auto key_of = [](std::size_t i) { return static_cast<std::uint32_t>(i * 2654435761U); };
  const std::size_t n = cases.size() * test::addends_of_case;
  const test::samples<std::uint32_t> keys(
      n, [&](std::size_t i) { return key_of(i % cases.size()); });
  const test::samples<V> values(
      n, [&](std::size_t i) { return cases[i % cases.size()][i / cases.size()]; });
  std::map<std::uint32_t, A> sums;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    test::reference_sum<Sum> sum;
    for (V const& x : cases[i])
      sum.add(static_cast<Sum>(x));
    sums[key_of(i)] = rounded<A>(sum);
  }
  test::rows<std::uint32_t, A> expected;
  for (auto const& [key, sum] : sums) {
    expected.keys.push_back(key);
    expected.values.push_back(sum);
  }
  test::check_sparse<test::cuda>(
      keys, values, expected,
      [](auto first, auto last, auto with, auto to, auto out, thrust_hist::options o) {
        return thrust_hist::sparse_histogram_by_key(
            test::cuda::policy(), first, last, with, to, out, o.exact());
      });
}

// Each is made by `make(random numbers)`.
template <class T, class Make>
std::vector<addends<T>> some_cases(std::size_t number, Make make) {
  std::mt19937_64 rng(number);
  std::vector<addends<T>> cases(number);
  for (addends<T>& a : cases)
    for (T& x : a)
      x = make(rng);
  return cases;
}

// Below the smallest normal number, with both signs.
template <class T>
T subnormal(std::mt19937_64& rng) {
  const std::uint64_t bits = rng();
  const std::uint64_t sign = (bits >> 63) << (8 * sizeof(T) - 1);
  return test::from_bits<T>(sign | (bits & ((std::uint64_t{1} << test::anatomy<T>::fraction) - 1)));
}

template <class T>
std::vector<addends<T>> random_cases(std::size_t number) {
  std::mt19937_64 rng(number);
  std::vector<addends<T>> cases;
  while (cases.size() < number)
    cases.push_back(test::random_addends<T>(rng));
  return cases;
}

}  // namespace sparse_exact_types_setup

BOOST_AUTO_TEST_SUITE(sparse_exact_types, THRUST_HIST_TEST_SMALL_LOCKS)
using namespace sparse_exact_types_setup;

// As they stand, and those of 16 bits as floats.
BOOST_AUTO_TEST_CASE(subnormal_floats_are_summed) {
  check_cases<float, float>(some_cases<float>(1001, subnormal<float>));
}
BOOST_AUTO_TEST_CASE(subnormal_numbers_of_16_bits_are_summed) {
  using short_float = __nv_bfloat16;
  check_cases<float, short_float>(some_cases<short_float>(1001, subnormal<short_float>));
  check_cases<float, short_float>(random_cases<short_float>(1001));
}

// Sums in the middle between two halves, and a little beside that.
BOOST_AUTO_TEST_CASE(halves_are_rounded_once) {
  std::mt19937_64 rng(7);
  std::vector<addends<float>> cases;
  test::add_ties<float, __half>(cases, rng, 1);
  check_cases<float, __half>(cases);
}

BOOST_AUTO_TEST_CASE(integers_are_what_the_rounded_sum_is) {
  check_cases<double, std::int64_t>(some_cases<double>(
      3001, [](std::mt19937_64& rng) { return static_cast<double>(rng() >> 20) * 0.37 - 0x1p41; }));
}

BOOST_AUTO_TEST_SUITE_END()
