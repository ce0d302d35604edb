// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The radial distribution function g(r) of particles in a periodic box: how many neighbours they
// have at a distance, relative to particles that do not know of each other. Each particle emits a
// distance for every other one that is near: several bins for one input.
#include "support/counter_random.h"
#include "support/expect.h"
#include <thrust_hist/transform_histogram.h>

#include <thrust/copy.h>
#include <thrust/device_vector.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/memory.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

// In a box of size 1. All coordinates are multiples of 2^-20, so distances are the same everywhere.
struct particle {
  double x, y, z;
};

// From here to there by the shortest way, which may leave the box at one side and enter at the
// other.
struct shortest {
  THRUST_HIST_HOST_DEVICE double operator()(double difference) const {
    return difference - std::floor(difference + 0.5);
  }
};

//! [emit_distances]
struct emit_distances {
  particle const* particles;
  unsigned n;
  double reach;

  template <class Sink>
  THRUST_HIST_HOST_DEVICE void operator()(unsigned i, Sink const& sink) const {
    particle const p = particles[i];
    for (unsigned j = i + 1; j < n; ++j) {  // each pair once
      double const dx = shortest{}(particles[j].x - p.x);
      double const dy = shortest{}(particles[j].y - p.y);
      double const dz = shortest{}(particles[j].z - p.z);
      double const squared = dx * dx + dy * dy + dz * dz;
      if (squared < reach * reach) {
        sink(std::sqrt(squared));
      }
    }
  }
};
//! [emit_distances]

static int const bins = 25;
static double const reach = 0.5;  // half of the box: beyond, corners are missing

static std::vector<std::uint64_t> count_pairs(std::vector<particle> const& gas) {
  thrust::device_vector<particle> const there(gas.begin(), gas.end());
  auto const n = static_cast<unsigned>(gas.size());
  //! [distances_call]
  thrust_hist::even_bins const shells(bins, 0.0, reach);  // applied to what is emitted
  thrust::counting_iterator<unsigned> const first(0);
  thrust::device_vector<std::uint64_t> counts(bins);
  thrust_hist::transform_histogram(
      thrust::device, first, first + n, counts.begin(), shells,
      emit_distances{thrust::raw_pointer_cast(there.data()), n, reach});
  //! [distances_call]
  std::vector<std::uint64_t> on_host(bins);
  thrust::copy(counts.begin(), counts.end(), on_host.begin());
  return on_host;
}

// The same the long way: to all 27 images of each other particle, shells found by their edges.
static std::vector<std::uint64_t> count_all_images(std::vector<particle> const& gas) {
  std::vector<double> edges;
  for (int i = 0; i <= bins; ++i) {
    edges.push_back(reach / bins * i);
  }
  std::vector<std::uint64_t> counts(bins);
  for (std::size_t i = 0; i < gas.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      for (int image = 0; image < 27; ++image) {
        double const dx = gas[i].x - gas[j].x + image % 3 - 1;
        double const dy = gas[i].y - gas[j].y + image / 3 % 3 - 1;
        double const dz = gas[i].z - gas[j].z + image / 9 - 1;
        double const r = std::sqrt(dx * dx + dy * dy + dz * dz);
        if (r < reach) {
          ++counts[std::upper_bound(edges.begin(), edges.end(), r) - edges.begin() - 1];
        }
      }
    }
  }
  return counts;
}

static double inner_radius(int shell) {
  return reach / bins * shell;
}

// Pairs in a shell, divided by those of an ideal gas: all pairs, by the share of the box in the
// shell.
static std::vector<double> normalised(std::vector<std::uint64_t> const& pairs, std::size_t n) {
  double const all = static_cast<double>(n) * static_cast<double>(n - 1) / 2;
  std::vector<double> g(bins);
  for (int i = 0; i < bins; ++i) {
    double const inner = inner_radius(i), outer = inner_radius(i + 1);
    double const volume = 4.0 / 3 * 3.14159265358979 * (std::pow(outer, 3) - std::pow(inner, 3));
    g[i] = static_cast<double>(pairs[i]) / (all * volume);
  }
  return g;
}

// Particles at random, of which none is nearer than `diameter` to another.
static std::vector<particle> make_gas(std::size_t n, double diameter) {
  std::vector<particle> gas;
  std::uint64_t draw = 0;
  auto const coordinate = [&] {
    return static_cast<double>(random_bits(draw++) >> 44) / (1 << 20);
  };
  while (gas.size() < n) {
    particle const p{coordinate(), coordinate(), coordinate()};
    bool const fits = std::none_of(gas.begin(), gas.end(), [&](particle const& q) {
      double const dx = shortest{}(p.x - q.x), dy = shortest{}(p.y - q.y);
      double const dz = shortest{}(p.z - q.z);
      return dx * dx + dy * dy + dz * dz < diameter * diameter;
    });
    if (fits) {
      gas.push_back(p);
    }
  }
  return gas;
}

int main() {
  double const diameter = 0.08;  // four shells
  std::vector<particle> const ideal = make_gas(1000, 0), spheres = make_gas(1000, diameter);
  auto const ideal_pairs = count_pairs(ideal), sphere_pairs = count_pairs(spheres);
  expect(ideal_pairs == count_all_images(ideal), "an ideal gas has the pairs that a search finds");
  expect(sphere_pairs == count_all_images(spheres), "spheres have the pairs that a search finds");

  auto const g_ideal = normalised(ideal_pairs, ideal.size());
  auto const g = normalised(sphere_pairs, spheres.size());
  std::printf("distance      ideal gas  spheres of diameter %g\n", diameter);
  for (int i = 0; i < bins; ++i) {
    double const r = inner_radius(i);
    auto const length = static_cast<std::size_t>(std::lround(25 * g[i]));
    std::printf(
        "%.2f to %.2f  %9.3f  %7.3f  %s\n", r, inner_radius(i + 1), g_ideal[i], g[i],
        std::string(length, '#').c_str());
    expect(r < 0.2 || std::abs(g_ideal[i] - 1) < 0.05, "an ideal gas has no structure");
    expect(r < 0.3 || std::abs(g[i] - 1) < 0.05, "spheres do not know of others far away");
    expect(i >= 4 || sphere_pairs[i] == 0, "no two spheres overlap");
  }
  expect(g[4] > 1.3, "spheres crowd around each other");
  return 0;
}
