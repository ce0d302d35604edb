// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// The one form of a rule that has no branch, for loops with much else to do, and for grids, whose
/// axes would make too many loops if each had all of its forms. What a rule does where its form
/// does not serve stands in another loop: beside each use of the form it would fill the cache of
/// instructions.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/candidate.h>
#include <thrust_hist/detail/even_integer.h>
#include <thrust_hist/detail/even_real.h>
#include <thrust_hist/detail/rule.h>
#include <thrust_hist/detail/tuple_access.h>
#include <thrust_hist/system/cuda/kernels/nearest_edge.cuh>

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {

/// Numbers of edges stand in 32 bits, with room for junk.
inline constexpr bin_index most_numbered_edges = 1 << 30;

/// The form of a bound rule, and whether it serves: most rules are their own.
template <class Rule>
struct branchless {
  using type = Rule;
  static constexpr bool is_other = false;
  __device__ static bool serves(Rule const&) { return true; }
};

/// In float that in double would be the dearer one, which serves almost all levels.
template <class Index>
struct branchless<even_real_bins<float, Index>> {
  using rule = even_real_bins<float, Index>;
  using type = nearest_edge_bins<float>;
  static constexpr bool is_other = true;
  __device__ static bool serves(rule const& r) {
    return r.size() > 0 && r.size() < most_numbered_edges && r.ends_plainly() &&
           r.guess().is_near();
  }
};
template <class Index>
struct branchless<even_real_bins<double, Index>> {
  using rule = even_real_bins<double, Index>;
  using type = bounded_edge_bins<double>;
  static constexpr bool is_other = true;
  __device__ static bool serves(rule const& r) {
    return r.size() > 0 && r.size() < most_numbered_edges && r.position().is_near();
  }
};

/// Even bins of integers, almost all of which are narrow.
template <class S>
class narrow_form : public narrow_even_bins<S> {
public:
  template <class Index>
  __device__ explicit narrow_form(even_integer_bins<S, Index> const& rule)
      : narrow_even_bins<S>(rule.narrow()) {}
};
template <class S, class Index>
struct branchless<even_integer_bins<S, Index>> {
  using type = narrow_form<S>;
  static constexpr bool is_other = true;
  __device__ static bool serves(even_integer_bins<S, Index> const& r) { return r.is_narrow(); }
};

/// Even bins with one more at each end.
template <class S, class Form>
class branchless_flow {
public:
  template <class Index>
  __device__ explicit branchless_flow(flow_for<even_real_bins<S, Index>, Index> const& rule)
      : inner_(rule.inner), smallest_(rule.inner.smallest()), largest_(rule.inner.largest()),
        bins_(static_cast<std::uint32_t>(rule.bins)) {}

  /// See candidate.h. NaN is on neither side.
  template <class Unsigned>
  __device__ Unsigned candidate(S x) const {
    Unsigned const bin = inner_.template candidate<Unsigned>(x);
    constexpr Unsigned none = static_cast<Unsigned>(-1);
    bool const is_below = is_at_or_below(x, smallest_);  // one that equals it has a bin
    bool const is_above = is_at_or_below(largest_, x);
    return bin < bins_ ? bin + 1 : is_below ? 0 : is_above ? Unsigned{bins_} + 1 : none;
  }

private:
  Form inner_;
  S smallest_;  // that has a bin
  S largest_;
  std::uint32_t bins_;
};
template <class S, class Index>
struct branchless<flow_for<even_real_bins<S, Index>, Index>> {
  using of_inner = branchless<even_real_bins<S, Index>>;
  static constexpr bool is_other = of_inner::is_other;
  using type = std::conditional_t<
      is_other, branchless_flow<S, typename of_inner::type>,
      flow_for<even_real_bins<S, Index>, Index>>;
  __device__ static bool serves(flow_for<even_real_bins<S, Index>, Index> const& r) {
    return of_inner::serves(r.inner);
  }
};

template <class Unsigned, class Form, class X, class = void>
inline constexpr bool has_candidate = false;
template <class Unsigned, class Form, class X>
inline constexpr bool has_candidate<
    Unsigned, Form, X,
    std::void_t<decltype(std::declval<Form const&>().template candidate<Unsigned>(
        std::declval<X const&>()))>> = true;

/// See candidate.h: of a form, or of a rule that is its own.
template <class Unsigned, class Form, class X>
__device__ inline Unsigned candidate_of_axis(Form const& form, X const& x) {
  if constexpr (has_candidate<Unsigned, Form, X>) {
    return form.template candidate<Unsigned>(x);
  } else {
    return detail::candidate<Unsigned>(form, x);
  }
}

/// Some axes of a grid: the first of them, and the rest.
template <std::size_t Axis, class First, class Rest>
class branchless_grid {
public:
  template <class Rule>
  __device__ explicit branchless_grid(Rule const& rule)
      : first_(rule.first), rest_(rule.rest), first_bins_(rule.first.size()),
        rest_bins_(rule.rest.size()) {}

  /// See candidate.h: one comparison an axis, as in a grid of rules.
  template <class Unsigned, class X>
  __device__ Unsigned candidate(X const& x) const {
    auto const bins = static_cast<Unsigned>(rest_bins_);
    auto const outer = cuda::candidate_of_axis<Unsigned>(first_, tuple_access::coordinate<Axis>(x));
    auto const inner = cuda::candidate_of_axis<Unsigned>(rest_, x);
    bool const is_inside = outer < static_cast<Unsigned>(first_bins_) && inner < bins;
    return is_inside ? outer * bins + inner : static_cast<Unsigned>(-1);
  }

private:
  First first_;
  Rest rest_;
  bin_index first_bins_;
  bin_index rest_bins_;
};

/// More forms at once would take a thread's registers from what is counted with them.
inline constexpr std::size_t most_form_bytes = 208;

template <std::size_t Axis, class Index, class First, class Rest>
struct branchless<grid_for<Axis, Index, First, Rest>> {
  using of_first = branchless<First>;
  using of_rest = branchless<Rest>;
  using form = branchless_grid<Axis, typename of_first::type, typename of_rest::type>;
  static constexpr bool is_other =
      (of_first::is_other || of_rest::is_other) && sizeof(form) <= most_form_bytes;
  using type = std::conditional_t<is_other, form, grid_for<Axis, Index, First, Rest>>;
  __device__ static bool serves(grid_for<Axis, Index, First, Rest> const& r) {
    return of_first::serves(r.first) && of_rest::serves(r.rest);
  }
};

using detail::candidate;  // beside those of these forms

template <class Unsigned, class S, class Form>
__device__ inline Unsigned candidate(branchless_flow<S, Form> const& flow, S x) {
  return flow.template candidate<Unsigned>(x);
}
template <class Unsigned, class S>
__device__ inline Unsigned candidate(narrow_form<S> const& form, S x) {
  return form.template candidate<Unsigned>(x);
}
template <class Unsigned, std::size_t Axis, class First, class Rest, class X>
__device__ inline Unsigned candidate(branchless_grid<Axis, First, Rest> const& grid, X const& x) {
  return grid.template candidate<Unsigned>(x);
}

/// Calls `loop(form)`, or `loop(rule)` where the form does not serve.
template <class Rule, class Loop>
__device__ inline void with_branchless(Rule const& rule, Loop loop) {
  if constexpr (branchless<Rule>::is_other) {
    if (branchless<Rule>::serves(rule)) {
      loop(typename branchless<Rule>::type(rule));
      return;
    }
  }
  loop(rule);
}

}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
