// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Folding in the output itself, where it is an array of states.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/bin_index.h>
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

/// Whether pairs are read from memory and by a rule that throws nothing.
template <class Source>
inline constexpr bool never_throws = false;
template <class Keys, class Values, class Rule>
inline constexpr bool never_throws<keyed_pairs<Keys, Values, Rule>> = [] {
  if constexpr (is_contiguous<Keys> && is_contiguous<Values>) {
    using key = value_t<Keys>;
    using bound = decltype(detail::bind_rule<key, bin_index>(std::declval<Rule const&>()));
    return std::is_arithmetic_v<value_t<Values>>&& noexcept(
        std::declval<bound const&>()(std::declval<key const&>()));
  }
  return false;
}();

/// Whether the output can be the table: an array of numbers that are states, and nothing that may throw half-way, since
/// a thrown exception leaves outputs as they were; but where tasks of TBB are cancelled while they fold.
template <class Fold, class Source, class Out>
constexpr bool may_fold_in_output() {
  if constexpr (is_contiguous<Out>) {
    using reference = typename thrust::iterator_traits<Out>::reference;
    return std::is_same_v<value_t<Out>, typename Fold::state> &&
           std::is_arithmetic_v<typename Fold::state> &&
           !std::is_volatile_v<std::remove_reference_t<reference>> &&
           Fold::kind != operator_kind::other && never_throws<Source>;
  }
  return false;
}

/// The output as a table of states; null where it cannot be one, or holds what is to be accumulated.
template <class Fold, class Source, class Out>
typename Fold::state* states_in_output(
    Source const& source, [[maybe_unused]] Out out, options const& o) {
  if constexpr (may_fold_in_output<Fold, Source, Out>()) {
    // Without bins it has nothing that could be pointed at.
    return o.accumulate_ || source.bins() == 0 ? nullptr : detail::raw_pointer(out);
  } else {
    return nullptr;
  }
}

}  // namespace sequential
}  // namespace detail
THRUST_HIST_NAMESPACE_END
