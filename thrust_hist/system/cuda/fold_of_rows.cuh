// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Sparse histograms on CUDA whose values are folded into rows as into bins: by folds that begin
/// with nothing.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/fold.h>
#include <thrust_hist/detail/known_operators.h>
#include <thrust_hist/detail/sparse_folds.h>

#include <cstdint>
#include <new>
#include <type_traits>
#include <utility>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {

/// A fold that begins with a value, as one that begins with nothing.
template <class Fold>
struct fold_from_nothing {
  using value = typename Fold::value;
  struct state {
    alignas(value) unsigned char bytes[sizeof(value)];
    std::uint32_t has_value;

    state() = default;
    template <class V>
    THRUST_HIST_HOST_DEVICE explicit state(V const& x) : has_value(1) {
      ::new (static_cast<void*>(bytes)) value(detail::convert<value>(x));
    }
  };
  static constexpr bool lifts = true;
  static constexpr operator_kind kind = operator_kind::other;
  static constexpr bool exact = Fold::exact;
  static constexpr std::uint64_t additions_at_once = Fold::additions_at_once;
  Fold fold;

  THRUST_HIST_HOST_DEVICE state empty() const { return {}; }
  THRUST_HIST_HOST_DEVICE void add(state& s, value const& x) const {
    if (s.has_value == 0) {
      s = state(x);
    } else {
      fold.add(*of(s), x);
    }
  }
  THRUST_HIST_HOST_DEVICE void merge(state& s, state const& other) const {
    if (other.has_value != 0) {
      add(s, *of(other));
    }
  }
  THRUST_HIST_HOST_DEVICE void settle(state&) const {}
  template <class A>
  THRUST_HIST_HOST_DEVICE A finish(state const& s) const {
    return fold.template finish<A>(*of(s));
  }
  template <class A>
  THRUST_HIST_HOST_DEVICE A finish_with(state const& s, A const&) const {
    return finish<A>(s);  // nothing is accumulated
  }

private:
  THRUST_HIST_HOST_DEVICE static value* of(state& s) { return reinterpret_cast<value*>(s.bytes); }
  THRUST_HIST_HOST_DEVICE static value const* of(state const& s) {
    return reinterpret_cast<value const*>(s.bytes);
  }
};

/// Whether a value folded with the identity is that value, whatever it is: then a key with one
/// value has it. (A sum of reals may make +0 of -0; that is let pass, for sums are fast.)
template <class Fold>
inline constexpr bool keeps_single_values = [] {
  if constexpr (std::is_same_v<typename Fold::state, typename Fold::value>) {
    constexpr operator_kind kind = Fold::kind;
    constexpr bool is_integer = std::is_integral_v<typename Fold::value>;
    return kind == operator_kind::sum ||
           (is_integer && kind != operator_kind::other && kind != operator_kind::logical_and &&
            kind != operator_kind::logical_or);
  }
  return true;  // exact sums, where a value is added to nothing
}();

template <class Fold>
auto fold_of_rows(Fold const& fold) {
  if constexpr (starts_by_a_value<Fold> || !keeps_single_values<Fold>) {
    return fold_from_nothing<Fold>{fold};
  } else {
    return fold;
  }
}

template <class Fold>
using rows_fold_t = decltype(cuda::fold_of_rows(std::declval<Fold const&>()));

}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
