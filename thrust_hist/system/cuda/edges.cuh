// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Edges of histogram_range for the GPU.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/edges.h>
#include <thrust_hist/detail/obey.h>
#include <thrust_hist/system/cuda/launch.cuh>
#include <thrust_hist/system/cuda/scratch_array.cuh>

#include <thrust/copy.h>

#include <type_traits>
#include <vector>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {

/// Throws std::invalid_argument unless the edges, in device memory or behind any iterator that the
/// device can read, are sorted. Waits.
template <class Policy, class Edges>
void require_sorted_on_device(Policy& policy, Edges first, Edges last) {
  auto const n = static_cast<std::uint64_t>(last - first);
  cuda::scratch_array<value_t<Edges>, Policy> copy(policy, n);
  thrust::copy(policy, first, last, copy.data());
  auto const on_host = copy_to_host(cuda_system{}, policy, copy.data(), n);
  copy.is_done();
  detail::require_sorted(on_host.data(), n);
}

/// Iterators of std::vector<bool>, whose bits no device pointer can name.
template <class Iterator>
inline constexpr bool is_packed_bool_iterator =
    std::is_same_v<Iterator, std::vector<bool>::iterator> ||
    std::is_same_v<Iterator, std::vector<bool>::const_iterator>;

/// Calls `count(first, last, o)` with edges that the device can read. Those of a host container are
/// judged and copied; others are judged where the policy waits anyway.
template <class Policy, class Edges, class Count>
void with_edges(
    cuda_system, Policy& policy, Edges first, Edges last, options const& o, Count count) {
  if constexpr (is_packed_bool_iterator<Edges>) {
    std::vector<unsigned char> const bytes(first, last);
    with_edges(cuda_system{}, policy, bytes.begin(), bytes.end(), o, count);
  } else if constexpr (is_host_container_iterator<Edges>) {
    using edge = value_t<Edges>;
    auto const n = static_cast<std::uint64_t>(last - first);
    cudaStream_t const stream = stream_of(policy);
    detail::require_sorted(first, n);
    require_not_captured(cuda_system{}, policy, "the edges are in host memory");
    with_reserved(o, n * sizeof(edge), [&](options const& rest) {
      cuda::scratch_array<edge, Policy> copy(policy, n);
      edge const* const edges = copy.data();
      if (n > 0) {
        cuda::require(
            cudaMemcpyAsync(
                copy.data(), detail::raw_pointer(first), n * sizeof(edge), cudaMemcpyHostToDevice,
                stream),
            "cudaMemcpyAsync of the edges");
        if (cuda::is_page_locked(
                detail::raw_pointer(first))) {  // read later than the caller may keep them
          cuda::synchronize(stream);
        }
      }
      count(edges, edges + n, rest);
    });
  } else {
    if (waits(policy) && !cuda::is_capturing(stream_of(policy))) {
      detail::require_sorted_on_device(policy, first, last);
    }
    count(first, last, o);
  }
}

}  // namespace detail
THRUST_HIST_NAMESPACE_END
