// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Folds on CUDA by every route: sizes, numbers of bins around the limits of the plan, distributions,
// addresses. One type for each means: words, two words, limbs and windows, keys in order, locks.

#include "fold_cases.h"

#include <limits>

namespace {

using test::check_fold;
using test::distribution;
using thrust_hist::options;
using thrust_hist::route;

// The greatest, and of equals the first: 16 bytes, no atomic.
struct place {
  double value;
  std::int64_t index;
};
struct pick_greatest {
  __host__ __device__ place operator()(place const& a, place const& b) const {
    return b.value > a.value || (b.value == a.value && b.index < a.index) ? b : a;
  }
};
constexpr place nowhere = {-1e300, std::int64_t{1} << 62};

test::samples<place> places(std::size_t n) {
  return test::samples<place>(n, [](std::size_t i) {
    return place{static_cast<double>(test::scrambled(i) % 1000), static_cast<std::int64_t>(i)};
  });
}

enum class means { word, long_word, real_sum, real_sum_exactly, real_minimum, lock };
constexpr means all_means[] = {means::word,         means::long_word, means::real_sum,
                               means::real_sum_exactly, means::real_minimum, means::lock};

int check(means which, test::samples<std::uint32_t> const& keys, std::int64_t bins) {
  const std::size_t n = keys.size();
  BOOST_TEST_CONTEXT("means " << static_cast<int>(which) << ", n = " << n << ", " << bins << " bins")
  switch (which) {
  case means::word:
    return check_fold<std::int32_t>(keys, test::whole_numbers<std::int32_t>(n), bins);
  case means::long_word:
    return check_fold<std::int64_t>(
        keys,
        test::samples<std::int64_t>(
            n, [](std::size_t i) { return static_cast<std::int64_t>(test::scrambled(i)); }),
        bins);
  case means::real_sum:
    return check_fold<float>(keys, test::whole_numbers<float>(n), bins);
  case means::real_sum_exactly:
    return check_fold<float>(keys, test::whole_numbers<float>(n), bins, options{}.exact());
  case means::real_minimum:
    return check_fold<float>(
        keys,
        test::samples<float>(
            n,
            [](std::size_t i) {
              return i % 3 == 0 ? std::numeric_limits<float>::quiet_NaN() : test::whole_number<float>(i);
            }),
        bins, options{}, thrust::minimum<float>{});
  case means::lock:
    return check_fold<place>(keys, places(n), bins, options{}, pick_greatest{}, nowhere);
  }
  return 0;
}

void check_all(distribution d, std::size_t n, std::int64_t bins) {
  const auto keys = test::keys_of(d, n, static_cast<std::uint64_t>(bins));
  BOOST_TEST_CONTEXT(test::name_of(d))
  for (means which : all_means)
    BOOST_TEST(check(which, keys, bins) >= 2);  // the plan's own and global at least
}

}  // namespace

BOOST_AUTO_TEST_SUITE(folds_routes, THRUST_HIST_TEST_SMALL)

BOOST_AUTO_TEST_CASE(sizes_around_quads_warps_and_blocks) {
  std::size_t turn = 0;
  for (std::size_t n : {0, 1, 3, 4, 5, 31, 32, 33, 127, 128, 129, 4095, 4096, 4097, 100003})
    for (std::int64_t bins : {1, 300})
      check_all(test::all_distributions[turn++ % std::size(test::all_distributions)], n, bins);
}

BOOST_AUTO_TEST_CASE(every_distribution_meets_few_and_many_bins) {
  for (distribution d : test::all_distributions)
    for (std::int64_t bins : {7, 5000})
      check_all(d, 20011, bins);
}

BOOST_AUTO_TEST_CASE(pairs_without_a_bin_only) {
  const test::samples<std::uint32_t> keys(10007, [](std::size_t i) { return 70 + i % 2; });
  for (means which : all_means)
    check(which, keys, 70);
}

