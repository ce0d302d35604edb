// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// build: checked
// histogram_even and histogram_range over CUDA's 16-bit floating types.

#include "../support/half.cuh"
#include "even_cases.h"
#include <thrust_hist/histogram_range.h>

#include <algorithm>

BOOST_AUTO_TEST_SUITE(even_half, THRUST_HIST_TEST_SMALL)

namespace {

template <class Sample>
void check_edges_of_the_type() {
  test::random rng(9);
  std::vector<Sample> edges;
  for (int i = 0; i < 40; ++i)
    edges.push_back(test::round_to<Sample>(static_cast<double>(rng() % 1000) / 8 - 60));
  std::sort(edges.begin(), edges.end(), [](Sample a, Sample b) {
    return test::order_of(a) < test::order_of(b);
  });
  const test::samples<Sample> s(20011, [&](std::size_t i) {
    return i % 100 == 7 ? test::not_a_number<Sample>()
                        : test::round_to<Sample>(static_cast<double>(rng() % 1000) / 8 - 62);
  });
  auto there = test::buffer_of<test::cuda>(test::samples<Sample>(edges));
  Sample const* const first_edge = there.data();
  for (thrust_hist::route forced :
       {thrust_hist::route::automatic, thrust_hist::route::shared, thrust_hist::route::partitioned})
    test::check_route<test::cuda, int>(
        forced, s, test::count(s, test::range_reference(edges)),
        [&](auto first, auto last, auto out, auto options) {
          return thrust_hist::histogram_range(
              thrust::cuda::par, first, last, out, first_edge, first_edge + edges.size(), options);
        });
}

}  // namespace

BOOST_AUTO_TEST_CASE(samples_of_half_fall_where_the_edges_say_on_every_route) {
  test::check_real_samples<test::cuda, __half>();
}

BOOST_AUTO_TEST_CASE(samples_of_bfloat16_fall_where_the_edges_say_on_every_route) {
  test::check_real_samples<test::cuda, __nv_bfloat16>();
}

BOOST_AUTO_TEST_CASE(edges_of_half_and_bfloat16_are_searched) {
  check_edges_of_the_type<__half>();
  check_edges_of_the_type<__nv_bfloat16>();
}

// In 128 KB, where these fit.
BOOST_AUTO_TEST_CASE(many_halves_are_looked_up_in_a_table_of_all_values) {
  const std::size_t room = thrust_hist::detail::cuda::current_facts().shared_bytes_block;
  const auto bytes = [](std::size_t n, auto how) {
    thrust_hist::plan plan;
    __half const* const first = nullptr;
    thrust_hist::histogram_even(
        thrust::cuda::par, first, first + n, static_cast<int*>(nullptr), 1000, 0, 1,
        how.explain(&plan));
    return plan.shared_bytes;
  };
  using thrust_hist::options;
  const std::size_t table = 128 * 1024;
  BOOST_TEST(bytes((1 << 24) - 1, options{}) < table);
  BOOST_TEST((bytes(1 << 24, options{}) >= table) == (room >= table + 4096));
  BOOST_TEST(
      (bytes(1000, options{}.force(thrust_hist::route::shared)) >= table) ==
      (room >= table + 4096));
}

BOOST_AUTO_TEST_SUITE_END()
