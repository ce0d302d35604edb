// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// build: optimised under sanitizers
// Sizes, distributions and numbers of bins, on every route: one suite with a call for each, one
// with the most of their combinations.

#include "../support/checks.h"
#include <thrust_hist/histogram.h>

namespace histogram_shapes_setup {

using test::distribution;

// 0, 1, and around words, warps, blocks and tiles.
constexpr std::size_t sizes[] = {0,    1,     2,     3,     15,    16,    17,    31,     32,
                                 33,   63,    64,    65,    127,   128,   129,   255,    256,
                                 257,  1023,  1024,  1025,  4095,  4096,  4097,  8191,   8192,
                                 8193, 16383, 16384, 16385, 65535, 65536, 65537, 131071, 131072};
// Around every limit that a route may have: powers of two, and 57 344 counters of 4 bytes or
// 114 688 of 2 in 227 KB of shared memory.
constexpr test::bin bin_counts[] = {
    0,     1,     2,     3,     4,     5,     6,     7,      8,      9,      15,
    16,    17,    31,    32,    33,    64,    65,    127,    128,    129,    255,
    256,   257,   511,   512,   513,   1000,  2048,  6007,   12287,  12288,  12289,
    16384, 57343, 57344, 57345, 65535, 65536, 65537, 114687, 114688, 114689, 200000};

template <class System, class Sample, class Counter>
void check_shape(
    std::vector<thrust_hist::route> const& routes, distribution d, std::size_t n, test::bin bins) {
  BOOST_TEST_CONTEXT(test::name_of(d) << ", n = " << n << ", " << bins << " bins") {
    const auto distinct = static_cast<std::uint64_t>(bins < 2 ? 2 : bins + bins / 50);
    const test::samples<Sample> s(test::generate(d, n, distinct, n));
    const auto expected = test::count(s, bins, [](Sample x) { return static_cast<test::bin>(x); });
    for (thrust_hist::route forced : routes)
      test::check_route<System, Counter>(
          forced, s, expected, [&](auto first, auto last, auto out, auto options) {
            return thrust_hist::histogram(System::policy(), first, last, out, bins, options);
          });
  }
}

// Every size, every distribution and every number of bins in turn: each value of one axis meets
// many of the others.
template <class System, class Sample, class Counter>
void check_small_shapes() {
  std::size_t turn = 0;
  for (thrust_hist::route forced : System::every_route())
    for (test::bin bins : bin_counts)
      for (std::size_t round = 0; round < 3; ++round, ++turn)
        check_shape<System, Sample, Counter>(
            {forced}, test::all_distributions[turn % std::size(test::all_distributions)],
            sizes[turn * 7 % std::size(sizes)], bins);
}

// The route that explain() names for a number of bins, or automatic where the forced one is
// refused.
template <class System>
thrust_hist::route route_for(thrust_hist::route forced, test::bin bins) {
  thrust_hist::plan plan;
  std::uint32_t const* const nothing = nullptr;
  try {
    thrust_hist::histogram(
        System::policy(), nothing, nothing + 100003, static_cast<std::uint32_t*>(nullptr), bins,
        thrust_hist::options{}.force(forced).explain(&plan));
  } catch (std::invalid_argument const&) {
  }
  return plan.taken;
}

// The numbers of bins from which on another route is taken, or none any more.
template <class System>
std::vector<test::bin> limits(thrust_hist::route forced) {
  std::vector<test::bin> found;
  for (test::bin low = 1; low < (1 << 20); low *= 2) {
    test::bin below = low, above = 2 * low;
    const auto taken = route_for<System>(forced, below);
    if (route_for<System>(forced, above) == taken)
      continue;
    while (above - below > 1) {
      const test::bin middle = (below + above) / 2;
      (route_for<System>(forced, middle) == taken ? below : above) = middle;
    }
    found.push_back(above);
  }
  return found;
}

}  // namespace histogram_shapes_setup

BOOST_AUTO_TEST_SUITE(histogram_shapes, THRUST_HIST_TEST_SMALL)
using namespace histogram_shapes_setup;

