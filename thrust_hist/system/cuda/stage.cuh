// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// An output in a host container under a CUDA policy: the device counts into memory of its own, and
/// the result is copied. Such a call waits.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/obey.h>
#include <thrust_hist/detail/output.h>
#include <thrust_hist/detail/policy.h>
#include <thrust_hist/options.h>
#include <thrust_hist/system/cuda/launch.cuh>
#include <thrust_hist/system/cuda/scratch_array.cuh>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {

/// Calls `count(device_out, o)`, which writes elements of type Counter, and copies the bins to
/// `out`.
template <class Counter, class Policy, class Out, class Count>
void stage_output(
    element<Counter>, Policy& policy, Out out, std::uint64_t bins, options const& o, Count count) {
  using counter = Counter;
  static_assert(
      std::is_same_v<counter, value_t<Out>>,
      "thrust_hist: results go to a host container of the type in which they are formed only; "
      "write into a thrust::device_vector and convert its elements.");
  cudaStream_t const stream = stream_of(policy);
  require_not_captured(cuda_system{}, policy, "the output is in host memory");
  std::size_t const bytes = bins * sizeof(counter);
  with_reserved(o, bytes, [&](options const& rest) {
    bool const runs = o.explain_ == nullptr && bins > 0;  // else a container has another size
    cuda::scratch_array<counter, Policy> staged(policy, runs ? bins : 0);
    if (o.accumulate_ && runs) {
      cuda::require(
          cudaMemcpyAsync(
              staged.data(), detail::raw_pointer(out), bytes, cudaMemcpyHostToDevice, stream),
          "cudaMemcpyAsync of the output to the device");
    }
    count(staged.data(), rest);
    if (runs) {
      cuda::require(
          cudaMemcpyAsync(
              detail::raw_pointer(out), staged.data(), bytes, cudaMemcpyDeviceToHost, stream),
          "cudaMemcpyAsync of the output to the host");
      cuda::synchronize(stream);
      staged.is_done();
    }
  });
}

}  // namespace detail
THRUST_HIST_NAMESPACE_END
