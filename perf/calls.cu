// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// \file
/// What a call costs, on the host's clock, from the call to the end of cudaStreamSynchronize: our
/// calls without an allocator and with one that caches, CUB's HistogramEven with its
/// scratch given. Input and output on the device, the input wherever the call before left it.
/// Prints one row a case as JSON, figures in microseconds; `calls TYPE...` runs only these types.
///
/// Build: nvcc -std=c++17 -O3 --extended-lambda -arch=native -I. perf/calls.cu

#include "peers.cuh"
#include "report.h"
#include "roof.cuh"
#include <thrust_hist/histogram.h>
#include <thrust_hist/histogram_even.h>

#include <thrust/equal.h>
#include <thrust/execution_policy.h>

#include <algorithm>
#include <initializer_list>

namespace {

constexpr std::uint64_t most_samples = 1 << 22;
constexpr std::uint64_t most_bins = 1 << 20;

struct memory {
  perf::buffer samples{most_samples * 4}, ours{most_bins * 4}, theirs{most_bins * 4};
  perf::scratch temp;
};

template <class T>
void compare(
    perf::report& report, memory const& m, char const* type, std::uint64_t n, std::uint64_t bins) {
  perf::row row;
  row("call", "histogram_even")("type", type)("n", n)("bins", bins);
  if (!report.wants(row)) {
    return;
  }
  auto const* const in = m.samples.as<T>();
  auto* const out = m.ours.as<unsigned>();
  auto* const theirs = m.theirs.as<unsigned>();
  perf::caching_allocator cache;
  int const repeats = n < (1 << 16) ? 1001 : 301;
  auto const [plain, cached] = perf::call_microseconds_in_turn(
      repeats, [&] { thrust_hist::histogram_even(thrust::device, in, in + n, out, bins, 0, bins); },
      [&] {
        thrust_hist::histogram_even(
            thrust::cuda::par_nosync(cache), in, in + n, out, bins, 0, bins);
      });
  row("ours_us", plain)("ours_cached_us", cached);
  if constexpr (std::is_integral_v<T>) {
    row("keys_us",
        perf::call_microseconds(
            [&] { thrust_hist::histogram(thrust::device, in, in + n, out, bins); }, repeats));
  }
  if (perf::cub_takes(m.temp, in, n, theirs, bins)) {
    row("cub_even_us",
        perf::call_microseconds([&] { perf::cub_even(m.temp, in, n, theirs, bins); }, repeats));
    row("equal", thrust::equal(thrust::device, out, out + bins, theirs));
  }
}

template <class T>
void compare_all(
    perf::arguments const& a, perf::report& report, memory const& m, char const* type,
    std::initializer_list<std::uint64_t> bin_counts) {
  if (!a.chosen(type)) {
    return;
  }
  for (std::uint64_t const bins : bin_counts) {
    perf::fill<<<2048, 256>>>(m.samples.as<T>(), most_samples, bins, perf::distribution::uniform);
    for (std::uint64_t n = 1; n <= most_samples; n *= 4) {
      compare<T>(report, m, type, n, bins);
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  perf::arguments const a(argc, argv, "calls [u8] [u32] [f32]", {}, {});
  perf::report report(a);
  perf::print_origin("calls");
  memory const m;
  compare_all<std::uint8_t>(a, report, m, "u8", {16, 256});
  compare_all<std::uint32_t>(a, report, m, "u32", {16, 256, 2048, 16384, 65536, most_bins});
  compare_all<float>(a, report, m, "f32", {16, 256, 2048, 16384, 65536, most_bins});
}
