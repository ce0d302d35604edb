// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Sorts of some few numbers in shared memory, by a thread, a warp or a block.

#include <thrust_hist/config.h>
#include <thrust_hist/system/cuda/kernels/pair_array.cuh>

#include <cstdint>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {
#pragma GCC visibility push(hidden)

/// Numbers are given as a pointer or as a pair_array.
struct small_sort {
  /// That a thread sorts, in registers.
  static constexpr unsigned most = 8;
  static constexpr unsigned few = 4;

  template <unsigned Most, class Numbers>
  __device__ static void by_thread(Numbers const numbers, std::uint32_t const size) {
    using T = typename number_in<Numbers>::type;
    T x[Most];
#pragma unroll
    for (unsigned i = 0; i < Most; ++i) {
      x[i] = i < size ? static_cast<T>(numbers[i])
                      : static_cast<T>(~T{0});  // comes last, or equals what does
    }
    network(x);
#pragma unroll
    for (unsigned i = 0; i < Most; ++i) {
      if (i < size) {
        numbers[i] = x[i];
      }
    }
  }

  /// Any number. All lanes of the warp must call it.
  template <class Numbers>
  __device__ static void by_warp(Numbers const numbers, std::uint32_t const size) {
    __syncwarp();
    if (size <= 32) {
      by_rank(numbers, size);
    } else if (size <= 64) {
      by_lanes<2>(numbers, size);
    } else if (size <= 256) {
      by_lanes<8>(numbers, size);
    } else {
      bitonic(numbers, size, threadIdx.x % 32, 32, [](std::uint32_t) { __syncwarp(); });
    }
    __syncwarp();
  }