BOOST_AUTO_TEST_CASE(no_bins_at_all) {
  const test::samples<std::uint32_t> keys(1000, [](std::size_t i) { return i; });
  for (means which : all_means)
    check(which, keys, 0);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(folds_routes_large, THRUST_HIST_TEST_LARGE)

// The number of bins up to which a fold stays as it is, on the GPU at hand.
template <class Same>
std::int64_t last_with(Same same, std::int64_t from, std::int64_t to) {
  while (to - from > 1) {
    const std::int64_t middle = from + (to - from) / 2;
    (same(middle) ? from : to) = middle;
  }
  return from;
}

template <class A, class V, class... Op>
thrust_hist::plan plan_of(std::int64_t bins, std::size_t n, options how, Op... op) {
  thrust_hist::plan plan;
  std::uint32_t const* const keys = nullptr;
  V const* const values = nullptr;
  thrust_hist::histogram_by_key(
      test::cuda::policy(), keys, keys + n, values, static_cast<A*>(nullptr), bins, op...,
      how.explain(&plan));
  return plan;
}

thrust_hist::plan plan_of(means which, std::int64_t bins, std::size_t n) {
  switch (which) {
  case means::word:
    return plan_of<std::int32_t, std::int32_t>(bins, n, {});
  case means::long_word:
    return plan_of<std::int64_t, std::int64_t>(bins, n, {});
  case means::real_sum:
    return plan_of<float, float>(bins, n, {});
  case means::real_sum_exactly:
    return plan_of<float, float>(bins, n, options{}.exact());
  case means::real_minimum:
    return plan_of<float, float>(bins, n, {}, thrust::minimum<float>{});
  case means::lock:
    return plan_of<place, place>(bins, n, {}, pick_greatest{}, nowhere);
  }
  return {};
}

BOOST_AUTO_TEST_CASE(limits_of_the_plan_and_their_neighbours) {
  constexpr std::size_t n = 300007;
  for (means which : all_means) {
    int limits = 0;
    std::int64_t bins = 1;
    while (bins < 100000) {
      const auto here = plan_of(which, bins, n);
      // The bytes of a bin halve where there are half as many copies.
      const auto bytes = [](thrust_hist::plan const& p, std::int64_t b) {
        return static_cast<double>(p.shared_bytes) / static_cast<double>(b);
      };
      const auto same = [&](std::int64_t b) {
        const auto there = plan_of(which, b, n);
        return there.taken == here.taken && there.threads == here.threads &&
               bytes(there, b) * 3 >= bytes(here, bins) * 2 &&
               bytes(there, b) * 2 <= bytes(here, bins) * 3;
      };
      const std::int64_t last = last_with(same, bins, 100000);
      if (last + 1 < 100000) {
        ++limits;
        for (std::int64_t b : {last - 1, last, last + 1})
          if (b > 0)
            for (distribution d : {distribution::uniform, distribution::mostly_one})
              check(which, test::keys_of(d, n, static_cast<std::uint64_t>(b)), b);
      }
      bins = last + 1;
    }
    BOOST_TEST(limits >= 1, "means " << static_cast<int>(which) << " has " << limits << " limits");
  }
}

// Windows, of 1 to 32 copies, are for a million pairs and more.
BOOST_AUTO_TEST_CASE(a_million_pairs_and_its_neighbours) {
  for (std::size_t n : {(1 << 20) - 1, 1 << 20, (1 << 20) + 1})
    for (std::int64_t bins : {1, 600, 1300, 2500, 4400, 5000, 9000, 18000, 19400, 25000}) {
      const auto keys = test::keys_of(distribution::zipf, n, static_cast<std::uint64_t>(bins));
      check(means::real_sum, keys, bins);
      check(means::real_sum_exactly, keys, bins);
    }
}

BOOST_AUTO_TEST_CASE(three_million_pairs_of_every_distribution) {
  constexpr std::int64_t some_bins[] = {1, 257, 4000, 19000, 70000, 1 << 20};
  std::size_t turn = 0;
  for (distribution d : test::all_distributions)
    check_all(d, 3000017, some_bins[turn++ % std::size(some_bins)]);
}

BOOST_AUTO_TEST_SUITE_END()
