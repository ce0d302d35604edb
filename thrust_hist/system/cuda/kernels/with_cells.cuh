// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// The rule with which a whole loop over samples finds bins, where some shared memory is its own:
/// range bins get cells.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/range_key.h>
#include <thrust_hist/detail/range_search.h>
#include <thrust_hist/system/cuda/kernels/lone_edges.cuh>
#include <thrust_hist/system/cuda/kernels/range_lookup.cuh>
#include <thrust_hist/system/cuda/kernels/rule_memory.cuh>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {

/// Calls `loop(faster)`, whose candidates are those of the rule. `memory`: a rule_memory with what
/// the rule wanted (see wanted_memory), or with nothing; or no_rule_memory. All threads of the
/// block must call it.
template <class Rule, class Memory, class Loop>
__device__ inline void with_cells(Rule const& rule, Memory const&, Loop loop) {
  loop(rule);
}

template <class Iterator, class S, class Index, class Loop>
__device__ inline void with_cells(
    range_search<Iterator, S, Index> const& rule, rule_memory const& memory, Loop loop) {
  if constexpr (have_common_key<typename range_search<Iterator, S, Index>::edge_type, S>()) {
    if (memory.begin != nullptr) {
      if (!lone_edges<Iterator, S, Index>(rule, memory).try_with(loop)) {
        loop(range_lookup<Iterator, S, Index>(rule, memory.begin));
      }
      return;
    }
  }
  loop(rule);
}

}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
