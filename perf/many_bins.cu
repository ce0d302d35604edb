// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// \file
/// Counting u32 keys (histogram) or f32 samples (histogram_even) into many bins, for every
/// distribution, with scratch memory from a caching allocator and without one, beside CUB's
/// HistogramEven (up to 2^20 bins), a radix sort of the bits in use with a run-length encoding
/// (u32), and a simple kernel of atomics in global memory. Peers get their scratch before the clock
/// starts. Route global, by force, tells where the plan could have chosen better. Prints one row a
/// case as JSON, figures in Gkeys/s.
///   --log2 K      2^K samples (28)
///   --type T      u32 or f32
///   --cap BYTES   options{}.max_temporary_bytes for ours
///   --ours        without peers: ours alone, also by force
///   --sweep       uniform samples, numbers of bins that show cliffs, peers at a dozen of them
///
/// Build: nvcc -std=c++17 -O3 --extended-lambda -arch=native -I. perf/many_bins.cu

#include "baselines.cuh"
#include "peers.cuh"
#include "report.h"
#include "roof.cuh"
#include <thrust_hist/histogram.h>
#include <thrust_hist/histogram_even.h>

#include <thrust/equal.h>
#include <thrust/execution_policy.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

namespace {

using thrust_hist::options;
using thrust_hist::route;

struct settings {
  std::uint64_t n;
  std::uint64_t cap;  ///< 0: none
  bool peers, sweep;
};

constexpr std::uint64_t most_bins = std::uint64_t{1} << 28;
/// CUB takes no more, or needs more scratch memory than it gets here.
constexpr std::uint64_t most_cub_bins = std::uint64_t{1} << 20;

/// Room for everything that is compared.
struct memory {
  explicit memory(settings const& s) : samples(s.n * 4) {
    if (s.peers) {
      sort = std::make_unique<perf::sort_and_encode>(s.n);
      temp = std::make_unique<perf::scratch>();
    }
  }
  perf::buffer samples, ours{most_bins * 4}, theirs{most_bins * 4};
  std::unique_ptr<perf::sort_and_encode> sort;
  std::unique_ptr<perf::scratch> temp;
};

/// Our call: integers are keys, numbers lie in bins of width 1.
template <class T, class Policy>
void count(
    Policy const& policy, T const* in, std::uint64_t n, unsigned* out, std::uint64_t bins,
    options const& o = {}) {
  if constexpr (std::is_integral_v<T>) {
    thrust_hist::histogram(policy, in, in + n, out, bins, o);
  } else {
    thrust_hist::histogram_even(policy, in, in + n, out, bins, 0, bins, o);
  }
}

template <class T>
void compare(
    perf::report& report, settings const& s, memory const& m, std::uint64_t bins,
    perf::distribution d, bool peers) {
  perf::row row;
  if (s.cap > 0) {
    row("cap", s.cap);
  }
  row("type", std::is_integral_v<T> ? "u32" : "f32")("n", s.n)("bins", bins)(
      "distribution", perf::name_of(d));
  if (!report.wants(row)) {
    return;
  }
  auto const* const in = m.samples.as<T>();
  auto* const out = m.ours.as<unsigned>();
  auto* const theirs = m.theirs.as<unsigned>();
  perf::fill<<<2048, 256>>>(m.samples.as<T>(), s.n, bins, d);
  perf::caching_allocator cache;
  auto const nosync = thrust::cuda::par_nosync;
  auto const o = s.cap > 0 ? options{}.max_temporary_bytes(s.cap) : options{};
  thrust_hist::plan plan;
  count(thrust::device, in, s.n, out, bins, options{o}.explain(&plan));
  auto const rate = [&](double ms) { return static_cast<double>(s.n) / ms * 1e-6; };

  row("route", to_string(plan.taken))("scratch_bytes", plan.scratch_bytes);
  auto const cached = thrust::cuda::par_nosync(cache);
  row("ours", rate(perf::milliseconds([&] { count(cached, in, s.n, out, bins, o); })));
  row("ours_with_cuda_malloc",
      rate(perf::milliseconds([&] { count(thrust::device, in, s.n, out, bins, o); })));
  auto const atomics = options{}.force(route::global);
  row("by_global",
      rate(perf::milliseconds([&] { count(nosync, in, s.n, theirs, bins, atomics); }, 1)));
  bool equal = thrust::equal(thrust::device, out, out + bins, theirs);
  if (peers) {
    auto const simple = [&] {
      perf::textbook::count(perf::textbook::way::global, in, s.n, theirs, bins);
    };
    row("simple_global", rate(perf::milliseconds(simple, 1)));
    equal = thrust::equal(thrust::device, out, out + bins, theirs) && equal;
  }
  if (peers && bins <= most_cub_bins && perf::cub_takes(*m.temp, in, s.n, theirs, bins)) {
    row("cub_even",
        rate(perf::milliseconds([&] { perf::cub_even(*m.temp, in, s.n, theirs, bins); }, 3)));
  }
  if constexpr (std::is_integral_v<T>) {
    if (peers) {
      row("sort_and_encode",
          rate(perf::milliseconds([&] { (*m.sort)(*m.temp, in, s.n, bins); }, 3)));
      m.sort->write_counts(theirs, bins);
      equal = thrust::equal(thrust::device, out, out + bins, theirs) && equal;
    }
  }
  row("equal", equal);
}

/// Numbers of bins that show cliffs: powers of two and their neighbours, and others between.
std::vector<std::uint64_t> bins_of_a_sweep() {
  std::vector<std::uint64_t> bins = {1, std::uint64_t{1} << 26};
  for (int log2 = 1; log2 <= 25; ++log2) {
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

/// 2^2, 2^4, ..., 2^24.
bool has_peers_in_a_sweep(std::uint64_t bins) {
  bool found = false;
  for (int log2 = 2; log2 <= 24; log2 += 2) {
    found = found || bins == std::uint64_t{1} << log2;
  }
  return found;
}

std::vector<std::uint64_t> bins_of_a_table() {
  return {2048,    16384,   65536,   112001,        200000,  1 << 18,  1 << 20,
          1 << 22, 1 << 24, 1 << 25, (1 << 25) + 1, 1 << 26, most_bins};
}

template <class T>
void compare_all(perf::report& report, settings const& s) {
  memory const m(s);
  perf::settle(m.samples.as<T>(), s.n);
  for (std::uint64_t const bins : s.sweep ? bins_of_a_sweep() : bins_of_a_table()) {
    if (!std::is_integral_v<T> && bins > std::uint64_t{1} << 24) {
      continue;  // a float tells no more bins of width 1 apart
    }
    bool const peers = s.peers && (!s.sweep || has_peers_in_a_sweep(bins));
    for (auto const d : perf::all_distributions) {
      if (!s.sweep || d == perf::distribution::uniform) {
        compare<T>(report, s, m, bins, d, peers);
      }
    }
    if (!std::is_integral_v<T> && !s.sweep) {
      compare<T>(report, s, m, bins, perf::distribution::on_edges, peers);
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  perf::arguments const a(
      argc, argv, "many_bins [--log2 K] [--type u32|f32] [--cap BYTES] [--ours] [--sweep]",
      {"--ours", "--sweep"}, {"--log2", "--type", "--cap"});
  perf::report report(a);
  settings const s = {
      std::uint64_t{1} << a.number("--log2", 28), a.number("--cap", 0), !a.has("--ours"),
      a.has("--sweep")};
  perf::print_origin("many_bins");
  if (a.text("--type", "u32") == "f32") {
    compare_all<float>(report, s);
  } else {
    compare_all<std::uint32_t>(report, s);
  }
}
