// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Plans of counting range by range, and of tables that keep the order.

#include "../support/boost_test.h"
#include "sparse_problems.h"
#include <thrust_hist/system/cuda/sparse_plan.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <stdexcept>

BOOST_AUTO_TEST_SUITE(plans_of_ranges)

using namespace sparse_problems;

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
  BOOST_TEST(taken(even_problem(128 * million, all), 10 * million) == route::hashed);
  BOOST_TEST(taken(even_problem(128 * million, all), 11 * million) == route::partitioned);
  BOOST_TEST(taken(even_problem(64 * million, all), 8 * million) == route::hashed);
  BOOST_TEST(taken(even_problem(64 * million, all), 9 * million) == route::partitioned);
  // Further apart than 2^32: if they are not few, up to where each bucket had to be read many
  // times.
  for (std::uint64_t last : {all * 2, all << 10, ~std::uint64_t{0}}) {
    BOOST_TEST(taken(even_problem(128 * million, last, 8), 100000) == route::hashed);
    BOOST_TEST(taken(even_problem(128 * million, last, 8), million) == route::partitioned);
    BOOST_TEST(taken(even_problem(128 * million, last, 8), 50 * million) == route::partitioned);
    BOOST_TEST(taken(even_problem(128 * million, last, 8), 128 * million) == route::sorted);
    for (std::uint64_t n : {4 * million, 5 * million, 8 * million, 32 * million, 128 * million}) {
      BOOST_TEST(taken(even_problem(n, last, 8), n / 512) == route::partitioned);
      BOOST_TEST(taken(even_problem(n, last, 8), n / 512 - 1) == route::hashed);
    }
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

// Each number, or each float, with a chance of 1 in 32 and a little more. A slice has 2^20 pairs,
// and room for 66 048.
BOOST_AUTO_TEST_CASE(the_fullest_slice_has_room) {
  const auto slices = [](std::uint64_t last) {
    return plan_range_buckets(last, 128 * million, 1, 128 * million, h200).slices;
  };
  BOOST_TEST(
      slices(0xffffffffU).of_bucket_log2() == 0U);  // 64 825 at most of numbers that were tried
  BOOST_TEST(slices(0xff000000U).of_bucket_log2() == 0U);  // 65 702 of floats
  BOOST_TEST(slices(0xfd000000U).of_bucket_log2() == 1U);
}

// Buckets have long segments while rows are half full, and are read once more only where they would
// be fuller still.
BOOST_AUTO_TEST_CASE(rows_of_wide_keys_are_as_full_as_pays) {
  const auto plan = [](std::uint64_t distinct) {
    const wide_buckets b = plan_wide_buckets(~std::uint64_t{0}, distinct, 1, 128 * million, h200);
    BOOST_TEST(b.has_room);
    return b.slices;
  };
  const double rows = 1 << 12;
  const auto distinct = [&](double of_row, unsigned tables_log2) {
    return static_cast<std::uint64_t>(std::ldexp(of_row * rows, static_cast<int>(tables_log2)));
  };
  const auto check = [&](double of_row, unsigned tables_log2, unsigned buckets_log2,
                         unsigned slices_log2) {
    const wide_slices s = plan(distinct(of_row, tables_log2));
    BOOST_TEST(s.buckets_log2 == buckets_log2);
    BOOST_TEST(s.slices_log2 == slices_log2);
  };
  check(2.6, 9, 9, 0);  // there may be 15 in 100 more than was guessed
  check(2.62, 9, 10, 0);
  check(2.6, 10, 10, 0);
  check(2.62, 10, 11, 0);
  check(3.69, 11, 11, 0);
  check(3.71, 11, 11, 1);
  check(3.69, 12, 11, 1);
  check(3.71, 12, 11, 2);
  check(3.69, 13, 11, 2);
  check(3.71, 13, 11, 3);
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

BOOST_AUTO_TEST_SUITE_END()
