// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// A first look at few keys, which takes next to no time: how many of them are distinct, and how far
/// they reach.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/iterator_types.h>
#include <thrust_hist/detail/mixed_codes.h>
#include <thrust_hist/system/cuda/kernels/lanes.cuh>
#include <thrust_hist/system/cuda/kernels/shared_words.cuh>
#include <thrust_hist/system/cuda/key_glance.h>

#include <cstdint>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {
#pragma GCC visibility push(hidden)

/// One block looks at keys all over the input, eight for each thread, whose loads are under way at once.
/// A code has a word in a table in shared memory: itself, mixed, and never 0. Few codes have the same.
template <class Keys, class Encoder, class Code>
__launch_bounds__(key_glance::threads) __global__ void glance_at_keys(
    Keys const keys, std::uint64_t const n, Encoder const encode, key_glance* const seen) {
  extern __shared__ uint4 memory[];
  struct findings {
    unsigned long long lowest, highest;
    std::uint32_t distinct;
  };
  auto* const found =
      reinterpret_cast<findings*>(memory + key_glance::slots * sizeof(std::uint32_t) / 16);
  constexpr unsigned of_thread = key_glance::keys / key_glance::threads;
  std::uint32_t const table = cuda::shared_address(memory);
  for (std::uint32_t i = threadIdx.x; i < key_glance::slots; i += key_glance::threads) {
    cuda::store_shared(table + i * 4, 0);
  }
  if (threadIdx.x == 0) {
    *found = {~0ull, 0, 0};
  }
  Code codes[of_thread];
  bool has_code[of_thread];
#pragma unroll
  for (unsigned i = 0; i < of_thread; ++i) {
    std::uint64_t const number = i * key_glance::threads + threadIdx.x;
    std::uint64_t const at =
        __umul64hi(detail::mix_code(number + 1), n);  // anywhere: keys may come in order
    has_code[i] =
        encode(static_cast<value_t<Keys>>(keys[static_cast<difference_t<Keys>>(at)]), codes[i]);
  }
  __syncthreads();
  std::uint32_t fresh = 0;
  unsigned long long first = ~0ull, last = 0;
#pragma unroll
  for (unsigned i = 0; i < of_thread; ++i) {
    std::uint32_t const word = static_cast<std::uint32_t>(detail::mix_code(codes[i])) | 1;
    std::uint32_t slot = word >> 1;
    for (bool seeks = has_code[i]; seeks; ++slot) {
      std::uint32_t const before = cuda::name_shared(table + slot % key_glance::slots * 4, word);
      fresh += before == 0 ? 1 : 0;
      seeks = before != 0 && before != word;
    }
    first = has_code[i] && codes[i] < first ? codes[i] : first;
    last = has_code[i] && codes[i] > last ? codes[i] : last;
  }
  fresh = cuda::over_warp(fresh, [](std::uint32_t a, std::uint32_t b) { return a + b; });
  using word = unsigned long long;
  first = cuda::over_warp(first, [](word a, word b) { return min(a, b); });
  last = cuda::over_warp(last, [](word a, word b) { return max(a, b); });
  if (threadIdx.x % 32 == 0) {
    atomicAdd(&found->distinct, fresh);
    atomicMin(&found->lowest, first);
    atomicMax(&found->highest, last);
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    bool const any = found->highest > found->lowest;
    *seen = {found->distinct, any ? found->highest - found->lowest : 0};
  }
}

#pragma GCC visibility pop
}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
