// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// A table in shared memory for exact sums of real numbers of one or two dozen binades: one or two additions
/// of integers for each number. What lies outside the windows goes to the long accumulators of the bins in
/// global memory, where equal keys wait for each other: hence a second window, in shared memory where there is room,
/// else in global memory, in some copies.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/long_accumulator.h>
#include <thrust_hist/system/cuda/fold_buckets.h>
#include <thrust_hist/system/cuda/kernels/lanes.cuh>
#include <thrust_hist/system/cuda/kernels/long_accumulators.cuh>
#include <thrust_hist/system/cuda/kernels/neighbours.cuh>
#include <thrust_hist/system/cuda/kernels/shared_words.cuh>

#include <cstdint>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {
#pragma GCC visibility push(hidden)

/// What a probe of the values says: where the window lies, or that none will do. A second one is just
/// below it.
struct window_facts {
  int base;       ///< position of the lowest bit
  unsigned wide;  ///< values are spread over more binades than windows have
};

/// A number whose exponent lies in the window: significand * 2^place units of the window's lowest bit.
template <class T>
struct placed {
  typename limb_format<T>::significand significand;
  int place;  // negative or too large where it lies outside
};

/// Places a number in a window that begins at `base`. Subnormal numbers, zero, infinities and NaN lie outside:
/// no window begins where it would reach those.
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

/// How a number within the window goes to the three words of its bin, and what they hold. `step` is from
/// the address of a word to that of the next.
template <class T>
struct window;

/// Two words for binades 0 to 5 and 6 to 11 of the window, so that a number goes to one of them, with a few
/// bits to spare; one for what these two carry.
template <>
struct window<float> {
  static constexpr int binades = 12;
  static constexpr int half = 6;
  using total = std::int64_t;
  using few = std::int64_t;  // the sum of 2^16 numbers of both windows

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

/// What becomes of numbers outside of the windows of a block: they are added to the sums of all bins.
template <class T, class Sum>
struct outside_to_sums {
  Sum* sums;
  __device__ void add(std::uint32_t bin, int, T x) const { cuda::add_to_sum(sums + bin, x); }
};

/// Adds a number to a window in global memory that ends where one in shared memory begins, or where it lies outside of
/// this one too, to a long accumulator. Out of line, as add_to_long() is.
__device__ THRUST_HIST_NOINLINE inline void add_below(
    carry_save<float>* sum, unsigned long long* below, int base, float x) {
  using shape = window<float>;
  placed<float> const number = cuda::place_in_window(x, base - shape::binades);
  if (below != nullptr &&
      static_cast<unsigned>(number.place) < static_cast<unsigned>(shape::binades)) {
    atomicAdd(
        below, static_cast<unsigned long long>(shape::shifted(number.significand, number.place)));
  } else {
    cuda::add_to_long(sum, x);
  }
}

/// Or to a second window in global memory, 64 bits a bin, in units of its lowest bit. There are some copies, among
/// which blocks choose.
struct outside_to_windows {
  carry_save<float>* sums;
  unsigned long long* below;
  std::uint32_t bins;
  unsigned copies;  ///< 0, or a power of two

  __device__ unsigned long long* of(unsigned copy, std::uint32_t bin) const {
    return below + std::uint64_t{copy} * bins + bin;
  }
  __device__ void add(std::uint32_t bin, int base, float x) const {
    // None lies where numbers are subnormal.
    bool const any = copies != 0 && base >= window<float>::binades;
    cuda::add_below(sums + bin, any ? of(blockIdx.x & (copies - 1), bin) : nullptr, base, x);
  }
};

inline constexpr unsigned words_of_window = 3;

/// `Windows`: 1, or 2. `Outside`: what becomes of other numbers.
template <class T, unsigned Windows, class Outside>
class window_table {
public:
  using shape = window<T>;
  using total = typename shape::total;
  static constexpr unsigned words = words_of_window;
  static constexpr int lowest = Windows == 1 ? 0 : -shape::binades;  // place

  struct description {
    word_layout layout;  // of all windows
    window_facts const* facts;
    Outside outside;
    total*
        partial;  // of window w of block b: [(b * Windows + w) * bins + bin], in its lowest bit's units
    __device__ bool is_idle() const { return facts->wide != 0; }
    __device__ window_table make(uint4* shared) const { return window_table(*this, shared); }
  };

