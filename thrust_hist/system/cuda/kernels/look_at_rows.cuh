// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Before route partitioned: rows of 32 samples side by side, from all over the input, tell whether
/// additions to global memory take less.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/candidate.h>
#include <thrust_hist/detail/mixed_codes.h>
#include <thrust_hist/system/cuda/frequent_bins.h>
#include <thrust_hist/system/cuda/kernels/kernels_in_turn.cuh>
#include <thrust_hist/system/cuda/kernels/lanes.cuh>

#include <cstdint>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {
#pragma GCC visibility push(hidden)

/// How many rows have a bin, or a line of bins, in the shared memory of a block. Those that share a
/// counter are taken for one; there are twice as many counters as samples.
struct row_counters {
  static constexpr std::uint32_t size = look_at_bins::rows * 32 * 2;
  std::uint32_t counts[size];

  /// For the lanes of a warp, those of equal names once; all of them must call it.
  __device__ void count(std::uint32_t name, bool is_counted) {
    unsigned const equals = __match_any_sync(~0u, name);
    bool const is_first = (equals & ((1u << threadIdx.x % 32) - 1)) == 0;
    if (is_counted && is_first) {
      atomicAdd(counts + place(name), 1u);
    }
  }
  __device__ bool are_few(std::uint32_t name) const {
    return counts[place(name)] < look_at_bins::frequent;
  }

private:
  __device__ static std::uint32_t place(std::uint32_t name) {
    return name * 0x9e3779b9u / (~0u / size + 1);
  }
};

/// The bins of two rows, half a tile apart, for a warp of a block of 1 024 threads.
class pair_of_rows {
public:
  static constexpr std::uint32_t none = ~0u;

  /// `bin_at(i)` of samples 0 to n - 1, or none; tiles of so many.
  template <class BinAt>
  __device__ pair_of_rows(std::uint64_t n, std::uint32_t tile, BinAt bin_at) {
    std::uint64_t const apart = min(std::uint64_t{tile / 2}, n / 2);
    std::uint64_t const pair = threadIdx.x / 32 + 1;
    std::uint64_t const first = __umul64hi(detail::mix_code(pair), n - apart) + threadIdx.x % 32;
    bins_[0] = bin_at(min(first, n - 1));
    bins_[1] = bin_at(min(first + apart, n - 1));
  }
  __device__ void count(row_counters& of_bins, row_counters& of_lines) const {
    for (std::uint32_t const bin : bins_) {
      of_bins.count(bin, bin != none);
      of_lines.count(line(bin), bin != none);
    }
  }
  /// Once all have counted: what this warp has seen, in each of its lanes.
  __device__ seen_rows
  see(row_counters const& of_bins, row_counters const& of_lines, std::uint32_t near_bins) const {
    seen_rows seen = {};
    bin_span const of_rows[] = {span_of(bins_[0]), span_of(bins_[1])};
    // Samples without a bin are near any, and never rare: input that has none stays with buckets.
    seen.near = of_rows[0].with(of_rows[1]).size() <= near_bins ? 1 : 0;
    for (bin_span const& span : of_rows) {
      seen.narrow += span.size() <= look_at_bins::narrow_bins ? 1 : 0;
    }
    for (std::uint32_t const bin : bins_) {
      bool const is_rare = bin != none && of_bins.are_few(bin);
      bool const is_crowded = is_rare && !of_lines.are_few(line(bin));
      seen.rare += static_cast<std::uint32_t>(__popc(__ballot_sync(~0u, is_rare)));
      seen.crowded += static_cast<std::uint32_t>(__popc(__ballot_sync(~0u, is_crowded)));
    }
    return seen;
  }

private:
  __device__ static std::uint32_t line(std::uint32_t bin) { return bin >> look_at_bins::line_log2; }

  /// From the lowest of some bins to behind the highest; none of none.
  struct bin_span {
    std::uint32_t low, end;
    __device__ bin_span with(bin_span const& other) const {
      return {min(low, other.low), max(end, other.end)};
    }
    __device__ std::uint32_t size() const { return end <= low ? 0 : end - low; }
  };
  /// That of the bins of a warp.
  __device__ static bin_span span_of(std::uint32_t bin) {
    bin_span mine = {bin, bin + 1};
    return {
        cuda::over_warp(mine.low, [](std::uint32_t a, std::uint32_t b) { return min(a, b); }),
        cuda::over_warp(mine.end, [](std::uint32_t a, std::uint32_t b) { return max(a, b); })};
  }

  std::uint32_t bins_[2];
};

/// By one block of 1 024 threads. Samples are numbered, as iterator_samples has them.
template <class Samples, class Rule>
__launch_bounds__(32 * look_at_bins::pairs, 1) __global__ void look_at_rows(
    Samples const samples, __grid_constant__ Rule const rule, std::uint32_t const bins,
    std::uint32_t const tile, std::uint32_t const near_bins, look_at_bins const look,
    std::uint32_t* const found) {
  cuda::take_turn();
  __shared__ row_counters of_bins;
  __shared__ row_counters of_lines;
  __shared__ seen_rows seen;
  pair_of_rows const rows(samples.size(), tile, [&](std::uint64_t i) {
    auto const bin = detail::candidate<std::uint64_t>(rule, samples.at(i));
    return bin < bins ? static_cast<std::uint32_t>(bin) : pair_of_rows::none;
  });
  for (std::uint32_t i = threadIdx.x; i < row_counters::size; i += blockDim.x) {
    of_bins.counts[i] = 0;
    of_lines.counts[i] = 0;
  }
  if (threadIdx.x == 0) {
    seen = {};
  }
  __syncthreads();
  rows.count(of_bins, of_lines);
  __syncthreads();
  seen_rows const of_warp = rows.see(of_bins, of_lines, near_bins);
  if (threadIdx.x % 32 == 0) {
    atomicAdd(&seen.rare, of_warp.rare);
    atomicAdd(&seen.crowded, of_warp.crowded);
    atomicAdd(&seen.near, of_warp.near);
    atomicAdd(&seen.narrow, of_warp.narrow);
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    *found = static_cast<std::uint32_t>(look.advise(seen));
  }
}

#pragma GCC visibility pop
}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
