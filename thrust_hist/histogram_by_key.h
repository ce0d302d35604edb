// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Folding values into the bins of their keys.

#include <thrust_hist/bins.h>
#include <thrust_hist/config.h>
#include <thrust_hist/detail/arguments.h>
#include <thrust_hist/detail/fold_dispatch.h>
#include <thrust_hist/detail/operators.h>
#include <thrust_hist/detail/overload.h>
#include <thrust_hist/operators.h>
#include <thrust_hist/options.h>
#include <thrust_hist/values.h>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {

/// All forms of histogram_by_key.
template <class Policy, class Keys, class Values, class Out, class Bins, class Op, class Identity>
Out fold_by_key(
    Policy& policy, Keys keys_first, Keys keys_last, Values values_first, Out out, Bins const& bins,
    Op const& op, Identity const& identity, options const& o) {
  using value = input_value_t<Values>;
  require_input<Keys>();
  require_input<Values>();
  require_fold_output<Out, value>();
  if constexpr (is_input<Keys> && is_input<Values> && is_fold_output<Out, value>) {
    auto const rule = detail::to_rule(bins);
    keyed_pairs<Keys, Values, std::remove_const_t<decltype(rule)>> const source = {
        keys_first, values_first, static_cast<std::uint64_t>(keys_last - keys_first), rule};
    detail::fold_range<value>(policy, source, out, op, identity, o);
    return out + static_cast<std::ptrdiff_t>(rule.size());
  } else {
    return out;  // that sentence is enough
  }
}

/// An operator, as opposed to options.
template <class T>
inline constexpr bool is_operator = !std::is_same_v<T, options> && !std::is_arithmetic_v<T>;

}  // namespace detail
THRUST_HIST_NAMESPACE_END

THRUST_HIST_ALGORITHMS_BEGIN

/// Adds up the values of each key: `out[k]` becomes the sum of `values_first[i]` over all i with
/// `keys_first[i] == k`.
///
/// \param policy where and how, as in Thrust
/// \param keys_first,keys_last random-access iterators to keys, or samples where `bins` is a rule
/// \param values_first random-access iterator to as many values
/// \param out an iterator to room for the bins
/// \param bins the number of bins, for keys 0 .. bins - 1; or a rule of bins.h or of your own
/// \param o see options; exact() rounds sums of floating-point numbers once, at the end
/// \return `out + number of bins`
///
/// Values are summed in the value type of the output, real ones in a type at least as wide as they
/// are. A key outside all bins is left out. Integer sums are exact modulo 2^bits. One pass over the
/// input, no sort. Throws std::invalid_argument for a negative number of bins and for what the rule
/// refuses, memory_limit_error, mismatch_error (check), std::bad_alloc or what the policy's
/// allocator throws, thrust::system_error; nothing is written then.
///
/// \snippet docs/examples/recipes.cpp by_key
template <
    class Derived, class Keys, class Values, class Out, class Bins,
    std::enable_if_t<detail::is_bins<Bins>, int> = 0>
Out histogram_by_key(
    thrust::execution_policy<Derived> const& policy, Keys keys_first, Keys keys_last,
    Values values_first, Out out, Bins bins, options const& o = {}) {
  return detail::fold_by_key(
      detail::derived(policy), keys_first, keys_last, values_first, out, bins,
      detail::plus_of<detail::input_value_t<Values>>{}, detail::no_identity{}, o);
}

/// Folds the values of each key by `op`, from its identity on.
///
/// \param op associative and commutative; its identity is known (see identity_of), and what a bin
///   without values gets
///
/// The order in which values are folded is not defined: an operator that is not commutative, or not
/// associative, gives results that change from run to run. Minima and maxima of floating-point
/// numbers leave NaN out.
template <
    class Derived, class Keys, class Values, class Out, class Bins, class Op,
    std::enable_if_t<detail::is_bins<Bins> && detail::is_operator<Op>, int> = 0>
Out histogram_by_key(
    thrust::execution_policy<Derived> const& policy, Keys keys_first, Keys keys_last,
    Values values_first, Out out, Bins bins, Op op, options const& o = {}) {
  return detail::fold_by_key(
      detail::derived(policy), keys_first, keys_last, values_first, out, bins, op,
      detail::no_identity{}, o);
}

/// Folds the values of each key by `op`, from `identity` on.
///
/// \param identity what changes nothing under `op`; its type is that in which values are folded
template <
    class Derived, class Keys, class Values, class Out, class Bins, class Op, class Identity,
    std::enable_if_t<
        detail::is_bins<Bins> && detail::is_operator<Op> && !std::is_same_v<Identity, options>,
        int> = 0>
Out histogram_by_key(
    thrust::execution_policy<Derived> const& policy, Keys keys_first, Keys keys_last,
    Values values_first, Out out, Bins bins, Op op, Identity identity, options const& o = {}) {
  return detail::fold_by_key(
      detail::derived(policy), keys_first, keys_last, values_first, out, bins, op, identity, o);
}

/// Without policy: on the system of the keys, or where they have none, of the values or the output.
template <
    class Keys, class Values, class Out, class Bins, class... Rest,
    std::enable_if_t<!detail::is_policy<Keys> && detail::is_bins<Bins>, int> = 0>
Out histogram_by_key(
    Keys keys_first, Keys keys_last, Values values_first, Out out, Bins bins,
    Rest const&... op_identity_options) {
  return histogram_by_key(
      detail::default_policy<Keys, Values, Out>(), keys_first, keys_last, values_first, out, bins,
      op_identity_options...);
}

/// Reached by wrong arguments only.
template <bool Never = false>
void histogram_by_key(
    detail::anything, detail::anything, detail::anything = {}, detail::anything = {},
    detail::anything = {}, detail::anything = {}, detail::anything = {}, detail::anything = {},
    detail::anything = {}) {
  static_assert(
      Never,
      "thrust_hist::histogram_by_key takes ([policy,] keys_first, keys_last, values_first, out, "
      "num_bins or rule [, op [, identity]] [, options]): a policy is one of Thrust's or derived "
      "from one, keys_first and keys_last have the same type, op comes before its identity.");
}

THRUST_HIST_ALGORITHMS_END
