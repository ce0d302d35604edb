// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Folding in the output itself, where it is an array of states.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/bin_index.h>
#include <thrust_hist/detail/fold.h>
#include <thrust_hist/detail/iterator_types.h>
#include <thrust_hist/detail/pairs.h>
#include <thrust_hist/detail/policy.h>
#include <thrust_hist/detail/rule.h>
#include <thrust_hist/operators.h>
#include <thrust_hist/options.h>

#include <type_traits>
#include <utility>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace sequential {

/// Whether pairs are read from memory, by a rule that throws nothing, and their values are of type
/// Value or become so without throwing.
template <class Value, class Source>
inline constexpr bool are_read_without_throwing = false;
template <class Value, class Keys, class Values, class Rule>
inline constexpr bool are_read_without_throwing<Value, keyed_pairs<Keys, Values, Rule>> = [] {
  if constexpr (is_in_memory<Keys> && is_in_memory<Values>) {
    using key = value_t<Keys>;
    using given = value_t<Values>;
    using bound = decltype(detail::bind_rule<key, bin_index>(std::declval<Rule const&>()));
    constexpr bool are_copied =
        std::is_nothrow_copy_constructible_v<key> && std::is_nothrow_copy_constructible_v<given>;
    constexpr bool are_numbers = std::is_arithmetic_v<given> && std::is_arithmetic_v<Value>;
    return are_copied && (are_numbers || std::is_same_v<given, Value>)&& noexcept(
                             std::declval<bound const&>()(std::declval<key const&>()));
  }
  return false;
}();
#if !defined(__CUDACC__)  // the host cannot ask a __device__ lambda
/// All that is done with a sample is called by the function that emits its pairs.
template <class Value, class Emitted, class Iterator, class Rule, class Emit>
inline constexpr bool
    are_read_without_throwing<Value, emitted_pairs<Emitted, Iterator, Rule, Emit>> =
        is_in_memory<Iterator>&& std::is_nothrow_copy_constructible_v<value_t<Iterator>>&&
            std::is_nothrow_copy_constructible_v<Emit>&& std::is_nothrow_invocable_v<
                Emit const&, value_t<Iterator> const&,
                emit_sink<Emitted, Rule, bin_index, any_sink> const&>;
#endif

/// Whether a fold is one by a known operator over numbers, or by an operator of a user that is
/// noexcept.
template <class Fold>
inline constexpr bool folds_without_throwing =
    Fold::kind != operator_kind::other&& std::is_arithmetic_v<typename Fold::state>;
#if !defined(__CUDACC__)  // the host cannot ask a __device__ lambda
template <class Value, class Op>
inline constexpr bool folds_without_throwing<plain_fold<Value, Op>> =
    std::is_nothrow_invocable_r_v<Value, Op const&, Value&, Value const&>&&
        std::is_nothrow_invocable_r_v<Value, Op const&, Value const&, Value const&>&&
            std::is_nothrow_copy_constructible_v<Op>&& std::is_nothrow_copy_constructible_v<Value>&&
                std::is_nothrow_copy_assignable_v<Value>&& std::is_trivially_destructible_v<Value>;
#endif
template <class Value, operator_kind Kind>
inline constexpr bool folds_without_throwing<plain_fold<Value, known_operator<Kind>>> =
    std::is_arithmetic_v<Value>;

/// Whether the output can be the table: an array of states, and nothing that may throw half-way,
/// since a thrown exception leaves outputs as they were; but where tasks of TBB are cancelled while
/// they fold.
template <class Fold, class Source, class Out>
constexpr bool may_fold_in_output() {
  if constexpr (is_contiguous<Out>) {
    using reference = typename thrust::iterator_traits<Out>::reference;
    return std::is_same_v<value_t<Out>, typename Fold::state> &&
           !std::is_volatile_v<std::remove_reference_t<reference>> &&
           folds_without_throwing<Fold> && are_read_without_throwing<typename Fold::value, Source>;
  }
  return false;
}

/// Whether it is: unless it holds what is to be accumulated.
template <class Fold, class Out, class Source>
bool folds_in_output(Source const& source, options const& o) {
  return may_fold_in_output<Fold, Source, Out>() && !o.accumulate_ && source.bins() > 0;
}
/// The output as a table of states, if it is one, else null: without bins it has nothing that could
/// be pointed at.
template <class Fold, class Source, class Out>
typename Fold::state* states_of_output([[maybe_unused]] Out out, [[maybe_unused]] bool is_table) {
  if constexpr (may_fold_in_output<Fold, Source, Out>()) {
    return is_table ? detail::raw_pointer(out) : nullptr;
  } else {
    return nullptr;
  }
}

}  // namespace sequential
}  // namespace detail
THRUST_HIST_NAMESPACE_END
