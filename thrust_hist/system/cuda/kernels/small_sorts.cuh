// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Sorts of some few numbers in shared memory, by a thread or by a warp.

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

  /// Any number. All lanes of the warp must call it.
  template <class T>
  __device__ static void by_warp(T* const numbers, std::uint32_t const size) {
    __syncwarp();
    if (size <= 32) {
      by_rank(numbers, size);
    } else {
      bitonic(numbers, size);
    }
    __syncwarp();
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
  /// Each lane finds out how many numbers come before its own.
  template <class T>
  __device__ static void by_rank(T* const numbers, std::uint32_t const size) {
    std::uint32_t const lane = threadIdx.x % 32;
    T const mine = numbers[lane < size ? lane : 0];
    std::uint32_t before = 0;
    for (std::uint32_t i = 0; i < size; ++i) {
      T const other = numbers[i];
      before += other < mine || (other == mine && i < lane) ? 1 : 0;
    }
    __syncwarp();
    if (lane < size) {
      numbers[before] = mine;
    }
  }
  /// K. Batcher's, where the smaller of two always goes to the lower place, so that what lies behind the end need not
  /// be there.
  template <class T>
  __device__ static void bitonic(T* const numbers, std::uint32_t const size) {
    auto const exchange_at = [&](std::uint32_t a, std::uint32_t b) {
      if (b < size) {
        T low = numbers[a];
        T high = numbers[b];
        exchange(low, high);
        numbers[a] = low;
        numbers[b] = high;
      }
    };
    for (std::uint32_t half = 1; half < size; half *= 2) {
      for (std::uint32_t i = threadIdx.x % 32; i < size; i += 32) {
        std::uint32_t const first = i / half * 2 * half;
        exchange_at(first + i % half, first + 2 * half - 1 - i % half);
      }
      __syncwarp();
      for (std::uint32_t apart = half / 2; apart > 0; apart /= 2) {
        for (std::uint32_t i = threadIdx.x % 32; i < size; i += 32) {
          std::uint32_t const a = i / apart * 2 * apart + i % apart;
          exchange_at(a, a + apart);
        }
        __syncwarp();
      }
    }
  }
};

#pragma GCC visibility pop
}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
