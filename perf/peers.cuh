// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// What the benchmarks compare with: CUB's HistogramEven, and its radix sort with its run-length
/// encoding, their scratch memory given.

#include "measure.cuh"

#include <cub/device/device_histogram.cuh>
#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_run_length_encode.cuh>
#include <thrust/execution_policy.h>
#include <thrust/fill.h>
#include <thrust/scatter.h>

#include <cstdint>
#include <type_traits>

namespace perf {

/// Scratch memory of peers; no peer asks for more.
struct scratch {
  std::size_t bytes = std::size_t{6} << 30;
  buffer memory{bytes};
};

/// Counts integers or floating-point samples in `bins` bins over [0, bins). Some numbers of bins
/// are refused: ask by calling.
template <class T>
cudaError_t cub_even(
    scratch const& temp, T const* in, std::uint64_t n, unsigned* out, std::uint64_t bins,
    cudaStream_t stream = nullptr) {
  using level = std::conditional_t<sizeof(T) <= 2, int, T>;
  std::size_t bytes = temp.bytes;
  return cub::DeviceHistogram::HistogramEven(
      temp.memory.as<void>(), bytes, in, reinterpret_cast<int*>(out), static_cast<int>(bins) + 1,
      level(0), static_cast<level>(bins), static_cast<std::int64_t>(n), stream);
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

/// Keys sorted by the bits in use, then encoded: each key that occurs, and how often.
class sort_and_encode {
public:
  explicit sort_and_encode(std::uint64_t n) : sorted_(n * 4), unique_(n * 4), lengths_(n * 4) {}

  void operator()(
      scratch const& temp, std::uint32_t const* keys, std::uint64_t n, std::uint64_t bins) const {
    int bits = 1;
    while (bins > std::uint64_t{1} << bits) {
      ++bits;
    }
    std::size_t bytes = temp.bytes;
    require(
        cub::DeviceRadixSort::SortKeys(
            temp.memory.as<void>(), bytes, keys, sorted_.as<std::uint32_t>(),
            static_cast<std::int64_t>(n), 0, bits),
        "SortKeys");
    bytes = temp.bytes;
    require(
        cub::DeviceRunLengthEncode::Encode(
            temp.memory.as<void>(), bytes, sorted_.as<std::uint32_t>(), unique_.as<std::uint32_t>(),
            lengths_.as<unsigned>(), number_.as<int>(), static_cast<int>(n)),
        "Encode");
  }

  /// The histogram of what ran last, for comparisons.
  void write_counts(unsigned* out, std::uint64_t bins) const {
    int number = 0;
    require(
        cudaMemcpy(&number, number_.as<int>(), sizeof number, cudaMemcpyDeviceToHost),
        "cudaMemcpy");
    thrust::fill(thrust::device, out, out + bins, 0u);
    thrust::scatter(
        thrust::device, lengths_.as<unsigned>(), lengths_.as<unsigned>() + number,
        unique_.as<std::uint32_t>(), out);
  }

private:
  buffer sorted_, unique_, lengths_, number_{sizeof(int)};
};

}  // namespace perf
