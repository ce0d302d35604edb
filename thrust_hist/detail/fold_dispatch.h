// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// From the public algorithms that fold values to the systems: which type values are folded in, by
/// which fold, and what holds on every system.

#include <thrust_hist/bins.h>
#include <thrust_hist/config.h>
#include <thrust_hist/detail/check_folds.h>
#include <thrust_hist/detail/dispatch.h>
#include <thrust_hist/detail/exact_folds.h>
#include <thrust_hist/detail/fold.h>
#include <thrust_hist/detail/operators.h>
#include <thrust_hist/detail/pairs.h>
#include <thrust_hist/detail/policy.h>
#include <thrust_hist/operators.h>
#include <thrust_hist/options.h>
#include <thrust_hist/system/host/fold.h>
#include <thrust_hist/system/sequential/fold.h>
#include <thrust_hist/system/sequential/ranked_fold.h>
#if defined(__CUDACC__)
#  include <thrust_hist/system/cuda/fold.cuh>
#  include <thrust_hist/system/cuda/stage.cuh>
#endif

#include <cstdint>
#include <stdexcept>
#include <type_traits>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {

/// No identity was given: that of the operator is taken.
struct no_identity {};

template <class Identity, class A, class V, class Op>
struct folded_value {
  using type = working_t<Identity, V, kind_of<Op>>;
};
template <class A, class V, class Op>
struct folded_value<no_identity, A, V, Op> {
  using type = working_t<A, V, kind_of<Op>>;
};
/// The type in which values of type V are folded for an output of A.
template <class Identity, class A, class V, class Op>
using folded_value_t = typename folded_value<Identity, A, V, Op>::type;

/// The identity as a value of type W.
template <class W, class Op, class Identity>
W identity_for_fold(Identity const& identity) {
  if constexpr (!std::is_same_v<Identity, no_identity>) {
    return detail::convert<W>(identity);
  } else if constexpr (identity_of<Op, W>::known) {
    return identity_of<Op, W>::value();
  } else {
    static_assert(
        identity_of<Op, W>::known,
        "thrust_hist: the operator, plus if none is given, has no known identity for values of "
        "this "
        "type (of thrust::complex it has, of std::complex not): hand it over after the operator, "
        "histogram_by_key(..., op, identity), or specialise identity_of.");
    return W{};
  }
}

/// Throws for an identity that is none: minima and maxima leave NaN out.
template <class W>
void require_identity([[maybe_unused]] W const& identity) {
  if constexpr (is_real_sample<W>) {
    if (detail::is_nan(identity)) {
      throw_invalid("identity", real_format<W>::to_double(identity), "must be a number");
    }
  }
}

/// Whether an operator is a sum, for which exact() may mean something.
template <class Op>
inline constexpr bool is_sum = kind_of<Op> == operator_kind::sum;
/// The identity of a sum of real numbers: zeros have one sign, that of a sum of integers that
/// stands for it.
template <class Op, class W>
W identity_of_sum(W const& identity) {
  if constexpr (is_sum<Op>) {
    return detail::with_one_zero(identity);
  } else {
    return identity;
  }
}
/// Operators that exact() changes nothing of.
template <class Op, class W>
inline constexpr bool is_always_exact = kind_of<Op> != operator_kind::other &&
                                        (std::is_integral_v<W> || is_exact_sum<W> ||
                                         kind_of<Op> == operator_kind::minimum ||
                                         kind_of<Op> == operator_kind::maximum);

inline constexpr char const* exact_is_for_sums =
    "thrust_hist: options::exact() is for sums of floating-point numbers, by plus of Thrust or the "
    "standard library or without an operator; what another operator does is not known";

/// Throws where a sum was to be exact that is none.
template <class Op, class W>
void require_exact_operator(options const& o) {
  if (o.exact_ && !is_always_exact<Op, W>) {
    throw std::invalid_argument(exact_is_for_sums);
  }
}

