// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Folds by range bins, which are found by cells in shared memory beside each kind of table: words,
// exact sums, locks, and tables of threads.

#include "fold_cases.h"
#include "range_lookup.h"

namespace folds_ranges_setup {

using namespace range_lookup_setup;
using thrust_hist::options;

constexpr std::size_t n = 20011;

// Of all samples around edges, in some order.
template <class Sample, class Edge>
test::samples<Sample> many_around(std::vector<Edge> const& edges) {
  const auto all = samples_around<Sample>(edges);
  return test::samples<Sample>(
      n, [&](std::size_t i) { return all.data()[test::scrambled(i) % all.size()]; });
}

// Folds values of type V into those of type A.
template <class A, class V, class Sample, class Edge, class... Op>
void check_ranges(
    char const* name, std::vector<Edge> edges, test::samples<V> const& values,
    thrust_hist::upper_edge upper, Op... op) {
  std::sort(edges.begin(), edges.end());
  const auto s = many_around<Sample>(edges);
  const auto last = static_cast<std::ptrdiff_t>(edges.size());
  const auto expected = test::fold_on_one_thread<A>(
      n, s.data(), values.data(), thrust_hist::range_bins(edges.data(), edges.data() + last, upper),
      options{}, op...);
  auto on_device = test::buffer_of<test::cuda>(test::samples<Edge>(edges));
  auto k = test::buffer_of<test::cuda>(s);
  auto v = test::buffer_of<test::cuda>(values);
  Sample const* const first = k.data();
  V const* const weights = v.data();
  Edge const* const edge = on_device.data();
  const auto call = [&](auto keys, A* out, auto bins, options const& o) {
    return thrust_hist::histogram_by_key(
        test::cuda::policy(), keys, keys + n, weights, out, bins, op..., o);
  };
  const auto rule = thrust_hist::range_bins(edge, edge + last, upper);
  BOOST_TEST_CONTEXT(name << ", " << edges.size() << " edges") {
    thrust_hist::plan by_rule, by_key;
    std::uint32_t const* const keys = nullptr;
    const auto forced = options{}.force(route::shared);
    call(first, nullptr, rule, options{forced}.explain(&by_rule));
    call(keys, nullptr, last - 1, options{forced}.explain(&by_key));
    BOOST_TEST(by_rule.shared_bytes != by_key.shared_bytes, "no cells");
    BOOST_TEST(test::check_fold_routes<A>(expected, {}, [&](A* out, options const& o) {
                 return call(first, out, rule, o);
               }) >= 2);
  }
}

// Edges alone in cells of either kind, equal ones, and some that crowd.
template <class A, class V, class Sample, class... Op>
void check_all_ranges(test::samples<V> const& values, Op... op) {
  constexpr auto exclusive = thrust_hist::upper_edge::exclusive;
  constexpr auto inclusive = thrust_hist::upper_edge::inclusive;
  const auto check = [&](char const* name, auto const& edges, auto upper) {
    check_ranges<A, V, Sample>(name, edges, values, upper, op...);
  };
  for (std::size_t size : test::fewer<std::size_t>({2, 17, 160, 1500}, {17, 1500})) {
    check("even", edges_by<Sample>(size, [](double x) { return x * 300 + 1; }), inclusive);
    check(
        "decades", edges_by<Sample>(size, [](double x) { return std::pow(10., x * 9); }),
        exclusive);
    check("many equal", edges_by<Sample>(size, [](double x) { return x > .5 ? 2 : 1; }), exclusive);
    check(
        "crowds",
        edges_by<Sample>(
            size,
            [](double x) {
              return x == 0 ? 0. : x == 1 ? 1e9 : x < .5 ? 1 + x * 10 : 1e6 + x;
            }),
        inclusive);
  }
}

}  // namespace folds_ranges_setup

BOOST_AUTO_TEST_SUITE(folds_ranges, THRUST_HIST_TEST_SMALL)
using namespace folds_ranges_setup;

BOOST_AUTO_TEST_CASE(words) {
  check_all_ranges<std::int32_t, std::int32_t, float>(test::whole_numbers<std::int32_t>(n));
}

// Their cells lie in scratch memory, for route partitioned.
BOOST_AUTO_TEST_CASE(more_edges_than_shared_memory_holds) {
  const auto values = test::whole_numbers<float>(n);
  const auto edges = edges_by<float>(70001, [](double x) { return std::pow(10., x * 9); });
  const auto s = many_around<float>(edges);
  const auto last = static_cast<std::ptrdiff_t>(edges.size());
  const auto expected = test::fold_on_one_thread<float>(
      n, s.data(), values.data(), thrust_hist::range_bins(edges.data(), edges.data() + last),
      options{});
  auto on_device = test::buffer_of<test::cuda>(test::samples<float>(edges));
  auto k = test::buffer_of<test::cuda>(s);
  auto v = test::buffer_of<test::cuda>(values);
  float const *const first = k.data(), *const weights = v.data(), *const edge = on_device.data();
  const auto call = [&](auto keys, float* out, auto bins, options const& o) {
    return thrust_hist::histogram_by_key(
        test::cuda::policy(), keys, keys + n, weights, out, bins, o);
  };
  const auto rule = thrust_hist::range_bins(edge, edge + last);
  thrust_hist::plan by_rule, by_key;
  std::uint32_t const* const keys = nullptr;
  const auto forced = options{}.force(route::partitioned);
  call(first, nullptr, rule, options{forced}.explain(&by_rule));
  call(keys, nullptr, last - 1, options{forced}.explain(&by_key));
  BOOST_TEST(by_rule.scratch_bytes > by_key.scratch_bytes, "no cells");
  const auto check = [&](options const& how) {
    return test::check_fold_routes<float>(
        expected, how, [&](float* out, options const& o) { return call(first, out, rule, o); });
  };
  BOOST_TEST(check({}) >= 2);
  BOOST_TEST(check(options{}.max_temporary_bytes(by_rule.scratch_bytes - 1)) >= 2);
}

BOOST_AUTO_TEST_CASE(exact_sums) {
  check_all_ranges<float, float, float>(test::whole_numbers<float>(n));
  check_all_ranges<double, double, std::uint32_t>(test::whole_numbers<double>(n));
}

BOOST_AUTO_TEST_CASE(locks) {
  using value = test::summed<12, 4>;
  test::samples<value> values(n, [](std::size_t i) {
    value v = {};
    for (unsigned j = 0; j < 12; ++j)
      v.byte[j] = static_cast<unsigned char>(test::scrambled(i * 12 + j));
    return v;
  });
  check_all_ranges<value, value, double>(values, test::sum_bytes{}, value{});
}

BOOST_AUTO_TEST_SUITE_END()
