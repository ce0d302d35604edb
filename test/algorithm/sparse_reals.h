// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// What is asked of real numbers as keys, on any system. They are told apart by their bits: no
// comparison of reals, which flags may spoil.

#include "../support/exact_reference.h"
#include "../support/sparse.h"
#include <thrust_hist/sparse_histogram.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <vector>

namespace test {

template <class Real>
using bits_type = typename float_format<Real>::bits;
template <class Real>
constexpr bits_type<Real> sign_bit() {
  return static_cast<bits_type<Real>>(bits_type<Real>{1} << (sizeof(Real) * 8 - 1));
}

// The places of keys in the order of their rows: numbers by value, then NaN by place.
template <class Real>
std::vector<std::size_t> order_of_reals(samples<Real> const& keys) {
  const auto rank = [&](std::size_t i) {
    const auto b = static_cast<std::uint64_t>(bits_of(keys[i]));
    const std::uint64_t size = b & ~std::uint64_t{sign_bit<Real>()};
    const auto signed_size = static_cast<std::int64_t>(size);
    return size > infinity_bits<Real>() ? (std::numeric_limits<std::int64_t>::max)()
           : b == size                  ? signed_size
                                        : -signed_size;
  };
  std::vector<std::size_t> order(keys.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(
      order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return rank(a) < rank(b); });
  return order;
}

// The rows that keys have with values that are added.
template <class A, class Real, class Values>
rows<Real, A> reduce_reals(samples<Real> const& keys, Values const& values) {
  rows<Real, A> expected;
  const auto positive_zero = [](Real x) {
    return bits_of(x) == sign_bit<Real>() ? from_bits<Real>(0) : x;
  };
  for (std::size_t place : order_of_reals(keys)) {
    const Real key = positive_zero(keys[place]);
    const auto value = static_cast<A>(values[place]);
    if (!expected.keys.empty() && same_bits(key, expected.keys.back()) &&
        !anatomy<Real>(key).is_nan())
      expected.values.back() = static_cast<A>(expected.values.back() + value);
    else {
      expected.keys.push_back(key);
      expected.values.push_back(value);
    }
  }
  return expected;
}

template <class Real>
rows<Real, std::uint64_t> count_reals(samples<Real> const& keys) {
  return reduce_reals<std::uint64_t>(keys, std::vector<int>(keys.size(), 1));
}

// Zeros, the least and the greatest numbers, infinities and several NaN, with either sign.
template <class Real>
std::vector<Real> special_reals() {
  std::vector<Real> special;
  const std::uint64_t infinity = infinity_bits<Real>();
  const std::uint64_t normal = std::uint64_t{1} << anatomy<Real>::fraction;
  const std::uint64_t all_ones = std::uint64_t{sign_bit<Real>()} - 1;
  for (std::uint64_t b :
       {std::uint64_t{0}, std::uint64_t{1}, normal - 1, normal, infinity - 1, infinity,
        infinity + 1, infinity + 77, infinity + normal / 2, all_ones}) {
    special.push_back(from_bits<Real>(b));
    special.push_back(from_bits<Real>(b | sign_bit<Real>()));
  }
  return special;
}
template <class Real>
samples<Real> any_reals(std::size_t n) {
  return keys_with(special_reals<Real>(), n, [](std::size_t i) {
    return from_bits<Real>(i * i * 0x9e3779b97f4a7c15U);
  });
}

// No NaN among them; several of each.
template <class Real>
samples<Real> any_numbers(std::size_t n) {
  std::vector<Real> special;
  for (Real x : special_reals<Real>())
    if (!anatomy<Real>(x).is_nan())
      special.push_back(x);
  for (std::uint64_t b : {2, 3})  // subnormal ones that differ by the last bit
    special.push_back(from_bits<Real>(b));
  return samples<Real>(n, [&](std::size_t i) {
    const auto finite = static_cast<Real>(static_cast<double>(i * i % 1000003) - 500000);
    return i % 3 == 0 ? special[i / 3 % special.size()] : finite;
  });
}

template <class System, class Real>
void check_reals() {
  for (std::size_t n : sparse_sizes) {
    const auto keys = any_numbers<Real>(n);
    check_sparse_counts<System>(keys, count_reals(keys));
  }
  for (std::size_t n : sparse_sizes) {
    const auto keys = any_reals<Real>(n);
    check_sparse_counts<System>(keys, count_reals(keys));
  }
  for (Real alone : special_reals<Real>()) {
    const samples<Real> keys(40, [&](std::size_t) { return alone; });
    check_sparse_counts<System>(keys, count_reals(keys));
  }
  // A run over several tiles, and its signs change within and between them.
  const samples<Real> zeros(
      20000, [](std::size_t i) { return from_bits<Real>(i % 3 == 0 ? sign_bit<Real>() : 0); });
  check_sparse_counts<System>(zeros, count_reals(zeros));
  // More rows that equal nothing than a table may have places for.
  const samples<Real> all_nan(
      70001, [](std::size_t i) { return from_bits<Real>(infinity_bits<Real>() + 1 + i % 100); });
  check_sparse_counts<System>(all_nan, count_reals(all_nan));
}

// The value of a NaN stands in its row.
template <class System, class Real>
void check_values_of_reals() {
  for (auto const& keys : {any_reals<Real>(5), any_reals<Real>(70000), any_numbers<Real>(70000)}) {
    const samples<int> values(keys.size(), [](std::size_t i) { return i; });
    check_sparse<System>(
        keys, values, reduce_reals<std::int64_t>(keys, values),
        [](auto first, auto last, auto with, auto to, auto out, auto const& o) {
          return thrust_hist::sparse_histogram_by_key(
              System::policy(), first, last, with, to, out, o);
        });
  }
}

}  // namespace test
