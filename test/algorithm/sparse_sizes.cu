// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// How many keys, of how many kinds, in which order, on CUDA; and keys that collide.

#include "../support/exact.h"
#include "sparse_sizes.h"

#include <algorithm>
#include <cstdint>
#include <vector>

BOOST_AUTO_TEST_SUITE(sparse_sizes, THRUST_HIST_TEST_SMALL_LOCKS)

BOOST_AUTO_TEST_CASE(any_number_of_keys) {
  for (std::size_t n : {0, 1, 2, 3, 31, 32, 33, 255, 256, 257, 1000, 1023, 1024, 1025})
    for (std::uint64_t distinct : {std::uint64_t{1}, std::uint64_t{9}, std::uint64_t{1} << 40})
      BOOST_TEST_CONTEXT(distinct << " distinct keys at most")
  test::check_spread<test::main_system>(test::generate(test::distribution::uniform, n, distinct));
}

BOOST_AUTO_TEST_CASE(any_distribution) {
  for (test::distribution d : test::all_distributions)
    BOOST_TEST_CONTEXT(test::name_of(d))
  test::check_spread<test::main_system>(test::generate(d, 100003, 5000));
}

// Sorted keys are looked at in tiles of 4096, of which warps have stretches of 512.
BOOST_AUTO_TEST_CASE(runs_begin_and_end_anywhere) {
  for (std::size_t before : {1, 31, 511, 512, 4094, 4095, 4096, 4097})
    for (std::size_t length : {1, 2, 511, 4095, 4096, 4097, 12288})
      BOOST_TEST_CONTEXT("runs of " << before << ", " << length << " and some more") {
        test::check_runs<test::main_system>({before, length});
        test::check_runs<test::main_system>({before, length, 1, 1, 3, 4096});
      }
}

// Keys of other sizes are kept where runs begin, or read again.
BOOST_AUTO_TEST_CASE(runs_of_other_keys_begin_and_end_anywhere) {
  const auto check = [](std::vector<std::size_t> const& lengths) {
    test::check_counted_runs<test::main_system, std::uint64_t>(lengths);
    test::check_counted_runs<test::main_system, float>(lengths);
    test::check_counted_runs<test::main_system, double>(lengths);
    test::check_counted_runs<test::main_system, test::uint128>(lengths);
  };
  for (std::size_t before : {31, 511, 512, 4095, 4096})
    for (std::size_t length : {1, 511, 4096, 4097})
      BOOST_TEST_CONTEXT("runs of " << before << ", " << length << " and some more")
  check({before, length, 1, 1, 3, 4096});
}

