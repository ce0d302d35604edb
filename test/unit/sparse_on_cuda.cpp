// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Sparse histograms on CUDA in numbers: mixed codes, what is guessed from a sample, routes and memory.

#include "../support/boost_test.h"
#include <thrust_hist/detail/mixed_codes.h>
#include <thrust_hist/errors.h>
#include <thrust_hist/system/cuda/key_sample.h>
#include <thrust_hist/system/cuda/sparse_plan.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <random>
#include <stdexcept>
#include <utility>

BOOST_AUTO_TEST_SUITE(sparse_on_cuda)

namespace {

using thrust_hist::options;
using thrust_hist::route;
using namespace thrust_hist::detail::cuda;
using thrust_hist::detail::mix_code;
using thrust_hist::detail::unmix_code;

constexpr device_facts h200 = {132, 232448, 233472, 62914560};
constexpr device_facts small_gpu = {20, 49152, 65536, 4194304};
constexpr std::uint64_t million = std::uint64_t{1} << 20;

sparse_problem problem_of(std::uint64_t n, std::size_t code_bytes = 4, bool is_number = true) {
  sparse_problem p = {};
  p.inputs = p.most_keys = n;
  p.code_bytes = code_bytes;
  p.is_number = is_number;
  p.sort_bytes = p.rows_bytes = 1000;
  return p;
}

// A sample of `key(u)`, u uniform in [0, 1).
template <class Key>
key_sample sample_of(Key key) {
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
  }
  return s;
}

}  // namespace

BOOST_AUTO_TEST_CASE(mixing_can_be_undone) {
  int wrong = 0;
  for (std::uint64_t i = 0; i < 1000000; ++i) {
    const std::uint64_t wide = i * 0x9e3779b97f4a7c15u;
    const auto narrow = static_cast<std::uint32_t>(wide >> 13);
    wrong += unmix_code(mix_code(wide)) != wide || unmix_code(mix_code(narrow)) != narrow ? 1 : 0;
  }
  BOOST_TEST(wrong == 0);
  for (std::uint64_t x : {std::uint64_t{0}, ~std::uint64_t{0}, std::uint64_t{1} << 63}) {
    BOOST_TEST(unmix_code(mix_code(x)) == x);
    BOOST_TEST(
        unmix_code(mix_code(static_cast<std::uint32_t>(x))) == static_cast<std::uint32_t>(x));
  }
}

