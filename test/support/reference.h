// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// What the library has to find, found another way: the edges are computed as docs/semantics.md says
// and a sample's bin is searched in them, every comparison exact. Counts are formed as 64-bit
// integers and converted once.

#include "exact.h"

#if defined(__SSE2__)
#  include <xmmintrin.h>
#endif
#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace test {

using bin = std::int64_t;
inline constexpr bin below = -1, above = INT64_MAX, neither = INT64_MIN;

// A program linked with -ffast-math flushes denormals; the reference's few operations may not.
class plain_arithmetic {
#if defined(__SSE2__)
public:
  plain_arithmetic() : saved_(_mm_getcsr()) {
    _mm_setcsr(0x1f80);
  }
  ~plain_arithmetic() {
    _mm_setcsr(saved_);
  }
  plain_arithmetic(plain_arithmetic const&) = delete;
  plain_arithmetic& operator=(plain_arithmetic const&) = delete;

private:
  unsigned saved_;
#endif
};

// Sorted edges, in which samples of any type are searched.
class edge_list {
public:
  edge_list(std::vector<order> edges, bool inclusive)
      : edges_(std::move(edges)), inclusive_(inclusive) {}

  bin size() const { return edges_.empty() ? 0 : static_cast<bin>(edges_.size()) - 1; }
  order edge(bin i) const { return edges_[static_cast<std::size_t>(i)]; }

  template <class Sample>
  bin operator()(Sample x) const {
    const order at = order_of(x);
    if (at == no_order)
      return neither;
    if (edges_.empty() || at < edges_.front())
      return below;
    if (at >= edges_.back())
      return inclusive_ && at == edges_.back() && size() > 0 ? size() - 1 : above;
    return std::upper_bound(edges_.begin(), edges_.end(), at) - edges_.begin() - 1;
  }

private:
  std::vector<order> edges_;
  bool inclusive_;
};

// The edges of equal-width bins in double, every operation rounded by itself (volatile keeps the
// compiler from contracting or reordering them).
class even_edge_formula {
public:
  even_edge_formula(bin bins, double lower, double upper)
      : bins_(bins), lower_(lower), upper_(upper) {
    const plain_arithmetic here;
    const volatile double lo = lower, hi = upper, n = static_cast<double>(bins);
    volatile double range = hi - lo;
    halved_ = anatomy<double>(range).is_special();
    volatile double half_lo = lo / 2, half_hi = hi / 2;
    if (halved_)
      range = half_hi - half_lo;
    first_ = halved_ ? half_lo : lo;
    volatile double step = range / n;
    step_ = step;
  }

  double operator()(bin i) const {
    if (i == 0 || i == bins_)
      return i == 0 ? lower_ : upper_;
    const plain_arithmetic here;
    const volatile double first = first_, step = step_;
    volatile double offset = static_cast<double>(i) * step;
    volatile double edge = first + offset;
    if (halved_)
      edge = 2 * edge;
    const double bounded = edge;
    return order_of(bounded) < order_of(upper_) ? bounded : upper_;
  }

private:
  bin bins_;
  double lower_, upper_, first_, step_;
  bool halved_;
};

inline std::vector<double> even_edges(bin bins, double lower, double upper) {
  const even_edge_formula edge(bins, lower, upper);
  std::vector<double> edges;
  for (bin i = 0; i < bins; ++i)
    edges.push_back(edge(i));
  edges.push_back(bins > 0 ? upper : lower);
  return edges;
}

// A level at its mathematical value: integers stay integers.
struct level {
  template <class T>
  level(T x)
      : is_integer(!is_float<T>)  // NOLINT: any number is one
  {
    if constexpr (is_float<T>)
      real = static_cast<double>(x);
    else {
      integer = x;
      const plain_arithmetic here;
      real = static_cast<double>(x);
    }
  }
  bool is_integer;
  int128 integer = 0;
  double real = 0;
};

// Even bins as samples of type Sample see them.
template <class Sample>
edge_list even_reference(bin bins, level lower, level upper, bool inclusive = false) {
  std::vector<order> edges;
  if (!is_float<Sample> && lower.is_integer && upper.is_integer) {
    // floor((x - lower) * n / range) >= i exactly where x >= lower + ceil(i * range / n).
    const uint128 range = static_cast<uint128>(upper.integer - lower.integer);
    const uint128 n = static_cast<uint128>(bins);
    for (uint128 i = 0; bins > 0 && i <= n; ++i) {
      const uint128 q = range / n, r = range % n;  // i * range may need more than 128 bits
      const uint128 offset = i * q + (i * r + n - 1) / n;
      edges.push_back(order_of_integer(lower.integer + static_cast<int128>(offset)));
    }
  } else {
    for (double edge : even_edges(bins, lower.real, upper.real))
      if constexpr (is_float<Sample>)
        edges.push_back(order_of(round_to<Sample>(edge)));
      else
        edges.push_back(order_of(edge));
    if (bins == 0)
      edges.clear();
  }
  return edge_list(std::move(edges), inclusive);
}

// The same for floating-point samples and more bins than one cares to list: an edge is computed
// where it is asked for.
template <class Sample>
class computed_even_reference {
public:
  computed_even_reference(bin bins, double lower, double upper, bool inclusive = false)
      : bins_(bins), edge_(bins, lower, upper), inclusive_(inclusive) {}

  bin size() const { return bins_; }

  bin operator()(Sample x) const {
    const order at = order_of(x);
    if (at == no_order)
      return neither;
    if (at < edge(0))
      return below;
    if (at >= edge(bins_))
      return inclusive_ && at == edge(bins_) ? bins_ - 1 : above;
    bin low = 0, high = bins_;  // edge(low) <= x < edge(high)
    while (high - low > 1) {
      const bin middle = low + (high - low) / 2;
      (edge(middle) <= at ? low : high) = middle;
    }
    return low;
  }

private:
  order edge(bin i) const { return order_of(round_to<Sample>(edge_(i))); }

  bin bins_;
  even_edge_formula edge_;
  bool inclusive_;
};

template <class Edge>
edge_list range_reference(std::vector<Edge> const& edges, bool inclusive = false) {
  std::vector<order> images;
  for (Edge edge : edges)
    images.push_back(order_of(edge));
  return edge_list(std::move(images), inclusive);
}

// Keys that are their own bin: bin i holds what is at least i and less than i + 1.
inline edge_list identity_reference(bin bins) {
  std::vector<order> edges;
  for (bin i = 0; bins > 0 && i <= bins; ++i)
    edges.push_back(order_of(i));
  return edge_list(std::move(edges), false);
}

template <class Samples, class Find>
std::vector<std::uint64_t> count(Samples const& samples, bin bins, Find const& find) {
  std::vector<std::uint64_t> counts(static_cast<std::size_t>(bins));
  for (auto const& x : samples) {
    const bin i = find(x);
    if (i >= 0 && i < bins)
      ++counts[static_cast<std::size_t>(i)];
  }
  return counts;
}

template <class Samples>
std::vector<std::uint64_t> count(Samples const& samples, edge_list const& edges) {
  return count(samples, edges.size(), edges);
}

inline std::uint64_t total(std::vector<std::uint64_t> const& counts) {
  std::uint64_t sum = 0;
  for (std::uint64_t c : counts)
    sum += c;
  return sum;
}

template <class Counter>
std::vector<Counter> convert(std::vector<std::uint64_t> const& counts) {
  std::vector<Counter> converted;
  for (std::uint64_t c : counts)
    converted.push_back(static_cast<Counter>(c));
  return converted;
}

}  // namespace test
