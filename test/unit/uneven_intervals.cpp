// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The table for splitters that lie close together here and far apart there, against a search.

#include "../support/boost_test.h"
#include <thrust_hist/detail/mixed_codes.h>
#include <thrust_hist/detail/samples.h>
#include <thrust_hist/system/sequential/uneven_intervals.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace uneven_intervals_setup {

using thrust_hist::detail::mix_code;
using thrust_hist::detail::uint128;
using thrust_hist::detail::sequential::uneven_intervals;

// Whether a table was made. Parts are in order, hold what they have to and begin not far below
// their splitter.
template <class Code>
bool check(std::vector<Code> splitters, std::vector<Code> codes) {
  std::sort(splitters.begin(), splitters.end());
  const auto n = static_cast<std::uint32_t>(splitters.size());
  const auto table = std::make_unique<uneven_intervals<Code>>();
  if (!table->divide(splitters.data(), n))
    return false;
  for (Code s : splitters)
    for (int step : {-1, 0, 1})
      codes.push_back(static_cast<Code>(s + static_cast<Code>(step)));
  codes.push_back(Code{});
  codes.push_back(static_cast<Code>(~Code{}));
  std::sort(codes.begin(), codes.end());
  std::uint32_t before = 0;
  for (Code c : codes) {
    const auto at_least = static_cast<std::uint32_t>(
        std::upper_bound(splitters.begin(), splitters.end(), c) - splitters.begin());
    const std::uint32_t part = table->part_of(c);
    BOOST_TEST_REQUIRE(part >= at_least);
    BOOST_TEST_REQUIRE(part <= n);
    BOOST_TEST_REQUIRE(part >= before);
    std::uint32_t ahead = 0;
    for (std::uint32_t i = at_least; i < part; ++i)
      ahead += i == at_least || splitters[i] != splitters[i - 1] ? 1 : 0;
    BOOST_TEST_REQUIRE(ahead <= uneven_intervals<Code>::most_in_a_cell);
    before = part;
  }
  return true;
}

template <class Code, class Make>
bool check_made(Make make) {
  std::vector<Code> sample, splitters, codes;
  for (std::uint64_t i = 0; i < 16 * 512; ++i)
    sample.push_back(make(i));
  std::sort(sample.begin(), sample.end());
  for (std::size_t i = 16; i < sample.size(); i += 16)
    splitters.push_back(sample[i]);
  for (std::uint64_t i = sample.size(); i < 15000; ++i)
    codes.push_back(make(i));
  return check(splitters, codes);
}

template <class Code>
void check_shapes() {
  constexpr unsigned bits = sizeof(Code) * 8;
  const auto any = [](std::uint64_t i) {
    return static_cast<Code>(
        static_cast<uint128>(mix_code(i)) << 64 | static_cast<uint128>(mix_code(~i)));
  };
  BOOST_TEST(check_made<Code>(any));
  BOOST_TEST(check_made<Code>([&](std::uint64_t i) {  // any magnitude
    return static_cast<Code>(any(i) >> mix_code(i + 7) % bits);
  }));
  BOOST_TEST(check_made<Code>([&](std::uint64_t i) {  // two heaps far apart
    const auto near = static_cast<Code>(any(i) >> bits / 2);
    return static_cast<Code>(i % 2 == 0 ? near : ~near);
  }));
  BOOST_TEST(check_made<Code>([&](std::uint64_t i) {  // one of them comes often
    return i % 3 == 0 ? static_cast<Code>(77) : any(i);
  }));
  BOOST_TEST(check_made<Code>([](std::uint64_t) { return static_cast<Code>(5); }));
  BOOST_TEST(check<Code>({3}, {}));
  BOOST_TEST(check<Code>({static_cast<Code>(~Code{})}, {}));
}

}  // namespace uneven_intervals_setup

BOOST_AUTO_TEST_SUITE(uneven_intervals)
using namespace uneven_intervals_setup;

BOOST_AUTO_TEST_CASE(parts_are_in_order_and_begin_a_little_below_their_splitters) {
  check_shapes<std::uint8_t>();
  check_shapes<std::uint16_t>();
  check_shapes<std::uint32_t>();
  check_shapes<std::uint64_t>();
  check_shapes<uint128>();
}

// Codes of doubles: their logarithm, below and above the middle.
BOOST_AUTO_TEST_CASE(codes_of_doubles_of_both_signs_have_a_table) {
  BOOST_TEST(check_made<std::uint64_t>([](std::uint64_t i) {
    std::uint64_t const x = mix_code(i) >> 1;
    unsigned const power = 63U - static_cast<unsigned>(__builtin_clzll(x | 1));
    std::uint64_t const bits = (1023 + std::uint64_t{power}) << 52 | (x << (63 - power) << 1) >> 12;
    std::uint64_t const sign = std::uint64_t{1} << 63;
    return i % 2 == 0 ? bits | sign : sign - 1 - bits;
  }));
}

// A search is left for them.
BOOST_AUTO_TEST_CASE(heaps_in_heaps_have_none) {
  const bool made = check_made<std::uint64_t>([](std::uint64_t i) {
    return (std::uint64_t{1} << 63) + (mix_code(i) % 64 << 50) + mix_code(i + 9) % 64;
  });
  BOOST_TEST(!made);
}

BOOST_AUTO_TEST_SUITE_END()
