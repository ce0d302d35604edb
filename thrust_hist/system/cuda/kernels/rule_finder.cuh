// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// What finds bins in a loop that has much else to do, such as folds: there are few loops, since
/// each is long.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/range_key.h>
#include <thrust_hist/detail/range_search.h>
#include <thrust_hist/detail/rule.h>
#include <thrust_hist/system/cuda/kernels/branchless.cuh>
#include <thrust_hist/system/cuda/kernels/range_finder.cuh>
#include <thrust_hist/system/cuda/kernels/range_lookup.cuh>
#include <thrust_hist/system/cuda/kernels/rule_memory.cuh>

#include <type_traits>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {

/// The shared memory that a finder makes use of: only those of range bins do.
template <class Rule>
wanted_bytes wanted_by_finder(Rule const&) {
  return {};
}
template <class Iterator, class S, class Index>
wanted_bytes wanted_by_finder(range_search<Iterator, S, Index> const& rule) {
  return {cuda::wanted_memory(rule).least};
}
template <class Inner, class S>
wanted_bytes wanted_by_finder(converted_for<Inner, S> const& rule) {
  return cuda::wanted_by_finder(rule.inner);
}

/// Calls `loop(finder)`, whose candidates are those of the rule. `memory`: what the rule wanted
/// (see above), or none. All threads of the block must call it.
template <class Rule, class Loop>
__device__ inline void with_finder(Rule const& rule, rule_memory const&, Loop loop) {
  cuda::with_branchless(rule, loop);
}
template <class Iterator, class S, class Index, class Loop>
__device__ inline void with_finder(
    range_search<Iterator, S, Index> const& rule, rule_memory const& memory, Loop loop) {
  if constexpr (have_common_key<typename range_search<Iterator, S, Index>::edge_type, S>()) {
    loop(range_finder<Iterator, S, Index>(rule, memory));
  } else {
    loop(rule);
  }
}
template <class Iterator, class Sample, class Index, class S, class Loop>
__device__ inline void with_finder(
    converted_for<range_search<Iterator, Sample, Index>, S> const& rule, rule_memory const& memory,
    Loop loop) {
  cuda::with_finder(rule.inner, memory, [&](auto const& inner) {
    loop(converted_for<std::decay_t<decltype(inner)>, S>{inner});
  });
}

}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
