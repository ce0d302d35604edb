// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Plans for GPUs with less shared memory and fewer multiprocessors than the one at hand are right
// too: routes begin and end at other numbers of bins there, and bins need slices.

#include "../support/checks.h"
#include "../support/pretended_gpu.h"
#include "../support/rule_checks.h"
#include "many_bins.h"

namespace pretended_gpu_setup {

using thrust_hist::options;
using thrust_hist::route;
using thrust_hist::detail::cuda::device_facts;

constexpr std::size_t kibibyte = 1024;
constexpr device_facts gpus[] = {
    {20, 48 * kibibyte, 64 * kibibyte, 1024 * kibibyte},      // refuses to give more
    {40, 64 * kibibyte, 64 * kibibyte, 4096 * kibibyte},      // as sm_75
    {128, 99 * kibibyte, 100 * kibibyte, 73728 * kibibyte},   // as sm_86 and sm_89
    {108, 163 * kibibyte, 164 * kibibyte, 40960 * kibibyte},  // as sm_80
};
// No GPU has so little. A table holds 2^11 bins, a slice 2^19; buckets of up to 2^17 bins are
// padded, those of more than 2^18 have two tables each.
constexpr device_facts tiny = {20, 20 * kibibyte, 24 * kibibyte, 1024 * kibibyte};
constexpr test::bin bins_of_slice = 1 << 19;

route taken(std::size_t n, test::bin bins) {
  thrust_hist::plan plan;
  std::uint32_t const* const nothing = nullptr;
  thrust_hist::histogram(
      test::cuda::policy(), nothing, nothing + n, static_cast<std::uint32_t*>(nullptr), bins,
      options{}.explain(&plan));
  return plan.taken;
}

template <class Sample>
void check_keys(std::initializer_list<route> routes, std::size_t n, test::bin bins) {
  for (std::size_t which : {2, 3})
    BOOST_TEST_CONTEXT(test::name_of_many(which) << ", " << bins << " bins")
  test::check_many_bins<std::uint32_t>(
      routes, test::samples<Sample>(test::keys_for_bins(which, n, bins)), bins);
}

}  // namespace pretended_gpu_setup

BOOST_AUTO_TEST_SUITE(pretended_gpu, THRUST_HIST_TEST_SMALL)
using namespace pretended_gpu_setup;

BOOST_AUTO_TEST_CASE(every_number_of_bins_is_counted_right) {
  for (device_facts const& facts : gpus)
    BOOST_TEST_CONTEXT(facts.shared_bytes_block << " bytes of shared memory") {
      const test::pretended_gpu gpu(facts);
      for (test::bin bins : {1, 5, 100, 257, 6007, 12287, 12288, 16384, 30000, 65536, 120000})
        check_keys<std::uint32_t>({route::automatic}, 70001, bins);
      check_keys<std::uint8_t>({route::automatic}, 70001, 256);
      check_keys<std::uint16_t>({route::automatic}, 70001, 65536);
      for (test::bin bins : {1, 8192, 8193, 120000})
        check_keys<std::uint32_t>({route::shared_split, route::partitioned}, 70001, bins);
    }
}

