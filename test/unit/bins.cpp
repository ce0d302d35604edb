// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The rules besides even bins: identity, function, grid, flow, and what all of them share.

#include "../support/boost_test.h"
#include "../support/reference.h"
#include "../support/rule_checks.h"
#include <thrust_hist/bins.h>
#include <thrust_hist/detail/candidate.h>

#include <thrust/tuple.h>

#include <cstdint>
#include <limits>
#include <tuple>
#include <type_traits>

BOOST_AUTO_TEST_SUITE(bins)

namespace {

using namespace thrust_hist;

struct modulo {
  THRUST_HIST_HOST_DEVICE int operator()(int x) const { return x % 10; }
};

template <class T>
struct always {
  T value;
  template <class X>
  THRUST_HIST_HOST_DEVICE T operator()(X) const {
    return value;
  }
};

template <class T>
bin_index bin_of(T result) {
  return make_bins(10, always<T>{result})(0);
}

bool is_no_bin(bin_index i, bin_index size) {
  return i < 0 || i >= size;
}

}  // namespace

BOOST_AUTO_TEST_CASE(every_rule_is_trivially_copyable) {
  const int edges[] = {1, 2};
  const identity_bins identity(3);
  const even_bins even(3, 0, 1.F);
  const range_bins range(edges, edges + 2);
  const auto function = make_bins(3, modulo{});
  const grid joint(identity, even, range);
  const with_flow flow(even);
  static_assert(std::is_trivially_copyable_v<identity_bins>);
  static_assert(std::is_trivially_copyable_v<std::remove_const_t<decltype(even)>>);
  static_assert(std::is_trivially_copyable_v<std::remove_const_t<decltype(range)>>);
  static_assert(std::is_trivially_copyable_v<std::remove_const_t<decltype(function)>>);
  static_assert(std::is_trivially_copyable_v<std::remove_const_t<decltype(joint)>>);
  static_assert(std::is_trivially_copyable_v<std::remove_const_t<decltype(flow)>>);
  static_assert(std::is_same_v<decltype(even.size()), bin_index>);
  BOOST_TEST(identity.size() == 3);
  BOOST_TEST(even.size() == 3);
  BOOST_TEST(range.size() == 1);
  BOOST_TEST(function.size() == 3);
  BOOST_TEST(joint.size() == 9);
  BOOST_TEST(flow.size() == 5);
}

BOOST_AUTO_TEST_CASE(identity_takes_keys_at_their_value_and_truncates_none) {
  const identity_bins rule(10);
  BOOST_TEST(rule(0) == 0);
  BOOST_TEST(rule(9) == 9);
  BOOST_TEST(rule(10) == no_bin::above);
  BOOST_TEST(rule(-1) == no_bin::below);
  BOOST_TEST(rule(std::numeric_limits<std::int64_t>::min()) == no_bin::below);
  BOOST_TEST(rule((std::int64_t{1} << 32) + 3) == no_bin::above);
  BOOST_TEST(rule(std::numeric_limits<std::uint64_t>::max()) == no_bin::above);
  BOOST_TEST(rule((std::uint64_t{1} << 63) + 3) == no_bin::above);
  BOOST_TEST(rule(std::int8_t{-128}) == no_bin::below);
  BOOST_TEST(rule(std::byte{7}) == 7);
  BOOST_TEST(rule(true) == 1);
  BOOST_TEST(identity_bins(300)('\xff') == 255);
  BOOST_TEST(identity_bins(0)(0) == no_bin::above);
  BOOST_TEST(identity_bins(std::uint8_t{200}).size() == 200);
}

BOOST_AUTO_TEST_CASE(a_function_may_return_any_integer_and_what_is_outside_is_no_bin) {
  const auto last_digit = make_bins(10, modulo{});
  BOOST_TEST(last_digit(1234) == 4);
  BOOST_TEST(is_no_bin(last_digit(-1234), 10));
  BOOST_TEST(bin_of(std::int8_t{-1}) == no_bin::below);
  BOOST_TEST(bin_of(std::uint8_t{9}) == 9);
  BOOST_TEST(bin_of(std::uint8_t{255}) == no_bin::above);
  BOOST_TEST(bin_of(std::uint64_t{1} << 63) == no_bin::above);
  BOOST_TEST(bin_of(std::numeric_limits<std::uint64_t>::max()) == no_bin::above);
  BOOST_TEST(bin_of((std::uint64_t{1} << 32) + 3) == no_bin::above);
  BOOST_TEST(bin_of((std::int64_t{1} << 32) + 3) == no_bin::above);
  BOOST_TEST(bin_of(std::numeric_limits<std::uint32_t>::max()) == no_bin::above);
  BOOST_TEST(bin_of(no_bin::neither) == no_bin::neither);
  BOOST_TEST(bin_of(true) == 1);
  BOOST_TEST(bin_of(10) == no_bin::above);
}

