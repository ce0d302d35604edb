// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// \file
/// Joint histograms: two coordinates in an array each, zipped, and a grid of even bins; counts, and
/// sums of weights by histogram_by_key. Beside it kernels of one's own, which find the bin by
/// arithmetic and add to it in global memory; and such a kernel that writes bins, with CUB's
/// HistogramEven of these (counts), or its radix sort of the bits in use + ReduceByKey (sums).
/// Counts are judged by a count in global memory among all edges, sums as in folds.cu. Prints one
/// row a case as JSON, figures in G samples/s; `joint f32 f64` run a part.
///   --log2 K   2^K samples of float, half as many of double (27)
///   --ours     without peers
///   --quick    about a tenth of the cases
///
/// Build: nvcc -std=c++17 -O3 --extended-lambda -arch=native -I. perf/joint.cu

#include "fold_cases.cuh"
#include "peers.cuh"
#include "roof.cuh"
#include <thrust_hist/bins.h>
#include <thrust_hist/histogram.h>

#include <thrust/equal.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/tuple.h>

#include <cmath>

namespace {

/// Where points of the unit square lie.
enum class cloud { uniform, normal, constant };

char const* name_of(cloud c) {
  constexpr char const* names[] = {"uniform", "normal", "constant"};
  return names[static_cast<int>(c)];
}

template <class T>
__global__ void fill_cloud(T* out, std::uint64_t n, std::uint64_t salt, cloud c) {
  std::uint64_t const stride = std::uint64_t{gridDim.x} * blockDim.x;
  for (std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n; i += stride) {
    std::uint64_t const random = perf::mix(2 * i + salt);
    double const unit = static_cast<double>(random >> 11) * 0x1p-53;
    double const bell = 0.5 + 0.08 * perf::real_value<double>(random, perf::value_kind::normal);
    out[i] = static_cast<T>(c == cloud::uniform ? unit : c == cloud::normal ? bell : 0.37);
  }
}

/// The bin of a point in a square of side * side bins, `side * side` if there is none.
template <class T>
struct cell_of {
  T scale;
  std::uint32_t side;

  __device__ std::uint32_t operator()(T y, T x) const {
    T const row = y * scale, column = x * scale;
    T const end = static_cast<T>(side);
    return row >= 0 && row < end && column >= 0 && column < end
               ? static_cast<std::uint32_t>(row) * side + static_cast<std::uint32_t>(column)
               : side * side;
  }
};

/// The same by the edges of thrust_hist::even_bins.
template <class T, class Rule>
struct cell_by_rule {
  Rule rule;
  std::uint32_t side;

