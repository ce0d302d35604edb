// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// 256 bins for each of the first channels of interleaved RGBA pixels, the bins of one channel
/// after those of the other: in one pass of transform_histogram, and by CUB's MultiHistogramEven.

#include "peers.cuh"

#include <cub/device/device_histogram.cuh>
#include <cuda/std/array>

#include <cstddef>
#include <cstdint>

namespace perf {

inline constexpr unsigned levels_of_channel = 256;

/// What transform_histogram emits for a pixel.
template <int Channels>
struct count_channels {
  template <class Sink>
  __host__ __device__ void operator()(uchar4 const& pixel, Sink const& sink) const {
    unsigned char const levels[4] = {pixel.x, pixel.y, pixel.z, pixel.w};
#pragma unroll
    for (unsigned channel = 0; channel < Channels; ++channel) {
      sink(levels[channel] + channel * levels_of_channel);
    }
  }
};

template <int Channels>
void cub_multi_even(scratch const& temp, uchar4 const* in, std::size_t pixels, unsigned* out) {
  cuda::std::array<int*, Channels> counts;
  cuda::std::array<int, Channels> edges, lower, upper;
  for (unsigned channel = 0; channel < Channels; ++channel) {
    counts[channel] = reinterpret_cast<int*>(out + channel * levels_of_channel);
    edges[channel] = levels_of_channel + 1;
    lower[channel] = 0;
    upper[channel] = levels_of_channel;
  }
  std::size_t bytes = temp.bytes;
  require(
      cub::DeviceHistogram::MultiHistogramEven<4, Channels>(
          temp.memory.as<void>(), bytes, reinterpret_cast<std::uint8_t const*>(in), counts, edges,
          lower, upper, static_cast<int>(pixels)),
      "MultiHistogramEven");
}

}  // namespace perf
