// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Routes shared_split and partitioned with samples of every width, at every address, behind
// iterators and through rules.

#include "../support/rule_checks.h"
#include "many_bins.h"

#include <thrust/iterator/transform_iterator.h>

namespace partitioned_types_setup {

using thrust_hist::options;
using thrust_hist::route;

template <class Sample>
void check_type(std::size_t n, std::initializer_list<test::bin> bin_counts) {
  // What is chosen counts values of 16 bits rather than bins.
  const auto routes = {route::automatic, route::shared_split, route::partitioned};
  std::size_t which = n % test::many_bins_distributions;
  for (test::bin bins : bin_counts) {
    BOOST_TEST_CONTEXT(
        n << " samples of " << sizeof(Sample) << " bytes, " << bins << " bins, "
          << test::name_of_many(which))
    test::check_many_bins<std::uint32_t>(
        routes, test::samples<Sample>(test::keys_for_bins(which, n, bins)), bins);
    which = (which + 1) % test::many_bins_distributions;
  }
}

// Even bins over [0, 1) of real samples, of which some lie outside and some are no numbers.
void check_even(std::size_t n, test::bin bins) {
  test::random rng(n);
  const test::samples<float> s(n, [&](std::size_t i) {
    return i % 1000 == 7 ? test::not_a_number<float>()
                         : static_cast<float>(rng() % 1100000) / 1000000 - 0.05F;
  });
  const auto expected = test::count(s, test::even_reference<float>(bins, 0, 1));
  for (route forced : test::routes_of_many_bins)
    test::check_route<test::cuda, std::uint32_t>(
        forced, s, expected, [&](auto first, auto last, auto out, auto how) {
          return thrust_hist::histogram_even(
              test::cuda::policy(), first, last, out, bins, 0, 1, how);
        });
}

struct every_third {
  THRUST_HIST_HOST_DEVICE std::uint32_t operator()(std::uint32_t key) const { return key / 3; }
};

// Samples that lie nowhere side by side.
void check_transformed(std::size_t n, test::bin bins) {
  const test::samples<std::uint32_t> s(test::keys_for_bins(3, n, 3 * bins));
  const auto expected =
      test::count(s, bins, [](std::uint32_t key) { return static_cast<test::bin>(key / 3); });
  for (route forced : test::routes_of_many_bins)
    test::check_route<test::cuda, std::uint32_t>(
        forced, s, expected, [&](auto first, auto, auto out, auto how) {
          const auto in = thrust::make_transform_iterator(first, every_third{});
          return thrust_hist::histogram(
              test::cuda::policy(), in, in + static_cast<std::ptrdiff_t>(n), out, bins, how);
        });
}

}  // namespace partitioned_types_setup

BOOST_AUTO_TEST_SUITE(partitioned_samples, THRUST_HIST_TEST_SMALL)
using namespace partitioned_types_setup;

BOOST_AUTO_TEST_CASE(of_every_width_are_counted) {
  for (std::size_t n : {1, 8191, 16385, 131072}) {
    check_type<std::uint8_t>(n, {2, 200, 70000});
    check_type<std::uint16_t>(n, {2, 32769, 65536});
    check_type<std::uint64_t>(n, {2, 32769, 100000});
  }
}

BOOST_AUTO_TEST_CASE(are_read_from_any_address) {
  test::check_alignments<std::uint8_t>(20011, 200);
  test::check_alignments<std::uint16_t>(20011, 60000);
  test::check_alignments<std::uint64_t>(20011, 60000);
}

BOOST_AUTO_TEST_CASE(of_64_bits_keep_their_upper_half) {
  const test::samples<std::uint64_t> s(30011, [](std::size_t i) {
    const std::uint64_t key = i * 7 % 120000;
    return i % 3 == 0 ? key | std::uint64_t{1} << (32 + i % 32) : key;
  });
  test::check_many_bins<std::uint32_t>(test::routes_of_many_bins, s, 100000);
  const test::samples<std::int64_t> negative(30011, [](std::size_t i) {
    const auto key = static_cast<std::int64_t>(i * 7 % 120000);
    return i % 3 == 0 ? -key : key;
  });
  test::check_many_bins<std::uint32_t>(test::routes_of_many_bins, negative, 100000);
}

BOOST_AUTO_TEST_CASE(of_even_bins_are_counted) {
  for (test::bin bins : {3, 40000, 100000})
    check_even(30011, bins);
}

BOOST_AUTO_TEST_CASE(behind_an_iterator_are_counted) {
  for (std::size_t n : {1, 8192, 30011})
    for (test::bin bins : {3, 100000})
      check_transformed(n, bins);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(partitioned_samples_large, THRUST_HIST_TEST_LARGE)
using namespace partitioned_types_setup;

BOOST_AUTO_TEST_CASE(of_every_width_are_counted) {
  for (std::size_t n : {300001, 3000017}) {
    check_type<std::uint8_t>(n, {5, 256, 65536});
    check_type<std::uint16_t>(n, {32768, 65535, 200000});
    check_type<std::uint64_t>(n, {65536, 200000, 1 << 20});
  }
}

BOOST_AUTO_TEST_CASE(few_at_any_address_are_all_head_and_tail) {
  for (std::size_t n : {1, 3, 15, 17, 33}) {
    test::check_alignments<std::uint8_t>(n, 200);
    test::check_alignments<std::uint16_t>(n, 60000);
    test::check_alignments<std::uint64_t>(n, 60000);
  }
}

BOOST_AUTO_TEST_CASE(of_even_bins_and_behind_an_iterator_are_counted) {
  check_even(300001, 200000);
  check_even(300001, 1 << 20);
  check_transformed(300001, 200000);
  check_transformed(3000017, 1 << 20);
}

BOOST_AUTO_TEST_SUITE_END()
