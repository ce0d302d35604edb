// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// When a look at the samples precedes route partitioned, and what it makes of what it sees.

#include "../support/boost_test.h"
#include <thrust_hist/system/cuda/frequent_bins.h>
#include <thrust_hist/system/cuda/plan.h>

#include <cstdint>

BOOST_AUTO_TEST_SUITE(frequent_bins)

namespace {

using namespace thrust_hist;
using namespace thrust_hist::detail::cuda;

constexpr device_facts h200 = {132, 232448, 233472, 60u << 20};
constexpr device_facts rtx4090 = {128, 101376, 102400, 72u << 20};

constexpr std::uint64_t power(int log2) {
  return std::uint64_t{1} << log2;
}
// Of all rows: so many rare samples in each on the mean, and no two rows near each other.
seen_rows rare_in_each(float rare) {
  return {static_cast<std::uint32_t>(rare * look_at_bins::rows), 0, 0, 0};
}

}  // namespace

BOOST_AUTO_TEST_CASE(many_samples_are_worth_a_look_and_few_bins_are_not) {
  for (device_facts const& facts : {h200, rtx4090}) {
    BOOST_TEST(plan_look(power(28), power(24), facts).is_worth);
    BOOST_TEST(plan_look(power(26), power(26), facts).is_worth);
    BOOST_TEST(plan_look(power(22), power(28), facts).is_worth);
    BOOST_TEST(!plan_look(power(26), power(22), facts).is_worth);
    BOOST_TEST(!plan_look(power(22), power(22), facts).is_worth);
    BOOST_TEST(!plan_look(power(30), power(18), facts).is_worth);
    BOOST_TEST(!plan_look(power(28), 1000, facts).is_worth);
    BOOST_TEST(!plan_look(power(28), 1, facts).is_worth);
  }
  BOOST_TEST(plan_look(power(28), power(24), h200).scratch_bytes() == 256U);
  BOOST_TEST(plan_look(power(20), power(20), h200).scratch_bytes() == 0U);
}

// As measured: most samples of two or eight bins, and a part of them anywhere.
BOOST_AUTO_TEST_CASE(additions_are_preferred_as_long_as_few_samples_are_rare) {
  for (int log2 : {22, 23, 24, 25, 26, 28}) {
    const look_at_bins look = plan_look(power(28), power(log2), h200);
    BOOST_TEST_CONTEXT("2^" << log2 << " bins") {
      BOOST_TEST(look.prefers_additions(rare_in_each(0)));
      BOOST_TEST(look.prefers_additions(rare_in_each(.64F)));
      BOOST_TEST(!look.prefers_additions(rare_in_each(6.4F)));
      BOOST_TEST(!look.prefers_additions(rare_in_each(32)));
    }
  }
  // Bins that the second-level cache holds cost less, and so does anything beside very many bins.
  BOOST_TEST(plan_look(power(28), power(22), h200).prefers_additions(rare_in_each(3.2F)));
  BOOST_TEST(!plan_look(power(28), power(26), h200).prefers_additions(rare_in_each(3.2F)));
  BOOST_TEST(plan_look(power(28), power(28), h200).prefers_additions(rare_in_each(3.2F)));
  BOOST_TEST(plan_look(power(26), power(28), h200).prefers_additions(rare_in_each(6.4F)));
}

// The second-level cache adds to one line after the other, and so does memory.
BOOST_AUTO_TEST_CASE(rare_samples_beside_each_other_cost_more) {
  constexpr std::uint32_t rows = look_at_bins::rows;
  for (int log2 : {22, 24, 26, 28}) {
    const look_at_bins look = plan_look(power(28), power(log2), h200);
    BOOST_TEST(look.rare_for_crowded > 0);
    BOOST_TEST(look.prefers_additions({rows, 0, 0, 0}));
    BOOST_TEST(!look.prefers_additions({4 * rows, 4 * rows, 0, 0}));
  }
  BOOST_TEST(!plan_look(power(28), power(24), h200).prefers_additions({rows, rows, 0, 0}));
  BOOST_TEST(plan_look(power(28), power(28), h200).prefers_additions({rows, rows, 0, 0}));
}

BOOST_AUTO_TEST_CASE(tiles_whose_bins_are_near_each_other_stay_with_buckets) {
  const look_at_bins look = plan_look(power(28), power(24), h200);
  BOOST_TEST(look.prefers_additions({0, 0, look_at_bins::pairs - 1, 0}));
  BOOST_TEST(!look.prefers_additions({0, 0, look_at_bins::pairs, 0}));
}

