// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A joint histogram of two coordinates, shown as a picture: where the points of Clifford's strange
// attractor lie.   joint_histogram [PICTURE.pgm]
#include "support/expect.h"
#include "support/shading.h"
#include <thrust_hist/histogram.h>
#include <thrust_hist/histogram_even.h>

#include <thrust/copy.h>
#include <thrust/device_vector.h>
#include <thrust/for_each.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/memory.h>
#include <thrust/tuple.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <numeric>
#include <string>
#include <vector>

// Every index starts somewhere, forgets where, and leaves a trace of points on the attractor.
struct clifford {
  static constexpr unsigned trace = 64;
  double *x, *y;

  THRUST_HIST_HOST_DEVICE void operator()(unsigned start) const {
    double const a = -1.7, b = 1.3, c = -0.1, d = -1.21;
    double u = start * 1e-4 - 1, v = 0.1;
    for (unsigned step = 0; step < trace + 16; ++step) {
      double const next = std::sin(a * v) + c * std::cos(a * u);
      v = std::sin(b * u) + d * std::cos(b * v);
      u = next;
      if (step >= 16) {
        x[start * trace + step - 16] = u;
        y[start * trace + step - 16] = v;
      }
    }
  }
};

// What a row or a column of the picture holds altogether.
static std::vector<std::uint32_t> margin(count_picture const& picture, bool of_rows) {
  std::vector<std::uint32_t> sums(of_rows ? picture.height : picture.width);
  for (std::size_t i = 0; i < picture.counts.size(); ++i) {
    sums[of_rows ? i / picture.width : i % picture.width] += picture.counts[i];
  }
  return sums;
}

static std::vector<std::uint32_t> even_counts(
    thrust::device_vector<double> const& values, int bins, double lower, double upper) {
  thrust::device_vector<std::uint32_t> counts(bins);
  thrust_hist::histogram_even(
      thrust::device, values.begin(), values.end(), counts.begin(), bins, lower, upper);
  std::vector<std::uint32_t> on_host(bins);
  thrust::copy(counts.begin(), counts.end(), on_host.begin());
  return on_host;
}

int main(int argc, char** argv) {
  unsigned const starts = 1u << 14, points = starts * clifford::trace;
  thrust::device_vector<double> x(points), y(points);
  thrust::counting_iterator<unsigned> start(0);
  thrust::for_each(
      thrust::device, start, start + starts,
      clifford{thrust::raw_pointer_cast(x.data()), thrust::raw_pointer_cast(y.data())});

  //! [joint]
  int const width = 512, height = 512;
  thrust_hist::even_bins const columns(width, -1.2, 1.2), rows(height, -2.3, 2.3);
  thrust_hist::grid const bins(rows, columns);  // row-major: the last rule varies fastest

  auto const first = thrust::make_zip_iterator(thrust::make_tuple(y.begin(), x.begin()));
  thrust::device_vector<std::uint32_t> counts(bins.size());
  thrust_hist::histogram(thrust::device, first, first + points, counts.begin(), bins);
  //! [joint]

  count_picture picture{width, height, std::vector<std::uint32_t>(counts.size())};
  thrust::copy(counts.begin(), counts.end(), picture.counts.begin());
  print_shaded(picture, 78);
  std::string const file = argc > 1 ? argv[1] : "joint.pgm";
  write_pgm(file, picture);

  auto const& cells = picture.counts;
  expect(std::accumulate(cells.begin(), cells.end(), 0u) == points, "every point is counted");
  expect(
      margin(picture, true) == even_counts(y, height, -2.3, 2.3), "rows add up to y's histogram");
  expect(margin(picture, false) == even_counts(x, width, -1.2, 1.2), "columns add up to x's");
  std::printf("%u points in %d x %d bins, also in %s\n", points, width, height, file.c_str());
  return 0;
}
