// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// What values are folded into: which type, by which operator, from which identity; and how the
/// result becomes a value of the output. All systems fold by the same description.
///
/// A fold has a `value`, what one input brings, and a `state`, what a bin holds: `empty()` makes
/// one, `add(state, value)` and `merge(state, other)` change it, and `finish<A>(state)` is the
/// result in the output's type A, or `finish_with<A>(state, old)` to accumulate. Where the operator
/// is a user's, `absorb(state, old)` is the part of this that calls it. After `additions_at_once` a
/// state wants `settle(state)`.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/output.h>
#include <thrust_hist/operators.h>
#include <thrust_hist/values.h>

#include <thrust/complex.h>

#include <cstdint>
#include <type_traits>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {

/// A real number in another real type, rounded once where it is narrower. Subnormal numbers count,
/// whatever flags say.
template <class To, class From>
THRUST_HIST_HOST_DEVICE To convert_real(From const& x) {
#if defined(__CUDA_ARCH__)
  if constexpr (std::is_same_v<From, float> && std::is_same_v<To, double>) {
    double wide;  // one instruction; a cast would flush under --use_fast_math
    asm("cvt.f64.f32 %0, %1;" : "=d"(wide) : "f"(x));
    return wide;
  }
#endif
  return real_format<To>::from_double(real_format<From>::to_double(x));
}

/// A value in another type, as a cast has it.
template <class To, class From>
THRUST_HIST_HOST_DEVICE To convert(From const& x) {
  if constexpr (std::is_same_v<To, From>) {
    return x;
  } else if constexpr (is_real_sample<From> && is_real_sample<To>) {
    return detail::convert_real<To>(x);
  } else if constexpr (is_real_sample<From> && !std::is_arithmetic_v<From>) {
    return detail::convert<To>(real_format<From>::to_double(x));
  } else if constexpr (is_real_sample<To> && !std::is_arithmetic_v<To>) {
    return real_format<To>::from_double(static_cast<double>(x));
  } else {
    static_assert(
        std::is_scalar_v<To> || !std::is_aggregate_v<To>,
        "thrust_hist: values have another type than what they are folded into, and there is no "
        "constructor for it: make them of that type first (transform_iterator), or give it one.");
    return static_cast<To>(x);
  }
}

// --- the type in which values are folded ----------------------------------------------------

template <class W>
inline constexpr bool is_exact_sum = false;
template <class T>
inline constexpr bool is_exact_sum<exact_sum<T>> = true;

/// What is added to a sum: a number to one that keeps its limbs.
template <class W>
struct addend_of_sum {
  using type = W;
};
template <class T>
struct addend_of_sum<exact_sum<T>> {
  using type = T;
};

template <class T>
inline constexpr bool is_number = std::is_arithmetic_v<T> || is_real_sample<T>;
template <class T>
inline constexpr int digits_of_real = [] {
  if constexpr (is_real_sample<T>) {
    return real_format<T>::digits;
  }
  return 0;
}();

/// At least as wide as A and V where real numbers are summed, float for narrower ones; else A.
template <class A, class V, operator_kind Kind>
struct working_type {
  // No real number in either of them is wider than double.
  static constexpr bool sums_reals =
      Kind == operator_kind::sum && is_number<A> && is_number<V> &&
      (is_real_sample<A> || is_real_sample<V>)&&!std::is_same_v<A, long double> &&
      !std::is_same_v<V, long double>;
  static constexpr int digits =
      digits_of_real<A> > digits_of_real<V> ? digits_of_real<A> : digits_of_real<V>;
  static constexpr bool is_narrow = is_real_sample<A> && !std::is_arithmetic_v<A>;
  using type = std::conditional_t<
      sums_reals, std::conditional_t<(digits > 24), double, float>,
      std::conditional_t<is_narrow, float, A>>;
};
template <class A, class V, operator_kind Kind>
struct working_type<thrust::complex<A>, thrust::complex<V>, Kind> {
  using type = thrust::complex<typename working_type<A, V, Kind>::type>;
};
template <class A, class V, operator_kind Kind>
using working_t = typename working_type<A, V, Kind>::type;

// --- folds ----------------------------------------------------------------------------------

/// The old value of an output and the result of a minimum or maximum: zeros have one sign.
template <class T>
THRUST_HIST_HOST_DEVICE T with_one_zero(T x) {
  if constexpr (is_real_sample<T>) {
    return detail::order_key(x) == 0 ? T{} : x;
  } else {
    return x;
  }
}

/// A fold by an operator, any type.
template <class Value, class Op>
struct plain_fold {
  using value = Value;
  using state = Value;
  static constexpr operator_kind kind = operator_kind::other;
  static constexpr bool exact = false;
  static constexpr std::uint64_t additions_at_once = max_of<std::uint64_t>;
  Op op;
  Value identity;

