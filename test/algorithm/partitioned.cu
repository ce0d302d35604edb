// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Routes shared_split and partitioned with keys of 4 bytes: sizes, numbers of bins, distributions,
// options, and scratch memory batch by batch. partitioned_types.cu has other samples.

#include "../support/allocators.h"
#include "../support/fewer.h"
#include "../support/messages.h"
#include "many_bins.h"

#include <algorithm>
#include <functional>

namespace partitioned_setup {

using thrust_hist::options;
using thrust_hist::route;

// Around tiles, which have 8192 or 16384 samples, and around a group of 16 of them.
constexpr std::size_t sizes[] = {0,     1,     31,    8191,   8192,   8193,
                                 16383, 16384, 16385, 131069, 131072, 131073};
// Around buckets, which have 32768 bins where shared memory has room.
constexpr test::bin bin_counts[] = {1, 2, 32767, 32768, 32769, 65536, 200000, 1 << 20};

test::samples<std::uint32_t> words(std::size_t which, std::size_t n, test::bin bins) {
  return test::samples<std::uint32_t>(test::keys_for_bins(which, n, bins));
}

void check_words(
    std::initializer_list<route> routes, std::size_t which, std::size_t n, test::bin bins) {
  BOOST_TEST_CONTEXT(test::name_of_many(which) << ", n = " << n << ", " << bins << " bins")
  test::check_many_bins<std::uint32_t>(routes, words(which, n, bins), bins);
}

thrust_hist::plan plan_for(std::size_t n, test::bin bins, options how) {
  thrust_hist::plan plan;
  std::uint32_t const* const nothing = nullptr;
  thrust_hist::histogram(
      test::cuda::policy(), nothing, nothing + n, static_cast<std::uint32_t*>(nullptr), bins,
      how.explain(&plan));
  return plan;
}

// Counts under a cap, which the allocator must never exceed.
template <class Counter>
void check_capped(
    test::samples<std::uint32_t> const& s, std::vector<std::uint64_t> const& expected,
    options const& how) {
  auto in = test::buffer_of<test::cuda>(s);
  std::uint32_t const* const first = in.data();
  test::ledger book;
  test::counting_allocator<test::cuda> allocator(book);
  test::output<test::cuda, Counter> out(expected.size());
  thrust_hist::histogram(
      thrust::cuda::par(allocator), first, first + s.size(), out.data(),
      static_cast<test::bin>(expected.size()), how);
  out.check_equals(test::convert<Counter>(expected));
  BOOST_TEST(book.peak() > 0U);
  BOOST_TEST(book.peak() <= how.max_temporary_bytes_);
  BOOST_TEST(book.outstanding() == 0U);
}

// The smallest cap under which buckets can be, as the refusal of a smaller one says.
template <class Counter>
std::size_t least_cap(test::samples<std::uint32_t> const& s, test::bin bins) {
  auto in = test::buffer_of<test::cuda>(s);
  std::uint32_t const* const first = in.data();
  test::output<test::cuda, Counter> out(static_cast<std::size_t>(bins));
  std::size_t least = 0;
  const auto call = [&](std::size_t cap) {
    thrust_hist::histogram(
        test::cuda::policy(), first, first + s.size(), out.data(), bins,
        options{}.force(route::partitioned).max_temporary_bytes(cap));
  };
  try {
    call(1000);
    BOOST_ERROR("1000 bytes are enough");
  } catch (thrust_hist::memory_limit_error const& refusal) {
    least = refusal.smallest();
  }
  BOOST_CHECK_THROW(call(least - 1), thrust_hist::memory_limit_error);
  out.check_untouched();
  return least;
}

template <class Counter>
void check_batches(std::size_t n, test::bin bins, std::size_t which) {
  BOOST_TEST_CONTEXT(n << " keys in batches, " << bins << " bins") {
    const auto s = words(which, n, bins);
    const auto expected = test::count_keys(s, bins);
    const std::size_t least = least_cap<Counter>(s, bins);
    for (std::size_t cap : {least, least + 1, least * 5 / 2})
      check_capped<Counter>(
          s, expected, options{}.force(route::partitioned).max_temporary_bytes(cap));
  }
}

template <class Counter>
void check_counter(test::bin bins) {
  const auto s = words(3, 30011, bins);
  BOOST_TEST_CONTEXT(sizeof(Counter) << " bytes a counter, " << bins << " bins")
  test::check_many_bins<Counter>(test::routes_of_many_bins, s, bins);
}

template <class Counter>
void check_accumulate(test::bin bins) {
  const auto s = words(4, 30011, bins);
  for (route forced : test::routes_of_many_bins)
    BOOST_TEST_CONTEXT("route " << forced)
  test::check_added<Counter>(
      s, bins, [](std::size_t i) { return i % 101; }, options{}.force(forced));
}

}  // namespace partitioned_setup