  __device__ window_table(description const& d, uint4* shared)
      : d_(d), data_(cuda::shared_address(shared)), mine_(d.layout, shared), base_(d.facts->base) {}
  __device__ void begin() {
    for (std::uint32_t i = threadIdx.x; i < d_.layout.size(); i += blockDim.x) {
      cuda::shared_pointer<std::uint32_t>(data_)[i] = 0;
    }
  }
  template <class Bin>
  __device__ void add(Bin bin, T x) {
    if (bin >= d_.layout.bins) {
      ++dropped_;
      return;
    }
    placed<T> const number = cuda::place_in_window(x, base_);
    if (is_inside(number)) {
      bool const below = Windows == 2 && number.place < 0;
      shape::add(
          mine_.address(static_cast<std::uint32_t>(bin), below ? words : 0), mine_.step(),
          number.significand, below ? number.place + shape::binades : number.place);
    } else {
      add_outside(bin, x);
    }
  }
  template <class Bin>
  __device__ void add_four(Bin const (&bins)[pairs_of_group], T const (&x)[pairs_of_group]) {
    cuda::add_neighbours(*this, bins, x, d_.layout.copies_log2 < copies_log2_of_lanes);
  }
  /// Adds the numbers [First, First + Stride, ...] of four, which have one bin.
  template <unsigned First, unsigned Stride, class Bin>
  __device__ void add_equals(Bin bin, T const (&x)[pairs_of_group]) {
    typename shape::few sum = 0;  // in units of the lowest bit of all windows
#pragma unroll
    for (unsigned i = First; i < pairs_of_group; i += Stride) {
      placed<T> const number = cuda::place_in_window(x[i], base_ + lowest);
      if (static_cast<unsigned>(number.place) < static_cast<unsigned>(shape::binades - lowest)) {
        sum += shape::shifted(number.significand, number.place);
      } else {
        add(bin, x[i]);
      }
    }
    if constexpr (sizeof sum == 8) {
      // Where each lane has a copy of the bin, or some have, they hardly wait for each other.
      if (d_.layout.copies_log2 == 0 && cuda::sum_for_one_lane(bin, sum)) {
        return;
      }
    }
    auto const at = static_cast<std::uint32_t>(bin);
    if constexpr (Windows == 1) {
      shape::add_few(mine_.address(at, 0), mine_.step(), sum);
    } else {
      shape::add_few(mine_.address(at, 0), mine_.step(), sum >> shape::binades);
      auto const below = sum & ((typename shape::few{1} << shape::binades) - 1);
      shape::add_few(mine_.address(at, words), mine_.step(), below);
    }
  }
  __device__ void deliver() {
    for (std::uint32_t i = threadIdx.x; i < d_.layout.bins * Windows; i += blockDim.x) {
      std::uint32_t const bin = i / Windows;
      std::uint32_t const window = i % Windows;
      total sum = 0;
      for (std::uint32_t c = 0; c < d_.layout.copies(); ++c) {
        std::uint32_t const copy = d_.layout.copy_in_turn(c);
        auto const word = [&](std::uint32_t w) {
          return cuda::shared_pointer<std::uint32_t const>(
              data_)[d_.layout.place(bin, window * words + w, copy)];
        };
        sum += shape::read(word(0), word(1), word(2));
      }
      std::uint64_t const part = std::uint64_t{blockIdx.x} * Windows + window;
      d_.partial[part * d_.layout.bins + bin] = sum;
    }
  }
  __device__ std::uint32_t bins() const {
    return d_.layout.bins;
  }
  __device__ std::uint32_t dropped() const {
    return dropped_;
  }

private:
  __device__ bool is_inside(placed<T> const& number) const {
    return static_cast<unsigned>(number.place - lowest) <
           static_cast<unsigned>(shape::binades - lowest);
  }
  template <class Bin>
  __device__ void add_outside(Bin bin, T x) const {
    if (detail::order_key(x) != 0) {  // zero adds nothing
      d_.outside.add(static_cast<std::uint32_t>(bin), base_, x);
    }
  }

  description const d_;
  std::uint32_t data_;
  lane_words mine_;
  int base_;
  std::uint32_t dropped_ = 0;
};

#pragma GCC visibility pop
}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