  THRUST_HIST_HOST_DEVICE state empty() const { return identity; }
  THRUST_HIST_EXEC_CHECK_DISABLE
  THRUST_HIST_HOST_DEVICE void add(state& s, value const& x) const {
    s = static_cast<Value>(op(s, x));
  }
  THRUST_HIST_HOST_DEVICE void merge(state& s, state const& other) const { add(s, other); }
  THRUST_HIST_HOST_DEVICE void settle(state&) const {}
  THRUST_HIST_EXEC_CHECK_DISABLE
  template <class A>
  THRUST_HIST_HOST_DEVICE void absorb(state& s, A const& old) const {
    s = static_cast<Value>(op(detail::convert<Value>(old), s));
  }
  THRUST_HIST_EXEC_CHECK_DISABLE
  template <class A>
  THRUST_HIST_HOST_DEVICE A finish(state const& s) const {
    return detail::convert<A>(s);
  }
  template <class A>
  THRUST_HIST_HOST_DEVICE A finish_with(state s, A const& old) const {
    absorb(s, old);
    return finish<A>(s);
  }
};

/// A fold of numbers by an operator that is known.
template <class Value, operator_kind Kind>
struct plain_fold<Value, known_operator<Kind>> {
  using value = Value;
  using state = Value;
  static constexpr operator_kind kind = Kind;
  static constexpr bool exact = std::is_integral_v<Value> || Kind == operator_kind::minimum ||
                                Kind == operator_kind::maximum || is_exact_sum<Value>;
  static constexpr std::uint64_t additions_at_once = max_of<std::uint64_t>;
  known_operator<Kind> op;
  Value identity;

  THRUST_HIST_HOST_DEVICE state empty() const { return identity; }
  THRUST_HIST_HOST_DEVICE void add(state& s, value const& x) const { s = op(s, x); }
  THRUST_HIST_HOST_DEVICE void merge(state& s, state const& other) const { s = op(s, other); }
  THRUST_HIST_HOST_DEVICE void settle(state&) const {}
  template <class A>
  THRUST_HIST_HOST_DEVICE A finish(state const& s) const {
    return detail::convert<A>(tidy(s));
  }
  /// A bin without values keeps what it has.
  template <class A>
  THRUST_HIST_HOST_DEVICE A finish_with(state const& s, A const& old) const {
    if (is_neutral(s)) {
      return old;
    }
    if constexpr (Kind == operator_kind::sum && is_real_sample<Value> && is_number<A>) {
      if constexpr (!is_real_sample<A> || digits_of_real < A >> digits_of_real<Value>) {
        return op(old, finish<A>(s));  // in the output's type, which may hold more than Value
      }
    }
    return finish<A>(op(detail::convert<Value>(old), s));
  }

private:
  THRUST_HIST_HOST_DEVICE bool is_neutral(state const& s) const {
    if constexpr (is_real_sample<Value>) {
      return detail::order_key(s) == detail::order_key(identity);
    } else if constexpr (std::is_arithmetic_v<Value>) {
      return s == identity;
    } else {
      return false;
    }
  }
  THRUST_HIST_HOST_DEVICE static Value tidy(Value const& x) {
    constexpr bool picks = Kind == operator_kind::minimum || Kind == operator_kind::maximum;
    if constexpr (picks) {
      return detail::with_one_zero(x);
    } else {
      return x;
    }
  }
};

/// A fold as an operator.
template <class Fold>
struct fold_two {
  using value = typename Fold::value;
  Fold fold;
  THRUST_HIST_EXEC_CHECK_DISABLE
  THRUST_HIST_HOST_DEVICE value operator()(value a, value const& b) const {
    fold.add(a, b);
    return a;
  }
};

// --- the output -----------------------------------------------------------------------------

/// What a type can be assigned from only if it takes everything, as what discard_iterator refers to
/// does.
struct nobody_knows_this {};

/// What the output holds: its value type, or where it has none (discard_iterator), Fallback.
template <class Out, class Fallback, class = void>
struct folded_of {
  using type = Fallback;
  static constexpr bool readable = false;
};
template <class Out, class Fallback>
struct folded_of<
    Out, Fallback,
    std::enable_if_t<
        !std::is_void_v<value_t<Out>> && !std::is_assignable_v<value_t<Out>&, nobody_knows_this>>> {
  using type = value_t<Out>;
  static constexpr bool readable =
      std::is_convertible_v<typename thrust::iterator_traits<Out>::reference, type>;
};

/// The type that is written where the output has none: that in which values are folded, or another
/// that the fold names.
template <class Fold, class = void>
struct written_by {
  using type = typename Fold::value;
};
template <class Fold>
struct written_by<Fold, std::void_t<typename Fold::written>> {
  using type = typename Fold::written;
};

/// Writes what was folded: `out[bin] = s`, or to accumulate `op(out[bin], s)`.
template <class Out, class Fold>
struct fold_writer {
  using output = folded_of<Out, typename written_by<Fold>::type>;
  using folded = typename output::type;
  Out out;
  Fold fold;
  bool accumulate;

  /// `State`: that of the fold, or another that it can finish.
  THRUST_HIST_EXEC_CHECK_DISABLE
  template <class State>
  THRUST_HIST_HOST_DEVICE void operator()(std::uint64_t bin, State const& s) const {
    auto const place = out + static_cast<std::ptrdiff_t>(bin);
    if constexpr (output::readable) {
      if (accumulate) {
        *place = fold.template finish_with<folded>(s, static_cast<folded>(*place));
        return;
      }
    }
    *place = fold.template finish<folded>(s);
  }
};

}  // namespace detail
THRUST_HIST_NAMESPACE_END
