// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// What algorithms do with a rule: bind it to the type of the samples and to an index, so that all
/// that depends on these is computed once, and validate it.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/bin_index.h>
#include <thrust_hist/detail/by_search.h>
#include <thrust_hist/detail/refused_rule.h>
#include <thrust_hist/detail/tuple_access.h>
#include <thrust_hist/detail/without_throwing.h>
#include <thrust_hist/errors.h>

#include <cstddef>
#include <initializer_list>
#include <new>
#include <type_traits>
#include <utility>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {

/// Whether the levels of even bins are both integers.
enum class level_kind { integer, real };

/// num_bins as a bin_index, or std::invalid_argument.
template <class N>
bin_index checked_bins(N num_bins) {
  static_assert(std::is_integral_v<N>, "thrust_hist: num_bins must be an integer.");
  if constexpr (std::is_integral_v<N>) {
    if constexpr (std::is_signed_v<N>) {
      if (num_bins < 0) {
        throw_invalid("num_bins", num_bins, "must not be negative");
      }
    }
    if (static_cast<std::uint64_t>(num_bins) >= static_cast<std::uint64_t>(no_bin::above)) {
      throw_invalid("num_bins", num_bins, "is too large");
    }
    return static_cast<bin_index>(num_bins);
  } else {
    return 0;
  }
}

inline bin_index checked_product(std::initializer_list<bin_index> sizes) {
  bin_index product = 1;
  for (bin_index const size : sizes) {
    if (size != 0 && product > (no_bin::above - 1) / size) {
      throw_invalid("num_bins", size, "makes the grid have 2^63 bins or more");
    }
    product *= size;
  }
  return product;
}

/// Whether a rule can go to a GPU as it lies in memory. Views of edges are let through: iterators
/// of Thrust often have an assignment of their own, and Thrust sends them to GPUs all the same.
template <class Rule>
inline constexpr bool is_copied_by_bytes = std::is_trivially_copyable_v<Rule>;

/// Throws for a number of bins that no table can have.
inline void require_size(bin_index bins) {
  if (bins < 0) {
    throw_invalid("rule.size()", bins, "must not be negative");
  }
  if (bins > bin_index{1} << 56) {
    throw std::bad_alloc();
  }
}

// --- binding --------------------------------------------------------------------------------

template <class Rule, class X, class Index, class = void>
inline constexpr bool binds = false;
template <class Rule, class X, class Index>
inline constexpr bool binds<
    Rule, X, Index, std::void_t<decltype(&std::decay_t<Rule>::template for_samples<X, Index>)>> =
    true;

/// A user's rule, with its result brought to an Index.
template <class Rule, class Index>
struct foreign_for {
  Rule rule;
  bin_index bins;
  THRUST_HIST_HOST_DEVICE bin_index size() const noexcept { return bins; }
  THRUST_HIST_EXEC_CHECK_DISABLE
  template <class X>
  THRUST_HIST_HOST_DEVICE Index operator()(X const& x) const
      noexcept(runs_without_throwing<Rule, X>) {
    return to_index<Index>(rule(x), bins);
  }
};

/// The rule as it is run for samples of type X: bins, and the values of no_bin, as Index.
THRUST_HIST_EXEC_CHECK_DISABLE
template <class X, class Index, class Rule>
THRUST_HIST_HOST_DEVICE auto bind_rule(Rule const& rule) {
  if constexpr (binds<Rule, X, Index>) {
    return rule.template for_samples<X, Index>();
  } else {
    require_rule_for<Rule, X>();
    using bound = bound_if<is_rule_for<Rule, X>, foreign_for<Rule, Index>, Index>;
    return bound{rule, static_cast<bin_index>(rule.size())};
  }
}

template <class Rule, class X, class = void>
inline constexpr bool validates = false;
template <class Rule, class X>
inline constexpr bool
    validates<Rule, X, std::void_t<decltype(std::declval<Rule const&>().template validate<X>())>> =
        true;

template <class X, class Rule>
void validate_rule(Rule const& rule) {
  if constexpr (validates<Rule, X>) {
    rule.template validate<X>();
  }
}

/// A rule for integers of type S, for samples that count as such: enums, std::byte, char, bool.
template <class Inner, class S>
struct converted_for {
  Inner inner;
  THRUST_HIST_HOST_DEVICE bin_index size() const { return inner.size(); }
  template <class X>
  THRUST_HIST_HOST_DEVICE auto operator()(X x) const noexcept(runs_without_throwing<Inner, S>) {
    return inner(static_cast<S>(x));
  }
  template <class X>
  THRUST_HIST_HOST_DEVICE bin_index search(X x) const {
    return detail::search_bin(inner, static_cast<S>(x));
  }
};

/// `inner` itself, or for samples of type X that are no plain numbers, with a conversion.
template <class X, class Inner>
THRUST_HIST_HOST_DEVICE auto convert_for(Inner const& inner) {
  if constexpr (std::is_same_v<std::remove_cv_t<X>, sample_t<X>>) {
    return inner;
  } else {
    return converted_for<Inner, sample_t<X>>{inner};
  }
}

