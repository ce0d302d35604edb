// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Exact sums on CUDA are those of one thread, bit by bit: by limbs, windows and in global memory,
// for values of one binade, of all, beside the window, and for a look at the values that misled.

#include "../support/fewer.h"
#include "../support/pretended_gpu.h"
#include "folds_exact_sums.h"
#include <thrust_hist/reduce.h>
#include <thrust_hist/transform_histogram.h>

#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

#include <limits>

namespace folds_exact_sums_setup {

template <class T>
void check_reduction(std::size_t n) {
  for (test::spread s : test::all_spreads)
    BOOST_TEST_CONTEXT("spread " << static_cast<int>(s)) {
      const auto values = test::hard_values<T>(s, n);
      auto there = test::buffer_of<test::cuda>(values);
      T const* const first = there.data();
      const auto exact = thrust_hist::options{}.exact();
      const T found = thrust_hist::reduce(test::cuda::policy(), first, first + n, T(0.1), exact);
      const T expected =
          thrust_hist::reduce(thrust::seq, values.data(), values.data() + n, T(0.1), exact);
      BOOST_TEST(test::bits_of(found) == test::bits_of(expected));
    }
}

}  // namespace folds_exact_sums_setup

BOOST_AUTO_TEST_SUITE(folds_exact_sums, THRUST_HIST_TEST_SMALL)
using namespace folds_exact_sums_setup;

BOOST_AUTO_TEST_CASE_TEMPLATE(limbs_hold_every_kind_of_values, T, test::exact_types) {
  for (test::spread s : test::all_spreads)
    for (std::int64_t bins : test::fewer({1, 40, 600, 5000}, {1, 600}))
      test::check_exact<T>(s, test::fewer(20011, 6007), bins);
}

