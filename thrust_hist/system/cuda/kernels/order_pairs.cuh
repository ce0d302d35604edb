// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Sparse histograms, route sorted bucket by bucket, last kernel: a block puts a bucket in order,
/// where it stands.

#include <thrust_hist/config.h>
#include <thrust_hist/system/cuda/kernels/kernels_in_turn.cuh>
#include <thrust_hist/system/cuda/kernels/paired_table.cuh>
#include <thrust_hist/system/cuda/kernels/small_sorts.cuh>
#include <thrust_hist/system/cuda/kernels/throw_pairs.cuh>

#include <cstdint>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {
#pragma GCC visibility push(hidden)

/// What the threads of a block tell each other.
struct order_memory {
  std::uint32_t of_warps[32];
  std::uint32_t longest;
};
static_assert(sizeof(order_memory) <= bytes_beside_slice);

/// One block for each bucket.
template <class Code, class Word>
__launch_bounds__(ordered_slices::threads, ordered_slices::blocks) __global__ void order_pairs(
    bounded_slices<Code> const slices, paired_parts<Code, Word> const parts) {
  cuda::take_turn();
  extern __shared__ uint4 shared[];
  auto& memory = *reinterpret_cast<order_memory*>(shared);
  std::uint32_t const bucket = blockIdx.x;
  auto const begin = static_cast<std::uint32_t>(parts.ends[2 * bucket]);
  std::uint32_t const size = static_cast<std::uint32_t>(parts.ends[2 * bucket + 1]) - begin;
  pair_array<Code, Word> const here = {parts.codes + begin, parts.words + begin};
  if (size <= 1) {
    return;
  }
  if (size > slices.room) {  // by chance, or somebody knows how samples are drawn
    small_sort::by_block(here, size);
    return;
  }
  paired_table<Code, Word> table(shared + bytes_beside_slice / sizeof(uint4), slices, bucket, size);
  table.order(here, memory.of_warps, memory.longest);
}

#pragma GCC visibility pop
}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