  /// Any number. All threads of the block must call it, after having waited for each other.
  template <class Numbers>
  __device__ static void by_block(Numbers const numbers, std::uint32_t const size) {
    if (size <=
        min(2 * blockDim.x, 512u)) {  // eight chunks: each more is one to look a number up in
      by_chunks<2>(numbers, size);
    } else if (size <= 8 * blockDim.x) {
      by_chunks<8>(numbers, size);
    } else {
      bitonic(numbers, size, threadIdx.x, blockDim.x, [](std::uint32_t reach) {
        if (reach > 64) {
          __syncthreads();
        } else {  // a warp has 32 pairs side by side
          __syncwarp();
        }
      });
    }
    __syncthreads();
  }

private:
  template <class T>
  __device__ static T lower(T a, T b) {
    if constexpr (sizeof(T) > 8) {
      return b < a ? b : a;
    } else {
      return min(a, b);
    }
  }
  template <class T>
  __device__ static T higher(T a, T b) {
    if constexpr (sizeof(T) > 8) {
      return b < a ? a : b;
    } else {
      return max(a, b);
    }
  }
  template <class T>
  __device__ static void exchange(T& a, T& b) {
    T const low = lower(a, b);
    b = higher(a, b);
    a = low;
  }
  /// That of another lane, of which the number differs by these bits.
  template <class T>
  __device__ static T of_other(T x, unsigned lanes) {
    if constexpr (sizeof(T) > 8) {
      auto const high = static_cast<unsigned long long>(x >> 64);
      return static_cast<T>(__shfl_xor_sync(~0u, high, lanes)) << 64 |
             __shfl_xor_sync(~0u, static_cast<unsigned long long>(x), lanes);
    } else {
      return __shfl_xor_sync(~0u, x, lanes);
    }
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
  template <class T>
  __device__ static void network(T (&x)[few]) {
    exchange(x[0], x[2]), exchange(x[1], x[3]);
    exchange(x[0], x[1]), exchange(x[2], x[3]);
    exchange(x[1], x[2]);
  }
  template <class T>
  __device__ static void network(T (&x)[2]) {
    exchange(x[0], x[1]);
  }
  /// Each lane finds out how many numbers come before its own. No more than there are lanes.
  template <class Numbers>
  __device__ static void by_rank(Numbers const numbers, std::uint32_t const size) {
    using T = typename number_in<Numbers>::type;
    std::uint32_t const lane = threadIdx.x % 32;
    T const mine = numbers[min(lane, size - 1)];
    std::uint32_t before = 0;
#pragma unroll 4
    for (std::uint32_t i = 0; i < size; ++i) {
      T const number = numbers[i];
      before +=
          number < mine || (number == mine && i < lane) ? 1 : 0;  // equal ones stay as they stand
    }
    __syncwarp();
    if (lane < size) {
      numbers[before] = mine;
    }
  }
  /// Of each lane so many, side by side, in its registers: what K. Batcher's network would
  /// exchange, lanes tell each other. No more than all lanes have.
  template <unsigned OfLane, class Numbers>
  __device__ static void by_lanes(Numbers const numbers, std::uint32_t const size) {
    using T = typename number_in<Numbers>::type;
    std::uint32_t const first = threadIdx.x % 32 * OfLane;
    T x[OfLane];
#pragma unroll
    for (unsigned i = 0; i < OfLane; ++i) {
      x[i] = first + i < size ? static_cast<T>(numbers[first + i]) : static_cast<T>(~T{0});
    }
    sort_lanes(x, size);
#pragma unroll
    for (unsigned i = 0; i < OfLane; ++i) {
      if (first + i < size) {
        numbers[first + i] = x[i];
      }
    }
  }
  template <class T, unsigned OfLane>
  __device__ static void sort_lanes(T (&x)[OfLane], std::uint32_t const size) {
    network(x);
#pragma unroll 1
    for (unsigned half = 1; half < 32 && half * OfLane < size; half *= 2) {
      // The first half meets the second one backwards.
      bool const is_low = (threadIdx.x & half) == 0;
#pragma unroll
      for (unsigned i = 0; i < OfLane / 2; ++i) {
        T const a = of_other(x[OfLane - 1 - i], 2 * half - 1);
        T const b = of_other(x[i], 2 * half - 1);
        x[i] = is_low ? lower(x[i], a) : higher(x[i], a);
        x[OfLane - 1 - i] = is_low ? lower(x[OfLane - 1 - i], b) : higher(x[OfLane - 1 - i], b);
      }
#pragma unroll 1
      for (unsigned apart = half / 2; apart > 0; apart /= 2) {
        bool const is_first = (threadIdx.x & apart) == 0;
#pragma unroll
        for (unsigned i = 0; i < OfLane; ++i) {
          T const other = of_other(x[i], apart);
          x[i] = is_first ? lower(x[i], other) : higher(x[i], other);
        }
      }
#pragma unroll
      for (unsigned apart = OfLane / 2; apart > 0; apart /= 2) {
#pragma unroll
        for (unsigned i = 0; i < OfLane; ++i) {
          if ((i & apart) == 0) {
            exchange(x[i], x[i + apart]);
          }
        }
      }
    }
  }
  /// Each warp sorts a chunk, so many numbers for each lane, and then each number looks up how many
  /// come before it in the other chunks. No more than all lanes of the block have.
  template <unsigned OfLane, class Numbers>
  __device__ static void by_chunks(Numbers const numbers, std::uint32_t const size) {
    using T = typename number_in<Numbers>::type;
    constexpr std::uint32_t chunk = 32 * OfLane;
    std::uint32_t const first = threadIdx.x / 32 * chunk;
    if (first < size) {
      by_lanes<OfLane>(numbers + first, min(chunk, size - first));
    }
    __syncthreads();
    std::uint32_t const lane = threadIdx.x % 32;
    T mine[OfLane];
    std::uint32_t place[OfLane];
#pragma unroll
    for (unsigned i = 0; i < OfLane; ++i) {
      place[i] = i * 32 + lane;
      mine[i] = first + place[i] < size ? static_cast<T>(numbers[first + place[i]]) : T{0};
    }
#pragma unroll 1
    for (std::uint32_t other = 0; first < size && other < size; other += chunk) {
      if (other != first) {
        std::uint32_t const all = min(chunk, size - other);
        std::uint32_t before[OfLane] = {};
#pragma unroll 1
        for (std::uint32_t step = chunk; step > 0; step /= 2) {
#pragma unroll
          for (unsigned i = 0; i < OfLane; ++i) {
            // Of equal ones those of lower chunks come first. No branches: lanes would take turns.
            std::uint32_t const next = before[i] + step;
            T const number = numbers[other + min(next, all) - 1];
            bool const is_before = number < mine[i] || (number == mine[i] && other < first);
            before[i] = next <= all && is_before ? next : before[i];
          }
        }
#pragma unroll
        for (unsigned i = 0; i < OfLane; ++i) {
          place[i] += before[i];
        }
      }
    }
    __syncthreads();
#pragma unroll
    for (unsigned i = 0; i < OfLane; ++i) {
      if (first + i * 32 + lane < size) {
        numbers[place[i]] = mine[i];
      }
    }
  }
  /// K. Batcher's, where the smaller of two always goes to the lower place, so that what lies
  /// behind the end need not be there. `wait(reach)` is called by all of so many threads where each
  /// has exchanged, and will exchange, numbers of a stretch of so many alone.
  template <class Numbers, class Wait>
  __device__ static void bitonic(
      Numbers const numbers, std::uint32_t const size, std::uint32_t const thread,
      std::uint32_t const threads, Wait wait) {
    using T = typename number_in<Numbers>::type;
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
