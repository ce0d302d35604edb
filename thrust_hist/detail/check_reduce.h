// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// options::check() for reduce: thrust::reduce beside it, on the host by one thread.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/check_folds.h>
#include <thrust_hist/detail/fold.h>
#include <thrust_hist/detail/iterator_types.h>
#include <thrust_hist/detail/obey.h>
#include <thrust_hist/detail/policy.h>
#include <thrust_hist/options.h>

#include <cstdint>
#include <type_traits>

#if defined(THRUST_HIST_ENABLE_CHECK)
#  include <thrust_hist/detail/compare_folds.h>
#  include <thrust_hist/detail/fold_by_sorting.h>

#  include <thrust/iterator/transform_iterator.h>
#  include <thrust/reduce.h>
#  include <thrust/transform_reduce.h>

#  include <limits>
#endif

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {

/// Falsifies a result where a test asks for it, see corrupt_for_test().
template <class T>
void corrupt_result_for_test([[maybe_unused]] T& result) {
#if defined(THRUST_HIST_TEST_HOOKS) && defined(THRUST_HIST_ENABLE_CHECK)
  corrupt_for_test(1, [&](std::uint64_t) { result = falsify_value{}(result); });
#endif
}

#if defined(THRUST_HIST_ENABLE_CHECK)

template <class T, class V>
struct to_accumulator {
  THRUST_HIST_HOST_DEVICE T operator()(V const& x) const { return detail::convert<T>(x); }
};

/// What order decides of a minimum or maximum.
struct finds_nan {
  bool* found;
  template <class X>
  THRUST_HIST_HOST_DEVICE void operator()(X const& x, X const&) const {
    if constexpr (is_real_sample<X>) {
      *found = *found || detail::is_nan(x);
    }
  }
};
struct holds_nan {
  template <class T>
  THRUST_HIST_HOST_DEVICE bool operator()(T const& x) const {
    bool found = false;
    detail::visit_parts(x, x, finds_nan{&found});
    return found;
  }
};
struct either {
  THRUST_HIST_HOST_DEVICE bool operator()(bool a, bool b) const { return a || b; }
};

/// Whether it is the same to convert values of V to T before the operator or within it.
template <class T, class V, operator_kind Kind>
constexpr bool converts_alike() {
  constexpr bool is_logical =
      Kind == operator_kind::logical_and || Kind == operator_kind::logical_or;
  if constexpr (std::is_same_v<T, V>) {
    return true;
  } else if constexpr (!is_number<T> || !is_number<V>) {
    return std::is_constructible_v<T, V>;
  } else if constexpr (is_logical) {
    return false;
  } else if constexpr (std::is_integral_v<T>) {
    constexpr bool holds_all = std::numeric_limits<T>::digits >= std::numeric_limits<V>::digits &&
                               (std::is_signed_v<T> || !std::is_signed_v<V>);
    return std::is_integral_v<V> && !std::is_same_v<T, bool> &&
           (Kind == operator_kind::sum || holds_all);
  } else {
    return true;
  }
}

/// Whether a T is the same in whatever order it was made, or as good as that: numbers, what is
/// added part by part, and types of the user that have no real numbers in them.
template <class T, comparison How>
inline constexpr bool is_comparable =
    How == comparison::rounded || (How == comparison::exact && !std::is_same_v<T, long double> &&
                                   (is_number<T> || std::has_unique_object_representations_v<T>));

#  if defined(__CUDACC__)
template <class Op, class T>
inline constexpr bool folds_results = true;  // the host cannot say what a __device__ lambda takes
#  else
template <class Op, class T>
inline constexpr bool folds_results = std::is_invocable_r_v<T, Op const&, T const&, T const&>;
#  endif

/// Throws mismatch_error unless `got` is what thrust::reduce finds. What cannot be compared passes:
/// a product of real numbers, say, which depends on the order.
template <class Policy, class Iterator, class T, class Op>
void check_reduction(
    Policy& policy, Iterator first, std::uint64_t n, T const& init, Op const& op, T const& got) {
  using value = value_t<Iterator>;
  constexpr operator_kind kind = kind_of<Op>;
  constexpr comparison how = comparison_of<plain_fold<T, decltype(detail::canonical(op))>>();
  if constexpr (is_comparable<T, how> && folds_results<Op, T> && converts_alike<T, value, kind>()) {
    using difference = typename thrust::iterator_traits<Iterator>::difference_type;
    auto& exec = reduction_policy(policy);
    auto const begin = thrust::make_transform_iterator(first, to_accumulator<T, value>{});
    auto const end = begin + static_cast<difference>(n);
    double distance = 0;
    if constexpr (how == comparison::rounded) {
      coarseness format;
      format.look_at(init);
      rounding_bound const bound(
          thrust::transform_reduce(
              exec, begin, end, measure_addend{}, measure_addend{}(init), add_addends{}),
          format);
      if (!bound.known) {
        return;
      }
      distance = bound.distance;
    } else if constexpr (kind == operator_kind::minimum || kind == operator_kind::maximum) {
      if (thrust::transform_reduce(exec, begin, end, holds_nan{}, holds_nan{}(init), either{})) {
        return;
      }
    }
    T const expected =
        thrust::reduce(exec, begin, end, init, fold_two<plain_fold<T, Op>>{{op, init}});
    if (detail::differ(expected, got, distance)) {
      throw mismatch_error(
          0, value_text(expected, "a value"), value_text(got, "a different value"));
    }
  }
}

#else

template <class Policy, class Iterator, class T, class Op>
void check_reduction(Policy&, Iterator, std::uint64_t, T const&, Op const&, T const&) {}

#endif

}  // namespace detail
THRUST_HIST_NAMESPACE_END
