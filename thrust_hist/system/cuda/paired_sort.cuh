// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Sparse histograms on CUDA, route sorted: codes with words beside them are sorted bucket by
/// bucket, of which each fits the shared memory of a block. Equal codes come in any order.

#include <thrust_hist/config.h>
#include <thrust_hist/system/cuda/call_memory.cuh>
#include <thrust_hist/system/cuda/kernels/list_marked.cuh>
#include <thrust_hist/system/cuda/kernels/order_pairs.cuh>
#include <thrust_hist/system/cuda/kernels/throw_pairs.cuh>
#include <thrust_hist/system/cuda/launch.cuh>
#include <thrust_hist/system/cuda/paired_buckets.h>
#include <thrust_hist/system/cuda/sorted_sample.cuh>

#include <cstddef>
#include <cstdint>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {

/// Codes as they stand, for what encodes keys elsewhere.
template <class Code>
struct same_code {
  __device__ bool operator()(Code from, Code& to) const {
    to = from;
    return true;
  }
};
/// What lies beside the i-th one.
template <class Word>
struct words_of_codes {
  Word const* words;
  __device__ Word operator()(std::uint64_t i) const { return words[i]; }
};

template <class Policy, class Code, class Word>
class paired_sort {
public:
  /// Of so many keys.
  paired_sort(call_memory<Policy>& memory, std::uint64_t n)
      : stream_(memory.stream()), n_(n), sample_(memory), ends_(memory), found_(memory),
        buckets_(plan_paired_buckets<Code>(n, sizeof(Word), current_facts())) {}

  /// Whether the GPU has it: else nothing must be sorted.
  bool has_room() const noexcept { return buckets_.has_room; }
  /// Scratch memory that it takes.
  std::size_t bytes() const noexcept {
    return slab_pieces::rounded(buckets_.sample_bytes()) +
           slab_pieces::rounded(n_ * sizeof(std::uint16_t)) + buckets_.part_bytes();
  }
  /// Writes the code of each key that has one, in ascending order, and word(i) beside that of key
  /// i. Counts those that have none.
  template <class Keys, class Encode, class WordOf>
  void run(
      Keys keys, Encode const& encode, WordOf const& word, sparse_findings* findings, Code* codes,
      Word* words) {
    sample_.take(buckets_.sample_size(), sizeof(Code));
    unsigned long long* const ends = ends_.take(buckets_.parts() + 1);
    sample_.template draw<Code>(keys, n_, encode, stream_);
    buckets_.slices.sample = sample_.of_round(0, buckets_.sample_size(), Code{0}, stream_);
    require(
        cudaMemsetAsync(ends, 0, buckets_.part_bytes(), stream_), "cudaMemsetAsync of the parts");
    using input = keys_in_tiles<Keys, Encode>;
    input const in = {keys, n_, encode};
    std::uint16_t* const found = found_.take(n_);
    device_facts const facts = current_facts();
    cuda::launch(
        "find_parts", find_parts<input, Code>, buckets_.search_blocks(n_, facts),
        buckets_.threads_of_search, buckets_.search_shared_bytes(), stream_, in,
        drawn_bounds<Code, paired_buckets<Code>::of_thread>{
            buckets_.slices, buckets_.steps(), nullptr},
        found, ends, findings);
    cuda::launch(
        "sum_up_tiles", sum_up_tiles<unsigned long long>, 1, 1024, 0, stream_, ends,
        std::uint64_t{buckets_.parts()});
    paired_parts<Code, Word> const parts = {ends, codes, words};
    cuda::launch(
        "throw_pairs", throw_pairs<input, WordOf, Code, Word>, buckets_.tile_blocks(n_, facts),
        buckets_.threads, buckets_.tile_shared_bytes(), stream_, in, found, word, buckets_.parts(),
        parts);
    cuda::launch(
        "order_pairs", order_pairs<Code, Word>, buckets_.buckets(), ordered_slices::threads,
        buckets_.shared_bytes(), stream_, buckets_.slices, parts);
  }

private:
  cudaStream_t stream_;
  std::uint64_t n_;
  sorted_sample<Policy> sample_;
  held_array<unsigned long long, Policy> ends_;
  held_array<std::uint16_t, Policy> found_;
  paired_buckets<Code> buckets_;
};

}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
