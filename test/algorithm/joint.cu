// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// build: fast-math twin

// Joint histograms: samples whose coordinates lie in an array each, which CUDA reads by four
// neighbours of each array wherever these begin, and rules on axes, which it runs without a branch.

#include "joint.h"
#include <thrust_hist/histogram.h>

namespace joint_setup {

using test::coordinates;
using test::zipped;
using thrust_hist::even_bins;
using thrust_hist::grid;
using thrust_hist::identity_bins;
using thrust_hist::options;
using thrust_hist::upper_edge;
using thrust_hist::with_flow;

// Of each route that can: as one thread on the host counts, from iterators that begin so many
// elements behind an aligned address.
template <class Rule, class Zip, class DeviceZip>
int check_joint(Rule const& rule, Zip host, DeviceZip device, std::size_t n) {
  const auto size = static_cast<std::size_t>(rule.size());
  const auto count = static_cast<std::ptrdiff_t>(n);
  std::vector<unsigned> expected(size);
  thrust_hist::histogram(thrust::seq, host, host + count, expected.data(), rule);
  int taken = 0;
  for (thrust_hist::route forced : test::cuda::every_route())
    BOOST_TEST_CONTEXT("route " << forced << ", n = " << n) {
      test::output<test::cuda, unsigned> out(size);
      try {
        thrust_hist::histogram(
            test::cuda::policy(), device, device + count, out.data(), rule,
            options{}.force(forced));
        out.check_equals(expected);
        ++taken;
      } catch (std::invalid_argument const& refusal) {
        BOOST_TEST(test::may_be_refused(forced, size), refusal.what());
        out.check_untouched();
      }
    }
  return taken;
}

}  // namespace joint_setup

BOOST_AUTO_TEST_SUITE(joint, THRUST_HIST_TEST_SMALL)
using namespace joint_setup;

BOOST_AUTO_TEST_CASE(two_floats_at_any_address) {
  constexpr std::size_t most = 20011;
  const auto x = coordinates<float>(most + 8, 1);
  const auto y = coordinates<float>(most + 8, 2);
  const auto xs = test::buffer_of<test::cuda>(x);
  const auto ys = test::buffer_of<test::cuda>(y);
  const grid few(even_bins(7, 0., 1.), even_bins(9, 0.1, 0.8));
  const grid many(even_bins(250, 0.f, 1.f), even_bins(300, 0.f, 0.7f));
  for (std::size_t a : {0, 1, 2, 5})
    for (std::size_t b : {0, 1, 3, 5})
      for (std::size_t n : {std::size_t{0}, std::size_t{1}, std::size_t{3}, std::size_t{5}, most}) {
        const auto host = zipped(x.data() + a, y.data() + b);
        const auto device = zipped(xs.data() + a, ys.data() + b);
        BOOST_TEST_CONTEXT("columns from " << a << " and " << b) {
          BOOST_TEST(check_joint(few, host, device, n) >= 3);
          if (n == most && a <= 1)
            BOOST_TEST(check_joint(many, host, device, n) >= 2);
        }
      }
  // Bins that are narrower than floats are dense, levels whose width no double has, and a last bin
  // that is closed.
  for (const auto& rule :
       {grid(even_bins(40, 0., 1e-44), even_bins(5, -1.7e308, 1.7e308)),
        grid(
            even_bins(4, 0., 1., upper_edge::inclusive),
            even_bins(9, 0., 1., upper_edge::inclusive))})
    BOOST_TEST(
        check_joint(rule, zipped(x.data(), y.data()), zipped(xs.data(), ys.data()), most) >= 3);
}

BOOST_AUTO_TEST_CASE(columns_of_three_types) {
  constexpr std::size_t n = 30007;
  const auto any = [](std::size_t i) { return test::any_word(i * 5); };
  const test::samples<std::uint8_t> byte(n, any);
  const auto real = coordinates<double>(n, 3);
  const test::samples<std::int16_t> word(n, any);
  const auto bytes = test::buffer_of<test::cuda>(byte);
  const auto reals = test::buffer_of<test::cuda>(real);
  const auto words = test::buffer_of<test::cuda>(word);
  const grid rule(identity_bins(200), even_bins(11, 0., 1.), even_bins(30, -32768, 32768));
  for (std::size_t a : {0, 1, 4})
    BOOST_TEST(
        check_joint(
            rule, zipped(byte.data() + a, real.data() + a, word.data() + a),
            zipped(bytes.data() + a, reals.data() + a, words.data() + a), n - a) >= 2);
}

