// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// The simplest rule that gives the same candidates, chosen once for a whole loop over samples, so that
/// no sample is asked which arithmetic it takes.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/candidate.h>
#include <thrust_hist/system/cuda/kernels/nearest_edge.cuh>

#include <type_traits>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {

/// Calls `loop(simple)`.
template <class Rule, class Loop>
__device__ inline void with_simplest(Rule const& rule, Loop loop) {
  loop(rule);
}

template <class S, class Index, class Loop>
__device__ inline void with_simplest(even_integer_bins<S, Index> const& rule, Loop loop) {
  if (rule.is_narrow()) {
    loop(rule.narrow());
  } else {
    loop(rule);
  }
}

template <class S, class Index, class Loop>
__device__ inline void with_simplest(even_real_bins<S, Index> const& rule, Loop loop) {
  if constexpr (std::is_same_v<S, float> || std::is_same_v<S, double>) {
    constexpr bin_index most = 1 << 30;  // the number of an edge is an int
    if (rule.size() > 0 && rule.size() < most && rule.position().is_near()) {
      if (rule.ends_plainly() && rule.guess().is_near()) {
        using real = std::decay_t<decltype(rule.guess().scale())>;
        loop(nearest_edge_bins<S, real, false>(rule, rule.guess()));
      } else {
        loop(nearest_edge_bins<S, double, true>(rule, rule.position()));
      }
      return;
    }
  }
  loop(rule);
}

template <class Inner, class S, class Loop>
__device__ inline void with_simplest(converted_for<Inner, S> const& rule, Loop loop) {
  cuda::with_simplest(rule.inner, [&](auto const& inner) {
    loop(converted_for<std::decay_t<decltype(inner)>, S>{inner});
  });
}

}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
