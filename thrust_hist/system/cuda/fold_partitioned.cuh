// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Route partitioned of folds: slice by slice of the bins and batch by batch of the pairs, tiles
/// are sorted into buckets and the buckets folded.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/iterator_types.h>
#include <thrust_hist/detail/policy.h>
#include <thrust_hist/system/cuda/cells.cuh>
#include <thrust_hist/system/cuda/folding_job.cuh>
#include <thrust_hist/system/cuda/kernels/fold_buckets.cuh>
#include <thrust_hist/system/cuda/kernels/partition_pairs.cuh>
#include <thrust_hist/system/cuda/kernels/tile_pairs.cuh>
#include <thrust_hist/system/cuda/launch.cuh>
#include <thrust_hist/system/cuda/zipped_input.cuh>

#include <algorithm>
#include <cstdint>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {

template <class Iterator>
auto make_column(Iterator first, std::uint64_t n) {
  using element = value_t<Iterator>;
  if constexpr (is_contiguous<Iterator> && fits_loads<element>) {
    return memory_column<element const*>(n > 0 ? detail::raw_pointer(first) : nullptr, n);
  } else if constexpr (zipped_input<Iterator>::exists) {
    auto const pointers = zipped_input<Iterator>::get(first, n);
    return memory_column<std::remove_const_t<decltype(pointers)>>(pointers, n);
  } else {
    return iterator_column<Iterator>(first, n);
  }
}

/// A pointer where there can be one.
template <class Iterator>
auto simplest_iterator(Iterator first, std::uint64_t n) {
  if constexpr (is_contiguous<Iterator>) {
    value_t<Iterator> const* const data = n > 0 ? detail::raw_pointer(first) : nullptr;
    return data;
  } else {
    return first;
  }
}

/// One pass over the pairs of a job for each slice of its bins. `Carried` says what travels with
/// the rests. `skips`, if any, is in device memory; not 0: somebody else has folded them.
template <class Source, class Carried>
class pair_partition {
public:
  using payload = typename Carried::payload;

  pair_partition(
      folding_job const& job, Source const& source, Carried const& carried, bool asks_dropped,
      unsigned const* skips = nullptr)
      : job_(job), source_(source), carried_(carried), asks_dropped_(asks_dropped), skips_(skips) {}

  /// Calls `fold_batch(slice, memory, first_pair)`, which launches what folds the buckets of a
  /// batch.
  template <class FoldBatch>
  void run(FoldBatch fold_batch) const {
    using key = typename thrust::iterator_traits<decltype(source_.keys)>::value_type;
    auto const rule = detail::bind_rule<key, std::int32_t>(source_.rule);
    if constexpr (has_cells<std::remove_const_t<decltype(rule)>>) {
      if (job_.plan.cells_bytes > 0) {
        cuda::make_cells(rule, job_.cells, job_.stream);
        run_slices(cuda::with_table(rule, job_.cells), fold_batch);
        return;
      }
    }
    run_slices(rule, fold_batch);
  }

private:
  template <class Rule, class FoldBatch>
  void run_slices(Rule const& rule, FoldBatch fold_batch) const {
    bucket_layout const& layout = job_.plan.buckets.layout;
    for (std::uint32_t first = 0; first < layout.all_bins; first += layout.bins) {
      run_slice(layout.slice_at(first), rule, fold_batch);
    }
  }
  template <class Rule, class FoldBatch>
  void run_slice(bucket_layout const& slice, Rule const& rule, FoldBatch fold_batch) const {
    fold_buckets const& b = job_.plan.buckets;
    pair_memory<payload> const memory(b, job_.partial);
    auto const keys = cuda::make_column(source_.keys, source_.size());
    std::uint64_t const all_tiles =
        (source_.size() + slice.samples_of_tile() - 1) / slice.samples_of_tile();
    for (std::uint64_t done = 0; done < all_tiles; done += slice.tiles) {
      auto const tiles =
          static_cast<std::uint32_t>((std::min<std::uint64_t>)(slice.tiles, all_tiles - done));
      require(
          cudaMemsetAsync(memory.totals, 0, slice.total_bytes(), job_.stream),
          "cudaMemsetAsync of the totals");
      cuda::launch(
          "partition_pairs", partition_pairs<std::remove_const_t<decltype(keys)>, Rule, Carried>,
          (std::min)(tiles, b.tile_blocks), slice.threads, b.tile_shared_bytes(), job_.stream, keys,
          rule, carried_, slice, memory, done * slice.samples_of_tile(), tiles,
          job_.counter(asks_dropped_ && slice.first_bin == 0), skips_);
      fold_batch(slice, memory, done * slice.samples_of_tile());
    }
  }

  folding_job const& job_;
  Source const& source_;
  Carried carried_;
  bool asks_dropped_;
  unsigned const* skips_;
};

/// The same with values that travel beside the rests.
template <class Value, class Source, class FoldBatch>
void partition_values(
    folding_job const& job, Source const& source, bool asks_dropped, FoldBatch fold_batch,
    unsigned const* skips = nullptr) {
  using column = decltype(cuda::make_column(source.values, source.size()));
  using carried = carried_values<column, Value>;
  pair_partition<Source, carried> const pass(
      job, source, carried{cuda::make_column(source.values, source.size())}, asks_dropped, skips);
  pass.run(fold_batch);
}

/// Folds the buckets of a batch by tables of a description.
template <class Payload, class Description>
void launch_fold_buckets(
    folding_job const& job, bucket_layout const& layout, std::size_t shared_bytes,
    pair_memory<Payload> const& memory, Description const& description) {
  cuda::launch(
      "fold_buckets", fold_buckets_of<Payload, Description>, job.plan.blocks, job.plan.threads,
      shared_bytes, job.stream, layout, memory, description);
}

}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