BOOST_AUTO_TEST_CASE(integers_on_axes) {
  constexpr std::size_t n = 30007;
  const auto any = [](std::size_t i) { return test::any_word(i * 7); };
  const test::samples<std::uint8_t> byte(n + 5, any);
  const test::samples<std::int8_t> small(n + 5, any);
  const test::samples<std::uint16_t> word(n + 5, any);
  const test::samples<std::int32_t> whole(n + 5, any);
  const auto bytes = test::buffer_of<test::cuda>(byte);
  const auto smalls = test::buffer_of<test::cuda>(small);
  const auto words = test::buffer_of<test::cuda>(word);
  const auto wholes = test::buffer_of<test::cuda>(whole);
  for (upper_edge edge : {upper_edge::exclusive, upper_edge::inclusive})
    for (std::size_t a : {0, 1, 4}) {
      const auto pair = grid(even_bins(16, 0, 256, edge), even_bins(10, -100, 99, edge));
      BOOST_TEST(
          check_joint(
              pair, zipped(byte.data() + a, small.data() + a),
              zipped(bytes.data() + a, smalls.data() + a), n) >= 3);
      // Levels too far apart for the narrow form beside such as have it.
      const auto wide = grid(
          even_bins(40, 10, 60000, edge), even_bins(9, INT64_MIN, INT64_MAX, edge),
          even_bins(3, 7, 240, edge));
      BOOST_TEST(
          check_joint(
              wide, zipped(word.data() + a, whole.data(), byte.data() + a),
              zipped(words.data() + a, wholes.data(), bytes.data() + a), n) >= 2);
      const auto flow = grid(with_flow(even_bins(6, 20, 200, edge)), identity_bins(100));
      BOOST_TEST(
          check_joint(
              flow, zipped(byte.data(), small.data() + a), zipped(bytes.data(), smalls.data() + a),
              n) >= 3);
    }
}

BOOST_AUTO_TEST_CASE(columns_of_many_stretches) {
  const std::size_t stretch = 4096;
  const std::size_t blocks = thrust_hist::detail::cuda::current_facts().multiprocessors;
  const std::size_t most = 5 * blocks * stretch + 77;
  const test::samples<std::uint8_t> byte(most + 1, [](std::size_t i) { return test::any_word(i); });
  const test::samples<std::uint16_t> word(
      most + 1, [](std::size_t i) { return test::any_word(i * 3); });
  const auto bytes = test::buffer_of<test::cuda>(byte);
  const auto words = test::buffer_of<test::cuda>(word);
  const grid rule(even_bins(8, 0, 256), even_bins(16, 0, 65536));
  for (std::size_t n :
       {stretch - 1, stretch, stretch + 1, 2 * stretch * 4 + 3, blocks * stretch, most})
    for (std::size_t a : {0, 1})  // together, and never
      BOOST_TEST_CONTEXT(n << " samples, columns " << a << " apart") {
        std::vector<unsigned> expected(128);
        const auto host = zipped(byte.data() + a, word.data());
        const auto device = zipped(bytes.data() + a, words.data());
        const auto count = static_cast<std::ptrdiff_t>(n);
        thrust_hist::histogram(thrust::seq, host, host + count, expected.data(), rule);
        test::output<test::cuda, unsigned> out(128);
        thrust_hist::histogram(test::cuda::policy(), device, device + count, out.data(), rule);
        out.check_equals(expected);
      }
}

BOOST_AUTO_TEST_CASE(a_grid_on_an_axis) {
  constexpr std::size_t n = 9001;
  const auto x = coordinates<float>(n, 4);
  const auto y = coordinates<float>(n, 5);
  const auto z = coordinates<double>(n, 6);
  const auto xs = test::buffer_of<test::cuda>(x);
  const auto ys = test::buffer_of<test::cuda>(y);
  const auto zs = test::buffer_of<test::cuda>(z);
  const even_bins side(6, 0., 1.);
  std::vector<unsigned> expected(216);
  const auto host = zipped(zipped(x.data(), y.data()), z.data());
  const auto device = zipped(zipped(xs.data(), ys.data()), zs.data());
  const grid rule(grid(side, side), side);
  thrust_hist::histogram(thrust::seq, host, host + n, expected.data(), rule);
  test::output<test::cuda, unsigned> out(216);
  thrust_hist::histogram(test::cuda::policy(), device, device + n, out.data(), rule);
  out.check_equals(expected);
}

BOOST_AUTO_TEST_CASE(flow_on_an_axis) {
  constexpr std::size_t n = 20011;
  const auto x = coordinates<float>(n, 7);
  const auto y = coordinates<double>(n, 8);
  const auto xs = test::buffer_of<test::cuda>(x);
  const auto ys = test::buffer_of<test::cuda>(y);
  for (int bins : {1, 9})
    for (upper_edge edge : {upper_edge::exclusive, upper_edge::inclusive})
      BOOST_TEST(
          check_joint(
              grid(
                  with_flow(even_bins(bins, 0.1, 0.8, edge)),
                  with_flow(even_bins(7, 0., 1., edge))),
              zipped(x.data(), y.data()), zipped(xs.data(), ys.data()), n) >= 3);
}

BOOST_AUTO_TEST_CASE(flow_beside_one_array) {
  constexpr std::size_t n = 20011;
  const auto samples = coordinates<float>(n, 9);
  const auto there = test::buffer_of<test::cuda>(samples);
  for (int bins : {1, 8, 1000})
    BOOST_TEST(
        check_joint(with_flow(even_bins(bins, 0.f, 0.9f)), samples.data(), there.data(), n) >= 3);
}

BOOST_AUTO_TEST_SUITE_END()
