// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// The executor of OpenMP: its threads are reached through thrust::for_each under the caller's
/// policy.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/policy.h>
#include <thrust_hist/system/host/count.h>
#include <thrust_hist/system/host/fold.h>
#include <thrust_hist/system/host/run_workers.h>
#include <thrust_hist/system/host/sparse_fold.h>

#include <utility>

#if defined(_OPENMP)
#  include <omp.h>
#endif

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {

struct omp_executor {
  static constexpr char const* name = "omp";

  /// OMP_NUM_THREADS and omp_set_num_threads count; inside a parallel region there is one worker.
  static unsigned workers() noexcept {
#if defined(_OPENMP)
    return omp_in_parallel() != 0 ? 1u : static_cast<unsigned>(omp_get_max_threads());
#else
    return 1;
#endif
  }
  template <class Policy>
  static void run(Policy& policy, unsigned workers, sequential::chunk_function chunk) {
    host::run_workers(policy, workers, chunk);
  }
};

template <class... Arguments>
void count(omp_system, Arguments&&... arguments) {
  host::count(omp_executor{}, std::forward<Arguments>(arguments)...);
}
template <class... Arguments>
void fold_pairs(omp_system, Arguments&&... arguments) {
  host::fold_pairs(omp_executor{}, std::forward<Arguments>(arguments)...);
}
template <class... Arguments>
auto sparse_fold(omp_system, Arguments&&... arguments) {
  return host::sparse_fold(omp_executor{}, std::forward<Arguments>(arguments)...);
}

}  // namespace detail
THRUST_HIST_NAMESPACE_END
