// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// The simplest rule that gives the same candidates, chosen once for a whole loop over samples, so
/// that no sample is asked which arithmetic it takes.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/candidate.h>
#include <thrust_hist/system/cuda/kernels/branchless.cuh>
#include <thrust_hist/system/cuda/kernels/cell_table.cuh>
#include <thrust_hist/system/cuda/kernels/nearest_edge.cuh>
#include <thrust_hist/system/cuda/kernels/rule_memory.cuh>
#include <thrust_hist/system/cuda/kernels/value_bins.cuh>
#include <thrust_hist/system/cuda/kernels/whole_steps.cuh>
#include <thrust_hist/system/cuda/kernels/with_cells.cuh>

#include <cstddef>
#include <type_traits>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {

/// Calls `loop(simple)`. `memory`: see with_cells(). All threads of the block must call it.
template <class Rule, class Memory, class Loop>
__device__ inline void with_simplest(Rule const& rule, Memory const& memory, Loop loop) {
  cuda::with_cells(rule, memory, loop);
}

template <class S, class Index, class Memory, class Loop>
__device__ inline void with_simplest(
    even_integer_bins<S, Index> const& rule, Memory const&, Loop loop) {
  if (rule.is_narrow()) {
    loop(rule.narrow());
  } else {
    loop(rule);
  }
}

template <class S, class Index, class Memory, class Loop>
__device__ inline void with_simplest(
    even_real_bins<S, Index> const& rule, Memory const& memory, Loop loop) {
  if constexpr (sizeof(S) == 2 && std::is_same_v<Memory, rule_memory>) {
    if (memory.begin != nullptr) {
      loop(value_bins<S>(rule, memory.begin));
      return;
    }
  } else if constexpr (std::is_same_v<S, float> || std::is_same_v<S, double>) {
    if (rule.size() > 0 && rule.size() < most_numbered_edges) {
      if (rule.counts_steps()) {
        loop(whole_step_bins<S>(rule));
        return;
      }
      if (rule.ends_plainly() && rule.guess().is_near()) {
        loop(nearest_edge_bins<S>(rule));
        return;
      }
      if (rule.position().is_near()) {
        loop(bounded_edge_bins<S>(rule));
        return;
      }
    }
  }
  loop(rule);
}

template <class Inner, class Index, class Memory, class Loop>
__device__ inline void with_simplest(flow_for<Inner, Index> const& rule, Memory const&, Loop loop) {
  cuda::with_branchless(rule, loop);
}

/// Two loops for a grid: each axis would multiply them by its own.
template <std::size_t Axis, class Index, class First, class Rest, class Memory, class Loop>
__device__ inline void with_simplest(
    grid_for<Axis, Index, First, Rest> const& rule, Memory const&, Loop loop) {
  cuda::with_branchless(rule, loop);
}

template <class Search, class Memory, class Loop>
__device__ inline void with_simplest(celled<Search> const& rule, Memory const&, Loop loop) {
  loop(range_cells<Search>(rule));
}

template <class Inner, class S, class Memory, class Loop>
__device__ inline void with_simplest(
    converted_for<Inner, S> const& rule, Memory const& memory, Loop loop) {
  cuda::with_simplest(rule.inner, memory, [&](auto const& inner) {
    loop(converted_for<std::decay_t<decltype(inner)>, S>{inner});
  });
}

}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
