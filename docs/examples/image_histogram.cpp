// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The histograms of the channels of a PNG picture, all in one pass over its pixels, and the picture
// with its channels equalised:   image_histogram [PICTURE.png [EQUALISED.png]]
#include "support/expect.h"
#include "support/png_picture.h"
#include "support/shading.h"
#include <thrust_hist/histogram.h>
#include <thrust_hist/iterators.h>
#include <thrust_hist/transform_histogram.h>

#include <thrust/copy.h>
#include <thrust/device_vector.h>
#include <thrust/memory.h>
#include <thrust/scan.h>
#include <thrust/transform.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <numeric>
#include <string>
#include <vector>

#if !defined(THRUST_HIST_EXAMPLE_DATA)  // from the top of the repository
#  define THRUST_HIST_EXAMPLE_DATA "docs/examples/data"
#endif

// Spreads the levels of a channel: the share of pixels up to a level becomes its new brightness.
struct equalised_level {
  std::uint32_t const* up_to;  // up_to[level]: pixels of this level or darker
  std::uint32_t pixels;

  THRUST_HIST_HOST_DEVICE unsigned char operator()(unsigned char level) const {
    return static_cast<unsigned char>((up_to[level] * 255ull + pixels / 2) / pixels);
  }
};

//! [all_channels]
struct rgb_pixel {
  unsigned char red, green, blue;
};

// Three counts for a pixel: one in each third of the bins.
struct emit_channels {
  template <class Sink>
  THRUST_HIST_HOST_DEVICE void operator()(rgb_pixel pixel, Sink const& sink) const {
    sink(pixel.red);
    sink(256 + pixel.green);
    sink(512 + pixel.blue);
  }
};
//! [all_channels]

static std::vector<std::uint32_t> count_channels(
    thrust::device_vector<unsigned char> const& rgb, std::uint32_t pixels) {
  //! [all_channels_call]
  auto const* const first =
      reinterpret_cast<rgb_pixel const*>(thrust::raw_pointer_cast(rgb.data()));
  thrust::device_vector<std::uint32_t> counts(3 * 256);
  thrust_hist::transform_histogram(
      thrust::device, first, first + pixels, counts.begin(), 3 * 256, emit_channels{});
  //! [all_channels_call]
  std::vector<std::uint32_t> on_host(counts.size());
  thrust::copy(counts.begin(), counts.end(), on_host.begin());
  return on_host;
}

// Counts channel c alone, equalises it in place, returns the counts.
static std::vector<std::uint32_t> equalise(
    thrust::device_vector<unsigned char>& rgb, std::size_t c, std::uint32_t pixels) {
  //! [one_channel]
  auto const channel = thrust_hist::strided(rgb.begin() + c, 3);
  thrust::device_vector<std::uint32_t> counts(256);
  thrust_hist::histogram(thrust::device, channel, channel + pixels, counts.begin(), 256);
  //! [one_channel]
  thrust::device_vector<std::uint32_t> up_to(256);
  thrust::inclusive_scan(counts.begin(), counts.end(), up_to.begin());
  equalised_level const level{thrust::raw_pointer_cast(up_to.data()), pixels};
  thrust::transform(channel, channel + pixels, channel, level);

  std::vector<std::uint32_t> on_host(256);
  thrust::copy(counts.begin(), counts.end(), on_host.begin());
  return on_host;
}

// The same counts by a plain loop.
static std::vector<std::uint32_t> counted_plainly(png_picture const& picture, std::size_t c) {
  std::vector<std::uint32_t> counts(256);
  for (std::size_t i = c; i < picture.rgb.size(); i += 3) {
    ++counts[picture.rgb[i]];
  }
  return counts;
}

// The largest distance of the shares of pixels up to a level from those of an even spread: 0 for a
// perfectly equalised channel.
static double unevenness(std::vector<std::uint32_t> const& counts) {
  double const pixels = std::accumulate(counts.begin(), counts.end(), 0.0);
  double worst = 0, up_to = 0;
  for (std::size_t level = 0; level < counts.size(); ++level) {
    up_to += counts[level];
    if (counts[level] != 0) {
      worst = std::max(worst, std::abs(up_to / pixels - static_cast<double>(level) / 255));
    }
  }
  return worst;
}

int main(int argc, char** argv) {
  std::string const source = argc > 1 ? argv[1] : THRUST_HIST_EXAMPLE_DATA "/hills.png";
  std::string const target = argc > 2 ? argv[2] : "equalised.png";
  try {
    png_picture const picture = read_png(source);
    std::uint32_t const pixels = picture.width * picture.height;
    std::printf("%s: %u x %u pixels\n", source.c_str(), picture.width, picture.height);

    thrust::device_vector<unsigned char> rgb(picture.rgb.begin(), picture.rgb.end());
    auto const all = count_channels(rgb, pixels);
    png_picture equalised = picture;
    char const* const names[] = {"red", "green", "blue"};
    for (std::size_t c = 0; c < 3; ++c) {
      std::vector<std::uint32_t> const counts(all.begin() + 256 * c, all.begin() + 256 * (c + 1));
      std::printf("%s\n", names[c]);
      print_columns(counts, 64, 6);
      expect(counts == counted_plainly(picture, c), "a channel is counted as by a plain loop");
      expect(counts == equalise(rgb, c, pixels), "a call for one channel counts the same");
    }
    thrust::copy(rgb.begin(), rgb.end(), equalised.rgb.begin());
    write_png(target, equalised);

    png_picture const written = read_png(target);
    expect(written.rgb == equalised.rgb, "the written picture reads the same");
    for (std::size_t c = 0; c < 3; ++c) {
      expect(unevenness(counted_plainly(written, c)) < 0.003, "an equalised channel is even");
    }
    std::printf("equalised: %s\n", target.c_str());
  } catch (std::exception const& error) {
    std::fprintf(stderr, "image_histogram: %s\n", error.what());
    return EXIT_FAILURE;
  }
  return 0;
}
