// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Histograms of keys of which nobody knows the range: what sort + reduce_by_key is used for.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/arguments.h>
#include <thrust_hist/detail/constant.h>
#include <thrust_hist/detail/operators.h>
#include <thrust_hist/detail/overload.h>
#include <thrust_hist/detail/sparse_dispatch.h>
#include <thrust_hist/operators.h>
#include <thrust_hist/options.h>
#include <thrust_hist/values.h>

#include <type_traits>
#include <utility>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {

template <class T>
inline constexpr bool is_key_operators = false;
template <class Hash, class Equal, class Less>
inline constexpr bool is_key_operators<key_operators<Hash, Equal, Less>> = true;

/// An operator that folds, as opposed to options and to those of keys.
template <class T>
inline constexpr bool is_fold_operator =
    !std::is_same_v<T, options> && !std::is_arithmetic_v<T> && !is_key_operators<T>;

/// What may stand behind the outputs, in this order: key_operators, options.
template <class... Rest>
inline constexpr bool end_counts = sizeof...(Rest) == 0;
template <class Last>
inline constexpr bool end_counts<Last> =
    is_key_operators<Last> || std::is_convertible_v<Last const&, options>;
template <class Operators, class Options>
inline constexpr bool end_counts<Operators, Options> =
    is_key_operators<Operators>&& std::is_convertible_v<Options const&, options>;
/// And behind those of values: an operator before.
template <class... Rest>
inline constexpr bool end_folds = true;
template <class Op, class... Rest>
inline constexpr bool end_folds<Op, Rest...> = end_counts<Op, Rest...> ||
                                               (is_fold_operator<Op> && end_counts<Rest...>);

/// A container that nobody has after the call.
template <class Out>
inline constexpr bool is_lost = is_container<Out> && !std::is_lvalue_reference_v<Out>;

/// All forms of both algorithms.
template <
    class Derived, class Keys, class Values, class KeysOut, class ValuesOut, class Op, class KeyOps>
auto sparse(
    thrust::execution_policy<Derived> const& policy, Keys first, Keys last, Values values,
    KeysOut&& keys_out, ValuesOut&& values_out, Op const& op, KeyOps const& key_ops,
    options const& o) {
  static_assert(
      !is_lost<KeysOut> && !is_lost<ValuesOut>,
      "thrust_hist: the containers that take the rows must be variables, else they are lost.");
  using key = input_value_t<Keys>;
  using value = input_value_t<Values>;
  constexpr bool counts = std::is_same_v<Op, no_operator>;
  using keys_iterator = output_iterator_t<KeysOut>;
  using values_iterator = output_iterator_t<ValuesOut>;
  require_input<Keys>();
  require_input<Values>();
  require_same_kind<KeysOut, ValuesOut>();
  require_rows_output<keys_iterator, values_iterator, key, value, counts>();
  require_key<key, KeyOps>();
  if constexpr (
      is_input<Keys> && is_input<Values> && is_same_kind<KeysOut, ValuesOut> &&
      is_rows_output<keys_iterator, values_iterator, key, value, counts> && is_key<key, KeyOps>) {
    return detail::with_rows_output(keys_out, values_out, [&](auto& output) {
      return detail::sparse_rows(
          detail::derived(policy), first, last, values, op, key_ops, output, o);
    });
  }
}

}  // namespace detail
THRUST_HIST_NAMESPACE_END

THRUST_HIST_ALGORITHMS_BEGIN

