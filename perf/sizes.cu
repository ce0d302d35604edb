// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// \file
/// Speed over the number of keys: histogram of uniform u32 keys, with scratch memory from a caching
/// allocator and without one (thrust::device, which waits), beside CUB's HistogramEven with its
/// scratch given. The second-level cache is flushed before each repeat, so that small inputs come
/// from memory, too. Prints one row a case as JSON, times on the GPU in microseconds (of call times
/// on the host: calls.cu).
///
/// Build: nvcc -std=c++17 -O3 --extended-lambda -arch=native -I. perf/sizes.cu

#include "peers.cuh"
#include "report.h"
#include "roof.cuh"
#include <thrust_hist/histogram.h>

#include <thrust/equal.h>
#include <thrust/execution_policy.h>

namespace {

constexpr std::uint64_t most_keys = std::uint64_t{1} << 28;
constexpr std::uint64_t most_bins = std::uint64_t{1} << 20;

struct memory {
  perf::buffer keys{most_keys * 4}, ours{most_bins * 4}, theirs{most_bins * 4};
  perf::scratch temp;
  perf::cache_flush flush;
};

void compare(perf::report& report, memory const& m, std::uint64_t n, std::uint64_t bins) {
  perf::row row;
  row("type", "u32")("n", n)("bins", bins)("distribution", "uniform");
  if (!report.wants(row)) {
    return;
  }
  auto const* const in = m.keys.as<std::uint32_t>();
  auto* const out = m.ours.as<unsigned>();
  auto* const theirs = m.theirs.as<unsigned>();
  perf::fill<<<2048, 256>>>(m.keys.as<std::uint32_t>(), n, bins, perf::distribution::uniform);
  perf::caching_allocator cache;
  auto const cached = thrust::cuda::par_nosync(cache);
  auto const ours = [&](auto const& policy) {
    return [&] { thrust_hist::histogram(policy, in, in + n, out, bins); };
  };
  auto const ms = perf::milliseconds_in_turn(
      n < (1 << 24) ? 51 : 11, [&] { m.flush(); }, ours(cached), ours(thrust::device),
      [&] { perf::require(perf::cub_even(m.temp, in, n, theirs, bins), "HistogramEven"); });
  row("ours_us", ms[0] * 1e3)("ours_with_cuda_malloc_us", ms[1] * 1e3)("cub_even_us", ms[2] * 1e3)(
      "bytes", 4)("equal", thrust::equal(thrust::device, out, out + bins, theirs));
}

}  // namespace

int main(int argc, char** argv) {
  perf::arguments const a(argc, argv, "sizes", {}, {});
  perf::report report(a);
  perf::print_origin("sizes");
  memory const m;
  for (std::uint64_t const bins :
       {std::uint64_t{256}, std::uint64_t{2048}, std::uint64_t{65536}, most_bins}) {
    for (std::uint64_t n = 1 << 10; n <= most_keys; n *= 4) {
      compare(report, m, n, bins);
    }
  }
}
