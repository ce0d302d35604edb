// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Sums by buckets of values that are spread over more binades than a window has: bins that many
// pairs have must be right, and must not crawl.

#include "../support/fewer.h"
#include "../support/pretended_gpu.h"
#include "crowded.h"
#include "fold_cases.h"

#include <thrust/device_vector.h>
#include <thrust/tabulate.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <tuple>
#include <vector>

namespace folds_wide_values_setup {

using test::in_turn;
using thrust_hist::options;
using thrust_hist::route;

using reals = std::tuple<float, double>;

// Numbers of 25 binades: powers of two, of which no sum of some hundred thousand is rounded in
// double, or with all digits.
struct wide_value {
  int lowest = -12;
  bool has_digits = false;
  int binades = 25;
  __host__ __device__ double operator()(std::uint64_t i) const {
    const std::uint64_t x = (i + 1) * 0x9e3779b97f4a7c15u;
    const double digits = has_digits ? 1 + static_cast<double>(x << 12 >> 12) * 0x1p-52 : 1;
    return ldexp(
        x >> 63 != 0 ? -digits : digits,
        static_cast<int>((x >> 40) % static_cast<unsigned>(binades)) + lowest);
  }
};

template <class A, class V>
void check_sums(in_turn const& keys_by, std::size_t n, bool exact, wide_value value) {
  const test::samples<std::uint32_t> keys(n, keys_by);
  const test::samples<V> values(n, [&](std::size_t i) { return static_cast<V>(value(i)); });
  const auto bins = static_cast<std::int64_t>(keys_by.bins) - 50;
  std::uint64_t dropped = 0;
  auto how = options{}.force(route::partitioned).exact(exact).dropped(&dropped);
  const auto expected = test::fold_on_one_thread<A>(
      n, keys.data(), values.data(), bins, options{}.exact(), thrust::plus<A>{});
  auto k = test::buffer_of<test::cuda>(keys);
  auto v = test::buffer_of<test::cuda>(values);
  const auto fold = [&] {
    test::output<test::cuda, A> out(expected.plain.size());
    dropped = 12345;
    std::uint32_t const* const first = k.data();
    thrust_hist::histogram_by_key(
        test::cuda::policy(), first, first + n, static_cast<V const*>(v.data()), out.data(), bins,
        how);
    out.check_equals(expected.plain);
    BOOST_TEST(dropped == expected.dropped);
  };
  fold();
  try {  // in the smallest batches
    how.max_temporary_bytes(1);
    fold();
  } catch (thrust_hist::memory_limit_error const& error) {
    how.max_temporary_bytes(error.smallest());
    fold();
  }
}

}  // namespace folds_wide_values_setup

BOOST_AUTO_TEST_SUITE(cuda_folds_wide_values, THRUST_HIST_TEST_SMALL)
using namespace folds_wide_values_setup;

// Rounded ones, of numbers that are not: each has the one result. By atomics, and where the cache
// is small by tables of buckets.
BOOST_AUTO_TEST_CASE(sums_that_need_no_rounding) {
  for (std::size_t kibibytes : {65536, 1})
    BOOST_TEST_CONTEXT("with " << kibibytes << " KiB of cache") {
      const test::pretended_gpu gpu(test::with_cache(kibibytes * 1024));
      for (std::uint32_t bins : {300U, 20011U, 70001U})
        for (in_turn const& keys :
             {in_turn{1, bins}, in_turn{2, bins}, in_turn{17, bins}, in_turn{1, bins, 70000},
              in_turn{1, bins, 1 << 20}})
          BOOST_TEST_CONTEXT(bins << " bins, " << keys.period << " in turn from " << keys.from)
      for (bool exact : {false, true}) {
        check_sums<double, double>(keys, 150001, exact, {});
        check_sums<double, float>(keys, 150001, exact, {});
      }
      // Of 17 binades a float has room for the sums of some thousand.
      for (std::uint32_t period : {40U, 40009U})
        for (std::uint32_t bins : {20011U, 40009U})
          check_sums<float, float>({period, bins}, 150001, false, {-100, false, 17});
    }
}

// Of numbers that no double sums exactly, among subnormal ones and close to the largest.
BOOST_AUTO_TEST_CASE_TEMPLATE(exact_sums_of_any_binade, V, reals) {
  const bool is_float = sizeof(V) == 4;
  for (int lowest : is_float ? std::vector<int>{-149, -60, 80} : std::vector<int>{-1074, -500, 900})
    for (std::uint32_t period : {1U, 3U})
      check_sums<V, V>({period, 30011}, 70001, true, {lowest, true});
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(cuda_folds_wide_values_large, THRUST_HIST_TEST_LARGE)
using namespace folds_wide_values_setup;

BOOST_AUTO_TEST_CASE(frequent_bins_take_no_longer_than_others) {
  constexpr std::uint32_t bins = 50021;
  constexpr std::size_t n = std::size_t{1} << 24;
  thrust::device_vector<float> floats(n);
  thrust::device_vector<double> doubles(n);
  thrust::tabulate(floats.begin(), floats.end(), wide_value{});
  thrust::tabulate(doubles.begin(), doubles.end(), wide_value{});
  thrust::device_vector<float> float_sums(bins);
  thrust::device_vector<double> double_sums(bins);
  thrust::device_vector<std::uint32_t> keys(n);
  const auto sums = [&](auto const& values, auto& out, options const& o) {
    return test::least_ms([&] {
      thrust_hist::histogram_by_key(
          thrust::cuda::par, keys.begin(), keys.end(), values.begin(), out.begin(), bins, o);
    });
  };
  const auto measure = [&](in_turn const& which) {
    thrust::tabulate(keys.begin(), keys.end(), which);
    return std::vector<float>{
        sums(floats, float_sums, {}), sums(doubles, double_sums, {}),
        sums(floats, float_sums, options{}.exact()), sums(doubles, double_sums, options{}.exact())};
  };
  test::check_crowds_take_no_longer(
      measure, {1, bins, n}, {{1, bins}, {2, bins}, {3, bins}, {1, bins, n / 2}, {5, bins, n / 2}});
}

BOOST_AUTO_TEST_SUITE_END()
