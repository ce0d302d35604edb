// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Route partitioned of folds: sizes around tiles, bins around buckets, distributions, values that
// no window holds, batches under a memory cap, slices on a GPU with little shared memory, columns
// behind iterators.

#include "../support/fewer.h"
#include "../support/pretended_gpu.h"
#include "fold_cases.h"

#include <thrust/iterator/constant_iterator.h>
#include <thrust/iterator/counting_iterator.h>

#include <cmath>
#include <limits>

BOOST_AUTO_TEST_SUITE(folds_partitioned, THRUST_HIST_TEST_SMALL)

namespace {

using test::distribution;
using thrust_hist::options;
using thrust_hist::route;
using thrust_hist::detail::cuda::device_facts;

// Around a tile, which has 8192 or 16384 pairs, and around a group of 16 of them.
constexpr std::size_t sizes[] = {0, 1, 31, 8191, 8192, 8193, 16385, 131071, 131073};
// Around buckets, which have 16384 or 32768 bins where shared memory has room.
constexpr std::int64_t bin_counts[] = {1, 3, 16383, 16385, 32769, 100000, 1 << 20};

// 2^-40 to 2^40, too far apart for a window, and now and then something that is no number.
template <class T>
T spread_number(std::size_t i) {
  if (i % 5000 == 4999)
    return i % 3 == 0 ? std::numeric_limits<T>::infinity() : -std::numeric_limits<T>::infinity();
  const auto r = test::scrambled(i);
  return static_cast<T>(
      std::ldexp(static_cast<double>(r % 2001) - 1000, static_cast<int>(r >> 32) % 40));
}

// Compares route partitioned with one thread, bit by bit.
template <class A, class V, class... Op>
void check(
    test::samples<std::uint32_t> const& keys, test::samples<V> const& values, std::int64_t bins,
    options how, Op... op) {
  const auto expected =
      test::fold_on_one_thread<A>(keys.size(), keys.data(), values.data(), bins, how, op...);
  auto k = test::buffer_of<test::cuda>(keys);
  auto v = test::buffer_of<test::cuda>(values);
  for (bool accumulate : {false, true}) {
    test::output<test::cuda, A> out(
        accumulate ? test::old_output<A>(expected.plain.size())
                   : std::vector<A>(expected.plain.size(), test::junk<A>()));
    std::uint64_t dropped = 12345;
    thrust_hist::histogram_by_key(
        test::cuda::policy(), k.data(), k.data() + keys.size(), v.data(), out.data(), bins, op...,
        options{how}.force(route::partitioned).accumulate(accumulate).dropped(&dropped));
    BOOST_TEST_CONTEXT("accumulate " << accumulate)
    out.check_equals(accumulate ? expected.added : expected.plain);
    BOOST_TEST(dropped == expected.dropped);
  }
}

void check_all_values(distribution d, std::size_t n, std::int64_t bins, options how = {}) {
  const auto keys = test::keys_of(d, n, static_cast<std::uint64_t>(bins));
  const auto reals = test::whole_numbers<float>(n);
  BOOST_TEST_CONTEXT(test::name_of(d) << ", n = " << n << ", " << bins << " bins") {
    check<float>(keys, reals, bins, how);
    check<float>(keys, reals, bins, options{how}.exact());
    check<double>(keys, test::whole_numbers<double>(n), bins, how);
    check<std::int32_t>(keys, test::whole_numbers<std::int32_t>(n), bins, how);
    check<std::int64_t>(keys, test::whole_numbers<std::int64_t>(n), bins, how);
    check<std::uint32_t>(
        keys, test::whole_numbers<std::uint32_t>(n), bins, how, thrust::minimum<std::uint32_t>{});
    check<float>(keys, reals, bins, how, thrust::maximum<float>{});
  }
}

std::vector<distribution> some_distributions() {
  return test::fewer(test::all_distributions, {distribution::uniform, distribution::mostly_one});
}

// With accumulate(), where sums have states beside the output.
std::size_t least_cap(std::size_t n, std::int64_t bins) {
  std::uint32_t const* const keys = nullptr;
  thrust_hist::plan plan;
  try {
    thrust_hist::histogram_by_key(
        test::cuda::policy(), keys, keys + n, static_cast<float const*>(nullptr),
        static_cast<float*>(nullptr), bins,
        options{}.force(route::partitioned).max_temporary_bytes(1).accumulate().explain(&plan));
  } catch (thrust_hist::memory_limit_error const& error) {
    return error.smallest();
  }
  return 0;
}

}  // namespace

BOOST_AUTO_TEST_CASE(folds_every_size_into_every_number_of_bins) {
  std::size_t turn = 0;
  for (std::int64_t bins : test::fewer(bin_counts, {3, 32769}))
    for (std::size_t n : test::fewer(sizes, {31, 16385}))
      check_all_values(
          test::all_distributions[turn++ % std::size(test::all_distributions)], n, bins);
}

