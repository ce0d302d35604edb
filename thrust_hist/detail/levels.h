// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// The two levels of even bins: each is kept at its mathematical value, whatever its type.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/compare.h>
#include <thrust_hist/detail/samples.h>
#include <thrust_hist/errors.h>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {

/// An integer of up to 64 bits, signed or not, or a double.
struct level {
  bool is_real;
  std::int64_t integer;  // the lower 64 bits, two's complement
  bool negative;         // the sign of an integer
  double real;           // the value as a double, rounded once

  THRUST_HIST_HOST_DEVICE int128 exact() const noexcept {
    return negative ? static_cast<int128>(integer)
                    : static_cast<int128>(static_cast<std::uint64_t>(integer));
  }
};

template <class T>
level make_level(T value) noexcept {
  static_assert(
      std::is_arithmetic_v<T> || is_integer_sample<T> || is_real_sample<T>,
      "thrust_hist: the levels of even bins must be numbers.");
  if constexpr (is_integer_sample<T>) {
    auto const integer = static_cast<integer_t<T>>(value);
    return {
        false, static_cast<std::int64_t>(integer), is_negative(integer),
        static_cast<double>(integer)};
  } else if constexpr (is_real_sample<T>) {
    return {true, 0, false, real_format<T>::to_double(value)};
  } else if constexpr (std::is_arithmetic_v<T>) {  // long double
    return {true, 0, false, static_cast<double>(value)};
  } else {
    return {};
  }
}

/// lower < upper, at their exact values.
inline bool is_below(level const& lower, level const& upper) noexcept {
  if (lower.is_real && upper.is_real) {
    return detail::order_key(lower.real) < detail::order_key(upper.real);
  }
  if (lower.is_real) {
    return upper.negative
               ? !integer_at_or_below_real(upper.integer, lower.real)
               : !integer_at_or_below_real(static_cast<std::uint64_t>(upper.integer), lower.real);
  }
  if (upper.is_real) {
    return lower.negative
               ? !real_at_or_below_integer(upper.real, lower.integer)
               : !real_at_or_below_integer(upper.real, static_cast<std::uint64_t>(lower.integer));
  }
  return lower.exact() < upper.exact();
}

inline std::string to_text(level const& l) {
  return l.is_real    ? to_text(l.real)
         : l.negative ? to_text(l.integer)
                      : to_text(static_cast<std::uint64_t>(l.integer));
}

/// Throws std::invalid_argument naming both levels.
[[noreturn]] inline void throw_levels(level const& lower, level const& upper, char const* why) {
  throw std::invalid_argument(
      "thrust_hist: lower = " + to_text(lower) + " must be below upper = " + to_text(upper) + why);
}

inline void require_finite(char const* parameter, level const& l) {
  if (l.is_real && !is_finite(l.real)) {
    throw_invalid(parameter, l.real, "must be finite");
  }
}

}  // namespace detail
THRUST_HIST_NAMESPACE_END
