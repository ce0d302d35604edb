// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The plan of a CUDA fold is a pure function: tested with g++, for GPUs large and small.

#include "../support/boost_test.h"
#include "../support/messages.h"
#include <thrust_hist/system/cuda/plan_folds.h>

#include <algorithm>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <iomanip>
#include <sstream>
#include <string>
#include <vector>

BOOST_AUTO_TEST_SUITE(plan_of_folds)

namespace {

using namespace thrust_hist;
using namespace thrust_hist::detail::cuda;

constexpr std::size_t kilobyte = 1024;
struct named_gpu {
  char const* name;
  device_facts facts;
};
constexpr named_gpu gpus[] = {
    {"H200", {132, 227 * kilobyte, 228 * kilobyte, 60 * kilobyte* kilobyte}},
    {"A100", {108, 163 * kilobyte, 164 * kilobyte, 40 * kilobyte* kilobyte}},
    {"4090", {128, 99 * kilobyte, 100 * kilobyte, 72 * kilobyte* kilobyte}},
    {"T4", {40, 64 * kilobyte, 64 * kilobyte, 4 * kilobyte* kilobyte}},
    {"none", {20, 48 * kilobyte, 64 * kilobyte, kilobyte* kilobyte}},  // refuses to give more
    // Half of a multiprocessor's is more than a block may have.
    {"48", {82, 48 * kilobyte, 100 * kilobyte, 6 * kilobyte* kilobyte}},
    {"64", {108, 64 * kilobyte, 164 * kilobyte, 40 * kilobyte* kilobyte}}};

// What folds tell the plan of themselves, but for pairs and bins.
struct named_fold {
  char const* name;
  fold_problem problem;
};
const named_fold folds[] = {
    {"i32", {0, 0, fold_means::words, 1, 0, 4, 4, 4, 0, false}},
    {"i64", {0, 0, fold_means::words, 2, 0, 8, 8, 8, 0, false}},
    {"f32", {0, 0, fold_means::exact_sum, 3, 13, 88, 8, 8, 4, false}},
    {"f32x", {0, 0, fold_means::exact_sum, 3, 13, 88, 8, 8, 0, false}},
    {"f64x", {0, 0, fold_means::exact_sum, 3, 82, 544, 8, 16, 0, false}},
    {"1", {0, 0, fold_means::lock, 0, 0, 1, 1, 1, 1, false}},
    {"16", {0, 0, fold_means::lock, 0, 0, 16, 8, 16, 16, false}},
    {"64", {0, 0, fold_means::lock, 0, 0, 64, 64, 64, 64, false}},
    {"1088", {0, 0, fold_means::lock, 0, 0, 1088, 8, 1088, 1088, false}},
    {"8s", {0, 0, fold_means::lock, 0, 0, 8, 8, 8, 8, false, {4, 12, 0, 8, false}}},
    {"512b",
     {0,
      0,
      fold_means::lock,
      0,
      0,
      512,
      8,
      512,
      512,
      false,
      {4, 516, 0, 512, true, 0, false, true},
      true}},
    {"1b", {0, 0, fold_means::lock, 0, 0, 1, 1, 1, 1, false, {4, 5, 0, 1, false}, true}},
    {"3b", {0, 0, fold_means::lock, 0, 0, 3, 1, 3, 3, false, {4, 7, 0, 3, true}, true}},
    {"4b", {0, 0, fold_means::lock, 0, 0, 4, 4, 4, 4, false, {4, 8, 0, 4, false}, true}},
    {"8b", {0, 0, fold_means::lock, 0, 0, 8, 8, 8, 8, false, {8, 12, 0, 8, false}, true}},
    {"40b",
     {0,
      0,
      fold_means::lock,
      0,
      0,
      40,
      8,
      40,
      40,
      false,
      {4, 44, 0, 40, true, 0, false, true},
      true}},
    {"16b",
     {0,
      0,
      fold_means::lock,
      0,
      0,
      16,
      8,
      16,
      16,
      false,
      {4, 20, 0, 16, true, 0, false, true},
      true}},
    // States that begin as values of 8 bytes, which travel.
    {"12b", {0, 0, fold_means::lock, 0, 0, 12, 4, 12, 12, false, {8, 16, 0, 12, true}, true}},
    {"f32b",
     {0, 0, fold_means::exact_sum, 3, 13, 88, 8, 8, 4, false, {4, 12, 52, 4, false, 0, true}}},
    {"f64b",
     {0, 0, fold_means::exact_sum, 3, 82, 544, 8, 16, 8, false, {8, 12, 12, 8, false, 332, true}}},
    {"64b",
     {0,
      0,
      fold_means::lock,
      0,
      0,
      64,
      64,
      64,
      64,
      false,
      {4, 68, 0, 64, true, 0, false, true},
      true}},
    // Atomics on the output itself.
    {"i32d",
     {0, 0, fold_means::words, 1, 0, 4, 4, 4, 0, false, {4, 4, 0, 4}, false, false, false, true}},
    {"f64d",
     {0,
      0,
      fold_means::exact_sum,
      3,
      82,
      544,
      8,
      16,
      8,
      false,
      {8, 12, 12, 8, false, 332, true},
      false,
      false,
      false,
      true}},
    // What may be sorted.
    {"8s+",
     {0,
      0,
      fold_means::lock,
      0,
      0,
      8,
      8,
      8,
      8,
      false,
      {8, 12, 0, 8, false},
      true,
      false,
      false,
      false,
      1 << 20}},
    {"40s+",
     {0,
      0,
      fold_means::lock,
      0,
      0,
      40,
      8,
      40,
      40,
      false,
      {4, 44, 0, 40, true, 0, false, true},
      true,
      false,
      false,
      false,
      1 << 20}}};

constexpr std::uint64_t pair_counts[] = {
    0, 1, 1 << 14, (1 << 14) + 1, 1 << 20, 1 << 27, std::uint64_t{1} << 40};
constexpr std::uint64_t bin_counts[] = {
    0,
    1,
    7,
    32,
    56,
    57,
    113,
    256,
    1000,
    4096,
    5000,
    12288,
    16384,
    19370,
    19371,
    29056,
    58112,
    58113,
    65536,
    1 << 20,
    1 << 24,
    std::uint64_t{1} << 31,
    std::uint64_t{1} << 33};

fold_problem problem_of(named_fold const& fold, std::uint64_t pairs, std::uint64_t bins) {
  fold_problem problem = fold.problem;
  problem.pairs = pairs;
  problem.bins = bins;
  return problem;
}

template <class Check>
void for_every_problem(Check check) {
  for (named_gpu const& gpu : gpus)
    for (named_fold const& fold : folds)
      for (std::uint64_t pairs : pair_counts)
        for (std::uint64_t bins : bin_counts)
          BOOST_TEST_CONTEXT(
              gpu.name << ", " << fold.name << ", " << pairs << " pairs, " << bins << " bins")
  check(problem_of(fold, pairs, bins), gpu.facts);
}

// --- the golden table -----------------------------------------------------------------------

// A raw string, so that the program finds it wherever it runs.
constexpr char const* golden =
#include "plan_folds_golden.txt"
    ;

template <class... Columns>
std::string line(Columns const&... columns) {
  constexpr int widths[] = {4, 5, 11, 13, 11, 6, 7, 12, 6, 6, 7, 6, 14};
  std::ostringstream text;
  int const* width = widths;
  ((text << std::setw(*width++) << columns << ' '), ...);
  std::string whole = text.str();
  return whole.erase(whole.find_last_not_of(' ') + 1);
}

std::string planned(
    named_gpu const& gpu, named_fold const& fold, std::uint64_t bins, std::uint64_t pairs) {
  const fold_plan p = plan_fold(problem_of(fold, pairs, bins), gpu.facts, options{});
  return line(
      gpu.name, fold.name, bins, pairs, to_string(p.taken), p.blocks, p.threads,
      std::max(p.shared_bytes, p.limb_bytes), 1U << p.copies_log2, p.hot_entries, p.windows,
      p.has_limbs ? 1U << p.limb_parts_log2 : 0U, p.scratch_bytes);
}

std::vector<std::string> planned_table() {
  std::vector<std::string> table{line(
      "GPU", "fold", "bins", "pairs", "route", "blocks", "threads", "shared bytes", "copies", "hot",
      "windows", "limbs", "scratch")};
  for (std::size_t gpu : {0, 2})
    for (named_fold const& fold : folds)
      for (std::uint64_t bins : bin_counts)
        for (unsigned pairs_log2 : {10, 14, 21, 27})
          if (const std::uint64_t pairs = std::uint64_t{1} << pairs_log2; bins > 0)
            table.push_back(planned(gpus[gpu], fold, bins, pairs));
  return table;
}

std::vector<std::string> golden_table() {
  std::istringstream text(golden);
  std::vector<std::string> table;
  for (std::string next; std::getline(text, next);)
    if (!next.empty())
      table.push_back(next);
  return table;
}

}  // namespace

