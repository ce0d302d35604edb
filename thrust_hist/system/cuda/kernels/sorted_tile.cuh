// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Route partitioned: a tile of sorted samples, so few to a bin that it has no counters for all
/// bins in between. Each sample is added to its bin in global memory, where those of a warp lie
/// side by side.

#include <thrust_hist/config.h>
#include <thrust_hist/system/cuda/kernels/counters.cuh>
#include <thrust_hist/system/cuda/kernels/samples.cuh>
#include <thrust_hist/system/cuda/kernels/tile_sorter.cuh>

#include <cstdint>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {
#pragma GCC visibility push(hidden)

/// How many samples that lie side by side a lane has of a tile. More than four would take too many
/// instructions to hand out.
template <class Samples>
inline constexpr unsigned samples_side_by_side = 1;
template <class T>
inline constexpr unsigned samples_side_by_side<contiguous_samples<T>> =
    contiguous_samples<T>::per_load <= 4 ? contiguous_samples<T>::per_load : 1;

/// Whether the bins of a tile ascend, or descend, from lane to lane of most warps and from load to
/// load of most threads. Equal ones do not, nor such at random. All threads must call it.
__device__ inline bool are_sorted(tile_bins const& bins) {
  constexpr unsigned looks = 8;
  constexpr unsigned step = bucket_layout::samples_of_thread / looks;
  unsigned above = 0;  // of this lane's bins the one of the next lane
  unsigned below = 0;
  unsigned rising = 0;  // from one look to the next
  unsigned falling = 0;
#pragma unroll
  for (unsigned i = 0; i < looks; ++i) {
    std::uint32_t const mine = bins[i * step];
    std::uint32_t const of_next_lane = __shfl_down_sync(~0u, mine, 1);
    above += of_next_lane > mine ? 1 : 0;
    below += of_next_lane < mine ? 1 : 0;
    if (i > 0) {
      rising += mine > bins[(i - 1) * step] ? 1 : 0;
      falling += mine < bins[(i - 1) * step] ? 1 : 0;
    }
  }
  auto const most = static_cast<int>(blockDim.x / 8 * 7);
  bool const ascends = above >= looks / 2 && below <= 1 && rising + 1 == looks;
  bool const descends = below >= looks / 2 && above <= 1 && falling + 1 == looks;
  return __syncthreads_count(ascends) >= most || __syncthreads_count(descends) >= most;
}

/// Adds the samples of a tile to their bins. Lane l gets sample l of 32, where it has loaded
/// `SideBySide` others.
template <unsigned SideBySide>
__device__ void add_each(
    tile_bins const& bins, bucket_layout const& layout, global_counters const& out) {
  constexpr unsigned lanes = 32;
  unsigned const lane = threadIdx.x % lanes;
#pragma unroll
  for (unsigned i = 0; i < bucket_layout::samples_of_thread; i += SideBySide) {
#pragma unroll
    for (unsigned j = 0; j < SideBySide; ++j) {
      unsigned const from = (j * lanes + lane) / SideBySide;
      std::uint32_t bin = bins[i];
#pragma unroll
      for (unsigned k = 0; k < SideBySide && SideBySide > 1; ++k) {
        std::uint32_t const x = __shfl_sync(~0u, bins[i + k], static_cast<int>(from));
        bin = lane % SideBySide == k ? x : bin;
      }
      if (bin < layout.bins) {
        out.add(std::uint64_t{layout.first_bin} + bin, 1);
      }
    }
  }
}

#pragma GCC visibility pop
}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
