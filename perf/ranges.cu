// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// \file
/// Counting between uneven edges: histogram_range beside CUB's HistogramRange, thrust::upper_bound
/// of all samples with HistogramEven of the places found, and a radix sort with a search of the
/// edges in it. Peers get their scratch before the clock starts. Prints one row a case as JSON,
/// figures in G samples per second; `ranges TYPE...` runs only these types, `--log2 K` sets the
/// bytes of an input to 2^K (30).
///
/// Build: nvcc -std=c++17 -O3 --extended-lambda -arch=native -I. perf/ranges.cu

#include "edges.cuh"
#include "peers.cuh"
#include "report.h"
#include "roof.cuh"
#include <thrust_hist/histogram_range.h>

#include <cub/device/device_radix_sort.cuh>
#include <thrust/binary_search.h>
#include <thrust/equal.h>
#include <thrust/execution_policy.h>

#include <vector>

namespace {

constexpr std::uint64_t most_bins = 1 << 20;

template <class T>
struct problem {
  std::uint64_t n, bins;
  T const* samples;
  T const* edges;
};

/// Room for what is compared; `places` is where each sample was found, or the samples sorted.
struct memory {
  explicit memory(std::size_t bytes) : samples(bytes), places(bytes), edges((most_bins + 1) * 8) {}
  perf::buffer samples, places, edges, ours{most_bins * 4}, theirs{(most_bins + 2) * 4};
  perf::scratch temp;
};

template <class T>
void cub_range(problem<T> const& p, memory const& m) {
  std::size_t bytes = m.temp.bytes;
  perf::require(
      cub::DeviceHistogram::HistogramRange(
          m.temp.memory.as<void>(), bytes, p.samples, m.theirs.as<int>(),
          static_cast<int>(p.bins) + 1, p.edges, static_cast<std::int64_t>(p.n)),
      "HistogramRange");
}

/// The place of each sample among the edges; place 0 and the last are outside.
template <class T>
void search_and_count(problem<T> const& p, memory const& m) {
  auto* const places = m.places.as<unsigned>();
  thrust::upper_bound(
      thrust::cuda::par_nosync, p.edges, p.edges + p.bins + 1, p.samples, p.samples + p.n, places);
  perf::require(
      perf::cub_even(m.temp, places, p.n, m.theirs.as<unsigned>(), p.bins + 2), "HistogramEven");
}

/// The samples in order, and the place of each edge among them: counts are differences of places.
template <class T>
void sort_and_search(problem<T> const& p, memory const& m) {
  auto* const sorted = m.places.as<T>();
  std::size_t bytes = m.temp.bytes;
  perf::require(
      cub::DeviceRadixSort::SortKeys(
          m.temp.memory.as<void>(), bytes, p.samples, sorted, static_cast<std::int64_t>(p.n)),
      "SortKeys");
  thrust::lower_bound(
      thrust::cuda::par_nosync, sorted, sorted + p.n, p.edges, p.edges + p.bins + 1,
      m.theirs.as<unsigned>());
}

template <class T>
void compare(
    perf::report& report, memory const& m, char const* type, std::uint64_t n, std::uint64_t bins,
    perf::edge_kind kind, perf::samples_between where) {
  perf::row row;
  row("type", type)("n", n)("bins", bins)("edges", name_of(kind))("distribution", name_of(where));
  if (!report.wants(row)) {
    return;
  }
  auto const edges = perf::make_edges<T>(bins, kind);
  auto* const on_device = m.edges.as<T>();
  perf::require(
      cudaMemcpy(on_device, edges.data(), edges.size() * sizeof(T), cudaMemcpyHostToDevice),
      "cudaMemcpy");
  perf::fill_between<<<2048, 256>>>(m.samples.as<T>(), n, on_device, bins, where);
  problem<T> const p = {n, bins, m.samples.as<T>(), on_device};
  auto* const out = m.ours.as<unsigned>();
  auto const ours = [&] {
    thrust_hist::histogram_range(
        thrust::cuda::par_nosync, p.samples, p.samples + n, out, on_device, on_device + bins + 1);
  };
  auto const [ours_ms, cub_ms] = perf::milliseconds_in_turn(
      11, [] {}, ours, [&] { cub_range(p, m); });
  bool const equal = thrust::equal(thrust::device, out, out + bins, m.theirs.as<unsigned>());
  double const search_ms = perf::milliseconds([&] { search_and_count(p, m); }, 5);
  double const sort_ms = perf::milliseconds([&] { sort_and_search(p, m); }, 5);
  auto const rate = [&](double ms) { return static_cast<double>(n) / ms * 1e-6; };
  row("ours", rate(ours_ms))("cub_range", rate(cub_ms))("search_and_even", rate(search_ms))(
      "sort_and_search", rate(sort_ms))("bytes", sizeof(T))("equal", equal);
}

template <class T>
void compare_all(
    perf::arguments const& a, perf::report& report, memory const& m, char const* type,
    std::uint64_t n) {
  for (std::uint64_t const bins :
       {std::uint64_t{16}, std::uint64_t{256}, std::uint64_t{4096}, std::uint64_t{65536},
        most_bins}) {
    for (auto const kind : {perf::edge_kind::squares, perf::edge_kind::logarithmic}) {
      for (auto const where : perf::all_samples_between) {
        if (a.chosen(type)) {
          compare<T>(report, m, type, n, bins, kind, where);
        }
      }
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  perf::arguments const a(argc, argv, "ranges [f32] [f64] [u32] [--log2 K]", {}, {"--log2"});
  perf::report report(a);
  perf::print_origin("ranges");
  std::uint64_t const bytes = std::uint64_t{1} << a.number("--log2", 30);
  memory const m(bytes);
  perf::settle(m.samples.as<float>(), bytes / 4);
  compare_all<float>(a, report, m, "f32", bytes / 4);
  compare_all<double>(a, report, m, "f64", bytes / 8);
  compare_all<std::uint32_t>(a, report, m, "u32", bytes / 4);
}
