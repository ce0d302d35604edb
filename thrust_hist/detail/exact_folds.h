// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Folds that sum real numbers exactly.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/fold.h>
#include <thrust_hist/detail/long_accumulator.h>
#include <thrust_hist/detail/round_limbs.h>
#include <thrust_hist/values.h>

#include <thrust/complex.h>

#include <cstdint>
#include <type_traits>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {

/// A normalised sum of floats as one of doubles, whose unit is smaller by 2^925.
THRUST_HIST_HOST_DEVICE inline carry_save<double> in_units_of_double(carry_save<float> const& sum) {
  constexpr int finer = limb_format<float>::lowest - limb_format<double>::lowest;
  carry_save<double> wide = {};
  for (int i = 0; i < carry_save<float>::limbs; ++i) {
    std::int64_t const shifted = sum.limb[i] * (std::int64_t{1} << (finer % 32));
    wide.limb[finer / 32 + i] += shifted & 0xffffffff;
    wide.limb[finer / 32 + i + 1] += shifted >> 32;
  }
  wide.specials = sum.specials;
  return wide;
}

/// The sum of real numbers, rounded once at the end; or not at all, into an exact_sum.
template <class Value>
struct exact_sum_fold {
  using value = Value;  ///< float or double
  using state = carry_save<Value>;
  static constexpr operator_kind kind = operator_kind::sum;
  static constexpr bool exact = true;
  static constexpr std::uint64_t additions_at_once = std::uint64_t{1} << 30;

  THRUST_HIST_HOST_DEVICE state empty() const { return state{}; }
  THRUST_HIST_HOST_DEVICE void add(state& s, value x) const { s.add(x); }
  THRUST_HIST_HOST_DEVICE void merge(state& s, state const& other) const { s.add(other); }
  THRUST_HIST_HOST_DEVICE void settle(state& s) const { s.normalize(); }
  template <class A>
  THRUST_HIST_HOST_DEVICE A finish(state s) const {
    if constexpr (std::is_same_v<A, exact_sum<Value>>) {
      return A(s);
    } else {
      s.normalize();
      using rounded =
          std::conditional_t<is_real_sample<A>, A, Value>;  // integers take it from there
      return detail::convert<A>(
          detail::round_limbs<rounded, Value>(s.limb, static_cast<std::uint32_t>(s.specials)));
    }
  }
  template <class A>
  THRUST_HIST_HOST_DEVICE A finish(near_sum<Value> const& s) const {
    if constexpr (std::is_same_v<A, exact_sum<Value>>) {
      return A(s.spread());
    } else {
      using rounded = std::conditional_t<is_real_sample<A>, A, Value>;
      return detail::convert<A>(detail::round_near<rounded>(s));
    }
  }
  /// A bin without values keeps what it has.
  template <class A>
  THRUST_HIST_HOST_DEVICE A finish_with(near_sum<Value> const& s, A const& old) const {
    return s.units == 0 ? old : finish_with<A>(s.spread(), old);
  }
  template <class A>
  THRUST_HIST_HOST_DEVICE A finish_with(state s, A const& old) const {
    if (is_empty(s)) {
      return old;
    }
    if constexpr (std::is_same_v<A, exact_sum<Value>>) {
      s.add(static_cast<state>(old));
      return finish<A>(s);
    } else if constexpr (!is_real_sample<A>) {
      return known_operator<operator_kind::sum>{}(old, finish<A>(s));
    } else if constexpr (std::is_same_v<Value, float> && std::is_same_v<A, double>) {
      exact_sum_fold<double> const wide;
      auto sum = detail::in_units_of_double(s);
      wide.add(sum, old);
      return wide.template finish<double>(sum);
    } else {
      s.add(detail::convert<Value>(old));
      return finish<A>(s);
    }
  }

private:
  THRUST_HIST_HOST_DEVICE static bool is_empty(state& s) {
    s.normalize();
    std::int64_t any = static_cast<std::int64_t>(s.specials);
    for (int i = 0; i < state::limbs; ++i) {
      any |= s.limb[i];
    }
    return any == 0;
  }
};

/// The same for both parts of complex numbers. Systems that fold them by locks know nothing of
/// limbs, so states settle by themselves.
template <class Real>
struct exact_complex_fold {
  struct state {
    carry_save<Real> re;
    carry_save<Real> im;
    std::uint64_t additions;  // since the last merge
  };
  using value = thrust::complex<Real>;
  static constexpr operator_kind kind = operator_kind::sum;
  static constexpr bool exact = true;
  static constexpr std::uint64_t additions_at_once = exact_sum_fold<Real>::additions_at_once;

  THRUST_HIST_HOST_DEVICE state empty() const { return state{}; }
  THRUST_HIST_HOST_DEVICE void add(state& s, value const& x) const {
    s.re.add(x.real());
    s.im.add(x.imag());
    if (++s.additions % additions_at_once == 0) {
      settle(s);
    }
  }
  THRUST_HIST_HOST_DEVICE void merge(state& s, state const& other) const {
    settle(s);
    s.re.add(other.re);
    s.im.add(other.im);
    s.additions = 0;
  }
  THRUST_HIST_HOST_DEVICE void settle(state& s) const {
    s.re.normalize();
    s.im.normalize();
  }
  template <class A>
  THRUST_HIST_HOST_DEVICE A finish(state const& s) const {
    using real = typename A::value_type;
    exact_sum_fold<Real> const part;
    return A(part.template finish<real>(s.re), part.template finish<real>(s.im));
  }
  template <class A>
  THRUST_HIST_HOST_DEVICE A finish_with(state const& s, A const& old) const {
    using real = typename A::value_type;
    exact_sum_fold<Real> const part;
    return A(
        part.template finish_with<real>(s.re, old.real()),
        part.template finish_with<real>(s.im, old.imag()));
  }
};

/// Which fold sums values of a type exactly: void, if none does.
template <class W>
struct exact_fold_of {
  using type = void;
};
template <>
struct exact_fold_of<float> {
  using type = exact_sum_fold<float>;
};
template <>
struct exact_fold_of<double> {
  using type = exact_sum_fold<double>;
};
template <class T>
struct exact_fold_of<exact_sum<T>> {
  using type = exact_sum_fold<T>;
};
template <class T>
struct exact_fold_of<thrust::complex<T>> {
  using type = exact_complex_fold<T>;
};

}  // namespace detail
THRUST_HIST_NAMESPACE_END
