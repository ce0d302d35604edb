// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Sparse histograms on CUDA: codes of which drawn buckets have no room for all at once are put in
/// order in rounds. Each reads all keys, and takes the codes between two of the sample. No CUDA
/// headers; tested with g++.

#include <thrust_hist/config.h>
#include <thrust_hist/system/cuda/device_facts.h>
#include <thrust_hist/system/cuda/sample_ranges.h>

#include <cstddef>
#include <cstdint>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {

/// Which codes come in which round.
template <class Code>
class drawn_rounds {
public:
  /// More take longer than a sort by all bits: the bucket of each key is looked for in each round.
  static constexpr unsigned most = 2;

  /// How many rounds it takes; 0 if too many. `plan(n)` makes buckets for n codes.
  template <class Plan>
  static unsigned number_for(std::uint64_t codes, device_facts const& facts, Plan plan) {
    for (unsigned rounds = 1; rounds <= most; ++rounds) {
      auto const buckets = plan(codes_of_each(codes, rounds));
      std::size_t const of_sample =
          plan_sample(rounds * buckets.sample_size()).shared_bytes(sizeof(Code));
      if (buckets.has_room && of_sample <= facts.shared_bytes_block) {
        return rounds;
      }
    }
    return 0;
  }
  static constexpr std::uint64_t codes_of_each(std::uint64_t codes, unsigned rounds) noexcept {
    return (codes + rounds - 1) / rounds;
  }

  /// Of codes up to `highest`.
  drawn_rounds(unsigned rounds, Code highest) noexcept : highest_(highest), rounds_(rounds) {}

  /// For each but the first one, in their order.
  void begin_at(unsigned round, Code first) noexcept { begins_[round] = first; }
  unsigned size() const noexcept { return rounds_; }
  /// Whether there is nothing to do: the next one begins with the same code.
  bool is_empty(unsigned round) const noexcept {
    return round + 1 < rounds_ && begins_[round + 1] <= begins_[round];
  }
  Code first(unsigned round) const noexcept { return begins_[round]; }
  /// How far the last one may lie above that.
  Code reach(unsigned round) const noexcept {
    Code const last = round + 1 < rounds_ ? static_cast<Code>(begins_[round + 1] - 1) : highest_;
    return static_cast<Code>(last - begins_[round]);
  }

private:
  Code begins_[most] = {};
  Code highest_;
  unsigned rounds_;
};

}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