/// Counts how often each key occurs: row i of the output is a key, `keys_out[i]`, and how many of
/// [first, last) equal it, `counts_out[i]`. Keys ascend, each is there once.
///
/// \param policy where and how, as in Thrust; on CUDA the call waits, and cannot be captured in a
///   graph
/// \param first,last random-access iterators to integers, bool, char, std::byte, enums, float,
///   double or 128-bit integers
/// \param keys_out,counts_out iterators to room for as many rows as there can be, one for each
///   input; or two containers, which are resized to the number of rows, and never to more
/// \param o see options; unordered() spares sorting on the host systems, on CUDA nothing
/// \return the pair of their ends
///
/// Every value of the key's type is a key like any other. -0 and +0 are one key, written as +0. A
/// NaN equals nothing: each is a row of its own, the last ones, in the order of the input and with
/// its bits. Counts are formed in 64 bits and converted once, and are the same on every system.
/// Output that overlaps the input is undefined.
///
/// Work: one pass over the input, and for more than some thousand distinct keys another one over a
/// copy of it. Distinct keys are sorted, and all keys only where
/// - they are few: up to 256 on the host systems; on CUDA fewer than some millions, by the kind of
///   keys and values;
/// - many of them are distinct: on CUDA between a seventh and a quarter, and more;
/// - on CUDA, they have more than 8 bytes or operators of their own.
///
/// docs/execution.md has all limits, and which keys are counted in yet other ways.
///
/// Memory from the policy at most: on the host systems twice the input, 64 bytes for each distinct
/// key, and 2 MiB for each worker; on CUDA twice the input, in which a key and a value have 4 bytes
/// at least, with what CUB takes to sort that (1 KB for each 6 000 of them or more), 8 bytes for
/// each key that is NaN, and for exact sums what their rows take. options::explain() tells the sum.
/// max_temporary_bytes() is kept: on the host systems down to one copy of the input, on CUDA mostly
/// down to what a sort takes.
///
/// Throws std::length_error for more distinct keys than max_bins(), std::invalid_argument for a
/// forced route that is impossible and for accumulate() (results are merged by
/// sparse_histogram_by_key over all of them, one behind the other), memory_limit_error,
/// std::bad_alloc, or what the policy's allocator or an operator of yours throws: nothing is
/// written then, but for what docs/semantics.md names, and containers are as they were.
/// thrust::system_error is a CUDA call that fails, or a stream that is being captured;
/// mismatch_error (check) comes when all is written.
///
/// \snippet docs/examples/recipes.cpp sparse
template <class Derived, class Keys, class KeysOut, class CountsOut>
auto sparse_histogram(
    thrust::execution_policy<Derived> const& policy, Keys first, Keys last, KeysOut&& keys_out,
    CountsOut&& counts_out, options const& o = {}) {
  return detail::sparse(
      policy, first, last, detail::repeat(detail::one{}), std::forward<KeysOut>(keys_out),
      std::forward<CountsOut>(counts_out), detail::no_operator{}, detail::no_key_operators{}, o);
}

/// The same for keys of any trivially copyable type.
///
/// \param key_operators `key_operators{hash, equal, less}`, see operators.h; also for numbers that
///   are to be compared in another way
template <
    class Derived, class Keys, class KeysOut, class CountsOut, class Hash, class Equal, class Less>
auto sparse_histogram(
    thrust::execution_policy<Derived> const& policy, Keys first, Keys last, KeysOut&& keys_out,
    CountsOut&& counts_out, key_operators<Hash, Equal, Less> key_operators, options const& o = {}) {
  return detail::sparse(
      policy, first, last, detail::repeat(detail::one{}), std::forward<KeysOut>(keys_out),
      std::forward<CountsOut>(counts_out), detail::no_operator{}, key_operators, o);
}

/// Without policy: on the system of the keys, or of the output where they have none.
template <
    class Keys, class KeysOut, class CountsOut, class... Rest,
    std::enable_if_t<!detail::is_policy<Keys> && detail::end_counts<Rest...>, int> = 0>
auto sparse_histogram(
    Keys first, Keys last, KeysOut&& keys_out, CountsOut&& counts_out,
    Rest const&... key_operators_options) {
  return sparse_histogram(
      detail::default_policy<Keys, detail::output_iterator_t<KeysOut>>(), first, last,
      std::forward<KeysOut>(keys_out), std::forward<CountsOut>(counts_out),
      key_operators_options...);
}

/// Folds the values of each key, by default to their sum: row i of the output is a key,
/// `keys_out[i]`, and what the values of all keys equal to it are folded to, `values_out[i]`. The
/// drop-in for sort_by_key and reduce_by_key, with the input left as it is.
///
/// \param values_first random-access iterator to as many values as there are keys
/// \param keys_out,values_out iterators, or two containers, as above
///
/// Values are folded as in histogram_by_key: in the value type of the output, sums of real numbers
/// in a type at least as wide as they are, minima and maxima without NaN. Results are the same on
/// every system, but for sums and products of real numbers, which are rounded in another order from
/// one to the other, and on CUDA perhaps from call to call; with exact() sums are rounded once, to
/// the same bits everywhere. Throws std::invalid_argument for exact() with what is neither a sum of
/// real numbers nor exact anyway. All else is as in sparse_histogram.
///
/// \snippet docs/examples/recipes.cpp sparse_by_key
template <class Derived, class Keys, class Values, class KeysOut, class ValuesOut>
auto sparse_histogram_by_key(
    thrust::execution_policy<Derived> const& policy, Keys keys_first, Keys keys_last,
    Values values_first, KeysOut&& keys_out, ValuesOut&& values_out, options const& o = {}) {
  return detail::sparse(
      policy, keys_first, keys_last, values_first, std::forward<KeysOut>(keys_out),
      std::forward<ValuesOut>(values_out), detail::plus_of<detail::input_value_t<Values>>{},
      detail::no_key_operators{}, o);
}

