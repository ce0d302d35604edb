// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Pairs that a user's function emits, written to arrays: how many there are is known then, and
/// they can be folded as if by key.

#include <thrust_hist/bins.h>
#include <thrust_hist/config.h>
#include <thrust_hist/detail/pairs.h>
#include <thrust_hist/detail/policy.h>
#include <thrust_hist/system/cuda/folding_job.cuh>
#include <thrust_hist/system/cuda/kernels/list_emitted.cuh>
#include <thrust_hist/system/cuda/launch.cuh>
#include <thrust_hist/system/cuda/mailbox.cuh>
#include <thrust_hist/system/cuda/scratch_array.cuh>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <new>
#include <optional>
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
      : policy_(policy), source_(source), blocks_(blocks_for(source)),
        counts_(policy, blocks_ + 1) {
    mailbox_loan loan(stream_of(policy));
    auto* const letter = static_cast<unsigned long long*>(loan.box().letter);
    run({nullptr, nullptr}, letter, loan.box().ticket);
    synchronize(stream_of(policy));
    size_ = *letter;
    loan.give_back();
  }
  std::uint64_t size() const noexcept { return size_; }
  /// What a list of so many pairs takes of scratch memory, and to count those of a source.
  static std::size_t bytes(std::uint64_t pairs, Source const& source) {
    return bytes_of_pairs(pairs) + (blocks_for(source) + 1) * sizeof(unsigned long long);
  }
  /// Whether kernels have numbers for so many, and the cap allows them.
  static bool can_have(std::uint64_t pairs, Source const& source, std::size_t cap) {
    return pairs >> 32 == 0 && bytes(pairs, source) <= cap;
  }
  /// Calls `use(pairs)` with all of them, which returns whether it has folded them, and waited for
  /// the stream if the policy does. Returns that, or false where nobody has memory for the list.
  template <class Use>
  bool with_pairs(Use use) {
    std::optional<scratch_array<unsigned char, Policy>> memory;
    try {
      memory.emplace(policy_, bytes_of_pairs(size_));
    } catch (std::bad_alloc const&) {
      return false;
    }
    auto const address = reinterpret_cast<std::uintptr_t>(memory->data());
    unsigned char* const first = memory->data() + (alignment - address % alignment) % alignment;
    auto* const bins = reinterpret_cast<std::uint32_t*>(first);
    auto* const values = reinterpret_cast<Value*>(first + bytes_of_bins(size_));
    if (size_ > 0) {
      run({bins, values}, nullptr, nullptr);
    }
    bool is_folded = false;
    try {
      is_folded = use(pairs{bins, values, size_, identity_bins(source_.bins())});
    } catch (...) {
      cudaStreamSynchronize(
          stream_of(policy_));  // the list is being written, whose memory goes back
      throw;
    }
    if (!is_folded) {
      synchronize(stream_of(policy_));
    }
    memory->is_done();
    counts_.is_done();
    return is_folded;
  }

private:
  static constexpr std::size_t alignment = (std::max<std::size_t>)(alignof(Value), 64);

  static std::size_t bytes_of_bins(std::uint64_t pairs) noexcept {
    return (pairs * sizeof(std::uint32_t) + alignment - 1) / alignment * alignment;
  }
  static std::size_t bytes_of_pairs(std::uint64_t pairs) noexcept {
    return bytes_of_bins(pairs) + pairs * sizeof(Value) + alignment;
  }
  static auto input_of(Source const& source) {
    return cuda::make_input<Value, std::int32_t>(source, 0, source.size());
  }
  static unsigned blocks_for(Source const& source) {
    std::uint64_t const most = 4 * current_facts().multiprocessors;
    return static_cast<unsigned>(
        std::clamp<std::uint64_t>(input_of(source).tiles(listing_threads), 1, most));
  }
  void run(pair_list<Value> list, unsigned long long* letter, unsigned* ticket) const {
    auto const input = input_of(source_);
    emitted_counts const counts = {counts_.data(), blocks_, input.tiles(listing_threads)};
    cuda::launch(
        "list_emitted", list_emitted<std::remove_const_t<decltype(input)>, Value>, blocks_,
        listing_threads, 0, stream_of(policy_), input, counts, list, letter, ticket);
  }

  Policy& policy_;
  Source const& source_;
  unsigned blocks_;
  scratch_array<unsigned long long, Policy> counts_;
  std::uint64_t size_ = 0;
};

/// Whether so much is less than half of the memory that is free, where it is worth asking.
inline bool is_memory_for(std::size_t bytes) {
  constexpr std::size_t much = std::size_t{1} << 26;
  if (bytes <= much) {
    return true;
  }
  std::size_t idle = 0;
  std::size_t total = 0;
  require(cudaMemGetInfo(&idle, &total), "cudaMemGetInfo");
  return bytes <= idle / 2;
}

}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
