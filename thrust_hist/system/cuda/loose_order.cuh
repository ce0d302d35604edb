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
#include <thrust_hist/system/cuda/kernels/order_long_group.cuh>
#include <thrust_hist/system/cuda/kernels/order_prefix_groups.cuh>
#include <thrust_hist/system/cuda/launch.cuh>
#include <thrust_hist/system/cuda/mailbox.cuh>
#include <thrust_hist/system/cuda/prefix_groups.h>

#include <cstdint>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {

/// Puts groups of codes of up to 8 bytes in order. Returns false where one that is not is too long,
/// or too many are long.
template <class Policy, class Stored, class Beside>
bool order_in_groups(
    call_memory<Policy>& memory, Stored* codes, Beside* beside, std::uint64_t size, int low_bits) {
  cudaStream_t const stream = memory.stream();
  held_array<long_prefix_groups, Policy> findings(memory);
  held_array<std::uint64_t, Policy> begins(memory);
  long_prefix_groups* const found = findings.take(1);
  begins.take(long_prefix_groups::room);
  mailbox_loan loan(stream);
  auto* const letter = static_cast<std::uint32_t volatile*>(loan.box().letter);
  *letter = 0;
  require(cudaMemsetAsync(found, 0, sizeof *found, stream), "cudaMemsetAsync of a count");
  cuda::launch(
      "order_prefix_groups", order_prefix_groups<Stored, Beside>, prefix_groups::tiles(size),
      prefix_groups::threads, 0, stream, codes, beside, size, low_bits, found, begins.data(),
      letter);
  synchronize(stream);
  bool are_ordered = true;
  if (*letter != 0) {
    long_prefix_groups const seen = copy_to_host(cuda_system{}, memory.policy(), found, 1)[0];
    are_ordered = seen.number <= long_prefix_groups::room &&
                  low_bits + int{long_prefix_groups::log2_of_most} <= 64;
    if (are_ordered) {
      *letter = 0;
      cuda::launch(
          "order_long_group", order_long_group<Stored, Beside>, seen.number,
          long_prefix_groups::threads, 0, stream, codes, beside, size, low_bits, begins.data(),
          letter);
      synchronize(stream);
      are_ordered = *letter == 0;
    }
  }
  loan.give_back();
  return are_ordered;
}

/// The same of longer ones, of which few differ in low bits alone, in groups of up to so many.
template <class Policy, class Code, class Beside>
bool mend_few_groups(
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

/// Sorts codes that were sorted by all but their low bits, with what lies beside them. Returns
/// false where this would take too long: then some are in order and others are not, but equal ones
/// come as they came. Waits for the stream.
template <class Policy, class Stored, class Beside>
bool mend_loose_order(
    call_memory<Policy>& memory, Stored* codes, Beside* beside, std::uint64_t size, int low_bits) {
  if constexpr (sizeof(Stored) <= 8) {
    return cuda::order_in_groups(memory, codes, beside, size, low_bits);
  } else {
    constexpr std::uint64_t few = std::uint64_t{1} << 22;
    return cuda::mend_few_groups(
        memory, codes, beside, size, low_bits,
        size >= few ? disorder::most_codes : disorder::most_codes_of_few);
  }
}

}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
