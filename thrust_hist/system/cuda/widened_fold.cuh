// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Folds of integers of 1 and 2 bytes, and of bool, in words of 32 bits: the hardware has atomics
/// for these.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/fold.h>
#include <thrust_hist/detail/pairs.h>

#include <thrust/iterator/transform_iterator.h>

#include <type_traits>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {

/// The operator on words that does to them what one does to values of type T; `other`: there is
/// none.
template <class T>
constexpr operator_kind kind_on_words(operator_kind kind) noexcept {
  switch (kind) {
  case operator_kind::sum:
  case operator_kind::maximum:
    return std::is_same_v<T, bool> ? operator_kind::bit_or : kind;
  case operator_kind::minimum:
    return std::is_same_v<T, bool> ? operator_kind::bit_and : kind;
  case operator_kind::product:
  case operator_kind::logical_and:
    return std::is_same_v<T, bool> ? operator_kind::bit_and : operator_kind::other;
  case operator_kind::logical_or:
    return std::is_same_v<T, bool> ? operator_kind::bit_or : operator_kind::other;
  case operator_kind::bit_and:
  case operator_kind::bit_or:
  case operator_kind::bit_xor:
    return kind;
  default:
    return operator_kind::other;
  }
}

template <class T>
using word_for = std::conditional_t<std::is_signed_v<T>, int, unsigned>;

/// A fold of T, integers of less than 4 bytes, in words. What it writes is what the fold of T does.
template <class T, operator_kind Kind>
struct widened_fold : plain_fold<word_for<T>, known_operator<kind_on_words<T>(Kind)>> {
  using base = plain_fold<word_for<T>, known_operator<kind_on_words<T>(Kind)>>;
  using typename base::state;
  using narrow = plain_fold<T, known_operator<Kind>>;
  using written = T;

  explicit widened_fold(narrow const& fold) : base{{}, static_cast<state>(fold.identity)} {}

  template <class A>
  THRUST_HIST_HOST_DEVICE A finish(state const& s) const {
    return as_narrow().template finish<A>(static_cast<T>(s));
  }
  template <class A>
  THRUST_HIST_HOST_DEVICE A finish_with(state const& s, A const& old) const {
    return as_narrow().template finish_with<A>(static_cast<T>(s), old);
  }

private:
  THRUST_HIST_HOST_DEVICE narrow as_narrow() const { return {{}, static_cast<T>(this->identity)}; }
};

/// The fold in words, or void where there is none.
template <class Fold>
struct fold_in_words {
  using type = void;
};
template <class T, operator_kind Kind>
struct fold_in_words<plain_fold<T, known_operator<Kind>>> {
  static constexpr bool exists =
      std::is_integral_v<T> && sizeof(T) < 4 && kind_on_words<T>(Kind) != operator_kind::other;
  using type = std::conditional_t<exists, widened_fold<T, Kind>, void>;
};
template <class Fold>
using fold_in_words_t = typename fold_in_words<Fold>::type;

/// The fold that CUDA takes for one.
template <class Fold>
using fold_taken_t =
    std::conditional_t<std::is_void_v<fold_in_words_t<Fold>>, Fold, fold_in_words_t<Fold>>;

template <class T>
struct convert_to {
  template <class V>
  THRUST_HIST_HOST_DEVICE T operator()(V const& x) const {
    return detail::convert<T>(x);
  }
};

/// Whether values of type V, folded by words, come to the same whether or not they are narrowed to
/// T before.
template <class V, class T, operator_kind Kind>
constexpr bool is_narrowed_later() {
  if constexpr (std::is_same_v<V, T>) {
    return true;
  } else if constexpr (!std::is_integral_v<V> || std::is_same_v<T, bool>) {
    return false;
  } else if constexpr (Kind == operator_kind::minimum || Kind == operator_kind::maximum) {
    return std::is_signed_v<V> == std::is_signed_v<T> && sizeof(V) <= sizeof(T);
  } else {
    return true;  // modulo 2^k
  }
}

/// A source whose values are narrowed before they are anything wider, where that matters. What
/// functions emit is.
template <class T, operator_kind Kind, class Source>
auto narrowed(Source const& source) {
  if constexpr (Source::emits) {
    return source;
  } else if constexpr (is_narrowed_later<value_t<decltype(source.values)>, T, Kind>()) {
    return source;
  } else {
    auto const values = thrust::make_transform_iterator(source.values, convert_to<T>{});
    return keyed_pairs<
        decltype(source.keys), std::remove_const_t<decltype(values)>, decltype(source.rule)>{
        source.keys, values, source.n, source.rule};
  }
}

}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
