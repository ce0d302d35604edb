// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Route partitioned: slice by slice of the bins and batch by batch of the samples, tiles are
/// sorted into buckets and the buckets counted.

#include <thrust_hist/config.h>
#include <thrust_hist/system/cuda/buckets.h>
#include <thrust_hist/system/cuda/counting_job.cuh>
#include <thrust_hist/system/cuda/kernels/byte_counters.cuh>
#include <thrust_hist/system/cuda/kernels/count_buckets.cuh>
#include <thrust_hist/system/cuda/kernels/partition.cuh>
#include <thrust_hist/system/cuda/launch.cuh>

#include <algorithm>
#include <cstdint>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {

/// Counts the buckets of a batch.
inline void count_batch(
    counting_job const& job, bucket_layout const& layout, bucket_memory const& memory,
    byte_counters const& bytes, bool is_first) {
  unsigned const processors = job.plan.blocks;
  if (job.plan.byte_counters > 0) {
    cuda::launch(
        "count_into_bytes", count_into_bytes<global_counters>,
        (std::min)(processors, layout.tables()), job.plan.threads, layout.table_shared_bytes(),
        job.stream, layout, memory, job.out, bytes);
  } else {
    cuda::launch(
        "count_buckets", count_buckets<global_counters>, processors, job.plan.threads,
        layout.table_shared_bytes(), job.stream, layout, memory, job.out, job.zeroed && is_first);
  }
}

/// Adds the samples in the bins of a slice to the counters of the job.
template <class Samples, class Rule>
void count_slice(
    counting_job const& job, Samples const& samples, Rule const& bound,
    bucket_layout const& layout) {
  bucket_memory memory(layout, job.scratch);
  memory.found = job.found;
  bool const has_bytes = job.plan.byte_counters > 0;
  byte_counters bytes = {};
  if (has_bytes) {
    bytes.words = memory.end(layout);
    bytes.touched = bytes.words + bytes_of_bins(job.plan.buckets) / sizeof *bytes.words;
    require(
        cudaMemsetAsync(bytes.words, 0, job.plan.byte_counters, job.stream),
        "cudaMemsetAsync of bytes");
  }
  unsigned const processors = job.plan.blocks;
  unsigned const resident = most_partition_threads / layout.threads;
  std::uint64_t const all_tiles = samples.tiles(layout.samples_of_tile());
  for (std::uint64_t done = 0; done < all_tiles; done += layout.tiles) {
    auto const tiles =
        static_cast<std::uint32_t>((std::min<std::uint64_t>)(layout.tiles, all_tiles - done));
    if (done == 0 || !has_bytes) {  // else the batch before has left them so
      require(
          cudaMemsetAsync(memory.totals, 0, layout.total_bytes(), job.stream),
          "cudaMemsetAsync of the totals");
    }
    cuda::launch(
        "partition",
        layout.sorted_bins > 0 ? partition<true, Samples, Rule> : partition<false, Samples, Rule>,
        (std::min)(tiles, processors * resident), layout.threads, layout.tile_shared_bytes(),
        job.stream, samples, bound, layout, memory, done, tiles, job.out);
    cuda::count_batch(job, layout, memory, bytes, done == 0);
  }
  if (has_bytes) {
    cuda::launch(
        "add_byte_counters", add_byte_counters<global_counters>, processors * 4, 512u, 0,
        job.stream, layout, bytes, job.out);
  }
}

/// Adds the samples to the counters of the job.
template <class Samples, class Rule>
void count_partitioned(counting_job const& job, Samples const& samples, Rule const& bound) {
  bucket_layout const& layout = job.plan.buckets;
  for (std::uint32_t first = 0; first < layout.all_bins; first += layout.bins) {
    cuda::count_slice(job, samples, bound, layout.slice_at(first));
  }
}

}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
