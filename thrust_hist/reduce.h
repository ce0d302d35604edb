// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// A histogram of one bin: the sum, or any fold, of a range.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/arguments.h>
#include <thrust_hist/detail/operators.h>
#include <thrust_hist/detail/overload.h>
#include <thrust_hist/detail/reduce_dispatch.h>
#include <thrust_hist/options.h>

THRUST_HIST_ALGORITHMS_BEGIN

/// Folds [first, last) into `init` by `op`, in any order.
///
/// \param policy where and how, as in Thrust
/// \param first,last random-access iterators
/// \param init the start; its type is that of the accumulator and of the result
/// \param op associative and commutative, callable where the policy runs
/// \return the fold; `init` for an empty range
///
/// The type of the result is that of thrust::reduce. One pass; waits for the result, and so cannot
/// be part of a graph. Integer sums, minima and maxima are exact; floating-point sums are rounded
/// in an order that depends on the system, with options::exact() once: `init` and the values as one
/// sum, the same on every system (see histogram_by_key). Otherwise it takes one launch and no
/// temporary memory on CUDA, and is thrust::reduce elsewhere. Of the options exact(), explain() and
/// check() are heeded, with exact() all that folds know. Throws std::invalid_argument for exact()
/// with an operator that does not keep it, mismatch_error (check), std::bad_alloc or what the
/// policy's allocator throws, thrust::system_error.
///
/// \snippet docs/examples/recipes.cpp reduce
template <class Derived, class Iterator, class T, class Op>
T reduce(
    thrust::execution_policy<Derived> const& policy, Iterator first, Iterator last, T init, Op op,
    options const& o = {}) {
  static_assert(
      !std::is_arithmetic_v<Op>,
      "thrust_hist::reduce takes init before op: reduce(policy, first, last, init, op).");
  detail::require_input<Iterator>();
  if constexpr (detail::is_input<Iterator> && !std::is_arithmetic_v<Op>) {
    return detail::reduce_checked(
        detail::derived(policy), first, static_cast<std::uint64_t>(last - first), init, op, o);
  } else {
    return init;  // that sentence is enough
  }
}

/// The sum of [first, last) and `init`.
template <class Derived, class Iterator, class T>
T reduce(
    thrust::execution_policy<Derived> const& policy, Iterator first, Iterator last, T init,
    options const& o = {}) {
  return reduce(policy, first, last, init, detail::plus_of<T>{}, o);
}

/// The sum of [first, last), in the type of its elements.
template <class Derived, class Iterator>
detail::value_t<Iterator> reduce(
    thrust::execution_policy<Derived> const& policy, Iterator first, Iterator last,
    options const& o = {}) {
  return reduce(policy, first, last, detail::value_t<Iterator>{}, o);
}

/// Without policy: on the system of the input.
template <class Iterator, class T, class Op>
T reduce(Iterator first, Iterator last, T init, Op op, options const& o = {}) {
  return reduce(detail::default_policy<Iterator>(), first, last, init, op, o);
}

/// Without policy: on the system of the input.
template <class Iterator, class T, std::enable_if_t<!detail::is_policy<Iterator>, int> = 0>
T reduce(Iterator first, Iterator last, T init, options const& o = {}) {
  return reduce(detail::default_policy<Iterator>(), first, last, init, detail::plus_of<T>{}, o);
}

/// Without policy: on the system of the input.
template <class Iterator>
detail::value_t<Iterator> reduce(Iterator first, Iterator last, options const& o = {}) {
  return reduce(detail::default_policy<Iterator>(), first, last, o);
}

/// Reached by wrong arguments only.
template <bool Never = false>
void reduce(
    detail::anything, detail::anything = {}, detail::anything = {}, detail::anything = {},
    detail::anything = {}, detail::anything = {}, detail::anything = {}) {
  static_assert(
      Never, "thrust_hist::reduce takes ([policy,] first, last [, init [, op]] [, options]): a "
             "policy is one of Thrust's or derived from one, first and last have the same type.");
}

THRUST_HIST_ALGORITHMS_END