BOOST_AUTO_TEST_CASE(fits_the_gpu) {
  for_every_problem([](fold_problem const& problem, device_facts const& facts) {
    const fold_plan p = plan_fold(problem, facts, options{});
    BOOST_TEST(p.shared_bytes <= facts.shared_bytes_block);
    BOOST_TEST(p.limb_bytes <= facts.shared_bytes_block);
    BOOST_TEST(p.threads >= 128U);
    BOOST_TEST(p.threads <= 1024U);
    BOOST_TEST(p.blocks >= 1U);
    BOOST_TEST(p.blocks <= std::max(2 * facts.multiprocessors, 16U));
    BOOST_TEST(std::string(p.why) != "");
  });
}

BOOST_AUTO_TEST_CASE(has_memory_for_what_it_does) {
  for_every_problem([](fold_problem const& problem, device_facts const& facts) {
    const fold_plan p = plan_fold(problem, facts, options{});
    if (p.alone) {
      BOOST_TEST(p.scratch_bytes + p.states_bytes + p.locks_bytes + p.partial_bytes == 0U);
      return;
    }
    BOOST_TEST(p.scratch_bytes > p.states_bytes + p.locks_bytes + p.partial_bytes);
    if (p.taken == route::registers || p.taken == route::shared) {
      const bool leaves_parts =
          problem.means != fold_means::exact_sum || p.has_window || p.taken == route::registers;
      BOOST_TEST(
          p.partial_bytes >=
          (leaves_parts ? problem.bins * problem.partial_bytes * p.blocks : std::uint64_t{0}));
      BOOST_TEST((!leaves_parts || p.partial_bytes > 0U || problem.bins == 0));
    }
    if (p.taken == route::global) {
      BOOST_TEST((p.direct ? p.states_bytes == 0 : p.states_bytes >= problem.bins));
      BOOST_TEST(p.direct == problem.direct);
      BOOST_TEST((problem.means != fold_means::lock || p.locks_bytes >= problem.bins * 4));
    }
    if (p.taken == route::partitioned) {
      BOOST_TEST(p.direct == problem.direct);
      BOOST_TEST(p.states_bytes == (p.direct ? 0 : problem.bins * problem.buckets.state_bytes));
      BOOST_TEST(p.locks_bytes >= (problem.buckets.locks ? problem.bins * 4 : 0));
      BOOST_TEST(p.partial_bytes == p.buckets.bytes());
      BOOST_TEST(
          p.shared_bytes >= line_units(p.buckets.layout.tables()) * 16 +
                                (problem.buckets.bin_bytes << p.buckets.layout.table_bits) +
                                behind_table_bytes +
                                warp_entries_bytes(problem.state_bytes, p.hot_entries));
    }
    if (problem.means != fold_means::lock && p.taken == route::global) {
      const std::size_t place = problem.means == fold_means::words ? problem.state_bytes
                                : problem.private_bytes != 0       ? problem.private_bytes
                                                                   : problem.limb_words * 4;
      BOOST_TEST(p.shared_bytes == p.hot_entries * (place + 4));
      BOOST_TEST(p.hot_entries % 8 == 0U);
      BOOST_TEST((p.hot_entries > 0U) == (problem.pairs >= 1 << 14));
      // For two blocks.
      BOOST_TEST(
          (p.hot_entries == 0 || 2 * (p.shared_bytes + 1024) <= facts.shared_bytes_processor));
    }
    if (problem.means == fold_means::lock && p.taken == route::global)
      BOOST_TEST(
          p.shared_bytes ==
          (p.hot_entries == 0
               ? 0
               : hot_bytes(p.hot_entries, problem.state_bytes, problem.state_alignment)));
    if (problem.means == fold_means::lock && p.taken == route::shared)
      BOOST_TEST(
          p.shared_bytes >= ((problem.bins * (problem.state_bytes + 4)) << p.copies_log2) +
                                warp_entries_bytes(problem.state_bytes, p.hot_entries));
    if (problem.means == fold_means::words && p.taken == route::shared)
      BOOST_TEST(
          p.shared_bytes >=
          ((problem.bins * problem.table_words * 4) << p.copies_log2) + nowhere_bytes);
  });
}

