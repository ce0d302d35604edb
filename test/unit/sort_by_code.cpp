// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// build: optimised under sanitizers
// The radix sort of host systems: in order, and equal codes in theirs.

#include "../support/boost_test.h"
#include "../support/distributions.h"
#include <thrust_hist/detail/sparse_keys.h>
#include <thrust_hist/system/sequential/sort_by_code.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

BOOST_AUTO_TEST_SUITE(sort_by_code)

namespace {

using thrust_hist::detail::mix_code;
using thrust_hist::detail::uint128;

template <class Code>
struct numbered {
  Code code;
  std::uint32_t number;
};

template <class Code, class Make>
void check(std::size_t n, Make make) {
  std::vector<numbered<Code>> some(n), room(n + 1, {77, 77});
  for (std::size_t i = 0; i < n; ++i)
    some[i] = {static_cast<Code>(make(i)), static_cast<std::uint32_t>(i)};
  auto expected = some;
  std::stable_sort(expected.begin(), expected.end(), [](auto const& a, auto const& b) {
    return a.code < b.code;
  });
  thrust_hist::detail::sequential::sort_by_code(some.data(), room.data(), n);
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < n; ++i)
    wrong += some[i].code != expected[i].code || some[i].number != expected[i].number;
  BOOST_TEST(wrong == 0U);
  BOOST_TEST(room[n].number == 77U);
}

// Codes of every width that differ in these bits of theirs.
template <class Make>
void check_widths(std::size_t n, Make make) {
  check<std::uint8_t>(n, make);
  check<std::uint16_t>(n, make);
  check<std::uint32_t>(n, make);
  check<std::uint64_t>(n, make);
  check<uint128>(n, [&](std::size_t i) { return uint128{make(i)} << 64 | make(i + n); });
  check<uint128>(n, [&](std::size_t i) { return uint128{make(i) % 3} << 90 | make(i); });
}

constexpr std::size_t sizes[] = {0,   1,   2,    31,   32,   33,   34,    63,    64,
                                 127, 255, 1023, 1024, 1025, 5000, 65535, 65537, 200003};

}  // namespace

BOOST_AUTO_TEST_CASE(codes_that_lie_evenly) {
  for (std::size_t n : sizes)
    BOOST_TEST_CONTEXT(n << " codes")
  check_widths(n, [](std::size_t i) { return mix_code(i); });
}

BOOST_AUTO_TEST_CASE(codes_in_order_and_backwards) {
  for (std::size_t n : sizes) {
    check_widths(n, [](std::size_t i) { return std::uint64_t{i}; });
    check_widths(n, [](std::size_t i) { return ~std::uint64_t{i}; });
    check_widths(n, [](std::size_t i) { return std::uint64_t{i} * 0x100000001U; });
  }
}

BOOST_AUTO_TEST_CASE(few_distinct_codes) {
  for (std::size_t n : sizes)
    for (std::uint64_t distinct : {1, 2, 3, 40, 700})
      check_widths(n, [&](std::size_t i) { return mix_code(mix_code(i) % distinct); });
}

// Leading bits that tell nothing, or next to nothing, apart: what is left is mended.
BOOST_AUTO_TEST_CASE(codes_that_differ_in_some_bits_only) {
  for (std::size_t n : {100, 1000, 30000})
    for (std::uint64_t bits :
         {std::uint64_t{0xf00000000000ffff}, std::uint64_t{0xff}, std::uint64_t{1} << 63,
          std::uint64_t{0x8080808080808080}, std::uint64_t{0xffff0000},
          std::uint64_t{0x10000ffffff}, std::uint64_t{0x5555555555555555}})
      BOOST_TEST_CONTEXT(n << " codes that differ in " << std::hex << bits) {
        check_widths(n, [&](std::size_t i) { return mix_code(i) & bits; });
        // One code lies far away from all others.
        check_widths(n, [&](std::size_t i) {
          return i == n / 2 ? ~std::uint64_t{0} : (mix_code(i) & bits) >> 20;
        });
      }
}

BOOST_AUTO_TEST_CASE(codes_in_clusters) {
  for (std::size_t n : {1000, 30000})
    for (std::uint64_t of_a_cluster : {2, 31, 33, 40, 400, 3000})
      BOOST_TEST_CONTEXT("clusters of " << of_a_cluster) {
        const auto cluster_of = [&](std::size_t i) {
          return mix_code(mix_code(i) % (n / of_a_cluster + 1));
        };
        check_widths(
            n, [&](std::size_t i) { return cluster_of(i) << 32 | (mix_code(i + n) & 0xffffffff); });
        check_widths(n, [&](std::size_t i) {
          return (cluster_of(i) >> 40 << 40) | (mix_code(i + n) & 0xfff);
        });
      }
}

BOOST_AUTO_TEST_CASE(real_numbers_that_are_integers) {
  for (std::size_t n : {100, 5000, 70000})
    check<std::uint64_t>(n, [](std::size_t i) {
      const auto x = static_cast<double>(mix_code(i) % (1 << 20));
      return thrust_hist::detail::number_code<double>::encode(x);
    });
}

BOOST_AUTO_TEST_CASE(keys_of_all_distributions) {
  for (test::distribution d : test::all_distributions)
    BOOST_TEST_CONTEXT(test::name_of(d)) {
      const test::keys list = test::generate(d, 70001, 30000);
      check<std::uint32_t>(list.size(), [&](std::size_t i) { return list[i]; });
      check<std::uint64_t>(
          list.size(), [&](std::size_t i) { return list[i] * 0x9e3779b97f4a7c15U; });
    }
}

BOOST_AUTO_TEST_SUITE_END()
