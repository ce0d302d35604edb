// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// What is no rule for samples of a type: the sentences that say so, and what takes the place of
/// the rule.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/bin_index.h>
#include <thrust_hist/detail/samples.h>

#include <type_traits>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {

/// In the place of a rule that was refused, so that no error follows the sentence which says why.
template <class Index>
struct refused_for {
  template <class... Members>
  THRUST_HIST_HOST_DEVICE refused_for(Members const&...) noexcept {}
  THRUST_HIST_HOST_DEVICE bin_index size() const noexcept { return 0; }
  template <class X>
  THRUST_HIST_HOST_DEVICE Index operator()(X const&) const noexcept {
    return neither_of<Index>;
  }
};

template <bool Possible, class Bound, class Index>
using bound_if = std::conditional_t<Possible, Bound, refused_for<Index>>;

template <class X>
THRUST_HIST_HOST_DEVICE constexpr void require_keys() {
  static_assert(
      is_integer_sample<X>,
      "thrust_hist: keys must be integers of up to 64 bits; for floating-point samples use "
      "histogram_even, histogram_range or a bin rule of bins.h, for structs make_bins, or "
      "sparse_histogram with key_operators, which takes 128 bits without.");
}

/// Whether the built-in rules know where samples of type X lie among edges.
template <class X>
inline constexpr bool is_number_sample = is_integer_sample<X> || is_real_sample<X>;
template <class X>
THRUST_HIST_HOST_DEVICE constexpr void require_numbers() {
  static_assert(
      is_number_sample<X>,
      "thrust_hist: even bins and range bins need samples that are integers or floating-point "
      "numbers; for others write a rule with make_bins.");
}

#if defined(__CUDACC__)
template <class, class>
inline constexpr bool is_rule_for = true;  // the host cannot say what a __device__ lambda takes
#else
template <class F, class X>
inline constexpr bool is_rule_for = std::is_invocable_v<F const&, X const&>;
#endif
template <class F, class X>
THRUST_HIST_HOST_DEVICE constexpr void require_rule_for() {
  static_assert(
      is_rule_for<F, X>,
      "thrust_hist: this bin rule cannot be called with samples of this type: let it take the "
      "input's value type, by value or const reference, in an operator() that is const.");
}

}  // namespace detail
THRUST_HIST_NAMESPACE_END
