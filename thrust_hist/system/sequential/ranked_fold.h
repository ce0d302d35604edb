// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Minima and maxima of real numbers, found among integers.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/fold.h>
#include <thrust_hist/detail/known_operators.h>
#include <thrust_hist/detail/samples.h>

#include <cstdint>
#include <type_traits>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace sequential {

/// The minimum or maximum, of kind Kind, of float or double. A state has the bits of the rank of
/// what was picked, an unsigned integer: the lower one is picked, and no NaN has one as low as
/// numbers have. So a value is looked at once, without a branch, and a state that waits for the one
/// before it waits for a comparison of integers.
template <class Value, operator_kind Kind>
struct ranked_fold {
  using value = Value;
  using state = Value;
  using plain = plain_fold<Value, known_operator<Kind>>;
  static constexpr operator_kind kind = Kind;
  static constexpr bool exact = plain::exact;
  static constexpr std::uint64_t additions_at_once = plain::additions_at_once;
  plain numbers;

  THRUST_HIST_HOST_DEVICE state empty() const { return with_rank(rank_of(numbers.identity)); }
  THRUST_HIST_HOST_DEVICE state start(value const& x) const { return with_rank(rank_of(x)); }
  THRUST_HIST_HOST_DEVICE void add(state& s, value const& x) const { pick(s, rank_of(x)); }
  THRUST_HIST_HOST_DEVICE void merge(state& s, state const& other) const {
    pick(s, detail::bit_cast<rank>(other));
  }
  THRUST_HIST_HOST_DEVICE void settle(state&) const {}
  template <class A>
  THRUST_HIST_HOST_DEVICE A finish(state const& s) const {
    return detail::convert<A>(number_of(s));
  }
  template <class A>
  THRUST_HIST_HOST_DEVICE A finish_with(state const& s, A const& old) const {
    return numbers.template finish_with<A>(number_of(s), old);
  }

private:
  using key = typename real_format<Value>::key;
  using rank = std::make_unsigned_t<key>;
  static constexpr bool is_maximum = Kind == operator_kind::maximum;
  static constexpr int fraction = real_format<Value>::digits - 1;
  static constexpr rank infinity = static_cast<rank>(max_of<key>) >> fraction << fraction;

  /// Numbers lie between 0, -infinity for a minimum, and twice the key of infinity.
  THRUST_HIST_HOST_DEVICE static rank rank_of(value x) {
    auto const k = static_cast<rank>(detail::order_key(x));
    return infinity + (is_maximum ? 0 - k : k);
  }
  /// Zeros are +0.
  THRUST_HIST_HOST_DEVICE static value number_of(state s) {
    rank const k = detail::bit_cast<rank>(s) - infinity;
    return detail::bit_cast<value>(
        detail::order_key_bits(static_cast<key>(is_maximum ? 0 - k : k)));
  }
  THRUST_HIST_HOST_DEVICE static state with_rank(rank r) { return detail::bit_cast<state>(r); }
  THRUST_HIST_HOST_DEVICE static void pick(state& s, rank other) {
    auto const own = detail::bit_cast<rank>(s);
    s = with_rank(other < own ? other : own);
  }
};

/// A fold as it is done on the host.
template <class Fold>
Fold fold_on_host(Fold const& fold) {
  return fold;
}
template <class Value, operator_kind Kind>
auto fold_on_host(plain_fold<Value, known_operator<Kind>> const& fold) {
  constexpr bool picks = Kind == operator_kind::minimum || Kind == operator_kind::maximum;
  if constexpr (picks && std::is_floating_point_v<Value> && is_real_sample<Value>) {
    return ranked_fold<Value, Kind>{fold};
  } else {
    return fold;
  }
}

}  // namespace sequential
}  // namespace detail
THRUST_HIST_NAMESPACE_END
