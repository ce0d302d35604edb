// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// The folds that sparse histograms have beside those of fold.h: a key that is there has a value to
/// start from, so an operator needs no identity; and a count has no values at all.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/fold.h>
#include <thrust_hist/detail/known_operators.h>
#include <thrust_hist/detail/output.h>
#include <thrust_hist/detail/samples.h>

#include <cstdint>
#include <type_traits>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {

/// The value of a key that is only counted. It takes no room beside one.
struct one {};

/// Counts, in 64 bits.
struct count_fold {
  using value = one;
  using state = std::uint64_t;
  static constexpr operator_kind kind = operator_kind::sum;
  static constexpr bool exact = true;
  static constexpr std::uint64_t additions_at_once = max_of<std::uint64_t>;

  THRUST_HIST_HOST_DEVICE state start(one) const { return 1; }
  THRUST_HIST_HOST_DEVICE void add(state& s, one) const { ++s; }
  THRUST_HIST_HOST_DEVICE void merge(state& s, state other) const { s += other; }
  THRUST_HIST_HOST_DEVICE void settle(state&) const {}
  template <class A>
  THRUST_HIST_HOST_DEVICE A finish(state s) const {
    if constexpr (is_number<A>) {
      return detail::to_counter<A>(s);
    } else {
      return detail::convert<A>(s);
    }
  }
};

/// What is written where the output takes anything.
template <class Fold>
using result_t =
    std::conditional_t<std::is_same_v<Fold, count_fold>, std::uint64_t, typename Fold::value>;

/// A fold by an operator whose identity nobody knows, from the first value on.
template <class Value, class Op>
struct first_fold {
  using value = Value;
  using state = Value;
  static constexpr operator_kind kind = operator_kind::other;
  static constexpr bool exact = false;
  static constexpr std::uint64_t additions_at_once = max_of<std::uint64_t>;
  Op op;

  THRUST_HIST_HOST_DEVICE state start(value const& x) const { return x; }
  THRUST_HIST_EXEC_CHECK_DISABLE
  THRUST_HIST_HOST_DEVICE void add(state& s, value const& x) const {
    s = static_cast<Value>(op(s, x));
  }
  THRUST_HIST_HOST_DEVICE void merge(state& s, state const& other) const { add(s, other); }
  THRUST_HIST_HOST_DEVICE void settle(state&) const {}
  template <class A>
  THRUST_HIST_HOST_DEVICE A finish(state const& s) const {
    return detail::convert<A>(s);
  }
};

template <class Fold, class = void>
inline constexpr bool starts_by_a_value = false;
template <class Fold>
inline constexpr bool starts_by_a_value<
    Fold, std::void_t<decltype(std::declval<Fold const&>().start(
              std::declval<typename Fold::value>()))>> = true;

/// The state of a key with one value. Where it is a value, it is that one, and no operator is
/// called: what reduce_by_key gives for such a key.
template <class Fold>
THRUST_HIST_HOST_DEVICE typename Fold::state started(
    Fold const& fold, typename Fold::value const& x) {
  if constexpr (starts_by_a_value<Fold>) {
    return fold.start(x);
  } else if constexpr (std::is_same_v<typename Fold::state, typename Fold::value>) {
    return x;
  } else {
    auto state = fold.empty();
    fold.add(state, x);
    return state;
  }
}

}  // namespace detail
THRUST_HIST_NAMESPACE_END
