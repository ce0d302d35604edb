// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Counting on CUDA while the number of bins is discovered, with one pass over the keys where bins
/// fit the shared memory of a block.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/iterator_types.h>
#include <thrust_hist/detail/output.h>
#include <thrust_hist/detail/policy.h>
#include <thrust_hist/options.h>
#include <thrust_hist/system/cuda/count.cuh>
#include <thrust_hist/system/cuda/discovery_plan.h>
#include <thrust_hist/system/cuda/input.cuh>
#include <thrust_hist/system/cuda/kernels/count_and_find.cuh>
#include <thrust_hist/system/cuda/launch.cuh>
#include <thrust_hist/system/cuda/mailbox.cuh>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {

/// The counts of keys, in the memory of a mailbox. No scratch memory is asked for.
class discovered_counts {
public:
  static constexpr std::size_t counts_begin = 16;  ///< behind the number of bins
  static constexpr std::uint64_t most_counts =
      (mailbox::partial_bytes - counts_begin) / sizeof(std::uint32_t);

  /// Begins to count n keys, at least one and less than 2^32. Beyond `most_bins` nothing is
  /// written.
  template <class Iterator>
  discovered_counts(cudaStream_t stream, Iterator first, std::uint64_t n, std::uint64_t most_bins)
      : stream_(stream), loan_(stream), most_bins_(most_bins),
        plan_(plan_discovery(n, sizeof(value_t<Iterator>), most_counts, current_facts())) {
    auto const samples = cuda::make_samples(first, n);
    auto const numbered = samples.one_by_one();
    using samples_type = std::remove_const_t<decltype(samples)>;
    using numbered_type = std::remove_const_t<decltype(numbered)>;
    using table_type = table_of_keys<samples_type>;
    table_type table = {};
    table.bins = plan_.room;
    mailbox const& box = loan_.box();
    require(
        cudaMemsetAsync(box.partials, 0, counts_begin + plan_.room * sizeof(std::uint32_t), stream),
        "cudaMemsetAsync of a mailbox");
    cuda::launch(
        "count_and_find", count_and_find<samples_type, numbered_type, table_type>, plan_.blocks,
        plan_.threads, plan_.shared_bytes, stream, samples, numbered, table, found(), box.ticket,
        static_cast<std::uint64_t*>(box.letter));
  }

  /// Writes the counts once they are there, if they are complete and not too many.
  template <class Out>
  void write(Out out, options const& o) const {
    if (o.explain_ != nullptr) {
      *o.explain_ = {
          plan_.by_value ? route::shared_lanes : route::shared,
          "counted while the largest key was looked for",
          "cuda",
          plan_.blocks,
          plan_.threads,
          plan_.shared_bytes,
          0,
          true};
    } else {
      cuda::launch(
          "write_found", write_found<count_writer<Out>>, blocks_for_bins(plan_.room), 1024, 0,
          stream_, found(), (std::min)(most_bins_, std::uint64_t{plan_.room}),
          count_writer<Out>{out, o.accumulate_});
    }
  }

  /// Waits for all that was begun, and returns one past the largest key; 0 if no key has a bin.
  std::uint64_t wait() {
    cuda::synchronize(stream_);
    std::memcpy(&bins_, loan_.box().letter, sizeof bins_);
    return bins_;
  }
  /// Once all that was begun has been waited for.
  void give_back() noexcept { loan_.give_back(); }
  /// Once that number is known: whether all keys had room. Else they are to be counted once more.
  bool are_complete() const noexcept { return bins_ <= plan_.room; }

private:
  found_counts found() const noexcept {
    auto* const memory = static_cast<unsigned char*>(loan_.box().partials);
    return {
        reinterpret_cast<unsigned long long*>(memory),
        reinterpret_cast<std::uint32_t*>(memory + counts_begin)};
  }

  cudaStream_t stream_;
  mailbox_loan loan_;
  std::uint64_t most_bins_;
  discovery_plan plan_;
  std::uint64_t bins_ = 0;
};

}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
