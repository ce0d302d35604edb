// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Plans of putting keys in order bucket by bucket, by their bits or drawn from a sample.

#include "../support/boost_test.h"
#include "sparse_problems.h"
#include <thrust_hist/system/cuda/sparse_plan.h>

#include <cstddef>
#include <cstdint>
#include <limits>

BOOST_AUTO_TEST_SUITE(plans_of_keys_in_order)

using namespace sparse_problems;

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
  BOOST_TEST(is_ordered(even_problem(4 * million, wide, 8), 4 * million / 60));
  BOOST_TEST(!is_ordered(even_problem(4 * million, wide, 8), 4 * million / 70));
  // There are no more buckets that would fit.
  BOOST_TEST(!is_ordered(even_problem(64 * million, all), 64 * million));
  BOOST_TEST(!is_ordered(even_problem(128 * million, wide, 8), 128 * million));
  // Counters, one for each code, take less.
  BOOST_TEST(!is_ordered(even_problem(16 * million, 32 * million), 16 * million));
  // Neither where keys are skewed, nor where one is so frequent that a bucket would have much of
  // it.
  auto p = even_problem(16 * million, all);
  p.is_skewed = true;
  BOOST_TEST(!pays_by_order(p, 16 * million, h200));
  p = even_problem(16 * million, all);
  p.most_seen = 20;
  BOOST_TEST(!pays_by_order(p, 16 * million, h200));
  p.most_seen = 19;
  BOOST_TEST(is_ordered(p, 16 * million));
  // Of 4 bytes neither where half of those that were seen were seen again.
  p.seen_once = (key_sample::size - p.most_seen) / 2 - 1;
  BOOST_TEST(!pays_by_order(p, 16 * million, h200));
  p = even_problem(16 * million, wide, 8);
  p.most_seen = 19;
  p.seen_once = (key_sample::size - p.most_seen) / 2 - 1;
  BOOST_TEST(pays_by_order(p, 16 * million, h200));
}

// A range that ends just below a power of two reaches beyond it with its margin, which makes
// buckets twice as wide.
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
  // Crowded ones that lie evenly otherwise, too; of 4 bytes those that lie in spikes are sorted.
  p = even_problem(8 * million, ~std::uint64_t{0}, 8);
  p.most_seen = 1;
  BOOST_TEST(!is_uneven(p, 8 * million));
  p.is_crowded = p.is_much_crowded = true;
  BOOST_TEST(is_uneven(p, 8 * million));
  p = uneven_problem(8 * million, 4);
  p.is_crowded = true;
  BOOST_TEST(is_uneven(p, 8 * million));
  p.is_much_crowded = true;
  BOOST_TEST(is_uneven(p, 8 * million));
  p.has_spikes = true;
  BOOST_TEST((plan_sparse(p, 8 * million, h200, {}).taken == route::sorted));
  p = uneven_problem(8 * million, 8);
  p.has_spikes = true;
  BOOST_TEST(is_uneven(p, 8 * million));
  // And of 4 bytes those of which half were seen again.
  for (std::size_t code_bytes : {std::size_t{4}, std::size_t{8}}) {
    p = uneven_problem(8 * million, code_bytes);
    p.seen_once = (key_sample::size - p.most_seen) / 2;
    BOOST_TEST(is_uneven(p, 4 * million));
    p.seen_once = (key_sample::size - p.most_seen) / 2 - 1;
    BOOST_TEST(is_uneven(p, 4 * million) == (code_bytes == 8));
  }
}

