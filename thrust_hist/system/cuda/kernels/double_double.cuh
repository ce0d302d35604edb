// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Exact sums of a few numbers in registers: two doubles that are not added up (T. J. Dekker, "A
/// floating-point technique for extending the available precision", 1971), which know whether they
/// have lost anything.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/exact_folds.h>
#include <thrust_hist/detail/fold.h>
#include <thrust_hist/detail/long_accumulator.h>
#include <thrust_hist/detail/round_limbs.h>
#include <thrust_hist/values.h>

#include <cstdint>
#include <type_traits>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {
#pragma GCC visibility push(hidden)

/// a + b as a double, and what that is off: their sum is a + b (D. E. Knuth's TwoSum), whatever
/// flags say of device code.
struct two_sum {
  double sum, error;

  THRUST_HIST_HOST_DEVICE two_sum(double a, double b) : sum(plus(a, b)) {
    double const of_b = plus(sum, -a);
    error = plus(plus(a, -plus(sum, -of_b)), plus(b, -of_b));
  }

private:
  THRUST_HIST_HOST_DEVICE static double plus(double a, double b) {
#if defined(__CUDA_ARCH__)
    return __dadd_rn(a, b);
#else
    return a + b;
#endif
  }
};

/// high + low, and high is that rounded. Infinities and NaN are high + 0. Where low is no number,
/// the sum is not known.
struct double_double {
  double high, low;

  THRUST_HIST_HOST_DEVICE bool is_known() const { return !is_special(low); }
  /// Whether x is infinite or no number, whatever flags do to comparisons.
  THRUST_HIST_HOST_DEVICE static bool is_special(double x) {
    return (detail::bit_cast<std::uint64_t>(x) >> 52 & 0x7ff) == 0x7ff;
  }
};

/// Sums of float or double: exact as long as their bits lie within 106 neighbouring ones, and
/// unknown else.
template <class Value>
struct double_double_fold {
  using value = Value;
  using state = double_double;
  static constexpr operator_kind kind = operator_kind::sum;
  static constexpr bool exact = true;
  static constexpr std::uint64_t additions_at_once = max_of<std::uint64_t>;

  THRUST_HIST_HOST_DEVICE state start(value x) const { return {detail::convert<double>(x), 0}; }
  THRUST_HIST_HOST_DEVICE void add(state& s, value x) const { merge(s, start(x)); }
  THRUST_HIST_HOST_DEVICE void merge(state& s, state const& other) const {
    two_sum const high(s.high, other.high);
    two_sum const low(s.low, other.low);
    if (high.error == 0 && low.sum == 0) {  // as of most floats
      s = {high.sum, 0};
      return;
    }
    bool const are_known = !state::is_special(low.sum);
    if (state::is_special(high.sum)) {
      bool const is_sum = state::is_special(s.high) || state::is_special(other.high);
      s = {high.sum, is_sum && are_known ? 0 : unknown()};  // else it is too large
      return;
    }
    two_sum const middle(high.error, low.sum);
    two_sum const top(high.sum, middle.sum);
    two_sum const rest(middle.error, low.error);
    two_sum const bottom(top.error, rest.sum);
    two_sum const all(top.sum, bottom.sum);
    bool const is_exact = are_known && rest.error == 0 && bottom.error == 0;
    s = {all.sum, is_exact ? all.error : unknown()};
  }
  THRUST_HIST_HOST_DEVICE void settle(state&) const {}
  /// Of a sum that is known: what exact_sum_fold makes of the same numbers.
  template <class A>
  THRUST_HIST_HOST_DEVICE A finish(state const& s) const {
    if constexpr (std::is_same_v<A, exact_sum<Value>>) {
      carry_save<Value> limbs = {};
      add_to_limbs(limbs, s.high);
      add_to_limbs(limbs, s.low);
      return A(limbs);
    } else {
      using rounded =
          std::conditional_t<is_real_sample<A>, A, Value>;  // integers take it from there
      return detail::convert<A>(round<rounded>(s));
    }
  }

private:
  THRUST_HIST_HOST_DEVICE static double unknown() {
    return detail::bit_cast<double>(std::uint64_t{0x7ff8} << 48);
  }

  /// A double is a multiple of the unit of Value, if it is a part of a sum of these.
  THRUST_HIST_HOST_DEVICE static void add_to_limbs(carry_save<Value>& limbs, double x) {
    constexpr int coarser = limb_format<Value>::lowest - limb_format<double>::lowest;
    dissected<double> parts = detail::dissect(x);
    int const below = parts.position < coarser ? coarser - parts.position : 0;
    parts.significand = below < 63 ? parts.significand >> below : 0;
    parts.position = parts.position + below - coarser;
    digit_run<double> const run = detail::digits_of(parts);
    for (int k = 0; k < digit_run<double>::count; ++k) {
      if (run.limb + k < carry_save<Value>::limbs) {  // above, digits are 0
        limbs.limb[run.limb + k] += run.digit[k];
      }
    }
    limbs.specials |= parts.kind;
  }

  /// Once, from both parts: of the lower one only the sign matters, since a double has more digits
  /// than what is rounded to, or is high itself.
  template <class To>
  THRUST_HIST_HOST_DEVICE static To round(state const& s) {
    dissected<double> const high = detail::dissect(s.high);
    if (high.kind != special::finite) {
      return detail::special_value<To>(high.kind);
    }
    if (high.significand == 0) {
      return detail::from_pattern<To>(false, 0);
    }
    bool const is_negative = high.significand < 0;
    auto const size =
        static_cast<std::uint64_t>(is_negative ? -high.significand : high.significand);
    int const zeros = detail::leading_zeros(size);
    magnitude m = {size << zeros, limb_format<double>::lowest + high.position - zeros, s.low != 0};
    if (s.low != 0 && (s.low < 0) != is_negative) {  // a little less
      --m.leading;
      if ((m.leading >> 63) == 0) {
        m.leading = m.leading * 2 + 1;
        --m.exponent;
      }
    }
    return detail::round_magnitude<To>(is_negative, m);
  }
};

/// What the values of a run are folded by, side by side: a fold itself, but for long accumulators,
/// which have no room in registers.
template <class Fold>
struct run_fold_of {
  using type = Fold;
};
template <class Value>
struct run_fold_of<exact_sum_fold<Value>> {
  using type = double_double_fold<Value>;
};
template <class Fold>
using run_fold_t = typename run_fold_of<Fold>::type;

/// Whether some rows may have to be summed once more.
template <class Fold>
inline constexpr bool may_lose_bits = !std::is_same_v<run_fold_t<Fold>, Fold>;

#pragma GCC visibility pop
}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
