// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Weights beside coordinates that lie in an array each.

#include "fold_cases.h"
#include "joint.h"

namespace folds_joint_setup {

using test::coordinates;
using test::zipped;
using thrust_hist::even_bins;
using thrust_hist::grid;
using thrust_hist::options;
using thrust_hist::with_flow;

template <class Rule, class Zip, class DeviceZip>
int check_joint(Rule const& rule, Zip host, DeviceZip device, std::size_t n) {
  const auto weights = test::whole_numbers<float>(n + 3);
  const auto v = test::buffer_of<test::cuda>(weights);
  const auto size = static_cast<std::size_t>(rule.size());
  const auto count = static_cast<std::ptrdiff_t>(n);
  int taken = 0;
  for (std::size_t skipped : {std::size_t{0}, std::size_t{3}}) {
    test::folded<float> expected = {std::vector<float>(size), test::old_output<float>(size), 0};
    const auto how = options{}.dropped(&expected.dropped);
    float const* const there = v.data() + skipped;
    thrust_hist::histogram_by_key(
        thrust::seq, host, host + count, weights.data() + skipped, expected.plain.data(), rule,
        how);
    thrust_hist::histogram_by_key(
        thrust::seq, host, host + count, weights.data() + skipped, expected.added.data(), rule,
        options{how}.accumulate());
    taken += test::check_fold_routes<float>(expected, {}, [&](float* out, options const& o) {
      return thrust_hist::histogram_by_key(
          test::cuda::policy(), device, device + count, there, out, rule, o);
    });
  }
  return taken;
}

}  // namespace folds_joint_setup

BOOST_AUTO_TEST_SUITE(folds_joint, THRUST_HIST_TEST_SMALL)
using namespace folds_joint_setup;

BOOST_AUTO_TEST_CASE(weights_at_any_address) {
  constexpr std::size_t n = 9001;
  const auto x = coordinates<float>(n + 2, 12);
  const auto y = coordinates<double>(n + 2, 13);
  const auto xs = test::buffer_of<test::cuda>(x);
  const auto ys = test::buffer_of<test::cuda>(y);
  for (std::size_t a : {0, 1})
    for (std::size_t b : {0, 2})
      BOOST_TEST_CONTEXT("columns from " << a << " and " << b) {
        const auto host = zipped(x.data() + a, y.data() + b);
        const auto device = zipped(xs.data() + a, ys.data() + b);
        const even_bins side(7, 0., 1.), long_side(300, 0., 0.9);
        BOOST_TEST(check_joint(grid(side, side), host, device, n) >= 4);
        BOOST_TEST(check_joint(grid(side, side), host, device, 2) >= 4);
        BOOST_TEST(check_joint(grid(long_side, long_side), host, device, n) >= 4);
      }
}

BOOST_AUTO_TEST_CASE(flow_on_axes) {
  constexpr std::size_t n = 20011;
  const auto x = coordinates<float>(n, 14);
  const auto y = coordinates<double>(n, 15);
  const auto xs = test::buffer_of<test::cuda>(x);
  const auto ys = test::buffer_of<test::cuda>(y);
  BOOST_TEST(
      check_joint(
          grid(with_flow(even_bins(7, 0., 1.)), with_flow(even_bins(9, 0.1, 0.8))),
          zipped(x.data(), y.data()), zipped(xs.data(), ys.data()), n) >= 4);
}

BOOST_AUTO_TEST_CASE(integers_on_axes) {
  constexpr std::size_t n = 9001;
  const test::samples<std::uint8_t> byte(n + 1, [](std::size_t i) { return test::any_word(i); });
  const test::samples<std::int32_t> word(
      n + 1, [](std::size_t i) { return test::any_word(i * 3); });
  const auto bytes = test::buffer_of<test::cuda>(byte);
  const auto words = test::buffer_of<test::cuda>(word);
  for (std::size_t a : {0, 1}) {
    const auto host = zipped(byte.data() + a, word.data());
    const auto device = zipped(bytes.data() + a, words.data());
    BOOST_TEST(
        check_joint(
            grid(even_bins(6, 0, 250), even_bins(9, INT32_MIN, INT32_MAX)), host, device, n) >= 4);
    BOOST_TEST(
        check_joint(
            grid(even_bins(6, 0, 250), even_bins(9, INT64_MIN, INT64_MAX)), host, device, n) >= 4);
  }
}

using integer_samples = std::tuple<std::uint8_t, std::int16_t, std::int32_t, std::uint64_t>;

BOOST_AUTO_TEST_CASE_TEMPLATE(weights_beside_integers_in_even_bins, Sample, integer_samples) {
  constexpr std::size_t n = 9001;
  const test::samples<Sample> samples(n, [](std::size_t i) { return test::any_word(i); });
  const auto there = test::buffer_of<test::cuda>(samples);
  using limits = std::numeric_limits<Sample>;
  const auto whole = even_bins(100, limits::min(), limits::max());
  for (const auto& rule : {even_bins(9, 3, 120), whole, even_bins(7, INT64_MIN, INT64_MAX)})
    BOOST_TEST(check_joint(rule, samples.data(), there.data(), n) >= 4);
  BOOST_TEST(check_joint(with_flow(even_bins(9, 3, 120)), samples.data(), there.data(), n) >= 4);
}

BOOST_AUTO_TEST_SUITE_END()
