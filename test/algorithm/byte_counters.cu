// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Route partitioned in many batches that count into a byte for each bin before the output: bytes
// that run over, tables that several blocks share, bins in slices, old counts.

#include "../support/checks.h"
#include "../support/pretended_gpu.h"
#include "many_bins.h"

#include <algorithm>
#include <vector>

namespace byte_counters_setup {

using thrust_hist::options;
using thrust_hist::route;
namespace cuda = thrust_hist::detail::cuda;

// No GPU is so small: 2^11 bins are a table, and 2^18 samples are enough for a batch.
constexpr cuda::device_facts tiny = {20, 20 * 1024, 24 * 1024, 1024 * 1024};
constexpr std::size_t n = 3000017;

// The least cap under which batches have bytes, so that they are as many as can be. `direct`: the
// output takes atomics.
options with_bytes(test::bin bins, bool direct = true) {
  const cuda::counting_problem problem = {n, static_cast<std::uint64_t>(bins), false, direct};
  for (std::size_t cap = 1 << 18; cap < 1 << 24; cap += 1 << 16) {
    const auto how = options{}.force(route::partitioned).max_temporary_bytes(cap);
    try {
      const cuda::counting_plan p = cuda::plan_counting(problem, tiny, how);
      if (p.byte_counters == 0)
        continue;
      const std::uint64_t batch = cuda::samples_of_batch(p.buckets);
      BOOST_TEST((batch >= 1 << 18 && batch <= n / 5));
      // A call has the same plan.
      if (direct) {
        thrust_hist::plan of_call;
        std::uint32_t const* const nothing = nullptr;
        thrust_hist::histogram(
            test::cuda::policy(), nothing, nothing + n, static_cast<std::uint32_t*>(nullptr), bins,
            options{how}.explain(&of_call));
        BOOST_TEST(of_call.scratch_bytes == p.scratch_bytes);
      }
      return how;
    } catch (thrust_hist::memory_limit_error const&) {
    }
  }
  BOOST_FAIL("no cap makes batches count into bytes");
  return {};
}

template <class Counter>
void check(test::samples<std::uint32_t> const& s, test::bin bins, options const& how) {
  test::check_many_bins<Counter>(std::initializer_list<route>{route::partitioned}, s, bins, how);
}

}  // namespace byte_counters_setup

BOOST_AUTO_TEST_SUITE(byte_counters, THRUST_HIST_TEST_LARGE)
using namespace byte_counters_setup;

BOOST_AUTO_TEST_CASE(every_distribution) {
  const test::pretended_gpu gpu(tiny);
  for (test::bin bins : {100000, 100001, 131071, 200003})
    for (std::size_t which = 0; which < test::many_bins_distributions; ++which)
      BOOST_TEST_CONTEXT(test::name_of_many(which) << ", " << bins << " bins") {
        const test::samples<std::uint32_t> s(test::keys_for_bins(which, n, bins));
        check<std::uint32_t>(s, bins, with_bytes(bins));
        if (bins == 100001)
          check<std::uint64_t>(s, bins, with_bytes(bins));
      }
}

// Far apart, so that no tile is counted at once, are bins with 0, 1, 2, ... samples: all of them in
// the first batch, or spread over all batches. The other samples lie in bins between.
BOOST_AUTO_TEST_CASE(bytes_that_run_over_or_just_do_not) {
  const test::pretended_gpu gpu(tiny);
  constexpr std::uint32_t distance = 97;
  constexpr std::uint32_t counts = 600;
  const test::bin bins = 100003;
  test::random rng(7);
  std::vector<std::uint32_t> keys;
  for (std::uint32_t count = 0; count < counts; ++count)
    keys.insert(keys.end(), count, count * distance);
  const auto between = [&] {
    return static_cast<std::uint32_t>(rng() % 1000 * distance + 1 + rng() % (distance - 1));
  };
  while (keys.size() < 1 << 18)
    keys.push_back(between());
  std::shuffle(keys.begin(), keys.end(), rng);
  while (keys.size() < n)
    keys.push_back(between());
  for (bool is_spread : {false, true}) {
    if (is_spread)
      std::shuffle(keys.begin(), keys.end(), rng);
    BOOST_TEST_CONTEXT((is_spread ? "in all batches" : "in the first batch"))
    check<std::uint32_t>(test::samples<std::uint32_t>(keys), bins, with_bytes(bins));
  }
}

BOOST_AUTO_TEST_CASE(bins_in_slices) {
  const test::pretended_gpu gpu(tiny);
  const test::bin bins = (1 << 19) + 100001;
  for (std::size_t which : {2, 3, 7}) {
    const test::samples<std::uint32_t> s(test::keys_for_bins(which, n, bins));
    BOOST_TEST_CONTEXT(test::name_of_many(which))
    check<std::uint32_t>(s, bins, with_bytes(bins));
  }
}

// Counters of 8 bits, which are written from a table in scratch memory, and samples that have no
// bin.
BOOST_AUTO_TEST_CASE(outputs_that_take_no_atomics) {
  const test::pretended_gpu gpu(tiny);
  const test::bin bins = 100000;
  for (std::size_t which : {2, 3, 7}) {
    const test::samples<std::uint32_t> s(test::keys_for_bins(which, n, bins));
    BOOST_TEST_CONTEXT(test::name_of_many(which)) {
      check<std::uint8_t>(s, bins, with_bytes(bins, false));
      std::uint64_t dropped = 1;
      check<std::uint32_t>(s, bins, with_bytes(bins, false).dropped(&dropped));
      BOOST_TEST(dropped == s.size() - test::total(test::count_keys(s, bins)));
    }
  }
}

BOOST_AUTO_TEST_CASE(old_counts_stay) {
  const test::pretended_gpu gpu(tiny);
  const test::bin bins = 100000;
  const test::samples<std::uint32_t> s(test::keys_for_bins(3, n, bins));
  test::check_added<std::uint32_t>(
      s, bins, [](std::size_t i) { return i * 1000; }, with_bytes(bins));
}

BOOST_AUTO_TEST_SUITE_END()
