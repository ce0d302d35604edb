// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// build: optimised under sanitizers
// What is guessed from a sample of keys.

#include "../support/boost_test.h"
#include "sparse_problems.h"
#include <thrust_hist/system/cuda/key_sample.h>
#include <thrust_hist/system/cuda/sparse_plan.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <utility>

BOOST_AUTO_TEST_SUITE(samples_of_keys)

using namespace sparse_problems;

// A sample of `key(u)`, u uniform in [0, 1).
template <class Key>
static key_sample sample_of(Key key) {
  std::map<std::uint64_t, std::uint32_t> seen;
  key_sample s = {};
  for (std::uint32_t i = 0; i < key_sample::size; ++i) {
    if (i == key_sample::size / 2)
      s.distinct_in_half = static_cast<std::uint32_t>(seen.size());
    ++seen[key(static_cast<double>(mix_code(std::uint64_t{i} + 1) >> 11) * 0x1p-53)];
  }
  s.distinct = static_cast<std::uint32_t>(seen.size());
  for (auto const& one : seen) {
    s.once += one.second == 1 ? 1 : 0;
    s.twice += one.second == 2 ? 1 : 0;
    s.most = std::max(s.most, one.second);
    s.hot.all += one.second >= hot_sample::least ? one.second : 0;
  }
  return s;
}

BOOST_AUTO_TEST_CASE(equally_frequent_keys_are_guessed_well) {
  constexpr std::uint64_t n = std::uint64_t{1} << 27;
  for (double distinct : {1., 10., 1000., 1e5, 1e6, 2e7}) {
    const auto s = sample_of([&](double u) { return static_cast<std::uint64_t>(u * distinct); });
    const auto guess = static_cast<double>(s.guess(n));
    BOOST_TEST((guess > 0.7 * distinct && guess < 1.4 * distinct), distinct << ": " << guess);
  }
  // All distinct: there is no telling how many, but it is many.
  BOOST_TEST(sample_of([](double u) {
               return static_cast<std::uint64_t>(u * 0x1p53);
             }).guess(n) > n / 10 * 9);
}

// A guess by some hundred that were seen twice may be a fifth too high. What is sure is not, and
// not much lower either.
BOOST_AUTO_TEST_CASE(few_that_were_seen_twice_do_not_tell_surely) {
  constexpr std::uint64_t n = std::uint64_t{1} << 27;
  for (double distinct : {1e6, 8e6, 3e7}) {
    int too_high = 0;
    for (std::uint64_t run = 0; run < 40; ++run) {
      const auto s = sample_of([&](double u) {
        const auto drawn = mix_code(static_cast<std::uint64_t>(u * 0x1p27) + run * n);
        return static_cast<std::uint64_t>(static_cast<double>(drawn >> 11) * 0x1p-53 * distinct);
      });
      too_high += s.guess_even(n) > 1.02 * distinct ? 1 : 0;
      BOOST_TEST(
          (s.surely_even(n) < 1.02 * distinct && s.surely_even(n) > 0.5 * distinct),
          distinct << ": " << s.surely_even(n));
    }
    BOOST_TEST((distinct < 8e6 || too_high > 5), distinct << ": " << too_high);
  }
}

// Places are drawn, some of them twice: that is no sign of a key that occurs twice.
BOOST_AUTO_TEST_CASE(places_that_are_drawn_twice_are_allowed_for) {
  for (double n : {0x1p21, 0x1p23})
    for (double part : {1. / 64, 1. / 8, 1. / 2, 3. / 4, 1.}) {
      const double keys = part * n;
      const auto s = sample_of([&](double u) {
        const auto place = static_cast<std::uint64_t>(u * n);
        return mix_code(place + 12345) % static_cast<std::uint64_t>(keys);
      });
      const double distinct = keys * (1 - std::exp(-n / keys));
      const double ratio = static_cast<double>(s.guess(static_cast<std::uint64_t>(n))) / distinct;
      BOOST_TEST((ratio > 0.85 && ratio < 1.15), part << " of " << n << ": " << ratio);
    }
  const auto all = sample_of([](double u) { return static_cast<std::uint64_t>(u * 0x1p21); });
  BOOST_TEST(all.guess(2 * million) > 2 * million / 10 * 9);
}

