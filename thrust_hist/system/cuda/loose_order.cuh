// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Sparse histograms on CUDA: codes that were sorted by their high bits alone are put in order,
/// with what lies beside them.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/transfer.h>
#include <thrust_hist/system/cuda/call_memory.cuh>
#include <thrust_hist/system/cuda/kernels/mend_order.cuh>
#include <thrust_hist/system/cuda/launch.cuh>

#include <cstdint>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {

/// Sorts codes that differ in their low bits alone, in groups of up to so many. Returns false where
/// they are more. Waits for the stream.
template <class Policy, class Code, class Beside>
bool mend_loose_order(
    call_memory<Policy>& memory, Code* codes, Beside* beside, std::uint64_t size, int low_bits,
    std::uint32_t most) {
  cudaStream_t const stream = memory.stream();
  held_array<disorder, Policy> findings(memory);
  held_array<std::uint64_t, Policy> begins(memory);
  disorder* const found = findings.take(1);
  begins.take(disorder::room);
  require(cudaMemsetAsync(found, 0, sizeof *found, stream), "cudaMemsetAsync of a count");
  cuda::launch(
      "find_disorder", find_disorder<Code>, blocks_for(size), 256, 0, stream, codes, size, low_bits,
      most, found, begins.data());
  disorder const seen = copy_to_host(cuda_system{}, memory.policy(), found, 1)[0];
  if (!seen.is_small() || seen.groups == 0) {
    return seen.is_small();
  }
  cuda::launch(
      "mend_order", mend_order<Code, Beside>, blocks_for(seen.groups), 256, 0, stream, codes,
      beside, size, low_bits, most, found, begins.data());
  return copy_to_host(cuda_system{}, memory.policy(), found, 1)[0].is_small();
}

}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
