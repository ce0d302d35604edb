// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// The bits by which CUB sorts a number, for who goes on where it has left off.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/ieee.h>
#include <thrust_hist/detail/samples.h>
#include <thrust_hist/detail/sparse_keys.h>

#include <cstdint>
#include <type_traits>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {
#pragma GCC visibility push(hidden)

/// They are in order as unsigned numbers. Not codes: those of negative real numbers are higher by
/// one, since codes have one zero. CUB leaves a gap where -0 was.
template <class Number>
struct radix_word {
  static constexpr bool is_real = is_real_sample<Number>;
  using type = typename code_of_size<sizeof(Number)>::type;

  __device__ static type of(Number x) {
    if constexpr (is_real) {
      constexpr type sign = type{1} << (8 * sizeof(type) - 1);
      type const bits = detail::bit_cast<type>(x);
      return bits == sign || (bits & sign) == 0 ? bits | sign : static_cast<type>(~bits);
    } else {
      return number_code<Number>::encode(x);
    }
  }
  /// Of integers, which it tells.
  __device__ static Number number(type word) {
    static_assert(!is_real, "one word for both zeros");
    return number_code<Number>::decode(word);
  }
};

#pragma GCC visibility pop
}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