// One block from the input to the output: its table fits, and nobody asks for what it has no place
// for.
BOOST_AUTO_TEST_CASE(few_pairs_take_one_block_and_no_memory) {
  for_every_problem([](fold_problem problem, device_facts const& facts) {
    const fold_plan p = plan_fold(problem, facts, options{});
    if (!p.alone)
      return;
    BOOST_TEST((p.taken == route::shared || p.taken == route::registers), "route " << p.taken);
    BOOST_TEST(problem.pairs <= 2 * default_tuning.lone_pairs);
    BOOST_TEST(p.blocks == 1U);
    BOOST_TEST((p.shared_bytes > 0U || problem.bins == 0));
    BOOST_TEST(p.shared_bytes <= facts.shared_bytes_block);
    if (problem.means == fold_means::exact_sum && p.taken == route::shared) {
      BOOST_TEST((p.has_limbs && !p.has_window && p.limb_parts_log2 == 0));
      BOOST_TEST(
          p.limb_bytes >=
          ((problem.bins * problem.limb_words * 4) << p.limb_copies_log2) + problem.bins * 4);
    }
    BOOST_TEST(!plan_fold(problem, facts, options{}.force(p.taken)).alone);
    BOOST_TEST(plan_fold(problem, facts, options{}.max_temporary_bytes(0)).alone);
    problem.asks_dropped = true;
    BOOST_TEST(!plan_fold(problem, facts, options{}).alone);
  });
}

