// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// The inputs of all benchmarks: key i of n is a pure function, the same on GPU and host. Without
/// CUDA headers; tested with g++ (test/unit/perf_distributions.cpp).

#include <cmath>
#include <cstdint>

#if defined(__CUDACC__)
#  define PERF_HOST_DEVICE __host__ __device__
#else
#  define PERF_HOST_DEVICE
#endif

namespace perf {

/// A 64-bit mix of a counter (Steele, Lea, Flood 2014): the random numbers of all inputs.
PERF_HOST_DEVICE inline std::uint64_t mix(std::uint64_t x) {
  x += 0x9E3779B97F4A7C15ull;
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9ull;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBull;
  return x ^ (x >> 31);
}

/// How keys are distributed over bins, and over the input.
enum class distribution {
  uniform,
  constant,
  alternating,  ///< two keys in turn
  sorted,
  reversed,
  zipf_0_5,    ///< exponent 0.5
  zipf,        ///< exponent 1
  zipf_1_5,    ///< exponent 1.5, the tail folded back
  runs,        ///< of 1 024 equal keys
  hot,         ///< nine of ten keys are one of 8
  moving_hot,  ///< the same, and the 8 change with the place in the input
  half_constant,
  constant_part,  ///< one key in a 128th of the input, side by side; uniform elsewhere
  on_edges        ///< uniform; floating-point samples are edges of bins
};

/// All but on_edges, which keys do not know.
inline constexpr distribution all_distributions[] = {
    distribution::uniform,      distribution::constant,   distribution::alternating,
    distribution::sorted,       distribution::reversed,   distribution::zipf_0_5,
    distribution::zipf,         distribution::zipf_1_5,   distribution::runs,
    distribution::hot,          distribution::moving_hot, distribution::half_constant,
    distribution::constant_part};

inline char const* name_of(distribution d) {
  constexpr char const* names[] = {"uniform",       "constant", "alternating", "sorted",
                                   "reversed",      "zipf_0.5", "zipf",        "zipf_1.5",
                                   "runs",          "hot",      "moving_hot",  "half_constant",
                                   "constant_part", "on_edges"};
  return names[static_cast<int>(d)];
}

/// Key i of n, below `bins`.
PERF_HOST_DEVICE inline std::uint64_t key_at(
    std::uint64_t i, std::uint64_t n, std::uint64_t bins, distribution d) {
  std::uint64_t const random = mix(i);
  auto const below_bins = [&](std::uint64_t x) {
    return static_cast<std::uint64_t>(
        static_cast<double>(x >> 11) * 0x1p-53 * static_cast<double>(bins));
  };
  double const unit = (static_cast<double>(random >> 11) + 1) * 0x1p-53;
  double const place = (static_cast<double>(i) + 0.5) / static_cast<double>(n);
  switch (d) {
  case distribution::uniform:
  case distribution::on_edges:
    break;
  case distribution::constant:
    return bins / 2;
  case distribution::alternating:
    return i % 2 == 0 ? bins / 3 : bins / 5;
  case distribution::sorted:
    return static_cast<std::uint64_t>(place * static_cast<double>(bins));
  case distribution::reversed:
    return static_cast<std::uint64_t>((1 - place) * static_cast<double>(bins));
  case distribution::zipf_0_5:
    return below_bins(static_cast<std::uint64_t>(unit * unit * 0x1p53) << 11);
  case distribution::zipf: {  // the inverse of a distribution function that grows as the logarithm
    auto const key =
        static_cast<std::uint64_t>(std::exp(unit * std::log(static_cast<double>(bins) + 1))) - 1;
    return key < bins ? key : bins - 1;
  }
  case distribution::zipf_1_5: {
    double const key = 1 / (unit * unit) - 1;
    return key < static_cast<double>(bins) ? static_cast<std::uint64_t>(key)
                                           : below_bins(mix(random));
  }
  case distribution::runs:
    return below_bins(mix(i >> 10));
  case distribution::hot:
    return mix(random) % 10 != 0 ? below_bins(mix(random & 7)) : below_bins(random);
  case distribution::moving_hot:
    return mix(random) % 10 != 0 ? below_bins(mix((random & 7) + (i >> 22) * 8))
                                 : below_bins(random);
  case distribution::half_constant:
    return mix(random) % 2 == 0 ? bins / 2 : below_bins(random);
  case distribution::constant_part:
    return i - n / 2 < n / 128 ? bins / 3 : below_bins(random);
  }
  return below_bins(random);
}

}  // namespace perf
