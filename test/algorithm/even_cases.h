// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// histogram_even on every route: every edge, its neighbours and what lies between, for real and integer
// samples, with levels of the same and of other types.

#include "../support/rule_checks.h"
#include <thrust_hist/histogram_even.h>
#ifdef __CUDACC__
#  include "../support/half.cuh"
#endif

namespace {

#ifdef __CUDACC__
using reals = std::tuple<float, double, __half, __nv_bfloat16>;
#else
using reals = std::tuple<float, double>;
#endif
using integers = std::tuple<std::int8_t, std::int32_t, std::uint64_t>;

template <class System, class Sample, class Lower, class Upper>
void check_even(test::samples<Sample> const& s, test::bin bins, Lower lower, Upper upper) {
  const auto expected = test::count(s, test::even_reference<Sample>(bins, lower, upper));
  for (thrust_hist::route forced : System::every_route())
    BOOST_TEST_CONTEXT(bins << " bins over [" << +lower << ", " << +upper << ")")
  test::check_route<System, std::uint32_t>(
      forced, s, expected, [&](auto first, auto last, auto out, auto options) {
        return thrust_hist::histogram_even(
            System::policy(), first, last, out, bins, lower, upper, options);
      });
}

// Probes around the edges, over and over until there are n.
template <class Sample>
test::samples<Sample> repeated(std::vector<Sample> const& probes, std::size_t n) {
  return test::samples<Sample>(n, [&](std::size_t i) { return probes[i * 7919 % probes.size()]; });
}

template <class System, class Sample>
void check_real_samples() {
  const std::pair<double, double> ranges[] = {{-1, 1},    {-3, 3},      {0, 7},
                                              {0.1, 0.7}, {1e30, 2e30}, {0, 1e-40}};
  for (auto [lower, upper] : ranges)
    for (test::bin bins : {1, 2, 5, 100, 257, 6007}) {
      if (test::order_of(test::round_to<Sample>(lower)) >=
              test::order_of(test::round_to<Sample>(upper)) ||
          test::anatomy<Sample>(test::round_to<Sample>(upper)).is_special())
        continue;
      const auto probes = test::edge_probes<Sample>(bins, lower, upper);
      check_even<System>(repeated(probes, probes.size() + 3001), bins, lower, upper);
    }
  const auto probes = test::edge_probes<Sample>(9, -4, 5);
  check_even<System>(repeated(probes, 1000), 9, -4, 5);
}

template <class System, class Sample>
void check_integer_samples() {
  using limits = std::numeric_limits<Sample>;
  test::random rng(sizeof(Sample));
  const test::samples<Sample> any(20011, [&](std::size_t i) {
    return i % 3 == 0   ? static_cast<std::uint64_t>(limits::max()) - rng() % 50
           : i % 3 == 1 ? static_cast<std::uint64_t>(limits::min()) + rng() % 50
                        : rng() >> (rng() % 64);
  });
  for (test::bin bins : {1, 2, 5, 100, 257, 6007}) {
    check_even<System>(any, bins, limits::min(), limits::max());
    check_even<System>(any, bins, -1, 256U);
    check_even<System>(any, bins, 0, 100.5);
    check_even<System>(any, bins, std::int64_t{-1000}, std::uint64_t{1} << 63);
  }
}

template <class System, class... Samples>
void check_all_reals(std::tuple<Samples...> const&) {
  (check_real_samples<System, Samples>(), ...);
}
template <class System, class... Samples>
void check_all_integers(std::tuple<Samples...> const&) {
  (check_integer_samples<System, Samples>(), ...);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(even, THRUST_HIST_TEST_SMALL)

BOOST_AUTO_TEST_CASE_TEMPLATE(
    real_samples_fall_where_the_edges_say_on_every_route, System, test::systems) {
  check_all_reals<System>(reals{});
}

BOOST_AUTO_TEST_CASE_TEMPLATE(
    integer_samples_fall_where_the_edges_say_on_every_route, System, test::systems) {
  check_all_integers<System>(integers{});
}

BOOST_AUTO_TEST_CASE_TEMPLATE(
    samples_just_below_the_upper_level_are_all_counted, System, test::systems) {
  // Where a well-known library loses all of them.
  for (auto [lower, upper] : {std::pair{-1.F, 1.F}, {-3.F, 3.F}, {0.F, 7.F}})
    for (test::bin bins : {1, 2, 3, 7, 100, 256, 1000}) {
      const float just_below = test::next_down(upper);
      const test::samples<float> s(65536, [&](std::size_t) { return just_below; });
      std::vector<std::uint64_t> expected(static_cast<std::size_t>(bins));
      expected.back() = 65536;
      test::check_counts<System, std::uint32_t>(
          s, expected, [&, lower = lower, upper = upper](auto first, auto last, auto out) {
            return thrust_hist::histogram_even(
                System::policy(), first, last, out, bins, lower, upper);
          });
    }
}

BOOST_AUTO_TEST_SUITE_END()
