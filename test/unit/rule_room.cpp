// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The shared memory that a rule gets behind the table of a count or a fold.

#include "../support/boost_test.h"
#include <thrust_hist/system/cuda/plan.h>
#include <thrust_hist/system/cuda/plan_folds.h>

#include <initializer_list>

BOOST_AUTO_TEST_SUITE(rule_room)

using namespace thrust_hist;
using namespace thrust_hist::detail::cuda;

namespace {

constexpr device_facts h200 = {132, 232448, 233472, 60u << 20};
constexpr device_facts small = {40, 49152, 65536, 4u << 20};
constexpr wanted_bytes some = {10000, 32768};

counting_problem counts(std::uint64_t samples, std::uint64_t bins) {
  counting_problem p = {samples, bins, false, true};
  p.of_rule = some;
  return p;
}
fold_problem folds(fold_means means, std::uint64_t pairs, std::uint64_t bins) {
  const bool exact = means == fold_means::exact_sum;
  fold_problem p = {};
  p.pairs = pairs;
  p.bins = bins;
  p.means = means;
  p.table_words = exact ? 3 : 1;
  p.limb_words = exact ? 10 : 0;
  p.state_bytes = p.state_alignment = p.partial_bytes = 8;
  p.private_bytes = 4;
  p.by_warps = means == fold_means::lock;
  p.of_rule = some;
  return p;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_rule_gets_some_memory_for_many_samples_and_more_for_very_many) {
  const auto bytes = [](std::uint64_t samples, std::size_t left) {
    return room_for_rule(some, left, samples, false, default_tuning);
  };
  BOOST_TEST(bytes(1000, 200000) == 0U);
  BOOST_TEST(bytes(1 << 20, 200000) == 10000U);
  BOOST_TEST(bytes(1 << 26, 200000) == 42768U);
  BOOST_TEST(bytes(1 << 26, 20000) == 20000U);
  BOOST_TEST(bytes(1 << 26, 9999) == 0U);
  BOOST_TEST(room_for_rule(some, 200000, 10, true, default_tuning) == 42768U);
  BOOST_TEST(room_for_rule({}, 200000, 1 << 26, false, default_tuning) == 0U);
}

BOOST_AUTO_TEST_CASE(a_rule_may_want_it_for_more_samples_only) {
  const wanted_bytes later = {10000, 0, 1 << 24};
  BOOST_TEST(room_for_rule(later, 200000, (1 << 24) - 1, false, default_tuning) == 0U);
  BOOST_TEST(room_for_rule(later, 200000, 1 << 24, false, default_tuning) == 10000U);
  BOOST_TEST(room_for_rule(later, 200000, 10, true, default_tuning) == 10000U);
}

BOOST_AUTO_TEST_CASE(counts_have_it_behind_the_table_or_not_at_all) {
  for (device_facts const& facts : {h200, small})
    for (std::uint64_t bins : {1, 100, 1000, 9000, 50000, 57000})
      BOOST_TEST_CONTEXT(bins << " bins") {
        const counting_plan p = plan_counting(counts(1 << 26, bins), facts, {});
        const counting_plan without = plan_counting({1 << 26, bins, false, true}, facts, {});
        BOOST_TEST(p.shared_bytes <= facts.shared_bytes_block);
        BOOST_TEST(
            p.shared_bytes ==
            (p.rule_bytes > 0 ? p.rule_begin + p.rule_bytes : without.shared_bytes));
        BOOST_TEST(p.rule_begin >= (p.rule_bytes > 0 ? without.shared_bytes : 0));
        BOOST_TEST((p.taken == without.taken));
      }
}

// Copies make room for it, and half of the places for frequent bins; nothing else does.
BOOST_AUTO_TEST_CASE(folds_have_it_instead_of_copies) {
  for (device_facts const& facts : {h200, small})
    for (fold_means means : {fold_means::words, fold_means::exact_sum, fold_means::lock})
      for (std::uint64_t bins : {1, 16, 100, 1000, 4096, 8200, 9000, 12400, 16384, 50000})
        BOOST_TEST_CONTEXT(bins << " bins, means " << static_cast<int>(means)) {
          fold_problem problem = folds(means, 1 << 26, bins);
          const fold_plan p = plan_fold(problem, facts, {});
          problem.of_rule = {};
          const fold_plan without = plan_fold(problem, facts, {});
          BOOST_TEST((p.taken == without.taken));
          BOOST_TEST(p.threads == without.threads);
          BOOST_TEST(p.windows == without.windows);
          BOOST_TEST(p.limb_parts_log2 == without.limb_parts_log2);
          BOOST_TEST(p.copies_log2 <= without.copies_log2);
          BOOST_TEST(2 * p.hot_entries >= without.hot_entries);
          BOOST_TEST(p.shared_with_rule() <= facts.shared_bytes_block);
          BOOST_TEST(p.limbs_with_rule() <= facts.shared_bytes_block);
          BOOST_TEST(without.rule_bytes == 0U);
        }
  BOOST_TEST(plan_fold(folds(fold_means::exact_sum, 1 << 26, 4096), h200, {}).rule_bytes > 0);
  BOOST_TEST(plan_fold(folds(fold_means::exact_sum, 1 << 26, 256), h200, {}).limb_rule_bytes > 0);
  BOOST_TEST(plan_fold(folds(fold_means::words, 1 << 26, 256), h200, {}).rule_bytes > 0);
  BOOST_TEST(plan_fold(folds(fold_means::words, 1 << 20, 256), h200, {}).rule_bytes == 0U);
}

// Sums of double: places for frequent bins whose values lie outside the window are worth more.
BOOST_AUTO_TEST_CASE(places_are_not_all_given_up) {
  int with_places = 0;
  for (std::uint64_t bins : {3000, 6700, 9000, 11000, 12400, 15000}) {
    fold_problem problem = folds(fold_means::exact_sum, 1 << 27, bins);
    problem.limb_words = 70;
    problem.partial_bytes = 16;
    problem.of_rule = {};
    const std::uint32_t without = plan_fold(problem, h200, {}).hot_entries;
    problem.of_rule = {(bins + 1) * 4 + 32904, 0};
    BOOST_TEST(2 * plan_fold(problem, h200, {}).hot_entries >= without, bins << " bins");
    with_places += without > 0 ? 1 : 0;
  }
  BOOST_TEST(with_places > 2);
}

// Whatever they are, more pairs have it where fewer do.
BOOST_AUTO_TEST_CASE(more_pairs_do_not_lose_it) {
  for (device_facts const& facts : {h200, small})
    for (fold_means means : {fold_means::words, fold_means::exact_sum, fold_means::lock})
      for (std::uint64_t bins : {16, 100, 300, 1000, 4096}) {
        bool had = false;
        for (int log2 = 16; log2 <= 30; ++log2) {
          fold_problem problem = folds(means, std::uint64_t{1} << log2, bins);
          problem.of_rule.more = 0;  // which folds have no use for
          const fold_plan p = plan_fold(problem, facts, {});
          BOOST_TEST(
              (p.rule_bytes > 0 || !had || p.taken != route::shared), bins << ", 2^" << log2);
          had = had || p.rule_bytes > 0;
        }
      }
}

BOOST_AUTO_TEST_SUITE_END()