// Some keys come very often, and the others not again: as many of these are to come as that tells,
// not more.
BOOST_AUTO_TEST_CASE(keys_that_were_seen_once_are_not_taken_for_more) {
  constexpr std::uint64_t n = std::uint64_t{1} << 24;
  const auto s = sample_of([](double u) {
    return u < 0.75 ? static_cast<std::uint64_t>(u * 4000) : static_cast<std::uint64_t>(u * 0x1p53);
  });
  const auto guess = static_cast<double>(s.guess(n));
  BOOST_TEST((guess > 0.23 * n && guess < 0.27 * n), guess);
  for (std::uint64_t few : {1, 1000, 65536})
    BOOST_TEST(s.guess(few) <= few);
}

BOOST_AUTO_TEST_CASE(rare_keys_are_not_forgotten) {
  constexpr std::uint64_t n = std::uint64_t{1} << 27;
  for (double distinct : {1e5, 1e6, 2e7}) {
    const auto s = sample_of(
        [&](double u) { return static_cast<std::uint64_t>(std::exp(u * std::log(distinct + 1))); });
    const auto guess = static_cast<double>(s.guess(n));
    BOOST_TEST((guess > 0.3 * distinct && guess < 20 * distinct), distinct << ": " << guess);
  }
}

// A few that come often say nothing of the others: a key that stands for none, say.
BOOST_AUTO_TEST_CASE(keys_may_be_even_beside_frequent_ones) {
  sparse_problem p = {};
  const auto tell = [&](key_sample const& s) {
    tell_sample(p, s);
    return p.is_skewed_by_few;
  };
  for (double hot : {0.01, 0.3})
    for (double distinct : {3e5, 1e6, 2e7})
      for (double few : {1., 20.})
        BOOST_TEST(
            tell(sample_of([&](double u) {
              return static_cast<std::uint64_t>(u < hot ? u / hot * few : 100 + u * distinct);
            })),
            hot << " of " << few << ", " << distinct);
  for (double distinct : {1e5, 1e6, 2e7}) {
    BOOST_TEST(!tell(sample_of([&](double u) {
      return static_cast<std::uint64_t>(std::exp(u * std::log(distinct + 1)));
    })));
    BOOST_TEST(p.is_skewed);
    BOOST_TEST(
        !tell(sample_of([&](double u) { return static_cast<std::uint64_t>(u * distinct); })));
    BOOST_TEST(!p.is_skewed);
  }
  BOOST_TEST(!key_sample{}.is_even_beside_hot());
}

// NaN is in a sample, but is no key that has been seen again.
BOOST_AUTO_TEST_CASE(keys_without_a_code_were_not_seen_again) {
  key_sample s = {};
  s.distinct = s.once = key_sample::size * 2 / 5;  // each code once, and three in five have none
  s.most = 1;
  sparse_problem p = {};
  p.code_bytes = 4;
  for (std::uint32_t codes : {0U, range_sample::size * 2 / 5}) {
    s.ranges.codes = codes;
    tell_sample(p, s);
    BOOST_TEST(s.come_often(4 * million) == (codes == 0));
    BOOST_TEST(come_again(p) == (codes == 0));
  }
}

BOOST_AUTO_TEST_CASE(crowds_are_told_by_a_sample) {
  key_sample seen = {};
  sparse_problem p = {};
  for (std::uint32_t near_others : {0, 8, 40, 41, 512, 513}) {
    seen.ranges.near_others = near_others;
    tell_sample(p, seen);
    BOOST_TEST(p.is_crowded == (near_others > 40));
    BOOST_TEST(p.is_much_crowded == (near_others > 512));
  }
  for (std::uint32_t spikes : {0, 160, 250, 251})
    for (std::uint32_t cells : {300, 1800, 1801, 3900}) {
      seen.ranges.spikes = spikes;
      seen.ranges.cells = cells;
      tell_sample(p, seen);
      BOOST_TEST(p.has_spikes == (spikes > 250 && cells > 1800));
    }
}

// What a sample of a narrower range has of density is less of the wider one.
BOOST_AUTO_TEST_CASE(parts_that_are_denser_are_planned_for) {
  range_sample s = {};
  s.last = 0xffffffffU;
  s.codes = range_sample::size;
  s.heaviest = 13;
  s.densest = 290;
  BOOST_TEST((s.is_even() && s.density() == 1));
  s.heaviest = 17;  // more than chance has of 4
  BOOST_TEST((s.is_even() && s.density() == 4.25));
  s.codes = range_sample::size / 2;  // half of the keys are none
  BOOST_TEST(!s.is_even());
}

