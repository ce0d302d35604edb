// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// build: optimised under sanitizers
// Keys that lie close together here and far apart there, and keys of which hash tables hold just
// all, on host systems.

#include "sparse_sizes.h"

#include <cstddef>
#include <cstdint>

BOOST_AUTO_TEST_SUITE(sparse_uneven, THRUST_HIST_TEST_SMALL)

namespace {

constexpr std::uint64_t golden = 0x9e3779b97f4a7c15U;

}  // namespace

BOOST_AUTO_TEST_CASE_TEMPLATE(numbers_of_any_magnitude, System, test::systems) {
  for (std::size_t n : {70001, 300007}) {
    test::check_made<System, std::uint64_t>(n, [](std::size_t i) { return i * golden >> i % 61; });
    test::check_made<System, std::int64_t>(
        n, [](std::size_t i) { return static_cast<std::int64_t>(i * golden) >> i % 61; });
    test::check_made<System, std::uint32_t>(
        n, [](std::size_t i) { return static_cast<std::uint32_t>(i * golden >> 32) >> i % 29; });
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(real_numbers_of_both_signs, System, test::systems) {
  for (std::size_t n : {70001, 300007}) {
    test::check_made<System, double>(n, [](std::size_t i) {
      return static_cast<double>(static_cast<std::int64_t>(i % 50021 * golden));
    });
    test::check_made<System, float>(n, [](std::size_t i) {
      return static_cast<float>(static_cast<std::int64_t>(i % 50021 * golden));
    });
  }
}

// Halves of the keys are heaps in heaps: there is no table for them.
BOOST_AUTO_TEST_CASE_TEMPLATE(heaps_in_heaps, System, test::systems) {
  test::check_made<System, std::uint64_t>(300007, [](std::size_t i) {
    return (std::uint64_t{1} << 63) + (i * golden >> 58 << 50) + i * 7919 % 97;
  });
}

// In any order, and in long runs.
BOOST_AUTO_TEST_CASE_TEMPLATE(as_many_keys_as_a_near_table_holds, System, test::systems) {
  for (std::size_t distinct : {4000, 4096, 4097, 9000}) {
    test::check_made<System, std::uint64_t>(
        300007, [=](std::size_t i) { return i * 7919 % distinct * golden; });
    test::check_made<System, double>(300007, [=](std::size_t i) {
      return static_cast<double>(static_cast<std::int64_t>(i * distinct / 300007 * golden));
    });
  }
}

BOOST_AUTO_TEST_SUITE_END()
