// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Route global: an atomic on global memory for each sample.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/candidate.h>
#include <thrust_hist/system/cuda/kernels/counters.cuh>
#include <thrust_hist/system/cuda/kernels/kernels_in_turn.cuh>
#include <thrust_hist/system/cuda/kernels/samples.cuh>

#include <cstdint>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {
#pragma GCC visibility push(hidden)

template <class Samples, class Rule>
__launch_bounds__(1024, 1) __global__ void count_global(
    Samples const samples, Rule const rule, std::uint64_t const bins, global_counters const out) {
  cuda::take_turn();
  samples.for_each(
      among_grid(),
      [&](auto const& x) {
        auto const bin = detail::candidate<std::uint64_t>(rule, x);
        if (bin < bins) {
          out.add(bin, 1);
        }
      },
      [] {});
}

#pragma GCC visibility pop
}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