BOOST_AUTO_TEST_SUITE(partitioned, THRUST_HIST_TEST_SMALL)
using namespace partitioned_setup;

// 12 sizes and 11 distributions: each number of bins meets all of them, each time in other pairs.
BOOST_AUTO_TEST_CASE(counts_every_size_into_every_number_of_bins) {
  std::size_t turn = 0;
  for (test::bin bins : test::fewer(bin_counts, {2, 32769}))
    for (std::size_t n : test::fewer(sizes, {31, 16385}))
      check_words(
          {route::shared_split, route::partitioned}, turn++ % test::many_bins_distributions, n,
          bins);
}

BOOST_AUTO_TEST_CASE(is_what_the_plan_takes_for_many_bins_and_enough_keys) {
  for (test::bin bins : {65536, 100000, 1 << 20, 1 << 22}) {
    const route taken = plan_for(1 << 20, bins, options{}).taken;
    BOOST_TEST(
        (taken == route::shared_split || taken == route::partitioned),
        "route " << taken << " for " << bins << " bins");
    check_words({route::automatic}, 3, 1 << 20, bins);
  }
}

BOOST_AUTO_TEST_CASE(counts_into_outputs_of_any_width) {
  for (test::bin bins : {3, 100000}) {
    check_counter<std::uint64_t>(bins);
    check_counter<std::int32_t>(bins);
    check_counter<std::uint8_t>(bins);
    check_counter<float>(bins);
  }
}

BOOST_AUTO_TEST_CASE(adds_to_what_is_there) {
  for (test::bin bins : {3, 100000}) {
    check_accumulate<std::uint32_t>(bins);
    check_accumulate<std::uint64_t>(bins);
    check_accumulate<std::uint8_t>(bins);
    check_accumulate<double>(bins);
  }
}

BOOST_AUTO_TEST_CASE(keys_without_a_bin_are_dropped_and_counted) {
  for (test::bin bins : {1, 32768, 100000})
    for (std::uint32_t from : {0U, 0x7fffff00U, 0xffff0000U}) {
      const test::samples<std::uint32_t> s(
          30011, [&](std::size_t i) { return i % 3 == 0 ? from + i : i * 7 % 120000; });
      const auto kept = test::total(test::count_keys(s, bins));
      for (route forced : test::routes_of_many_bins) {
        std::uint64_t dropped = 12345;
        test::check_many_bins<std::uint32_t>(
            std::initializer_list<route>{forced}, s, bins, options{}.dropped(&dropped));
        BOOST_TEST(dropped == s.size() - kept, "route " << forced << ", " << bins << " bins");
      }
    }
}

BOOST_AUTO_TEST_CASE(no_key_with_a_bin_at_all_leaves_zeros) {
  const test::samples<std::uint32_t> s(20011, [](std::size_t i) { return 70000 + i; });
  test::check_many_bins<std::uint32_t>(test::routes_of_many_bins, s, 70000);
}

