// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Numbers as words that the hardware's atomics can fold: integers as they are, real numbers, of
/// which the least or the greatest is wanted, by a key with the same order.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/fold.h>

#include <cstdint>
#include <type_traits>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {

/// Whether a fold of numbers is one of the hardware's atomics on shared and global memory.
template <class Value, operator_kind Kind>
inline constexpr bool folds_by_atomics =
    (std::is_integral_v<Value> && !std::is_same_v<Value, bool> &&
     (Kind == operator_kind::sum || Kind == operator_kind::bit_and ||
      Kind == operator_kind::bit_or || Kind == operator_kind::bit_xor)) ||
    (((std::is_integral_v<Value> && !std::is_same_v<Value, bool>) ||
      std::is_floating_point_v<
          Value>)&&(Kind == operator_kind::minimum || Kind == operator_kind::maximum));

/// The word that holds a number while it is folded.
template <class Value, operator_kind Kind>
struct atomic_word {
  static constexpr bool picks = Kind == operator_kind::minimum || Kind == operator_kind::maximum;
  static constexpr bool is_signed = picks && std::is_signed_v<Value>;  // real numbers too
  static constexpr bool is_wide = sizeof(Value) == 8;
  using type = std::conditional_t<
      is_wide, std::conditional_t<is_signed, long long, unsigned long long>,
      std::conditional_t<is_signed, int, unsigned>>;

  __device__ static type encode(Value x) {
    if constexpr (std::is_floating_point_v<Value>) {
      return detail::order_key(x);
    } else {
      return static_cast<type>(x);
    }
  }
  __device__ static Value decode(type word) {
    if constexpr (std::is_floating_point_v<Value>) {
      return detail::bit_cast<Value>(
          detail::order_key_bits(static_cast<typename real_format<Value>::key>(word)));
    } else {
      return static_cast<Value>(word);
    }
  }
  /// NaN is never the least nor the greatest.
  __device__ static bool counts(Value x) {
    if constexpr (std::is_floating_point_v<Value>) {
      return !detail::is_nan(x);
    } else {
      return true;
    }
  }
  __device__ static type fold(type a, type b) {
    if constexpr (Kind == operator_kind::sum) {
      return a + b;
    } else if constexpr (Kind == operator_kind::minimum) {
      return b < a ? b : a;
    } else if constexpr (Kind == operator_kind::maximum) {
      return a < b ? b : a;
    } else if constexpr (Kind == operator_kind::bit_and) {
      return a & b;
    } else if constexpr (Kind == operator_kind::bit_or) {
      return a | b;
    } else {
      return a ^ b;
    }
  }
  __device__ static void fold_atomically(type* place, type x) {
    if constexpr (Kind == operator_kind::sum) {
      atomicAdd(place, x);
    } else if constexpr (Kind == operator_kind::minimum) {
      atomicMin(place, x);
    } else if constexpr (Kind == operator_kind::maximum) {
      atomicMax(place, x);
    } else if constexpr (Kind == operator_kind::bit_and) {
      atomicAnd(place, x);
    } else if constexpr (Kind == operator_kind::bit_or) {
      atomicOr(place, x);
    } else {
      atomicXor(place, x);
    }
  }
};

}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
