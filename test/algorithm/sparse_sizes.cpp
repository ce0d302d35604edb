// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// build: optimised under sanitizers
// How many keys, of how many kinds, in which order, on how many threads; and keys that collide.

#include "sparse_sizes.h"

#include "../support/threads.h"

BOOST_AUTO_TEST_SUITE(sparse_sizes, THRUST_HIST_TEST_LARGE)

BOOST_AUTO_TEST_CASE_TEMPLATE(any_number_of_keys, System, test::systems) {
  // Tables begin with 128 rows; one thread and one table serve up to 2^16 keys, 2^15 are a part.
  for (std::size_t n : {0, 1, 2, 127, 128, 129, 255, 256, 257, 4095, 4097, 65535, 65536, 65537})
    for (std::uint64_t distinct : {std::uint64_t{200}, std::uint64_t{1} << 40})
      BOOST_TEST_CONTEXT(distinct << " distinct keys")
  test::check_spread<System>(test::generate(test::distribution::uniform, n, distinct));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(any_distribution, System, test::systems) {
  for (test::distribution d : test::all_distributions)
    for (std::uint64_t distinct : {4096, 250000})
      BOOST_TEST_CONTEXT(test::name_of(d) << ", " << distinct << " distinct keys at most")
  test::check_spread<System>(test::generate(d, 300000, distinct));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(keys_that_collide_cost_time_only, System, test::systems) {
  test::check_keys_that_collide<System>();
}

// The hot keys of the first part of the input are not those of the rest.
BOOST_AUTO_TEST_CASE_TEMPLATE(keys_that_come_often_may_change, System, test::systems) {
  test::keys list = test::generate(test::distribution::uniform, 60000, std::uint64_t{1} << 50);
  list.resize(300000, 42);
  test::check_spread<System>(list);
}

// To count them all takes longer than this test may, so a table is given what others have counted;
// and what is merged is what parts of an input may have left.
BOOST_AUTO_TEST_CASE(a_key_may_occur_more_often_than_32_bits_tell) {
  using namespace thrust_hist::detail;  // NOLINT: no such call in this test's time
  constexpr std::uint64_t before = UINT32_MAX;
  auto policy = thrust::seq;
  sequential::policy_memory<decltype(policy)> source(policy);
  sequential::promised_memory memory(source, 1 << 20);
  sequential::key_table<number_keys<std::uint32_t>, count_fold> table(
      memory, keys_by<std::uint32_t>(no_key_operators{}), count_fold{}, 16);
  for (int i = 0; i < 3; ++i) {
    BOOST_TEST(table.merge({7, before}));
    BOOST_TEST(table.add({7}));
  }
  BOOST_TEST(table.size() == 1U);
  BOOST_TEST(table.rows()[0].state == 3 * before + 3);

  const test::samples<int> keys(70001, [](std::size_t i) { return static_cast<int>(i % 5); });
  const test::samples<std::uint64_t> counts(keys.size(), [](std::size_t i) { return before - i; });
  test::check_sparse<test::main_system>(
      keys, counts,
      test::reduce_sorted<std::uint64_t>(keys, counts, test::by_less{}, test::by_plus{}),
      [](auto first, auto last, auto with, auto to, auto out, auto const& o) {
        return thrust_hist::sparse_histogram_by_key(thrust::seq, first, last, with, to, out, o);
      });
}

#if defined(_OPENMP)
BOOST_AUTO_TEST_CASE(many_threads_agree_with_one) {
  for (int workers = 1; workers <= 8; ++workers) {
    const test::threads set(workers);
    test::check_spread<test::omp>(test::generate(test::distribution::zipf, 140000, 100000));
  }
}
#endif

BOOST_AUTO_TEST_SUITE_END()