/// Folds the values of each key by `op`.
///
/// \param op associative and commutative, of two values of the output's type. It needs no identity:
///   what is folded begins with a value of the key
template <
    class Derived, class Keys, class Values, class KeysOut, class ValuesOut, class Op,
    std::enable_if_t<detail::is_fold_operator<Op>, int> = 0>
auto sparse_histogram_by_key(
    thrust::execution_policy<Derived> const& policy, Keys keys_first, Keys keys_last,
    Values values_first, KeysOut&& keys_out, ValuesOut&& values_out, Op op, options const& o = {}) {
  return detail::sparse(
      policy, keys_first, keys_last, values_first, std::forward<KeysOut>(keys_out),
      std::forward<ValuesOut>(values_out), op, detail::no_key_operators{}, o);
}

/// Adds up the values of each key, of any trivially copyable type.
template <
    class Derived, class Keys, class Values, class KeysOut, class ValuesOut, class Hash,
    class Equal, class Less>
auto sparse_histogram_by_key(
    thrust::execution_policy<Derived> const& policy, Keys keys_first, Keys keys_last,
    Values values_first, KeysOut&& keys_out, ValuesOut&& values_out,
    key_operators<Hash, Equal, Less> key_operators, options const& o = {}) {
  return detail::sparse(
      policy, keys_first, keys_last, values_first, std::forward<KeysOut>(keys_out),
      std::forward<ValuesOut>(values_out), detail::plus_of<detail::input_value_t<Values>>{},
      key_operators, o);
}

/// Folds the values of each key, of any trivially copyable type, by `op`.
template <
    class Derived, class Keys, class Values, class KeysOut, class ValuesOut, class Op, class Hash,
    class Equal, class Less, std::enable_if_t<detail::is_fold_operator<Op>, int> = 0>
auto sparse_histogram_by_key(
    thrust::execution_policy<Derived> const& policy, Keys keys_first, Keys keys_last,
    Values values_first, KeysOut&& keys_out, ValuesOut&& values_out, Op op,
    key_operators<Hash, Equal, Less> key_operators, options const& o = {}) {
  return detail::sparse(
      policy, keys_first, keys_last, values_first, std::forward<KeysOut>(keys_out),
      std::forward<ValuesOut>(values_out), op, key_operators, o);
}

/// Without policy: on the system of the keys, or where they have none, of the values or the output.
template <
    class Keys, class Values, class KeysOut, class ValuesOut, class... Rest,
    std::enable_if_t<!detail::is_policy<Keys> && detail::end_folds<Rest...>, int> = 0>
auto sparse_histogram_by_key(
    Keys keys_first, Keys keys_last, Values values_first, KeysOut&& keys_out,
    ValuesOut&& values_out, Rest const&... op_key_operators_options) {
  return sparse_histogram_by_key(
      detail::default_policy<Keys, Values, detail::output_iterator_t<KeysOut>>(), keys_first,
      keys_last, values_first, std::forward<KeysOut>(keys_out), std::forward<ValuesOut>(values_out),
      op_key_operators_options...);
}

/// Reached by wrong arguments only.
template <bool Never = false>
void sparse_histogram(
    detail::anything, detail::anything, detail::anything = {}, detail::anything = {},
    detail::anything = {}, detail::anything = {}, detail::anything = {}) {
  static_assert(
      Never,
      "thrust_hist::sparse_histogram takes ([policy,] first, last, keys_out, counts_out "
      "[, key_operators] [, options]): a policy is one of Thrust's or derived from one, first and "
      "last have the same type, the outputs are two iterators or two containers.");
}

/// Reached by wrong arguments only.
template <bool Never = false>
void sparse_histogram_by_key(
    detail::anything, detail::anything, detail::anything = {}, detail::anything = {},
    detail::anything = {}, detail::anything = {}, detail::anything = {}, detail::anything = {},
    detail::anything = {}) {
  static_assert(
      Never,
      "thrust_hist::sparse_histogram_by_key takes ([policy,] keys_first, keys_last, values_first, "
      "keys_out, values_out [, op] [, key_operators] [, options]): a policy is one of Thrust's or "
      "derived from one, keys_first and keys_last have the same type, the outputs are two "
      "iterators "
      "or two containers, op comes before key_operators; there is no predicate before it, as "
      "reduce_by_key has it.");
}

THRUST_HIST_ALGORITHMS_END
