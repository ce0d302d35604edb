// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// How many keys, of how many kinds, in which order, on how many threads; and keys that collide.

#include "../support/sparse.h"
#include "../support/threads.h"
#include <thrust_hist/sparse_histogram.h>

#include <cstddef>
#include <cstdint>
#include <vector>

BOOST_AUTO_TEST_SUITE(sparse_sizes, THRUST_HIST_TEST_LARGE)

namespace {

using thrust_hist::sparse_histogram;

// Some order of keys for the reference, which the library may not know.
struct by_last_digit_first {
  bool operator()(std::uint64_t a, std::uint64_t b) const {
    return a % 10 != b % 10 ? a % 10 < b % 10 : a < b;
  }
};
struct same_number {
  bool operator()(std::uint64_t a, std::uint64_t b) const { return a == b; }
};
struct poor_hash {
  std::uint64_t kinds;
  std::uint64_t operator()(std::uint64_t key) const { return key % kinds; }
};
using poor_keys = thrust_hist::key_operators<poor_hash, same_number, by_last_digit_first>;

template <class System>
void check_poor_hash(test::samples<std::uint64_t> const& keys, std::uint64_t kinds) {
  const std::vector<int> ones(keys.size(), 1);
  const auto expected =
      test::reduce_sorted<unsigned>(keys, ones, by_last_digit_first{}, test::by_plus{});
  const poor_keys operators = {{kinds}, {}, {}};
  test::check_sparse<System>(
      keys, keys, expected, [&](auto first, auto last, auto, auto to, auto counts, auto const& o) {
        return sparse_histogram(System::policy(), first, last, to, counts, operators, o);
      });
}

template <class System>
void check_counts(test::keys const& list) {
  const test::samples<std::uint64_t> keys(
      list.size(), [&](std::size_t i) { return list[i] * 0x9e3779b97f4a7c15U; });
  test::check_sparse_counts<System>(keys, test::count_sorted<unsigned>(keys));
}

}  // namespace

BOOST_AUTO_TEST_CASE_TEMPLATE(any_number_of_keys, System, test::systems) {
  // Tables begin with 128 rows; one thread and one table serve up to 2^16 keys, 2^15 are a part.
  for (std::size_t n : {0, 1, 2, 127, 128, 129, 255, 256, 257, 4095, 4097, 65535, 65536, 65537})
    for (std::uint64_t distinct : {std::uint64_t{200}, std::uint64_t{1} << 40})
      BOOST_TEST_CONTEXT(distinct << " distinct keys")
  check_counts<System>(test::generate(test::distribution::uniform, n, distinct));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(any_distribution, System, test::systems) {
  for (test::distribution d : test::all_distributions)
    for (std::uint64_t distinct : {4096, 250000})
      BOOST_TEST_CONTEXT(test::name_of(d) << ", " << distinct << " distinct keys at most")
  check_counts<System>(test::generate(d, 300000, distinct));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(keys_that_collide_cost_time_only, System, test::systems) {
  for (std::size_t n : {1000, 70000})
    for (std::uint64_t kinds : {1, 50}) {
      const test::samples<std::uint64_t> distinct(n, [](std::size_t i) { return i * 7; });
      check_poor_hash<System>(distinct, kinds);
      const test::samples<std::uint64_t> some(n, [](std::size_t i) { return i * i % 700; });
      check_poor_hash<System>(some, kinds);
    }
}

// The hot keys of the first part of the input are not those of the rest.
BOOST_AUTO_TEST_CASE_TEMPLATE(keys_that_come_often_may_change, System, test::systems) {
  test::keys list = test::generate(test::distribution::uniform, 60000, std::uint64_t{1} << 50);
  list.resize(300000, 42);
  check_counts<System>(list);
}

#if defined(_OPENMP) && !defined(__CUDACC__)
BOOST_AUTO_TEST_CASE(many_threads_agree_with_one) {
  for (int workers = 1; workers <= 8; ++workers) {
    const test::threads set(workers);
    check_counts<test::omp>(test::generate(test::distribution::zipf, 140000, 100000));
  }
}
#endif

BOOST_AUTO_TEST_SUITE_END()
