// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Exact sums of one bin, which is what an exact reduction is: windows as window_table has them,
/// but in registers of each thread.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/long_accumulator.h>
#include <thrust_hist/system/cuda/kernels/lanes.cuh>
#include <thrust_hist/system/cuda/kernels/long_accumulators.cuh>
#include <thrust_hist/system/cuda/kernels/outside_windows.cuh>
#include <thrust_hist/system/cuda/kernels/shared_words.cuh>
#include <thrust_hist/system/cuda/kernels/window_table.cuh>
#include <thrust_hist/system/cuda/kernels/windows.cuh>

#include <cstdint>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {
#pragma GCC visibility push(hidden)

/// Two windows. `Outside`: as window_table has it.
template <class T, class Outside>
class lone_window {
public:
  using shape = window<T>;
  using total = typename shape::total;
  using outside_table = Outside;
  static constexpr unsigned windows = 2;
  static constexpr int lowest = -shape::binades;  // place

  struct description : window_table<T, windows, Outside>::description {
    __device__ lone_window make(uint4* shared) const { return lone_window(*this, shared); }
  };

  __device__ lone_window(description const& d, uint4* shared)
      : d_(d), outside_(Outside::make(
                   d.outside, cuda::shared_address(shared) +
                                  cuda::words_before_places(d.layout.size()) * 4)) {}
  __device__ void begin() { outside_.begin(); }
  __device__ void read_facts() { base_ = d_.facts->base + lowest; }
  template <class Bin>
  __device__ void add(Bin bin, T x) {
    if (bin >= d_.layout.bins) {
      ++dropped_;
      return;
    }
    placed<T> const number = cuda::place_in_window(x, base_);
    if (static_cast<unsigned>(number.place) < static_cast<unsigned>(shape::binades - lowest)) {
      sum_ += shape::shifted(number.significand, number.place);
      if constexpr (sizeof sum_ == 8) {
        if (++many_ == most) {
          carry();
        }
      }
    } else if (detail::order_key(x) != 0) {  // zero adds nothing
      outside_.add(0, base_ - lowest, x);
    }
  }
  __device__ void deliver() {
    carry();
    __shared__ total of_warps[windows][32];
#pragma unroll
    for (unsigned w = 0; w < windows; ++w) {
      total const sum = cuda::over_warp(totals_[w], [](total a, total b) { return a + b; });
      if (threadIdx.x % 32 == 0) {
        of_warps[w][threadIdx.x / 32] = sum;
      }
    }
    __syncthreads();
    if (threadIdx.x < windows) {
      total sum = 0;
      for (unsigned i = 0; i < blockDim.x / 32; ++i) {
        sum += of_warps[threadIdx.x][i];
      }
      d_.partial[std::uint64_t{blockIdx.x} * windows + threadIdx.x] = sum;
    }
    outside_.deliver();
  }
  __device__ std::uint32_t bins() const {
    return d_.layout.bins;
  }
  __device__ std::uint32_t dropped() const {
    return dropped_;
  }

private:
  /// So many numbers of both windows of float, 48 bits each, come to less than 64 bits.
  static constexpr std::uint32_t most = 1u << 15;

  /// To the totals, each in units of the lowest bit of its window.
  __device__ void carry() {
    totals_[0] += sum_ >> shape::binades;
    totals_[1] += sum_ & ((typename shape::few{1} << shape::binades) - 1);
    sum_ = 0;
    many_ = 0;
  }

  description const d_;
  Outside outside_;
  typename shape::few sum_ = 0;  // in units of the lowest bit of all windows
  total totals_[windows] = {};
  int base_ = 0;  // of the lowest window
  std::uint32_t many_ = 0;
  std::uint32_t dropped_ = 0;
};

#pragma GCC visibility pop
}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