BOOST_AUTO_TEST_CASE(high_bits_tell_codes_apart_where_next_to_none_share_them) {
  range_sample s = {};
  BOOST_TEST(!s.tells_apart(0));  // nobody has looked
  s.low_bits = 24;
  BOOST_TEST((s.tells_apart(24) && s.tells_apart(8) && !s.tells_apart(32)));
  BOOST_TEST(!s.surely_shares(24));
  s.sharing = 1;
  BOOST_TEST(!s.tells_apart(24));
  // So few may be two that were taken for one.
  s.sharing = 16;
  BOOST_TEST(!s.surely_shares(24));
  s.sharing = 17;
  BOOST_TEST((s.surely_shares(24) && s.surely_shares(32) && !s.surely_shares(23)));
  s.low_bits = 0;
  BOOST_TEST(!s.surely_shares(0));
}

// Groups of codes with the same high bits are short where no key comes often, and few of the sample
// share these.
BOOST_AUTO_TEST_CASE(groups_are_short_where_few_share_high_bits) {
  constexpr std::uint64_t n = std::uint64_t{1} << 23;  // 128 for each of the sample
  key_sample s = {};
  BOOST_TEST(!s.comes_rarely(n));  // nobody has looked
  s.distinct = s.once = key_sample::size - 300;
  s.distinct_in_half = key_sample::size / 2 - 100;
  s.twice = 150;
  s.most = 16;
  BOOST_TEST(s.comes_rarely(n));
  BOOST_TEST(s.has_short_groups(n));
  s.most = 17;
  BOOST_TEST(!s.comes_rarely(n));
  BOOST_TEST(!s.has_short_groups(n));
  s.most = 2;  // may be one place, drawn twice
  BOOST_TEST(s.comes_rarely(n << 2));
  // Drawn together, one pair is expected where groups have one code more on average.
  s.near_by = 6;
  BOOST_TEST(s.has_short_groups(n));
  s.near_by = 7;
  BOOST_TEST(!s.has_short_groups(n));
  // Of all pairs 512 where they have one more.
  BOOST_TEST(s.share_little(1024 + 16, n));
  BOOST_TEST(!s.share_little(1024 + 17, n));
  // All keys come so often that most groups may be long.
  s.distinct = 65000;
  s.distinct_in_half = 32000;
  s.once = 0;
  s.twice = 32500;
  s.most = 3;
  BOOST_TEST(s.comes_rarely(64 * 65000));
  BOOST_TEST(!s.comes_rarely(130 * 65000));
}

// A sixteenth of them is in a part of the range.
BOOST_AUTO_TEST_CASE(a_heavy_part_may_be_a_crowd) {
  range_sample r = {};
  BOOST_TEST(!r.may_crowd());  // nobody has looked
  r.codes = range_sample::size;
  r.heaviest = range_sample::size / 16 - 1;
  BOOST_TEST(!r.may_crowd());
  ++r.heaviest;
  BOOST_TEST(r.may_crowd());
}

BOOST_AUTO_TEST_CASE(a_key_that_comes_again_may_fill_a_quarter_of_a_bucket) {
  key_sample s = {};
  BOOST_TEST(s.may_fill_quarter());  // nobody has looked
  s.distinct = 60000;
  s.most = 2;
  BOOST_TEST(!s.may_fill_quarter());
  ++s.most;
  BOOST_TEST(s.may_fill_quarter());
}

BOOST_AUTO_TEST_CASE(a_range_is_widened_as_far_as_there_are_codes) {
  range_sample r = {};
  r.lowest = 1000;
  r.last = 5120;
  BOOST_REQUIRE(r.margin() == 10U);
  const auto widened = [&](std::uint32_t lowest, std::uint32_t span) {
    const auto [first, last] = r.widened(lowest, span);
    BOOST_TEST(first <= r.lowest);
    BOOST_TEST(first + last >= r.lowest + r.last);
    return std::pair<std::uint32_t, std::uint32_t>(first, last);
  };
  BOOST_TEST((widened(0, ~0U) == std::pair(990U, 5140U)));
  BOOST_TEST((widened(995, ~0U - 995) == std::pair(995U, 5135U)));
  BOOST_TEST((widened(0, 6125) == std::pair(990U, 5135U)));
  BOOST_TEST((widened(1000, 5120) == std::pair(1000U, 5120U)));
}

BOOST_AUTO_TEST_SUITE_END()
