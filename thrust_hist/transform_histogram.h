// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Folding what a function makes of samples: any number of pairs of bin and value for each.

#include <thrust_hist/histogram_by_key.h>

#include <cstdint>
#include <type_traits>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {

/// All forms of transform_histogram.
template <class Policy, class Iterator, class Out, class Bins, class Emit, class Op, class Identity>
Out fold_emitted(
    Policy& policy, Iterator first, Iterator last, Out out, Bins const& bins, Emit const& emit,
    Op const& op, Identity const& identity, options const& o) {
  require_input<Iterator>();
  require_fold_output<Out, std::uint64_t>();
  if constexpr (!is_input<Iterator> || !is_fold_output<Out, std::uint64_t>) {
    return out;  // that sentence is enough
  } else {
    auto const rule = detail::to_rule(bins);
    using output = typename folded_of<Out, std::uint64_t>::type;
    using folded = folded_value_t<Identity, output, output, Op>;
    using value = typename addend_of_sum<folded>::type;
    using rule_type = std::remove_const_t<decltype(rule)>;
    if constexpr (is_emit<Emit, value_t<Iterator>, value, rule_type>) {
      emitted_pairs<value, Iterator, rule_type, Emit> const source = {
          first, static_cast<std::uint64_t>(last - first), rule, emit};
      detail::fold_range<std::conditional_t<is_exact_sum<folded>, value, output>>(
          policy, source, out, op, identity, o);
    } else {
      static_assert(
          is_emit<Emit, value_t<Iterator>, value, rule_type>,
          "thrust_hist: emit is called as emit(x, sink), with a sink that takes a bin, or a sample "
          "of the rule, and a value: it must take both, and be const.");
    }
    return out + static_cast<std::ptrdiff_t>(rule.size());
  }
}

}  // namespace detail
THRUST_HIST_NAMESPACE_END

THRUST_HIST_ALGORITHMS_BEGIN

/// Adds up what `emit` makes of samples: `emit(sample, sink)` calls `sink(bin, value)`, or
/// `sink(bin)` for a value of one, as often as it likes, also not at all.
///
/// \param policy where and how, as in Thrust
/// \param first,last random-access iterators to samples
/// \param out an iterator to room for the bins
/// \param bins the number of bins; or a rule, which is then applied to the first argument of `sink`
/// \param emit callable where the policy runs, also a plain `__device__` lambda; takes `sink` by
///   reference or by value
/// \param o see options; dropped() counts pairs, not samples
/// \return `out + number of bins`
///
/// Sums are formed in the value type of the output. Everything else is as in histogram_by_key, but
/// that on CUDA some calls wait for the number of pairs, under par_nosync as well: exact sums, and
/// folds that no atomics do, in more bins than shared memory holds (see docs/execution.md).
///
/// \snippet docs/examples/recipes.cpp emit
template <
    class Derived, class Iterator, class Out, class Bins, class Emit,
    std::enable_if_t<detail::is_bins<Bins> && detail::is_operator<Emit>, int> = 0>
Out transform_histogram(
    thrust::execution_policy<Derived> const& policy, Iterator first, Iterator last, Out out,
    Bins bins, Emit emit, options const& o = {}) {
  using output = typename detail::folded_of<Out, std::uint64_t>::type;
  return detail::fold_emitted(
      detail::derived(policy), first, last, out, bins, emit, detail::plus_of<output>{},
      detail::no_identity{}, o);
}

/// Folds by `op`, from its identity on.
///
/// \param op associative and commutative; its identity is known (see identity_of)
template <
    class Derived, class Iterator, class Out, class Bins, class Emit, class Op,
    std::enable_if_t<
        detail::is_bins<Bins> && detail::is_operator<Emit> && detail::is_operator<Op>, int> = 0>
Out transform_histogram(
    thrust::execution_policy<Derived> const& policy, Iterator first, Iterator last, Out out,
    Bins bins, Emit emit, Op op, options const& o = {}) {
  return detail::fold_emitted(
      detail::derived(policy), first, last, out, bins, emit, op, detail::no_identity{}, o);
}

/// Folds by `op`, from `identity` on, in the type of the identity.
template <
    class Derived, class Iterator, class Out, class Bins, class Emit, class Op, class Identity,
    std::enable_if_t<
        detail::is_bins<Bins> && detail::is_operator<Emit> && detail::is_operator<Op> &&
            !std::is_same_v<Identity, options>,
        int> = 0>
Out transform_histogram(
    thrust::execution_policy<Derived> const& policy, Iterator first, Iterator last, Out out,
    Bins bins, Emit emit, Op op, Identity identity, options const& o = {}) {
  return detail::fold_emitted(
      detail::derived(policy), first, last, out, bins, emit, op, identity, o);
}

/// Without policy: on the system of the samples, or of the output where they have none.
template <
    class Iterator, class Out, class Bins, class Emit, class... Rest,
    std::enable_if_t<
        !detail::is_policy<Iterator> && detail::is_bins<Bins> && detail::is_operator<Emit>, int> =
        0>
Out transform_histogram(
    Iterator first, Iterator last, Out out, Bins bins, Emit emit,
    Rest const&... op_identity_options) {
  return transform_histogram(
      detail::default_policy<Iterator, Out>(), first, last, out, bins, emit,
      op_identity_options...);
}

/// Reached by wrong arguments only.
template <bool Never = false>
void transform_histogram(
    detail::anything, detail::anything, detail::anything = {}, detail::anything = {},
    detail::anything = {}, detail::anything = {}, detail::anything = {}, detail::anything = {},
    detail::anything = {}) {
  static_assert(
      Never,
      "thrust_hist::transform_histogram takes ([policy,] first, last, out, num_bins or rule, emit "
      "[, op [, identity]] [, options]): a policy is one of Thrust's or derived from one, first "
      "and last have the same type, emit takes (sample, sink).");
}

THRUST_HIST_ALGORITHMS_END
