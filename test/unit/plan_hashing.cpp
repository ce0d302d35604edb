// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Plans of hash tables: what fits them, what goes there, and which keys are counted before.

#include "../support/boost_test.h"
#include "sparse_problems.h"
#include <thrust_hist/system/cuda/sparse_plan.h>

#include <cstddef>
#include <cstdint>
#include <tuple>
#include <utility>

BOOST_AUTO_TEST_SUITE(plans_of_hashing)

using namespace sparse_problems;

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
  // Rows are looked up, which takes longer than sorting where they are many, if values can be
  // sorted.
  BOOST_TEST(taken(with_values(false, true), million) == route::sorted);
  BOOST_TEST(taken(with_values(false, false), million) == route::hashed);
  // Slots with states are fewer; buckets have two tables then, if that is enough.
  for (std::uint64_t distinct : {12 * million, 13 * million, 28 * million}) {
    const auto plan = plan_sparse(with_values(true, true), distinct, h200, {});
    BOOST_TEST(plan.taken == route::hashed);
    BOOST_TEST(plan.buckets.layout.tables_log2() == (distinct > 12 * million ? 1U : 0U));
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

// Exact sums are folded row by row where they are hashed: where rows are few.
BOOST_AUTO_TEST_CASE(exact_sums_are_hashed_where_their_rows_are_few) {
  const auto taken = [](std::uint64_t n, std::size_t code_bytes, std::uint64_t distinct) {
    auto p = problem_of(n, code_bytes);
    p.values = {true, false, true, 0, 0, 16, 4, 8, 1000, 1000, 88};
    const auto plan = plan_sparse(p, distinct, h200, {});
    BOOST_TEST((plan.taken == route::sorted || folds_by_row(plan, p)));
    return plan.taken;
  };
  for (const auto& [n, code_bytes, most] :
       {std::tuple<std::uint64_t, std::size_t, std::uint64_t>{16 * million, 4, million / 256},
        {64 * million, 4, million / 32},
        {128 * million, 4, million / 32},
        {16 * million, 8, million / 4},
        {128 * million, 8, million / 2},
        {4 * million, 8, million / 2048}}) {  // else bucket by bucket
    BOOST_TEST(taken(n, code_bytes, most) == route::hashed);
    BOOST_TEST(taken(n, code_bytes, most + 1) == route::sorted);
  }
}

// And what operators make of values that no slot holds: where the states of all rows have room in a
// block.
BOOST_AUTO_TEST_CASE(values_without_slots_are_hashed_where_their_rows_are_few) {
  std::uint64_t room = million;
  const auto taken = [&](std::uint64_t n, std::size_t code_bytes, std::uint64_t distinct) {
    auto p = problem_of(n, code_bytes);
    p.values = {true, false, true, 0, 0, 8, 8, 8, 1000, 1000};
    p.values.rows_of_block = room;
    const auto plan = plan_sparse(p, distinct, h200, {});
    BOOST_TEST((plan.taken == route::sorted || folds_by_row(plan, p)));
    BOOST_TEST(plan.by_buckets == (plan.taken == route::sorted && pays_by_buckets(p, h200)));
    return plan.taken;
  };
  for (const auto& [n, code_bytes, most] :
       {std::tuple<std::uint64_t, std::size_t, std::uint64_t>{16 * million, 4, 1024},
        {128 * million, 4, 8192},
        {4 * million, 8, 512},
        {16 * million, 8, 16384},
        {128 * million, 8, 16384}}) {
    BOOST_TEST(taken(n, code_bytes, most) == route::hashed);
    BOOST_TEST(taken(n, code_bytes, most + 1) == route::sorted);
  }
  room = 5000;  // of which a quarter is for rows beyond a guess
  for (std::size_t code_bytes : {4, 8}) {
    BOOST_TEST(taken(128 * million, code_bytes, 3750) == route::hashed);
    BOOST_TEST(taken(128 * million, code_bytes, 3751) == route::sorted);
  }
}

// Keys that may equal no other one are hashed as others are: what lists their places, where there
// are any, is no reason to sort all of them.
BOOST_AUTO_TEST_CASE(keys_that_may_be_alone_are_hashed_as_others_are) {
  const auto taken = [](std::uint64_t n, std::uint64_t distinct, std::size_t code_bytes, bool any,
                        bool may_be_alone) {
    auto p = problem_of(n, code_bytes);
    p.sort_bytes = p.rows_bytes = 0;  // as where nobody wants to know
    p.has_ranges = !any;
    p.may_be_alone = may_be_alone;
    p.most_seen = 100;
    if (any)
      p.values = {true, true, true, 4, 4, 8, 4, 0, 0, 0};
    return plan_sparse(p, distinct, h200, {}).taken;
  };
  for (std::uint64_t n : {8 * million, 32 * million, 128 * million})
    for (std::uint64_t distinct :
         {std::uint64_t{1}, std::uint64_t{1000}, n / 1000, n / 100, n / 40})
      for (std::size_t code_bytes : {4, 8})
        for (bool any : {false, true})
          BOOST_TEST_CONTEXT(
              n << " inputs, " << distinct << " distinct, " << code_bytes << " bytes, values "
                << any) {
            BOOST_TEST(
                taken(n, distinct, code_bytes, any, true) ==
                taken(n, distinct, code_bytes, any, false));
            BOOST_TEST(taken(n, distinct, code_bytes, any, true) == route::hashed);
          }
}

// Else they are sorted in less time than their keys and then their rows are found.
BOOST_AUTO_TEST_CASE(short_pairs_without_slots_are_hashed_where_they_are_many) {
  const auto taken = [](std::uint64_t n, std::uint64_t distinct) {
    auto p = problem_of(n, 4);
    p.values = {true, false, true, 0, 0, 4, 4, 8, 1000, 1000};
    return plan_sparse(p, distinct, h200, {}).taken;
  };
  BOOST_TEST(taken(16 * million, 1) == route::sorted);
  BOOST_TEST(taken(32 * million - 1, 8192) == route::sorted);
  BOOST_TEST(taken(32 * million, 2048) == route::hashed);
  BOOST_TEST(taken(32 * million, 2049) == route::sorted);
  // Larger ones sooner, if they do not come in order; and exact sums of any.
  const auto of_more = [](std::uint64_t n, std::size_t long_sum, bool come_in_order) {
    auto p = problem_of(n, 4);
    p.values = {true, false, true, 0, 0, 8, 8, 8, 1000, 1000};
    p.values.long_sum = long_sum;
    p.come_in_order = come_in_order;
    return plan_sparse(p, 100, h200, {}).taken;
  };
  BOOST_TEST(of_more(16 * million - 1, 0, false) == route::sorted);
  BOOST_TEST(of_more(16 * million, 0, false) == route::hashed);
  BOOST_TEST(of_more(128 * million, 0, true) == route::sorted);
  BOOST_TEST(of_more(10 * million - 1, 88, false) == route::sorted);
  BOOST_TEST(of_more(10 * million, 88, true) == route::hashed);
}

// What has no slot is sorted with keys of 1 or 2 bytes, and nobody looks at these.
BOOST_AUTO_TEST_CASE(values_without_slots_are_sorted_with_narrow_keys) {
  for (std::uint64_t codes : {256, 65536})
    for (std::uint64_t n : {million / 4, 8 * million, 128 * million}) {
      auto p = problem_of(n);
      p.values = {true, false, true, 0, 0, 8, 8, 8, 1000, 1000};
      p.narrow_codes = p.most_keys = codes;
      BOOST_TEST(!may_hash(p, {}, h200));
      BOOST_TEST(may_hash(p, options{}.force(route::hashed), h200));
      const auto plan = plan_sparse(p, p.inputs, h200, {});
      BOOST_TEST((plan.taken == route::sorted && !plan.by_buckets));
      p.narrow_codes = 0;
      BOOST_TEST(may_hash(p, {}, h200) == (n >= drawn_worth_a_look(4)));
    }
}

// How full tables are: a fifth, with values a quarter; twice as much where buckets would be many,
// unless keys come in order; and half where some keys are frequent and others are not, but for few
// that are.
BOOST_AUTO_TEST_CASE(tables_are_as_full_as_a_guess_is_sure) {
  const auto load = [](sparse_problem const& p, std::uint64_t guess) {
    const auto plan = plan_sparse(p, guess, h200, {});
    BOOST_TEST((plan.taken == route::hashed && !plan.direct));
    const double slots = plan.buckets.layout.tables() * static_cast<double>(plan.buckets.slots());
    return static_cast<double>(guess) / slots;
  };
  const auto is_near = [](double a, double b) { return a > 0.95 * b && a < 1.02 * b; };
  auto counts = problem_of(256 * million);
  auto sums = problem_of(256 * million, 8);
  sums.values = {true, true, true, 4, 12, 4, 4, 8, 1000, 1000};
  for (std::uint64_t guess : {million, 2 * million, 4 * million}) {
    const std::uint64_t slots = 2 * million / 128;
    BOOST_TEST(is_near(load(counts, guess), std::min(0.4, std::max(0.2, guess / (700. * slots)))));
  }
  BOOST_TEST(is_near(load(sums, million), 0.25));
  BOOST_TEST(is_near(load(sums, 5 * million), 0.4));
  sums.are_in_order = counts.are_in_order = true;
  BOOST_TEST(is_near(load(sums, 3 * million), 0.25));
  BOOST_TEST(is_near(load(counts, 4 * million), 0.2));
  counts.is_skewed = true;
  BOOST_TEST(is_near(load(counts, 4 * million), 0.5));
  counts.is_skewed_by_few = true;
  BOOST_TEST(is_near(load(counts, 4 * million), 0.2));
}

// Where tiles have room for few buckets, tables are no fuller than they have to be.
BOOST_AUTO_TEST_CASE(little_shared_memory_leaves_tables_as_they_were) {
  for (std::size_t kibibytes : {47, 63, 99, 163, 227})
    for (unsigned bytes : {4U, 8U})
      for (unsigned value : {0U, 4U, 8U})
        for (std::uint64_t distinct = 1000; distinct < 32 * million; distinct += distinct / 10) {
          const device_facts facts = {100, kibibytes * 1024, (kibibytes + 1) * 1024, 40U << 20};
          const auto capacity = [&](table_fullness full) {
            return plan_code_buckets(distinct, full, 128 * million, bytes, value, value + 4, facts)
                .capacity();
          };
          const std::uint64_t sparse = capacity(table_fullness::fifth);
          const std::uint64_t denser = capacity(table_fullness::fifth_if_few);
          BOOST_TEST(denser >= std::min(sparse, 2 * distinct));
        }
}

BOOST_AUTO_TEST_CASE(tables_and_tiles_fit_shared_memory) {
  for (auto const& facts : {h200, small_gpu})
    for (unsigned bytes : {4U, 8U})
      for (auto const& [value, state] :
           {std::pair{0U, 4U}, std::pair{4U, 4U}, std::pair{4U, 12U}, std::pair{8U, 12U}})
        for (std::uint64_t distinct = 1; distinct < 64 * million; distinct += 2 * distinct + 1) {
          const std::uint64_t n = 128 * million;
          const auto b = plan_code_buckets(
              distinct, distinct % 2 != 0 ? table_fullness::half : table_fullness::fifth, n, bytes,
              value, state, facts);
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
