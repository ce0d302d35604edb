// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// How check() compares what a fold wrote with what the baseline did: exactly, or where sums are
/// rounded in any order, within what rounding can do.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/fold.h>
#include <thrust_hist/detail/known_operators.h>
#include <thrust_hist/detail/output.h>
#include <thrust_hist/detail/samples.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {

template <class T, class = void>
inline constexpr bool has_equality = false;
template <class T>
inline constexpr bool has_equality<
    T, std::enable_if_t<std::is_convertible_v<
           decltype(std::declval<T const&>() == std::declval<T const&>()), bool>>> = true;

template <class T>
inline constexpr bool is_weighted_sum = false;
template <class T>
inline constexpr bool is_weighted_sum<weighted_sum<T>> = true;

/// Calls `visit(part, part)` for the parts of two values that are numbers of their own.
THRUST_HIST_EXEC_CHECK_DISABLE
template <class T, class Visit>
THRUST_HIST_HOST_DEVICE void visit_parts(T const& a, T const& b, Visit const& visit);

THRUST_HIST_EXEC_CHECK_DISABLE
template <class T, class Visit, std::size_t... Part>
THRUST_HIST_HOST_DEVICE void visit_each(
    T const& a, T const& b, Visit const& visit, std::index_sequence<Part...>) {
  (detail::visit_parts(tuple_access::coordinate<Part>(a), tuple_access::coordinate<Part>(b), visit),
   ...);
}

THRUST_HIST_EXEC_CHECK_DISABLE
template <class T, class Visit>
THRUST_HIST_HOST_DEVICE void visit_parts(T const& a, T const& b, Visit const& visit) {
  if constexpr (is_complex<T>) {
    visit(a.real(), b.real());
    visit(a.imag(), b.imag());
  } else if constexpr (is_weighted_sum<T>) {
    visit(a.sum, b.sum);
    visit(a.sum_of_squares, b.sum_of_squares);
  } else if constexpr (parts_of < T >> 0) {
    detail::visit_each(a, b, visit, std::make_index_sequence<parts_of<T>>{});
  } else {
    visit(a, b);
  }
}

template <class T>
THRUST_HIST_HOST_DEVICE bool is_finite(T x) noexcept {
  return !detail::is_nan(x) && detail::order_key(x) != detail::order_key(top_of<T>()) &&
         detail::order_key(x) != detail::order_key(bottom_of<T>());
}

// --- the bound ------------------------------------------------------------------------------

/// Of the addends of a bin: how many, and the sum of the magnitudes of all their real parts.
/// What is not finite adds nothing: finite addends do not change what it leads to.
struct addends {
  double magnitude;
  std::uint64_t n;
};
struct add_addends {
  THRUST_HIST_HOST_DEVICE addends operator()(addends const& a, addends const& b) const {
    return {a.magnitude + b.magnitude, a.n + b.n};
  }
};

struct add_magnitude {
  double* sum;
  template <class X>
  THRUST_HIST_HOST_DEVICE void operator()(X const& x, X const&) const {
    if constexpr (is_real_sample<X>) {
      if (detail::is_finite(x)) {
        double const wide = real_format<X>::to_double(x);
        *sum += wide < 0 ? -wide : wide;
      }
    }
  }
};

struct measure_addend {
  template <class T>
  THRUST_HIST_HOST_DEVICE addends operator()(T const& x) const {
    double sum = 0;
    detail::visit_parts(x, x, add_magnitude{&sum});
    return {sum, 1};
  }
};

/// The format that rounds most, among the parts of a type.
struct coarseness {
  int digits = 53;
  double largest = real_format<double>::largest;
  double smallest = real_format<double>::smallest_normal;

  template <class X>
  void operator()(X const&, X const&) {
    if constexpr (is_real_sample<X>) {
      digits = (std::min)(digits, real_format<X>::digits);
      largest = (std::min)(largest, real_format<X>::largest);
      smallest = (std::max)(smallest, real_format<X>::smallest_normal);
    }
  }
  template <class T>
  void look_at(T const& x) {
    detail::visit_parts(x, x, [this](auto const& a, auto const& b) { (*this)(a, b); });
  }
};

/// How far two sums of the same n addends x may be apart, or nothing is known: each addition of
/// either is wrong by at most half a unit in its last place, so each sum by (n - 1) * eps * sum
/// |x|, eps being 2^-digits. One addition more stands for the conversion to the output's type.
/// Where sum |x| is so large that a sum may overflow on its way, only the order decides what comes
/// out.
struct rounding_bound {
  bool known;
  double distance;

  rounding_bound(addends const& a, coarseness const& format) {
    double const n = static_cast<double>(a.n) + 2;
    double const eps = 1 / static_cast<double>(std::uint64_t{1} << format.digits);
    known = a.magnitude < format.largest / 2;
    // The magnitudes are rounded too; denormal numbers may have been flushed.
    distance = 2 * n * (eps * a.magnitude * (1 + n * 0x1p-52) + format.smallest);
  }
};

// --- the comparison -------------------------------------------------------------------------

enum class comparison { none, exact, rounded };

template <class Fold>
inline constexpr bool adds_by_parts = Fold::kind == operator_kind::sum;
template <class Value>
inline constexpr bool adds_by_parts<plain_fold<Value, plus_each>> = true;

/// How results of a fold can be compared. Of an operator that nobody knows, results over real
/// numbers may depend on the order in any way; over a type of the user they are compared, if they
/// can be.
template <class Fold>
constexpr comparison comparison_of() {
  using value = typename Fold::value;
  constexpr bool is_logical =
      Fold::kind == operator_kind::logical_and || Fold::kind == operator_kind::logical_or;
  constexpr bool is_real = is_real_sample<value> || is_complex<value>;
  constexpr bool has_parts = is_real || is_weighted_sum<value> || (parts_of < value >> 0);
  if (Fold::exact || std::is_integral_v<value> || is_logical) {
    return comparison::exact;
  }
  if (adds_by_parts<Fold> && has_parts) {
    return comparison::rounded;
  }
  constexpr bool is_long_double = std::is_floating_point_v<value> && !is_real;
  return has_equality<value> && !is_real && !is_long_double ? comparison::exact : comparison::none;
}

/// Whether two numbers, or values of a type that can be compared, are not the same. NaN equals NaN.
struct find_difference {
  double distance;
  bool* found;

  THRUST_HIST_EXEC_CHECK_DISABLE
  template <class X>
  void operator()(X const& expected, X const& got) const {
    if constexpr (is_real_sample<X>) {
      if (detail::is_nan(expected) || detail::is_nan(got)) {
        *found = *found || detail::is_nan(expected) != detail::is_nan(got);
      } else if (detail::order_key(expected) != detail::order_key(got)) {
        double const apart = real_format<X>::to_double(expected) - real_format<X>::to_double(got);
        *found = *found || !detail::is_finite(expected) || !detail::is_finite(got) ||
                 !(apart <= distance && -apart <= distance);
      }
    } else if constexpr (has_equality<X>) {
      *found = *found || !(expected == got);
    }
  }
};

template <class A>
bool differ(A const& expected, A const& got, double distance) {
  bool found = false;
  detail::visit_parts(expected, got, find_difference{distance, &found});
  return found;
}

/// A value as text, for messages.
template <class A>
std::string value_text(A const& x, char const* of_a_struct) {
  if constexpr (is_number<A>) {
    return counter_text(x);
  } else {
    return of_a_struct;
  }
}

}  // namespace detail
THRUST_HIST_NAMESPACE_END