// --- bound forms of the small rules ---------------------------------------------------------

template <class Index>
struct identity_for {
  bin_index bins;
  THRUST_HIST_HOST_DEVICE bin_index size() const noexcept { return bins; }
  template <class X>
  THRUST_HIST_HOST_DEVICE Index operator()(X x) const noexcept {
    auto const key = static_cast<integer_t<X>>(x);
    if (is_negative(key)) {
      return below_of<Index>;
    }
    return static_cast<std::uint64_t>(key) < static_cast<std::uint64_t>(bins)
               ? static_cast<Index>(key)
               : above_of<Index>;
  }
};

template <class F, class Index>
struct function_for {
  F f;
  bin_index bins;
  THRUST_HIST_HOST_DEVICE bin_index size() const noexcept { return bins; }
  THRUST_HIST_EXEC_CHECK_DISABLE
  template <class X>
  THRUST_HIST_HOST_DEVICE Index operator()(X const& x) const noexcept(runs_without_throwing<F, X>) {
    return to_index<Index>(f(x), bins);
  }
};

template <class Inner, class Index>
struct flow_for {
  Inner inner;
  Index bins;
  THRUST_HIST_HOST_DEVICE bin_index size() const noexcept { return bin_index{bins} + 2; }
  template <class X>
  THRUST_HIST_HOST_DEVICE Index operator()(X const& x) const
      noexcept(runs_without_throwing<Inner, X>) {
    return shifted(inner(x));
  }
  template <class X>
  THRUST_HIST_HOST_DEVICE bin_index search(X const& x) const {
    return shifted(static_cast<Index>(detail::search_bin(inner, x)));
  }

private:
  THRUST_HIST_HOST_DEVICE Index shifted(Index bin) const noexcept {
    return bin == neither_of<Index> ? bin : bin < 0 ? 0 : bin >= bins ? bins + 1 : bin + 1;
  }
};

/// Opens a rule that is made of others.
struct rule_parts {
  template <class Flow>
  static auto const& inner(Flow const& rule) noexcept {
    return rule.rule_;
  }
  template <class Grid>
  static auto const& axes(Grid const& rule) noexcept {
    return rule.rules_;
  }
};

// --- grid: a list of rules, each for one coordinate of a tuple ------------------------------

/// Bound rules of a grid, each with the number of bins of those after it.
template <std::size_t Axis, class Index, class First, class Rest>
struct grid_for {
  First first;
  Rest rest;

  THRUST_HIST_HOST_DEVICE bin_index size() const { return first.size() * rest.size(); }
  template <class X>
  THRUST_HIST_HOST_DEVICE Index operator()(X const& x) const noexcept(
      noexcept(tuple_access::coordinate<Axis>(x)) &&
      runs_without_throwing<First, coordinate_t<X, Axis>> && runs_without_throwing<Rest, X>) {
    return row_major(first(tuple_access::coordinate<Axis>(x)), rest(x));
  }
  template <class X>
  THRUST_HIST_HOST_DEVICE bin_index search(X const& x) const {
    return row_major(
        static_cast<Index>(detail::search_bin(first, tuple_access::coordinate<Axis>(x))),
        static_cast<Index>(detail::search_bin(rest, x)));
  }

private:
  THRUST_HIST_HOST_DEVICE Index row_major(Index bin, Index inner) const {
    return bin < 0 || bin == above_of<Index> || inner < 0
               ? neither_of<Index>
               : bin * static_cast<Index>(rest.size()) + inner;
  }
};

template <class Index>
struct grid_end {
  THRUST_HIST_HOST_DEVICE bin_index size() const noexcept { return 1; }
  template <class X>
  THRUST_HIST_HOST_DEVICE Index operator()(X const&) const noexcept {
    return 0;
  }
};

/// The rules of a grid as they are given.
template <class... Rules>
struct rule_list;

template <>
struct rule_list<> {
  template <class X, class Index, std::size_t Axis>
  THRUST_HIST_HOST_DEVICE auto bind() const noexcept {
    return grid_end<Index>{};
  }
  template <class X, std::size_t Axis>
  void validate() const {}
};

template <class First, class... Rest>
struct rule_list<First, Rest...> {
  First first;
  rule_list<Rest...> rest;

  template <class X, class Index, std::size_t Axis>
  THRUST_HIST_HOST_DEVICE auto bind() const {
    auto bound = detail::bind_rule<coordinate_t<X, Axis>, Index>(first);
    auto others = rest.template bind<X, Index, Axis + 1>();
    return grid_for<Axis, Index, decltype(bound), decltype(others)>{bound, others};
  }
  template <class X, std::size_t Axis>
  void validate() const {
    detail::validate_rule<coordinate_t<X, Axis>>(first);
    rest.template validate<X, Axis + 1>();
  }
};

template <class First, class... Rest>
rule_list<First, Rest...> make_rule_list(First first, Rest... rest) {
  if constexpr (sizeof...(Rest) == 0) {
    return {first, {}};
  } else {
    return {first, make_rule_list(rest...)};
  }
}

}  // namespace detail
THRUST_HIST_NAMESPACE_END