BOOST_AUTO_TEST_CASE(bins_that_fit_there_are_fewer) {
  const std::size_t bytes = thrust_hist::detail::cuda::current_facts().shared_bytes_block;
  const auto most = static_cast<test::bin>(bytes / 4 - 1);
  BOOST_TEST((taken(1 << 24, most) == route::shared));
  const test::pretended_gpu gpu({20, bytes - 4, bytes, 1024 * kibibyte});
  BOOST_TEST((taken(1 << 24, most) != route::shared));
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(pretended_gpu_large, THRUST_HIST_TEST_LARGE)
using namespace pretended_gpu_setup;

BOOST_AUTO_TEST_CASE(millions_of_bins_are_counted_right) {
  for (device_facts const& facts : gpus)
    BOOST_TEST_CONTEXT(facts.shared_bytes_block << " bytes of shared memory") {
      const test::pretended_gpu gpu(facts);
      for (test::bin bins : {(1 << 22) - 1, (1 << 22) + 1, 10000019})
        check_keys<std::uint32_t>({route::partitioned}, 300001, bins);
    }
}

// With and without padding, one table a bucket and two, one slice and several.
BOOST_AUTO_TEST_CASE(every_layout_of_buckets_has_neighbours_and_meets_every_distribution) {
  const test::pretended_gpu gpu(tiny);
  for (test::bin around : {1 << 17, 1 << 18, 1 << 19, 1 << 20})
    for (test::bin bins : {around - 1, around, around + 1, around + 2049})
      check_keys<std::uint32_t>({route::partitioned}, 300001, bins);
  for (test::bin bins : {100000, 200000, 400000, 500000, 1000000})
    for (std::size_t which = 0; which < test::many_bins_distributions; ++which)
      BOOST_TEST_CONTEXT(test::name_of_many(which) << ", " << bins << " bins")
  test::check_many_bins<std::uint32_t>(
      std::initializer_list<route>{route::partitioned},
      test::samples<std::uint32_t>(test::keys_for_bins(which, 700001, bins)), bins);
}

// Dense tables are stored where nothing was counted before, and added elsewhere.
BOOST_AUTO_TEST_CASE(dense_tables_beside_near_tiles_and_old_counts) {
  const test::pretended_gpu gpu(tiny);
  for (test::bin bins : {100000, 200000, 400000, 600000}) {
    const auto most = static_cast<std::uint32_t>(bins);
    test::random rng(5);
    for (std::size_t near : {0, 1, 300000, 900001}) {  // the first so many keys lie near each other
      const test::samples<std::uint32_t> s(900001, [&](std::size_t i) {
        return i < near ? most / 3 + static_cast<std::uint32_t>(i % 999)
                        : static_cast<std::uint32_t>(rng() % most);
      });
      const auto only = std::initializer_list<route>{route::partitioned};
      BOOST_TEST_CONTEXT(bins << " bins, " << near << " keys near each other") {
        test::check_many_bins<std::uint32_t>(only, s, bins);
        test::check_many_bins<std::uint64_t>(only, s, bins);
        test::check_many_bins<std::uint8_t>(only, s, bins);
        test::check_many_bins<std::uint32_t>(
            only, s, bins, options{}.max_temporary_bytes(bins * 8 + (1 << 20)));  // batches
        test::check_added<std::uint32_t>(
            s, bins, [](std::size_t i) { return i % 7; }, options{}.force(route::partitioned));
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(slices_meet_every_distribution_and_option) {
  const test::pretended_gpu gpu(tiny);
  const test::bin bins = 3 * bins_of_slice + 5;
  for (std::size_t which = 0; which < test::many_bins_distributions; ++which)
    BOOST_TEST_CONTEXT(test::name_of_many(which)) {
      const test::samples<std::uint32_t> s(test::keys_for_bins(which, 300001, bins));
      const auto expected = test::count_keys(s, bins);
      std::uint64_t dropped = 1;
      test::check_many_bins<std::uint32_t>(
          std::initializer_list<route>{route::partitioned}, s, bins,
          options{}.dropped(&dropped).max_temporary_bytes(bins * 8 + (8 << 20)));
      BOOST_TEST(dropped == s.size() - test::total(expected));
    }
}

BOOST_AUTO_TEST_CASE(slices_take_wide_and_signed_keys_and_numbers) {
  const test::pretended_gpu gpu(tiny);
  const test::bin bins = 2 * bins_of_slice + 5;
  const test::keys keys = test::keys_for_bins(3, 300001, bins);
  const auto only = std::initializer_list<route>{route::partitioned};
  test::check_many_bins<std::uint32_t>(
      only,
      test::samples<std::int32_t>(
          keys.size(),
          [&](std::size_t i) {
            return i % 7 == 0 ? -static_cast<std::int32_t>(i) : static_cast<std::int32_t>(keys[i]);
          }),
      bins);
  test::check_many_bins<std::uint32_t>(
      only,
      test::samples<std::uint64_t>(
          keys.size(), [&](std::size_t i) { return i % 7 == 0 ? (keys[i] << 32) + 5 : keys[i]; }),
      bins);
  const test::samples<double> s(keys.size(), [&](std::size_t i) {
    return i % 7 == 0 ? test::not_a_number<double>() : static_cast<double>(keys[i]) + 0.5;
  });
  std::vector<std::uint64_t> expected(static_cast<std::size_t>(bins));
  for (std::size_t i = 0; i < keys.size(); ++i)
    if (i % 7 != 0 && keys[i] < static_cast<std::uint64_t>(bins))
      ++expected[static_cast<std::size_t>(keys[i])];
  test::check_route<test::cuda, std::uint32_t>(
      route::partitioned, s, expected, [&](auto first, auto last, auto out, auto how) {
        return thrust_hist::histogram_even(
            test::cuda::policy(), first, last, out, bins, 0., static_cast<double>(bins), how);
      });
}

// 1 024 threads make a tile of 32 768 samples. Sorted, they lie in as many bins or more.
BOOST_AUTO_TEST_CASE(tiles_of_thousands_of_buckets_meet_every_distribution) {
  const test::pretended_gpu gpu(gpus[3]);
  for (std::size_t bins_of_a_key : {1, 2})
    BOOST_TEST_CONTEXT(bins_of_a_key << " bins for each sorted key")
  test::check_many_bins<std::uint32_t>(
      std::initializer_list<route>{route::partitioned},
      test::samples<std::uint32_t>(
          200001, [&](std::size_t i) { return 70000 + i * bins_of_a_key; }),
      (1 << 26) + 77);
  for (std::size_t which = 0; which < test::many_bins_distributions; ++which)
    BOOST_TEST_CONTEXT(test::name_of_many(which))
  test::check_many_bins<std::uint32_t>(
      std::initializer_list<route>{route::partitioned},
      test::samples<std::uint32_t>(test::keys_for_bins(which, 200001, (1 << 25) + 77)),
      (1 << 25) + 77);
}

BOOST_AUTO_TEST_SUITE_END()
