// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Folds on a GPU of few multiprocessors, whose threads have long shares of the pairs: every pair is
// folded once, whatever the table, the values, and what stands at the ends. Where atomics fold
// words, warps learn which bin is frequent, and that another one is later; on route partitioned,
// tiles go to whoever comes first.

#include "../support/pretended_gpu.h"
#include "folds_exact_sums.h"

#include <thrust/functional.h>

BOOST_AUTO_TEST_SUITE(folds_long_shares, THRUST_HIST_TEST_LARGE)

namespace {

// In rounds of 8 pairs a thread: 256 with one multiprocessor, 85 with three.
constexpr std::size_t n = (std::size_t{1} << 21) + 78;

// In the table of a block, 20 000 bins have a word each, and less than eight copies: lanes meet.
static_assert(n >= 2 * 32 * 8 * 3 * 1024, "three processors look several times");

// Half of the keys are one bin, in the second half of the input another one; and some have no bin.
test::samples<std::uint32_t> half_of_one_bin(std::int64_t bins) {
  return test::samples<std::uint32_t>(n, [=](std::size_t i) {
    const std::uint64_t random = test::scrambled(i);
    const std::uint64_t half = i < n / 2 ? 2 : static_cast<std::uint64_t>(bins) - 1;
    const std::uint64_t any = (random >> 8) % (static_cast<std::uint64_t>(bins) + 3);
    const bool is_none = (random >> 3) % 4 == 0;
    return static_cast<std::uint32_t>(random % 2 == 0 ? half : is_none ? ~std::uint64_t{0} : any);
  });
}

template <class A, class Op>
void check(Op op) {
  for (unsigned processors : {1, 3}) {
    const test::pretended_gpu gpu(test::with_processors(processors));
    const test::samples<A> values(n, [](std::size_t i) {
      return static_cast<A>(static_cast<int>(test::scrambled(i) >> 40) % 9 + 1);
    });
    for (std::int64_t bins : {5, 6000, 20000, 70001}) {
      BOOST_TEST_INFO_SCOPE(bins << " bins, " << processors << " processors");
      const auto limit = static_cast<std::uint64_t>(bins);
      BOOST_TEST_CONTEXT("half of them one bin") {
        BOOST_TEST(test::check_fold<A>(half_of_one_bin(bins), values, bins, {}, op) >= 2);
      }
      for (auto d : {test::distribution::zipf, test::distribution::mostly_one})
        BOOST_TEST_CONTEXT(test::name_of(d)) {
          BOOST_TEST(test::check_fold<A>(test::keys_of(d, n, limit), values, bins, {}, op) >= 2);
        }
    }
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE(lanes_meet_in_a_table_of_20000_bins) {
  BOOST_TEST(20000 * sizeof(float) * 8 > test::with_processors(3).shared_bytes_block);
}

BOOST_AUTO_TEST_CASE(integers) {
  check<std::int32_t>(thrust::plus<std::int32_t>{});
  check<std::int64_t>(thrust::plus<std::int64_t>{});
  check<std::uint32_t>(thrust::minimum<std::uint32_t>{});
  check<std::int8_t>(thrust::maximum<std::int8_t>{});
  check<std::uint32_t>(thrust::bit_and<std::uint32_t>{});
}

BOOST_AUTO_TEST_CASE(real_numbers) {
  check<float>(thrust::plus<float>{});
  check<double>(thrust::plus<double>{});
  check<float>(thrust::minimum<float>{});
  check<double>(thrust::maximum<double>{});
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
