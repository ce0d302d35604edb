// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The energy spectrum of a source behind a detector that loses particles, the more the higher their
// energy. A particle that is seen stands for those that are not: that is its weight. The error of a
// bin is the square root of the sum of its squared weights.
#include "support/counter_random.h"
#include "support/expect.h"
#include <thrust_hist/histogram.h>
#include <thrust_hist/histogram_by_key.h>

#include <thrust/copy.h>
#include <thrust/device_vector.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/transform.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

// Energies in MeV: three of ten particles are in a line at 6, the others fall off from 0 on.
struct energy_of {
  THRUST_HIST_HOST_DEVICE float operator()(std::uint32_t particle) const {
    std::uint64_t const draw = 4 * std::uint64_t{particle};
    double const u = random_unit(draw), v = random_unit(draw + 1);
    if (random_unit(draw + 2) < 0.3) {
      return static_cast<float>(6 + 0.4 * std::sqrt(-2 * std::log(u)) * std::cos(6.283185307 * v));
    }
    return static_cast<float>(-2.5 * std::log(u));
  }
};

// 0 for a particle that is lost.
struct weight_of {
  THRUST_HIST_HOST_DEVICE double operator()(float energy, std::uint32_t particle) const {
    double const chance = std::exp(-0.3 * energy);
    return random_unit(4 * std::uint64_t{particle} + 3) < chance ? 1 / chance : 0;
  }
};

//! [spectrum]
using weighted = thrust_hist::weighted_sum<double>;  // {sum, sum_of_squares}

struct to_weighted {
  THRUST_HIST_HOST_DEVICE weighted operator()(double w) const { return weighted::of(w); }
};
//! [spectrum]

template <class T>
static std::vector<T> on_host(thrust::device_vector<T> const& there) {
  std::vector<T> copy(there.size());
  thrust::copy(there.begin(), there.end(), copy.begin());
  return copy;
}

// The same by a loop, which finds bins by searching their edges.
static std::vector<weighted> added_plainly(
    std::vector<float> const& energy, std::vector<double> const& weight,
    std::vector<float> const& edges) {
  std::vector<weighted> sums(edges.size() - 1);
  for (std::size_t i = 0; i < energy.size(); ++i) {
    auto const above = std::upper_bound(edges.begin(), edges.end(), energy[i]);
    if (above != edges.begin() && above != edges.end()) {
      weighted& bin = sums[static_cast<std::size_t>(above - edges.begin() - 1)];
      bin.sum += weight[i];
      bin.sum_of_squares += weight[i] * weight[i];
    }
  }
  return sums;
}

static bool is_close(double a, double b) {
  return std::abs(a - b) <= 1e-12 * std::abs(b);
}

int main() {
  std::uint32_t const particles = 1u << 18;
  int const bins = 30;
  thrust::device_vector<float> energy(particles);
  thrust::device_vector<double> weight(particles);
  thrust::counting_iterator<std::uint32_t> const particle(0);
  thrust::transform(particle, particle + particles, energy.begin(), energy_of{});
  thrust::transform(energy.begin(), energy.end(), particle, weight.begin(), weight_of{});

  //! [spectrum_call]
  thrust_hist::even_bins const rule(bins, 0.0, 12.0);
  auto const weights = thrust::make_transform_iterator(weight.begin(), to_weighted{});
  thrust::device_vector<weighted> spectrum(bins);
  thrust_hist::histogram_by_key(
      thrust::device, energy.begin(), energy.end(), weights, spectrum.begin(), rule);
  //! [spectrum_call]

  thrust::device_vector<std::uint32_t> emitted(bins);  // what the source really did
  thrust_hist::histogram(thrust::device, energy.begin(), energy.end(), emitted.begin(), rule);
  std::vector<weighted> const seen = on_host(spectrum);
  std::vector<std::uint32_t> const truth = on_host(emitted);

  std::vector<float> edges;
  for (int i = 0; i <= bins; ++i) {
    edges.push_back(static_cast<float>(rule.edge(i)));
  }
  std::vector<weighted> const expected = added_plainly(on_host(energy), on_host(weight), edges);
  double highest = 0;
  for (auto const& bin : seen) {
    highest = std::max(highest, bin.sum);
  }
  std::printf("energy [MeV]      particles    emitted\n");
  for (int i = 0; i < bins; ++i) {
    auto const b = static_cast<std::size_t>(i);
    double const error = std::sqrt(seen[b].sum_of_squares);
    auto const length = static_cast<std::size_t>(36 * seen[b].sum / highest);
    auto const blur = static_cast<std::size_t>(std::lround(36 * error / highest));
    std::printf(
        "%4.1f to %4.1f  %7.0f +- %4.0f  %7u  %s%s\n", edges[b], edges[b + 1], seen[b].sum, error,
        truth[b], std::string(length, '#').c_str(), std::string(blur, '-').c_str());
    expect(is_close(seen[b].sum, expected[b].sum), "weights add up as in a plain loop");
    expect(is_close(seen[b].sum_of_squares, expected[b].sum_of_squares), "so do their squares");
    expect(std::abs(seen[b].sum - truth[b]) < 5 * error, "errors say how far the truth may be");
  }
  return 0;
}
