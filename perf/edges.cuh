// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Uneven edges, and samples between them.

#include "measure.cuh"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

namespace perf {

enum class edge_kind {
  squares,     ///< i^2 and a jitter; every 37th bin is empty, since two edges are equal
  logarithmic  ///< evenly on a logarithmic scale
};

inline char const* name_of(edge_kind kind) {
  return kind == edge_kind::squares ? "squares" : "logarithmic";
}

/// `bins` + 1 sorted edges below 2^31, so that integers have them too (with some more of them
/// equal).
template <class T>
std::vector<T> make_edges(std::uint64_t bins, edge_kind kind) {
  double const top = 0x1p31, count = static_cast<double>(bins);
  std::vector<T> edges;
  for (std::uint64_t i = 0; i <= bins; ++i) {
    double const jitter = static_cast<double>(mix(i) >> 11) * 0x1p-53 - 0.5;
    double const place = static_cast<double>(i) / count;
    double const square = std::pow((static_cast<double>(i) + 0.8 * jitter) / count, 2) * top;
    double const edge = kind == edge_kind::squares ? square : 1024 * std::pow(top / 1024, place);
    edges.push_back(i % 37 == 36 ? edges.back() : static_cast<T>(edge));
  }
  std::sort(edges.begin(), edges.end());
  return edges;
}

/// Where samples lie.
enum class samples_between {
  uniform,      ///< anywhere from the first edge to the last
  any_bin,      ///< in each bin equally often
  constant,     ///< all equal
  on_the_edges  ///< each equal to some edge
};

inline constexpr samples_between all_samples_between[] = {
    samples_between::uniform, samples_between::any_bin, samples_between::constant,
    samples_between::on_the_edges};

inline char const* name_of(samples_between where) {
  constexpr char const* names[] = {"uniform", "any_bin", "constant", "on_the_edges"};
  return names[static_cast<int>(where)];
}

template <class T>
__global__ void fill_between(
    T* out, std::uint64_t n, T const* edges, std::uint64_t bins, samples_between where) {
  std::uint64_t const stride = std::uint64_t{gridDim.x} * blockDim.x;
  for (std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n; i += stride) {
    std::uint64_t const random = mix(i), bin = random % bins;
    double const part = static_cast<double>(mix(random) >> 11) * 0x1p-53;
    bool const anywhere = where == samples_between::uniform;
    auto const lower = static_cast<double>(edges[anywhere ? 0 : bin]);
    auto const upper = static_cast<double>(edges[anywhere ? bins : bin + 1]);
    out[i] = where == samples_between::constant ? edges[bins / 2]
             : where == samples_between::on_the_edges
                 ? edges[random % (bins + 1)]
                 : static_cast<T>(lower + part * (upper - lower));
  }
}

}  // namespace perf
