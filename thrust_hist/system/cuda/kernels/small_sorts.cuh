// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Sorts of some few numbers in shared memory, by a thread, a warp or a block.

#include <thrust_hist/config.h>

#include <cstdint>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {
#pragma GCC visibility push(hidden)

struct small_sort {
  /// That a thread sorts, in registers.
  static constexpr unsigned most = 8;

  template <class T>
  __device__ static void by_thread(T* const numbers, std::uint32_t const size) {
    T x[most];
#pragma unroll
    for (unsigned i = 0; i < most; ++i) {
      x[i] = i < size ? numbers[i] : static_cast<T>(~T{0});  // comes last, or equals what does
    }
    network(x);
#pragma unroll
    for (unsigned i = 0; i < most; ++i) {
      if (i < size) {
        numbers[i] = x[i];
      }
    }
  }

  /// Any number. All lanes of the warp must call it. Not part of what calls it, which has registers for less.
  template <class T>
  __device__ __noinline__ static void by_warp(T* const numbers, std::uint32_t const size) {
    __syncwarp();
    if (size <= 32) {
      by_rank<1>(numbers, size);
    } else if (size <= 64) {
      by_rank<2>(numbers, size);
    } else if (size <= 256) {
      by_rank<8>(numbers, size);
    } else {
      bitonic(numbers, size, threadIdx.x % 32, 32, [](std::uint32_t) { __syncwarp(); });
    }
    __syncwarp();
  }

  /// The same of a block, after its threads have waited for each other.
  template <class T>
  __device__ static void by_block(T* const numbers, std::uint32_t const size) {
    bitonic(numbers, size, threadIdx.x, blockDim.x, [](std::uint32_t reach) {
      if (reach > 64) {
        __syncthreads();
      } else {  // a warp has 32 pairs side by side
        __syncwarp();
      }
    });
    __syncthreads();
  }

private:
  template <class T>
  __device__ static void exchange(T& a, T& b) {
    T const low = min(a, b);
    b = max(a, b);
    a = low;
  }
  /// 19 exchanges.
  template <class T>
  __device__ static void network(T (&x)[most]) {
    exchange(x[0], x[2]), exchange(x[1], x[3]), exchange(x[4], x[6]), exchange(x[5], x[7]);
    exchange(x[0], x[4]), exchange(x[1], x[5]), exchange(x[2], x[6]), exchange(x[3], x[7]);
    exchange(x[0], x[1]), exchange(x[2], x[3]), exchange(x[4], x[5]), exchange(x[6], x[7]);
    exchange(x[2], x[4]), exchange(x[3], x[5]);
    exchange(x[1], x[4]), exchange(x[3], x[6]);
    exchange(x[1], x[2]), exchange(x[3], x[4]), exchange(x[5], x[6]);
  }
  /// Each lane finds out how many numbers come before its own, so many at most.
  template <unsigned Most, class T>
  __device__ static void by_rank(T* const numbers, std::uint32_t const size) {
    std::uint32_t const lane = threadIdx.x % 32;
    T mine[Most];
    std::uint32_t before[Most];
#pragma unroll
    for (unsigned k = 0; k < Most; ++k) {
      mine[k] = numbers[min(k * 32 + lane, size - 1)];
      before[k] = 0;
    }
#pragma unroll
    for (unsigned other = 0; other < Most; ++other) {
      std::uint32_t const first = other * 32;
#pragma unroll 4
      for (std::uint32_t i = first; i < min(first + 32, size); ++i) {
        T const number = numbers[i];
#pragma unroll
        for (unsigned k = 0; k < Most; ++k) {
          // Equal ones stay as they stand.
          bool const is_before = other < k ? number <= mine[k]
                                 : other == k
                                     ? number < mine[k] || (number == mine[k] && i - first < lane)
                                     : number < mine[k];
          before[k] += is_before ? 1 : 0;
        }
      }
    }
    __syncwarp();
#pragma unroll
    for (unsigned k = 0; k < Most; ++k) {
      if (k * 32 + lane < size) {
        numbers[before[k]] = mine[k];
      }
    }
  }
  /// K. Batcher's, where the smaller of two always goes to the lower place, so that what lies behind the end need not
  /// be there. `wait(reach)` is called by all of so many threads where each has exchanged, and will exchange, numbers
  /// of a stretch of so many alone.
  template <class T, class Wait>
  __device__ static void bitonic(
      T* const numbers, std::uint32_t const size, std::uint32_t const thread,
      std::uint32_t const threads, Wait wait) {
    auto const exchange_at = [&](std::uint32_t a, std::uint32_t b) {
      if (b < size) {
        T low = numbers[a];
        T high = numbers[b];
        exchange(low, high);
        numbers[a] = low;
        numbers[b] = high;
      }
    };
    // Twice `half` numbers, or as many as there are, have half of them pairs.
    auto const pairs = [size](std::uint32_t half) {
      return ((size + 2 * half - 1) & ~(2 * half - 1)) / 2;
    };
    for (std::uint32_t half = 1; half < size; half *= 2) {
      for (std::uint32_t i = thread; i < pairs(half); i += threads) {
        std::uint32_t const in_half = i & (half - 1);
        std::uint32_t const first = 2 * (i - in_half);
        exchange_at(first + in_half, first + 2 * half - 1 - in_half);
      }
      wait(half > 1 ? 2 * half : 4 * half);
      for (std::uint32_t apart = half / 2; apart > 0; apart /= 2) {
        for (std::uint32_t i = thread; i < pairs(apart); i += threads) {
          std::uint32_t const a = 2 * i - (i & (apart - 1));
          exchange_at(a, a + apart);
        }
        wait(apart > 1 ? 2 * apart : 4 * half);
      }
    }
  }
};

#pragma GCC visibility pop
}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
