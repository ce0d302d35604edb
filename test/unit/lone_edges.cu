// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// build: fast-math twin

// Edges that are alone in cells of one kind or the other, and edges that are not, which the routes
// find by a search that gives the same bins.

#include "../support/boost_test.h"
#include "../support/systems.h"
#include <thrust_hist/detail/range_search.h>
#include <thrust_hist/system/cuda/kernels/lone_edges.cuh>

#include <thrust/device_vector.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <vector>

namespace lone_edges_setup {

using thrust_hist::detail::range_search;

enum kind : int { neither, even, uneven };

template <class Edge, class S>
using search_among = range_search<Edge const*, S, std::int32_t>;

// Which kind of cells there are; the candidates of samples are those of the rule, or `wrong` counts
// them.
template <class Edge, class S>
__global__ void find(
    search_among<Edge, S> const rule, std::uint32_t bytes, S const* samples, unsigned n, int* which,
    unsigned* wrong) {
  extern __shared__ uint4 memory[];
  namespace cuda = thrust_hist::detail::cuda;
  cuda::lone_edges<Edge const*, S, std::int32_t> lone(rule, cuda::rule_memory{memory, bytes});
  const bool found = lone.try_with([&](auto const& bins) {
    using steps = std::decay_t<decltype(bins.steps)>;
    using even_steps = typename cuda::steps_for<Edge, S>::even;
    *which = std::is_same_v<steps, even_steps> ? even : uneven;
    for (unsigned i = threadIdx.x; i < n; i += blockDim.x) {
      const auto candidate = bins.template candidate<std::uint32_t>(samples[i]);
      const auto bin = static_cast<std::uint32_t>(rule(samples[i]));
      const auto all = static_cast<std::uint32_t>(rule.size());
      if (candidate != bin && (candidate < all || bin < all))
        atomicAdd(wrong, 1);
    }
  });
  if (!found)
    *which = neither;
}

// Each edge, and its neighbours.
template <class S, class Edge>
std::vector<S> around(std::vector<Edge> const& edges) {
  std::vector<S> s;
  for (Edge edge : edges) {
    const S at = static_cast<S>(edge);
    s.push_back(at);
    if constexpr (std::is_floating_point_v<S>) {
      s.push_back(std::nextafter(at, -std::numeric_limits<S>::infinity()));
      s.push_back(std::nextafter(at, std::numeric_limits<S>::infinity()));
    } else {
      s.push_back(static_cast<S>(at - (at > std::numeric_limits<S>::lowest() ? 1 : 0)));
      s.push_back(static_cast<S>(at + (at < std::numeric_limits<S>::max() ? 1 : 0)));
    }
  }
  if constexpr (std::is_floating_point_v<S>) {
    const S nan = std::numeric_limits<S>::quiet_NaN(), inf = std::numeric_limits<S>::infinity();
    for (S x : {nan, -nan, inf, -inf, S{0}, -S{0}})
      s.push_back(x);
  }
  return s;
}

template <class S, class Edge>
int kind_of(std::vector<Edge> const& edges, bool inclusive = false, std::uint32_t bytes = 40000) {
  const auto s = around<S>(edges);
  thrust::device_vector<Edge> e(edges);
  thrust::device_vector<S> samples(s);
  thrust::device_vector<int> which(1, -1);
  thrust::device_vector<unsigned> wrong(1, 0u);
  const search_among<Edge, S> rule = {
      thrust::raw_pointer_cast(e.data()), static_cast<std::int32_t>(edges.size()) - 1, inclusive};
  find<Edge, S><<<1, 256, bytes>>>(
      rule, bytes, thrust::raw_pointer_cast(samples.data()), static_cast<unsigned>(s.size()),
      thrust::raw_pointer_cast(which.data()), thrust::raw_pointer_cast(wrong.data()));
  BOOST_TEST(wrong[0] == 0U);
  return which[0];
}

template <class T, class Function>
std::vector<T> edges(int n, Function f) {
  std::vector<T> e;
  for (int i = 0; i < n; ++i)
    e.push_back(static_cast<T>(f(i)));
  return e;
}
template <class T>
std::vector<T> powers(int n, double base) {
  return edges<T>(n, [&](int i) { return std::pow(base, i); });
}

}  // namespace lone_edges_setup

BOOST_AUTO_TEST_SUITE(lone_edges, THRUST_HIST_TEST_SMALL)
using namespace lone_edges_setup;

