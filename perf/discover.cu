// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// \file
/// histogram without a number of bins, which has to look for the largest key, beside what a caller
/// of others does: thrust::reduce for the largest key and CUB's HistogramEven with its scratch
/// memory given, or thrust::sort and reduce_by_key of a copy that was made before. Prints one row a
/// case as JSON, times on the host's clock, since all of them wait; `discover TYPE...` runs only
/// these types.
///
/// Build: nvcc -std=c++17 -O3 --extended-lambda -arch=native -I. perf/discover.cu

#include "peers.cuh"
#include "report.h"
#include "roof.cuh"
#include <thrust_hist/histogram.h>

#include <thrust/equal.h>
#include <thrust/execution_policy.h>
#include <thrust/functional.h>
#include <thrust/iterator/constant_iterator.h>
#include <thrust/reduce.h>
#include <thrust/sort.h>

namespace {

constexpr std::uint64_t bytes_of_keys = std::uint64_t{1} << 30;
constexpr std::uint64_t most_bins = 1 << 22;

struct memory {
  perf::buffer keys{bytes_of_keys}, copy{bytes_of_keys}, unique{bytes_of_keys};
  perf::buffer counts{bytes_of_keys * 4}, ours{most_bins * 4}, theirs{most_bins * 4};
  perf::scratch temp;
  perf::caching_allocator allocator;
};

template <class T>
void compare(
    perf::report& report, memory& m, char const* type, std::uint64_t n, std::uint64_t bins,
    perf::distribution d) {
  perf::row row;
  row("call", "histogram")("type", type)("n", n)("bins", bins)("distribution", perf::name_of(d));
  if (!report.wants(row)) {
    return;
  }
  auto* const in = m.keys.as<T>();
  auto* const out = m.ours.as<unsigned>();
  auto* const theirs = m.theirs.as<unsigned>();
  auto* const copy = m.copy.as<T>();
  auto const policy = thrust::cuda::par(m.allocator);
  perf::fill<<<2048, 256>>>(in, n, bins, d);
  T const last = static_cast<T>(bins - 1);
  perf::require(cudaMemcpy(in + n / 3, &last, sizeof(T), cudaMemcpyHostToDevice), "cudaMemcpy");

  auto const ours = [&] { thrust_hist::histogram(policy, in, in + n, out); };
  auto const largest = [&] {
    return thrust::reduce(policy, in, in + n, T{0}, thrust::maximum<T>{});
  };
  auto const known = [&] { thrust_hist::histogram(policy, in, in + n, out, largest() + 1); };
  auto const cub = [&] {
    perf::require(perf::cub_even(m.temp, in, n, theirs, largest() + 1), "HistogramEven");
  };
  int const repeats = n < (1 << 24) ? 101 : 11;
  auto const [known_us, our_us, cub_us] =
      perf::call_microseconds_in_turn(repeats, known, ours, cub);
  bool const equal = thrust::equal(thrust::device, out, out + bins, theirs);
  row("ours_us", our_us)("largest_first_us", known_us)("largest_and_even_us", cub_us);
  auto const copy_keys = [&] {
    cudaMemcpyAsync(copy, in, n * sizeof(T), cudaMemcpyDeviceToDevice);
  };
  if (bins == 256) {
    row("thrust_sort_and_reduce_us", perf::call_microseconds_in_turn_after(copy_keys, 5, [&] {
          thrust::sort(policy, copy, copy + n);
          thrust::reduce_by_key(
              policy, copy, copy + n, thrust::constant_iterator<unsigned>(1), m.unique.as<T>(),
              m.counts.as<unsigned>());
        })[0]);
  }
  row("bytes", sizeof(T))("equal", equal);
}

template <class T>
void compare_all(perf::arguments const& a, perf::report& report, memory& m, char const* type) {
  if (!a.chosen(type) || report.stopped()) {
    return;
  }
  std::uint64_t const most = bytes_of_keys / sizeof(T);
  perf::settle(m.keys.as<T>(), most);
  for (std::uint64_t const bins : {2, 16, 256, 2048, 16384, 58000, 65536, 1 << 20}) {
    if (bins - 1 <= std::numeric_limits<T>::max()) {
      compare<T>(report, m, type, most, bins, perf::distribution::uniform);
    }
  }
  for (auto const d : perf::all_distributions) {
    compare<T>(report, m, type, most, sizeof(T) == 1 ? 256 : 16384, d);
  }
  for (std::uint64_t n = 1 << 10; n < most; n *= 4) {
    for (std::uint64_t const bins : {256, 16384, 58000}) {
      if (bins - 1 <= std::numeric_limits<T>::max()) {
        compare<T>(report, m, type, n, bins, perf::distribution::uniform);
      }
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  perf::arguments const a(argc, argv, "discover [u8|u16|u32|u64]...", {}, {});
  perf::report report(a);
  perf::print_origin("discover");
  memory m;
  compare_all<std::uint8_t>(a, report, m, "u8");
  compare_all<std::uint16_t>(a, report, m, "u16");
  compare_all<std::uint32_t>(a, report, m, "u32");
  compare_all<std::uint64_t>(a, report, m, "u64");
}
