// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// What the algorithms know of operators: their identities, operators over the parts of a value,
/// and what makes a type of yours a key.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/known_operators.h>
#include <thrust_hist/values.h>

#include <type_traits>

THRUST_HIST_NAMESPACE_BEGIN

/// The identity of an operator over values of type T: `identity_of<Op, T>::value()`, where `known`
/// says whether there is one. Known are the sums, products, minima, maxima, bitwise and logical
/// functors of Thrust, libcu++ and the standard library; the identity of a minimum is infinity
/// where T has one. Specialise it for an operator of yours, or hand its identity to the algorithm.
template <class Op, class T, class = void>
struct identity_of {
  static constexpr bool known = false;
};
template <class Op, class T>
struct identity_of<
    Op, T,
    std::enable_if_t<
        detail::kind_of<Op> != detail::operator_kind::other && detail::has_neutral<T>>> {
  static constexpr bool known = true;
  THRUST_HIST_HOST_DEVICE static T value() { return detail::neutral<T>(detail::kind_of<Op>); }
};

/// Sums of the values of this library.
template <class Op, class T>
struct identity_of<
    Op, exact_sum<T>, std::enable_if_t<detail::kind_of<Op> == detail::operator_kind::sum>> {
  static constexpr bool known = true;
  THRUST_HIST_HOST_DEVICE static exact_sum<T> value() { return exact_sum<T>{}; }
};
template <class Op, class T>
struct identity_of<
    Op, weighted_sum<T>, std::enable_if_t<detail::kind_of<Op> == detail::operator_kind::sum>> {
  static constexpr bool known = true;
  THRUST_HIST_HOST_DEVICE static weighted_sum<T> value() { return weighted_sum<T>{}; }
};

/// Adds values part by part: tuples of Thrust or the standard library, and whatever has `+`.
struct plus_each {
  template <class T>
  THRUST_HIST_HOST_DEVICE T operator()(T const& a, T const& b) const {
    return detail::add_parts(a, b);
  }
};

/// Nothing in each part: the value-initialised T.
template <class T>
struct identity_of<plus_each, T> {
  static constexpr bool known = true;
  THRUST_HIST_HOST_DEVICE static T value() { return T{}; }
};

/// What a key of a type of yours is, for sparse histograms: `hash(k)` is an unsigned number of up
/// to 64 bits, the same for equal keys; `equal(a, b)` says whether two are one, and `less(a, b)`
/// orders them, such that neither is less of equal keys, and of them alone. Which of equal keys is
/// written is not specified. Lambdas will do:
///
///     thrust_hist::key_operators{[](voxel const& v) { return v.x * 31 + v.y; }, equal, less}
///
/// A poor hash costs time, no more: it is mixed first, and where many keys collide they are sorted.
template <class Hash, class Equal, class Less>
struct key_operators {
  Hash hash;
  Equal equal;
  Less less;
};
template <class Hash, class Equal, class Less>
key_operators(Hash, Equal, Less) -> key_operators<Hash, Equal, Less>;

THRUST_HIST_NAMESPACE_END