// One block from the pairs to the sums, with copies of limbs and without; 4 400 bins are too many
// for it.
BOOST_AUTO_TEST_CASE_TEMPLATE(few_pairs_are_summed_exactly_by_one_block, T, test::exact_types) {
  for (test::spread s : test::all_spreads)
    for (std::int64_t bins : test::fewer({1, 7, 40, 100, 600, 3000, 4400}, {1, 100, 600})) {
      test::check_exact<T>(s, 4001, bins);
      test::check_exact_by_default<T>(s, 4001, bins);
    }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(
    sums_are_exact_without_asking_where_the_plan_says_so, T, test::exact_types) {
  for (test::spread s : test::all_spreads)
    for (std::int64_t bins : {1, 600})
      test::check_exact_by_default<T>(s, 20011, bins);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(a_reduction_gives_the_bits_of_one_thread, T, test::exact_types) {
  check_reduction<T>(60013);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(parts_of_the_input_merge_to_the_same_sum, T, test::exact_types) {
  for (test::spread s : {test::spread::normal, test::spread::all_exponents})
    for (std::size_t parts : test::fewer({1, 2, 1000}, {2, 50}))
      test::check_parts<T>(s, 10007, 50, parts);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(folds_exact_sums_large, THRUST_HIST_TEST_LARGE)
using namespace folds_exact_sums_setup;

// Lanes that have one bin add up what they have, where a bin has one copy: of float and of double.
BOOST_AUTO_TEST_CASE_TEMPLATE(windows_hold_equal_keys_and_keys_in_turn, T, test::exact_types) {
  constexpr std::size_t n = 1100003;
  for (test::spread s : test::all_spreads)
    for (std::int64_t bins : {2500, 8000})
      for (unsigned period : {1, 2, 3}) {
        BOOST_TEST_CONTEXT(
            "spread " << static_cast<int>(s) << ", " << bins << " bins, " << period << " in turn")
        test::check_fold<T>(
            test::samples<std::uint32_t>(
                n, [&](std::size_t i) { return static_cast<std::uint32_t>(i % period * 1237); }),
            test::hard_values<T>(s, n), bins, thrust_hist::options{}.exact());
      }
}

// In registers: numbers in one window, in two, and outside.
BOOST_AUTO_TEST_CASE_TEMPLATE(
    a_reduction_of_many_gives_the_bits_of_one_thread, T, test::exact_types) {
  check_reduction<T>(1200007);
}

// One block has so many of the largest numbers of two windows that the sum of its first thread
// takes more than 64 bits: 2^16 in whole loads, and one before and behind these. Numbers of the
// lowest binade keep windows where they are. Then a second piece of the input begins.
BOOST_AUTO_TEST_CASE(a_reduction_by_one_block) {
  const test::pretended_gpu gpu(test::with_processors(1));
  constexpr std::size_t n = (std::size_t{1} << 26) + 5;
  const test::samples<float> values(
      n + 1, [](std::size_t i) { return i / 4 % 64 == 32 ? 0x1p-23F : 0x1.fffffep0F; });
  const auto there = test::buffer_of<test::cuda>(values);
  float const* const first = there.data() + 1;
  const auto exact = thrust_hist::options{}.exact();
  thrust_hist::plan plan;
  thrust_hist::reduce(
      test::cuda::policy(), first, first + n, 0.0F, thrust_hist::options{exact}.explain(&plan));
  BOOST_TEST(plan.blocks == 1U);
  double expected = 0;  // has room for every bit
  for (std::size_t i = 1; i <= n; ++i)
    expected += static_cast<double>(values[i]);
  const float found = thrust_hist::reduce(test::cuda::policy(), first, first + n, 0.0F, exact);
  BOOST_TEST(found == static_cast<float>(expected));
}

// From 2^20 pairs on a window is tried first; 19 000 bins fit it and not the limbs.
BOOST_AUTO_TEST_CASE_TEMPLATE(windows_hold_every_kind_of_values, T, test::exact_types) {
  for (test::spread s : test::all_spreads)
    for (std::int64_t bins : {1, 300, 4000, 18000, 30000}) {
      test::check_exact<T>(s, 1200007, bins);
      test::check_exact_by_default<T>(s, 1200007, bins);
    }
}

// What a window lets pass meets in global memory, for frequent bins and others.
BOOST_AUTO_TEST_CASE_TEMPLATE(frequent_bins_with_values_beside_a_window, T, test::exact_types) {
  constexpr std::size_t n = 1200007;
  constexpr std::int64_t bins = 12000;
  for (test::spread s : {test::spread::normal, test::spread::specials, test::spread::misleading})
    for (std::size_t frequent : {1, 900}) {
      const test::samples<std::uint32_t> keys(
          n, [&](std::size_t i) { return i % 3 != 0 ? i % frequent * 13 : i % bins; });
      BOOST_TEST_CONTEXT("spread " << static_cast<int>(s) << ", " << frequent << " frequent bins")
      test::check_fold<thrust_hist::exact_sum<T>>(keys, test::hard_values<T>(s, n), bins);
    }
}

// Values of all exponents beside windows: frequent bins have places, as many as there is room for.
// Where values are not aligned as keys are, pairs are loaded one by one, and behind an iterator of
// the user's they are visited.
struct as_it_is {
  __host__ __device__ double operator()(double x) const { return x; }
};
BOOST_AUTO_TEST_CASE(frequent_bins_have_places_beside_windows_of_double) {
  constexpr std::size_t n = 100003;
  for (std::size_t kibibytes : {48, 99, 227}) {
    const test::pretended_gpu gpu(test::with_shared_memory(kibibytes * 1024));
    for (std::int64_t bins : {1200, 3500, 8000})
      for (test::distribution d : {test::distribution::constant, test::distribution::zipf})
        BOOST_TEST_CONTEXT(kibibytes << " KiB, " << bins << " bins") {
          const auto keys = test::keys_of(d, n, static_cast<std::uint64_t>(bins));
          const auto values = test::hard_values<double>(test::spread::all_exponents, n + 1);
          auto k = test::buffer_of<test::cuda>(keys);
          auto v = test::buffer_of<test::cuda>(values);
          std::uint32_t const* const first = k.data();
          const auto check = [&](auto with, std::size_t apart) {
            test::output<test::cuda, double> out(static_cast<std::size_t>(bins));
            const auto exact = thrust_hist::options{}.exact();
            thrust_hist::histogram_by_key(
                test::cuda::policy(), first, first + n, with, out.data(), bins, exact);
            out.check_equals(
                test::fold_on_one_thread<double>(n, keys.data(), values.data() + apart, bins, exact)
                    .plain);
          };
          double const* const with = v.data();
          check(with, 0);
          check(with + 1, 1);
          check(thrust::make_transform_iterator(with, as_it_is{}), 0);
        }
  }
}

// What goes to windows in global memory, piece by piece of the input: pieces of what functions emit
// are small.
struct nth_pair {
  std::uint32_t const* keys;
  float const* values;
  template <class Sink>
  __device__ void operator()(std::uint32_t i, Sink const& sink) const {
    sink(keys[i], values[i]);
  }
};
BOOST_AUTO_TEST_CASE(windows_in_global_memory_begin_anew_with_each_piece) {
  const test::pretended_gpu gpu(test::with_processors(1));
  constexpr std::size_t n = (1 << 24) + 5;
  constexpr std::int64_t bins = 16384;
  const auto keys = test::keys_of(test::distribution::zipf, n, bins);
  const auto values = test::hard_values<float>(test::spread::normal, n);
  auto k = test::buffer_of<test::cuda>(keys);
  auto v = test::buffer_of<test::cuda>(values);
  const nth_pair emit = {k.data(), v.data()};
  const auto exact = thrust_hist::options{}.exact();
  test::output<test::cuda, float> out(bins);
  const thrust::counting_iterator<std::uint32_t> first(0);
  thrust_hist::plan plan;
  thrust_hist::transform_histogram(
      test::cuda::policy(), first, first + n, out.data(), bins, emit, thrust::plus<float>{},
      thrust_hist::options{}.exact().explain(&plan));
  BOOST_TEST(plan.blocks <= 4U);  // 2^22 inputs for each of half as many windows: three pieces
  thrust_hist::transform_histogram(
      test::cuda::policy(), first, first + n, out.data(), bins, emit, thrust::plus<float>{}, exact);
  out.check_equals(
      test::fold_on_one_thread<float>(n, keys.data(), values.data(), bins, exact).plain);
}

// Windows with a copy of each bin for each lane, which do not look for neighbours, with fewer
// copies, and two windows and one without any, where warps join what they have.
BOOST_AUTO_TEST_CASE_TEMPLATE(
    neighbours_with_and_without_a_copy_for_each_lane, T, test::exact_types) {
  constexpr std::size_t n = 1200007;
  for (std::int64_t bins : {300, 310, 1000, 18000})
    for (test::spread s : {test::spread::uniform, test::spread::normal, test::spread::misleading})
      for (unsigned pattern : {0, 1, 2}) {  // equal, in turn, in pairs
        const test::samples<std::uint32_t> keys(
            n, [&](std::size_t i) { return 7 + (pattern == 0 ? 0 : i / pattern % 2 * 100); });
        BOOST_TEST_CONTEXT(bins << " bins, pattern " << pattern)
        test::check_fold<thrust_hist::exact_sum<T>>(keys, test::hard_values<T>(s, n), bins);
      }
}

// A block adds so many of the greatest negative number that the highest word of its limbs borrows.
BOOST_AUTO_TEST_CASE_TEMPLATE(the_highest_limb_takes_carries_of_both_signs, T, test::exact_types) {
  const test::pretended_gpu gpu(test::with_processors(1));
  for (bool negative : {false, true})
    for (std::int64_t bins : {1, 600}) {
      constexpr std::size_t n = (1 << 22) + 3;
      const T top = (std::numeric_limits<T>::max)();
      // A sixteenth is small, so that no window will do.
      const test::samples<T> values(n, [&](std::size_t i) {
        return i % 16 == 5 ? T(1e-30) : negative ? -top : i % 16 == 0 ? -top : top;
      });
      const test::samples<std::uint32_t> keys(n, [](std::size_t) { return 0; });
      BOOST_TEST_CONTEXT(bins << " bins, negative " << negative)
      test::check_fold<thrust_hist::exact_sum<T>>(keys, values, bins);
    }
}

BOOST_AUTO_TEST_SUITE_END()