// As measured: one sample for each of 2^28 bins, in order, or four, by batches under 64 MiB.
BOOST_AUTO_TEST_CASE(unless_samples_are_in_order_and_few_of_a_bin) {
  constexpr std::uint32_t rows = look_at_bins::rows, pairs = look_at_bins::pairs;
  const bucket_batches eleven = {power(28) / 11};
  for (look_at_bins const& look :
       {plan_look(power(28), power(28), h200), plan_look(power(28), power(26), h200, eleven)}) {
    BOOST_TEST(look.prefers_additions({31 * rows, 2, pairs, rows}));
    BOOST_TEST((look.advise({31 * rows, 2, pairs, rows}) == advice::additions_in_order));
    BOOST_TEST(!look.prefers_additions({31 * rows, 2, pairs, rows - 1}));      // not in order
    BOOST_TEST(!look.prefers_additions({20 * rows, 2, pairs, rows}));          // some more of a bin
    BOOST_TEST(!look.prefers_additions({31 * rows, 31 * rows, pairs, rows}));  // few lines in all
    BOOST_TEST(!look.prefers_additions({0, 0, pairs, rows}));                  // equal
  }
  for (int log2 : {22, 24, 26}) {
    for (bucket_batches const& few : {bucket_batches{}, bucket_batches{power(28) / 3}}) {
      BOOST_TEST(!plan_look(power(28), power(log2), h200, few)
                      .prefers_additions({31 * rows, 2, pairs, rows}));
    }
  }
}

// Under any cap, on any GPU: they are added to one by one then.
BOOST_AUTO_TEST_CASE(keys_of_which_hardly_any_comes_again_stay_with_buckets) {
  for (device_facts const& facts : {h200, rtx4090, device_facts{40, 65536, 66560, 4u << 20}})
    for (int log2 = 16; log2 <= 28; ++log2)
      for (int log2_of_cap = 20; log2_of_cap <= 30; ++log2_of_cap) {
        const auto o = options{}.max_temporary_bytes(std::size_t{1} << log2_of_cap);
        const counting_plan p = plan_counting({power(28), power(log2), false, true}, facts, o);
        BOOST_REQUIRE(!p.look.prefers_additions(rare_in_each(29)));
      }
}

// What explain() says a call takes is enough for it.
BOOST_AUTO_TEST_CASE(a_cap_of_what_is_taken_changes_nothing) {
  for (int log2 = 18; log2 <= 28; ++log2)
    for (std::uint64_t more : {0, 1237})
      for (std::size_t cap : {~std::size_t{0}, std::size_t{200} << 20, std::size_t{64} << 20}) {
        const counting_problem problem = {power(27) + more, power(log2) + more, false, true};
        const counting_plan p = plan_counting(problem, h200, options{}.max_temporary_bytes(cap));
        const counting_plan again =
            plan_counting(problem, h200, options{}.max_temporary_bytes(p.scratch_bytes));
        BOOST_TEST_CONTEXT("2^" << log2 << " + " << more << " bins, cap " << cap) {
          BOOST_TEST((again.taken == p.taken));
          BOOST_TEST(again.buckets.tiles == p.buckets.tiles);
          BOOST_TEST(again.look.is_worth == p.look.is_worth);
          BOOST_TEST(again.byte_counters == p.byte_counters);
        }
      }
}

BOOST_AUTO_TEST_CASE(a_plan_has_places_and_memory_for_what_comes_of_a_look) {
  const counting_problem problem = {power(28), power(24), false, true};
  const counting_plan p = plan_counting(problem, h200, options{});
  BOOST_TEST((p.taken == route::partitioned));
  BOOST_TEST(p.look.is_worth);
  BOOST_TEST(p.hot_entries > 0U);
  BOOST_TEST(p.scratch_bytes == p.buckets.bytes() + p.look.scratch_bytes());
  for (std::size_t cap : {p.scratch_bytes - 1, p.scratch_bytes / 2, p.scratch_bytes / 8}) {
    const counting_plan capped = plan_counting(problem, h200, options{}.max_temporary_bytes(cap));
    BOOST_TEST((capped.taken == route::partitioned));
    BOOST_TEST(capped.look.is_worth);
    BOOST_TEST(capped.scratch_bytes <= cap);
  }
}