// What has no bin is told by the sum of all counts, whatever stood in the output.
BOOST_AUTO_TEST_CASE(samples_without_a_bin_are_counted_beside_old_counts) {
  const test::samples<std::uint32_t> s(30011, [](std::size_t i) { return i * 7 % 120000; });
  const auto count = [&](auto before, test::bin bins) {
    using counter = typename decltype(before)::value_type;
    auto in = test::buffer_of<test::cuda>(s);
    std::uint32_t const* const first = in.data();
    for (bool accumulates : {false, true}) {
      std::uint64_t dropped = 12345;
      test::output<test::cuda, counter> out(before);
      auto how = options{}.dropped(&dropped);
      how = accumulates ? how.accumulate() : how;
      thrust_hist::histogram(test::cuda::policy(), first, first + s.size(), out.data(), bins, how);
      BOOST_TEST(
          dropped == s.size() - test::total(test::count_keys(s, bins)),
          bins << " bins, " << sizeof(counter) << " bytes" << (accumulates ? ", added" : ""));
    }
  };
  for (test::bin bins : {1, 1000, 100001}) {
    count(std::vector<std::uint32_t>(static_cast<std::size_t>(bins), 7), bins);
    count(std::vector<std::uint64_t>(static_cast<std::size_t>(bins), 7), bins);
    count(std::vector<float>(static_cast<std::size_t>(bins), 7), bins);
  }
}

// A tile whose bins lie near each other is counted at once. Some look so and are not, some have
// keys without a bin among them, some lie at either end of the bins.
BOOST_AUTO_TEST_CASE(tiles_of_bins_near_each_other_and_not_quite) {
  for (test::bin bins : {1, 2, 4095, 40000, 100000, 1 << 20}) {
    const auto most = static_cast<std::uint32_t>(bins);
    test::random rng(static_cast<std::uint64_t>(bins));
    const auto random = [&] { return static_cast<std::uint32_t>(rng() % (most + most / 8 + 1)); };
    const std::function<std::uint32_t(std::size_t)> keys[] = {
        [&](std::size_t i) { return i % 4 == 0 ? most / 2 : random(); },
        [&](std::size_t i) { return i % 32 != 31 ? most / 2 : random(); },
        [&](std::size_t i) { return i % 5000 == 4999 ? random() : most / 3; },
        [&](std::size_t) { return most; },
        [&](std::size_t i) { return i == 0 || i % 3 == 0 ? most + 7 : most / 2; },
        [&](std::size_t i) { return most - 1 - static_cast<std::uint32_t>(i % 100) % most; },
        [&](std::size_t i) { return most - 50 + static_cast<std::uint32_t>(i % 100); },
        [&](std::size_t i) { return static_cast<std::uint32_t>(i % 3000); },
        [&](std::size_t i) { return most / 2 + static_cast<std::uint32_t>(i % 8192); },
        [&](std::size_t i) { return static_cast<std::uint32_t>(i / 8192 * 977) % most; }};
    for (auto const& key : keys)
      BOOST_TEST_CONTEXT(bins << " bins, keys " << &key - keys)
    for (std::size_t n : {8192 * 3 + 5, 50001})
      test::check_many_bins<std::uint32_t>(
          std::initializer_list<route>{route::partitioned}, test::samples<std::uint32_t>(n, key),
          bins);
  }
}

// Where a warp has four samples of one bucket in each lane, these are placed together. Some runs
// have no bin.
BOOST_AUTO_TEST_CASE(runs_of_any_length) {
  for (test::bin bins : {40000, 200000, 1 << 20, 20000000})
    for (std::size_t length : {4, 5, 127, 128, 131, 600, 1024, 3001})
      BOOST_TEST_CONTEXT(bins << " bins, runs of " << length) {
        const auto distinct = static_cast<std::uint64_t>(bins + bins / 8);
        test::check_many_bins<std::uint32_t>(
            std::initializer_list<route>{route::partitioned},
            test::samples<std::uint32_t>(
                50001,
                [=](std::size_t i) {
                  return static_cast<std::uint32_t>(
                      (i + 7) / length * 0x9e3779b97f4a7c15U % distinct);
                }),
            bins);
      }
}

BOOST_AUTO_TEST_CASE(reads_keys_from_any_address) {
  test::check_alignments<std::uint32_t>(20011, 70000);
}

