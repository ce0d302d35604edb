// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// The roof, which is what the memory of a GPU can deliver, and the first line of the results.

#include "measure.cuh"
#include "rows.h"
#include "timing.cuh"

#include <cub/version.cuh>

#include <cstdint>
#include <string>

namespace perf {

/// Reads units of 16 bytes, `InFlight` loads a thread before any is used. A block reads one piece
/// of memory after the other, so that its loads lie close together.
template <int InFlight>
__global__ void read_all(uint4 const* in, std::uint64_t units, unsigned* never) {
  std::uint64_t const piece = std::uint64_t{blockDim.x} * InFlight;
  unsigned sum = 0;
  for (std::uint64_t first = blockIdx.x * piece; first + piece <= units;
       first += gridDim.x * piece) {
    uint4 loaded[InFlight];
#pragma unroll
    for (int j = 0; j < InFlight; ++j) {
      loaded[j] = __ldcs(in + first + j * blockDim.x + threadIdx.x);
    }
#pragma unroll
    for (int j = 0; j < InFlight; ++j) {
      sum += loaded[j].x ^ loaded[j].y ^ loaded[j].z ^ loaded[j].w;
    }
  }
  if (sum == 0x12345678 && units == 1) {
    *never = sum;
  }
}

/// The shape of a grid that reads.
struct read_shape {
  void (*kernel)(uint4 const*, std::uint64_t, unsigned*);
  unsigned blocks_of_processor;
  unsigned threads;
};

/// GB/s of reading `bytes` of memory, by the shape of grid that reads fastest.
inline double read_roof(void const* memory, std::size_t bytes) {
  double best = 0;
  // A grid that fills the GPU once, and grids of many small blocks that the hardware deals out.
  for (auto const& shape :
       {read_shape{read_all<4>, 2, 1024}, read_shape{read_all<8>, 1, 1024},
        read_shape{read_all<8>, 2, 512}, read_shape{read_all<8>, 4, 256},
        read_shape{read_all<8>, 64, 256}, read_shape{read_all<8>, 512, 128},
        read_shape{read_all<4>, 64, 512}, read_shape{read_all<4>, 512, 256}}) {
    double const ms = milliseconds(
        [&] {
          shape.kernel<<<multiprocessors() * shape.blocks_of_processor, shape.threads>>>(
              static_cast<uint4 const*>(memory), bytes / 16, nullptr);
        },
        11);
    double const rate = static_cast<double>(bytes) / ms * 1e-6;
    best = rate > best ? rate : best;
  }
  return best;
}

/// The first line of the results: where and with what they were measured. Warms the GPU up.
inline void print_origin(char const* benchmark, std::size_t bytes = std::size_t{1} << 30) {
  buffer const memory(bytes);
  warm_up([&] { require(cudaMemsetAsync(memory.as<void>(), 1, bytes), "cudaMemsetAsync"); });
  int device = 0;
  cudaDeviceProp properties;
  require(cudaGetDevice(&device), "cudaGetDevice");
  require(cudaGetDeviceProperties(&properties, device), "cudaGetDeviceProperties");
  row()("benchmark", benchmark)("gpu", properties.name)(
      "driver", from_environment("THRUST_HIST_DRIVER"))(
      "commit", from_environment("THRUST_HIST_COMMIT"))("date", today())(
      "toolkit", std::to_string(__CUDACC_VER_MAJOR__) + "." + std::to_string(__CUDACC_VER_MINOR__))(
      "cub",
      std::to_string(CUB_MAJOR_VERSION) + "." + std::to_string(CUB_MINOR_VERSION) + "." +
          std::to_string(CUB_SUBMINOR_VERSION))("roof_gb_s", read_roof(memory.as<void>(), bytes));
}

}  // namespace perf
