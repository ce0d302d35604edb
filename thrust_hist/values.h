// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// What a bin can hold beside a number: a sum that is not rounded, a sum of weights with its error.
/// All are trivially copyable, `{}` is the empty sum with all bytes 0, and they are used alike in
/// host and device code.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/long_accumulator.h>
#include <thrust_hist/detail/round_limbs.h>

#include <cstdint>

THRUST_HIST_TYPES_BEGIN

/// A sum of floats or doubles without any rounding. It depends on what was added alone: not on the
/// order, nor on how the addends were divided among threads, devices or files and merged. Equal
/// sums are equal byte for byte. It is rounded once, when its value is asked for.
///
/// \tparam T float or double. What is added is converted to T first; the 16-bit types are floats.
///
/// Infinities and NaN are as IEEE addition has them: infinities of both signs make NaN, and the
/// finite addends no longer matter. There is no overflow on the way: `{}` plus the largest number
/// twice, less itself once, is the largest number. There is room for 2^42 addends of the largest
/// float, 2^45 of the largest double, and more of smaller ones; beyond, the sum wraps around.
///
/// sizeof is 44 bytes for float and 272 for double. An addition takes as long as the carry runs,
/// some nanoseconds, so that a sum which keeps changing its sign is the slowest.
template <class T>
class exact_sum {
public:
  using value_type = T;

  /// The empty sum, 0.
  exact_sum() = default;
  THRUST_HIST_HOST_DEVICE explicit exact_sum(T x) noexcept { *this += x; }

  THRUST_HIST_HOST_DEVICE exact_sum& operator+=(T x) noexcept {
    detail::dissected<T> const parts = detail::dissect(x);
    if ((specials_ | parts.kind) != 0) {
      be_special(specials_ | parts.kind);
      return *this;
    }
    detail::digit_run<T> const run = detail::digits_of(parts);
    std::int64_t carry = 0;
    for (int k = 0; k < detail::digit_run<T>::count; ++k) {
      carry = add_at(run.limb + k, run.digit[k] + carry);
    }
    for (int i = run.limb + detail::digit_run<T>::count; i < limbs && carry != 0; ++i) {
      carry = add_at(i, carry);
    }
    return *this;
  }

  THRUST_HIST_HOST_DEVICE exact_sum& operator+=(exact_sum const& other) noexcept {
    if ((specials_ | other.specials_) != 0) {
      be_special(specials_ | other.specials_);
      return *this;
    }
    std::int64_t carry = 0;
    for (int i = 0; i < limbs; ++i) {
      carry = add_at(i, other.limb_[i] + carry);
    }
    return *this;
  }

  THRUST_HIST_HOST_DEVICE friend exact_sum operator+(
      exact_sum const& a, exact_sum const& b) noexcept {
    exact_sum sum = a;
    sum += b;
    return sum;
  }

  /// Whether the two sums are the same number; NaN is the same as NaN.
  THRUST_HIST_HOST_DEVICE friend bool operator==(exact_sum const& a, exact_sum const& b) noexcept {
    bool equal = a.specials_ == b.specials_;
    for (int i = 0; i < limbs; ++i) {
      equal &= a.limb_[i] == b.limb_[i];
    }
    return equal;
  }
  THRUST_HIST_HOST_DEVICE friend bool operator!=(exact_sum const& a, exact_sum const& b) noexcept {
    return !(a == b);
  }

  /// The sum, rounded to nearest, ties to even. 0 is +0, what is too large an infinity, NaN the
  /// positive quiet NaN whose other fraction bits are 0.
  THRUST_HIST_HOST_DEVICE T value() const noexcept { return value_as<T>(); }

  /// The same as a float, a double, or with CUDA a __half or __nv_bfloat16: rounded once, not by
  /// way of T.
  template <class To>
  THRUST_HIST_HOST_DEVICE To value_as() const noexcept {
    return detail::round_limbs<To, T>(limb_, specials_);
  }

  /// From the form in which algorithms add, which need not be normalised.
  THRUST_HIST_HOST_DEVICE explicit exact_sum(detail::carry_save<T> const& sum) noexcept {
    std::int64_t carry = 0;
    for (int i = 0; i < limbs; ++i) {
      carry = add_at(i, sum.limb[i] + carry);
    }
    if (sum.specials != 0) {
      be_special(static_cast<std::uint32_t>(sum.specials));
    }
  }
  /// To the form in which algorithms add, normalised.
  THRUST_HIST_HOST_DEVICE explicit operator detail::carry_save<T>() const noexcept {
    detail::carry_save<T> sum;
    for (int i = 0; i < limbs; ++i) {
      sum.limb[i] = limb_[i];
    }
    sum.limb[limbs - 1] = static_cast<std::int32_t>(limb_[limbs - 1]);
    sum.specials = specials_;
    return sum;
  }

private:
  static constexpr int limbs = detail::limb_format<T>::limbs;

  /// Adds to a limb; what it returns is due to the next one.
  THRUST_HIST_HOST_DEVICE std::int64_t add_at(int i, std::int64_t summand) noexcept {
    std::int64_t const sum = limb_[i] + summand;
    limb_[i] = static_cast<std::uint32_t>(sum);
    return sum >> 32;
  }

  /// One form for each of the three values.
  THRUST_HIST_HOST_DEVICE void be_special(std::uint32_t flags) noexcept {
    for (int i = 0; i < limbs; ++i) {
      limb_[i] = 0;
    }
    bool const is_infinite = flags == detail::plus_infinity || flags == detail::minus_infinity;
    specials_ = is_infinite ? flags : detail::not_a_number;
  }

  std::uint32_t limb_[limbs] = {};  // see detail::limb_format
  std::uint32_t specials_ = 0;      // a value of detail::special
};

/// A sum of weights, and that of their squares: the statistical error of a bin of independent
/// weights is sqrt(sum_of_squares), which for weights of 1 is the usual sqrt(count).
template <class T>
struct weighted_sum {
  T sum{};
  T sum_of_squares{};

  constexpr weighted_sum() noexcept = default;
  THRUST_HIST_HOST_DEVICE constexpr weighted_sum(T sum, T sum_of_squares) noexcept
      : sum(sum), sum_of_squares(sum_of_squares) {}
  /// The contribution of one sample of weight w: weights may go into such bins as they are.
  THRUST_HIST_HOST_DEVICE constexpr explicit weighted_sum(T w) noexcept
      : sum(w), sum_of_squares(static_cast<T>(w * w)) {}
  THRUST_HIST_HOST_DEVICE static weighted_sum of(T w) noexcept { return weighted_sum(w); }

  THRUST_HIST_HOST_DEVICE weighted_sum& operator+=(weighted_sum const& other) noexcept {
    sum = static_cast<T>(sum + other.sum);
    sum_of_squares = static_cast<T>(sum_of_squares + other.sum_of_squares);
    return *this;
  }
  THRUST_HIST_HOST_DEVICE friend weighted_sum operator+(
      weighted_sum a, weighted_sum const& b) noexcept {
    a += b;
    return a;
  }
  THRUST_HIST_HOST_DEVICE friend bool operator==(
      weighted_sum const& a, weighted_sum const& b) noexcept {
    return a.sum == b.sum && a.sum_of_squares == b.sum_of_squares;
  }
  THRUST_HIST_HOST_DEVICE friend bool operator!=(
      weighted_sum const& a, weighted_sum const& b) noexcept {
    return !(a == b);
  }
};

THRUST_HIST_TYPES_END
