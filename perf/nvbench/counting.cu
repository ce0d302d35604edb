// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// \file
/// A check of our clock by another: some cases of counting.cu and many_bins.cu under NVBench, which
/// repeats until the noise is low, from flushed caches. docs/decisions/0016 says why the other
/// benchmarks do without. Built by run.sh beside this file.

#include "../peers.cuh"
#include <thrust_hist/histogram.h>

#include <thrust/execution_policy.h>

#include <nvbench/nvbench.cuh>

namespace {

constexpr std::uint64_t n = std::uint64_t{1} << 28;

void u32_keys(nvbench::state& state) {
  auto const bins = static_cast<std::uint64_t>(state.get_int64("bins"));
  bool const ours = state.get_string("who") == "thrust_hist";
  perf::buffer const keys(n * 4), out(bins * 4);
  perf::scratch const temp;
  perf::caching_allocator cache;
  auto const* const in = keys.as<std::uint32_t>();
  perf::fill<<<2048, 256>>>(keys.as<std::uint32_t>(), n, bins, perf::distribution::uniform);
  auto const count = [&](cudaStream_t stream) {
    if (ours) {
      thrust_hist::histogram(
          thrust::cuda::par_nosync(cache).on(stream), in, in + n, out.as<unsigned>(), bins);
    } else {
      perf::require(perf::cub_even(temp, in, n, out.as<unsigned>(), bins, stream), "HistogramEven");
    }
  };
  // Scratch memory is taken now: NVBench holds the stream back while a call is made, and cudaMalloc
  // would wait for it.
  count(nullptr);
  perf::require(cudaDeviceSynchronize(), "a first call");
  state.add_element_count(n);
  state.add_global_memory_reads<std::uint32_t>(n);
  state.exec([&](nvbench::launch& launch) { count(launch.get_stream()); });
}

NVBENCH_BENCH(u32_keys)
    .add_int64_axis("bins", {256, 2048, 16384, 65536, 1 << 20})
    .add_string_axis("who", {"thrust_hist", "CUB HistogramEven"});

}  // namespace
