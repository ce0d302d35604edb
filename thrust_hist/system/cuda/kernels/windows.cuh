// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Windows of binades: where they lie, which numbers they hold, and how these go to the words of a
/// bin.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/long_accumulator.h>
#include <thrust_hist/system/cuda/kernels/lanes.cuh>
#include <thrust_hist/system/cuda/kernels/shared_words.cuh>

#include <cstdint>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {
#pragma GCC visibility push(hidden)

/// What a probe of the values says: where the window lies, or that none will do. A second one is
/// just below it. And what those have in common who fold into windows.
struct window_facts {
  int base;          ///< position of the lowest bit
  unsigned wide;     ///< values are spread over more binades than windows have
  unsigned outside;  ///< of the values that were looked at; infinities and NaN as well
};

/// A number whose exponent lies in the window: significand * 2^place units of the window's lowest
/// bit.
template <class T>
struct placed {
  typename limb_format<T>::significand significand;
  int place;  // negative or too large where it lies outside
};

/// Places a number in a window that begins at `base`. Subnormal numbers, zero, infinities and NaN
/// lie outside: no window begins where it would reach those.
template <class T>
__device__ inline placed<T> place_in_window(T x, int base) {
  using format = limb_format<T>;
  using significand = typename format::significand;
  auto const bits = detail::bit_cast<significand>(x);
  int const field = static_cast<int>(bits >> format::fraction) & ((1 << format::exponent_bits) - 1);
  significand const one = significand{1} << format::fraction;
  significand const magnitude = (bits & (one - 1)) | one;
  return {bits < 0 ? -magnitude : magnitude, field - 1 - base};
}

/// How a number within the window goes to the three words of its bin, and what they hold. `step` is
/// from the address of a word to that of the next.
template <class T>
struct window;

/// Two words for binades 0 to 5 and 6 to 11 of the window, so that a number goes to one of them,
/// with a few bits to spare; one for what these two carry.
template <>
struct window<float> {
  static constexpr int binades = 12;
  static constexpr int half = 6;
  using total = std::int64_t;
  static constexpr int digits = 2;  // of 32 bits, in a total
  using few = std::int64_t;         // the sum of 2^16 numbers of both windows

  __device__ static void add(std::uint32_t address, std::uint32_t step, int m, int place) {
    bool const upper = place >= half;
    auto const shifted = static_cast<unsigned>(m) << (upper ? place - half : place);
    int const carry =
        cuda::add_signed(upper ? address + step : address, static_cast<std::int32_t>(shifted));
    if (carry != 0) {
      cuda::increase_shared(
          address + 2 * step, static_cast<std::uint32_t>(upper ? carry * (1 << half) : carry));
    }
  }
  __device__ static few shifted(int m, int place) {
    return static_cast<few>(static_cast<std::uint64_t>(few{m}) << place);
  }
  __device__ static few over_warp(few mine) { return cuda::sum_over_lanes(~0u, mine); }
  /// The sum of two numbers: of more, it might be too large for the upper word.
  __device__ static void add_pair(std::uint32_t address, std::uint32_t step, few sum) {
    auto const low = static_cast<std::int32_t>(sum) & ((1 << half) - 1);
    int carry =
        cuda::add_signed(address + step, static_cast<std::int32_t>(sum >> half)) * (1 << half);
    if (low != 0) {
      carry += cuda::add_signed(address, low);
    }
    if (carry != 0) {
      cuda::increase_shared(address + 2 * step, static_cast<std::uint32_t>(carry));
    }
  }
  __device__ static void add_few(std::uint32_t address, std::uint32_t step, few sum) {
    auto const low = static_cast<std::int32_t>(sum);
    auto const high = static_cast<std::int32_t>((sum - low) >> 32) + cuda::add_signed(address, low);
    if (high != 0) {
      cuda::increase_shared(address + 2 * step, static_cast<std::uint32_t>(high));
    }
  }
  __device__ static total read(std::uint32_t w0, std::uint32_t w1, std::uint32_t w2) {
    auto const number = [](std::uint32_t w) { return std::int64_t{static_cast<std::int32_t>(w)}; };
    return number(w0) + number(w1) * (1 << half) + number(w2) * (std::int64_t{1} << 32);
  }
};

/// 96 bits, the lowest word unsigned.
template <>
struct window<double> {
  static constexpr int binades = 10;
  using total = int128;
  static constexpr int digits = 3;
  using few = int128;

  __device__ static void add(std::uint32_t address, std::uint32_t step, std::int64_t m, int place) {
    auto const x = static_cast<std::int64_t>(static_cast<std::uint64_t>(m) << place);
    add_parts(address, step, static_cast<std::uint32_t>(x), x >> 32);
  }
  __device__ static few shifted(std::int64_t m, int place) {
    return static_cast<few>(static_cast<uint128>(few{m}) << place);
  }
  __device__ static few over_warp(few mine) {
    return cuda::over_warp(mine, [](few a, few b) { return a + b; });
  }
  __device__ static void add_few(std::uint32_t address, std::uint32_t step, few sum) {
    add_parts(address, step, static_cast<std::uint32_t>(sum), static_cast<std::int64_t>(sum >> 32));
  }
  __device__ static total read(std::uint32_t w0, std::uint32_t w1, std::uint32_t w2) {
    auto const number = [](std::uint32_t w) {
      return static_cast<int128>(static_cast<std::int32_t>(w));
    };
    return static_cast<int128>(w0) + number(w1) * (static_cast<int128>(1) << 32) +
           number(w2) * (static_cast<int128>(1) << 64);
  }

private:
  __device__ static void add_parts(
      std::uint32_t address, std::uint32_t step, std::uint32_t low, std::int64_t rest) {
    std::uint32_t const before = cuda::add_shared(address, low);
    rest += before + low < low ? 1 : 0;
    auto const middle = static_cast<std::int32_t>(rest);
    auto const high =
        static_cast<std::int32_t>((rest - middle) >> 32) + cuda::add_signed(address + step, middle);
    if (high != 0) {
      cuda::increase_shared(address + 2 * step, static_cast<std::uint32_t>(high));
    }
  }
};

inline constexpr unsigned words_of_window = 3;

#pragma GCC visibility pop
}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
