// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Bits of codes, to see in which they differ.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/sparse_keys.h>
#include <thrust_hist/system/cuda/kernels/lanes.cuh>

#include <type_traits>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {
#pragma GCC visibility push(hidden)

/// 64 bits of a number, from a multiple of 64 on; nobody asks for those of other keys.
template <unsigned From, class Code>
THRUST_HIST_HOST_DEVICE unsigned long long bits_of_code(Code const& code) {
  if constexpr (!std::is_integral_v<Code> && !is_integer_of_128<Code>) {
    return 0;
  } else if constexpr (From < 8 * sizeof(Code)) {
    return static_cast<unsigned long long>(code >> From);
  } else {
    return 0;
  }
}

/// Sets bits of a word that all lanes bring. Most have nothing new to tell. All lanes of the warp
/// must call it.
__device__ inline void set_bits(unsigned long long* word, unsigned long long mine) {
  mine = cuda::over_warp(mine, [](unsigned long long a, unsigned long long b) { return a | b; });
  if (threadIdx.x % 32 == 0 && (mine & ~__ldcg(word)) != 0) {
    atomicOr(word, mine);
  }
}

/// The same, once for a block: many blocks at once would wait for each other, if each of their
/// warps had something new to tell. `of_block`: shared memory. All threads of the block must call
/// it.
__device__ inline void set_bits_by_block(
    unsigned long long* word, unsigned long long mine, unsigned long long& of_block) {
  if (threadIdx.x == 0) {
    of_block = 0;
  }
  __syncthreads();
  mine = cuda::over_warp(mine, [](unsigned long long a, unsigned long long b) { return a | b; });
  if (threadIdx.x % 32 == 0 && mine != 0) {
    atomicOr(&of_block, mine);
  }
  __syncthreads();
  if (threadIdx.x == 0 && (of_block & ~__ldcg(word)) != 0) {
    atomicOr(word, of_block);
  }
}

#pragma GCC visibility pop
}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
