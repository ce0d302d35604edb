// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Codes that were sorted by their high bits alone: a group of some thousands with the same high
/// bits is put in order by a block.

#include <thrust_hist/config.h>
#include <thrust_hist/system/cuda/kernels/kernels_in_turn.cuh>
#include <thrust_hist/system/cuda/kernels/radix_word.cuh>
#include <thrust_hist/system/cuda/kernels/small_sorts.cuh>
#include <thrust_hist/system/cuda/prefix_groups.h>

#include <cstdint>
#include <type_traits>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {
#pragma GCC visibility push(hidden)

/// One block for each group, from a place in `begins` on: its low bits are sorted, with where they
/// stood. `low_bits` and the bits of a place are 64 together at most.
template <class Stored, class Beside>
__launch_bounds__(long_prefix_groups::threads) __global__ void order_long_group(
    Stored* const codes, Beside* const beside, std::uint64_t const n, int const low_bits,
    std::uint64_t const* const begins, std::uint32_t volatile* const too_long) {
  cuda::take_turn();
  __shared__ unsigned long long numbers[long_prefix_groups::most];
  std::uint64_t const begin = begins[blockIdx.x];
  using code = typename radix_word<Stored>::type;
  code const first = radix_word<Stored>::of(codes[begin]);
  unsigned size = 0;
  bool falls = false;
  auto const seen = static_cast<unsigned>(min(n - begin, long_prefix_groups::most_read + 1));
  for (unsigned from = 0; from < seen; from += long_prefix_groups::threads) {
    unsigned const i = from + threadIdx.x;
    bool belongs = false;
    if (i < seen) {
      code const difference = radix_word<Stored>::of(codes[begin + i]) ^ first;
      belongs = difference >> low_bits == 0;
      falls = falls || (belongs && i > 0 &&
                        radix_word<Stored>::of(codes[begin + i - 1]) > (difference ^ first));
      if (belongs && i < long_prefix_groups::most) {
        unsigned long long const low = (difference ^ first) & ((1ull << low_bits) - 1);
        numbers[i] = low << long_prefix_groups::log2_of_most | i;
      }
    }
    auto const all = static_cast<unsigned>(__syncthreads_count(belongs));
    size += all;
    if (all < long_prefix_groups::threads) {
      break;
    }
  }
  if (__syncthreads_or(falls) == 0 && size <= long_prefix_groups::most_read) {
    return;  // in order, however long
  }
  if (size > long_prefix_groups::most) {
    *too_long = 1;
    return;
  }
  small_sort::by_block(numbers, size);
  constexpr unsigned of_thread = long_prefix_groups::most / long_prefix_groups::threads;
  Stored moved[of_thread];
  std::conditional_t<std::is_empty_v<Beside>, char, Beside> words[of_thread];
#pragma unroll
  for (unsigned k = 0; k < of_thread; ++k) {
    unsigned const i = threadIdx.x + k * long_prefix_groups::threads;
    if (i < size) {
      std::uint64_t const from = begin + numbers[i] % long_prefix_groups::most;
      moved[k] = codes[from];
      if constexpr (!std::is_empty_v<Beside>) {
        words[k] = beside[from];
      }
    }
  }
  __syncthreads();  // all has been read
#pragma unroll
  for (unsigned k = 0; k < of_thread; ++k) {
    unsigned const i = threadIdx.x + k * long_prefix_groups::threads;
    if (i < size) {
      codes[begin + i] = moved[k];
      if constexpr (!std::is_empty_v<Beside>) {
        beside[begin + i] = words[k];
      }
    }
  }
}

#pragma GCC visibility pop
}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
