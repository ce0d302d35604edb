// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Exact sums of more bins than have values that need a long accumulator: rows with numbers, which
// many ask for at once, digits beside a window, batches and pieces that add to what earlier ones
// left.

#include "../support/allocators.h"
#include "../support/fewer.h"
#include "../support/pretended_gpu.h"
#include "folds_exact_sums.h"
#include <thrust_hist/transform_histogram.h>

#include <thrust/iterator/counting_iterator.h>

#include <cmath>
#include <limits>

BOOST_AUTO_TEST_SUITE(folds_exact_rows, THRUST_HIST_TEST_SMALL)

BOOST_AUTO_TEST_CASE_TEMPLATE(fewer_pairs_than_bins, T, test::exact_types) {
  for (test::spread s : test::all_spreads)
    for (std::size_t n : {2, 3001, 40009})
      for (std::int64_t bins : test::fewer({40010, 300001}, {40010}))
        test::check_exact<T>(s, n, bins);
}

// In a row, in turn, and each bin by several lanes of a warp: they ask for the row of a bin before
// it has one.
BOOST_AUTO_TEST_CASE_TEMPLATE(many_ask_for_the_row_of_a_bin, T, test::exact_types) {
  constexpr std::int64_t bins = 70001;
  constexpr std::size_t n = 50021;  // a look at them misses those that mislead
  for (test::spread s :
       {test::spread::all_exponents, test::spread::specials, test::spread::misleading})
    for (std::size_t frequent : {1, 2, 9, 600})
      for (std::size_t run : {1, 7, 64})
        BOOST_TEST_CONTEXT(
            "spread " << static_cast<int>(s) << ", " << frequent << " bins, " << run
                      << " in a row") {
          const test::samples<std::uint32_t> keys(
              n, [&](std::size_t i) { return i / run % frequent * 101 + 5; });
          test::check_fold<T>(
              keys, test::hard_values<T>(s, n), bins, thrust_hist::options{}.exact());
        }
}

// Sums are rounded from the digits of a window, those below, and both; beyond these from a row.
BOOST_AUTO_TEST_CASE_TEMPLATE(values_far_below_a_window, T, test::exact_types) {
  constexpr std::size_t n = 50021;
  for (int beside : {1, 9, 13, 31, 32, 33, 41, 43, 45, 64, 90, 140})
    for (int of : {3, 100})
      BOOST_TEST_CONTEXT(beside << " binades, one of " << of) {
        const test::samples<T> values(n, [&](std::size_t i) {
          const T x = test::hard_value<T>(test::spread::normal, i, n);
          return i % static_cast<std::size_t>(of) == 1 ? std::ldexp(x, -beside) : x;
        });
        const auto exact = thrust_hist::options{}.exact();
        for (std::int64_t bins : {30011, 90001})  // rows without numbers, and with
          test::check_fold<T>(
              test::keys_of(test::distribution::uniform, n, static_cast<std::uint64_t>(bins)),
              values, bins, exact);
        test::check_fold<thrust_hist::exact_sum<T>>(
            test::keys_of(test::distribution::zipf, n, 30011), values, 30011, exact);
      }
}