// The smallest batch has 131072 samples or twice as many: the last tile makes another.
BOOST_AUTO_TEST_CASE(a_cap_on_memory_makes_a_second_batch_of_a_few_keys) {
  for (test::bin bins : {1, 100000}) {
    check_batches<std::uint32_t>(131072, bins, 2);
    check_batches<std::uint8_t>(131072, bins, 5);
  }
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(partitioned_large, THRUST_HIST_TEST_LARGE)
using namespace partitioned_setup;

BOOST_AUTO_TEST_CASE(every_distribution_meets_many_numbers_of_bins) {
  for (std::size_t which = 0; which < test::many_bins_distributions; ++which)
    for (test::bin bins : {65536, 1 << 20, (1 << 22) + 1})
      check_words(
          {route::automatic, route::shared_split, route::partitioned, route::global}, which, 300001,
          bins);
}

BOOST_AUTO_TEST_CASE(millions_of_keys_of_every_distribution) {
  const test::bin some_bins[] = {65536, 200000, 1 << 20, (1 << 22) + 1};
  for (std::size_t which = 0; which < test::many_bins_distributions; ++which)
    check_words(
        {route::automatic, route::shared_split, route::partitioned, route::global}, which, 5000000,
        some_bins[which % std::size(some_bins)]);
}

BOOST_AUTO_TEST_CASE(counts_as_many_bins_as_there_are_buckets_for) {
  check_words({route::automatic, route::partitioned}, 2, 5000000, 1 << 24);
  check_words({route::partitioned}, 3, 300001, (1 << 25) - 1);
  check_words({route::partitioned}, 2, 300001, (1 << 26) + 5);  // segments that adjoin
  check_words({route::partitioned}, 2, 300001, (1 << 27) + 5);  // two tables a bucket
}

BOOST_AUTO_TEST_CASE(batches_add_up) {
  for (std::size_t which = 0; which < test::many_bins_distributions; ++which)
    check_batches<std::uint32_t>(1000003, 300000, which);
  check_batches<std::uint64_t>(1000003, 1 << 22, 3);
  check_batches<float>(1000003, 100000, 5);
}

BOOST_AUTO_TEST_CASE(the_plan_keeps_a_cap_by_itself) {
  const test::bin bins = 1 << 20;
  const auto s = words(2, 5000000, bins);
  const auto expected = test::count_keys(s, bins);
  const std::size_t all = plan_for(s.size(), bins, options{}).scratch_bytes;
  BOOST_TEST(all > 0U);
  for (std::size_t cap : {all, all / 3})
    check_capped<std::uint32_t>(s, expected, options{}.max_temporary_bytes(cap));
  // With next to nothing, a route that needs nothing.
  const auto poor = options{}.max_temporary_bytes(1000);
  BOOST_TEST(plan_for(s.size(), bins, poor).scratch_bytes == 0U);
  test::check_many_bins<std::uint32_t>(
      std::initializer_list<route>{route::automatic}, s, bins, poor);
}

// Where the next tile is asked for ahead, too.
BOOST_AUTO_TEST_CASE(keys_in_memory_of_the_host_that_the_device_reads) {
  constexpr std::size_t n = 300007;
  constexpr test::bin bins = 1 << 20;
  const auto s = words(0, n, bins);
  const auto expected = test::convert<unsigned>(test::count_keys(s, bins));
  for (bool is_managed : {false, true}) {
    void* memory = nullptr;
    BOOST_REQUIRE(
        (is_managed ? cudaMallocManaged(&memory, n * 4) : cudaMallocHost(&memory, n * 4)) ==
        cudaSuccess);
    auto* const keys = static_cast<std::uint32_t*>(memory);
    std::copy(s.begin(), s.end(), keys);
    test::output<test::cuda, unsigned> out(bins);
    thrust_hist::histogram(
        test::cuda::policy(), keys, keys + n, out.data(), bins,
        options{}.force(route::partitioned));
    out.check_equals(expected);
    (is_managed ? cudaFree : cudaFreeHost)(memory);
  }
}

BOOST_AUTO_TEST_SUITE_END()
