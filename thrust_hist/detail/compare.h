// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// `at_or_below(edge, x)`: edge <= x between any two arithmetic types at their mathematical values,
/// never through a common type; and the search for a bin that rests on it.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/samples.h>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {

/// edge <= x for two integers, a negative one below every unsigned one.
template <class Edge, class X>
THRUST_HIST_HOST_DEVICE inline bool integer_at_or_below(Edge edge, X x) noexcept {
  if constexpr (std::is_signed_v<Edge> == std::is_signed_v<X>) {
    return edge <= x;
  } else if constexpr (std::is_signed_v<Edge>) {
    return edge < 0 || static_cast<std::make_unsigned_t<Edge>>(edge) <= x;
  } else {
    return x >= 0 && edge <= static_cast<std::make_unsigned_t<X>>(x);
  }
}

/// Below this magnitude every integer is a double; from it on every double is an integer.
inline constexpr double exact_integers = 0x1p53;

/// edge <= x for a double (no NaN) and an integer.
template <class X>
THRUST_HIST_HOST_DEVICE inline bool real_at_or_below_integer(double edge, X x) noexcept {
  if (edge >= 0x1p64 || edge < -0x1p63) {
    return edge < 0;
  }
  if (edge >= exact_integers || edge <= -exact_integers) {
    return static_cast<int128>(edge) <= static_cast<int128>(x);
  }
  // Conversion rounds x only beyond 2^53, where it stays on the same side of this edge.
  return detail::order_key(edge) <= detail::order_key(static_cast<double>(x));
}

/// x <= edge for an integer and a double (no NaN).
template <class X>
THRUST_HIST_HOST_DEVICE inline bool integer_at_or_below_real(X x, double edge) noexcept {
  if (edge >= 0x1p64 || edge < -0x1p63) {
    return edge > 0;
  }
  if (edge >= exact_integers || edge <= -exact_integers) {
    return static_cast<int128>(x) <= static_cast<int128>(edge);
  }
  return detail::order_key(static_cast<double>(x)) <= detail::order_key(edge);
}

/// edge <= x. Neither may be NaN.
template <class Edge, class X>
THRUST_HIST_HOST_DEVICE inline bool at_or_below(Edge edge, X x) noexcept {
  if constexpr (is_integer_sample<Edge> && is_integer_sample<X>) {
    return integer_at_or_below(static_cast<integer_t<Edge>>(edge), static_cast<integer_t<X>>(x));
  } else if constexpr (is_integer_sample<Edge>) {
    return integer_at_or_below_real(
        static_cast<integer_t<Edge>>(edge), real_format<X>::to_double(x));
  } else if constexpr (is_integer_sample<X>) {
    return real_at_or_below_integer(
        real_format<Edge>::to_double(edge), static_cast<integer_t<X>>(x));
  } else if constexpr (std::is_same_v<Edge, X>) {
    return detail::order_key(edge) <= detail::order_key(x);
  } else {
    return detail::order_key(real_format<Edge>::to_double(edge)) <=
           detail::order_key(real_format<X>::to_double(x));
  }
}

/// The last i in [0, n) for which `reached(i)` holds, or 0 where there is none. `reached` is true
/// up to some i and false from there on. Gallops from `guess`: two calls where the guess is right,
/// a logarithmic number of them wherever it is.
template <class Index, class Reached>
THRUST_HIST_HOST_DEVICE inline Index last_reached(Index guess, Index n, Reached reached) {
  Index low = guess;
  Index high = guess;
  Index step = 1;
  if (reached(guess)) {
    high = n - low > step ? low + step : n;
    while (high < n && reached(high)) {
      low = high;
      step = step < n / 2 ? step * 2 : step;
      high = n - low > step ? low + step : n;
    }
  } else {
    low = high > step ? high - step : 0;
    while (low > 0 && !reached(low)) {
      high = low;
      step = step < n / 2 ? step * 2 : step;
      low = high > step ? high - step : 0;
    }
  }
  while (high - low > 1) {
    Index const middle = low + (high - low) / 2;
    (reached(middle) ? low : high) = middle;
  }
  return low;
}

}  // namespace detail
THRUST_HIST_NAMESPACE_END
