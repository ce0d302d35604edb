// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// \file
/// The 4 x 256 bins of RGBA images in one pass of transform_histogram, beside CUB's
/// MultiHistogramEven, which gets its scratch before the clock starts. Every result is checked, as
/// in folds.cu. Prints one row a case as JSON, figures in G pixels/s. --quick: only uniform pixels.
///
/// Build: nvcc -std=c++17 -O3 --extended-lambda -arch=native -I. perf/fold_images.cu

#include "channels.cuh"
#include "measure.cuh"
#include "peers.cuh"
#include "report.h"
#include "roof.cuh"
#include <thrust_hist/transform_histogram.h>

#include <thrust/equal.h>
#include <thrust/execution_policy.h>

#include <exception>
#include <utility>

namespace {

constexpr unsigned width = 7680, height = 4320, frames = 4, channels = 4,
                   levels = perf::levels_of_channel;
constexpr std::uint64_t pixels = std::uint64_t{width} * height * frames;

enum class picture { uniform, gradient, constant };

__global__ void paint(uchar4* out, picture p) {
  std::uint64_t const stride = std::uint64_t{gridDim.x} * blockDim.x;
  for (std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < pixels;
       i += stride) {
    auto const x = static_cast<unsigned>(i % width), y = static_cast<unsigned>(i / width % height);
    auto const random = static_cast<unsigned>(perf::mix(i));
    unsigned const smooth = x * levels / width | (y * levels / height) << 8 |
                            ((x + y) * levels / (width + height)) << 16 | 255u << 24;
    unsigned const all = p == picture::uniform    ? random
                         : p == picture::gradient ? smooth
                                                  : 0xff804020u;
    out[i] = make_uchar4(all & 255, all >> 8 & 255, all >> 16 & 255, all >> 24);
  }
}

double rate(double ms) {
  return static_cast<double>(pixels) / ms * 1e-6;
}

/// The counts are judged by CUB's.
void compare_images(perf::report& rows, bool quick) {
  perf::buffer const image(pixels * sizeof(uchar4)), ours(channels * levels * 4),
      theirs(channels * levels * 4);
  perf::scratch const temp;
  auto const* const in = image.as<uchar4>();
  auto* const out = ours.as<unsigned>();
  perf::caching_allocator cache;
  auto const policy = thrust::cuda::par_nosync(cache);
  auto const run = [&](thrust_hist::options const& o) {
    thrust_hist::transform_histogram(
        policy, in, in + pixels, out, channels * levels, perf::count_channels<channels>{}, o);
  };
  for (auto const& [p, name] :
       {std::pair{picture::uniform, "uniform"}, std::pair{picture::gradient, "gradient"},
        std::pair{picture::constant, "constant"}}) {
    perf::row r;
    r("fold",
      "count")("type", "rgba8")("pixels", pixels)("bins", channels * levels)("distribution", name);
    if ((quick && p != picture::uniform) || !rows.wants(r)) {
      r.drop();
      continue;
    }
    paint<<<2048, 256>>>(image.as<uchar4>(), p);
    try {
      thrust_hist::plan plan;
      run(thrust_hist::options{}.explain(&plan));
      perf::require(cudaMemset(out, 0xa5, channels * levels * 4), "cudaMemset");
      auto const ms = perf::milliseconds_in_turn(
          11, [] {}, [&] { run({}); },
          [&] { perf::cub_multi_even<channels>(temp, in, pixels, theirs.as<unsigned>()); });
      r("bytes",
        4)("route", to_string(plan.taken))("ours", rate(ms[0]))("cub_multi_even", rate(ms[1]));
      rows.judge(
          r, thrust::equal(thrust::device, out, out + channels * levels, theirs.as<unsigned>()));
    } catch (std::exception const& e) {
      rows.failed(r, e.what());
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  perf::arguments const a(argc, argv, "fold_images [--quick]", {"--quick"}, {});
  perf::report rows(a);
  perf::print_origin("fold_images");
  compare_images(rows, a.has("--quick"));
  return rows.status();
}