// Copies of limbs leave room for what is no number, also where a block has little.
BOOST_AUTO_TEST_CASE(one_block_has_no_more_copies_of_limbs_than_fit) {
  for (std::size_t kibibytes : {16, 20, 33, 48})
    for (named_fold const& fold : folds)
      for (std::uint64_t bins = 1; bins < 400; ++bins) {
        const device_facts facts = {20, kibibytes * kilobyte, 64 * kilobyte, kilobyte * kilobyte};
        const fold_plan p = plan_fold(problem_of(fold, 1, bins), facts, options{});
        if (p.alone)
          BOOST_TEST(p.shared_bytes <= facts.shared_bytes_block, fold.name << ", " << bins);
      }
}

// Up to how many pairs, by what they cost.
BOOST_AUTO_TEST_CASE(one_block_folds_so_many_pairs_alone) {
  const auto most = [](named_fold const& fold, std::uint64_t bins) {
    std::uint64_t pairs = 0;
    while (plan_fold(problem_of(fold, pairs + 1, bins), gpus[0].facts, options{}).alone)
      ++pairs;
    return pairs;
  };
  for (named_fold const& fold : folds) {
    const std::string name = fold.name;
    const std::uint64_t expected = name == "i32" || name == "i64" || name == "i32d" ? 1 << 15
                                   : name.substr(0, 3) == "f32"                     ? 1 << 14
                                                                                    : 1 << 12;
    if (fold.problem.state_bytes >= 4 && fold.problem.state_bytes <= 544)
      BOOST_TEST(most(fold, 256) == expected, name);
    if (name == "f32" || name == "16")
      BOOST_TEST(most(fold, 4) == 1U << 14, name);  // in tables of threads
    BOOST_TEST(most(fold, 60000) == 0U, name);
    // Few pairs for bins that no block holds alone are not worth the tables of several.
    if (name == "f32x")
      BOOST_TEST(
          (plan_fold(problem_of(fold, 1000, 16384), gpus[0].facts, options{}).taken ==
           route::global));
  }
}

BOOST_AUTO_TEST_CASE(is_accepted_with_the_memory_it_names_and_refused_with_less) {
  for_every_problem([](fold_problem const& problem, device_facts const& facts) {
    const std::size_t scratch = plan_fold(problem, facts, options{}).scratch_bytes;
    if (scratch == 0)
      return;
    BOOST_TEST(
        plan_fold(problem, facts, options{}.max_temporary_bytes(scratch)).scratch_bytes <= scratch);
    try {
      // It may find a way with less, but then has to keep to it.
      const std::size_t less =
          plan_fold(problem, facts, options{}.max_temporary_bytes(scratch - 1)).scratch_bytes;
      BOOST_TEST(less < scratch);
    } catch (memory_limit_error const& refusal) {
      BOOST_TEST(refusal.smallest() <= scratch);
    }
  });
}

// Whatever route that is: buckets have no locks for states of 1, 2, 4 and 8 bytes.
BOOST_AUTO_TEST_CASE(names_the_smallest_cap_and_keeps_it) {
  for_every_problem([](fold_problem const& problem, device_facts const& facts) {
    std::size_t least = 0;
    try {
      plan_fold(problem, facts, options{}.max_temporary_bytes(0));
    } catch (memory_limit_error const& refusal) {
      least = refusal.smallest();
    }
    if (least > 0) {
      const fold_plan p = plan_fold(problem, facts, options{}.max_temporary_bytes(least));
      BOOST_TEST(p.scratch_bytes <= least);
      BOOST_CHECK_THROW(
          plan_fold(problem, facts, options{}.max_temporary_bytes(least - 1)), memory_limit_error);
    }
  });
}

