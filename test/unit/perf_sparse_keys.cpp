// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// build: optimised under sanitizers
// The inputs of the benchmarks of sparse histograms, tested: figures for so many distinct keys say
// something only if so many are distinct.

#include "../../perf/sparse_keys.h"
#include "../support/boost_test.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <set>
#include <string>
#include <vector>

BOOST_AUTO_TEST_SUITE(sparse_keys_of_the_benchmarks, *boost::unit_test::label("large"))

namespace {

using perf::key_layout;
using perf::key_order;

constexpr std::uint64_t n = 1 << 18;
constexpr key_layout layouts[] = {
    key_layout::spread, key_layout::dense, key_layout::octaves, key_layout::clustered,
    key_layout::half_narrow};

std::size_t number_of_distinct(std::uint64_t distinct, key_order o) {
  std::vector<bool> found(distinct);
  for (std::uint64_t i = 0; i < n; ++i) {
    std::uint64_t const index = perf::index_at(i, n, distinct, o);
    found.at(index) = true;
  }
  return static_cast<std::size_t>(std::count(found.begin(), found.end(), true));
}

template <class T>
void check_that_keys_differ() {
  for (key_layout l : layouts) {
    std::vector<T> keys(n);
    for (std::uint64_t i = 0; i < n; ++i)
      keys[i] = perf::key_of<T>(i, l);
    std::sort(keys.begin(), keys.end());
    BOOST_TEST((std::adjacent_find(keys.begin(), keys.end()) == keys.end()));
  }
}

/// The bits in which keys differ, of an unsigned integer.
template <class T>
void check_bits_in_use() {
  for (std::uint64_t distinct : {1, 2, 3, 1000, 1024, 1025})
    for (key_layout l : layouts) {
      T different = 0;
      for (std::uint64_t i = 0; i < distinct; ++i)
        different |= perf::key_of<T>(i, l) ^ perf::key_of<T>(0, l);
      int const bits = perf::bits_in_use<T>(distinct, l);
      int const width = 8 * static_cast<int>(sizeof(T));
      BOOST_TEST(bits <= width);
      BOOST_TEST((bits == width || different >> bits == 0));
    }
}

}  // namespace

BOOST_AUTO_TEST_CASE(so_many_keys_are_distinct) {
  for (std::uint64_t distinct : {1, 10, 1000, 20000})
    for (key_order o : perf::all_orders)
      BOOST_TEST_CONTEXT(perf::name_of(o) << ", " << distinct << " distinct") {
        // Few runs and the rare keys of zipf leave some out.
        bool const is_even = o != key_order::runs && o != key_order::zipf;
        std::size_t const found = number_of_distinct(distinct, o);
        BOOST_TEST((!is_even || found > distinct - distinct / 1000 - 1));
      }
}

BOOST_AUTO_TEST_CASE(all_keys_are_distinct) {
  for (std::uint64_t all : {1, 2, 16, 64, 4096, 1 << 18})
    for (key_order o : {key_order::uniform, key_order::sorted, key_order::clustered}) {
      std::set<std::uint64_t> found;
      for (std::uint64_t i = 0; i < all; ++i)
        found.insert(perf::index_at(i, all, all, o));
      BOOST_TEST(found.size() == all);
      BOOST_TEST(*found.rbegin() == all - 1);
    }
}

BOOST_AUTO_TEST_CASE(half_of_the_keys_are_few) {
  for (std::uint64_t all : {std::uint64_t{4}, std::uint64_t{1024}, std::uint64_t{1} << 22}) {
    std::vector<std::uint32_t> seen(perf::distinct_of_half_few(all));
    for (std::uint64_t i = 0; i < all; ++i)
      ++seen.at(perf::index_at(i, all, seen.size(), key_order::half_few));
    auto const others = seen.begin() + static_cast<std::ptrdiff_t>(perf::few_of(all));
    BOOST_TEST(std::count(others, seen.end(), 1U) == static_cast<std::ptrdiff_t>(all / 2));
    BOOST_TEST(*std::max_element(seen.begin(), others) < 40U);
  }
}

BOOST_AUTO_TEST_CASE(half_of_a_layout_is_narrow) {
  std::vector<std::uint32_t> keys(n);
  for (std::uint64_t i = 0; i < n; ++i)
    keys[i] = perf::key_of<std::uint32_t>(i, key_layout::half_narrow);
  std::sort(keys.begin(), keys.end());
  BOOST_TEST(keys[n / 2 - 1] - keys[0] == n / 2 - 1);
  for (std::uint64_t quarter : {n / 2, n * 3 / 4, n - 1})
    BOOST_TEST(std::abs(keys[quarter] * 0x1p-32 - static_cast<double>(quarter) / n) < 0.01);
}

BOOST_AUTO_TEST_CASE(clustered_keys_are_close_together) {
  for (std::uint64_t distinct : {std::uint64_t{20000}, n})
    for (std::uint64_t i = 0; i + 1 < n / 2; ++i) {
      std::uint64_t const a = perf::index_at(i, n, distinct, key_order::clustered);
      std::uint64_t const b = perf::index_at(i + 1, n, distinct, key_order::clustered);
      BOOST_REQUIRE((a < b ? b - a : a - b) < 128);
    }
}

BOOST_AUTO_TEST_CASE(different_indices_have_different_keys) {
  check_that_keys_differ<std::uint32_t>();
  check_that_keys_differ<std::uint64_t>();
  check_that_keys_differ<perf::uint128>();
  check_that_keys_differ<float>();
}

BOOST_AUTO_TEST_CASE(floats_are_finite_and_none_is_negative_zero) {
  for (key_layout l : layouts)
    for (std::uint64_t i = 0; i < n; ++i) {
      float const key = perf::key_of<float>(i, l);
      BOOST_REQUIRE(std::isfinite(key));
      BOOST_REQUIRE(!(key == 0 && std::signbit(key)));
    }
}

BOOST_AUTO_TEST_CASE(keys_differ_only_in_the_bits_in_use) {
  check_bits_in_use<std::uint32_t>();
  check_bits_in_use<std::uint64_t>();
  check_bits_in_use<perf::uint128>();
}

BOOST_AUTO_TEST_CASE(names_are_different) {
  std::set<std::string> names;
  for (key_order o : perf::all_orders)
    names.insert(perf::name_of(o));
  names.insert(perf::name_of(key_order::half_few));
  BOOST_TEST(names.size() == std::size(perf::all_orders) + 1);
  for (key_layout l : layouts)
    names.insert(perf::name_of(l));
  BOOST_TEST(names.size() == std::size(perf::all_orders) + 1 + std::size(layouts));
}

BOOST_AUTO_TEST_SUITE_END()