// What test/algorithm/frequent_bins.cu is about on an H200: two batches, and many that count into
// bytes.
BOOST_AUTO_TEST_CASE(batches_are_looked_at_as_one) {
  constexpr std::size_t mebibyte = 1 << 20;
  const auto capped = [](std::uint64_t n, std::uint64_t bins, std::size_t cap) {
    return plan_counting(
        {n, bins, false, true}, h200, options{}.max_temporary_bytes(cap * mebibyte));
  };
  const counting_plan two = capped(20000003, (1 << 26) + 7, 40);
  BOOST_TEST(two.look.is_worth);
  BOOST_TEST(samples_of_batch(two.buckets) < 20000003U);
  BOOST_TEST(2 * samples_of_batch(two.buckets) >= 20000003U);
  const counting_plan many = capped(power(28), power(24), 64);
  BOOST_TEST(many.look.is_worth);
  BOOST_TEST(many.byte_counters > 0U);
}

// As measured: 2^28 keys under 64 MiB, of which nine tenths have one of eight bins. All but the
// first of their batches add to bins that stand in memory, whatever the keys.
BOOST_AUTO_TEST_CASE(batches_under_a_cap_are_left_sooner) {
  for (int log2 : {18, 20, 22, 23, 24, 25, 26}) {
    const counting_problem problem = {power(28), power(log2), false, true};
    const look_at_bins look =
        plan_counting(problem, h200, options{}.max_temporary_bytes(64u << 20)).look;
    BOOST_TEST_CONTEXT("2^" << log2 << " bins") {
      BOOST_TEST(look.is_worth);
      BOOST_TEST(look.prefers_additions(rare_in_each(3.2F)));
      BOOST_TEST(!look.prefers_additions(rare_in_each(29)));  // uniform keys, as they are seen
    }
    if (log2 >= 25) {
      BOOST_TEST(!plan_counting(problem, h200, {}).look.prefers_additions(rare_in_each(3.2F)));
    }
  }
}

// Additions run with two blocks on each multiprocessor.
BOOST_AUTO_TEST_CASE(places_leave_room_for_two_blocks_on_any_gpu) {
  for (std::size_t kibibytes : {48, 100, 164, 227}) {
    const device_facts facts = {100, kibibytes << 10, (kibibytes + 1) << 10, 40u << 20};
    const counting_plan p = plan_counting({power(28), power(23), false, true}, facts, options{});
    BOOST_TEST_CONTEXT(kibibytes << " KiB") {
      BOOST_TEST(p.look.is_worth);
      BOOST_TEST(p.hot_entries > 0U);
      const std::size_t bytes = hot_place_bytes(p.hot_entries, sizeof(std::uint32_t));
      BOOST_TEST(2 * (bytes + 1024) <= facts.shared_bytes_processor);
    }
  }
}

BOOST_AUTO_TEST_CASE(there_is_no_look_before_other_routes_nor_where_atomics_have_no_cells) {
  const counting_problem problem = {power(28), power(24), false, true};
  const auto looks = [](counting_problem const& of, options const& o) {
    return plan_counting(of, h200, o).look.is_worth;
  };
  BOOST_TEST(!looks(problem, options{}.force(route::partitioned)));
  BOOST_TEST(!looks(problem, options{}.force(route::global)));
  BOOST_TEST(!looks(problem, options{}.max_temporary_bytes(1000)));  // no room for buckets
  BOOST_TEST(!looks({power(28), 2000, false, true}, options{}));
  BOOST_TEST(!looks({power(28), power(31), false, true}, options{}));  // too many for buckets
  counting_problem with_cells = problem;
  with_cells.cells_bytes = 1 << 20;
  BOOST_TEST(!looks(with_cells, options{}));
  counting_problem shorts = problem;
  shorts.short_samples = true;
  BOOST_TEST(!looks(shorts, options{}));
}

// Slices are counted one after the other, each from all samples; additions know nothing of them.
BOOST_AUTO_TEST_CASE(bins_in_slices_are_not_looked_at) {
  const auto p = [](std::uint64_t bins) {
    return plan_counting({power(28), bins, false, true}, rtx4090, options{});
  };
  for (std::uint64_t bins : {power(28), power(28) + 1, power(29), power(30)}) {
    BOOST_TEST((p(bins).taken == route::partitioned));
    BOOST_TEST(p(bins).buckets.bins < bins);
    BOOST_TEST(!p(bins).look.is_worth);
  }
  BOOST_TEST(p(power(25)).buckets.bins == power(25));
  BOOST_TEST(p(power(25)).look.is_worth);
}

BOOST_AUTO_TEST_SUITE_END()
