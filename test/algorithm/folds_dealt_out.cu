// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Folds in shared memory on a GPU of few multiprocessors, which has so many pairs for each thread
// that the last ones are dealt out to whoever comes first, as tiles are that are sorted into
// buckets: every pair is folded once, whatever the table, the values, and what stands at the ends.

#include "../support/pretended_gpu.h"
#include "folds_exact_sums.h"

#include <thrust/functional.h>

BOOST_AUTO_TEST_SUITE(folds_dealt_out, THRUST_HIST_TEST_LARGE)

namespace {

// In rounds of 8 pairs a thread: 256 with one multiprocessor, 85 with three.
constexpr std::size_t n = (std::size_t{1} << 21) + 78;

// Whether the last ones of so many pairs are dealt out among the threads of so many blocks.
template <class V>
bool deals(std::size_t pairs, unsigned processors) {
  using rule = int;  // of no matter
  const thrust_hist::detail::cuda::adjacent_pairs<V, unsigned, unsigned const*, V, rule> input(
      nullptr, nullptr, pairs, 0);
  return input.deals(1024 * processors);
}

template <class A, class Op>
void check(Op op) {
  for (unsigned processors : {1, 3}) {
    const test::pretended_gpu gpu(test::with_processors(processors));
    const test::samples<A> values(n, [](std::size_t i) {
      return static_cast<A>(static_cast<int>(test::scrambled(i) >> 40) % 9 + 1);
    });
    for (auto d : {test::distribution::uniform, test::distribution::zipf})
      for (std::int64_t bins : {5, 300, 6000, 70001}) {
        BOOST_TEST_INFO_SCOPE(
            test::name_of(d) << ", " << bins << " bins, " << processors << " processors");
        const auto keys = test::keys_of(d, n, static_cast<std::uint64_t>(bins));
        BOOST_TEST(test::check_fold<A>(keys, values, bins, {}, op) >= 2);
      }
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE(many_pairs_of_a_thread) {
  BOOST_TEST(deals<std::int32_t>(n, 3));
  BOOST_TEST(deals<double>(n, 3));
  BOOST_TEST(deals<float>(1200007, 2));
  BOOST_TEST(!deals<float>(n, 132));
}

BOOST_AUTO_TEST_CASE(integers) {
  check<std::int32_t>(thrust::plus<std::int32_t>{});
  check<std::int64_t>(thrust::plus<std::int64_t>{});
  check<std::uint32_t>(thrust::minimum<std::uint32_t>{});
}

BOOST_AUTO_TEST_CASE(real_numbers) {
  check<float>(thrust::plus<float>{});
  check<double>(thrust::plus<double>{});
}

BOOST_AUTO_TEST_CASE_TEMPLATE(sums_that_are_exact, T, test::exact_types) {
  for (unsigned processors : {1, 2}) {
    const test::pretended_gpu gpu(test::with_processors(processors));
    for (test::spread s : {test::spread::uniform, test::spread::normal, test::spread::misleading})
      for (std::int64_t bins : {1, 300, 18000}) {
        test::check_exact<T>(s, 1200007, bins);
        test::check_exact_by_default<T>(s, 1200007, bins);
      }
  }
}

BOOST_AUTO_TEST_SUITE_END()
