// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// By what a fold is done: exact sums, the hardware's atomics, or locks and sorting.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/exact_folds.h>
#include <thrust_hist/detail/fold.h>
#include <thrust_hist/detail/known_operators.h>
#include <thrust_hist/system/cuda/fold_exact.cuh>
#include <thrust_hist/system/cuda/fold_locks.cuh>
#include <thrust_hist/system/cuda/fold_states.cuh>
#include <thrust_hist/system/cuda/kernels/atomic_words.cuh>
#include <thrust_hist/system/cuda/widened_fold.cuh>

#include <type_traits>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {

/// Which means a fold has.
template <class Fold, class = void>
struct means_of : lock_means<Fold> {};
template <class T, operator_kind Kind>
struct means_of<widened_fold<T, Kind>> : word_means<widened_fold<T, Kind>> {};
template <class T>
struct means_of<exact_sum_fold<T>> : sum_means<T, void> {};
template <class T, operator_kind Kind>
struct means_of<
    plain_fold<T, known_operator<Kind>>,
    std::enable_if_t<std::is_floating_point_v<T> && Kind == operator_kind::sum>>
    : sum_means<T, plain_fold<T, known_operator<Kind>>> {};
template <class T, operator_kind Kind>
struct means_of<
    plain_fold<T, known_operator<Kind>>,
    std::enable_if_t<folds_by_atomics<T, Kind> && (sizeof(T) >= 4)>>
    : word_means<plain_fold<T, known_operator<Kind>>> {};

}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