BOOST_AUTO_TEST_CASE(gives_a_rule_cells_beside_buckets) {
  constexpr std::size_t cells = 1000016, gap = 64;
  const device_facts gpu = gpus[0].facts;
  fold_problem problem = {1 << 22, 1 << 17, fold_means::lock,    0, 0, 8, 8, 8,
                          8,       false,   {4, 12, 0, 8, false}};
  const auto plan = [&](options const& o) { return plan_fold(problem, gpu, o); };
  const std::size_t without = plan({}).scratch_bytes;
  BOOST_TEST(plan({}).cells_bytes == 0U);
  problem.cells_bytes = cells;
  const fold_plan p = plan({});
  BOOST_TEST_REQUIRE((p.taken == route::partitioned));
  BOOST_TEST(p.cells_bytes == cells + gap);
  BOOST_TEST(p.scratch_bytes == without + cells + gap);
  // They leave three quarters to buckets, or there are none.
  for (std::size_t cap = p.scratch_bytes; cap > without / 64; cap -= cap / 8) {
    try {
      const fold_plan capped = plan(options{}.force(route::partitioned).max_temporary_bytes(cap));
      BOOST_TEST(capped.scratch_bytes <= cap);
      BOOST_TEST((capped.cells_bytes == 0 || 4 * capped.cells_bytes <= cap));
      BOOST_TEST(capped.buckets.layout.tiles > 0U);
    } catch (memory_limit_error const& refused) {
      BOOST_TEST(refused.smallest() > cap);
    }
  }
  // What does not pay with cells may without them.
  fold_problem wide = std::find_if(std::begin(folds), std::end(folds), [](named_fold const& f) {
                        return std::string(f.name) == "512b";
                      })->problem;
  wide.pairs = 62599014;
  wide.bins = 28697;
  for (std::size_t of_rule : {std::size_t{0}, std::size_t{475616}}) {
    wide.cells_bytes = of_rule;
    const auto capped = options{}.max_temporary_bytes(std::size_t{16} << 20);
    BOOST_TEST((plan_fold(wide, gpu, capped).taken == route::partitioned));
  }
  problem.pairs = 1 << 16;  // fewer than bins
  BOOST_TEST(plan(options{}).cells_bytes == 0U);
  BOOST_TEST(plan(options{}.force(route::partitioned)).cells_bytes == cells + gap);
  BOOST_TEST(plan(options{}.force(route::global)).cells_bytes == 0U);
}

// Else few blocks would fold what most of the pairs belong to.
BOOST_AUTO_TEST_CASE(few_pairs_are_sorted_by_smaller_tiles) {
  for (named_fold const& fold : folds)
    if (fold.problem.buckets.payload_bytes != 0 && fold.problem.state_bytes <= 8) {
      const auto buckets = [&](std::uint64_t pairs, std::uint64_t bins) {
        const auto by_buckets = options{}.force(route::partitioned);
        return plan_fold(problem_of(fold, pairs, bins), gpus[0].facts, by_buckets).buckets.layout;
      };
      BOOST_TEST(buckets(1 << 18, 70000).groups() >= 8U, fold.name);
      BOOST_TEST(buckets(1 << 20, 70000).groups() >= 16U, fold.name);
      BOOST_TEST(buckets(1 << 21, 70000).threads == buckets(1 << 27, 70000).threads, fold.name);
      const auto many = buckets(1 << 20, 1 << 23);
      BOOST_TEST(many.samples_of_tile() >= 32 * many.buckets, fold.name);
    }
}

// Values that no window holds are folded by atomics where these may be: while all sums have room in
// nine sixteenths of the cache, and of float where they are many.
BOOST_AUTO_TEST_CASE(wide_values_go_by_atomics_while_sums_stay_in_the_cache) {
  constexpr std::size_t megabyte = kilobyte * kilobyte;
  const bucket_needs floats = {4, 12, 52, 4, false, 0, true};
  const bucket_needs doubles = {8, 12, 12, 8, false, 332, true};
  const bucket_needs exact = {4, 12, 52, 88};
  const device_facts gpu = {132, 227 * kilobyte, 228 * kilobyte, 48 * megabyte};
  const auto plan = [&](bucket_needs const& needs, std::uint64_t bins) {
    return plan_fold_buckets(bins, 1 << 24, needs, false, gpu, std::size_t{1} << 40);
  };
  for (bucket_needs const& needs : {floats, doubles}) {
    const std::uint64_t most = 27 * megabyte / needs.state_bytes;
    for (std::uint64_t bins : {std::uint64_t{1} << 15, most}) {
      const fold_buckets b = plan(needs, bins);
      BOOST_TEST(b.wide_by_atomics);
      BOOST_TEST(b.wide_hot_entries >= 8U);
      BOOST_TEST(2 * (b.wide_table_bytes + 1024) <= gpu.shared_bytes_processor);
      BOOST_TEST(b.wide_table_bytes == b.wide_hot_entries * (needs.state_bytes + 4));
    }
    const fold_buckets b = plan(needs, most + 1);
    BOOST_TEST(!b.wide_by_atomics);
    BOOST_TEST(b.wide_table_bytes <= gpu.shared_bytes_block);
    BOOST_TEST(b.wide_table_bytes >= needs.wide_bin_bytes << b.wide_table_bits);
  }
  BOOST_TEST(!plan(floats, 20000).wide_by_atomics);
  BOOST_TEST(plan(doubles, 20000).wide_by_atomics);
  BOOST_TEST(!plan(exact, 1 << 15).wide_by_atomics);
}

