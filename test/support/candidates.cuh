// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Rules as the loops of kernels have them: the simplest form, without branches.

#include "buffers.h"
#include <thrust_hist/system/cuda/kernels/simplest.cuh>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace test {

template <class Bound, class Sample>
__global__ void find_candidates(
    Bound const rule, Sample const* samples, std::size_t n, std::uint32_t* out) {
  thrust_hist::detail::cuda::with_simplest(
      rule, thrust_hist::detail::cuda::no_rule_memory{}, [&](auto const& simple) {
        for (std::size_t i = threadIdx.x; i < n; i += blockDim.x)
          out[i] = thrust_hist::detail::cuda::candidate<std::uint32_t>(simple, samples[i]);
      });
}

// The bins of the samples by a rule bound to their type; for those that have none, any number that
// is no bin.
template <class Bound, class Samples>
std::vector<std::uint32_t> candidates_of(Bound const& rule, Samples const& samples) {
  cuda_buffer<typename Samples::value_type> in(samples.data(), samples.size());
  std::vector<std::uint32_t> found(samples.size());
  cuda_buffer<std::uint32_t> out(found.data(), found.size());
  find_candidates<<<1, 256>>>(rule, in.data(), samples.size(), out.data());
  check_cuda(cudaGetLastError(), "the launch that finds candidates");
  out.read(found.data());
  return found;
}

}  // namespace test
