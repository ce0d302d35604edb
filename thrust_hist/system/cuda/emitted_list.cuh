// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Pairs that a user's function emits, written to arrays: how many there are is known then, and they can be folded as if
/// by key.

#include <thrust_hist/bins.h>
#include <thrust_hist/config.h>
#include <thrust_hist/detail/pairs.h>
#include <thrust_hist/detail/policy.h>
#include <thrust_hist/system/cuda/folding_job.cuh>
#include <thrust_hist/system/cuda/kernels/write_emitted.cuh>
#include <thrust_hist/system/cuda/launch.cuh>
#include <thrust_hist/system/cuda/mailbox.cuh>
#include <thrust_hist/system/cuda/scratch_array.cuh>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {

/// `Value`: what is folded.
template <class Policy, class Source, class Value>
class emitted_list {
public:
  using pairs = keyed_pairs<std::uint32_t const*, Value const*, identity_bins>;

  /// Of at least one input. Counts the pairs, and waits for their number.
  emitted_list(Policy& policy, Source const& source)
      : policy_(policy), source_(source), blocks_(blocks_for_inputs(source.size())),
        counts_(policy, blocks_ + 1) {
    mailbox_loan loan(stream_of(policy));
    auto* const letter = static_cast<unsigned long long*>(loan.box().letter);
    auto const input = this->input();
    cuda::launch(
        "count_emitted", count_emitted<std::remove_const_t<decltype(input)>>, blocks_,
        emitting_threads, 0, stream_of(policy), input, counts(), letter, loan.box().ticket);
    synchronize(stream_of(policy));
    size_ = *letter;
    loan.give_back();
  }
  std::uint64_t size() const noexcept { return size_; }

  /// What a list of so many pairs takes of scratch memory, and to count those of so many inputs.
  static std::size_t bytes(std::uint64_t pairs, std::uint64_t inputs) {
    return bytes_of_pairs(pairs) + (blocks_for_inputs(inputs) + 1) * sizeof(unsigned long long);
  }
  /// Calls `use(pairs)` with all of them, which returns whether it has waited for the stream.
  template <class Use>
  void with_pairs(Use use) {
    scratch_array<unsigned char, Policy> memory(policy_, bytes_of_pairs(size_));
    auto const address = reinterpret_cast<std::uintptr_t>(memory.data());
    unsigned char* const first = memory.data() + (alignment - address % alignment) % alignment;
    auto* const bins = reinterpret_cast<std::uint32_t*>(first);
    auto* const values = reinterpret_cast<Value*>(first + bytes_of_bins(size_));
    if (size_ > 0) {
      auto const input = this->input();
      cuda::launch(
          "write_emitted", write_emitted<std::remove_const_t<decltype(input)>, Value>, blocks_,
          emitting_threads, 0, stream_of(policy_), input, counts(), bins, values);
    }
    if (use(pairs{bins, values, size_, identity_bins(source_.bins())})) {
      memory.is_done();
      counts_.is_done();
    }
  }

private:
  static constexpr std::size_t alignment = (std::max<std::size_t>)(alignof(Value), 64);

  static std::size_t bytes_of_bins(std::uint64_t pairs) noexcept {
    return (pairs * sizeof(std::uint32_t) + alignment - 1) / alignment * alignment;
  }
  static std::size_t bytes_of_pairs(std::uint64_t pairs) noexcept {
    return bytes_of_bins(pairs) + pairs * sizeof(Value) + alignment;
  }
  static unsigned blocks_for_inputs(std::uint64_t inputs) {
    constexpr std::uint64_t worth_a_block = 2 * emitting_threads;
    std::uint64_t const most = 4 * current_facts().multiprocessors;
    return static_cast<unsigned>(std::clamp<std::uint64_t>(inputs / worth_a_block, 1, most));
  }
  auto input() const { return cuda::make_input<Value, std::int32_t>(source_, 0, source_.size()); }
  emitted_counts counts() const {
    return {counts_.data(), blocks_, input().tiles(emitting_threads)};
  }

  Policy& policy_;
  Source const& source_;
  unsigned blocks_;
  scratch_array<unsigned long long, Policy> counts_;
  std::uint64_t size_ = 0;
};

/// Whether a list of so many bytes leaves memory for folding it: where it takes much, no more than a third of what is free.
inline bool is_room_for_list(std::size_t bytes) {
  constexpr std::size_t much = std::size_t{1} << 28;
  if (bytes <= much) {
    return true;
  }
  std::size_t idle = 0;
  std::size_t total = 0;
  require(cudaMemGetInfo(&idle, &total), "cudaMemGetInfo");
  return bytes <= idle / 3;
}

}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
