// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Which operator a functor is, and the one functor that stands for all of its kind.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/picked_number.h>
#include <thrust_hist/detail/rule.h>
#include <thrust_hist/detail/samples.h>

#include <thrust/complex.h>
#include <thrust/functional.h>
#include <thrust/tuple.h>

#if defined(__has_include)
#  if __has_include(<cuda/std/functional>)
#    include <cuda/std/functional>
#    define THRUST_HIST_HAS_CUDA_STD 1
#  endif
#  if __has_include(<cuda/__functional/maximum.h>)
#    include <cuda/functional>
#    define THRUST_HIST_HAS_CUDA_MAXIMUM 1
#  endif
#endif

#include <cstddef>
#include <functional>
#include <limits>
#include <tuple>
#include <type_traits>
#include <utility>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {

enum class operator_kind {
  other,
  sum,
  product,
  minimum,
  maximum,
  bit_and,
  bit_or,
  bit_xor,
  logical_and,
  logical_or
};

// --- recognising ----------------------------------------------------------------------------

template <template <class> class F, class Op>
inline constexpr bool is_instance = false;
template <template <class> class F, class T>
inline constexpr bool is_instance<F, F<T>> = true;

#if defined(THRUST_HIST_HAS_CUDA_MAXIMUM)  // which Thrust's own are from CCCL 3.0 on
template <class Op>
inline constexpr bool is_minimum = is_instance<::cuda::minimum, Op>;
template <class Op>
inline constexpr bool is_maximum = is_instance<::cuda::maximum, Op>;
#else
template <class Op>
inline constexpr bool is_minimum = false;
template <class Op>
inline constexpr bool is_maximum = false;
#endif
#if THRUST_VERSION < 300000
template <class T>
inline constexpr bool is_minimum<thrust::minimum<T>> = true;
template <class T>
inline constexpr bool is_maximum<thrust::maximum<T>> = true;
#endif

#if THRUST_VERSION >= 300300  // Thrust's own are aliases of libcu++'s from there on, and deprecated
#  define THRUST_HIST_IS(name) (is_instance<::std::name, Op> || is_instance<::cuda::std::name, Op>)
#elif defined(THRUST_HIST_HAS_CUDA_STD)
#  define THRUST_HIST_IS(name)                                        \
    (is_instance<thrust::name, Op> || is_instance<::std::name, Op> || \
     is_instance<::cuda::std::name, Op>)
#else
#  define THRUST_HIST_IS(name) (is_instance<thrust::name, Op> || is_instance<::std::name, Op>)
#endif

/// The kind of a functor of Thrust, libcu++ or the standard library.
template <class Op>
constexpr operator_kind find_kind() {
  if constexpr (THRUST_HIST_IS(plus)) {
    return operator_kind::sum;
  } else if constexpr (THRUST_HIST_IS(multiplies)) {
    return operator_kind::product;
  } else if constexpr (is_minimum<Op>) {
    return operator_kind::minimum;
  } else if constexpr (is_maximum<Op>) {
    return operator_kind::maximum;
  } else if constexpr (THRUST_HIST_IS(bit_and)) {
    return operator_kind::bit_and;
  } else if constexpr (THRUST_HIST_IS(bit_or)) {
    return operator_kind::bit_or;
  } else if constexpr (THRUST_HIST_IS(bit_xor)) {
    return operator_kind::bit_xor;
  } else if constexpr (THRUST_HIST_IS(logical_and)) {
    return operator_kind::logical_and;
  } else if constexpr (THRUST_HIST_IS(logical_or)) {
    return operator_kind::logical_or;
  } else {
    return operator_kind::other;
  }
}

#undef THRUST_HIST_IS
template <class Op>
inline constexpr operator_kind kind_of = find_kind<std::remove_cv_t<Op>>();

// --- identities -----------------------------------------------------------------------------

template <class T>
inline constexpr bool is_complex = is_instance<thrust::complex, T>;
template <class T>
inline constexpr bool has_neutral = std::is_arithmetic_v<T> || is_real_sample<T> || is_complex<T>;

/// The largest value of T: infinity where it has one.
template <class T>
THRUST_HIST_HOST_DEVICE T top_of() {
  if constexpr (is_real_sample<T>) {
    return real_format<T>::from_double(detail::bit_cast<double>(std::uint64_t{0x7ff} << 52));
  } else if constexpr (std::is_floating_point_v<T>) {
    return std::numeric_limits<T>::infinity();
  } else {
    return max_of<T>;
  }
}
template <class T>
THRUST_HIST_HOST_DEVICE T bottom_of() {
  if constexpr (is_real_sample<T>) {
    return real_format<T>::from_double(detail::bit_cast<double>(std::uint64_t{0xfff} << 52));
  } else if constexpr (std::is_floating_point_v<T>) {
    return -std::numeric_limits<T>::infinity();
  } else {
    return min_of<T>;
  }
}