BOOST_AUTO_TEST_CASE(folds_every_distribution) {
  for (distribution d : some_distributions())
    check_all_values(d, test::fewer(70001, 20011), test::fewer(100000, 40000));
}

BOOST_AUTO_TEST_CASE(values_that_no_window_holds_are_exact_where_that_is_asked_for) {
  const std::size_t n = test::fewer(60007, 20011);
  for (distribution d : some_distributions())
    for (std::int64_t bins : test::fewer({5, 50000}, {20000})) {
      const auto keys = test::keys_of(d, n, static_cast<std::uint64_t>(bins));
      check<float>(keys, test::samples<float>(n, spread_number<float>), bins, options{}.exact());
      check<double>(keys, test::samples<double>(n, spread_number<double>), bins, options{}.exact());
    }
}

BOOST_AUTO_TEST_CASE(a_memory_cap_makes_batches) {
  for (std::int64_t bins : {5, 100000}) {
    const std::size_t least = least_cap(131071, bins);
    BOOST_TEST(least > 0U);
    const auto keys = test::keys_of(test::all_distributions[1], 131071, bins);
    for (std::size_t cap : {least, least * 3 / 2, least * 3})
      check<float>(
          keys, test::whole_numbers<float>(131071), bins, options{}.max_temporary_bytes(cap));
    thrust_hist::plan plan;
    std::uint32_t const* const none = nullptr;
    thrust_hist::histogram_by_key(
        test::cuda::policy(), none, none + 131071, static_cast<float const*>(nullptr),
        static_cast<float*>(nullptr), bins,
        options{}.force(route::partitioned).max_temporary_bytes(least).explain(&plan));
    BOOST_TEST(plan.scratch_bytes <= least);
  }
}

BOOST_AUTO_TEST_CASE(little_shared_memory_makes_small_buckets_and_slices) {
  constexpr std::size_t kibibyte = 1024;
  for (device_facts const& facts :
       {device_facts{40, 64 * kibibyte, 64 * kibibyte, 4096 * kibibyte},
        device_facts{20, 20 * kibibyte, 24 * kibibyte, 1024 * kibibyte}}) {
    const test::pretended_gpu gpu(facts);
    for (std::int64_t bins : test::fewer({1, 4097, 300000}, {20000}))
      for (distribution d : {test::all_distributions[1], test::all_distributions[3]})
        check_all_values(d, test::fewer(40009, 9001), bins);
  }
}

BOOST_AUTO_TEST_CASE(columns_of_any_alignment_and_behind_iterators) {
  constexpr std::int64_t bins = 40000;
  constexpr std::size_t n = 30011;
  const auto keys = test::keys_of(test::all_distributions[1], n + 8, bins);
  const auto values = test::whole_numbers<float>(n + 8);
  auto k = test::buffer_of<test::cuda>(keys);
  auto v = test::buffer_of<test::cuda>(values);
  const auto how = options{}.force(route::partitioned);
  for (std::size_t i = 0; i < 4; ++i)
    for (std::size_t j = 0; j < 4; ++j) {
      const auto expected =
          test::fold_on_one_thread<float>(n, keys.data() + i, values.data() + j, bins, {});
      test::output<test::cuda, float> out(bins);
      thrust_hist::histogram_by_key(
          test::cuda::policy(), k.data() + i, k.data() + i + n, v.data() + j, out.data(), bins,
          how);
      out.check_equals(expected.plain);
    }
  const auto first = thrust::make_counting_iterator<std::int64_t>(-5);
  const auto ones = thrust::make_constant_iterator<std::int16_t>(3);
  const auto expected = test::fold_on_one_thread<std::int32_t>(bins + 100, first, ones, bins, {});
  test::output<test::cuda, std::int32_t> out(bins);
  thrust_hist::histogram_by_key(
      test::cuda::policy(), first, first + (bins + 100), ones, out.data(), bins, how);
  out.check_equals(expected.plain);
}

BOOST_AUTO_TEST_CASE(is_what_the_plan_takes_for_many_bins_and_enough_pairs) {
  std::uint32_t const* const none = nullptr;
  for (std::int64_t bins : {70000, 1 << 20, 1 << 24}) {
    thrust_hist::plan plan;
    thrust_hist::histogram_by_key(
        test::cuda::policy(), none, none + (1 << 26), static_cast<float const*>(nullptr),
        static_cast<float*>(nullptr), bins, options{}.explain(&plan));
    BOOST_TEST((plan.taken == route::partitioned), plan);
    BOOST_TEST(!plan.exact);
  }
}

BOOST_AUTO_TEST_SUITE_END()