  __device__ std::uint32_t operator()(T y, T x) const {
    auto const row = rule.search(y), column = rule.search(x);
    return row >= 0 && row < side && column >= 0 && column < side
               ? static_cast<std::uint32_t>(row * side + column)
               : side * side;
  }
};

template <class T, class Place>
__global__ void find_cells(
    T const* y, T const* x, std::uint64_t n, std::uint32_t* cells, Place place) {
  std::uint64_t const stride = std::uint64_t{gridDim.x} * blockDim.x;
  for (std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n; i += stride) {
    cells[i] = place(y[i], x[i]);
  }
}

/// Adds 1, or a weight.
template <class T, class Out, class... Weight>
__global__ void add_points(
    T const* y, T const* x, std::uint64_t n, Out* bins, cell_of<T> place, Weight const*... weight) {
  std::uint64_t const stride = std::uint64_t{gridDim.x} * blockDim.x;
  for (std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n; i += stride) {
    std::uint32_t const bin = place(y[i], x[i]);
    if (bin < place.side * place.side) {
      if constexpr (sizeof...(Weight) == 0) {
        atomicAdd(bins + bin, Out{1});
      } else {
        (atomicAdd(bins + bin, weight[i]), ...);
      }
    }
  }
}

__global__ void count_cells(std::uint32_t const* cells, std::uint64_t n, unsigned* bins) {
  std::uint64_t const stride = std::uint64_t{gridDim.x} * blockDim.x;
  for (std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n; i += stride) {
    atomicAdd(bins + cells[i], 1u);
  }
}

constexpr std::uint64_t most_side = 1000, most_bins = most_side * most_side;

template <class T>
struct memory : perf::pairs_memory<T> {
  explicit memory(std::uint64_t n)
      : perf::pairs_memory<T>(n, most_bins + 1), x(n * sizeof(T)), y(n * sizeof(T)) {}
  perf::buffer x, y;
};

template <class T, class Grid>
bool compare_counts(
    perf::row& r, memory<T> const& m, Grid const& rule, cell_of<T> place, bool peers) {
  auto const *const x = m.x.template as<T>(), *const y = m.y.template as<T>();
  auto* const cells = m.keys.template as<std::uint32_t>();
  auto* const ours = m.ours.template as<unsigned>();
  auto* const theirs = m.theirs.template as<unsigned>();
  auto const bins = static_cast<std::uint64_t>(rule.size());
  auto const first = thrust::make_zip_iterator(thrust::make_tuple(y, x));
  perf::caching_allocator cache;
  auto const policy = thrust::cuda::par_nosync(cache);
  auto const run = [&](thrust_hist::options const& o) {
    thrust_hist::histogram(policy, first, first + static_cast<std::ptrdiff_t>(m.n), ours, rule, o);
  };
  thrust_hist::plan plan;
  run(thrust_hist::options{}.explain(&plan));
  r("bytes", 2 * sizeof(T))("route", to_string(plan.taken))("scratch_bytes", plan.scratch_bytes)(
      "ours", perf::rate(m.n, perf::milliseconds([&] { run({}); }, 11)));
  thrust::fill(thrust::device, theirs, theirs + bins + 1, 0u);
  count_cells<<<2048, 256>>>(cells, m.n, theirs);
  bool const equal = thrust::equal(thrust::device, ours, ours + bins, theirs);
  if (peers) {
    unsigned const blocks = perf::multiprocessors() * 8;
    r("global_atomics", perf::rate(m.n, perf::slow_milliseconds([&] {
                                     thrust::fill(policy, theirs, theirs + bins, 0u);
                                     add_points<<<blocks, 256>>>(y, x, m.n, theirs, place);
                                   })));
    r("places_and_even", perf::rate(
                             m.n, perf::milliseconds(
                                      [&] {
                                        find_cells<<<blocks, 256>>>(y, x, m.n, cells, place);
                                        perf::require(
                                            perf::cub_even(m.temp, cells, m.n, theirs, bins),
                                            "HistogramEven");
                                      },
                                      3)));
  }
  return equal;
}

template <class T, class Grid>
bool compare_sums(
    perf::row& r, memory<T> const& m, Grid const& rule, cell_of<T> place, bool peers) {
  auto const *const x = m.x.template as<T>(), *const y = m.y.template as<T>();
  auto const* const weights = m.values.template as<T>();
  auto* const cells = m.keys.template as<std::uint32_t>();
  auto const bins = static_cast<std::uint64_t>(rule.size());
  auto const first = thrust::make_zip_iterator(thrust::make_tuple(y, x));
  perf::caching_allocator cache;
  auto const policy = thrust::cuda::par_nosync(cache);
  auto const run = [&](thrust_hist::options const& o) {
    thrust_hist::histogram_by_key(
        policy, first, first + static_cast<std::ptrdiff_t>(m.n), weights, m.ours.template as<T>(),
        rule, o);
  };
  m.reference.make(cells, weights, m.n, bins + 1);
  bool const equal = perf::measure_sums_by_rule(r, m, bins, 3 * sizeof(T), run);
  if (peers) {
    unsigned const blocks = perf::multiprocessors() * 8;
    auto* const theirs = m.theirs.template as<T>();
    r("global_atomics", perf::rate(m.n, perf::slow_milliseconds([&] {
                                     thrust::fill(policy, theirs, theirs + bins, T{0});
                                     add_points<<<blocks, 256>>>(y, x, m.n, theirs, place, weights);
                                   })));
    r("sort_and_reduce",
      perf::rate(
          m.n, perf::milliseconds(
                   [&] {
                     find_cells<<<blocks, 256>>>(y, x, m.n, cells, place);
                     m.sort.by_radix(m.temp, cells, weights, bins + 1, thrust::plus<T>{});
                   },
                   3)));
  }
  return equal;
}

template <class T>
void compare_all(perf::report& rows, perf::fold_settings const& s) {
  memory<T> const m(sizeof(T) == 4 ? s.n : s.n / 2);
  perf::fill_values<<<2048, 256>>>(m.values.template as<T>(), m.n, perf::value_kind::unit);
  perf::settle(m.x.template as<T>(), m.n);
  for (std::uint32_t const side : {16, 64, 100, 256, 512, 1000}) {
    thrust_hist::even_bins const axis(side, T{0}, T{1});
    auto const rule = thrust_hist::grid(axis, axis);
    auto const bound = axis.template for_samples<T, std::int32_t>();
    for (cloud const c : {cloud::uniform, cloud::normal, cloud::constant}) {
      for (bool const sums : {false, true}) {
        perf::row r;
        r("fold", sums ? "sum" : "count")("type", sizeof(T) == 4 ? "f32" : "f64")("n", m.n)(
            "bins", std::uint64_t{side} * side)("distribution", name_of(c));
        if ((s.quick && (side != 100 || c == cloud::normal)) || !rows.wants(r)) {
          r.drop();
          continue;
        }
        auto *const x = m.x.template as<T>(), *const y = m.y.template as<T>();
        fill_cloud<<<2048, 256>>>(x, m.n, 0, c);
        fill_cloud<<<2048, 256>>>(y, m.n, 1, c);
        find_cells<<<2048, 256>>>(
            y, x, m.n, m.keys.template as<std::uint32_t>(),
            cell_by_rule<T, std::decay_t<decltype(bound)>>{bound, side});
        cell_of<T> const place = {static_cast<T>(side), side};
        if (sums) {
          rows.judge(r, compare_sums(r, m, rule, place, s.peers));
        } else {
          rows.judge(r, compare_counts(r, m, rule, place, s.peers));
        }
      }
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  perf::arguments const a(
      argc, argv, "joint [f32] [f64] [--log2 K] [--ours] [--quick]", {"--ours", "--quick"},
      {"--log2"});
  perf::report rows(a);
  perf::fold_settings const s = perf::settings_of(a);
  perf::print_origin("joint");
  if (a.chosen("f32")) {
    compare_all<float>(rows, s);
  }
  if (a.chosen("f64")) {
    compare_all<double>(rows, s);
  }
  return rows.status();
}