BOOST_AUTO_TEST_CASE(neighbours_fall_into_different_buckets) {
  std::map<std::uint64_t, int> buckets;
  for (std::uint64_t i = 0; i < 64000; ++i)
    ++buckets[mix_code(i) >> 58];
  BOOST_TEST(buckets.size() == 64U);
  for (auto const& b : buckets)
    BOOST_TEST((b.second > 850 && b.second < 1150));
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

BOOST_AUTO_TEST_CASE(rare_keys_are_not_forgotten) {
  constexpr std::uint64_t n = std::uint64_t{1} << 27;
  for (double distinct : {1e5, 1e6, 2e7}) {
    const auto s = sample_of(
        [&](double u) { return static_cast<std::uint64_t>(std::exp(u * std::log(distinct + 1))); });
    const auto guess = static_cast<double>(s.guess(n));
    BOOST_TEST((guess > 0.3 * distinct && guess < 20 * distinct), distinct << ": " << guess);
  }
}

BOOST_AUTO_TEST_CASE(routes) {
  const auto taken = [](sparse_problem const& p, std::uint64_t guess, options const& o = {}) {
    return plan_sparse(p, guess, h200, o).taken;
  };
  BOOST_TEST(taken(problem_of(8 * million - 1), 10) == route::sorted);
  BOOST_TEST(taken(problem_of(8 * million), 10) == route::hashed);
  BOOST_TEST(taken(problem_of(2 * million - 1, 8), 10) == route::sorted);
  BOOST_TEST(taken(problem_of(2 * million, 8), 10) == route::hashed);
  BOOST_TEST(taken(problem_of(128 * million), 18 * million) == route::hashed);
  BOOST_TEST(taken(problem_of(128 * million), 22 * million) == route::sorted);
  BOOST_TEST(taken(problem_of(128 * million, 8), 20 * million) == route::hashed);
  BOOST_TEST(taken(problem_of(128 * million), 128 * million) == route::sorted);
  BOOST_TEST(taken(problem_of(128 * million, 16, false), 10) == route::sorted);
  BOOST_TEST(taken(problem_of(100), 10, options{}.force(route::hashed)) == route::hashed);
  BOOST_TEST(taken(problem_of(128 * million), 10, options{}.force(route::sorted)) == route::sorted);
  BOOST_CHECK_THROW(
      taken(problem_of(100, 16, false), 10, options{}.force(route::hashed)), std::invalid_argument);
  BOOST_CHECK_THROW(
      taken(problem_of(100), 10, options{}.force(route::shared)), std::invalid_argument);
  BOOST_TEST(plan_sparse(problem_of(128 * million), 1000, h200, {}).direct);
  // More keys than tables have slots for, and rows of all blocks.
  BOOST_TEST(taken(problem_of(512 * million), 60 * million) == route::sorted);
  BOOST_TEST(
      plan_sparse(problem_of(128 * million, 8), 20 * million, small_gpu, {}).taken ==
      route::sorted);
  for (std::uint64_t n : {million, 2 * million, 3 * million, 4 * million}) {
    const auto p = plan_sparse(problem_of(n), 5000, h200, options{}.force(route::hashed));
    BOOST_TEST((p.direct && p.room >= 5000 * h200.multiprocessors));
    // Few keys leave few rows.
    const auto few = plan_sparse(problem_of(n), 10, h200, options{}.force(route::hashed));
    BOOST_TEST((few.direct && few.room >= 20 * h200.multiprocessors && few.room <= n / 4));
    BOOST_TEST(!plan_sparse(problem_of(n), 10241, h200, options{}.force(route::hashed)).direct);
    BOOST_TEST(
        plan_sparse(problem_of(n), 10241, h200, options{}.force(route::hashed)).room <= n / 2);
  }
  BOOST_TEST(!plan_sparse(problem_of(128 * million), 100000, h200, {}).direct);
}

// Who explains does not look, and is told of what takes most.
BOOST_AUTO_TEST_CASE(no_number_of_distinct_keys_takes_more_than_is_explained) {
  for (auto const& forced : {options{}, options{}.force(route::hashed)})
    for (std::size_t bytes : {4, 8})
      for (std::uint64_t n = 1000; n < 100 * million; n += n / 3) {
        thrust_hist::plan told;
        const auto most =
            plan_sparse(problem_of(n, bytes), n, h200, options(forced).explain(&told));
        for (std::uint64_t guess = 1; guess <= n; guess += guess / 5 + 1)
          BOOST_TEST_REQUIRE(
              plan_sparse(problem_of(n, bytes), guess, h200, forced).bytes <= most.bytes,
              n << " keys, " << guess << " distinct");
      }
}

// Twice the input and 64 bytes a distinct key, or what a sort takes, with tables of any size.
BOOST_AUTO_TEST_CASE(no_more_memory_is_taken_than_is_promised) {
  for (std::size_t kibibytes : {48, 64, 99, 163, 227})
    for (unsigned processors : {20U, 132U})
      for (std::size_t code : {4, 8})
        for (std::size_t value : {0, 4, 8}) {
          const device_facts facts = {
              processors, kibibytes * 1024, (kibibytes + 1) * 1024, std::size_t{40} << 20};
          std::uint64_t hashed = 0;
          for (std::uint64_t n : {8 * million, 64 * million, 128 * million, 256 * million})
            for (std::uint64_t guess = 1; guess <= n; guess += guess / 3 + 1) {
              auto p = problem_of(n, code);
              if (value != 0)
                p.values = {true, true, true, value, value, 8, value, 0, 1000, 1000};
              const auto plan = plan_sparse(p, guess, facts, {});
              hashed += plan.taken == route::hashed ? 1 : 0;
              const std::size_t promised = std::max(
                  2 * n * (code + value) + 64 * guess,
                  plan_sparse(p, guess, facts, options{}.force(route::sorted)).bytes);
              BOOST_TEST_REQUIRE(
                  plan.bytes <= promised, kibibytes << " KiB, " << processors << " processors, "
                                                    << code << " + " << value << " bytes, " << n
                                                    << " keys, " << guess << " distinct");
            }
          BOOST_TEST(hashed > 40U);
        }
}

// The cap that is told without a look works after one.
BOOST_AUTO_TEST_CASE(room_under_a_cap_is_that_of_any_number_of_distinct_keys) {
  for (std::uint64_t n : {million, 3 * million, 9 * million}) {
    const auto forced = options{}.force(route::hashed);
    const auto told = plan_sparse(
        problem_of(n), n, h200, options(forced).max_temporary_bytes(std::size_t{1} << 40));
    for (std::uint64_t guess : {std::uint64_t{10}, std::uint64_t{9000}, std::uint64_t{100000}})
      BOOST_TEST(
          plan_sparse(
              problem_of(n), guess, h200, options(forced).max_temporary_bytes(told.bytes + million))
              .room == told.room);
  }
}

BOOST_AUTO_TEST_CASE(bits_of_all_codes_are_looked_at_where_that_may_spare_passes_of_a_sort) {
  key_sample nothing = {};
  key_sample seen = {};
  seen.distinct = 1;
  BOOST_TEST(
      (may_be_sorted_by_less(8 * million, 4, seen) && !may_be_sorted_by_less(1000, 4, seen)));
  seen.differing = 0xffffff00U;
  BOOST_TEST(may_be_sorted_by_less(8 * million, 4, seen));
  seen.differing = 0x01ffffffU;
  BOOST_TEST(!may_be_sorted_by_less(8 * million, 4, seen));
  BOOST_TEST(may_be_sorted_by_less(8 * million, 8, seen));
  seen.differing = ~0ULL;
  BOOST_TEST(!may_be_sorted_by_less(8 * million, 8, seen));
  seen.differing = ~(0xffULL << 20);  // spares nothing
  BOOST_TEST(!may_be_sorted_by_less(8 * million, 8, seen));
  seen.differing = ~(0xffffffffULL << 20);
  BOOST_TEST(may_be_sorted_by_less(8 * million, 8, seen));
  seen.differing = ~0ULL;
  for (std::size_t bytes : {4, 8, 16})
    BOOST_TEST(!may_be_sorted_by_less(8 * million, bytes, nothing));
  // Of 16 bytes, those that differ in all of their low bits, too.
  BOOST_TEST(may_be_sorted_by_less(5 * million, 16, seen));
  BOOST_TEST(!may_be_sorted_by_less(4 * million - 1, 16, seen));
  seen.differing_high = ~0ULL;
  BOOST_TEST(!may_be_sorted_by_less(5 * million, 16, seen));
  seen.differing = 255;
  BOOST_TEST(may_be_sorted_by_less(5 * million, 16, seen));
}

// All bits that differ are in a part, and passes are spared where bits between do not.
BOOST_AUTO_TEST_CASE(numbers_are_sorted_by_parts_in_which_they_differ) {
  using thrust_hist::detail::uint128;
  const auto bits = [](int first, int end) {
    return (end - first == 128 ? ~uint128{} : (uint128{1} << (end - first)) - 1) << first;
  };
  BOOST_TEST(parts_that_differ(0).size == 0);
  BOOST_TEST(parts_that_differ(~uint128{}).passes() == 16);
  BOOST_TEST(parts_that_differ(bits(0, 64)).passes() == 8);
  BOOST_TEST(parts_that_differ(bits(3, 11)).passes() == 1);
  BOOST_TEST(parts_that_differ(bits(0, 12) | bits(54, 64)).size == 2);
  BOOST_TEST(parts_that_differ(bits(0, 12) | bits(54, 64)).passes() == 5);
  BOOST_TEST(parts_that_differ(bits(0, 12) | bits(35, 64)).passes() == 8);  // not enough between
  BOOST_TEST(parts_that_differ(bits(0, 12) | bits(36, 64)).passes() == 7);
  BOOST_TEST(parts_that_differ(bits(0, 20) | bits(60, 70) | bits(120, 128)).passes() == 8);
  std::mt19937_64 rng(5);
  for (int i = 0; i < 1000; ++i) {
    uint128 differing = 0;
    for (int runs = 1 + static_cast<int>(rng() % 5); runs > 0; --runs) {
      const int first = static_cast<int>(rng() % 128);
      differing |= bits(first, first + 1 + static_cast<int>(rng() % (128 - first)) / 4);
    }
    const auto found = parts_that_differ(differing);
    uint128 in_parts = 0;
    for (int p = 0; p < found.size; ++p) {
      BOOST_TEST((p == 0 || found.parts[p - 1].end < found.parts[p].first));
      in_parts |= bits(found.parts[p].first, found.parts[p].end);
    }
    BOOST_TEST(((differing & ~in_parts) == 0));
    BOOST_TEST(((differing >> found.all().first & 1) == 1));
    BOOST_TEST(((differing >> (found.all().end - 1)) == 1));
    BOOST_TEST(found.passes() <= found.all().passes());
  }
}

// The words of a table hold what a block counts or adds up.
BOOST_AUTO_TEST_CASE(more_than_a_table_can_count_goes_by_batches) {
  const std::uint64_t blocks = h200.multiprocessors;
  const std::uint64_t counts = code_buckets::most_codes * blocks;
  BOOST_TEST(plan_sparse(problem_of(counts - 1), 1000, h200, {}).direct);
  BOOST_TEST(!plan_sparse(problem_of(counts), 1000, h200, {}).direct);
  auto values = problem_of(code_buckets::most_values * blocks);
  values.values.any = values.values.in_slots = values.values.sorted = true;
  values.values.slot = 12;
  values.values.in_bucket = 4;
  BOOST_TEST(!plan_sparse(values, 1000, h200, {}).direct);
  values.inputs -= 1;
  BOOST_TEST(plan_sparse(values, 1000, h200, {}).direct);
}

BOOST_AUTO_TEST_CASE(memory_is_capped_or_refused) {
  for (auto const& facts : {h200, small_gpu})
    for (std::size_t bytes : {4, 8})
      for (std::uint64_t n : {std::uint64_t{1}, million, 128 * million})
        for (route forced : {route::automatic, route::hashed, route::sorted}) {
          const auto p = problem_of(n, bytes);
          const auto o = options{}.force(forced);
          std::size_t least = 0;
          try {
            plan_sparse(p, n / 8, facts, options{o}.max_temporary_bytes(0));
          } catch (thrust_hist::memory_limit_error const& error) {
            least = error.smallest();
          }
          BOOST_TEST(least > 2 * n * bytes);
          BOOST_CHECK_THROW(
              plan_sparse(p, n / 8, facts, options{o}.max_temporary_bytes(least - 1)),
              thrust_hist::memory_limit_error);
          BOOST_TEST(
              plan_sparse(p, n / 8, facts, options{o}.max_temporary_bytes(least)).bytes <= least);
          const auto free = plan_sparse(p, n / 8, facts, o);
          BOOST_TEST(free.bytes >= 2 * n * bytes);
          if (n >= million)  // twice the input and 64 bytes a distinct key, of which there may be n
            BOOST_TEST(free.bytes <= 2 * n * bytes + 64 * n);
        }
}

// Keys of which some were looked at: evenly in [0, last].
sparse_problem even_problem(std::uint64_t n, std::uint64_t last, std::size_t code_bytes = 4) {
  sparse_problem p = problem_of(n, code_bytes);
  p.has_ranges = true;
  p.ranges.last = last;
  p.ranges.heaviest = 16;
  p.ranges.densest = 300;
  p.ranges.codes = range_sample::size;
  return p;
}

BOOST_AUTO_TEST_CASE(even_keys_are_counted_range_by_range_where_it_pays) {
  const auto taken = [](sparse_problem const& p, std::uint64_t guess, options const& o = {}) {
    return plan_sparse(p, guess, h200, o).taken;
  };
  constexpr std::uint64_t all = std::numeric_limits<std::uint32_t>::max();
  // Neighbours, unless they are few.
  BOOST_TEST(taken(even_problem(128 * million, million), million) == route::partitioned);
  BOOST_TEST(taken(even_problem(128 * million, million, 8), million) == route::partitioned);
  BOOST_TEST(taken(even_problem(8 * million, million), million) == route::partitioned);
  BOOST_TEST(
      taken(even_problem(128 * million, 128 * million - 1), 128 * million) == route::partitioned);
  BOOST_TEST(!pays_by_ranges(even_problem(4 * million, million), million / 8, h200));
  BOOST_TEST(taken(even_problem(128 * million, 100000), 100000) == route::hashed);
  BOOST_TEST(taken(even_problem(128 * million, 100 * million), million) == route::hashed);
  // Keys all over their type, if they are many.
  BOOST_TEST(taken(even_problem(128 * million, all), million) == route::hashed);
  BOOST_TEST(taken(even_problem(128 * million, all), 20 * million) == route::partitioned);
  BOOST_TEST(taken(even_problem(128 * million, all), 128 * million) == route::partitioned);
  BOOST_TEST(taken(even_problem(64 * million, all), 20 * million) == route::partitioned);
  BOOST_TEST(taken(even_problem(64 * million, all), 64 * million) == route::partitioned);
  BOOST_TEST(taken(even_problem(16 * million, all), million) == route::hashed);
  // Further apart than 2^32: if they are not few, up to where each bucket had to be read many times.
  for (std::uint64_t last : {all * 2, all << 10, ~std::uint64_t{0}}) {
    BOOST_TEST(taken(even_problem(128 * million, last, 8), 100000) == route::hashed);
    BOOST_TEST(taken(even_problem(128 * million, last, 8), million) == route::partitioned);
    BOOST_TEST(taken(even_problem(128 * million, last, 8), 50 * million) == route::partitioned);
    BOOST_TEST(taken(even_problem(128 * million, last, 8), 128 * million) == route::sorted);
  }
  // Neither where they are not even, nor where nobody has looked, nor with a cap that is too small.
  auto uneven = even_problem(128 * million, million);
  uneven.ranges.heaviest = 100;
  BOOST_TEST(taken(uneven, million) == route::hashed);
  uneven = even_problem(128 * million, million);
  uneven.is_skewed = true;
  BOOST_TEST(taken(uneven, million) == route::hashed);
  BOOST_TEST(taken(problem_of(128 * million), million) == route::hashed);
  uneven = even_problem(128 * million, all);
  uneven.ranges.densest = 1500;  // of 8192, in a 32nd of the range
  BOOST_TEST(taken(uneven, 128 * million) == route::sorted);
  // Nor where a counter may be too small, nor where marks would be made twice.
  uneven = even_problem(512 * million, million);
  uneven.most_seen = 7;
  BOOST_TEST(taken(uneven, million) == route::hashed);
  uneven.most_seen = 6;
  BOOST_TEST(taken(uneven, million) == route::partitioned);
  auto counted_first = even_problem(128 * million, all);
  counted_first.counts_rows_first = true;
  BOOST_TEST(taken(counted_first, 22 * million) == route::sorted);
  counted_first = even_problem(128 * million, million);
  counted_first.counts_rows_first = true;
  BOOST_TEST(taken(counted_first, million) == route::partitioned);
  counted_first = even_problem(128 * million, ~std::uint64_t{0}, 8);
  counted_first.counts_rows_first = true;
  BOOST_TEST(taken(counted_first, million) == route::partitioned);
  BOOST_TEST(taken(counted_first, 50 * million) == route::sorted);
  const auto free = plan_sparse(even_problem(128 * million, million), million, h200, {});
  BOOST_TEST(
      taken(
          even_problem(128 * million, million), million,
          options{}.max_temporary_bytes(free.bytes)) == route::partitioned);
  // Whoever asks without keys is told of what takes most.
  thrust_hist::plan told;
  const auto explained = plan_sparse(
      even_problem(128 * million, million), 128 * million, h200, options{}.explain(&told));
  BOOST_TEST(explained.bytes >= free.bytes);
  BOOST_TEST(
      taken(even_problem(5, 5), 5, options{}.force(route::partitioned)) == route::partitioned);
  BOOST_CHECK_THROW(
      taken(problem_of(5), 5, options{}.force(route::partitioned)), std::invalid_argument);
}

BOOST_AUTO_TEST_CASE(even_keys_of_which_most_are_distinct_are_put_in_order_bucket_by_bucket) {
  const auto is_ordered = [](sparse_problem const& p, std::uint64_t guess) {
    const auto plan = plan_sparse(p, guess, h200, {});
    BOOST_TEST((!plan.is_ordered || plan.taken == route::partitioned));
    return plan.is_ordered;
  };
  constexpr std::uint64_t all = std::numeric_limits<std::uint32_t>::max();
  constexpr std::uint64_t wide = ~std::uint64_t{0};
  for (std::uint64_t n : {8 * million, 16 * million, 32 * million}) {
    BOOST_TEST(is_ordered(even_problem(n, all), n));
    BOOST_TEST(is_ordered(even_problem(n, all), n / 4));
    BOOST_TEST(!is_ordered(even_problem(n, all), n / 20));
    BOOST_TEST(is_ordered(even_problem(n, wide, 8), n));
    BOOST_TEST(!is_ordered(even_problem(n, wide, 8), n / 4));  // in tables that keep the order
  }
  BOOST_TEST(is_ordered(even_problem(4 * million, wide, 8), 4 * million / 10));
  BOOST_TEST(is_ordered(even_problem(4 * million, wide >> 12, 8), 4 * million));
  BOOST_TEST(is_ordered(even_problem(4 * million, all, 8), 4 * million));
  BOOST_TEST(!is_ordered(even_problem(4 * million, wide, 8), 4 * million / 20));
  // There are no more buckets that would fit.
  BOOST_TEST(!is_ordered(even_problem(64 * million, all), 64 * million));
  BOOST_TEST(!is_ordered(even_problem(128 * million, wide, 8), 128 * million));
  // Counters, one for each code, take less.
  BOOST_TEST(!is_ordered(even_problem(16 * million, 32 * million), 16 * million));
  // Neither where keys are skewed, nor where one is so frequent that a bucket would have much of it.
  auto p = even_problem(16 * million, all);
  p.is_skewed = true;
  BOOST_TEST(!pays_by_order(p, 16 * million, h200));
  p = even_problem(16 * million, all);
  p.most_seen = 20;
  BOOST_TEST(!pays_by_order(p, 16 * million, h200));
  p.most_seen = 19;
  BOOST_TEST(is_ordered(p, 16 * million));
}

// A range that ends just below a power of two reaches beyond it with its margin, which makes buckets twice as wide.
BOOST_AUTO_TEST_CASE(buckets_are_planned_for_the_range_that_is_expected) {
  for (std::uint64_t n : {4 * million, 16 * million, 28 * million, 32 * million, 48 * million})
    for (std::uint64_t last :
         {(std::uint64_t{1} << 50) - 1, std::uint64_t{1} << 50, (std::uint64_t{1} << 30) - 1}) {
      const auto p = even_problem(n, last, 8);
      const auto plan = plan_sparse(p, n, h200, {});
      if (!plan.is_ordered || plan.is_uneven)
        continue;
      const std::uint64_t reach = last + 2 * p.ranges.margin();
      BOOST_TEST(expected_reach(p) == reach);
      const bool has_room =
          last > widest_range ? plan_ordered_buckets<std::uint64_t>(reach, 1.01, n, h200).has_room
                              : plan_ordered_buckets<std::uint32_t>(reach, 1.01, n, h200).has_room;
      BOOST_TEST(has_room, n << ", " << last);
    }
  const auto plan = plan_sparse(
      even_problem(48 * million, (std::uint64_t{1} << 50) - 1, 8), 48 * million, h200, {});
  BOOST_TEST((!plan.is_ordered || plan.is_uneven));
}

static sparse_problem uneven_problem(std::uint64_t n, std::size_t code_bytes) {
  auto p = even_problem(n, code_bytes > 4 ? ~std::uint64_t{0} : 0xffffffffU, code_bytes);
  p.ranges.heaviest = 100;
  p.most_seen = 1;
  return p;
}
BOOST_AUTO_TEST_CASE(uneven_keys_of_which_most_are_distinct_are_put_in_order_in_drawn_buckets) {
  const auto is_uneven = [](sparse_problem const& p, std::uint64_t guess) {
    const auto plan = plan_sparse(p, guess, h200, {});
    BOOST_TEST((!plan.is_uneven || (plan.taken == route::partitioned && plan.is_ordered)));
    BOOST_TEST((!plan.is_uneven || (plan.whole_range && plan.widest == widest_of(p))));
    return plan.is_uneven;
  };
  for (std::uint64_t n : {8 * million, 16 * million, 32 * million}) {
    BOOST_TEST(is_uneven(uneven_problem(n, 4), n));
    BOOST_TEST(is_uneven(uneven_problem(n, 4), n / 5));
    BOOST_TEST(!is_uneven(uneven_problem(n, 4), n / 8));  // hash tables
  }
  for (std::uint64_t n : {4 * million, 8 * million, 32 * million, 36 * million}) {
    BOOST_TEST(is_uneven(uneven_problem(n, 8), n));
    BOOST_TEST(is_uneven(uneven_problem(n, 8), n / 4));
    BOOST_TEST(!is_uneven(uneven_problem(n, 8), n / 5));
  }
  // Even ones have other buckets, and more than these have room for are sorted.
  BOOST_TEST(!is_uneven(even_problem(8 * million, 0xffffffffU), 8 * million));
  BOOST_TEST(!is_uneven(uneven_problem(64 * million, 4), 64 * million));
  BOOST_TEST(!is_uneven(uneven_problem(128 * million, 8), 128 * million));
  // Skewed ones, too, and those that are not even since one is frequent.
  auto p = uneven_problem(8 * million, 4);
  p.is_skewed = true;
  BOOST_TEST(is_uneven(p, 8 * million));
  p = even_problem(16 * million, 0xffffffffU);
  p.most_seen = 20;
  BOOST_TEST(is_uneven(p, 16 * million));
  p = uneven_problem(8 * million, 4);
  p.has_ranges = false;
  BOOST_TEST(!is_uneven(p, 8 * million));
  // Crowded ones that lie evenly otherwise, too; those of 4 bytes are sorted.
  p = even_problem(8 * million, ~std::uint64_t{0}, 8);
  p.most_seen = 1;
  BOOST_TEST(!is_uneven(p, 8 * million));
  p.is_crowded = p.is_much_crowded = true;
  BOOST_TEST(is_uneven(p, 8 * million));
  p = uneven_problem(8 * million, 4);
  p.is_crowded = true;
  BOOST_TEST(is_uneven(p, 8 * million));
  p.is_much_crowded = true;
  BOOST_TEST((plan_sparse(p, 8 * million, h200, {}).taken == route::sorted));
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
}

// Of few keys nobody looks at any; of many nobody knows whether hash tables would do, where nobody has.
BOOST_AUTO_TEST_CASE(few_keys_are_put_in_order_in_drawn_buckets_without_a_look) {
  const auto plan = [](std::uint64_t n, std::size_t code_bytes, options const& o = {}) {
    auto p = problem_of(n, code_bytes);
    p.has_ranges = true;
    return plan_sparse(p, n, h200, o);
  };
  for (std::size_t code_bytes : {4, 8}) {
    const std::uint64_t least = inputs_worth_drawing;
    const std::uint64_t many = drawn_worth_a_look(code_bytes);
    for (std::uint64_t n : {least, least + 12345, many - 1}) {
      BOOST_TEST((plan(n, code_bytes).taken == route::partitioned));
      BOOST_TEST(plan(n, code_bytes).is_uneven);
      BOOST_TEST((plan(n, code_bytes, options{}.force(route::sorted)).taken == route::sorted));
      const std::size_t bytes = plan(n, code_bytes).bytes;
      BOOST_TEST(bytes == plan(n, code_bytes, options{}.force(route::sorted)).bytes);
      BOOST_TEST(
          (plan(n, code_bytes, options{}.max_temporary_bytes(bytes)).taken == route::partitioned));
      BOOST_TEST(!plan(n, code_bytes, options{}.force(route::partitioned)).is_uneven);
    }
    BOOST_TEST((plan(least - 1, code_bytes).taken == route::sorted));
    BOOST_TEST(!plan(many, code_bytes).is_uneven);
  }
  BOOST_TEST((plan_sparse(problem_of(million, 8), million, h200, {}).taken == route::sorted));
}

// Keys that have values, and those for which there are no such buckets, are.
BOOST_AUTO_TEST_CASE(counts_of_8_bytes_are_not_looked_at_for_longer) {
  const auto looks = [](std::uint64_t n, std::size_t code_bytes, bool has_ranges,
                        device_facts const& facts) {
    auto p = problem_of(n, code_bytes);
    p.has_ranges = has_ranges;
    return may_hash(p, {}, facts);
  };
  const device_facts small = {20, 48 * 1024, 49 * 1024, std::size_t{4} << 20};
  for (std::uint64_t n : {2 * million, 3 * million, 4 * million - 1}) {
    BOOST_TEST(!looks(n, 8, true, h200));
    BOOST_TEST(looks(n, 8, false, h200));
    BOOST_TEST(looks(n, 8, true, small));
    BOOST_TEST(!looks(n, 4, true, h200));
  }
  BOOST_TEST(looks(4 * million, 8, true, h200));
  BOOST_TEST(!looks(2 * million - 1, 8, false, h200));
  BOOST_TEST(looks(8 * million, 4, true, h200));
}

BOOST_AUTO_TEST_CASE(drawn_buckets_fit_shared_memory_and_what_a_sort_would_take) {
  const auto check = [](auto code, std::size_t kibibytes, std::uint32_t multiprocessors) {
    using code_type = decltype(code);
    const device_facts facts = {
        multiprocessors, kibibytes * 1024, (kibibytes + 1) * 1024, 40U << 20};
    std::uint64_t with_room = 0, before = 0, last_with_room = 0;
    for (std::uint64_t n = 100000; n <= 256 * million; n = n * 21 / 20 + 1) {
      const auto b = plan_drawn_buckets<code_type>(n, facts);
      // From the least number to the greatest one.
      BOOST_TEST((!b.has_room || n < 100000 || last_with_room == 0 || last_with_room == before));
      before = n;
      if (!b.has_room)
        continue;
      ++with_room;
      BOOST_TEST(b.are_drawn());
      BOOST_TEST(b.slices.buckets == b.buckets);
      BOOST_TEST(b.buckets >= 2U);
      BOOST_TEST((1U << b.steps()) >= b.buckets);
      BOOST_TEST(b.slices.shared_bytes() <= facts.shared_bytes_block);
      BOOST_TEST(b.tile_shared_bytes() <= facts.shared_bytes_block);
      BOOST_TEST(b.bytes() + b.sample_bytes() <= 2 * n * sizeof(code_type));
      BOOST_TEST(b.buckets <= b.threads * b.most_of_thread);
      BOOST_TEST(static_cast<double>(b.slices.room) * b.buckets >= 1.7 * static_cast<double>(n));
      const auto sample = plan_sample(b.sample_size());
      BOOST_TEST(sample.shared_bytes(sizeof(code_type)) <= facts.shared_bytes_block);
      last_with_room = n;
      BOOST_TEST(sample.room * sample.ranges >= 4 * b.sample_size());
      // An array of codes begins where another one ends.
      BOOST_TEST(sample.size % 4 == 0U);
      BOOST_TEST(sample.room % 4 == 0U);
    }
    BOOST_TEST(with_room >= 8U);
  };
  for (std::size_t kibibytes : {48, 99, 163, 227})
    for (std::uint32_t multiprocessors : {20, 132}) {
      check(std::uint32_t{}, kibibytes, multiprocessors);
      check(std::uint64_t{}, kibibytes, multiprocessors);
    }
}

// Whatever they are, unless somebody forces a route or CUB's sort takes less; and nobody looks at them.
BOOST_AUTO_TEST_CASE(values_are_sorted_bucket_by_bucket_with_their_keys) {
  const auto with_values = [](std::uint64_t n, std::size_t code_bytes) {
    auto p = problem_of(n, code_bytes);
    p.values = {true, true, true, 4, 12, 4, 4, 8, 1000, 1000};
    return p;
  };
  const auto by_buckets = [](sparse_problem const& p, options const& o = {},
                             device_facts const& facts = h200) {
    const auto plan = plan_sparse(p, p.inputs, facts, o);
    BOOST_TEST((plan.taken == route::sorted));
    return plan.by_buckets;
  };
  const std::uint64_t least = inputs_worth_drawing;
  for (std::size_t code_bytes : {4, 8}) {
    const std::uint64_t most = code_bytes == 4 ? 8 * million - 1 : 8 * million;
    for (std::uint64_t n : {least, least + 12345, million, most}) {
      BOOST_TEST(by_buckets(with_values(n, code_bytes)));
      BOOST_TEST(!by_buckets(with_values(n, code_bytes), options{}.force(route::sorted)));
      const bool looks = may_hash(with_values(n, code_bytes), {}, h200);
      BOOST_TEST(looks == (n >= drawn_worth_a_look(code_bytes)));
      auto p = with_values(n, code_bytes);
      p.values.sorted = false;
      BOOST_TEST(!pays_by_buckets(p, h200));
      p = with_values(n, code_bytes);
      p.is_number = false;
      BOOST_TEST(!pays_by_buckets(p, h200));
      p = problem_of(n, code_bytes);
      BOOST_TEST(!pays_by_buckets(p, h200));
    }
    BOOST_TEST(!by_buckets(with_values(least - 1, code_bytes)));
    BOOST_TEST(!by_buckets(with_values(most + 1, code_bytes)));
  }
  // How codes lie matters where they may go to buckets, are counted, or are sorted by their high bits.
  BOOST_TEST(asks_for_ranges(with_values(8 * million - 1, 4)));
  BOOST_TEST(!asks_for_ranges(with_values(8 * million, 4)));
  BOOST_TEST(asks_for_ranges(problem_of(8 * million, 4)));
  BOOST_TEST(asks_for_ranges(with_values(64 * million, 8)));
  // More of them if they crowd.
  auto p = with_values(32 * million, 8);
  BOOST_TEST(!by_buckets(p));
  p.is_crowded = true;
  BOOST_TEST(by_buckets(p));
  p.values.beside_code = 8;
  BOOST_TEST(!by_buckets(p));
  p.inputs = p.most_keys = 28 * million;
  BOOST_TEST(by_buckets(p));
  p.values.beside_code = 4;
  p.inputs = p.most_keys = 32 * million + 1;
  BOOST_TEST(!by_buckets(p));
  // Less where values are twice as large as codes.
  p = with_values(2 * million - 1, 4);
  p.values.beside_code = 8;
  BOOST_TEST(by_buckets(p));
  p.inputs = p.most_keys = 2 * million;
  BOOST_TEST(!by_buckets(p));
  const device_facts tiny = {20, 16 * 1024, 17 * 1024, std::size_t{4} << 20};
  BOOST_TEST(!by_buckets(with_values(million, 8), {}, tiny));
}

BOOST_AUTO_TEST_CASE(pairs_have_groups_of_one_where_there_is_room_and_of_three_where_not) {
  const auto of_group = [](std::uint64_t n, std::size_t word_bytes) {
    const auto b = plan_paired_buckets<std::uint64_t>(n, word_bytes, h200);
    BOOST_TEST(b.has_room);
    return static_cast<double>(n) / b.buckets() / b.slices.groups();
  };
  for (std::size_t word_bytes : {4, 8}) {
    for (std::uint64_t n : {million / 16, million, 4 * million, 16 * million})
      BOOST_TEST(of_group(n, word_bytes) <= 1.0);
    const double of_many = of_group(word_bytes == 4 ? 32 * million : 28 * million, word_bytes);
    BOOST_TEST(of_many > 1.0);
    BOOST_TEST(of_many <= 3.0);
  }
}

BOOST_AUTO_TEST_CASE(buckets_of_pairs_fit_shared_memory_and_what_a_sort_would_take) {
  const auto check = [](auto code, std::size_t word_bytes, std::size_t kibibytes,
                        std::uint32_t multiprocessors) {
    using code_type = decltype(code);
    const device_facts facts = {
        multiprocessors, kibibytes * 1024, (kibibytes + 1) * 1024, 40U << 20};
    std::uint64_t with_room = 0;
    for (std::uint64_t n = inputs_worth_drawing; n <= 256 * million; n = n * 21 / 20 + 1) {
      const auto b = plan_paired_buckets<code_type>(n, word_bytes, facts);
      if (!b.has_room)
        continue;
      ++with_room;
      BOOST_TEST(b.buckets() >= 2U);
      BOOST_TEST(b.parts() <= 1U << 16);  // numbers of 16 bits
      BOOST_TEST((1U << b.steps()) >= b.buckets());
      BOOST_TEST(b.parts() <= b.threads * b.most_parts_of_thread);
      BOOST_TEST(b.tile_shared_bytes() <= facts.shared_bytes_block);
      BOOST_TEST(b.search_shared_bytes() <= facts.shared_bytes_block);
      BOOST_TEST(b.shared_bytes() <= facts.shared_bytes_block);
      BOOST_TEST(b.shared_bytes() >= b.slices.room * (sizeof(code_type) + word_bytes));
      BOOST_TEST(b.slices.groups() % ordered_slices::threads == 0U);
      BOOST_TEST(static_cast<double>(b.slices.room) * b.buckets() >= 1.7 * static_cast<double>(n));
      BOOST_TEST(b.tile_blocks(n, facts) >= 1U);
      BOOST_TEST(b.search_blocks(n, facts) >= 1U);
      // With 2 bytes a pair no more than the second arrays of a sort.
      BOOST_TEST(b.sample_bytes() + b.part_bytes() + 2 * n <= n * (sizeof(code_type) + word_bytes));
      const auto sample = plan_sample(b.sample_size());
      BOOST_TEST(sample.shared_bytes(sizeof(code_type)) <= facts.shared_bytes_block);
    }
    return with_room;
  };
  for (std::size_t kibibytes : {48, 99, 163, 227})
    for (std::uint32_t multiprocessors : {20, 132})
      for (std::size_t word_bytes : {4, 8})
        BOOST_TEST_CONTEXT(
            kibibytes << " KiB, " << multiprocessors << ", words of " << word_bytes) {
          const auto of_4 = check(std::uint32_t{}, word_bytes, kibibytes, multiprocessors);
          const auto of_8 = check(std::uint64_t{}, word_bytes, kibibytes, multiprocessors);
          BOOST_TEST((kibibytes < 99 || of_4 > 40U));
          BOOST_TEST((kibibytes < 99 || of_8 > 40U));
        }
}

BOOST_AUTO_TEST_CASE(buckets_that_are_put_in_order_fit_shared_memory) {
  const auto check = [](auto code, std::uint64_t last, std::size_t kibibytes, double density) {
    using code_type = decltype(code);
    const device_facts facts = {100, kibibytes * 1024, (kibibytes + 1) * 1024, 40U << 20};
    for (std::uint64_t n = 1; n <= 256 * million; n = n * 3 + 1) {
      const auto b = plan_ordered_buckets<code_type>(last, density, n, facts);
      if (!b.has_room)
        continue;
      const auto& s = b.slices;
      BOOST_TEST(s.shared_bytes() <= facts.shared_bytes_block);
      BOOST_TEST(b.tile_shared_bytes() <= facts.shared_bytes_block);
      BOOST_TEST(b.bytes() <= 2 * n * sizeof(code_type));
      BOOST_TEST(s.groups() >= 4 * ordered_slices::threads);
      BOOST_TEST(s.groups_log2 <= s.bucket_bits);
      BOOST_TEST(s.room % 4 == 0U);
      BOOST_TEST(b.buckets <= b.threads * b.most_of_thread);
      const std::uint64_t highest = last << b.shift();
      BOOST_TEST((highest >> s.bucket_bits) + 1 == b.buckets);
      const std::uint32_t top = static_cast<std::uint32_t>(highest >> (8 * sizeof(code) - 32));
      BOOST_TEST(
          static_cast<std::uint32_t>(std::uint64_t{top} * b.factor() >> 32) + 1 == b.buckets);
      BOOST_TEST(static_cast<double>(s.room) * b.buckets >= 1.5 * static_cast<double>(n));
    }
  };
  for (std::size_t kibibytes : {48, 99, 163, 227})
    for (double density : {1.0, 1.2}) {
      for (std::uint64_t last : {0xffffffffU, 0xfe000001U, 0x80000000U, 0x12345U, 4000000U})
        check(std::uint32_t{}, last, kibibytes, density);
      for (unsigned bits = 33; bits <= 64; ++bits)
        check(std::uint64_t{}, (~std::uint64_t{0} >> (64 - bits)) - 12345, kibibytes, density);
    }
}

// Codes from `lowest` to `lowest` + `last`, as a sample has seen them.
static sparse_problem dense_problem(
    std::uint64_t n, std::uint64_t lowest, std::uint64_t last, std::size_t code_bytes = 4) {
  sparse_problem p = problem_of(n, code_bytes);
  p.has_ranges = p.has_places = true;
  p.ranges.lowest = lowest;
  p.ranges.last = last;
  p.ranges.codes = range_sample::size;
  return p;
}
BOOST_AUTO_TEST_CASE(codes_that_are_few_have_a_counter_each) {
  const auto taken = [](sparse_problem const& p, options const& o = {}) {
    return plan_sparse(p, 1000, h200, o).taken;
  };
  for (std::uint64_t last : {std::uint64_t{0}, std::uint64_t{1000}, std::uint64_t{231500}})
    BOOST_TEST(taken(dense_problem(128 * million, 5, last)) == route::shared, last);
  BOOST_TEST(taken(dense_problem(128 * million, 5, 232000)) == route::hashed);
  BOOST_TEST(taken(dense_problem(128 * million, 5, 115500, 8)) == route::shared);
  BOOST_TEST(taken(dense_problem(128 * million, 5, 116000, 8)) == route::hashed);
  BOOST_TEST(taken(dense_problem(million - 1, 5, 100)) == route::shared);
  // Not where some keys are alone, nobody has looked, or the cap has no room for another route.
  auto p = dense_problem(128 * million, 5, 1000);
  p.has_places = false;
  BOOST_TEST(taken(p) == route::hashed);
  p = dense_problem(128 * million, 5, 1000);
  p.ranges = {};
  BOOST_TEST(taken(p) == route::hashed);
  const auto free = plan_sparse(dense_problem(128 * million, 5, 1000), 1000, h200, {});
  BOOST_TEST(
      taken(dense_problem(128 * million, 5, 1000), options{}.max_temporary_bytes(free.bytes)) ==
      route::shared);
  BOOST_CHECK_THROW(
      plan_sparse(problem_of(5), 5, h200, options{}.force(route::shared)), std::invalid_argument);
}
BOOST_AUTO_TEST_CASE(counted_codes_are_those_of_the_sample_and_some_on_either_side) {
  for (std::size_t kibibytes : {48, 99, 163, 227}) {
    const device_facts facts = {100, kibibytes * 1024, (kibibytes + 1) * 1024, 40U << 20};
    for (std::size_t bytes : {4, 8}) {
      const std::uint64_t highest = bytes == 4 ? 0xffffffff : ~std::uint64_t{0};
      for (std::uint64_t last = 0; last < 300000; last = last * 3 / 2 + 1)
        for (std::uint64_t lowest :
             {std::uint64_t{0}, std::uint64_t{7}, highest / 3, highest - last - 7,
              highest - last}) {
          const auto p = dense_problem(million, lowest, last, bytes);
          const dense_codes d = dense_range(p, facts);
          const unsigned parts = parts_log2_for(last + 2 * p.ranges.margin() + 2, facts);
          BOOST_TEST((d.codes != 0) == (parts <= most_dense_parts_log2(p)));
          const device_facts three = {3, facts.shared_bytes_block, facts.shared_bytes_processor, 0};
          BOOST_TEST((dense_range(p, three).codes == 0 || parts < 2));
          if (d.codes == 0)
            continue;
          BOOST_TEST(d.first <= lowest);
          BOOST_TEST(d.codes - 1 <= highest - d.first);
          BOOST_TEST(lowest - d.first + last < d.codes);
          BOOST_TEST((lowest - d.first >= p.ranges.margin() || d.first == 0));
          BOOST_TEST(
              (d.first + (d.codes - 1) - lowest - last >= p.ranges.margin() ||
               d.first + (d.codes - 1) == highest));
          BOOST_TEST(parts_log2_for(std::uint64_t{d.codes} + 1, facts) == parts);
        }
    }
  }
}
BOOST_AUTO_TEST_CASE(narrow_keys_have_a_counter_each) {
  const auto narrow = [](std::uint64_t n, std::uint64_t codes, options const& o = {}) {
    auto p = dense_problem(n, 0, 0);
    p.narrow_codes = codes;
    p.most_keys = std::min(n, codes);
    return plan_sparse(p, n, h200, o);
  };
  for (std::uint64_t n : {std::uint64_t{1}, million, 128 * million}) {
    BOOST_TEST((narrow(n, 256).taken == route::shared && narrow(n, 256).dense.codes == 256U));
    BOOST_TEST(narrow(n, 256).bytes < 12000U);
  }
  BOOST_TEST(narrow(1 << 18, 65536).taken == route::shared);
  BOOST_TEST(narrow((1 << 18) - 1, 65536).taken == route::partitioned);
  BOOST_TEST(narrow((1 << 16) - 1, 65536).taken == route::sorted);
  // The smallest cap is told that works, whatever the route.
  for (std::uint64_t n : {std::uint64_t{1}, std::uint64_t{5000}, million})
    for (std::uint64_t codes : {256, 65536}) {
      std::size_t smallest = 0;
      try {
        narrow(n, codes, options{}.max_temporary_bytes(10));
      } catch (thrust_hist::memory_limit_error const& e) {
        smallest = e.smallest();
      }
      BOOST_TEST(narrow(n, codes, options{}.max_temporary_bytes(smallest)).bytes == smallest);
      BOOST_CHECK_THROW(
          narrow(n, codes, options{}.max_temporary_bytes(smallest - 1)),
          thrust_hist::memory_limit_error);
    }
}

// Each number, or each float, with a chance of 1 in 32 and a little more. A slice has 2^20 pairs, and room for 66 048.
BOOST_AUTO_TEST_CASE(the_fullest_slice_has_room) {
  const auto slices = [](std::uint64_t last) {
    return plan_range_buckets(last, 128 * million, 1, 128 * million, h200).slices;
  };
  BOOST_TEST(
      slices(0xffffffffU).of_bucket_log2() == 0U);  // 64 825 at most of numbers that were tried
  BOOST_TEST(slices(0xff000000U).of_bucket_log2() == 0U);  // 65 702 of floats
  BOOST_TEST(slices(0xfd000000U).of_bucket_log2() == 1U);
}

BOOST_AUTO_TEST_CASE(the_range_that_is_expected_is_that_of_the_sample) {
  const auto ranges = [](std::uint64_t last, std::size_t bytes) {
    return plan_ranges(even_problem(million, last, bytes), {}, million, false, h200);
  };
  for (std::uint64_t last = 1000; last <= 0xffffffffU; last += last / 7) {
    const auto plan = ranges(last, 4);
    BOOST_TEST((plan.whole_range ? plan.widest == 0xffffffffU : plan.widest >= last), last);
  }
  BOOST_TEST(ranges(0xf0000000U, 4).whole_range);
  BOOST_TEST(!ranges(0x70000000U, 4).whole_range);
  BOOST_TEST(!ranges(0xf0000000U, 8).whole_range);
  BOOST_TEST(ranges(1000000, 4).widest == 1250000U);
  BOOST_TEST(ranges(0xf0000000U, 8).widest == 0xf0000000U / 4 * std::uint64_t{5});
  constexpr std::uint64_t all = ~std::uint64_t{0};
  BOOST_TEST((ranges(all - 5, 8).whole_range && ranges(all - 5, 8).widest == all));
  BOOST_TEST((!ranges(all / 2, 8).whole_range && ranges(all / 2, 8).widest == all / 8 * 5));
  BOOST_TEST(ranges(0, 4).widest == 0xffffffffU);  // nobody has looked
  BOOST_TEST(ranges(0, 8).widest == all);
  const auto forced = plan_ranges(even_problem(million, 0xf0000000U), {}, million, true, h200);
  BOOST_TEST((!forced.whole_range && !forced.is_chosen && forced.widest == 0xffffffffU));
}

BOOST_AUTO_TEST_CASE(slices_fit_shared_memory_and_cover_their_bucket) {
  for (std::size_t kibibytes : {48, 99, 163, 227}) {
    const device_facts facts = {100, kibibytes * 1024, (kibibytes + 1) * 1024, 40U << 20};
    for (std::uint64_t last = 1; last <= 0xffffffffU; last = last * 3 + 1)
      for (std::uint64_t distinct : {std::uint64_t{1}, million, 20 * million, 128 * million}) {
        const std::uint64_t n = 128 * million;
        const auto b = plan_range_buckets(last, distinct, 1, n, facts);
        const range_slices& s = b.slices;
        BOOST_TEST(s.shared_bytes() <= facts.shared_bytes_block);
        BOOST_TEST(b.codes.tile_shared_bytes() <= facts.shared_bytes_block);
        BOOST_TEST((last >> s.bucket_log2) < b.codes.layout.buckets);
        BOOST_TEST(b.codes.layout.buckets <= code_buckets::most_buckets);
        BOOST_TEST(s.slice_log2 <= s.bucket_log2);
        BOOST_TEST(s.slice_log2 >= 11U);  // 32 cells for each of 32 warps
        BOOST_TEST((!s.has_marks || s.slice_log2 >= range_slices::least_marked_log2));
        BOOST_TEST((s.has_marks || s.counter_words == s.cells()));
        BOOST_TEST(s.counter_words % 4 == 0U);
        BOOST_TEST((!b.has_room || b.codes.bytes() <= bytes_of_ranges(n, 4, facts)));
        BOOST_TEST((kibibytes < 227 || distinct > 20 * million || b.has_room), last);
      }
  }
}

BOOST_AUTO_TEST_CASE(tables_that_keep_the_order_fit_shared_memory_and_codes) {
  for (std::size_t kibibytes : {48, 99, 163, 227}) {
    const device_facts facts = {100, kibibytes * 1024, (kibibytes + 1) * 1024, 40U << 20};
    for (unsigned bits = 33; bits <= 64; ++bits)
      for (std::uint64_t distinct : {std::uint64_t{1}, million, 20 * million, 128 * million}) {
        const std::uint64_t last = (~std::uint64_t{0} >> (64 - bits)) - 12345;
        const std::uint64_t n = 128 * million;
        auto b = plan_wide_buckets(last, distinct, 1, n, facts);
        wide_slices const& s = b.slices;
        BOOST_TEST(s.shared_bytes() <= facts.shared_bytes_block);
        BOOST_TEST(s.rows() >= 512U);
        BOOST_TEST(b.shift() == 64 - bits);
        BOOST_TEST(s.known_bits() <= 27U);
        BOOST_TEST(s.count_bits() >= 10U);
        BOOST_TEST(b.low_bits() == static_cast<int>(bits - s.known_bits()));
        // Whose bucket is the highest code's, and of whom.
        const std::uint32_t highest = static_cast<std::uint32_t>(last << b.shift() >> 32);
        BOOST_TEST(b.jobs() == b.codes.layout.buckets << s.slices_log2);
        if (b.has_room) {
          BOOST_TEST(
              static_cast<std::uint32_t>(std::uint64_t{highest} * b.factor() >> 32) + 1 ==
              b.codes.layout.buckets);
          BOOST_TEST(b.codes.tile_shared_bytes() <= facts.shared_bytes_block);
          BOOST_TEST(b.codes.bytes() <= bytes_of_ranges(n, 8, facts));
        }
        const std::uint64_t most = kibibytes == 48 ? million : kibibytes == 99 ? 20 * million : n;
        BOOST_TEST((distinct > most || b.has_room), kibibytes << ", " << bits << ", " << distinct);
        const std::uint32_t jobs = b.jobs();
        const bool is_possible = b.halve_slices(facts);
        BOOST_TEST(b.jobs() == (is_possible ? 2 * jobs : jobs));
      }
  }
}

// 65 536 keys were drawn from 20 million all over 64 bits: rows of a table are 2^23.
BOOST_AUTO_TEST_CASE(keys_that_crowd_in_few_rows_are_seen) {
  constexpr std::uint64_t all = ~std::uint64_t{0};
  const auto b = plan_wide_buckets(all, 20 * million, 1, 128 * million, h200);
  BOOST_TEST(b.low_bits() == 41);
  BOOST_TEST(b.are_spread(all, 65430, 255));   // as by chance
  BOOST_TEST(!b.are_spread(all, 65430, 900));  // and as if four by four
  BOOST_TEST(!b.are_spread(all, 65430, 65000));
  BOOST_TEST(b.are_spread(all, 10, 0));
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

BOOST_AUTO_TEST_CASE(frequent_keys_are_counted_before_if_they_are_many) {
  auto p = problem_of(128 * million, 8);
  p.is_skewed = true;
  p.hot = {5, 300, key_sample::size / 16};
  const auto plan = plan_sparse(p, million, h200, {});
  BOOST_TEST((plan.taken == route::hashed && plan.hot == 5 + hot_sample::half));
  BOOST_TEST(plan.tile_shared_bytes() <= h200.shared_bytes_block);
  BOOST_TEST(plan.hot_offset() * 16U + hot_sample::table_bytes(8, 4) == plan.tile_shared_bytes());
  BOOST_TEST(plan_sparse(p, 1000, h200, {}).hot == 0U);  // each block has a table of all
  p.hot.all -= 1;
  BOOST_TEST(plan_sparse(p, million, h200, {}).hot == 0U);
  p.hot = {};
  BOOST_TEST(plan_sparse(p, million, h200, {}).hot == 0U);
}

BOOST_AUTO_TEST_CASE(values_of_frequent_keys_are_folded_before_if_their_rows_are_few) {
  auto p = problem_of(128 * million, 8);
  p.is_skewed = true;
  p.hot = {5, 300, key_sample::size / 16};
  p.values = {true, true, true, 4, 12, 4, 4, 8, 1000, 1000};
  const auto plan = plan_sparse(p, million, h200, {});
  BOOST_TEST((plan.taken == route::hashed && plan.hot == 5 + hot_sample::half));
  BOOST_TEST(plan.tile_shared_bytes() <= h200.shared_bytes_block);
  BOOST_TEST(plan.hot_offset() * 16U + hot_sample::table_bytes(8, 12) == plan.tile_shared_bytes());
  BOOST_TEST(std::uint64_t{plan.hot} * plan.buckets.tile_blocks <= plan.room / 16);
  p.inputs = p.most_keys = 2 * million;
  p.values.sorted = false;  // else they would be sorted bucket by bucket, and nobody looks
  BOOST_TEST(plan_sparse(p, million / 16, h200, {}).hot == 0U);
  p.hot = {5, 0, key_sample::size / 16};
  BOOST_TEST(plan_sparse(p, million / 16, h200, {}).hot == 5U);
  p.values.in_slots = false;
  BOOST_TEST(plan_sparse(p, million / 16, h200, {}).hot == 0U);
}

BOOST_AUTO_TEST_CASE(high_bits_tell_codes_apart_where_next_to_none_share_them) {
  range_sample s = {};
  BOOST_TEST(!s.tells_apart(0));  // nobody has looked
  s.low_bits = 24;
  BOOST_TEST((s.tells_apart(24) && s.tells_apart(8) && !s.tells_apart(32)));
  s.sharing = 1;
  BOOST_TEST(!s.tells_apart(24));
}

BOOST_AUTO_TEST_CASE(values_are_folded_where_it_pays) {
  const auto with_values = [](bool in_slots, bool sorted) {
    auto p = problem_of(128 * million, 8);
    p.values = {true, in_slots, sorted, 4, 12, 4, sorted ? std::size_t{4} : 0, 8, 1000, 1000};
    return p;
  };
  const auto taken = [&](sparse_problem const& p, std::uint64_t guess) {
    return plan_sparse(p, guess, h200, {}).taken;
  };
  for (bool sorted : {false, true}) {
    const auto slots = plan_sparse(with_values(true, sorted), million, h200, {});
    BOOST_TEST((slots.taken == route::hashed && !folds_by_row(slots, with_values(true, sorted))));
    BOOST_TEST((slots.buckets.value_bytes == 4 && slots.buckets.state_bytes == 12));
    const auto rows = plan_sparse(with_values(false, sorted), 1000, h200, {});
    BOOST_TEST((rows.taken == route::hashed && folds_by_row(rows, with_values(false, sorted))));
  }
  // Rows are looked up, which takes longer than sorting where they are many, if values can be sorted.
  BOOST_TEST(taken(with_values(false, true), million) == route::sorted);
  BOOST_TEST(taken(with_values(false, false), million) == route::hashed);
  // Slots with states are fewer; buckets have two tables then, if that is enough.
  for (std::uint64_t distinct : {14 * million, 15 * million, 28 * million}) {
    const auto plan = plan_sparse(with_values(true, true), distinct, h200, {});
    BOOST_TEST(plan.taken == route::hashed);
    BOOST_TEST(plan.buckets.layout.tables_log2() == (distinct > 14 * million ? 1U : 0U));
    BOOST_TEST(plan.buckets.capacity() >= distinct);
  }
  BOOST_TEST(taken(with_values(true, true), 29 * million) == route::sorted);
  // Pairs of 4-byte codes are sorted sooner, and before a bucket has two tables.
  const auto short_taken = [&](std::uint64_t n, std::uint64_t distinct, std::size_t slot) {
    auto p = problem_of(n, 4);
    p.values = {true, true, true, 4, slot, 4, 4, 8, 1000, 1000};
    return plan_sparse(p, distinct, h200, {}).taken;
  };
  BOOST_TEST(short_taken(128 * million, 18 * million, 4) == route::hashed);
  BOOST_TEST(short_taken(128 * million, 18 * million + 1, 4) == route::sorted);
  BOOST_TEST(short_taken(128 * million, 14 * million, 12) == route::hashed);
  BOOST_TEST(short_taken(128 * million, 15 * million, 12) == route::sorted);
  // And of more than 2^25 a sample knows too little.
  auto p = with_values(true, true);
  p.values.slot = 4;
  p.inputs = p.most_keys = 256 * million;
  BOOST_TEST(taken(p, 32 * million) == route::hashed);
  BOOST_TEST(taken(p, 32 * million + 1) == route::sorted);
}

BOOST_AUTO_TEST_CASE(tables_and_tiles_fit_shared_memory) {
  for (auto const& facts : {h200, small_gpu})
    for (unsigned bytes : {4U, 8U})
      for (auto const& [value, state] :
           {std::pair{0U, 4U}, std::pair{4U, 4U}, std::pair{4U, 12U}, std::pair{8U, 12U}})
        for (std::uint64_t distinct = 1; distinct < 64 * million; distinct += 2 * distinct + 1) {
          const std::uint64_t n = 128 * million;
          const auto b =
              plan_code_buckets(distinct, distinct % 2 != 0, n, bytes, value, state, facts);
          BOOST_TEST(b.count_shared_bytes() <= facts.shared_bytes_block);
          BOOST_TEST(b.tile_shared_bytes() <= facts.shared_bytes_block);
          BOOST_TEST(b.layout.threads % 32 == 0U);
          BOOST_TEST(b.layout.buckets <= code_buckets::most_buckets);
          BOOST_TEST(std::uint64_t{b.layout.tiles} * b.codes_of_tile() >= n);
          // Units of 16 bytes begin each segment, and have numbers of 16 bits.
          const std::uint32_t unit = 16 / bytes;
          BOOST_TEST(b.layout.granules(2) * unit == unit);
          BOOST_TEST(b.stride_of_tile() % unit == 0U);
          BOOST_TEST(b.stride_of_tile() >= b.codes_of_tile() + b.layout.buckets * (unit - 1));
          BOOST_TEST(b.layout.granules(b.stride_of_tile()) <= 65536U);
          BOOST_TEST(b.layout.threads >= 256U);
          BOOST_TEST(
              b.bytes() >=
              b.value_offset() + std::size_t{b.layout.tiles} * b.stride_of_tile() * value);
        }
}

BOOST_AUTO_TEST_SUITE_END()
