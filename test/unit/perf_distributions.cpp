// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// build: optimised under sanitizers
// The inputs of the benchmarks, tested: figures for "zipf" say something only if the keys are so
// distributed.

#include "../../perf/distributions.h"
#include "../support/boost_test.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

BOOST_AUTO_TEST_SUITE(distributions_of_the_benchmarks, *boost::unit_test::label("large"))

namespace {

using perf::distribution;
using keys = std::vector<std::uint64_t>;

constexpr std::uint64_t n = 1 << 20;
constexpr std::uint64_t bins = 6007;

keys keys_of(distribution d, std::uint64_t first = 0, std::uint64_t count = n) {
  keys k(count);
  for (std::uint64_t i = 0; i < count; ++i)
    k[i] = perf::key_at(first + i, first + count, bins, d);
  return k;
}

std::vector<double> shares(keys const& k) {
  std::vector<double> share(bins);
  for (std::uint64_t key : k)
    share.at(key) += 1 / static_cast<double>(k.size());
  return share;
}

std::size_t number_of_distinct(keys const& k) {
  return std::set<std::uint64_t>(k.begin(), k.end()).size();
}

/// The keys that more than one of a hundred samples have.
std::set<std::uint64_t> hot_keys(keys const& k) {
  std::map<std::uint64_t, std::size_t> counts;
  std::set<std::uint64_t> hot;
  for (std::uint64_t key : k)
    if (++counts[key] > k.size() / 100)
      hot.insert(key);
  return hot;
}

double share_of(std::set<std::uint64_t> const& some, keys const& k) {
  const auto found = std::count_if(k.begin(), k.end(), [&](auto key) { return some.count(key); });
  return static_cast<double>(found) / static_cast<double>(k.size());
}

/// Whether a share of n random keys is within five standard deviations of what it should be.
bool is_share(double share, double expected) {
  const double deviation = std::sqrt(expected * (1 - expected) / static_cast<double>(n));
  return std::abs(share - expected) < 5 * deviation;
}

}  // namespace

BOOST_AUTO_TEST_CASE(every_key_is_below_the_number_of_bins) {
  for (distribution d : perf::all_distributions)
    for (std::uint64_t samples : {1, 2, 31, 5000})
      for (std::uint64_t limit : {1, 2, 3, 256, 112001, 1 << 28})
        BOOST_TEST_CONTEXT(perf::name_of(d) << ", n = " << samples << ", below " << limit)
  for (std::uint64_t i = 0; i < samples; ++i)
    BOOST_REQUIRE(perf::key_at(i, samples, limit, d) < limit);
}

BOOST_AUTO_TEST_CASE(names_are_different) {
  std::set<std::string> names;
  for (distribution d : perf::all_distributions)
    BOOST_TEST(names.insert(perf::name_of(d)).second, perf::name_of(d));
}

// Committed results are of these keys. Those of zipf depend on the last bit of exp and log.
BOOST_AUTO_TEST_CASE(keys_are_those_of_the_committed_results) {
  const std::pair<distribution, std::uint64_t> sums[] = {
      {distribution::uniform, 5195451233591422602U},
      {distribution::alternating, 5411839179035770880U},
      {distribution::sorted, 5507131440887240572U},
      {distribution::reversed, 7303677907065890948U},
      {distribution::runs, 10549549678696497152U},
      {distribution::hot, 6263757187619970974U},
      {distribution::moving_hot, 6263757187619970974U},
      {distribution::half_constant, 2728013521549991068U},
      {distribution::constant, 6405404673976565760U}};
  for (auto [d, expected] : sums) {
    std::uint64_t sum = 0;
    for (std::uint64_t key : keys_of(d))
      sum = sum * 31 + key;
    BOOST_TEST(sum == expected, perf::name_of(d) << ": the keys have sum " << sum);
  }
}

BOOST_AUTO_TEST_CASE(uniform_keys_hit_every_bin_about_equally) {
  const std::vector<double> share = shares(keys_of(distribution::uniform));
  for (double s : share)
    BOOST_REQUIRE(is_share(s, 1.0 / bins));
}

BOOST_AUTO_TEST_CASE(constant_has_one_key_and_alternating_two_in_turn) {
  BOOST_TEST(number_of_distinct(keys_of(distribution::constant)) == 1U);
  const keys two = keys_of(distribution::alternating);
  BOOST_TEST(number_of_distinct(two) == 2U);
  BOOST_TEST((std::adjacent_find(two.begin(), two.end()) == two.end()));
}

BOOST_AUTO_TEST_CASE(sorted_ascends_and_reversed_descends_through_all_bins) {
  const keys up = keys_of(distribution::sorted), down = keys_of(distribution::reversed);
  BOOST_TEST(std::is_sorted(up.begin(), up.end()));
  BOOST_TEST(std::is_sorted(down.rbegin(), down.rend()));
  BOOST_TEST(number_of_distinct(up) == bins);
  BOOST_TEST(number_of_distinct(down) == bins);
}

