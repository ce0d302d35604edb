// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// \file
/// Counts of what does not lie in one array of plain numbers: zipped images, pixels, numbers of
/// 2 bytes, what a function makes of samples, samples from behind. Beside it kernels of one's own,
/// with the same function for the place: atomics in shared memory, or in global memory where bins
/// are too many. Prints one row a case as JSON, figures in G samples/s.
///   --log2 K   2^K samples (28)
///
/// Build: nvcc -std=c++17 -O3 --extended-lambda -arch=native -I. perf/inputs.cu

#include "measure.cuh"
#include "report.h"
#include "roof.cuh"
#include <thrust_hist/bins.h>
#include <thrust_hist/histogram.h>
#include <thrust_hist/histogram_even.h>

#include <cuda_fp16.h>
#include <thrust/equal.h>
#include <thrust/execution_policy.h>
#include <thrust/iterator/reverse_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/tuple.h>

namespace {

using thrust_hist::even_bins;
using thrust_hist::grid;
using byte = unsigned char;

constexpr std::uint32_t most_bins = 1 << 20;
constexpr std::uint32_t most_shared_bins = 40 * 1024;

struct memory {
  explicit memory(std::uint64_t n) : first(n * 4), second(n * 4), third(n * 4) {}
  perf::buffer first, second, third, ours{most_bins * 4}, theirs{most_bins * 4};
  perf::caching_allocator allocator;
};

/// Numbers in [0, 1), or any bits.
template <class T>
__global__ void fill_any(T* out, std::uint64_t n, std::uint64_t salt) {
  std::uint64_t const stride = std::uint64_t{gridDim.x} * blockDim.x;
  for (std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n; i += stride) {
    std::uint64_t const random = perf::mix(2 * i + salt);
    if constexpr (std::is_integral_v<T>) {
      out[i] = static_cast<T>(random >> 40);
    } else {
      out[i] = static_cast<T>(static_cast<float>(random >> 40) * 0x1p-24f);
    }
  }
}

template <class Place>
__global__ void simple_global(std::uint64_t n, std::uint32_t bins, Place place, unsigned* out) {
  std::uint64_t const stride = std::uint64_t{gridDim.x} * blockDim.x;
  for (std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n; i += stride) {
    std::uint32_t const bin = place(i);
    if (bin < bins) {
      atomicAdd(out + bin, 1u);
    }
  }
}

template <class Place>
__global__ void simple_shared(std::uint64_t n, std::uint32_t bins, Place place, unsigned* out) {
  extern __shared__ unsigned table[];
  for (std::uint32_t b = threadIdx.x; b < bins; b += blockDim.x) {
    table[b] = 0;
  }
  __syncthreads();
  std::uint64_t const stride = std::uint64_t{gridDim.x} * blockDim.x;
  for (std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n; i += stride) {
    std::uint32_t const bin = place(i);
    if (bin < bins) {
      atomicAdd(table + bin, 1u);
    }
  }
  __syncthreads();
  for (std::uint32_t b = threadIdx.x; b < bins; b += blockDim.x) {
    if (table[b] != 0) {
      atomicAdd(out + b, table[b]);
    }
  }
}

template <class Place>
void count_simply(std::uint64_t n, std::uint32_t bins, Place place, unsigned* out) {
  perf::require(cudaMemsetAsync(out, 0, bins * sizeof *out), "cudaMemsetAsync");
  unsigned const blocks = 2 * perf::multiprocessors();
  if (bins <= most_shared_bins) {
    std::size_t const bytes = bins * sizeof *out;
    perf::require(
        cudaFuncSetAttribute(
            simple_shared<Place>, cudaFuncAttributeMaxDynamicSharedMemorySize,
            static_cast<int>(bytes)),
        "cudaFuncSetAttribute");
    simple_shared<<<blocks, 1024, bytes>>>(n, bins, place, out);
  } else {
    simple_global<<<blocks, 1024>>>(n, bins, place, out);
  }
}

/// `place(i)`: the bin of sample i, as one would compute it; `bytes` of a sample.
template <class Iterator, class Rule, class Place>
void compare(
    perf::report& report, memory& m, char const* what, std::size_t bytes, std::uint64_t n,
    Iterator first, Rule const& rule, Place place) {
  auto const bins = static_cast<std::uint32_t>(rule.size());
  perf::row row;
  row("fold", "count")("type", what)("n", n)("bins", bins)("distribution", "uniform");
  if (!report.wants(row)) {
    return;
  }
  auto const policy = thrust::cuda::par_nosync(m.allocator);
  auto* const out = m.ours.as<unsigned>();
  auto* const theirs = m.theirs.as<unsigned>();
  auto const last = first + static_cast<std::ptrdiff_t>(n);
  thrust_hist::plan plan;
  thrust_hist::histogram(policy, first, last, out, rule, thrust_hist::options{}.explain(&plan));
  auto const [our_ms, their_ms] = perf::milliseconds_in_turn(
      9, [] {}, [&] { thrust_hist::histogram(policy, first, last, out, rule); },
      [&] { count_simply(n, bins, place, theirs); });
  auto const rate = [&](double ms) { return static_cast<double>(n) / ms * 1e-6; };
  bool const equal = thrust::equal(thrust::device, out, out + bins, theirs);
  row("route", to_string(plan.taken))("ours", rate(our_ms))(
      bins <= most_shared_bins ? "shared_atomics" : "global_atomics",
      rate(their_ms))("bytes", bytes)("equal", equal);
}

/// The sixteenth of each colour.
struct colour {
  template <class Pixel>
  __host__ __device__ int operator()(Pixel const& p) const {
    return (p.x >> 4) << 8 | (p.y >> 4) << 4 | p.z >> 4;
  }
};

struct distance {
  template <class Pair>
  __host__ __device__ float operator()(Pair const& p) const {
    return sqrtf(thrust::get<0>(p) * thrust::get<0>(p) + thrust::get<1>(p) * thrust::get<1>(p));
  }
};
struct square {
  __host__ __device__ float operator()(float x) const { return x * x; }
};
struct negative {
  __host__ __device__ byte operator()(byte x) const { return static_cast<byte>(255 - x); }
};

void compare_images(perf::report& report, memory& m, std::uint64_t n) {
  auto* const a = m.first.as<byte>();
  auto* const b = m.second.as<byte>();
  auto* const c = m.third.as<byte>();
  fill_any<<<2048, 256>>>(m.first.as<std::uint32_t>(), n, 1);
  fill_any<<<2048, 256>>>(m.second.as<std::uint32_t>(), n, 7);
  fill_any<<<2048, 256>>>(c, n, 13);
  auto const two = thrust::make_zip_iterator(thrust::make_tuple(a, b));
  auto const three = thrust::make_zip_iterator(thrust::make_tuple(a, b, c));
  for (int side : {16, 64, 256}) {
    even_bins const axis(side, 0, 256);
    std::uint32_t const width = 256 / side;
    compare(report, m, "u8, u8", 2, n, two, grid(axis, axis), [=] __device__(std::uint64_t i) {
      return a[i] / width * side + b[i] / width;
    });
  }
  for (int side : {8, 32}) {
    even_bins const axis(side, 0, 256);
    std::uint32_t const width = 256 / side;
    compare(
        report, m, "u8, u8, u8", 3, n, three, grid(axis, axis, axis),
        [=] __device__(std::uint64_t i) {
          return (a[i] / width * side + b[i] / width) * side + c[i] / width;
        });
  }
  auto* const x = m.first.as<std::uint16_t>();
  auto* const y = m.second.as<std::uint16_t>();
  even_bins const axis(64, 0, 65536);
  compare(
      report, m, "u16, u16", 4, n, thrust::make_zip_iterator(thrust::make_tuple(x, y)),
      grid(axis, axis),
      [=] __device__(std::uint64_t i) { return (x[i] >> 10) * 64u + (y[i] >> 10); });
  auto const colours = thrust_hist::make_bins(4096, colour{});
  auto* const rgba = m.first.as<uchar4>();
  compare(report, m, "RGBA8 by a function", 4, n, rgba, colours, [=] __device__(std::uint64_t i) {
    return static_cast<std::uint32_t>(colour{}(rgba[i]));
  });
  auto* const rgb = m.first.as<uchar3>();
  compare(report, m, "RGB8 by a function", 3, n, rgb, colours, [=] __device__(std::uint64_t i) {
    return static_cast<std::uint32_t>(colour{}(rgb[i]));
  });
  compare(
      report, m, "255 - u8", 1, n, thrust::make_transform_iterator(a, negative{}),
      thrust_hist::identity_bins(256), [=] __device__(std::uint64_t i) { return 255u - a[i]; });
}

void compare_numbers(perf::report& report, memory& m, std::uint64_t n) {
  auto* const x = m.first.as<float>();
  auto* const y = m.second.as<float>();
  fill_any<<<2048, 256>>>(x, n, 1);
  fill_any<<<2048, 256>>>(y, n, 7);
  // Powers of two: what one would compute is exact.
  auto const place_of = [=] __device__(float z, float scale) {
    return static_cast<std::uint32_t>(z * scale);
  };
  even_bins const unit(1024, 0.f, 1.f), wide(1024, 0.f, 2.f);
  auto const both = thrust::make_zip_iterator(thrust::make_tuple(x, y));
  compare(
      report, m, "length of f32, f32", 8, n, thrust::make_transform_iterator(both, distance{}),
      wide, [=] __device__(std::uint64_t i) {
        return place_of(distance{}(thrust::make_tuple(x[i], y[i])), 512);
      });
  compare(
      report, m, "square of f32", 4, n, thrust::make_transform_iterator(x, square{}), unit,
      [=] __device__(std::uint64_t i) { return place_of(x[i] * x[i], 1024); });
  even_bins const many(1 << 20, 0.f, 1.f);
  compare(
      report, m, "square of f32", 4, n, thrust::make_transform_iterator(x, square{}), many,
      [=] __device__(std::uint64_t i) { return place_of(x[i] * x[i], 1 << 20); });
  compare(
      report, m, "f32 from behind", 4, n, thrust::make_reverse_iterator(x + n), unit,
      [=] __device__(std::uint64_t i) { return place_of(x[n - 1 - i], 1024); });
  auto* const u = m.first.as<double>();
  auto* const v = m.second.as<double>();
  auto* const w = m.third.as<double>();
  std::uint64_t const half_n = n / 2;
  for (double* column : {u, v, w}) {
    fill_any<<<2048, 256>>>(column, half_n, column == u ? 3 : column == v ? 9 : 17);
  }
  even_bins const side(16, 0., 1.);
  compare(
      report, m, "f64, f64, f64", 24, half_n,
      thrust::make_zip_iterator(thrust::make_tuple(u, v, w)), grid(side, side, side),
      [=] __device__(std::uint64_t i) {
        return (static_cast<std::uint32_t>(u[i] * 16) * 16u +
                static_cast<std::uint32_t>(v[i] * 16)) *
                   16u +
               static_cast<std::uint32_t>(w[i] * 16);
      });
  auto* const half = m.first.as<__half>();
  fill_any<<<2048, 256>>>(half, n, 3);
  for (int bins : {256, 1024}) {
    compare(
        report, m, "f16", 2, n, half, even_bins(bins, 0.f, 1.f), [=] __device__(std::uint64_t i) {
          return place_of(__half2float(half[i]), static_cast<float>(bins));
        });
  }
}

}  // namespace

int main(int argc, char** argv) {
  perf::arguments const a(argc, argv, "inputs [--log2 K]", {}, {"--log2"});
  perf::report report(a);
  std::uint64_t const n = std::uint64_t{1} << a.number("--log2", 28);
  perf::print_origin("inputs");
  memory m(n);
  perf::settle(m.first.as<std::uint32_t>(), n);
  compare_images(report, m, n);
  compare_numbers(report, m, n);
}
