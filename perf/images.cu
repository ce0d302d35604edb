// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// \file
/// Images of bytes, 256 bins: padded rows beside as many samples without padding and CUB's
/// HistogramEven for two dimensions; channels of interleaved pixels, several in one pass of
/// transform_histogram with a caching allocator, beside CUB's MultiHistogramEven. Many frames are
/// one tall image of 1 GiB; single frames are read from memory, the cache flushed. CUB gets its
/// scratch before the clock starts. Prints one row a case as JSON, figures in G samples (pixels)
/// per second; `images rows` and `images channels` run a part.
///
/// Build: nvcc -std=c++17 -O3 --extended-lambda -arch=native -I. perf/images.cu

#include "channels.cuh"
#include "peers.cuh"
#include "report.h"
#include "roof.cuh"
#include <thrust_hist/histogram.h>
#include <thrust_hist/iterators.h>
#include <thrust_hist/transform_histogram.h>

#include <cub/device/device_histogram.cuh>
#include <thrust/equal.h>
#include <thrust/execution_policy.h>

#include <algorithm>
#include <vector>

namespace {

constexpr std::size_t image_bytes = std::size_t{1} << 30;
constexpr std::uint64_t bins = 256;

struct memory {
  perf::buffer image{image_bytes}, ours{4 * bins * 4}, each{4 * bins * 4}, plain{bins * 4},
      theirs{4 * bins * 4};
  perf::scratch temp;
  perf::cache_flush flush;
};

struct shape {
  std::size_t width, height, pitch;
};

double rate(std::size_t samples, double ms) {
  return static_cast<double>(samples) / ms * 1e-6;
}

void compare_rows(perf::report& report, memory const& m, shape const& s, std::size_t frames) {
  std::size_t const rows = s.height * frames, n = s.width * rows;
  perf::row row;
  row("image", "rows")("type", "u8")("width", s.width)("height", s.height)("pitch", s.pitch)(
      "frames", frames)("bins", bins);
  if (!report.wants(row)) {
    return;
  }
  auto const* const in = m.image.as<std::uint8_t>();
  auto const nosync = thrust::cuda::par_nosync;
  auto* const out = m.ours.as<unsigned>();
  auto const padded = thrust_hist::pitched(in, s.width, rows, s.pitch);
  auto const contiguous = [&] {
    thrust_hist::histogram(nosync, in, in + n, m.plain.as<unsigned>(), bins);
  };
  auto const pitched = [&] { thrust_hist::histogram(nosync, padded, padded + n, out, bins); };
  auto const cub_rows = [&] {
    std::size_t bytes = m.temp.bytes;
    perf::require(
        cub::DeviceHistogram::HistogramEven(
            m.temp.memory.as<void>(), bytes, in, m.theirs.as<int>(), static_cast<int>(bins) + 1, 0,
            static_cast<int>(bins), static_cast<std::int64_t>(s.width),
            static_cast<std::int64_t>(rows), s.pitch),
        "HistogramEven");
  };
  auto const ms = perf::milliseconds_in_turn(
      frames == 1 ? 51 : 11, [&] { frames == 1 ? m.flush() : void(); }, contiguous, pitched,
      cub_rows);
  row("contiguous", rate(n, ms[0]))("ours", rate(n, ms[1]))("cub_even_rows", rate(n, ms[2]))(
      "to_contiguous", ms[0] / ms[1])(
      "equal", thrust::equal(thrust::device, out, out + bins, m.theirs.as<unsigned>()));
}

/// The first `Channels` of interleaved pixels of four bytes: one of them where it is, several in
/// one pass over the pixels; and by one call for each.
template <int Channels>
void compare_channels(perf::report& report, memory const& m, std::size_t pixels) {
  perf::row row;
  row("image", "channels")("type", "rgba8")("pixels", pixels)("channels", Channels)("bins", bins);
  if (!report.wants(row)) {
    return;
  }
  auto const* const in = m.image.as<std::uint8_t>();
  auto* const out = m.ours.as<unsigned>();
  auto const count_each = [&](unsigned* to) {
    for (int channel = 0; channel < Channels; ++channel) {
      auto const samples = thrust_hist::strided(in + channel, 4);
      thrust_hist::histogram(
          thrust::cuda::par_nosync, samples, samples + static_cast<std::ptrdiff_t>(pixels),
          to + channel * bins, bins);
    }
  };
  auto* const out_of_each = m.each.as<unsigned>();
  auto const call_each = [&] { count_each(out_of_each); };
  perf::caching_allocator cache;
  auto const ours = [&] {
    if (Channels == 1) {
      count_each(out);
      return;
    }
    auto const* const first = m.image.as<uchar4>();
    thrust_hist::transform_histogram(
        thrust::cuda::par_nosync(cache), first, first + pixels, out, Channels * bins,
        perf::count_channels<Channels>{});
  };
  auto const cub_multi = [&] {
    perf::cub_multi_even<Channels>(m.temp, m.image.as<uchar4>(), pixels, m.theirs.as<unsigned>());
  };
  bool const small = pixels < (1 << 24);
  auto const ms = perf::milliseconds_in_turn(
      small ? 51 : 11, [&] { small ? m.flush() : void(); }, call_each, ours, cub_multi);
  if (Channels > 1) {
    row("call_each", rate(pixels, ms[0]));
  }
  auto* const expected = m.theirs.as<unsigned>();
  row("ours", rate(pixels, ms[1]))("cub_multi_even", rate(pixels, ms[2]))(
      "equal",
      thrust::equal(thrust::device, out, out + Channels * bins, expected) &&
          thrust::equal(thrust::device, out_of_each, out_of_each + Channels * bins, expected));
}

}  // namespace

int main(int argc, char** argv) {
  perf::arguments const a(argc, argv, "images [rows] [channels]", {}, {});
  perf::report report(a);
  perf::print_origin("images");
  memory const m;
  perf::fill<<<2048, 256>>>(
      m.image.as<std::uint8_t>(), image_bytes, bins, perf::distribution::uniform);
  // A pitch as cudaMallocPitch gives it (7 680 is one without padding), and one that aligns
  // nothing.
  for (shape const& s :
       {shape{1920, 1080, 2048}, shape{1920, 1080, 1923}, shape{7680, 4320, 7680},
        shape{7680, 4320, 8192}, shape{7680, 4320, 7683}}) {
    for (std::size_t const frames : {std::size_t{1}, image_bytes / (s.pitch * s.height)}) {
      if (a.chosen("rows")) {
        compare_rows(report, m, s, frames);
      }
    }
  }
  for (std::size_t const pixels : {std::size_t{1920} * 1080, image_bytes / 4}) {
    if (a.chosen("channels")) {
      compare_channels<1>(report, m, pixels);
      compare_channels<3>(report, m, pixels);
      compare_channels<4>(report, m, pixels);
    }
  }
}
