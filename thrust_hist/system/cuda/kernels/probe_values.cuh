// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// A look at some of the values, which says where the window of exact sums should lie.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/long_accumulator.h>
#include <thrust_hist/system/cuda/kernels/kernels_in_turn.cuh>
#include <thrust_hist/system/cuda/kernels/lanes.cuh>
#include <thrust_hist/system/cuda/kernels/window_table.cuh>

#include <cstdint>
#include <type_traits>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {
#pragma GCC visibility push(hidden)

inline constexpr unsigned probe_threads = 1024;

/// Whether an input may have several values.
template <class Input, class = void>
inline constexpr bool has_several = false;
template <class Input>
inline constexpr bool has_several<Input, std::enable_if_t<Input::emits>> = true;

/// The highest place of counted exponents: of what is infinite or no number, which no window
/// covers.
template <class T>
inline constexpr int special_place = (1 << limb_format<T>::exponent_bits) - 2;

/// Keeps the value of an input instead of folding it.
template <class T, bool Several>
struct kept_values {
  using bits = std::make_unsigned_t<typename limb_format<T>::significand>;
  bits magnitude = 0;

  template <class Bin>
  __device__ void add(Bin, T value) {
    magnitude = magnitude_of(value);
  }
  /// Counts its exponent. Zero has none.
  __device__ void count(unsigned* counts) const { count(magnitude, counts); }

  __device__ static bits magnitude_of(T value) {
    return static_cast<bits>(detail::bit_cast<bits>(value) << 1 >> 1);
  }
  __device__ static int place_of(bits magnitude) {
    return max(static_cast<int>(magnitude >> limb_format<T>::fraction), 1) - 1;
  }
  __device__ static void count(bits magnitude, unsigned* counts) {
    if (magnitude != 0) {
      atomicAdd(counts + place_of(magnitude), 1u);
    }
  }
};
/// Where there may be several: of numbers but zero the largest and the smallest, since functions
/// may emit what differs by as much as they like.
template <class T>
struct kept_values<T, true> {
  using one = kept_values<T, false>;
  using bits = typename one::bits;
  bits largest = 0;
  bits smallest = 0;
  bool has_special = false;

  template <class Bin>
  __device__ void add(Bin, T value) {
    bits const magnitude = one::magnitude_of(value);
    if (one::place_of(magnitude) == special_place<T>) {
      has_special = true;
    } else if (magnitude != 0) {
      largest = max(largest, magnitude);
      smallest = smallest == 0 ? magnitude : min(smallest, magnitude);
    }
  }
  /// Counts their exponents, or the one that they have.
  __device__ void count(unsigned* counts) const {
    one::count(largest, counts);
    one::count(one::place_of(smallest) != one::place_of(largest) ? smallest : 0, counts);
    if (has_special) {
      atomicAdd(counts + special_place<T>, 1u);
    }
  }
};

/// Counts the exponents of what `looks` inputs have for each thread, in fours of neighbours spread
/// over the input: what a multiprocessor can ask for is so many pieces of memory, not so many
/// values. Several are asked for at once.
template <class T, class Input>
__device__ inline void count_exponents(Input const& input, unsigned looks, unsigned* counts) {
  constexpr unsigned at_once = 8;
  constexpr unsigned neighbours = 4;
  // An odd number of fours from one to the next: values may come in turns of 8 or 16.
  std::uint64_t const stretch =
      neighbours * ((input.size() / (std::uint64_t{looks} * probe_threads) + 1) | 1);
  for (unsigned first = 0; first < looks; first += at_once) {
    kept_values<T, has_several<Input>> seen[at_once];
#pragma unroll
    for (unsigned i = 0; i < at_once; ++i) {
      unsigned const look = (first + i) * probe_threads + threadIdx.x;
      std::uint64_t const at = look / neighbours * stretch + look % neighbours;
      if (first + i < looks && at < input.size()) {
        input.visit(at, seen[i]);
      }
    }
#pragma unroll
    for (unsigned i = 0; i < at_once; ++i) {
      seen[i].count(counts);
    }
  }
}

/// Memory that is set to 0, in words of 64 bits.
struct cleared_words {
  unsigned long long* first;
  std::uint64_t size;

  /// By all blocks but the first, if there are others.
  __device__ void clear() const {
    unsigned const others = gridDim.x > 1 ? 1 : 0;
    std::uint64_t const step = std::uint64_t{gridDim.x - others} * blockDim.x;
    if (blockIdx.x >= others) {
      for (std::uint64_t i = std::uint64_t{blockIdx.x - others} * blockDim.x + threadIdx.x;
           i < size; i += step) {
        first[i] = 0;
      }
    }
  }
};

/// Looks at `looks` inputs for each thread of the first block, spread over all, and places the
/// window where it covers most of them, as high as may be. Meanwhile the others clear what sums
/// begin with.
template <class T, class Input>
__launch_bounds__(probe_threads) __global__ void probe_values(
    Input const input, unsigned const looks, unsigned const windows, bool const may_be_wide,
    window_facts* const facts, cleared_words const sums) {
  cuda::take_turn();
  if (sums.first != nullptr) {
    cuda::let_next_kernel_come();  // windows, which have large tables to begin
  }
  sums.clear();
  if (blockIdx.x != 0) {
    return;
  }
  constexpr int positions = 1 << ieee_layout<T>::exponent_bits;
  constexpr int binades = window<T>::binades;
  __shared__ unsigned counts[positions];
  __shared__ unsigned long long best;
  __shared__ unsigned all;
  for (int i = static_cast<int>(threadIdx.x); i < positions; i += probe_threads) {
    counts[i] = 0;
  }
  if (threadIdx.x == 0) {
    best = 0;
    all = 0;
  }
  __syncthreads();
  cuda::count_exponents<T>(input, looks, counts);
  __syncthreads();
  // The window is the upper one of two, which begins where the other has room below it, and ends
  // where numbers are finite still.
  int const below = static_cast<int>(windows - 1) * binades;
  unsigned long long best_of_mine = 0;
  unsigned all_of_mine = 0;
  for (int base = static_cast<int>(threadIdx.x); base < positions; base += probe_threads) {
    bool const possible = base >= below && base <= positions - 2 - binades;
    unsigned covered = 0;
    for (int i = base - below; possible && i < base + binades; ++i) {
      covered += counts[i];
    }
    auto const rated = possible ? covered + 1 : 0;  // so that some base is the best of all
    best_of_mine = max(
        best_of_mine, (static_cast<unsigned long long>(rated) << 32) | static_cast<unsigned>(base));
    all_of_mine += counts[base];
  }
  best_of_mine = cuda::over_warp(
      best_of_mine, [](unsigned long long a, unsigned long long b) { return max(a, b); });
  all_of_mine = cuda::over_warp(all_of_mine, [](unsigned a, unsigned b) { return a + b; });
  if (threadIdx.x % 32 == 0) {
    atomicMax(&best, best_of_mine);
    atomicAdd(&all, all_of_mine);
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    auto const covered = static_cast<unsigned>(best >> 32) - 1;
    unsigned const numbers = all - counts[special_place<T>];
    bool const wide = may_be_wide && numbers - covered > numbers / 64;
    *facts = {static_cast<int>(best & 0xffffffffu), wide ? 1u : 0u, all - covered};
  }
}

#pragma GCC visibility pop
}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
