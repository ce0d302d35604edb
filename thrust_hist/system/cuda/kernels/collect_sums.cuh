// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// From the windows of blocks and the long accumulators to the output.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/long_accumulator.h>
#include <thrust_hist/system/cuda/kernels/window_table.cuh>

#include <cstdint>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {
#pragma GCC visibility push(hidden)

/// What the blocks' windows hold.
template <class T>
struct window_parts {
  typename window<T>::total const* partial;  // see window_table
  unsigned blocks;
  unsigned windows;
  window_facts const* facts;  // or null: there were no windows

  __device__ bool any() const { return facts != nullptr && facts->wide == 0; }
  /// The sum over the blocks of what a window holds, by `lanes` neighbouring threads; the first of them has
  /// it. In units of the window's lowest bit.
  __device__ int128 total(
      unsigned of_window, std::uint64_t bin, std::uint64_t bins, unsigned lane,
      unsigned lanes) const {
    int128 sum = 0;
    for (unsigned block = lane; block < blocks; block += lanes) {
      sum += partial[(std::uint64_t{block} * windows + of_window) * bins + bin];
    }
    for (unsigned d = lanes / 2; d > 0; d /= 2) {
      auto const low = static_cast<unsigned long long>(sum);
      auto const high = static_cast<unsigned long long>(sum >> 64);
      auto const other_low = __shfl_down_sync(~0u, low, d);
      auto const other_high = __shfl_down_sync(~0u, high, d);
      sum += static_cast<int128>((static_cast<uint128>(other_high) << 64) | other_low);
    }
    return sum;
  }
};

/// Adds total * 2^base to a long accumulator.
template <class T>
__device__ inline void add_total(carry_save<T>& sum, int128 total, int base) {
  // The lowest 96 bits, which fit when they are shifted, and what is above them.
  int const limb = base / 32;
  auto const low = (static_cast<uint128>(total) & ((static_cast<uint128>(1) << 96) - 1))
                   << (base % 32);
  auto const high = static_cast<std::int64_t>(total >> 96) * (std::int64_t{1} << (base % 32));
  for (int i = 0; i < 4 && limb + i < carry_save<T>::limbs; ++i) {
    sum.limb[limb + i] += static_cast<std::uint32_t>(low >> (32 * i));
    sum.limb[limb + i] += i == 3 ? high : 0;
  }
}

/// Adds the windows to the long accumulators, and writes the sums or keeps them for the next piece of the
/// input. `lanes` threads for each bin, 1 or 32.
template <class T, class Writer>
__launch_bounds__(256) __global__ void collect_sums(
    window_parts<T> const parts, std::uint64_t const bins, carry_save<T>* const sums,
    unsigned const lanes, bool const last, Writer const write) {
  std::uint64_t const stride = std::uint64_t{gridDim.x} * blockDim.x / lanes;
  std::uint64_t const thread = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  auto const lane = static_cast<unsigned>(thread % lanes);
  for (std::uint64_t bin = thread / lanes; bin < bins; bin += stride) {
    carry_save<T> sum = {};
    if (lane == 0) {
      sum = sums[bin];
    }
    for (unsigned w = 0; parts.any() && w < parts.windows; ++w) {
      int128 const total = parts.total(w, bin, bins, lane, lanes);
      cuda::add_total(sum, total, parts.facts->base - static_cast<int>(w) * window<T>::binades);
    }
    if (lane != 0) {
      continue;
    }
    sum.normalize();
    if (last) {
      write(bin, sum);
    } else {
      sums[bin] = sum;
    }
  }
}

#pragma GCC visibility pop
}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