/// Folds pairs into an output that the system can write to, checked where that is wanted.
template <class Policy, class Source, class Fold, class Out>
void fold_checked(
    Policy& policy, Source const& source, Fold const& fold, Out out, options const& o) {
  auto const run = [&] {
    using system = system_of_t<Policy>;
    if constexpr (std::is_same_v<system, cuda_system>) {
      detail::fold_pairs(system{}, policy, source, fold, out, o);
    } else {
      host::with_cells_of_pairs(policy, source, o, [&](auto const& faster, options const& rest) {
        detail::fold_pairs(system{}, policy, faster, sequential::fold_on_host(fold), out, rest);
      });
    }
    detail::corrupt_fold_for_test<folded_of<Out, typename Fold::value>>(
        policy, out, static_cast<std::uint64_t>(source.bins()), o);
  };
  bool const checked = wants_check(o) && o.explain_ == nullptr && source.bins() > 0 &&
                       !is_captured(system_of_t<Policy>{}, policy);
  if (checked) {
    detail::run_checked_fold(policy, source, fold, out, o, run);
  } else {
    run();
  }
}

/// Folds pairs under the options.
template <class Policy, class Source, class Fold, class Out>
void fold_staged(
    Policy& policy, Source const& source, Fold const& fold, Out out, options const& o) {
  wants_check(o);  // says so where it cannot
  if (o.accumulate_ && source.size() == 0 && o.explain_ == nullptr) {
    if (o.dropped_ != nullptr) {
      *o.dropped_ = 0;
    }
    return;  // not even -0 becomes 0
  }
  constexpr bool staged =
      std::is_same_v<system_of_t<Policy>, cuda_system> && is_host_container_iterator<Out>;
  if constexpr (staged) {
    stage_output(
        element<typename folded_of<Out, typename Fold::value>::type>{}, policy, out,
        static_cast<std::uint64_t>(source.bins()), o, [&](auto device_out, options const& rest) {
          detail::fold_checked(policy, source, fold, device_out, rest);
        });
  } else {
    detail::fold_checked(policy, source, fold, out, o);
  }
}

/// Folds the pairs of a source, whose values are of type V, by an operator. Callers that always ask
/// for exact() say so to the compiler, which then makes no kernels of rounded sums.
template <
    class V, bool AlwaysExact = false, class Policy, class Source, class Out, class Op,
    class Identity>
void fold_range(
    Policy& policy, Source const& source, Out out, Op const& op, Identity const& identity,
    options const& o) {
  using output = folded_of<Out, V>;
  using value = folded_value_t<Identity, typename output::type, V, Op>;
  static_assert(
      std::is_trivially_copyable_v<value> || parts_of<value> != 0 || is_complex<value>,
      "thrust_hist: values must be trivially copyable, so that they can go to a GPU.");
  static_assert(
      is_copied_by_bytes<std::decay_t<decltype(source.rule)>>,
      "thrust_hist: a bin rule must be trivially copyable, so that it can go to a GPU.");
  if (o.accumulate_ && !output::readable) {
    throw std::invalid_argument("thrust_hist: accumulate() needs an output that can be read");
  }
  require_size(source.bins());
  source.validate();

  using exact_fold = typename exact_fold_of<value>::type;
  constexpr bool merges_limbs = is_exact_sum<V>;  // by an operator like any other
  constexpr bool can_be_exact = is_sum<Op> && !std::is_void_v<exact_fold> && !merges_limbs;
  constexpr bool is_never_rounded = can_be_exact && (AlwaysExact || is_exact_sum<value>);
  if constexpr (can_be_exact) {
    if (is_never_rounded || o.exact_) {
      detail::fold_staged(policy, source, exact_fold{}, out, o);
      return;
    }
  }
  if constexpr (!is_never_rounded) {
    detail::require_exact_operator<Op, value>(o);
    using canonical_op = decltype(detail::canonical(op));
    plain_fold<value, canonical_op> const fold = {
        detail::canonical(op),
        detail::identity_of_sum<Op>(detail::identity_for_fold<value, Op>(identity))};
    if constexpr (kind_of<Op> == operator_kind::minimum || kind_of<Op> == operator_kind::maximum) {
      detail::require_identity(fold.identity);
    }
    detail::fold_staged(policy, source, fold, out, o);
  }
}

}  // namespace detail
THRUST_HIST_NAMESPACE_END