// Of 8 bytes, where a sort would take all bits, twice as many in two rounds: where rows are written
// at once, none has no code, and none is frequent.
BOOST_AUTO_TEST_CASE(drawn_buckets_are_filled_in_two_rounds) {
  const auto rounds = [](std::uint64_t n, auto change) {
    auto p = uneven_problem(n, 8);
    p.most_seen = 1;
    p.needs_all_bits = true;
    change(p);
    const auto plan = plan_sparse(p, n, h200, {});
    BOOST_TEST((plan.rounds != 0) == plan.is_uneven);
    BOOST_TEST((plan.taken == (plan.rounds != 0 ? route::partitioned : route::sorted)));
    if (plan.rounds != 0) {
      const auto b = plan_drawn_buckets<std::uint64_t>(
          drawn_rounds<std::uint64_t>::codes_of_each(n, plan.rounds), h200);
      const std::size_t line = (4 * std::size_t{b.jobs()} + 1) * sizeof(std::uint64_t);
      BOOST_TEST(b.has_room);
      BOOST_TEST(
          b.bytes() + line + plan_sample(plan.rounds * b.sample_size()).bytes(8) + 1024 <=
          plan.bytes - bytes_kept);
    }
    return plan.rounds;
  };
  const auto nothing = [](sparse_problem&) {};
  BOOST_TEST(rounds(32 * million, nothing) == 1U);
  BOOST_TEST(rounds(64 * million, nothing) == 2U);
  BOOST_TEST(rounds(70 * million, nothing) == 2U);
  BOOST_TEST(rounds(128 * million, nothing) == 0U);
  BOOST_TEST(rounds(64 * million, [](auto& p) { p.most_seen = 3; }) == 2U);
  BOOST_TEST(rounds(64 * million, [](auto& p) { p.most_seen = 4; }) == 0U);
  BOOST_TEST(rounds(64 * million, [](auto& p) { p.needs_all_bits = false; }) == 0U);
  BOOST_TEST(rounds(64 * million, [](auto& p) { p.may_be_alone = true; }) == 0U);
  BOOST_TEST(rounds(64 * million, [](auto& p) { p.counts_rows_first = true; }) == 0U);
  BOOST_TEST(rounds(64 * million, [](auto& p) { p.is_skewed = true; }) == 0U);
  BOOST_TEST(rounds(32 * million, [](auto& p) { p.needs_all_bits = false; }) == 1U);
}

BOOST_AUTO_TEST_CASE(rounds_have_all_codes_between_them) {
  const std::uint64_t all = ~std::uint64_t{0};
  const auto one = drawn_rounds<std::uint64_t>(1, 1000);
  BOOST_TEST((one.size() == 1U && !one.is_empty(0) && one.first(0) == 0 && one.reach(0) == 1000));
  for (std::uint64_t begin : {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{1} << 40, all}) {
    drawn_rounds<std::uint64_t> two(2, all);
    two.begin_at(1, begin);
    BOOST_TEST(two.is_empty(0) == (begin == 0));
    BOOST_TEST(!two.is_empty(1));
    BOOST_TEST((two.is_empty(0) || two.first(0) + two.reach(0) == begin - 1));
    BOOST_TEST((two.first(1) == begin && two.reach(1) == all - begin));
  }
}

// Of few keys nobody looks at any; of many nobody knows whether hash tables would do, where nobody
// has.
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

// A bucket lies between 64 codes of the sample. One in 2 * 10^8 has seven roots of these more,
// which is 15/8 of the average; where memory or shared memory is short six must do, one in 5 *
// 10^6.
BOOST_AUTO_TEST_CASE(drawn_buckets_have_more_room_where_nothing_is_short) {
  const auto room = [](auto b, std::uint64_t n) {
    return static_cast<double>(b.slices.room) * b.slices.buckets / static_cast<double>(n);
  };
  for (std::uint64_t n : {million, 2 * million, 4 * million}) {
    BOOST_TEST(room(plan_drawn_buckets<std::uint32_t>(n, h200), n) >= 1.875);
    BOOST_TEST(room(plan_drawn_buckets<std::uint64_t>(n, h200), n) >= 1.875);
    BOOST_TEST(room(plan_paired_buckets<std::uint32_t>(n, 4, h200), n) >= 1.875);
  }
  const double of_few = room(plan_drawn_buckets<std::uint32_t>(million / 16, h200), million / 16);
  BOOST_TEST(of_few >= 1.75);
  BOOST_TEST(of_few < 1.8);
}

BOOST_AUTO_TEST_SUITE_END()
