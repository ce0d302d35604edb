// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// The bin of a sample for a loop that compares with the number of bins anyway:
/// `candidate<Unsigned>` is the bin, or any number that is not less than the number of bins.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/even_integer.h>
#include <thrust_hist/detail/even_real.h>
#include <thrust_hist/detail/rule.h>
#include <thrust_hist/detail/tuple_access.h>

#include <cstddef>
#include <cstdint>
#include <type_traits>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace sequential {
template <class Edge, class S, class Index>
struct celled_search;  // edge_cells.h
}  // namespace sequential

template <class Unsigned, class Rule, class X>
THRUST_HIST_HOST_DEVICE inline Unsigned candidate(Rule const& rule, X const& x) {
  return static_cast<Unsigned>(rule(x));
}

/// A key is a candidate itself, as long as a wide one does not lose its upper half.
template <class Unsigned, class Index, class X>
THRUST_HIST_HOST_DEVICE inline Unsigned candidate(identity_for<Index> const&, X const& x) {
  auto const key = static_cast<integer_t<X>>(x);
  if constexpr (sizeof key > sizeof(Unsigned)) {
    constexpr Unsigned none = static_cast<Unsigned>(-1);
    return static_cast<std::uint64_t>(key) <= none ? static_cast<Unsigned>(key) : none;
  } else {
    return static_cast<Unsigned>(key);
  }
}

template <class Unsigned, class S, class Index>
THRUST_HIST_HOST_DEVICE inline Unsigned candidate(even_real_bins<S, Index> const& rule, S x) {
  return rule.template candidate<Unsigned>(x);
}

template <class Unsigned, class S, class Index>
THRUST_HIST_HOST_DEVICE inline Unsigned candidate(even_integer_bins<S, Index> const& rule, S x) {
  return rule.template candidate<Unsigned>(x);
}

template <class Unsigned, class S>
THRUST_HIST_HOST_DEVICE inline Unsigned candidate(narrow_even_bins<S> const& rule, S x) {
  return rule.template candidate<Unsigned>(x);
}

template <class Unsigned, class Edge, class S, class Index>
THRUST_HIST_HOST_DEVICE inline Unsigned candidate(
    sequential::celled_search<Edge, S, Index> const& rule, S x) {
  return rule.template candidate<Unsigned>(x);
}

template <class Unsigned, class Inner, class S, class X>
THRUST_HIST_HOST_DEVICE inline Unsigned candidate(converted_for<Inner, S> const& rule, X const& x) {
  return detail::candidate<Unsigned>(rule.inner, static_cast<S>(x));
}

/// Of a grid: one comparison an axis, whatever its rule makes of what lies outside.
template <class Unsigned, std::size_t Axis, class Index, class First, class Rest, class X>
THRUST_HIST_HOST_DEVICE inline Unsigned candidate(
    grid_for<Axis, Index, First, Rest> const& rule, X const& x) {
  auto const bins = static_cast<Unsigned>(rule.rest.size());
  auto const outer = detail::candidate<Unsigned>(rule.first, tuple_access::coordinate<Axis>(x));
  auto const inner = detail::candidate<Unsigned>(rule.rest, x);
  bool const is_inside = outer < static_cast<Unsigned>(rule.first.size()) && inner < bins;
  return is_inside ? outer * bins + inner : static_cast<Unsigned>(-1);
}

}  // namespace detail
THRUST_HIST_NAMESPACE_END
