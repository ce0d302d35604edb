// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Samples at the edges of range bins, beside them, between and beyond.

#include "rule_checks.h"

#include <cmath>
#include <cstddef>
#include <limits>
#include <type_traits>
#include <vector>

namespace test {

template <class T>
T neighbour(T x, int direction) {
  using limits = std::numeric_limits<T>;
  if constexpr (std::is_floating_point_v<T>)
    return std::nextafter(x, direction < 0 ? -limits::infinity() : limits::infinity());
  else
    return direction < 0 ? (x > limits::lowest() ? static_cast<T>(x - 1) : x)
                         : (x < (limits::max)() ? static_cast<T>(x + 1) : x);
}

// An edge as a sample, or the nearest one that there is.
template <class Sample, class Edge>
Sample as_sample(Edge edge) {
  if constexpr (std::is_floating_point_v<Edge> && std::is_integral_v<Sample>) {
    const auto low = static_cast<Edge>(std::numeric_limits<Sample>::lowest());
    const auto high = static_cast<Edge>((std::numeric_limits<Sample>::max)());
    return !(edge > low)    ? std::numeric_limits<Sample>::lowest()
           : !(edge < high) ? (std::numeric_limits<Sample>::max)()
                            : static_cast<Sample>(edge);
  } else
    return static_cast<Sample>(edge);
}

template <class Sample, class Edge>
std::vector<Sample> samples_around(std::vector<Edge> const& edges) {
  using limits = std::numeric_limits<Sample>;
  std::vector<Sample> s;
  for (std::size_t i = 0; i < edges.size(); ++i) {
    const auto at = as_sample<Sample>(edges[i]);
    for (Sample x : {at, neighbour(at, -1), neighbour(at, 1)})
      s.push_back(x);
    if (i > 0)
      s.push_back(as_sample<Sample>(static_cast<Edge>(edges[i - 1] / 2 + edges[i] / 2)));
  }
  for (Sample x : {limits::lowest(), (limits::max)(), Sample{0}, Sample{1}})
    s.push_back(x);
  if constexpr (std::is_floating_point_v<Sample>) {
    const Sample nan = not_a_number<Sample>();
    for (Sample x :
         {limits::infinity(), -limits::infinity(), nan, -nan, limits::denorm_min(),
          -limits::denorm_min(), -Sample{0}})
      s.push_back(x);
  }
  return s;
}

}  // namespace test
