// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// A table in shared memory for exact sums of real numbers of one or two dozen binades: one or two
/// additions of integers for each number. What lies outside the windows goes to the long
/// accumulators of the bins in global memory, where equal keys wait for each other: hence a second
/// window, in shared memory where there is room, else in global memory, in some copies.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/long_accumulator.h>
#include <thrust_hist/system/cuda/fold_buckets.h>
#include <thrust_hist/system/cuda/kernels/lanes.cuh>
#include <thrust_hist/system/cuda/kernels/long_accumulators.cuh>
#include <thrust_hist/system/cuda/kernels/neighbours.cuh>
#include <thrust_hist/system/cuda/kernels/outside_windows.cuh>
#include <thrust_hist/system/cuda/kernels/shared_words.cuh>
#include <thrust_hist/system/cuda/kernels/windows.cuh>

#include <cstdint>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {
#pragma GCC visibility push(hidden)

/// `Windows`: 1, or 2. `Outside`: what becomes of other numbers, with memory behind the table.
template <class T, unsigned Windows, class Outside>
class window_table {
public:
  using shape = window<T>;
  using total = typename shape::total;
  using outside_table = Outside;
  static constexpr unsigned windows = Windows;
  static constexpr unsigned words = words_of_window;
  static constexpr int lowest = Windows == 1 ? 0 : -shape::binades;  // place
  /// Of numbers outside, of which those of float are few where it matters: else limbs have them.
  static constexpr bool parts_lanes = sizeof(T) == 8;

  struct description {
    word_layout layout;  // of all windows
    window_facts const* facts;
    typename Outside::description outside;
    // Of window w of block b: [(b * Windows + w) * bins + bin], in its lowest bit's units.
    total* partial;
    static constexpr bool begins_early = true;
    __device__ bool is_idle() const { return facts->wide != 0; }
    __device__ window_table make(uint4* shared) const { return window_table(*this, shared); }
  };

  __device__ window_table(description const& d, uint4* shared)
      : d_(d), outside_(Outside::make(
                   d.outside,
                   cuda::shared_address(shared) + cuda::words_before_places(d.layout.size()) * 4)),
        data_(cuda::shared_address(shared)), mine_(d.layout, shared) {}
  __device__ void begin() {
    for (std::uint32_t i = threadIdx.x; i < d_.layout.size(); i += blockDim.x) {
      cuda::shared_pointer<std::uint32_t>(data_)[i] = 0;
    }
    outside_.begin();
  }
  /// Once another kernel has found where windows lie.
  __device__ void read_facts() { base_ = d_.facts->base; }
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
    // Where each lane has a copy of the bin, or some have, they hardly wait for each other.
    if (d_.layout.copies_log2 == 0 && cuda::sum_for_one_lane(bin, sum)) {
      return;
    }
    add_sum(static_cast<std::uint32_t>(bin), sum);
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
    outside_.deliver();
  }
  __device__ std::uint32_t bins() const {
    return d_.layout.bins;
  }
  __device__ std::uint32_t dropped() const {
    return dropped_;
  }

protected:
  __device__ Outside& outside() {
    return outside_;
  }

private:
  __device__ bool is_inside(placed<T> const& number) const {
    return static_cast<unsigned>(number.place - lowest) <
           static_cast<unsigned>(shape::binades - lowest);
  }
  /// Adds a sum in units of the lowest bit of all windows.
  __device__ void add_sum(std::uint32_t bin, typename shape::few sum) const {
    if constexpr (Windows == 1) {
      shape::add_few(mine_.address(bin, 0), mine_.step(), sum);
    } else {
      shape::add_few(mine_.address(bin, 0), mine_.step(), sum >> shape::binades);
      auto const below = sum & ((typename shape::few{1} << shape::binades) - 1);
      shape::add_few(mine_.address(bin, words), mine_.step(), below);
    }
  }
  template <class Bin>
  __device__ void add_outside(Bin bin, T x) {
    if (detail::order_key(x) != 0) {  // zero adds nothing
      outside_.add(static_cast<std::uint32_t>(bin), base_, x);
    }
  }

  description const d_;
  Outside outside_;
  std::uint32_t data_;
  lane_words mine_;
  int base_ = 0;
  std::uint32_t dropped_ = 0;
};

#pragma GCC visibility pop
}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