// 5 has no factor in common with the number of sizes, so each route meets all of them; 3 has, so
// each lap through the sizes begins with another type.
BOOST_AUTO_TEST_CASE_TEMPLATE(each_number_of_bins_on_every_route, System, test::systems) {
  std::size_t turn = 0;
  for (thrust_hist::route forced : System::every_route())
    for (test::bin bins : bin_counts) {
      const distribution d = test::all_distributions[turn % std::size(test::all_distributions)];
      const std::size_t n = sizes[turn * 5 % std::size(sizes)];
      const std::size_t lap = turn / std::size(sizes);
      switch ((turn++ + lap) % 3) {
      case 0:
        check_shape<System, std::uint8_t, std::uint32_t>({forced}, d, n, bins);
        break;
      case 1:
        check_shape<System, std::uint64_t, std::uint64_t>({forced}, d, n, bins);
        break;
      default:
        check_shape<System, std::uint32_t, std::uint32_t>({forced}, d, n, bins);
      }
    }
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(histogram_shapes_combined, THRUST_HIST_TEST_LARGE)
using namespace histogram_shapes_setup;

BOOST_AUTO_TEST_CASE_TEMPLATE(every_route_counts_bytes_of_any_shape, System, test::systems) {
  check_small_shapes<System, std::uint8_t, std::uint32_t>();
}
BOOST_AUTO_TEST_CASE_TEMPLATE(every_route_counts_words_of_any_shape, System, test::systems) {
  check_small_shapes<System, std::uint32_t, std::uint32_t>();
}
BOOST_AUTO_TEST_CASE_TEMPLATE(every_route_counts_long_keys_of_any_shape, System, test::systems) {
  check_small_shapes<System, std::uint64_t, std::uint64_t>();
}

BOOST_AUTO_TEST_CASE_TEMPLATE(every_size_is_counted_to_the_last_sample, System, test::systems) {
  const auto routes = System::every_route();
  for (std::size_t n : sizes) {
    check_shape<System, std::uint8_t, std::uint32_t>(routes, distribution::constant, n, 1);
    check_shape<System, std::uint8_t, std::uint32_t>(routes, distribution::uniform, n, 3);
    check_shape<System, std::uint32_t, std::uint32_t>(routes, distribution::runs, n, 1000);
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(each_route_at_its_limit_and_beside_it, System, test::systems) {
  BOOST_TEST(
      (route_for<System>(thrust_hist::route::automatic, 1) != thrust_hist::route::automatic));
  for (thrust_hist::route forced : System::every_route())
    for (test::bin limit : limits<System>(forced)) {
      BOOST_TEST_MESSAGE("route " << forced << " changes at " << limit << " bins");
      for (test::bin bins : {limit - 1, limit, limit + 1})
        check_shape<System, std::uint32_t, std::uint32_t>(
            {forced, thrust_hist::route::automatic}, distribution::uniform, 100003, bins);
    }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(every_distribution_meets_every_route, System, test::systems) {
  const auto routes = System::every_route();
  for (distribution d : test::all_distributions)
    for (test::bin bins : {1, 4, 5, 256, 257, 6007, 57345}) {
      check_shape<System, std::uint8_t, std::uint32_t>(routes, d, 100003, bins);
      check_shape<System, std::uint32_t, std::uint32_t>(routes, d, 100003, bins);
    }
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(histogram_shapes_large, THRUST_HIST_TEST_LARGE)
using namespace histogram_shapes_setup;

BOOST_AUTO_TEST_CASE_TEMPLATE(several_million_keys_of_every_distribution, System, test::systems) {
  const auto routes = System::every_route();
  const test::bin some_bins[] = {5, 257, 16384, 1000003};
  std::size_t turn = 0;
  for (distribution d : test::all_distributions) {
    check_shape<System, std::uint8_t, std::uint32_t>(routes, d, 3000017, some_bins[turn++ % 4]);
    check_shape<System, std::uint32_t, std::uint32_t>(routes, d, 3000017, some_bins[turn % 4]);
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(many_more_bins_than_samples, System, test::systems) {
  check_shape<System, std::uint32_t, std::uint32_t>(
      System::every_route(), distribution::zipf, 300007, (1 << 24) + 5);
}

BOOST_AUTO_TEST_SUITE_END()