// Threads that ask for pairs one by one wait for each: few of them are not enough.
BOOST_AUTO_TEST_CASE(pairs_that_are_visited_want_all_threads) {
  for_every_problem([](fold_problem problem, device_facts const& facts) {
    const fold_plan side_by_side = plan_fold(problem, facts, {});
    problem.visits = true;
    const fold_plan p = plan_fold(problem, facts, {});
    const bool few = problem.by_warps && !side_by_side.alone &&
                     side_by_side.taken == route::registers && side_by_side.threads < 1024;
    BOOST_TEST((p.taken == route::registers) == (side_by_side.taken == route::registers && !few));
    BOOST_TEST((few || (p.taken == side_by_side.taken && p.threads == side_by_side.threads)));
    BOOST_TEST((few || p.scratch_bytes == side_by_side.scratch_bytes));
    BOOST_TEST((p.alone || !side_by_side.alone));
  });
}

BOOST_AUTO_TEST_CASE(starts_more_blocks_for_more_pairs) {
  for (named_gpu const& gpu : gpus)
    for (named_fold const& fold : folds)
      for (std::uint64_t bins : bin_counts) {
        unsigned blocks = 0;
        route taken = route::automatic;
        for (std::uint64_t pairs : pair_counts) {
          const fold_plan p = plan_fold(problem_of(fold, pairs, bins), gpu.facts, options{});
          // Those of groups that share bins out are whole groups.
          if (p.taken == taken && p.limb_parts_log2 == 0)
            BOOST_TEST(
                p.blocks >= blocks,
                gpu.name << ", " << fold.name << ", " << pairs << " pairs, " << bins << " bins");
          blocks = p.blocks;
          taken = p.taken;
        }
      }
}

// Once bins do not fit a route, more of them do not either.
BOOST_AUTO_TEST_CASE(leaves_shared_memory_once) {
  for (named_gpu const& gpu : gpus)
    for (named_fold const& fold : folds) {
      int last = 0;
      for (std::uint64_t bins : bin_counts) {
        const route taken = plan_fold(problem_of(fold, 1 << 27, bins), gpu.facts, options{}).taken;
        const int rank = taken == route::registers ? 0 : taken == route::shared ? 1 : 2;
        BOOST_TEST(rank >= last, gpu.name << ", " << fold.name << ", " << bins << " bins");
        last = rank;
      }
    }
}

// Places of warps are there for hot bins; they take no more than half of the copies, and only for
// something.
BOOST_AUTO_TEST_CASE(gives_up_copies_for_places_only) {
  for (named_gpu const& gpu : gpus)
    for (named_fold const& fold : folds)
      if (fold.problem.by_warps)
        for (std::uint64_t bins : bin_counts) {
          const fold_problem many = problem_of(fold, 1 << 27, bins);
          fold_problem without = many;
          without.by_warps = false;
          const fold_plan p = plan_fold(many, gpu.facts, options{});
          const fold_plan q = plan_fold(without, gpu.facts, options{});
          if (p.taken != route::shared)
            continue;
          BOOST_TEST_CONTEXT(gpu.name << ", " << fold.name << ", " << bins << " bins") {
            BOOST_TEST(p.copies_log2 + (p.hot_entries > 0 ? 1 : 0) >= q.copies_log2);
            BOOST_TEST(q.hot_entries == 0U);
          }
        }
}

// Many pairs of states with locks go through buckets where shared memory does not hold their bins.
BOOST_AUTO_TEST_CASE(locks_many_bins_by_buckets) {
  for (named_gpu const& gpu : gpus)
    for (named_fold const& fold : folds)
      if (fold.problem.buckets.payload_bytes != 0)
        for (std::uint64_t bins : bin_counts)
          BOOST_TEST_CONTEXT(gpu.name << ", " << fold.name << ", " << bins << " bins") {
            const fold_problem many = problem_of(fold, 1 << 27, bins);
            const fold_plan p = plan_fold(many, gpu.facts, options{});
            if (fits_table(many, gpu.facts) || bins >= 1 << 30) {
              BOOST_TEST((p.taken != route::partitioned));
              continue;
            }
            BOOST_TEST((p.taken == route::partitioned), "route " << p.taken);
            BOOST_TEST((p.hot_entries & (p.hot_entries - 1)) == 0U);
            // With half of what batches take, they are smaller.
            const std::size_t cap = p.scratch_bytes - p.partial_bytes / 2;
            const fold_plan capped = plan_fold(many, gpu.facts, options{}.max_temporary_bytes(cap));
            BOOST_TEST((capped.taken == route::partitioned), "route " << capped.taken);
            BOOST_TEST(capped.scratch_bytes <= cap);
            BOOST_TEST(capped.buckets.layout.tiles < p.buckets.layout.tiles);
            const fold_problem some = problem_of(fold, 1 << 13, bins);
            const fold_plan few = plan_fold(some, gpu.facts, options{});
            const bool sorts = some.sorting_bytes > 0 && is_worth_sorting(some, default_tuning);
            BOOST_TEST(
                (few.taken == (sorts ? route::sorted : route::global)), "route " << few.taken);
          }
}

