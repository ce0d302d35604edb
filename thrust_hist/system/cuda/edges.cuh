// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Edges of histogram_range for the GPU.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/edges.h>
#include <thrust_hist/detail/temporary.h>
#include <thrust_hist/system/cuda/launch.cuh>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {

/// Calls `count(first, last)` with edges in device memory. Those of a host container are judged and
/// copied; others are judged where the policy waits anyway.
template <class Policy, class Edges, class Count>
void with_edges(cuda_system, Policy& policy, Edges first, Edges last, Count count) {
  using edge = value_t<Edges>;
  auto const n = static_cast<std::uint64_t>(last - first);
  cudaStream_t const stream = stream_of(policy);
  if constexpr (is_host_container_iterator<Edges>) {
    require_sorted(first, n);
    temporary_array<edge, Policy> copy(policy, n);
    if (n > 0) {
      cuda::require(
          cudaMemcpyAsync(
              copy.data(), raw_pointer(first), n * sizeof(edge), cudaMemcpyHostToDevice, stream),
          "cudaMemcpyAsync of the edges");
    }
    count(static_cast<edge const*>(copy.data()), static_cast<edge const*>(copy.data()) + n);
  } else {
    if constexpr (is_contiguous<Edges>) {
      if (n > 0 && waits(policy)) {
        auto const host = copy_to_host(cuda_system{}, policy, raw_pointer(first), n);
        require_sorted(host.data(), n);
      }
    }
    count(first, last);
  }
}

}  // namespace detail
THRUST_HIST_NAMESPACE_END
