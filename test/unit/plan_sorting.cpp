// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Plans of sorting: by which bits, and values with their keys bucket by bucket.

#include "../support/boost_test.h"
#include "sparse_problems.h"
#include <thrust_hist/system/cuda/prefix_groups.h>
#include <thrust_hist/system/cuda/sparse_plan.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>

BOOST_AUTO_TEST_SUITE(plans_of_sorting)

using namespace sparse_problems;

static sparse_problem with_values(std::uint64_t n, std::size_t code_bytes) {
  auto p = problem_of(n, code_bytes);
  p.values = {true, true, true, 4, 12, 4, 4, 8, 1000, 1000};
  return p;
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
  BOOST_TEST(may_be_sorted_by_less(2 * million, 16, seen));
  BOOST_TEST(!may_be_sorted_by_less(million - 1, 16, seen));
  seen.differing_high = ~0ULL;
  BOOST_TEST(!may_be_sorted_by_less(2 * million, 16, seen));
  seen.differing = 255;
  BOOST_TEST(may_be_sorted_by_less(2 * million, 16, seen));
}

// As many high bits as tell codes apart, in passes of 8: of many codes nearly all, of those that
// come often all.
BOOST_AUTO_TEST_CASE(random_codes_are_told_apart_by_few_bits) {
  BOOST_TEST(high_bits_for(1 << 19) == 40);
  BOOST_TEST(high_bits_for((std::uint64_t{1} << 27) - 1) == 40);
  BOOST_TEST(high_bits_for(std::uint64_t{1} << 27) == 48);
  // Two codes to a group at most, on average; and no more bits than there are.
  for (std::uint64_t codes :
       {std::uint64_t{1} << 17, (std::uint64_t{1} << 17) + 1, std::uint64_t{1} << 25,
        (std::uint64_t{1} << 25) + 1}) {
    const int bits = bits_of_groups(8, codes);
    BOOST_TEST((bits == 16 || bits == 24 || bits == 32));
    BOOST_TEST(codes <= std::uint64_t{2} << bits);
    BOOST_TEST(codes > std::uint64_t{2} << (bits - 8));
  }
  BOOST_TEST(bits_of_groups(4, std::uint64_t{1} << 40) == 32);
  BOOST_TEST(high_bits_for_often(1) == 16);
  BOOST_TEST(high_bits_for_often(1000) == 32);
  BOOST_TEST(high_bits_for_often(4095) == 32);
  BOOST_TEST(high_bits_for_often(4096) == 40);
  BOOST_TEST(high_bits_for_often(1 << 20) == 56);
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

// Whatever they are, unless somebody forces a route or CUB's sort takes less; and nobody looks at
// them.
BOOST_AUTO_TEST_CASE(values_are_sorted_bucket_by_bucket_with_their_keys) {
  const auto by_buckets = [](sparse_problem const& p, options const& o = {},
                             device_facts const& facts = h200) {
    const auto plan = plan_sparse(p, p.inputs, facts, o);
    BOOST_TEST((plan.taken == route::sorted));
    return plan.by_buckets;
  };
  const std::uint64_t least = inputs_worth_drawing;
  for (std::size_t code_bytes : {4, 8}) {
    const std::uint64_t most =
        code_bytes == 4 ? short_pairs_worth_sorting(with_values(million, 4)) - 1 : 8 * million;
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
  // How codes lie matters where they may go to buckets, are counted, or are sorted by their high
  // bits.
  const auto asked = [](sparse_problem const& p) { return asks_for_ranges(p); };
  BOOST_TEST((asked(with_values(17 * million / 4 - 1, 4)) == asked_of_range::all));
  BOOST_TEST((asked(with_values(8 * million, 4)) == asked_of_range::nothing));
  BOOST_TEST((asked(problem_of(8 * million, 4)) == asked_of_range::all));
  BOOST_TEST((asked(with_values(64 * million, 8)) == asked_of_range::all));
  // Or where they may have bins, in which values are folded: then their ends are enough.
  auto near = with_values(8 * million, 4);
  near.has_places = true;
  BOOST_TEST((asked(near) == asked_of_range::ends));
  // More of them if they crowd.
  auto p = with_values(32 * million, 8);
  BOOST_TEST(!by_buckets(p));
  p.is_crowded = true;
  BOOST_TEST(by_buckets(p));
  p.values.beside_code = 8;
  BOOST_TEST(!by_buckets(p));
  p.inputs = p.most_keys = 25 * million;
  BOOST_TEST(by_buckets(p));
  p.values.beside_code = 4;
  p.inputs = p.most_keys = 32 * million + 1;
  BOOST_TEST(!by_buckets(p));
  // Of short ones less. From there on somebody looks whether hash tables had better take them, as
  // long as that may help.
  const device_facts without_room = {20, 16 * 1024, 17 * 1024, std::size_t{4} << 20};
  for (std::size_t word_bytes : {4, 8}) {
    p = with_values(million, 4);
    p.values.beside_code = word_bytes;
    const std::uint64_t short_ones = short_pairs_worth_sorting(p);
    p.inputs = p.most_keys = short_ones - 1;
    BOOST_TEST(by_buckets(p));
    p.inputs = p.most_keys = short_ones;
    BOOST_TEST(!by_buckets(p));
    const auto is_looked_at = [&](std::uint64_t n, device_facts const& facts) {
      p.inputs = p.most_keys = n;
      return may_hash(p, {}, facts);
    };
    BOOST_TEST((is_looked_at(short_ones, h200) && !is_looked_at(short_ones - 1, h200)));
    BOOST_TEST(
        (is_looked_at(4 * million, without_room) && !is_looked_at(4 * million - 1, without_room)));
    for (std::uint64_t n : {short_ones, 8 * million - 1, 8 * million, 32 * million - 1}) {
      p.inputs = p.most_keys = n;
      BOOST_TEST(ask_for_vain(p, {}).may_be);
      BOOST_TEST(!ask_for_vain(p, options{}.force(route::hashed)).may_be);
      BOOST_TEST(ask_for_vain(p, {}).most >= n / 16);
      // The first guess at skewed ones is too high.
      const std::uint64_t of_128 = word_bytes == 8 ? (n < 21 * million / 4 ? 22
                                                      : n < 6 * million    ? 31
                                                      : n < 8 * million    ? 34
                                                                           : 43)
                                                   : (n < 8 * million ? 18 : 32);
      BOOST_TEST(ask_for_vain(p, {}).most_skewed == n / 128 * of_128);
    }
    p.inputs = p.most_keys = 32 * million;
    BOOST_TEST(!ask_for_vain(p, {}).may_be);
    // Values that have no slots are sorted where few rows take longer, too: then any look is in
    // vain if it spares no pass.
    p.values.in_slots = false;
    BOOST_TEST(short_ones == (word_bytes == 4 ? 4456448U : 4980736U));
    BOOST_TEST(short_pairs_worth_sorting(p) == 3932160U);
    BOOST_TEST(least_looked_at(p, h200) == 8 * million);
    p.inputs = p.most_keys = 8 * million;
    BOOST_TEST(ask_for_vain(p, {}).may_be);
    BOOST_TEST((ask_for_vain(p, {}).most == 0U && ask_for_vain(p, {}).most_skewed == 0U));
    p.inputs = p.most_keys = 32 * million - 1;
    BOOST_TEST((ask_for_vain(p, {}).most == 0U) == (word_bytes == 4));
  }
  const device_facts tiny = {20, 16 * 1024, 17 * 1024, std::size_t{4} << 20};
  BOOST_TEST(!by_buckets(with_values(million, 8), {}, tiny));
}

// What a pass moves has to be more than what it takes to put groups in order.
BOOST_AUTO_TEST_CASE(groups_pay_where_passes_move_much) {
  BOOST_TEST((pay_by_groups(4, 8, 4 * million) && !pay_by_groups(4, 8, 4 * million - 1)));
  BOOST_TEST((pay_by_groups(4, 8, 16 * million) && !pay_by_groups(4, 8, 16 * million + 1)));
  BOOST_TEST((pay_by_groups(4, 4, 12 * million) && !pay_by_groups(4, 4, 12 * million + 1)));
  BOOST_TEST(!pay_by_groups(4, 0, 8 * million));
  for (std::size_t word_bytes : {0, 4, 8})
    BOOST_TEST(
        (pay_by_groups(8, word_bytes, 4 * million) &&
         pay_by_groups(8, word_bytes, std::uint64_t{1} << 32) &&
         !pay_by_groups(8, word_bytes, 4 * million - 1)));
}

// Tables take as many keys as were measured to pay, of skewed ones more; and a first guess at these
// stops nobody who would have found fewer.
BOOST_AUTO_TEST_CASE(more_keys_are_worth_slots_where_a_sort_moves_more) {
  const auto worth = [](std::uint64_t n, std::size_t value_bytes, std::size_t slot, bool skewed) {
    auto p = with_values(n, 4);
    p.values.beside_code = value_bytes;
    p.values.slot = slot;
    return worth_slots_of(p, skewed);
  };
  for (std::size_t slot : {8, 12}) {
    BOOST_TEST(worth(21 * million / 4 - 1, 8, slot, false).most == 11U);
    BOOST_TEST(worth(21 * million / 4, 8, slot, false).most == 18U);
    BOOST_TEST(worth(8 * million, 8, slot, false).most == 21U);
    BOOST_TEST(worth(32 * million - 1, 8, slot, true).most == 26U);
    BOOST_TEST(worth(32 * million, 8, slot, true).most == 18U);
  }
  BOOST_TEST(worth(5 * million, 8, 8, true).most == 26U);
  BOOST_TEST(worth(5 * million, 8, 12, true).most == 12U);
  BOOST_TEST(worth(21 * million / 4, 8, 12, true).most == 18U);
  BOOST_TEST(worth(6 * million, 8, 12, true).most == 26U);
  BOOST_TEST(worth(6 * million - 1, 4, 8, false).most == 9U);
  BOOST_TEST(worth(6 * million, 4, 8, false).most == 18U);
  for (std::uint64_t n = 4 * million; n < 40 * million; n += million / 2)
    for (std::size_t value_bytes : {4, 8})
      for (std::size_t slot : {8, 12}) {
        const auto skewed = worth(n, value_bytes, slot, true);
        BOOST_TEST(skewed.most_at_first >= skewed.most);
        BOOST_TEST(skewed.most >= worth(n, value_bytes, slot, false).most);
      }
}

// Where many keys are distinct, lie apart, and differ in all bytes: else a look may find something
// better than a sort.
BOOST_AUTO_TEST_CASE(looks_are_in_vain_where_keys_are_many_and_spread) {
  const std::uint64_t n = 8 * million;
  vain_look vain = {true, n / 8, n};
  key_sample seen = {};
  seen.distinct = seen.once = key_sample::size - 100;
  seen.distinct_in_half = key_sample::size / 2;
  seen.twice = 50;
  seen.most = 2;
  seen.differing = 0xffffffff;
  seen.ends = {~0ULL, 0xffffffff};
  BOOST_TEST(vain.is(seen, n));
  auto other = seen;
  other.once = other.distinct = 40000;
  other.distinct_in_half = 25000;
  other.twice = 15000;
  BOOST_TEST(!vain.is(other, n));
  other = seen;
  other.differing = 0xffffff;
  BOOST_TEST(!vain.is(other, n));
  other = seen;
  other.ends = {~0x7fff0000ULL, 0x7fff0000 + n / 4 - 1};
  BOOST_TEST(!vain.is(other, n));
  BOOST_TEST(!vain.is({}, n));
  // Of fewer nobody asks in which bits they differ.
  other = seen;
  other.differing = 0xffffff;
  BOOST_TEST(vain.is(other, n - 1));
  // Of skewed ones the first guess is too high.
  other = seen;
  other.most = 1000;
  BOOST_TEST(!vain.is(other, n));
  vain.most_skewed = n / 8;
  BOOST_TEST(vain.is(other, n));
  BOOST_TEST(
      (!code_ends{0, 0}.reach(1) && code_ends{~5ULL, 5}.reach(0) && !code_ends{~5ULL, 5}.reach(1)));
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
    const double of_many = of_group(word_bytes == 4 ? 32 * million : 25 * million, word_bytes);
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
      BOOST_TEST(
          b.shared_bytes() ==
          b.slices.shared_bytes() + 4 * sizeof(code_type) + b.slices.room * (word_bytes + 2));
      BOOST_TEST(b.slices.room <= b.most_room);
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

// Rows of a tile fit shared memory that all kernels have, and a tile's places 16 bits; more codes
// have no fewer tiles.
BOOST_AUTO_TEST_CASE(tiles_of_runs) {
  for (std::size_t code_bytes : {2, 4, 8})
    for (std::size_t word_bytes : {4, 8})
      for (std::size_t state_bytes = 1; state_bytes <= 64; ++state_bytes) {
        BOOST_TEST_CONTEXT(code_bytes << ", " << word_bytes << " and " << state_bytes << " bytes") {
          const auto tiles = folded_tiles::of(code_bytes, word_bytes, state_bytes);
          const std::size_t codes = tiles.of_thread * run_tiles::most_threads;
          BOOST_TEST((tiles.of_thread >= 1 && codes <= 4096));
          BOOST_TEST(codes * (code_bytes + state_bytes) <= 40U * 1024);
          BOOST_TEST(tiles.of_thread * word_bytes <= 64U);
          // Wider ones have as many tiles or more: a plan may take the bytes of a type for those of
          // a narrower one.
          BOOST_TEST(
              folded_tiles::of(code_bytes, word_bytes, state_bytes + 1).of_thread <=
              tiles.of_thread);
          std::uint64_t most = 0;
          for (std::uint64_t n = 1; n <= 256 * million; n = n * 3 / 2 + 1) {
            const auto cut = tiles.for_codes(n);
            BOOST_TEST((cut.threads >= 64 && cut.threads <= run_tiles::most_threads));
            BOOST_TEST(cut.threads % 32 == 0U);
            BOOST_TEST((cut.count(n) - 1) * cut.size() < n);
            BOOST_TEST(cut.count(n) * cut.size() >= n);
            most = (std::max)(most, cut.count(n));
            BOOST_TEST(tiles.most(n) >= most);
          }
        }
      }
}

// Whatever rows values are in: all of a row have a piece or one thread, and pieces and sums are no
// more than there is room for.
BOOST_AUTO_TEST_CASE(rows_that_are_summed_once_more_have_room_for_their_pieces) {
  constexpr std::uint64_t of_thread = settled_pieces::most_of_thread;
  constexpr std::uint64_t of_piece = settled_pieces::most_values;
  std::mt19937_64 rng(3);
  const auto check = [&](std::uint64_t n, auto next_length) {
    std::uint64_t pieces = 0, sums = 0;
    for (std::uint64_t at = 0; at < n;) {
      const std::uint64_t length = std::min<std::uint64_t>(next_length(), n - at);
      at += length;
      if (length > of_thread) {
        pieces += (length + of_piece - 1) / of_piece;
        sums += length > of_piece ? 1 : 0;
      }
    }
    BOOST_TEST(pieces <= settled_pieces::pieces(n));
    BOOST_TEST(sums <= settled_pieces::sums(n));
  };
  for (std::uint64_t n :
       {std::uint64_t{1}, of_thread, of_thread + 1, of_piece, of_piece + 1, std::uint64_t{100003},
        3 * million})
    BOOST_TEST_CONTEXT(n << " values") {
      for (std::uint64_t length :
           {std::uint64_t{1}, of_thread, of_thread + 1, of_piece - 1, of_piece, of_piece + 1,
            2 * of_piece + 1, n})
        check(n, [=] { return length; });
      check(n, [&] { return 1 + rng() % (3 * of_piece); });
      check(n, [&] { return rng() % 2 == 0 ? of_thread + 1 : of_piece + 1; });
    }
}

// And a sort has all of it beside what it sorts, so that nothing is taken once rows are written.
BOOST_AUTO_TEST_CASE(exact_sums_take_what_it_takes_to_sum_rows_once_more) {
  for (std::uint64_t n : {std::uint64_t{1000}, million, 64 * million}) {
    auto p = problem_of(n);
    p.values = {true, false, true, 0, 0, 16, 4, 8, 1000, 1000};
    const std::size_t rounded = plan_sorting(p, "").bytes;
    p.values.long_sum = 88;
    const std::size_t exact = plan_sorting(p, "").bytes;
    BOOST_TEST(exact >= 8 * n + settled_pieces::bytes(n, 88) + bytes_to_fold_runs(n, 4, 4, 16));
    BOOST_TEST(exact >= rounded);
    BOOST_TEST(exact < 18 * n + 20000);
  }
}

BOOST_AUTO_TEST_SUITE_END()
