// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Route partitioned: sorted samples that are few to a bin.

#include "../support/checks.h"
#include "many_bins.h"

#include <thrust/iterator/transform_iterator.h>

#include <cstddef>
#include <cstdint>

namespace sorted_tiles_setup {

using thrust_hist::options;
using thrust_hist::route;

struct same {
  __host__ __device__ std::uint32_t operator()(std::uint32_t x) const { return x; }
};

}  // namespace sorted_tiles_setup

BOOST_AUTO_TEST_SUITE(sorted_tiles, THRUST_HIST_TEST_SMALL)
using namespace sorted_tiles_setup;

// Tiles of sorted samples have a path of their own where these are few to a bin, as have others
// beside them.
BOOST_AUTO_TEST_CASE(sorted_samples_that_are_few_to_a_bin) {
  constexpr std::size_t n = 100003;
  const auto only = std::initializer_list<route>{route::partitioned};
  for (std::size_t gap : {1, 2, 3, 40})
    for (bool descends : {false, true}) {
      const auto bins = static_cast<test::bin>(n * gap + 5);
      const auto at = [&](std::size_t i) {
        const std::size_t place = descends ? n - 1 - i : i;
        // Some are equal, some have no bin, and the last third is not sorted.
        return i > n / 3 * 2 ? i * 7919 % (n * gap + 9) : place / 3 * 3 * gap + i * 31 % gap;
      };
      BOOST_TEST_CONTEXT(bins << " bins, " << (descends ? "descending" : "ascending")) {
        const test::samples<std::uint32_t> s(n, at);
        test::check_many_bins<std::uint32_t>(only, s, bins);
        test::check_many_bins<std::uint8_t>(only, s, bins);
        test::check_many_bins<std::uint64_t>(only, test::samples<std::uint64_t>(n, at), bins);
        test::check_added<std::uint32_t>(
            s, bins, [](std::size_t i) { return i % 7; }, options{}.force(route::partitioned));
        // One sample of a thread after the other, by an iterator.
        auto in = test::buffer_of<test::cuda>(s);
        const auto first = thrust::make_transform_iterator(in.data(), same{});
        test::output<test::cuda, std::uint32_t> out(static_cast<std::size_t>(bins));
        thrust_hist::histogram(
            test::cuda::policy(), first, first + n, out.data(), bins,
            options{}.force(route::partitioned));
        out.check_equals(test::convert<std::uint32_t>(test::count_keys(s, bins)));
      }
    }
}

BOOST_AUTO_TEST_SUITE_END()
