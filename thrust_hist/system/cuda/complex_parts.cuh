// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Exact sums of complex numbers on CUDA, part by part: as sums of real numbers, which need no
/// locks.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/exact_folds.h>
#include <thrust_hist/detail/fold.h>
#include <thrust_hist/detail/iterator_types.h>
#include <thrust_hist/detail/pairs.h>
#include <thrust_hist/detail/policy.h>
#include <thrust_hist/system/cuda/fold_partitioned.cuh>

#include <thrust/complex.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

#include <cstdint>
#include <type_traits>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {

enum class complex_part { real, imaginary };

/// A part of a value.
template <class Real, complex_part Part>
struct part_of_value {
  template <class X>
  THRUST_HIST_HOST_DEVICE Real operator()(X const& x) const {
    auto const z = detail::convert<thrust::complex<Real>>(x);
    return Part == complex_part::real ? z.real() : z.imag();
  }
};

/// And the same part of a result in memory.
template <class Real, complex_part Part>
struct part_in_memory {
  thrust::complex<Real>* first;
  THRUST_HIST_HOST_DEVICE Real& operator()(std::uint64_t i) const {
    return reinterpret_cast<Real*>(first + i)[static_cast<unsigned>(Part)];
  }
};

/// The fold of each part; void where a fold has none.
template <class Fold>
struct fold_of_part {
  using type = void;
};
template <class Real>
struct fold_of_part<exact_complex_fold<Real>> {
  using type = exact_sum_fold<Real>;
};

/// Whether a fold can be done so: of one pair for each input, into complex numbers in memory.
template <class Source, class Fold, class Result>
inline constexpr bool has_parts = false;
template <class Keys, class Values, class Rule, class Real, class Result>
inline constexpr bool
    has_parts<keyed_pairs<Keys, Values, Rule>, exact_complex_fold<Real>, thrust::complex<Result>> =
        true;
template <class Source, class Fold, class Out>
inline constexpr bool folds_in_parts = is_contiguous<Out>&& has_parts<Source, Fold, value_t<Out>>;

/// Calls `fold(pairs, exact_sum_fold, out)` for a part.
template <complex_part Part, class Keys, class Values, class Rule, class Real, class Out, class Use>
void with_part(
    keyed_pairs<Keys, Values, Rule> const& source, exact_complex_fold<Real> const&, Out out,
    Use fold) {
  using result = typename value_t<Out>::value_type;
  using places = thrust::transform_iterator<
      part_in_memory<result, Part>, thrust::counting_iterator<std::uint64_t>, result&, result>;
  auto const first = cuda::simplest_iterator(source.values, source.n);
  using values = thrust::transform_iterator<
      part_of_value<Real, Part>, std::remove_const_t<decltype(first)>, Real, Real>;
  keyed_pairs<Keys, values, Rule> const pairs = {
      source.keys, values(first, {}), source.n, source.rule};
  auto* const sums = source.bins() > 0 ? detail::raw_pointer(out) : nullptr;
  fold(pairs, exact_sum_fold<Real>{}, places(thrust::counting_iterator<std::uint64_t>(0), {sums}));
}

}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
