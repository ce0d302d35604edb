// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// \file
/// Counting: histogram_even and histogram beside CUB's HistogramEven and thrust::sort +
/// reduce_by_key, in one run on one GPU. CUB gets its scratch before the clock starts, sorting its
/// copy of the input. Prints one row a case as JSON, figures in Gkeys/s; `counting TYPE...` runs
/// only these types.
///   --log2 K     the bytes of an input are 2^K, of samples of 2 bytes twice as many (30)
///   --no-sort    without the sort
///   --textbook   with the kernels of baselines.cuh
///
/// Build: nvcc -std=c++17 -O3 --extended-lambda -arch=native -I. perf/counting.cu

#include "baselines.cuh"
#include "peers.cuh"
#include "report.h"
#include "roof.cuh"
#include <thrust_hist/histogram.h>
#include <thrust_hist/histogram_even.h>

#include <thrust/equal.h>
#include <thrust/execution_policy.h>
#include <thrust/iterator/constant_iterator.h>
#include <thrust/reduce.h>
#include <thrust/sort.h>

#include <memory>

namespace {

struct settings {
  bool sort, textbook;
  std::uint64_t bytes;
};

constexpr std::uint64_t bin_counts[] = {4, 5, 16, 100, 256, 257, 2048, 6007, 16384, 57345, 65536};

/// Room for sorting a copy of the input.
struct sort_memory {
  sort_memory(std::uint64_t n, std::uint64_t bytes) : copy(bytes), unique(bytes), counts(n * 4) {}
  perf::buffer copy, unique, counts;
};

struct memory {
  memory(std::uint64_t n, std::uint64_t bytes, bool sorts)
      : samples(bytes), sort(sorts ? std::make_unique<sort_memory>(n, bytes) : nullptr) {}
  perf::buffer samples, ours{65536 * 4}, theirs{65536 * 4};
  perf::scratch temp;
  std::unique_ptr<sort_memory> sort;
};

template <class T>
double sort_milliseconds(memory const& m, std::uint64_t n) {
  auto* const copy = m.sort->copy.as<T>();
  return perf::milliseconds(
      [&] {
        thrust::sort(thrust::device, copy, copy + n);
        thrust::reduce_by_key(
            thrust::device, copy, copy + n, thrust::constant_iterator<unsigned>(1),
            m.sort->unique.as<T>(), m.sort->counts.as<unsigned>());
      },
      [&] { cudaMemcpyAsync(copy, m.samples.as<T>(), n * sizeof(T), cudaMemcpyDeviceToDevice); },
      2);
}

template <class T>
void compare(
    perf::report& report, settings const& s, memory const& m, char const* type, std::uint64_t n,
    std::uint64_t bins, perf::distribution d) {
  perf::row row;
  row("type", type)("n", n)("bins", bins)("distribution", perf::name_of(d));
  if (!report.wants(row)) {
    return;
  }
  auto const* const in = m.samples.as<T>();
  auto* const out = m.ours.as<unsigned>();
  auto* const theirs = m.theirs.as<unsigned>();
  auto const policy = thrust::cuda::par_nosync;
  auto const rate = [&](double ms) { return static_cast<double>(n) / ms * 1e-6; };
  perf::fill<<<2048, 256>>>(m.samples.as<T>(), n, bins, d);

  auto const even = [&] { thrust_hist::histogram_even(policy, in, in + n, out, bins, 0, bins); };
  auto const cub = [&] {
    perf::require(perf::cub_even(m.temp, in, n, theirs, bins), "HistogramEven");
  };
  auto const [even_ms, cub_ms] = perf::milliseconds_in_turn(
      11, [] {}, even, cub);
  row("even", rate(even_ms))("cub_even", rate(cub_ms));
  bool equal = thrust::equal(thrust::device, out, out + bins, theirs);
  if constexpr (std::is_integral_v<T>) {
    row("keys", rate(perf::milliseconds(
                    [&] { thrust_hist::histogram(policy, in, in + n, out, bins); }, 11)));
    equal = thrust::equal(thrust::device, out, out + bins, theirs) && equal;
  }
  if (s.sort && (bins == 256 || bins == 16384 || bins == 65536)) {
    row("thrust_sort_and_reduce", rate(sort_milliseconds<T>(m, n)));
  }
  if (s.textbook) {
    equal = perf::textbook::add_columns(row, in, n, theirs, bins, out) && equal;
  }
  row("bytes", sizeof(T))("equal", equal);
}

template <class T>
void compare_all(
    perf::arguments const& a, perf::report& report, settings const& s, char const* type) {
  if (!a.chosen(type) || report.stopped()) {
    return;
  }
  // 2^30 samples of one and two bytes, 2^28 of four, and as many bytes of eight. Of two bytes twice
  // as many bytes: what a call takes whatever its size is 6 % of 2^29 of them in 65 536 bins.
  std::uint64_t const bytes = s.bytes * (sizeof(T) == 2 ? 2 : 1);
  std::uint64_t const n = bytes / sizeof(T);
  memory const m(n, bytes, s.sort);
  perf::settle(m.samples.as<T>(), n);
  std::uint64_t const values = sizeof(T) == 1 ? 256 : 65536;  // of more bins: many_bins.cu
  std::uint64_t const with_all = sizeof(T) <= 2 ? values : 16384;
  for (std::uint64_t const bins : bin_counts) {
    for (auto const d : perf::all_distributions) {
      bool const is_everywhere =
          d == perf::distribution::uniform || (d == perf::distribution::constant && bins <= 16384);
      if (bins <= values && (is_everywhere || bins == with_all)) {
        compare<T>(report, s, m, type, n, bins, d);
      }
    }
    if (std::is_floating_point_v<T>) {
      compare<T>(report, s, m, type, n, bins, perf::distribution::on_edges);
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  perf::arguments const a(
      argc, argv, "counting [u8|u16|u32|u64|f32|f64]... [--log2 K] [--no-sort] [--textbook]",
      {"--no-sort", "--textbook"}, {"--log2"});
  perf::report report(a);
  settings const s = {
      !a.has("--no-sort"), a.has("--textbook"), std::uint64_t{1} << a.number("--log2", 30)};
  perf::print_origin("counting");
  compare_all<std::uint8_t>(a, report, s, "u8");
  compare_all<std::uint16_t>(a, report, s, "u16");
  compare_all<std::uint32_t>(a, report, s, "u32");
  compare_all<std::uint64_t>(a, report, s, "u64");
  compare_all<float>(a, report, s, "f32");
  compare_all<double>(a, report, s, "f64");
}