// A pointer that is aligned to its element only.
BOOST_AUTO_TEST_CASE(the_first_key_may_lie_anywhere) {
  using System = test::main_system;
  const test::samples<std::uint32_t> keys(2053, [](std::size_t i) { return i * i % 1009 << 20; });
  auto there = test::buffer_of<System>(keys);
  std::uint32_t const* const begin = there.data();
  for (std::size_t skipped = 0; skipped < 5; ++skipped)
    for (std::size_t left_out : {0, 1, 2, 3}) {
      const std::size_t n = keys.size() - skipped - left_out;
      const test::samples<std::uint32_t> those(n, [&](std::size_t i) { return keys[i + skipped]; });
      test::sparse_output<System, std::uint32_t, unsigned> out(n);
      std::uint32_t const* const first = begin + skipped;
      thrust_hist::sparse_histogram(System::policy(), first, first + n, out.keys(), out.values());
      out.check_equals(test::count_sorted<unsigned>(those));
    }
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(sparse_sizes_large, THRUST_HIST_TEST_LARGE)

BOOST_AUTO_TEST_CASE(many_numbers_of_keys) {
  for (std::size_t n : {4095, 4097, 65535, 65536, 65537, 100003, 1048575, 1048577})
    for (std::uint64_t distinct : {std::uint64_t{200}, std::uint64_t{1} << 40})
      BOOST_TEST_CONTEXT(distinct << " distinct keys at most")
  test::check_spread<test::main_system>(test::generate(test::distribution::uniform, n, distinct));
}

BOOST_AUTO_TEST_CASE(any_number_of_distinct_keys_among_millions) {
  for (std::uint64_t distinct : {1, 2, 10, 5000, 100000, 1000000})
    BOOST_TEST_CONTEXT(distinct << " distinct keys at most") {
      test::check_spread<test::main_system>(
          test::generate(test::distribution::uniform, 3000000, distinct));
      test::check_spread<test::main_system, std::uint32_t>(
          test::generate(test::distribution::zipf, 3000000, distinct));
    }
}

BOOST_AUTO_TEST_CASE(any_distribution_of_a_million) {
  for (test::distribution d : test::all_distributions)
    for (std::uint64_t distinct : {4096, 250000})
      BOOST_TEST_CONTEXT(test::name_of(d) << ", " << distinct << " distinct keys at most")
  test::check_spread<test::main_system, std::uint32_t>(test::generate(d, 1000003, distinct));
}

// Tiles in which no run begins, more of them than are looked at at once.
BOOST_AUTO_TEST_CASE(runs_are_longer_than_many_tiles) {
  for (std::size_t length : {31 * 4096, 32 * 4096 + 1, 33 * 4096, 100 * 4096 + 77, 700003})
    BOOST_TEST_CONTEXT("runs of " << length) {
      test::check_runs<test::main_system>({length});
      test::check_runs<test::main_system>({5, length, 4091, length, 2, 1});
    }
}

BOOST_AUTO_TEST_CASE(all_keys_are_distinct) {
  using System = test::main_system;
  for (std::size_t n : {100003, 3000000, 8400003}) {
    test::check_made<System, std::uint32_t>(n, [](std::size_t i) { return i * 0x9e3779b9U; });
    test::check_made<System, int>(
        n, [](std::size_t i) { return static_cast<int>(static_cast<unsigned>(i) * 0x9e3779b9U); });
    test::check_made<System, std::uint64_t>(n, [](std::size_t i) { return i; });
    test::check_made<System, std::uint64_t>(n, [&](std::size_t i) { return ~std::uint64_t{i}; });
  }
}

// What a digit, a high part or a low part of the key alone cannot tell apart; dense ranges, far
// away too.
BOOST_AUTO_TEST_CASE(keys_that_differ_in_few_bits) {
  using System = test::main_system;
  constexpr std::size_t n = 300007;
  for (int shift : {0, 7, 8, 16, 24, 31, 32, 40, 47})
    BOOST_TEST_CONTEXT("by " << shift << " bits")
  test::check_made<System, std::uint64_t>(
      n, [&](std::size_t i) { return (std::uint64_t{i} * 7919 % 65536) << shift; });
  for (std::uint64_t from :
       {std::uint64_t{0}, std::uint64_t{0x7ffffc00}, std::uint64_t{0xfffffc00}})
    BOOST_TEST_CONTEXT("from " << from) {
      test::check_made<System, std::uint32_t>(n, [&](std::size_t i) { return from + i % 1000; });
      test::check_made<System, std::uint64_t>(n, [&](std::size_t i) { return from + i % 2000; });
    }
}

// So many that it is found out which bits differ: few, low ones or high ones, or all.
BOOST_AUTO_TEST_CASE(many_keys_of_16_bytes_that_differ_in_few_bits) {
  using System = test::main_system;
  using key = unsigned __int128;
  constexpr std::size_t n = (std::size_t{1} << 22) + 7;
  for (int shift : {0, 57, 111})
    BOOST_TEST_CONTEXT("by " << shift << " bits")
  test::check_made<System, key>(
      n, [&](std::size_t i) { return (key{1} << 77) ^ key { i * 7919 % 100003 } << shift; });
  test::check_made<System, key>(n, [](std::size_t i) {
    return key{test::key_of_hash(i % 3000017)} << 64 |
           test::key_of_hash(~std::uint64_t{i % 3000017});
  });
}

// Codes that are told apart by their high bits as far as a look at some of them says; others stand
// where nobody looks: a few that share these, and more than one thread puts in order. So many codes
// that high bits are tried.
template <class Key, class Check>
void check_hidden_groups(std::size_t n, Check check) {
  constexpr int up = 8 * sizeof(Key) - 64;
  std::vector<bool> is_seen(n);
  for (std::uint64_t i = 0; i < 65536; ++i) {
    const auto place = static_cast<unsigned __int128>(thrust_hist::detail::mix_code(i + 1)) * n;
    is_seen[static_cast<std::size_t>(place >> 64)] = true;
  }
  for (std::size_t group : {2, 16, 17, 63, 5000})
    BOOST_TEST_CONTEXT(group << " keys with the same high bits") {
      std::size_t hidden = 0;
      check(test::samples<Key>(n, [&](std::size_t i) {
        const std::uint64_t random = test::key_of_hash(i * 0x9e3779b97f4a7c15U);
        if (is_seen[i] || i % 3 != 0)
          return static_cast<Key>(random) << up;
        ++hidden;  // groups are formed by what comes next to each other, in no order
        return static_cast<Key>(test::key_of_hash(hidden / group) >> 20 << 20 | (random >> 44))
               << up;
      }));
    }
}

BOOST_AUTO_TEST_CASE(keys_that_share_their_high_bits_where_nobody_looks) {
  using System = test::main_system;
  const auto count = [](auto const& keys) {
    test::check_sparse_counts<System>(keys, test::count_sorted<unsigned>(keys));
  };
  constexpr std::size_t many = (std::size_t{1} << 22) + 4003;
  constexpr std::size_t some = (std::size_t{1} << 20) + 4003;
  constexpr std::size_t more =
      (std::size_t{1} << 21) + 4003;  // nobody looks whether high bits suffice
  check_hidden_groups<std::uint64_t>(many, count);
  check_hidden_groups<std::uint64_t>(some, count);
  check_hidden_groups<unsigned __int128>(many, count);
  const auto sum = [](auto const& keys) {
    const test::samples<float> values(
        keys.size(), [](std::size_t i) { return static_cast<float>(i % 5); });
    test::check_sparse<System>(
        keys, values, test::reduce_sorted<float>(keys, values, test::by_less{}, test::by_plus{}),
        [](auto first, auto last, auto with, auto to, auto out, auto const& o) {
          return thrust_hist::sparse_histogram_by_key(
              System::policy(), first, last, with, to, out, o);
        });
  };
  check_hidden_groups<std::uint64_t>(many, sum);
  check_hidden_groups<std::int64_t>(more, sum);
  check_hidden_groups<unsigned long long>(more, sum);
}

// Keys that are two or three numbers side by side, of which some bits never differ: they are sorted
// number by number.
template <class Key, int Low, int Middle, int High>
void check_composed(std::size_t n) {
  using System = test::main_system;
  using wide = std::conditional_t<(sizeof(Key) > 8), unsigned __int128, std::uint64_t>;
  const test::samples<Key> keys(n, [](std::size_t i) {
    const std::uint64_t random = test::key_of_hash(i * 0x9e3779b97f4a7c15U + 1);
    return static_cast<Key>(
        wide{random % 3001} << High | wide{random >> 20 & 1023} << Middle |
        wide{random >> 44} << Low);
  });
  const test::samples<float> values(n, [](std::size_t i) { return static_cast<float>(i % 5); });
  test::check_sparse<System>(
      keys, values, test::reduce_sorted<float>(keys, values, test::by_less{}, test::by_plus{}),
      [](auto first, auto last, auto with, auto to, auto out, auto const& o) {
        return thrust_hist::sparse_histogram_by_key(
            System::policy(), first, last, with, to, out, o);
      });
}
BOOST_AUTO_TEST_CASE(keys_of_numbers_side_by_side) {
  constexpr std::size_t n = (std::size_t{1} << 21) + 77;
  check_composed<std::uint64_t, 0, 0, 50>(n);
  check_composed<std::int64_t, 2, 2, 52>(n);  // of which half are less than 0
  check_composed<std::uint64_t, 0, 30, 52>(n);
  check_composed<unsigned __int128, 3, 60, 110>(2 * n);
}

// Numbers of which the hashes have all of their low or of their high bits in common.
BOOST_AUTO_TEST_CASE(numbers_that_collide_cost_time_only) {
  using System = test::main_system;
  BOOST_REQUIRE(
      thrust_hist::detail::mix_code(test::key_of_hash(0x123456789abcdefU)) == 0x123456789abcdefU);
  for (int shift : {0, 20, 46})
    for (std::size_t distinct : {300, 20000})
      BOOST_TEST_CONTEXT("hashes differ from bit " << shift << " on, " << distinct << " of them")
  test::check_made<System, std::uint64_t>(200003, [&](std::size_t i) {
    return test::key_of_hash(std::uint64_t{i % distinct} << shift);
  });
}

BOOST_AUTO_TEST_CASE(keys_that_collide_cost_time_only) {
  test::check_keys_that_collide<test::main_system>();
}

// The hot keys of the first part of the input are not those of the rest.
BOOST_AUTO_TEST_CASE(keys_that_come_often_may_change) {
  for (bool rare_ones_first : {true, false}) {
    test::keys list = test::generate(test::distribution::uniform, 600000, std::uint64_t{1} << 50);
    list.resize(3000000, 42);
    if (!rare_ones_first)
      std::reverse(list.begin(), list.end());
    BOOST_TEST_CONTEXT("rare ones first: " << rare_ones_first)
    test::check_spread<test::main_system>(list);
  }
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(sparse_counters, THRUST_HIST_TEST_SMALL_LOCKS)

namespace {

// Counts as other types than those of 4 bytes.
template <class A>
void check_counter() {
  const test::samples<std::uint32_t> keys(
      70001, [](std::size_t i) { return i % 2 == 0 ? 7 : i * i % 501; });
  test::check_sparse_counts<test::main_system>(keys, test::count_sorted<A>(keys));
}

}  // namespace

BOOST_AUTO_TEST_CASE(narrow_counts_wrap_and_reals_are_rounded) {
  check_counter<std::uint8_t>();
  check_counter<std::int16_t>();
  check_counter<std::uint64_t>();
  check_counter<float>();
}

BOOST_AUTO_TEST_SUITE_END()