BOOST_AUTO_TEST_CASE(a_grid_is_row_major_and_drops_what_any_coordinate_drops) {
  const grid rule(identity_bins(3), even_bins(4, 0., 1.), identity_bins(5));
  BOOST_TEST(rule.size() == 60);
  BOOST_TEST(rule(thrust::make_tuple(0, 0., 0)) == 0);
  BOOST_TEST(rule(thrust::make_tuple(0, 0., 4)) == 4);
  BOOST_TEST(rule(thrust::make_tuple(0, 0.25, 0)) == 5);
  BOOST_TEST(rule(thrust::make_tuple(1, 0., 0)) == 20);
  BOOST_TEST(rule(thrust::make_tuple(2, 0.99, 4)) == 59);
  BOOST_TEST(rule(std::make_tuple(2, 0.99F, 4U)) == 59);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (auto sample :
       {thrust::make_tuple(3, 0.5, 0), thrust::make_tuple(-1, 0.5, 0),
        thrust::make_tuple(0, 1.0, 0), thrust::make_tuple(0, -0.1, 0),
        thrust::make_tuple(0, nan, 0), thrust::make_tuple(0, 0.5, 5),
        thrust::make_tuple(0, 0.5, -1), thrust::make_tuple(-1, nan, 5)})
    BOOST_TEST(is_no_bin(rule(sample), rule.size()));
}

// What loops ask of a grid: its bin, or a number that is none.
template <class Index, class Rule, class X>
void check_candidate(Rule const& rule, X const& x) {
  namespace detail = thrust_hist::detail;
  const auto bound = detail::bind_rule<X, Index>(rule);
  using number = std::make_unsigned_t<Index>;
  const auto found = detail::candidate<number>(bound, x);
  const bin_index bin = rule(x);
  const auto size = static_cast<number>(rule.size());
  BOOST_TEST((is_no_bin(bin, rule.size()) ? found >= size : found == static_cast<number>(bin)));
}
BOOST_AUTO_TEST_CASE(candidates_of_a_grid_are_its_bins_or_none) {
  const double edges[] = {-1, 0.25, 3};
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double infinity = std::numeric_limits<double>::infinity();
  const grid rule(
      even_bins(7, 0., 1.), identity_bins(3), with_flow(even_bins(4, -2., 2.)),
      range_bins(edges, edges + 3));
  for (double x : {nan, -infinity, -0.1, 0., 0.3, 0.999, 1., 1e300})
    for (std::int64_t key :
         {std::int64_t{-1}, std::int64_t{0}, std::int64_t{2}, std::int64_t{3},
          std::int64_t{1} << 32, (std::int64_t{1} << 32) + 1})
      for (double y : {nan, -3., -2., 1.5, 2., infinity})
        for (double z : {-2., -1., 0.25, 3., nan}) {
          check_candidate<std::int32_t>(rule, std::make_tuple(x, key, y, z));
          check_candidate<std::int64_t>(rule, thrust::make_tuple(x, key, y, static_cast<float>(z)));
        }
}

BOOST_AUTO_TEST_CASE(a_grid_without_bins_counts_nothing) {
  const grid rule(identity_bins(3), identity_bins(0));
  BOOST_TEST(rule.size() == 0);
  BOOST_TEST(is_no_bin(rule(thrust::make_tuple(1, 0)), 0));
}

BOOST_AUTO_TEST_CASE(a_grid_of_too_many_bins_is_refused) {
  const identity_bins wide(std::int64_t{1} << 32);
  BOOST_CHECK_THROW(grid(wide, wide), std::invalid_argument);
  BOOST_TEST(grid(wide, identity_bins(std::int64_t{1} << 30)).size() == std::int64_t{1} << 62);
}