BOOST_AUTO_TEST_CASE(cells_of_equal_steps) {
  for (int n : {2, 3, 17, 257, 1000}) {
    BOOST_TEST(kind_of<float>(edges<float>(n, [](int i) { return i * .1f - 3; })) == even);
    BOOST_TEST(kind_of<double>(edges<double>(n, [](int i) { return i * 1e7 - 3; })) == even);
    BOOST_TEST(kind_of<int>(edges<int>(n, [](int i) { return i * 1000 - 3000; })) == even);
    BOOST_TEST(kind_of<float>(edges<double>(n, [](int i) { return i * .1 + 5; })) == even);
    BOOST_TEST(kind_of<std::int16_t>(edges<std::int16_t>(n, [](int i) { return i * 9; })) == even);
  }
  BOOST_TEST(kind_of<float>(edges<float>(16, [](int i) { return i * i; })) == even);
  BOOST_TEST(kind_of<float>(std::vector<float>{0, 1, 1, 1, 2, 2, 7}) == even);
  BOOST_TEST(kind_of<double>(std::vector<float>{1e-40f, 1, 2}) == even);
  BOOST_TEST(kind_of<int>(std::vector<float>{1e-40f, 1, 2}) == even);
  BOOST_TEST(kind_of<float>(std::vector<float>{0, 1, 2, INFINITY}) == even);
}

BOOST_AUTO_TEST_CASE(cells_of_logarithmic_steps) {
  BOOST_TEST(kind_of<float>(powers<float>(60, 4)) == uneven);
  BOOST_TEST(kind_of<double>(powers<double>(200, 9)) == uneven);
  BOOST_TEST(kind_of<std::uint32_t>(powers<std::uint32_t>(32, 2)) == uneven);
  BOOST_TEST(kind_of<std::int64_t>(powers<std::int64_t>(62, 2)) == uneven);
  BOOST_TEST(kind_of<double>(std::vector<double>{-INFINITY, -1, 0, 1, INFINITY}) == uneven);
}

BOOST_AUTO_TEST_CASE(edges_that_crowd_and_cells_without_room) {
  BOOST_TEST(
      kind_of<float>(std::vector<float>{0, 1, std::nextafter(1.f, 2.f), 1e9f, 2e9f}) == neither);
  BOOST_TEST(kind_of<int>(std::vector<int>{-2000000000, 0, 1, 1000000000, 2000000000}) == neither);
  BOOST_TEST(kind_of<float>(std::vector<float>{1}) == neither);
  BOOST_TEST(kind_of<float>(edges<float>(1000, [](int i) { return i; }), false, 5000) == neither);
  BOOST_TEST(kind_of<float>(edges<float>(1025, [](int i) { return i; })) == neither);
}

BOOST_AUTO_TEST_CASE(a_closed_last_bin) {
  const float inf = INFINITY;
  BOOST_TEST(kind_of<float>(std::vector<float>{0, 1, 2, 4}, true) == even);
  BOOST_TEST(kind_of<float>(std::vector<float>{0, 1, 2, inf}, true) == uneven);
  BOOST_TEST(kind_of<double>(std::vector<double>{0, 1, 2, INFINITY}, true) == uneven);
  BOOST_TEST(kind_of<float>(edges<float>(100, [&](int i) { return i < 99 ? i : inf; }), true) > 0);
  BOOST_TEST(kind_of<float>(std::vector<double>{0, 0.1}, true) == even);
  BOOST_TEST(kind_of<float>(std::vector<double>{0, 1e39}, true) > 0);
  BOOST_TEST(kind_of<float>(std::vector<int>{0, 16777217}, true) == even);
  BOOST_TEST(kind_of<int>(std::vector<int>{0, 5, 10}, true) == even);
  BOOST_TEST(kind_of<int>(std::vector<int>{0, 5, 2147483647}, true) == neither);
}

// Nobody has judged device edges where the policy does not wait.
BOOST_AUTO_TEST_CASE(edges_out_of_order_do_no_harm) {
  const auto check = [](auto x, bool inclusive) {
    using T = decltype(x);
    std::vector<T> e;
    for (std::uint64_t i = 1; i < 900; ++i)
      e.push_back(static_cast<T>(i * 0x9e3779b97f4a7c15u >> (i % 50)));
    thrust::device_vector<T> there(e);
    thrust::device_vector<int> which(1, -1);
    thrust::device_vector<unsigned> differ(1, 0u);
    const search_among<T, T> rule = {
        thrust::raw_pointer_cast(there.data()), static_cast<std::int32_t>(e.size()) - 1, inclusive};
    find<T, T><<<1, 256, 40000>>>(
        rule, 40000, rule.edges, static_cast<unsigned>(e.size()),
        thrust::raw_pointer_cast(which.data()), thrust::raw_pointer_cast(differ.data()));
    BOOST_TEST((cudaDeviceSynchronize() == cudaSuccess));
    BOOST_TEST(which[0] >= 0);  // the kernel came to its end
  };
  for (bool inclusive : {false, true}) {
    check(0.f, inclusive);
    check(0., inclusive);
    check(0, inclusive);
    check(std::uint64_t{0}, inclusive);
  }
}

BOOST_AUTO_TEST_SUITE_END()
