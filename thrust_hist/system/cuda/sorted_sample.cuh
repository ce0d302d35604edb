// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// A sample of the codes of keys, sorted, in memory of a call.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/transfer.h>
#include <thrust_hist/system/cuda/call_memory.cuh>
#include <thrust_hist/system/cuda/drawn_rounds.h>
#include <thrust_hist/system/cuda/kernels/sort_sample.cuh>
#include <thrust_hist/system/cuda/launch.cuh>
#include <thrust_hist/system/cuda/sample_ranges.h>

#include <cstddef>
#include <cstdint>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {

template <class Policy>
class sorted_sample {
public:
  explicit sorted_sample(call_memory<Policy>& memory) : call_(memory), memory_(memory) {}

  /// Takes memory for so many codes; nothing is done with it yet.
  void take(std::uint32_t size, std::size_t code_bytes) {
    sample_ = plan_sample(size);
    memory_.take(sample_.bytes(code_bytes) / sizeof(std::uint64_t));
  }
  /// Of n keys.
  template <class Code, class Keys, class Encode>
  void draw(Keys keys, std::uint64_t n, Encode const& encode, cudaStream_t stream) {
    Code* const sorted = codes<Code>();
    Code* const thrown = sorted + sample_.size;
    Code* const firsts = thrown + std::size_t{sample_ranges::ranges} * sample_.room;
    auto* const sizes = reinterpret_cast<std::uint32_t*>(firsts + sample_ranges::ranges);
    sample_memory<Code> const memory = {sorted, thrown, firsts, sizes};
    require(
        cudaMemsetAsync(sizes, 0, sample_ranges::counters * sizeof *sizes, stream),
        "cudaMemsetAsync of ranges");
    constexpr unsigned of_block = threads_of_sample * thrown_by_thread;
    cuda::launch(
        "throw_sample", throw_sample<Keys, Encode, Code>, (sample_.size + of_block - 1) / of_block,
        threads_of_sample, 0, stream, keys, n, encode, sample_, memory);
    cuda::launch(
        "sort_sample", sort_sample<Code>, sample_ranges::ranges, threads_of_sample,
        sample_.shared_bytes(sizeof(Code)), stream, sample_, memory);
  }
  /// Those of a round, if each has so many of them. They are to count from the first code of it,
  /// and are asked for once.
  template <class Code>
  Code const* of_round(
      unsigned round, std::uint32_t of_each, Code first, cudaStream_t stream) const {
    Code* const sample = codes<Code>() + std::size_t{round} * of_each;
    if (first != 0) {
      cuda::launch(
          "lower_sample", lower_sample<Code>, (of_each + threads_of_sample - 1) / threads_of_sample,
          threads_of_sample, 0, stream, sample, of_each, first);
    }
    return sample;
  }
  /// Which codes come in which round, each of which begins with the first of it. Waits for the
  /// stream if there are several.
  template <class Code>
  drawn_rounds<Code> rounds(unsigned number, std::uint32_t of_each, Code highest) const {
    drawn_rounds<Code> found(number, highest);
    for (unsigned round = 1; round < number; ++round) {
      Code const* const begin = codes<Code>() + std::size_t{round} * of_each;
      found.begin_at(round, copy_to_host(cuda_system{}, call_.policy(), begin, 1)[0]);
    }
    return found;
  }
  void give_back() { memory_.give_back(); }

private:
  template <class Code>
  Code* codes() const {
    return reinterpret_cast<Code*>(memory_.data());
  }

  call_memory<Policy>& call_;
  held_array<std::uint64_t, Policy> memory_;  // aligned for any code
  sample_ranges sample_ = {};
};

}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
