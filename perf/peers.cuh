// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// What the benchmarks compare with: CUB's HistogramEven, with its scratch memory given.

#include "measure.cuh"

#include <cub/device/device_histogram.cuh>

#include <cstdint>
#include <type_traits>

namespace perf {

/// Scratch memory of peers; no peer asks for more.
struct scratch {
  std::size_t bytes = std::size_t{6} << 30;
  buffer memory{bytes};
};

/// Counts integers or floating-point samples in `bins` bins over [0, bins). Some numbers of bins are
/// refused: ask by calling.
template <class T>
cudaError_t cub_even(
    scratch const& temp, T const* in, std::uint64_t n, unsigned* out, std::uint64_t bins) {
  using level = std::conditional_t<sizeof(T) <= 2, int, T>;
  std::size_t bytes = temp.bytes;
  return cub::DeviceHistogram::HistogramEven(
      temp.memory.as<void>(), bytes, in, reinterpret_cast<int*>(out), static_cast<int>(bins) + 1,
      level(0), static_cast<level>(bins), static_cast<std::int64_t>(n));
}

/// Whether CUB takes that many bins.
template <class T>
bool cub_takes(
    scratch const& temp, T const* in, std::uint64_t n, unsigned* out, std::uint64_t bins) {
  bool const taken =
      cub_even(temp, in, n, out, bins) == cudaSuccess && cudaDeviceSynchronize() == cudaSuccess;
  cudaGetLastError();  // a refusal is no failure of what comes next
  return taken;
}

}  // namespace perf
