// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Edges and samples as integers that compare as they do.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/samples.h>

#include <cstdint>
#include <type_traits>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {

/// Whether edges, samples or both are floating-point numbers.
template <class Edge, class S>
inline constexpr bool are_real_keys = is_real_sample<Edge> || is_real_sample<S>;

/// Whether a double is every number of a type.
template <class X>
inline constexpr bool fits_double = is_real_sample<X> || sizeof(X) <= 4;

/// Whether one type of integers holds edges and samples in their order.
template <class Edge, class S>
THRUST_HIST_HOST_DEVICE constexpr bool have_common_key() {
  if constexpr (are_real_keys<Edge, S>) {
    return fits_double<Edge> && fits_double<S>;
  } else {
    using edge = integer_t<Edge>;
    using sample = integer_t<S>;
    constexpr bool edges_fit = std::is_signed_v<edge> || sizeof(edge) <= 4;
    constexpr bool samples_fit = std::is_signed_v<sample> || sizeof(sample) <= 4;
    return std::is_signed_v<edge> == std::is_signed_v<sample> || (edges_fit && samples_fit);
  }
}

/// That integer.
template <class Edge, class S, class X>
THRUST_HIST_HOST_DEVICE auto common_key(X x) noexcept {
  if constexpr (!are_real_keys<Edge, S>) {
    constexpr bool alike = std::is_signed_v<integer_t<Edge>> == std::is_signed_v<integer_t<S>>;
    using key =
        std::conditional_t<alike, std::common_type_t<integer_t<Edge>, integer_t<S>>, std::int64_t>;
    return static_cast<key>(static_cast<integer_t<X>>(x));
  } else if constexpr (std::is_same_v<Edge, S>) {
    return detail::order_key(x);
  } else if constexpr (is_real_sample<X>) {
    return detail::order_key(real_format<X>::to_double(x));
  } else {
    return detail::order_key(static_cast<double>(static_cast<integer_t<X>>(x)));
  }
}

/// Of infinity; those of NaNs are larger, or less than that of minus infinity.
template <class Edge, class S>
THRUST_HIST_HOST_DEVICE constexpr auto infinite_key() {
  using format = real_format<std::conditional_t<std::is_same_v<Edge, S>, S, double>>;
  using key = typename format::key;
  constexpr int fraction = format::digits - 1;
  return static_cast<key>(
      static_cast<std::make_unsigned_t<key>>(max_of<key>) >> fraction << fraction);
}

/// The same without a sign and with 32 or 64 bits.
template <class Edge, class S, class X>
THRUST_HIST_HOST_DEVICE auto unsigned_key(X x) noexcept {
  auto const k = detail::common_key<Edge, S>(x);
  using key = std::conditional_t<(sizeof k > 4), std::uint64_t, std::uint32_t>;
  if constexpr (std::is_signed_v<std::remove_const_t<decltype(k)>>) {
    constexpr key sign = key{1} << (sizeof(key) * 8 - 1);
    return static_cast<key>(static_cast<key>(k) ^ sign);
  } else {
    return static_cast<key>(k);
  }
}

}  // namespace detail
THRUST_HIST_NAMESPACE_END
