// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

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

#if defined(_OPENMP)
BOOST_AUTO_TEST_CASE(many_threads_agree_with_one) {
  for (int workers = 1; workers <= 8; ++workers) {
    const test::threads set(workers);
    test::check_spread<test::omp>(test::generate(test::distribution::zipf, 140000, 100000));
  }
}
#endif

BOOST_AUTO_TEST_SUITE_END()
