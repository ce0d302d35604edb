// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Counting keys, and samples by a bin rule.

#include <thrust_hist/bins.h>
#include <thrust_hist/config.h>
#include <thrust_hist/detail/arguments.h>
#include <thrust_hist/detail/discover_dispatch.h>
#include <thrust_hist/detail/dispatch.h>
#include <thrust_hist/detail/overload.h>
#include <thrust_hist/options.h>

THRUST_HIST_ALGORITHMS_BEGIN

/// Counts how often each key occurs: `out[k]` becomes the number of k in [first, last), for as many
/// bins as the largest key + 1. Negative keys have no bin; with no key at all there are 0 bins.
///
/// \param policy where and how, as in Thrust
/// \param first,last random-access iterators to integers, bool, char (as unsigned char), std::byte
///   or enums
/// \param out an iterator to room for the bins, or a container, which is resized: to the number of
///   bins, with accumulate() only ever upwards
/// \param o see options; max_bins() guards against a stray large key
/// \return for an iterator, the end of the output; for a container, nothing
///
/// Work: one pass over the keys where there is room for as many bins as they need before anybody
/// knows how many these are (docs/execution.md says when), else two, or three where that turns out
/// late on a host system (one when the number of bins is given). Memory: see options::explain().
/// Counts are exact and converted once: narrow integers wrap, a floating-point counter is rounded
/// once. The result is exact and the same on every system.
/// Synchronises, because it learns the number of bins; see docs/execution.md for the other forms.
/// Throws std::length_error (max_bins), memory_limit_error, mismatch_error (check), std::bad_alloc
/// or what the policy's allocator throws, thrust::system_error.
///
/// \snippet docs/examples/first_program.cpp count
template <class Derived, class Iterator, class Out>
auto histogram(
    thrust::execution_policy<Derived> const& policy, Iterator first, Iterator last, Out&& out,
    options const& o = {}) {
  using counters = detail::output_iterator_t<Out>;
  using key = detail::input_value_t<Iterator>;
  detail::require_input<Iterator>();
  detail::require_takes_counts<counters>();
  detail::require_keys<key>();
  constexpr bool possible = detail::is_input<Iterator> && detail::takes_counts<counters> &&
                            detail::is_integer_sample<key>;
  if constexpr (!possible && !detail::is_container<Out>) {
    return out;  // that sentence is enough
  } else if constexpr (possible) {
    auto& exec = detail::derived(policy);
    if constexpr (detail::is_container<Out>) {
      static_assert(
          std::is_lvalue_reference_v<Out>, "thrust_hist: the container that takes the counts must "
                                           "be a variable, else they are lost.");
      detail::count_discovered(exec, first, last, out, o);
    } else {
      return out + static_cast<std::ptrdiff_t>(detail::count_discovered(exec, first, last, out, o));
    }
  }
}

/// Counts keys, or samples by a bin rule: `out[b]` becomes the number of samples in bin b.
///
/// \param bins the number of bins, for keys 0 .. bins - 1; or a rule of bins.h or of your own
/// \return `out + number of bins`
///
/// A sample outside all bins, or NaN, is not counted. 0 bins write nothing, and an empty input
/// writes zeros (nothing with accumulate()). One pass over the samples. Under par_nosync the call
/// returns before the work is done: input, output and what the rule refers to must live until then.
/// Throws std::invalid_argument for a negative number of bins and for what the rule refuses, before
/// anything is written; else as the form above.
///
/// \snippet docs/examples/drop_in.cpp new_code
template <
    class Derived, class Iterator, class Out, class Bins,
    std::enable_if_t<detail::is_bins<Bins>, int> = 0>
Out histogram(
    thrust::execution_policy<Derived> const& policy, Iterator first, Iterator last, Out out,
    Bins bins, options const& o = {}) {
  detail::require_input<Iterator>();
  detail::require_count_output<Out>();
  if constexpr (!detail::is_input<Iterator> || !detail::is_count_output<Out>) {
    return out;  // that sentence is enough
  } else {
    auto const rule = detail::to_rule(bins);
    detail::count_range(detail::derived(policy), first, last, rule, out, o);
    return out + static_cast<std::ptrdiff_t>(rule.size());
  }
}

/// Without policy: on the system of the input, or of the output where the input has none.
template <class Iterator, class Out>
auto histogram(Iterator first, Iterator last, Out&& out, options const& o = {}) {
  return histogram(
      detail::default_policy<Iterator, detail::output_iterator_t<Out>>(), first, last,
      std::forward<Out>(out), o);
}

/// Without policy: on the system of the input, or of the output where the input has none.
template <class Iterator, class Out, class Bins, std::enable_if_t<detail::is_bins<Bins>, int> = 0>
Out histogram(Iterator first, Iterator last, Out out, Bins bins, options const& o = {}) {
  return histogram(detail::default_policy<Iterator, Out>(), first, last, out, bins, o);
}

/// Reached by wrong arguments only.
template <bool Never = false>
void histogram(
    detail::anything, detail::anything, detail::anything = {}, detail::anything = {},
    detail::anything = {}, detail::anything = {}, detail::anything = {}) {
  static_assert(
      Never,
      "thrust_hist::histogram takes ([policy,] first, last, out or container [, options]) or "
      "([policy,] first, last, out, num_bins or rule [, options]): a policy is one of "
      "Thrust's or derived from one, first and last have the same type.");
}

THRUST_HIST_ALGORITHMS_END
