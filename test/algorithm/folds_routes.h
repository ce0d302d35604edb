// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Folds on CUDA by every route: sizes, numbers of bins around the limits of the plan,
// distributions. A kind of fold has `check(keys, bins)`, which gives how many routes were taken,
// and `plan(bins, n)`.

#include "../support/fewer.h"
#include "fold_cases.h"

#include <limits>

namespace test {

// Values of a type, by an operator: `value_of(i)` and what a call gets behind the bins.
template <class Kind, class V>
struct fold_kind {
  static samples<V> values(std::size_t n) { return samples<V>(n, Kind::value_of); }
  static int check(samples<std::uint32_t> const& keys, std::int64_t bins) {
    const auto v = values(keys.size());
    int least = std::numeric_limits<int>::max();
    BOOST_TEST_CONTEXT("n = " << keys.size() << ", " << bins << " bins")
    for (bool exact : {false, true})
      if (!exact || Kind::can_be_exact)
        least = std::min(least, Kind::call([&](auto... op) {
                           return check_fold<V>(
                               keys, v, bins, thrust_hist::options{}.exact(exact), op...);
                         }));
    return least;
  }
  static thrust_hist::plan plan(std::int64_t bins, std::size_t n) {
    thrust_hist::plan plan;
    std::uint32_t const* const keys = nullptr;
    Kind::call([&](auto... op) {
      thrust_hist::histogram_by_key(
          cuda::policy(), keys, keys + n, static_cast<V const*>(nullptr), static_cast<V*>(nullptr),
          bins, op..., thrust_hist::options{}.explain(&plan));
      return 0;
    });
    return plan;
  }
};

template <class Kind>
void check_of(distribution d, std::size_t n, std::int64_t bins) {
  BOOST_TEST_CONTEXT(name_of(d))
  BOOST_TEST(Kind::check(keys_of(d, n, static_cast<std::uint64_t>(bins)), bins) >= 2);
}

template <class Kind>
void check_sizes() {  // around quads, warps and blocks
  std::size_t turn = 0;
  for (std::size_t n :
       fewer({0, 1, 3, 4, 5, 31, 32, 33, 127, 128, 129, 4095, 4096, 4097, 100003}, {1, 33, 4097}))
    for (std::int64_t bins : {1, 300})
      check_of<Kind>(all_distributions[turn++ % std::size(all_distributions)], n, bins);
}

template <class Kind>
void check_distributions() {
  for (distribution d : fewer(all_distributions, {distribution::uniform, distribution::mostly_one}))
    for (std::int64_t bins : {7, 5000})
      check_of<Kind>(d, fewer(20011, 9001), bins);
  for (std::int64_t bins : {0, 70})  // pairs without a bin only
    Kind::check(samples<std::uint32_t>(10007, [](std::size_t i) { return 70 + i % 2; }), bins);
}

// Numbers of bins at which the route changes, or the bytes of a bin do, which halve where there are
// half as many copies; and their neighbours.
template <class Kind>
void check_limits() {
  constexpr std::size_t n = 100003;
  constexpr std::int64_t most = 100000;
  const auto bytes = [](thrust_hist::plan const& p, std::int64_t b) {
    return static_cast<double>(p.shared_bytes) / static_cast<double>(b);
  };
  int limits = 0;
  for (std::int64_t bins = 1; bins < most;) {
    const auto here = Kind::plan(bins, n);
    std::int64_t last = bins, beyond = most;
    while (beyond - last > 1) {
      const std::int64_t middle = last + (beyond - last) / 2;
      const auto there = Kind::plan(middle, n);
      const bool same = there.taken == here.taken && there.threads == here.threads &&
                        bytes(there, middle) * 3 >= bytes(here, bins) * 2 &&
                        bytes(there, middle) * 2 <= bytes(here, bins) * 3;
      (same ? last : beyond) = middle;
    }
    if (beyond < most) {
      ++limits;
      for (std::int64_t b : {last, beyond})
        for (distribution d : {distribution::uniform, distribution::mostly_one})
          check_of<Kind>(d, n, b);
    }
    bins = beyond;
  }
  BOOST_TEST(limits >= 1);
}

// Windows of exact sums, of 1 to 32 copies, are for a million pairs and more.
template <class Kind>
void check_millions() {
  for (std::size_t n : {(1 << 20) - 1, 1 << 20, (1 << 20) + 1})
    if (Kind::can_be_exact)
      for (std::int64_t bins : {1, 600, 1300, 2500, 5000, 9000, 19000, 25000})
        check_of<Kind>(distribution::zipf, n, bins);
  constexpr std::int64_t some_bins[] = {1, 257, 4000, 19000, 70000, 1 << 20};
  std::size_t turn = 0;
  for (distribution d : all_distributions)
    check_of<Kind>(d, 3000017, some_bins[turn++ % std::size(some_bins)]);
}

}  // namespace test

// The suites of a list of kinds.
#define THRUST_HIST_TEST_FOLD_ROUTES(name, small, Kinds)      \
  BOOST_AUTO_TEST_SUITE(name, small)                          \
  BOOST_AUTO_TEST_CASE_TEMPLATE(sizes, Kind, Kinds) {         \
    test::check_sizes<Kind>();                                \
  }                                                           \
  BOOST_AUTO_TEST_CASE_TEMPLATE(distributions, Kind, Kinds) { \
    test::check_distributions<Kind>();                        \
  }                                                           \
  BOOST_AUTO_TEST_SUITE_END()                                 \
  BOOST_AUTO_TEST_SUITE(name##_large, THRUST_HIST_TEST_LARGE) \
  BOOST_AUTO_TEST_CASE_TEMPLATE(limits, Kind, Kinds) {        \
    test::check_limits<Kind>();                               \
  }                                                           \
  BOOST_AUTO_TEST_CASE_TEMPLATE(millions, Kind, Kinds) {      \
    test::check_millions<Kind>();                             \
  }                                                           \
  BOOST_AUTO_TEST_SUITE_END()