// Where bins do not fit shared memory, what no atomics fold is sorted: few pairs, or up to some
// times the bins.
BOOST_AUTO_TEST_CASE(sorts_pairs_between_locks_and_buckets) {
  const auto sorts = [](char const* name, std::uint64_t pairs, std::uint64_t bins,
                        options const& o) {
    for (named_fold const& fold : folds)
      if (fold.name == std::string(name))
        return plan_fold(problem_of(fold, pairs, bins), gpus[0].facts, o).taken == route::sorted;
    return false;
  };
  const auto between = [&](char const* name, std::uint64_t bins) {
    std::string which;
    for (unsigned log2 = 0; log2 < 29; ++log2)
      which += sorts(name, std::uint64_t{1} << log2, bins, options{}) ? '+' : '.';
    return which;
  };
  //                                       0         1         2
  //                                       01234567890123456789012345678
  BOOST_TEST(between("8s+", 1000) == std::string(29, '.'));
  BOOST_TEST(between("8s+", 60000) == "+++++++++++++.+++++++++......");
  BOOST_TEST(between("40s+", 60000) == "+++++++++++++.+++++++++......");
  BOOST_TEST(between("8s+", 1 << 20) == "+++++++++++++...++++++.......");
  BOOST_TEST(between("40s+", 1 << 20) == "+++++++++++++...+++++++......");
  BOOST_TEST(between("8s+", 1 << 23) == "+++++++++++++++++++++++......");
  BOOST_TEST(between("40s+", 1 << 23) == "+++++++++++++++++++++++++....");
  BOOST_TEST(between("8b", 1 << 20) == std::string(29, '.'));  // it cannot be
  // With less memory than a sort takes, another way; by force, a refusal that names what it takes.
  const std::size_t bytes = (1 << 20) + scratch_overhead;
  BOOST_TEST(sorts("8s+", 1 << 20, 1 << 20, options{}.max_temporary_bytes(bytes)));
  BOOST_TEST(!sorts("8s+", 1 << 18, 60000, options{}.max_temporary_bytes(bytes - 1)));
  BOOST_CHECK_EXCEPTION(
      sorts("8s+", 100, 3, options{}.max_temporary_bytes(bytes - 1).force(route::sorted)),
      memory_limit_error, [&](memory_limit_error const& e) { return e.smallest() == bytes; });
  BOOST_TEST(sorts("8s+", 100, 3, options{}.force(route::sorted)));
  for (char const* const name : {"8b", "f32", "i32d"})
    BOOST_TEST(
        test::throws(
            [&] { sorts(name, 100, 3, options{}.force(route::sorted)); }, "route::sorted",
            "only values that no atomics fold are sorted"),
        name);
}

BOOST_AUTO_TEST_CASE(lists_what_is_emitted_where_states_in_global_memory_crawl) {
  const auto lists = [](fold_problem problem, std::uint64_t inputs, std::uint64_t bins,
                        options const& o = {}) {
    problem.pairs = inputs;
    problem.bins = bins;
    problem.emits = true;
    return listing_pays(problem, o);
  };
  for (named_fold const& fold : folds) {
    const bool locks = fold.problem.means == fold_means::lock;
    const bool sums =
        fold.problem.means == fold_means::exact_sum && fold.problem.private_bytes == 0;
    BOOST_TEST_CONTEXT(fold.name) {
      BOOST_TEST(lists(fold.problem, 1 << 16, 20000) == locks);
      BOOST_TEST(!lists(fold.problem, (1 << 16) - 1, 10000));
      BOOST_TEST(lists(fold.problem, 1 << 20, 10000) == (locks || sums));
      // Long accumulators of so many bins take longer than anything else.
      BOOST_TEST(lists(fold.problem, 1, 1 << 20) == sums);
      BOOST_TEST(!lists(fold.problem, 0, 1 << 20));
      BOOST_TEST(!lists(fold.problem, 1 << 20, std::uint64_t{1} << 31));
      BOOST_TEST(!lists(fold.problem, 1 << 20, 70000, options{}.force(route::global)));
      fold_problem by_key = fold.problem;
      by_key.pairs = by_key.bins = 1 << 20;
      BOOST_TEST(!listing_pays(by_key, {}));
    }
  }
}

