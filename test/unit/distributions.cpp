// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The generators of keys, tested: a generator that does not do what its name says makes every test
// built on it a lie.

#include "../support/distributions.h"

#include "../support/boost_test.h"

#include <map>
#include <set>

BOOST_AUTO_TEST_SUITE(distributions)

namespace {

using test::distribution;

constexpr std::size_t n = 40000;
constexpr std::uint64_t distinct = 257;

std::size_t most_frequent(test::keys const& k) {
  std::map<std::uint64_t, std::size_t> counts;
  std::size_t most = 0;
  for (std::uint64_t key : k)
    most = std::max(most, ++counts[key]);
  return most;
}

std::size_t number_of_distinct(test::keys const& k) {
  return std::set<std::uint64_t>(k.begin(), k.end()).size();
}

std::size_t number_of_runs(test::keys const& k) {
  std::size_t runs = 1;
  for (std::size_t i = 1; i < k.size(); ++i)
    runs += k[i] != k[i - 1];
  return runs;
}

}  // namespace

BOOST_AUTO_TEST_CASE(every_generator_gives_n_keys_below_the_limit) {
  for (distribution d : test::all_distributions)
    for (std::size_t size : {0, 1, 2, 7, 8, 9, 1000})
      for (std::uint64_t limit : {1, 2, 3, 1000})
        BOOST_TEST_CONTEXT(test::name_of(d) << ", n = " << size << ", below " << limit) {
          const test::keys k = test::generate(d, size, limit);
          BOOST_TEST(k.size() == size);
          for (std::uint64_t key : k)
            BOOST_REQUIRE(key < limit);
        }
}

BOOST_AUTO_TEST_CASE(the_same_seed_gives_the_same_keys_and_another_seed_others) {
  for (distribution d : test::all_distributions)
    BOOST_TEST_CONTEXT(test::name_of(d)) {
      BOOST_TEST((test::generate(d, n, 100000, 7) == test::generate(d, n, 100000, 7)));
      BOOST_TEST((test::generate(d, n, 100000, 7) != test::generate(d, n, 100000, 8)));
    }
}

BOOST_AUTO_TEST_CASE(constant_has_one_key_and_alternating_has_two_that_never_repeat) {
  BOOST_TEST(number_of_distinct(test::generate(distribution::constant, n, distinct)) == 1U);
  for (std::uint64_t seed = 0; seed < 500; ++seed)  // both keys drawn equal once in a while
  {
    const test::keys two = test::generate(distribution::two_alternating, 1000, 3, seed);
    BOOST_REQUIRE(number_of_distinct(two) == 2U);
    BOOST_REQUIRE(number_of_runs(two) == two.size());
  }
}

BOOST_AUTO_TEST_CASE(uniform_keys_hit_every_bin_about_equally) {
  const test::keys k = test::generate(distribution::uniform, n, distinct);
  BOOST_TEST(number_of_distinct(k) == distinct);
  BOOST_TEST(most_frequent(k) < 2 * n / distinct);
}

BOOST_AUTO_TEST_CASE(zipf_has_a_heavy_head_and_a_long_tail) {
  const test::keys k = test::generate(distribution::zipf, n, distinct);
  BOOST_TEST(most_frequent(k) > n / 20);
  BOOST_TEST(most_frequent(k) < n / 2);
  BOOST_TEST(number_of_distinct(k) > distinct / 2);
}

BOOST_AUTO_TEST_CASE(sorted_ascends_and_reversed_descends) {
  const test::keys up = test::generate(distribution::sorted, n, distinct);
  const test::keys down = test::generate(distribution::reversed, n, distinct);
  BOOST_TEST(std::is_sorted(up.begin(), up.end()));
  BOOST_TEST(std::is_sorted(down.rbegin(), down.rend()));
  BOOST_TEST(number_of_distinct(up) == distinct);
}

BOOST_AUTO_TEST_CASE(runs_are_long_and_of_many_keys) {
  const test::keys k = test::generate(distribution::runs, n, distinct);
  BOOST_TEST(number_of_runs(k) < n / 50);
  BOOST_TEST(number_of_distinct(k) > 100U);
}

BOOST_AUTO_TEST_CASE(mostly_one_is_one_key_at_ninety_percent) {
  const std::size_t most = most_frequent(test::generate(distribution::mostly_one, n, distinct));
  BOOST_TEST(most > n / 100 * 88);
  BOOST_TEST(most < n / 100 * 93);
}

BOOST_AUTO_TEST_CASE(moving_hot_keys_are_others_at_the_end_than_at_the_start) {
  const test::keys k = test::generate(distribution::moving_hot_keys, n, distinct);
  const std::set<std::uint64_t> head(k.begin(), k.begin() + 20), tail(k.end() - 20, k.end());
  BOOST_TEST(head.size() < 15U);
  BOOST_TEST(tail.size() < 15U);
  std::size_t shared = 0;
  for (std::uint64_t key : head)
    shared += tail.count(key);
  BOOST_TEST(shared < head.size());
}

BOOST_AUTO_TEST_CASE(skewed_tail_is_uniform_first_and_constant_in_the_last_quarter) {
  const test::keys k = test::generate(distribution::skewed_tail, n, distinct);
  BOOST_TEST(number_of_distinct({k.begin(), k.end() - n / 4}) == distinct);
  BOOST_TEST(number_of_distinct({k.end() - n / 4, k.end()}) == 1U);
}

BOOST_AUTO_TEST_SUITE_END()
