// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What folds on CUDA read: keys of all widths, keys and values at any address, rules.
// folds_iterators.cu has iterators that are no pointers.

#include "fold_cases.h"

#include <limits>
#include <tuple>

namespace folds_inputs_setup {

using test::distribution;
using thrust_hist::options;
using thrust_hist::route;

constexpr std::size_t n = 20011;
using key_types = std::tuple<
    std::int8_t, std::uint8_t, std::int16_t, std::uint16_t, std::int32_t, std::int64_t,
    std::uint64_t>;

// In range, negative, the ends of the type, and beyond 32 bits what would be in range without them.
template <class K>
K any_key(std::size_t i, std::uint64_t bins) {
  switch (test::scrambled(i) % 8) {
  case 0:
    return std::numeric_limits<K>::min();
  case 1:
    return std::numeric_limits<K>::max();
  case 2:
    return static_cast<K>(test::scrambled(i + 1));
  case 3:
    return static_cast<K>(~(test::scrambled(i + 1) % 3));
  case 4:
    return static_cast<K>((std::uint64_t{3} << 32) + i % bins);
  default:
    return static_cast<K>(test::scrambled(i + 1) % bins);
  }
}

}  // namespace folds_inputs_setup

BOOST_AUTO_TEST_SUITE(folds_inputs, THRUST_HIST_TEST_SMALL)
using namespace folds_inputs_setup;

BOOST_AUTO_TEST_CASE_TEMPLATE(keys_of_any_width_and_sign, K, key_types) {
  for (std::uint64_t bins : {1, 100, 60000}) {
    const test::samples<K> keys(n, [&](std::size_t i) { return any_key<K>(i, bins); });
    BOOST_TEST_CONTEXT(bins << " bins")
    BOOST_TEST(
        test::check_fold<std::int32_t>(
            keys, test::whole_numbers<std::int32_t>(n), static_cast<std::int64_t>(bins)) >= 2);
  }
}

BOOST_AUTO_TEST_CASE(keys_and_values_at_any_address) {
  const auto keys = test::keys_of<std::uint16_t>(distribution::uniform, n + 32, 300);
  const auto values = test::whole_numbers<std::int16_t>(n + 32);
  auto k = test::buffer_of<test::cuda>(keys);
  auto v = test::buffer_of<test::cuda>(values);
  for (std::size_t a = 0; a < 9; ++a)
    for (std::size_t b = 0; b < 9; ++b)
      for (std::size_t size : {std::size_t{3}, std::size_t{1000}}) {
        std::uint16_t const* const first = k.data() + a;
        std::int16_t const* const weights = v.data() + b;
        const auto expected = test::fold_on_one_thread<std::int32_t>(
            size, keys.data() + a, values.data() + b, 300, options{});
        test::output<test::cuda, std::int32_t> out(300);
        thrust_hist::histogram_by_key(
            test::cuda::policy(), first, first + size, weights, out.data(), 300);
        BOOST_TEST_CONTEXT("keys from " << a << ", values from " << b << ", n = " << size)
        out.check_equals(expected.plain);
      }
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(folds_rules, THRUST_HIST_TEST_SMALL)
using namespace folds_inputs_setup;

BOOST_AUTO_TEST_CASE(even_bins_with_flow_and_without) {
  const test::samples<float> xs(n, [](std::size_t i) {
    return i % 50 == 0 ? std::numeric_limits<float>::quiet_NaN()
                       : static_cast<float>(test::scrambled(i) % 4096) / 1024 - 1.5f;
  });
  const auto values = test::whole_numbers<std::int32_t>(n);
  for (int bins : {1, 77, 30000}) {
    BOOST_TEST(
        test::check_fold<std::int32_t>(xs, values, thrust_hist::even_bins(bins, -1., 2.)) >= 2);
    BOOST_TEST(
        test::check_fold<std::int32_t>(
            xs, values, thrust_hist::with_flow(thrust_hist::even_bins(bins, -1., 2.))) >= 2);
  }
}

BOOST_AUTO_TEST_CASE(a_function_of_the_user) {
  const auto rule = thrust_hist::make_bins(
      50, [] __host__ __device__(std::uint32_t x) { return static_cast<int>(x % 60) - 5; });
  BOOST_TEST(
      test::check_fold<std::int32_t>(
          test::keys_of(distribution::uniform, n, 100000), test::whole_numbers<std::int32_t>(n),
          rule) >= 2);
}

BOOST_AUTO_TEST_CASE(edges_in_device_memory) {
  const std::vector<float> edges = {-2.f, -0.5f, 0.f, 0.25f, 0.25f, 3.f, 100.f};
  auto on_device = test::buffer_of<test::cuda>(test::samples<float>(edges));
  const test::samples<float> xs(n, [&](std::size_t i) {
    return i % 5 == 0 ? edges[i % edges.size()]
                      : static_cast<float>(test::scrambled(i) % 4096) / 1024 - 2.5f;
  });
  const auto values = test::whole_numbers<std::int32_t>(n);
  const auto last = static_cast<std::ptrdiff_t>(edges.size());
  const auto expected = test::fold_on_one_thread<std::int32_t>(
      n, xs.data(), values.data(), thrust_hist::range_bins(edges.data(), edges.data() + last),
      options{});
  auto k = test::buffer_of<test::cuda>(xs);
  auto v = test::buffer_of<test::cuda>(values);
  float const* const first = k.data();
  std::int32_t const* const weights = v.data();
  float const* const edge = on_device.data();
  BOOST_TEST(
      test::check_fold_routes<std::int32_t>(expected, {}, [&](std::int32_t* out, options const& o) {
        return thrust_hist::histogram_by_key(
            test::cuda::policy(), first, first + n, weights, out,
            thrust_hist::range_bins(edge, edge + last), o);
      }) >= 2);
}

BOOST_AUTO_TEST_SUITE_END()