template <class T>
THRUST_HIST_HOST_DEVICE T number(int x) {
  if constexpr (is_real_sample<T>) {
    return real_format<T>::from_double(static_cast<double>(x));
  } else {
    return static_cast<T>(x);
  }
}

/// What changes nothing under an operator of this kind.
template <class T>
THRUST_HIST_HOST_DEVICE T neutral(operator_kind kind) {
  if constexpr (!is_complex<T>) {
    if (kind == operator_kind::minimum) {
      return top_of<T>();
    }
    if (kind == operator_kind::maximum) {
      return bottom_of<T>();
    }
  }
  if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>) {
    if (kind == operator_kind::bit_and) {
      return static_cast<T>(~T{});
    }
  }
  bool const one = kind == operator_kind::product || kind == operator_kind::logical_and ||
                   (std::is_same_v<T, bool> && kind == operator_kind::bit_and);
  return number<T>(one ? 1 : 0);
}

// --- applying -------------------------------------------------------------------------------

/// Integers as unsigned ones that do not overflow, and are not promoted to signed ones that would.
template <class T>
using modular_t = std::conditional_t<(sizeof(T) > 4), std::uint64_t, std::uint32_t>;

/// The operator of a kind over values of one type. NaN loses against any number in minima and
/// maxima; integers wrap.
template <operator_kind Kind>
struct known_operator {
  template <class T>
  THRUST_HIST_HOST_DEVICE T operator()(T const& a, T const& b) const {
    if constexpr (Kind == operator_kind::sum) {
      if constexpr (std::is_integral_v<T>) {
        return static_cast<T>(static_cast<modular_t<T>>(a) + static_cast<modular_t<T>>(b));
      } else {
        return static_cast<T>(a + b);
      }
    } else if constexpr (Kind == operator_kind::product) {
      if constexpr (std::is_integral_v<T>) {
        return static_cast<T>(static_cast<modular_t<T>>(a) * static_cast<modular_t<T>>(b));
      } else {
        return static_cast<T>(a * b);
      }
    } else if constexpr (Kind == operator_kind::minimum || Kind == operator_kind::maximum) {
      return detail::picked_number<Kind == operator_kind::maximum>(a, b);
    } else if constexpr (Kind == operator_kind::bit_and) {
      return static_cast<T>(a & b);
    } else if constexpr (Kind == operator_kind::bit_or) {
      return static_cast<T>(a | b);
    } else if constexpr (Kind == operator_kind::bit_xor) {
      return static_cast<T>(a ^ b);
    } else if constexpr (Kind == operator_kind::logical_and) {
      return number<T>(a != T{} && b != T{} ? 1 : 0);
    } else {
      return number<T>(a != T{} || b != T{} ? 1 : 0);
    }
  }
};

/// The operator that algorithms run: the one of its kind, or the user's.
template <class Op>
auto canonical(Op const& op) {
  if constexpr (kind_of<Op> == operator_kind::other) {
    return op;
  } else {
    return known_operator<kind_of<Op>>{};
  }
}

// --- part by part ---------------------------------------------------------------------------

template <class T>
THRUST_HIST_HOST_DEVICE T add_parts(T const& a, T const& b);

template <class T, std::size_t... Part>
THRUST_HIST_HOST_DEVICE T add_each(T const& a, T const& b, std::index_sequence<Part...>) {
  return T(
      detail::add_parts(tuple_access::coordinate<Part>(a), tuple_access::coordinate<Part>(b))...);
}

template <class T>
inline constexpr std::size_t parts_of = 0;
template <class... T>
inline constexpr std::size_t parts_of<std::tuple<T...>> = sizeof...(T);
template <class A, class B>
inline constexpr std::size_t parts_of<std::pair<A, B>> = 2;
template <class... T>
inline constexpr std::size_t parts_of<thrust::tuple<T...>> =
    thrust::tuple_size<thrust::tuple<T...>>::value;

template <class T>
THRUST_HIST_HOST_DEVICE T add_parts(T const& a, T const& b) {
  if constexpr (parts_of < T >> 0) {
    return detail::add_each(a, b, std::make_index_sequence<parts_of<T>>{});
  } else if constexpr (std::is_arithmetic_v<T>) {
    return known_operator<operator_kind::sum>{}(a, b);
  } else {
    return static_cast<T>(a + b);
  }
}

}  // namespace detail
THRUST_HIST_NAMESPACE_END
