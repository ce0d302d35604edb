// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// From the windows of blocks and the long accumulators to the output.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/long_accumulator.h>
#include <thrust_hist/system/cuda/kernels/kernels_in_turn.cuh>
#include <thrust_hist/system/cuda/kernels/merged_parts.cuh>
#include <thrust_hist/system/cuda/kernels/shared_words.cuh>
#include <thrust_hist/system/cuda/kernels/window_table.cuh>

#include <cstdint>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {
#pragma GCC visibility push(hidden)

/// Of a bin, in each window.
struct window_totals {
  static constexpr unsigned most_windows = 2;
  int128 of[most_windows];
};

/// What the blocks' windows hold, and those below them in global memory.
template <class T>
struct window_parts {
  using total = typename window<T>::total;

  total const* partial;  // see window_table
  unsigned blocks;
  unsigned windows;           // of a block
  window_facts const* facts;  // or null: there were no windows
  outside_to_windows below;   // no copies: there are none

  __device__ bool any() const { return facts != nullptr && facts->wide == 0; }
  unsigned parts() const { return blocks + below.copies; }
  /// Adds what the blocks `first`, `first + step` ... have of a bin in each window, in units of
  /// that window's lowest bit, and what such copies of what is below have.
  __device__ void add_to(
      window_totals& sums, std::uint64_t bin, std::uint64_t bins, unsigned first,
      unsigned step) const {
#pragma unroll
    for (unsigned w = 0; w < window_totals::most_windows; ++w) {
      total const* const from = partial + w * bins + bin;
      if (w < windows) {
        cuda::add_parts<parts_at_once<total>>(
            first, step, blocks, [&](unsigned block) { return from[block * (windows * bins)]; },
            [&](unsigned, total const& x) { sums.of[w] += x; });
      }
    }
    for (unsigned copy = first; copy < below.copies; copy += step) {
      sums.of[1] += static_cast<std::int64_t>(*below.of(copy, static_cast<std::uint32_t>(bin)));
    }
  }
  /// What is below begins anew.
  __device__ void clear_below(std::uint64_t bin) const {
    for (unsigned copy = 0; copy < below.copies; ++copy) {
      *below.of(copy, static_cast<std::uint32_t>(bin)) = 0;
    }
  }
};

/// Adds the windows to the long accumulators, and writes the sums or keeps them for the next piece
/// of the input. Shared memory: the totals of each thread, or none, as grid_for_merging says.
template <class T, class Writer>
__launch_bounds__(merging_threads) __global__ void collect_sums(
    window_parts<T> const parts, std::uint64_t const bins, carry_save<T>* const sums,
    bool const shares, bool const last, Writer const write) {
  cuda::take_turn();
  extern __shared__ uint4 shared[];
  bool const any = parts.any();
  cuda::merge_parts(
      bins, shares ? cuda::aligned_for<window_totals>(shared) : nullptr,
      [] { return window_totals{}; },
      [&](window_totals& mine, std::uint64_t bin, unsigned first, unsigned step) {
        if (any) {
          parts.add_to(mine, bin, bins, first, step);
        }
      },
      [](window_totals& mine, window_totals const& other) {
#pragma unroll
        for (unsigned w = 0; w < window_totals::most_windows; ++w) {
          mine.of[w] += other.of[w];
        }
      },
      [&](std::uint64_t bin, window_totals const& all) {
        carry_save<T> sum = sums[bin];
#pragma unroll
        for (unsigned w = 0; w < window_totals::most_windows; ++w) {
          if (any && all.of[w] != 0) {  // there may be no second window
            detail::add_units(
                sum, all.of[w], parts.facts->base - static_cast<int>(w) * window<T>::binades);
          }
        }
        sum.normalize();
        if (last) {
          write(bin, sum);
        } else {
          sums[bin] = sum;
          parts.clear_below(bin);
        }
      });
}

#pragma GCC visibility pop
}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
