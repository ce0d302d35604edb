// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// What samples and edges of range bins are compared as: one type for both, in which comparisons
/// are exact. An edge becomes the least value that reaches it, so that narrow samples among wide
/// edges are compared as narrow ones.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/compare.h>
#include <thrust_hist/detail/ieee.h>
#include <thrust_hist/detail/range_key.h>
#include <thrust_hist/detail/samples.h>

#include <cstdint>
#include <type_traits>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {

/// Where samples or edges are real, a real number; else an integer of 32 or 64 bits.
template <class Edge, class S>
using compared_as = std::conditional_t<
    are_real_keys<Edge, S>, std::conditional_t<is_real_sample<S> && sizeof(S) <= 4, float, double>,
    decltype(0 + detail::common_key<Edge, S>(S{}))>;

/// A number as a type that has it, whatever the program's flags say of subnormal ones.
template <class Value, class X>
__device__ inline Value as_compared(X x) {
  if constexpr (!is_real_sample<X>) {
    return static_cast<Value>(static_cast<integer_t<X>>(x));
  } else if constexpr (std::is_same_v<Value, float>) {
    return real_format<X>::approximate(x);
  } else {
    return real_format<X>::to_double(x);
  }
}

/// The least number that reaches an edge.
template <class Value, class Edge>
__device__ inline Value least_reaching(Edge edge) {
  if constexpr (std::is_same_v<Value, float> && sizeof(Edge) >= 4 && !std::is_same_v<Edge, float>) {
    double const exact = cuda::as_compared<double>(edge);
    float least;
    asm("cvt.rp.f32.f64 %0, %1;" : "=f"(least) : "d"(exact));
    return least;
  } else {
    return cuda::as_compared<Value>(edge);
  }
}

__device__ inline bool reaches(float x, float edge) {
  unsigned yes;  // comparisons flush subnormal numbers under --use_fast_math
  asm("{ .reg .pred p; setp.ge.f32 p, %1, %2; selp.u32 %0, 1, 0, p; }"
      : "=r"(yes)
      : "f"(x), "f"(edge));
  return yes != 0;
}
template <class Value>
__device__ inline bool reaches(Value x, Value edge) {
  return x >= edge;
}

// Three kinds of values: of(sample), of_edge(edge); of_closed(edge, can): the least that lies above
// an edge, if there is one; and never(), behind all edges.

template <class Real>
struct real_values {
  using value = Real;
  template <class S>
  __device__ static value of(S x) {
    return cuda::as_compared<Real>(x);
  }
  template <class Edge>
  __device__ static value of_edge(Edge edge) {
    return cuda::least_reaching<Real>(edge);
  }
  template <class Edge>
  __device__ static value of_closed(Edge edge, bool& can) {
    Real const least = of_edge(edge);
    auto const next = detail::order_key(least) + (detail::at_or_below(least, edge) ? 1 : 0);
    auto const above = detail::bit_cast<Real>(detail::order_key_bits(next));
    can = !detail::is_nan(above);
    return above;
  }
  /// Reached by none.
  __device__ static value never() { return static_cast<value>(__int_as_float(0x7fffffff)); }
};

/// Their bits, as integers in the order of the numbers: NaN lies beyond the infinities.
template <class Real>
struct real_keys {
  using value = typename real_format<Real>::key;
  template <class S>
  __device__ static value of(S x) {
    return detail::order_key(cuda::as_compared<Real>(x));
  }
  template <class Edge>
  __device__ static value of_edge(Edge edge) {
    return detail::order_key(cuda::least_reaching<Real>(edge));
  }
  template <class Edge>
  __device__ static value of_closed(Edge edge, bool&) {
    Real const least = cuda::least_reaching<Real>(edge);
    return detail::order_key(least) + (detail::at_or_below(least, edge) ? 1 : 0);
  }
  __device__ static value never() { return max_of<value>; }
};

template <class Key>
struct integer_values {
  using value = Key;
  template <class S>
  __device__ static value of(S x) {
    return cuda::as_compared<Key>(x);
  }
  template <class Edge>
  __device__ static value of_edge(Edge edge) {
    return cuda::as_compared<Key>(edge);
  }
  template <class Edge>
  __device__ static value of_closed(Edge edge, bool& can) {
    Key const at = of_edge(edge);
    can = at < max_of<Key>;
    return can ? at + 1 : at;
  }
  /// Who reaches it lies behind all edges anyhow.
  __device__ static value never() { return max_of<value>; }
};

}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