BOOST_AUTO_TEST_CASE(sums_of_floats_in_other_types) {
  constexpr std::size_t n = 20011;
  constexpr std::int64_t bins = 90001;
  for (test::spread s : {test::spread::normal, test::spread::misleading, test::spread::specials}) {
    const auto keys = test::keys_of_spread(s, n, bins);
    const auto values = test::hard_values<float>(s, n);
    test::check_fold<double>(keys, values, bins, thrust_hist::options{}.exact());
    test::check_fold<thrust_hist::exact_sum<float>>(keys, values, bins);
  }
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(folds_exact_rows_large, THRUST_HIST_TEST_LARGE)

BOOST_AUTO_TEST_CASE_TEMPLATE(more_pairs_and_bins, T, test::exact_types) {
  for (test::spread s : test::all_spreads) {
    test::check_exact<T>(s, 400009, 300007);
    test::check_exact<T>(s, 400009, 700001);
  }
}

// In as little memory as there must be: batches add to what earlier ones left. With little shared
// memory bins are sliced.
BOOST_AUTO_TEST_CASE_TEMPLATE(batches_and_slices, T, test::exact_types) {
  constexpr std::size_t n = 400009;
  const test::pretended_gpu gpu(test::with_shared_memory(std::size_t{48} << 10));
  for (test::spread s : {test::spread::normal, test::spread::specials, test::spread::all_exponents})
    for (std::int64_t bins : {300007, 1700021})
      BOOST_TEST_CONTEXT("spread " << static_cast<int>(s) << ", " << bins << " bins") {
        const auto keys =
            test::keys_of(test::distribution::uniform, n, static_cast<std::uint64_t>(bins));
        const auto values = test::hard_values<T>(s, n);
        auto k = test::buffer_of<test::cuda>(keys);
        auto v = test::buffer_of<test::cuda>(values);
        std::uint32_t const* const first = k.data();
        T const* const with = v.data();
        test::output<test::cuda, T> out(static_cast<std::size_t>(bins));
        auto how = thrust_hist::options{}.exact().force(thrust_hist::route::partitioned);
        const auto call = [&](thrust_hist::options const& o) {
          thrust_hist::histogram_by_key(
              test::cuda::policy(), first, first + n, with, out.data(), bins, o);
        };
        std::size_t smallest = 0;
        try {
          call(thrust_hist::options{how}.max_temporary_bytes(0));
        } catch (thrust_hist::memory_limit_error const& refused) {
          smallest = refused.smallest();
        }
        BOOST_TEST(smallest > 0U);
        out.check_untouched();
        thrust_hist::plan plan;
        call(thrust_hist::options{how}.explain(&plan));
        BOOST_TEST(plan.scratch_bytes > smallest);
        call(how.max_temporary_bytes(smallest));
        out.check_equals(test::fold_on_one_thread<T>(
                             n, keys.data(), values.data(), bins, thrust_hist::options{}.exact())
                             .plain);
      }
}

// Where rows take much memory, a look at some values says how many are allocated: all of them,
// where values have all exponents. It may be misled, by values far away between those that it sees,
// and then all are as well, in the end.
BOOST_AUTO_TEST_CASE(few_rows_first) {
  constexpr std::size_t n = 2000003;
  enum kind { near, rarely_far, often_far, special, unseen_far, wide };
  // From four values that are looked at to the next.
  constexpr std::size_t apart = 4 * ((n / 8192 + 1) | 1);
  const auto exact = thrust_hist::options{}.exact();
  const auto check = [&](std::int64_t bins, kind k) {
    const test::samples<std::uint32_t> keys(n, [&](std::size_t i) {
      return test::scrambled(i) % static_cast<std::uint64_t>(bins + bins / 16);
    });
    const test::samples<double> values(n, [&](std::size_t i) {
      const double x = test::hard_value<double>(test::spread::uniform, i, n);
      const bool is_far = k == rarely_far   ? i % 5003 == 1
                          : k == often_far  ? i % 101 == 1
                          : k == unseen_far ? i % apart >= apart / 2 && i % 10 == 1
                                            : k == wide && i % 2 == 1;
      return k == special && i % 53 == 1 ? std::numeric_limits<double>::quiet_NaN()
             : is_far                    ? std::ldexp(x, -300)
                                         : x;
    });
    auto expected = test::old_output<double>(static_cast<std::size_t>(bins));
    test::output<test::cuda, double> out(expected);
    std::uint64_t expected_dropped = 0, dropped = 0;
    thrust_hist::histogram_by_key(
        thrust::seq, keys.begin(), keys.end(), values.begin(), expected.data(), bins,
        thrust_hist::options{exact}.accumulate().dropped(&expected_dropped));
    const auto there = test::buffer_of<test::cuda>(keys);
    const auto with = test::buffer_of<test::cuda>(values);
    const auto fold = [&](auto const& policy, thrust_hist::options const& o) {
      thrust_hist::histogram_by_key(
          policy, there.data(), there.data() + n, with.data(), out.data(), bins, o);
    };
    test::ledger book;
    test::counting_allocator<test::cuda> allocator(book);
    thrust_hist::plan plan;
    fold(thrust::cuda::par(allocator), thrust_hist::options{exact}.explain(&plan));
    BOOST_TEST((plan.taken == thrust_hist::route::partitioned));
    fold(thrust::cuda::par(allocator), thrust_hist::options{exact}.accumulate().dropped(&dropped));
    out.check_equals(expected);
    BOOST_TEST(dropped == expected_dropped);
    BOOST_TEST(book.outstanding() == 0U);
    BOOST_TEST(
        book.allocations() == (k == unseen_far ? 3U : 2U));  // for the look, and once or twice
    BOOST_TEST(book.peak() <= plan.scratch_bytes);
    BOOST_TEST((book.peak() < plan.scratch_bytes / 2) == (k != unseen_far && k != wide));
  };
  for (kind k : {near, rarely_far, often_far, special, unseen_far, wide})
    BOOST_TEST_CONTEXT("kind " << k)
  check(600011, k);
  for (kind k : {rarely_far, unseen_far})  // rows for pairs
    BOOST_TEST_CONTEXT("kind " << k << ", many bins")
  check(2500009, k);
}

// A piece of what functions emit has 2^26 inputs at most. That rows are normalised between pieces
// changes no sum.
struct emit_large {
  template <class Sink>
  __device__ void operator()(std::uint32_t i, Sink const& sink) const {
    sink(i % 2, i % 2 == 0 ? 0x1.fffffep127F : -0x1.fffffep100F);
  }
};
BOOST_AUTO_TEST_CASE(rows_hold_what_several_pieces_add) {
  constexpr std::uint32_t n = (std::uint32_t{1} << 27) + 2;
  test::output<test::cuda, thrust_hist::exact_sum<float>> out(2);
  const thrust::counting_iterator<std::uint32_t> first(0);
  thrust_hist::transform_histogram(
      test::cuda::policy(), first, first + n, out.data(), 2, emit_large{}, thrust::plus<float>{},
      thrust_hist::options{}.exact().force(thrust_hist::route::global));
  std::vector<thrust_hist::exact_sum<float>> expected(2);
  for (std::uint32_t bin : {0u, 1u}) {
    thrust_hist::exact_sum<float> one(bin == 0 ? 0x1.fffffep127F : -0x1.fffffep100F);
    for (std::uint32_t times = n / 2; times > 0; times /= 2) {
      if (times % 2 == 1)
        expected[bin] += one;
      one += thrust_hist::exact_sum<float>(one);
    }
  }
  out.check_equals(expected);
}

BOOST_AUTO_TEST_SUITE_END()
