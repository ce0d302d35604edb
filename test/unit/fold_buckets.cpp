// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Buckets of folds in numbers: tables and tiles fit shared memory, a batch fits the cap, all bins
// are in some slice.

#include "../support/boost_test.h"
#include <thrust_hist/system/cuda/fold_buckets.h>

#include <cstdint>

BOOST_AUTO_TEST_SUITE(fold_buckets_in_numbers)

namespace {

using namespace thrust_hist::detail::cuda;

constexpr std::size_t kibibyte = 1024;
constexpr device_facts gpus[] = {
    {132, 227 * kibibyte, 228 * kibibyte, 61440 * kibibyte},
    {84, 99 * kibibyte, 100 * kibibyte, 6144 * kibibyte},
    {40, 64 * kibibyte, 64 * kibibyte, 4096 * kibibyte},
    {20, 20 * kibibyte, 24 * kibibyte, 1024 * kibibyte}};
struct fold_case {
  bucket_needs needs;
  bool by_warps = false;
};
// Words, words of 64 bits, windows of float and of double, states with locks. Behind windows of
// double are places, for numbers or for long accumulators.
constexpr fold_case folds[] = {
    {{4, 4, 0, 4}},
    {{8, 8, 0, 8}},
    {{4, 12, 52, 4}},
    {{8, 12, 12, 8, false, 8}},
    {{8, 12, 12, 544, false, 328}},
    {{4, 20, 0, 16, true}, true},
    {{4, 44, 0, 40, true}, true},
    {{8, 12, 0, 8, true}, true},
    {{4, 1092, 0, 1088, true}},
    {{4, 12, 0, 8, true}}};

template <class Check>
void for_every_layout(Check check) {
  for (device_facts const& gpu : gpus)
    for (fold_case const& fold : folds)
      for (std::uint64_t bins : {1, 5000, 16384, 16385, 1 << 20, 1 << 24, 1 << 30})
        for (std::uint64_t pairs : {1, 100000, 1 << 30})
          for (std::size_t cap : {std::size_t{1} << 20, std::size_t{1} << 34})
            BOOST_TEST_CONTEXT(
                gpu.shared_bytes_block << " bytes of shared memory, " << fold.needs.bin_bytes
                                       << " bytes a bin, " << bins << " bins, " << pairs
                                       << " pairs, " << cap << " bytes")
  check(
      plan_fold_buckets(bins, pairs, fold.needs, fold.by_warps, gpu, cap), gpu, fold.needs, bins,
      pairs, cap);
}

}  // namespace

BOOST_AUTO_TEST_CASE(fit_shared_memory_and_the_cap) {
  for_every_layout([](fold_buckets const& b, device_facts const& gpu, bucket_needs const& needs,
                      std::uint64_t, std::uint64_t, std::size_t cap) {
    BOOST_REQUIRE(b.layout.threads >= 32U);
    BOOST_TEST(b.layout.threads <= fold_buckets::most_threads);
    BOOST_TEST(b.tile_shared_bytes() <= gpu.shared_bytes_block);
    BOOST_TEST(b.table_bytes <= gpu.shared_bytes_block);
    BOOST_TEST(b.wide_table_bytes <= gpu.shared_bytes_block);
    BOOST_TEST(
        b.table_bytes >= line_units(b.layout.tables()) * 16 +
                             (needs.bin_bytes << b.layout.table_bits) + behind_table_bytes +
                             warp_entries_bytes(needs.state_bytes, b.hot_entries));
    BOOST_TEST((b.layout.tiles == 0 || b.bytes() <= cap));
    BOOST_TEST((b.layout.tiles > 0 || smallest_bytes(b) > cap));
    BOOST_TEST(b.tile_blocks >= gpu.multiprocessors);
  });
}

BOOST_AUTO_TEST_CASE(have_places_for_frequent_bins_beside_a_table) {
  for_every_layout([](fold_buckets const& b, device_facts const& gpu, bucket_needs const& needs,
                      std::uint64_t, std::uint64_t, std::size_t) {
    if (needs.wide_place_bytes != 0) {
      BOOST_TEST(b.wide_hot_entries <= fold_buckets::most_wide_places);
      BOOST_TEST(
          b.wide_hot_entries >=
          (gpu.shared_bytes_block >= 48 * kibibyte ? fold_buckets::least_wide_places : 8));
      BOOST_TEST(
          b.wide_table_bytes >=
          line_units(b.layout.tables()) * 16 + (needs.wide_bin_bytes << b.wide_table_bits) +
              behind_table_bytes + hot_place_bytes(b.wide_hot_entries, needs.wide_place_bytes));
    } else {
      BOOST_TEST(b.wide_hot_entries == 0U);
    }
  });
}

BOOST_AUTO_TEST_CASE(have_a_place_for_every_bin) {
  for_every_layout([](fold_buckets const& b, device_facts const&, bucket_needs const&,
                      std::uint64_t bins, std::uint64_t, std::size_t) {
    std::uint64_t reached = 0;
    for (; reached < bins; reached += b.layout.bins) {
      const bucket_layout slice = b.layout.slice_at(static_cast<std::uint32_t>(reached));
      BOOST_TEST(slice.bins <= std::uint64_t{slice.buckets} << slice.rest_bits);
    }
    BOOST_TEST(b.layout.tables_log2() == 0U);
    BOOST_TEST(b.layout.rest_bits <= bucket_layout::most_table_bits);
  });
}

BOOST_AUTO_TEST_CASE(are_refused_where_nothing_travels_and_where_bins_are_too_many) {
  BOOST_TEST(plan_fold_buckets(1000, 1000, {}, false, gpus[0], 1 << 30).layout.threads == 0U);
  BOOST_TEST(
      plan_fold_buckets(std::uint64_t{1} << 31, 1000, folds[0].needs, false, gpus[0], 1 << 30)
          .layout.threads == 0U);
}

BOOST_AUTO_TEST_SUITE_END()