BOOST_AUTO_TEST_CASE(zipf_has_the_frequencies_of_its_formula) {
  const std::vector<double> share = shares(keys_of(distribution::zipf));
  const double whole = std::log(static_cast<double>(bins) + 1);
  for (std::uint64_t key = 0; key < bins; ++key) {
    const auto rank = static_cast<double>(key) + 1;
    BOOST_REQUIRE_MESSAGE(
        is_share(share[key], std::log((rank + 1) / rank) / whole),
        "key " << key << " has share " << share[key]);
  }
}

BOOST_AUTO_TEST_CASE(zipf_0_5_has_the_frequencies_of_its_formula) {
  const std::vector<double> share = shares(keys_of(distribution::zipf_0_5));
  for (std::uint64_t key = 0; key < bins; ++key) {
    const auto of = [](std::uint64_t k) { return std::sqrt(static_cast<double>(k) / bins); };
    BOOST_REQUIRE(is_share(share[key], of(key + 1) - of(key)));
  }
}

BOOST_AUTO_TEST_CASE(zipf_1_5_has_the_frequencies_of_its_formula_and_its_tail_everywhere) {
  const std::vector<double> share = shares(keys_of(distribution::zipf_1_5));
  const double tail = 1 / std::sqrt(static_cast<double>(bins) + 1);
  for (std::uint64_t key = 0; key < bins; ++key) {
    const auto rank = static_cast<double>(key) + 1;
    const double own = 1 / std::sqrt(rank) - 1 / std::sqrt(rank + 1);
    BOOST_REQUIRE_MESSAGE(
        is_share(share[key], own + tail / static_cast<double>(bins)),
        "key " << key << " has share " << share[key]);
  }
}

BOOST_AUTO_TEST_CASE(runs_are_of_1024_equal_keys) {
  const keys k = keys_of(distribution::runs);
  for (std::uint64_t begin = 0; begin < n; begin += 1024)
    BOOST_REQUIRE(std::all_of(
        k.begin() + begin, k.begin() + begin + 1024, [&](auto key) { return key == k[begin]; }));
  // 1 024 runs of keys drawn from 6 007: few are drawn twice.
  BOOST_TEST(number_of_distinct(k) > 900U);
}

BOOST_AUTO_TEST_CASE(nine_of_ten_hot_samples_have_one_of_eight_keys) {
  const keys k = keys_of(distribution::hot);
  const std::set<std::uint64_t> hot = hot_keys(k);
  BOOST_TEST(hot.size() == 8U);
  BOOST_TEST(is_share(share_of(hot, k), 0.9 + 0.1 * 8 / bins));
  for (std::uint64_t key : hot)
    BOOST_TEST(is_share(share_of({key}, k), 0.9 / 8 + 0.1 / bins));
  BOOST_TEST(number_of_distinct(k) == bins);
}

BOOST_AUTO_TEST_CASE(hot_keys_that_move_are_others_after_every_2_to_the_22_samples) {
  const std::uint64_t era = 1 << 22;
  const keys k = keys_of(distribution::moving_hot);
  const std::set<std::uint64_t> hot = hot_keys(k);
  BOOST_TEST(hot.size() == 8U);
  BOOST_TEST(is_share(share_of(hot, k), 0.9 + 0.1 * 8 / bins));
  const keys end = keys_of(distribution::moving_hot, era - 10000, 10000);
  BOOST_TEST((hot_keys(end) == hot));
  for (std::uint64_t later : {1, 2, 3}) {
    const keys next = keys_of(distribution::moving_hot, later * era, n);
    BOOST_TEST(hot_keys(next).size() == 8U);
    BOOST_TEST(share_of(hot, next) < 0.2);
  }
}

BOOST_AUTO_TEST_CASE(half_of_half_constant_is_one_key) {
  const keys k = keys_of(distribution::half_constant);
  BOOST_TEST(is_share(share_of({bins / 2}, k), 0.5 + 0.5 / bins));
  BOOST_TEST(number_of_distinct(k) == bins);
}

BOOST_AUTO_TEST_CASE(a_part_of_the_input_is_constant) {
  const keys k = keys_of(distribution::constant_part);
  const auto begin = k.begin() + n / 2, end = begin + n / 128;
  BOOST_TEST(std::all_of(begin, end, [](auto key) { return key == bins / 3; }));
  const keys others(k.begin(), begin);
  BOOST_TEST(number_of_distinct(others) == bins);
  BOOST_TEST(std::count(end, k.end(), bins / 3) < 1000);
}

BOOST_AUTO_TEST_SUITE_END()