BOOST_AUTO_TEST_CASE(flow_adds_a_bin_at_each_end_and_none_for_nan) {
  const with_flow rule(even_bins(4, 0., 1.));
  BOOST_TEST(rule.size() == 6);
  BOOST_TEST(rule(-0.1) == 0);
  BOOST_TEST(rule(-0.0) == 1);
  BOOST_TEST(rule(0.25) == 2);
  BOOST_TEST(rule(std::nextafter(1., 0.)) == 4);
  BOOST_TEST(rule(1.) == 5);
  BOOST_TEST(rule(std::numeric_limits<double>::infinity()) == 5);
  BOOST_TEST(rule(-std::numeric_limits<double>::infinity()) == 0);
  BOOST_TEST(is_no_bin(rule(std::numeric_limits<double>::quiet_NaN()), 6));

  const with_flow keys(identity_bins(10));
  BOOST_TEST(keys(-5) == 0);
  BOOST_TEST(keys(0) == 1);
  BOOST_TEST(keys(9) == 10);
  BOOST_TEST(keys(std::numeric_limits<std::uint64_t>::max()) == 11);

  const int edges[] = {2, 5, 7};
  const with_flow range(range_bins(edges, edges + 3));
  BOOST_TEST(range(1) == 0);
  BOOST_TEST(range(6) == 2);
  BOOST_TEST(range(7) == 3);
}

BOOST_AUTO_TEST_CASE(flow_has_the_edges_of_its_rule_between_infinities) {
  const with_flow rule(even_bins(4, 0., 1.));
  BOOST_TEST(rule.edge(0) == -std::numeric_limits<double>::infinity());
  BOOST_TEST(rule.edge(1) == 0.);
  BOOST_TEST(rule.edge(2) == 0.25);
  BOOST_TEST(rule.edge(5) == 1.);
  BOOST_TEST(rule.edge(6) == std::numeric_limits<double>::infinity());
}

BOOST_AUTO_TEST_CASE(flow_inside_a_grid_and_a_grid_inside_flow) {
  const grid rule(with_flow(identity_bins(2)), identity_bins(3));
  BOOST_TEST(rule.size() == 12);
  BOOST_TEST(rule(thrust::make_tuple(-7, 1)) == 1);
  BOOST_TEST(rule(thrust::make_tuple(0, 0)) == 3);
  BOOST_TEST(rule(thrust::make_tuple(99, 2)) == 11);
  const with_flow around(grid(identity_bins(2), identity_bins(2)));
  BOOST_TEST(around(thrust::make_tuple(1, 1)) == 4);
  BOOST_TEST(is_no_bin(around(thrust::make_tuple(1, 7)), around.size()));
}

BOOST_AUTO_TEST_CASE(identity_and_even_bins_of_integers_have_edges) {
  BOOST_TEST(identity_bins(5).edge(3) == 3.);
  BOOST_TEST(even_bins(4, 0, 8).edge(0) == 0.);
  BOOST_TEST(even_bins(4, 0, 8).edge(1) == 2.);
  BOOST_TEST(even_bins(4, 0, 8).edge(4) == 8.);
}

BOOST_AUTO_TEST_CASE(zero_bins_take_nothing) {
  BOOST_TEST(is_no_bin(even_bins(0, 0, 1)(0), 0));
  BOOST_TEST(is_no_bin(even_bins(0, 0., 1.)(0.5), 0));
  BOOST_TEST(is_no_bin(even_bins(0, 0., 1.)(0), 0));
  BOOST_TEST(is_no_bin(even_bins(0, 0., 1., upper_edge::inclusive)(1.), 0));
  BOOST_TEST(is_no_bin(even_bins(0, 0, 0, upper_edge::inclusive)(0), 0));
  BOOST_TEST(is_no_bin(even_bins(0, 0., 0., upper_edge::inclusive)(0), 0));
  const int edge = 4;
  for (int x : {3, 4, 5}) {
    BOOST_TEST(is_no_bin(range_bins(&edge, &edge + 1)(x), 0));
    BOOST_TEST(is_no_bin(range_bins(&edge, &edge + 1, upper_edge::inclusive)(x), 0));
  }
}

// So that flow is the same whatever the type of the samples.
BOOST_AUTO_TEST_CASE(samples_lie_below_and_above_zero_bins) {
  const auto check = [](auto sample) {
    using sample_type = decltype(sample);
    const with_flow rule(even_bins(0, 0.5, 10.));
    BOOST_TEST(rule(static_cast<sample_type>(-3)) == 0);
    BOOST_TEST(rule(static_cast<sample_type>(3)) == 1);
    BOOST_TEST(rule(static_cast<sample_type>(30)) == 1);
    const auto bound = even_bins(0, 0.5, 10.).template for_samples<sample_type, bin_index>();
    BOOST_TEST(bound.search(static_cast<sample_type>(-3)) == no_bin::below);
    BOOST_TEST(bound(static_cast<sample_type>(-3)) == no_bin::below);
    BOOST_TEST(bound(static_cast<sample_type>(3)) == no_bin::above);
  };
  check(float{});
  check(double{});
  check(int{});
  check(short{});
  check(std::int64_t{});
}

BOOST_AUTO_TEST_SUITE_END()