// Lanes that emit do not add up what they have for one bin, as lanes that read pairs do.
BOOST_AUTO_TEST_CASE(has_copies_of_few_bins_for_sums_of_what_is_emitted) {
  const auto copies = [](std::uint64_t bins, bool emits) {
    fold_problem problem = problem_of(folds[2], 1 << 26, bins);
    problem.emits = emits;
    return 1 << plan_fold(problem, gpus[0].facts, options{}).copies_log2;
  };
  BOOST_TEST(copies(1000, false) == 1);
  BOOST_TEST(copies(1000, true) == 8);
  BOOST_TEST(copies(4096, true) == 2);
  BOOST_TEST(copies(8192, true) == 1);
  BOOST_TEST(copies(300, false) == copies(300, true));
}

BOOST_AUTO_TEST_CASE(has_fewer_rows_of_exact_sums_where_few_are_expected) {
  constexpr std::size_t row = 544;
  const sum_rows all = {4000000, 4000000, 4};
  BOOST_TEST(all.are_large(row));
  BOOST_TEST((!sum_rows{400000, 400000, 4}.are_large(row)));
  BOOST_TEST((!sum_rows{4000000, 4000000, 0}.are_large(row)));  // route global needs a row for each
  BOOST_TEST(all.for_expected(0).rows == 125000U);
  BOOST_TEST(all.for_expected(1000).rows == 127000U);
  BOOST_TEST(all.for_expected(937499).rows < 2000000U);
  for (double many : {937500., 4e6, 1e18})
    BOOST_TEST(all.for_expected(many).rows == all.rows);

  fold_problem problem = {};
  problem.state_bytes = row;
  fold_plan p = {};
  p.sums = all;
  p.states_bytes = all.bytes(row);
  p.scratch_bytes = p.states_bytes + 1000;
  const fold_plan few = with_rows_for(p, problem, 1000);
  BOOST_TEST(few.sums.rows == 127000U);
  BOOST_TEST(few.sums.header().rows == 127000U);
  BOOST_TEST(few.sums.header().is_numbered);
  BOOST_TEST(few.states_bytes == few.sums.bytes(row));
  BOOST_TEST(few.scratch_bytes == few.states_bytes + 1000);
  BOOST_TEST(with_rows_for(p, problem, 1e9).scratch_bytes == p.scratch_bytes);
}

BOOST_AUTO_TEST_CASE(takes_a_forced_route_or_says_why_not) {
  for_every_problem([](fold_problem const& problem, device_facts const& facts) {
    for (route forced :
         {route::serial, route::private_tables, route::registers, route::shared,
          route::shared_lanes, route::shared_packed, route::shared_split, route::global})
      try {
        const fold_plan p = plan_fold(problem, facts, options{}.force(forced));
        BOOST_TEST((p.taken == forced), "route " << p.taken << " instead of " << forced);
        BOOST_TEST(p.shared_bytes <= facts.shared_bytes_block);
      } catch (std::invalid_argument const& refusal) {
        const std::string why = refusal.what();
        BOOST_TEST(why.find(to_string(forced)) != std::string::npos, why);
        BOOST_TEST((forced != route::global), why);
      }
  });
}

// The plans of a grid of problems: a change shows here what else it moved. Who means it writes the
// table anew: test_unit with THRUST_HIST_WRITE_GOLDEN_FOLDS=test/unit/plan_folds_golden.txt
BOOST_AUTO_TEST_CASE(is_that_of_plan_folds_golden_txt) {
  const std::vector<std::string> now = planned_table(), before = golden_table();
  if (char const* const path = std::getenv("THRUST_HIST_WRITE_GOLDEN_FOLDS")) {
    std::ofstream file(path);
    file << "R\"golden(\n";
    for (std::string const& row : now)
      file << row << '\n';
    file << ")golden\"\n";
    BOOST_TEST_REQUIRE(file.flush().good(), "cannot write " << path);
    return;
  }
  std::size_t differing = 0;
  std::string report;
  for (std::size_t i = 0; i < std::max(now.size(), before.size()); ++i) {
    const std::string is = i < now.size() ? now[i] : "", was = i < before.size() ? before[i] : "";
    if (is != was && ++differing <= 40)
      report += "\n- " + was + "\n+ " + is;
  }
  BOOST_TEST(
      differing == 0U, differing << " of " << now.size() << " lines differ:" << report
                                 << (differing > 40 ? "\n  ..." : "")
                                 << "\nIf that is meant: THRUST_HIST_WRITE_GOLDEN_FOLDS="
                                    "test/unit/plan_folds_golden.txt build/test/test/test_unit "
                                    "--run_test=plan_of_folds");
}

BOOST_AUTO_TEST_SUITE_END()
