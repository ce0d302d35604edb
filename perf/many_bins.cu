// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// \file
/// Counting u32 keys into many bins, for every distribution: histogram with scratch memory from a caching
/// allocator and from cudaMalloc, beside CUB's HistogramEven (up to 2^20 bins), a radix sort of the bits
/// in use with a run-length encoding, and atomics in global memory. Peers get their scratch before the
/// clock starts. Prints one row a case as JSON, figures in Gkeys/s. `--log2 K`: 2^K keys (28); `--ours`:
/// without peers; `--sweep`: uniform keys and numbers of bins from 1 to 2^24 that show cliffs.
///
/// Build: nvcc -std=c++17 -O3 --extended-lambda -arch=native -I.. many_bins.cu

#include "measure.cuh"
#include <thrust_hist/histogram.h>

#include <cub/device/device_histogram.cuh>
#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_run_length_encode.cuh>
#include <thrust/equal.h>
#include <thrust/execution_policy.h>

#include <cstring>

namespace {

using thrust_hist::options;
using thrust_hist::route;

struct problem {
  std::uint64_t n;
  std::uint64_t bins;
  std::uint32_t const* keys;
};

/// Room for everything that is compared.
struct memory {
  explicit memory(std::uint64_t n)
      : keys(n * 4), sorted(n * 4), unique(n * 4), runs(n * 4), temp(std::size_t{6} << 30),
        ours((std::size_t{1} << 26) + 64), theirs((std::size_t{1} << 26) + 64), number(8) {}
  static constexpr std::size_t temp_bytes = std::size_t{6} << 30;
  perf::buffer keys, sorted, unique, runs, temp, ours, theirs, number;
};

double cub_even(problem const& p, memory const& m) {
  return perf::milliseconds(
      [&] {
        std::size_t bytes = memory::temp_bytes;
        perf::require(
            cub::DeviceHistogram::HistogramEven(
                m.temp.as<void>(), bytes, p.keys, m.theirs.as<int>(), static_cast<int>(p.bins) + 1,
                std::uint32_t{0}, static_cast<std::uint32_t>(p.bins),
                static_cast<std::int64_t>(p.n)),
            "HistogramEven");
      },
      3);
}

double sort_and_encode(problem const& p, memory const& m) {
  int bits = 1;
  while (p.bins > std::uint64_t{1} << bits) {
    ++bits;
  }
  return perf::milliseconds(
      [&] {
        std::size_t bytes = memory::temp_bytes;
        perf::require(
            cub::DeviceRadixSort::SortKeys(
                m.temp.as<void>(), bytes, p.keys, m.sorted.as<std::uint32_t>(),
                static_cast<std::int64_t>(p.n), 0, bits),
            "SortKeys");
        bytes = memory::temp_bytes;
        perf::require(
            cub::DeviceRunLengthEncode::Encode(
                m.temp.as<void>(), bytes, m.sorted.as<std::uint32_t>(),
                m.unique.as<std::uint32_t>(), m.runs.as<int>(), m.number.as<int>(),
                static_cast<int>(p.n)),
            "Encode");
      },
      3);
}

void compare(problem const& p, memory const& m, perf::distribution d, bool peers) {
  perf::fill<<<2048, 256>>>(m.keys.as<std::uint32_t>(), p.n, p.bins, d);
  perf::caching_allocator cache;
  auto* const out = m.ours.as<unsigned>();
  auto const nosync = thrust::cuda::par_nosync;
  thrust_hist::plan plan;
  thrust_hist::histogram(nosync, p.keys, p.keys + p.n, out, p.bins, options{}.explain(&plan));
  double const ours = perf::milliseconds([&] {
    thrust_hist::histogram(thrust::cuda::par_nosync(cache), p.keys, p.keys + p.n, out, p.bins);
  });
  double const fresh = perf::milliseconds(
      [&] { thrust_hist::histogram(nosync, p.keys, p.keys + p.n, out, p.bins); });
  auto const atomics = [&] {
    thrust_hist::histogram(
        nosync, p.keys, p.keys + p.n, m.theirs.as<unsigned>(), p.bins,
        options{}.force(route::global));
  };
  double const global = perf::milliseconds(atomics, 1);
  bool const equal = thrust::equal(thrust::device, out, out + p.bins, m.theirs.as<unsigned>());
  double const even = peers && p.bins <= 1 << 20 ? cub_even(p, m) : 0;
  double const sort = peers ? sort_and_encode(p, m) : 0;
  auto const rate = [&](double ms) { return ms > 0 ? static_cast<double>(p.n) / ms * 1e-6 : 0.; };
  perf::row()("type", "u32")("n", p.n)("bins", p.bins)("distribution", perf::name_of(d))(
      "route", to_string(plan.taken))("ours", rate(ours))("ours_with_cuda_malloc", rate(fresh))(
      "cub_even", rate(even))("sort_and_encode", rate(sort))("atomics", rate(global))(
      "scratch_bytes", plan.scratch_bytes)("equal", equal);
}

/// Numbers of bins that show cliffs: powers of two and their neighbours, and others between.
std::vector<std::uint64_t> bins_of_a_sweep() {
  std::vector<std::uint64_t> bins = {1};
  for (int log2 = 1; log2 <= 24; ++log2) {
    std::uint64_t const power = std::uint64_t{1} << log2;
    bins.insert(bins.end(), {power - 1, power, power + 1});
  }
  for (std::uint64_t i = 0; i < 40; ++i) {  // evenly on a logarithmic scale, odd
    bins.push_back(
        static_cast<std::uint64_t>(std::exp2(24. * (static_cast<double>(i) + 0.5) / 40)) | 1);
  }
  std::sort(bins.begin(), bins.end());
  bins.erase(std::unique(bins.begin(), bins.end()), bins.end());
  return bins;
}

}  // namespace

int main(int argc, char** argv) {
  int log2 = 28;
  bool peers = true;
  bool sweep = false;
  for (int i = 1; i < argc; ++i) {
    if (std::strcmp(argv[i], "--log2") == 0 && i + 1 < argc) {
      log2 = std::atoi(argv[++i]);
    } else if (std::strcmp(argv[i], "--ours") == 0) {
      peers = false;
    } else if (std::strcmp(argv[i], "--sweep") == 0) {
      sweep = true;
    } else {
      std::fprintf(stderr, "usage: many_bins [--log2 K] [--ours] [--sweep]\n");
      return 2;
    }
  }
  std::uint64_t const n = std::uint64_t{1} << log2;
  memory const m(n);
  perf::warm_up([&] {
    perf::fill<<<2048, 256>>>(m.keys.as<std::uint32_t>(), n, 256, perf::distribution::uniform);
  });
  perf::print_origin("many_bins", perf::read_roof(m.keys.as<void>(), n * 4));
  std::vector<std::uint64_t> const bin_counts =
      sweep ? bins_of_a_sweep()
            : std::vector<std::uint64_t>{2048,    16384,   65536,   112001, 200000,
                                         1 << 18, 1 << 20, 1 << 22, 1 << 24};
  for (std::uint64_t const bins : bin_counts) {
    for (auto const d : perf::all_distributions) {
      if (!sweep || d == perf::distribution::uniform) {
        compare({n, bins, m.keys.as<std::uint32_t>()}, m, d, peers);
      }
    }
  }
}
