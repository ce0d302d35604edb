// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Folding a range on a host system: Thrust's own reduce does it well on all of them, once there is
/// enough for several threads.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/obey.h>
#include <thrust_hist/detail/operators.h>
#include <thrust_hist/detail/policy.h>

#include <thrust/execution_policy.h>
#include <thrust/reduce.h>

#include <cstdint>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {

inline char const* name_of(sequential_system) {
  return "sequential";
}
inline char const* name_of(omp_system) {
  return "omp";
}
inline char const* name_of(tbb_system) {
  return "tbb";
}

template <class System, class Policy, class Iterator, class T, class Op>
T reduce_range(
    System system, Policy& policy, Iterator first, std::uint64_t n, T init, Op op,
    options const& o) {
  require_host_route(o);
  if (o.force_ == route::partitioned) {
    refuse_route(o.force_, "reduce has no bins");
  }
  if (o.explain_ != nullptr) {
    *o.explain_ = {route::serial,       "thrust::reduce", name_of(system), 1, 1, 0, 0,
                   is_exact_fold<T, Op>};
    return init;
  }
  // As many as folds want for a worker: fewer are done before others have been woken, unless it
  // takes long to read one.
  constexpr std::uint64_t inputs_worth_workers = 1 << 14;
  using difference = typename thrust::iterator_traits<Iterator>::difference_type;
  Iterator const last = first + static_cast<difference>(n);
  if (is_in_memory<Iterator> && n < inputs_worth_workers) {
    return thrust::reduce(thrust::seq, first, last, init, op);
  }
  return thrust::reduce(algorithm_policy(policy), first, last, init, op);
}

}  // namespace detail
THRUST_HIST_NAMESPACE_END
