// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Route partitioned of counts: when batches count into a byte for each bin first.

#include "../support/boost_test.h"
#include <thrust_hist/system/cuda/plan.h>

BOOST_AUTO_TEST_SUITE(plan_of_batches)

namespace {

using namespace thrust_hist;
using namespace thrust_hist::detail::cuda;

constexpr device_facts h200{132, 227 * 1024, 228 * 1024, 60 << 20};
constexpr std::size_t mebibyte = 1 << 20;

counting_plan plan_of(std::uint64_t samples, std::uint64_t bins, std::size_t cap) {
  const counting_problem problem{samples, bins, false, true};
  return plan_counting(problem, h200, options{}.max_temporary_bytes(cap));
}

}  // namespace

BOOST_AUTO_TEST_CASE(many_batches_of_many_bins_have_bytes) {
  for (std::uint64_t bins : {1 << 23, (1 << 23) + 5, 1 << 24}) {
    const counting_plan p = plan_of(1 << 28, bins, 64 * mebibyte);
    BOOST_TEST((p.taken == route::partitioned));
    const std::uint64_t tables = (bins + 32767) / 32768;
    BOOST_TEST(p.byte_counters == (bins + 15) / 16 * 16 + (tables * 4 + 15) / 16 * 16);
    BOOST_TEST(p.scratch_bytes == p.look.scratch_bytes() + p.buckets.bytes() + p.byte_counters);
    BOOST_TEST(p.scratch_bytes <= 64 * mebibyte);
    BOOST_TEST(
        p.scratch_bytes + p.scratch_bytes / 16 > 64 * mebibyte);  // and are as large as can be
  }
}

// Counts of 2 bytes, and the sum that dropped() wants, stand in front of them.
BOOST_AUTO_TEST_CASE(buckets_keep_to_lines_behind_a_table) {
  counting_problem problem{1 << 28, (1 << 22) + 3, false, true};
  problem.is_summed = true;
  BOOST_TEST(plan_counting(problem, h200, options{}).table_bytes == 256U);
  problem.direct = false;
  const counting_plan p = plan_counting(problem, h200, options{});
  BOOST_TEST((p.taken == route::partitioned));
  BOOST_TEST(p.table_bytes % 256 == 0U);
  BOOST_TEST(p.table_bytes >= count_table_bytes(problem));
  // Nor is a cap too small for that alone.
  const std::size_t least = count_table_bytes(problem);
  const counting_plan capped = plan_counting(problem, h200, options{}.max_temporary_bytes(least));
  BOOST_TEST((capped.taken == route::global));
  BOOST_TEST(capped.table_bytes == least);
}

BOOST_AUTO_TEST_CASE(slices_have_bytes_for_the_largest_of_them) {
  const counting_plan p = plan_of(std::uint64_t{1} << 32, 300 << 20, 800 * mebibyte);
  BOOST_TEST(p.buckets.bins < p.buckets.all_bins);
  BOOST_TEST(p.byte_counters == bytes_of_byte_counters(p.buckets));
}

BOOST_AUTO_TEST_CASE(batches_that_memory_does_not_limit_are_no_smaller) {
  counting_problem problem{std::uint64_t{1} << 32, 1 << 26, false, true};
  for (bool fresh : {false, true}) {
    problem.fresh_scratch = fresh;
    const counting_plan p = plan_counting(problem, h200, options{});
    BOOST_TEST(p.byte_counters == bytes_of_byte_counters(p.buckets));
    BOOST_TEST(samples_of_batch(p.buckets) >= most_of_batch(problem, default_tuning));
  }
}

BOOST_AUTO_TEST_CASE(others_have_none) {
  const auto none = [](std::uint64_t samples, std::uint64_t bins, std::size_t cap) {
    const counting_plan p = plan_of(samples, bins, cap);
    return p.taken == route::partitioned && p.byte_counters == 0 &&
           p.scratch_bytes == p.look.scratch_bytes() + p.buckets.bytes();
  };
  const std::size_t no_cap = options{}.max_temporary_bytes_;
  BOOST_TEST(none(1 << 28, 1 << 24, no_cap));
  BOOST_TEST(none(1 << 28, 1 << 22, 64 * mebibyte));                  // one table for a block
  BOOST_TEST(none(1 << 26, 1 << 24, 64 * mebibyte));                  // three batches
  BOOST_TEST(none(1 << 28, 1 << 24, 52 * mebibyte));                  // too much of the memory
  BOOST_TEST(none(std::uint64_t{1} << 31, 1 << 23, 250 * mebibyte));  // samples enough to run over
}

BOOST_AUTO_TEST_SUITE_END()
