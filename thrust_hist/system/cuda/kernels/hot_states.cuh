// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// More places for bins whose locks are wanted by many at once.

#include <thrust_hist/config.h>
#include <thrust_hist/system/cuda/fold_buckets.h>
#include <thrust_hist/system/cuda/kernels/bin_locks.cuh>
#include <thrust_hist/system/cuda/kernels/shared_words.cuh>

#include <cstdint>
#include <type_traits>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {
#pragma GCC visibility push(hidden)

/// More places, in shared memory, for bins whose locks are wanted by many at once, shared out among the warps of a
/// block where a bin has several. A bin gets one when its lock is found taken, and keeps it.
template <class Fold>
class hot_states {
public:
  using state = typename Fold::state;
  using value = typename Fold::value;
  static constexpr std::uint32_t copies = copies_of_hot_bin(std::is_same_v<state, value>);

  /// `words`: shared address of two words for each entry; entries are 2^k, at least `copies`, or none.
  __device__ hot_states(std::uint32_t entries, std::uint32_t words, std::uint32_t states)
      : entries_(entries), names_(words), places_{states, words + entries * 4} {}

  __device__ void begin(Fold const& fold) const {
    for (std::uint32_t i = threadIdx.x; i < entries_; i += blockDim.x) {
      places_.begin(i, fold);
      cuda::store_shared(names_ + i * 4, 0);
    }
  }
  /// Whether a bin has a place for this warp.
  __device__ bool has(std::uint64_t bin) const {
    return is_named(bin) && cuda::load_shared(names_ + entry(bin) * 4) == name(bin);
  }
  /// Whether it has one now.
  __device__ bool claim(std::uint64_t bin) const {
    if (!is_named(bin)) {
      return false;
    }
    std::uint32_t const address = names_ + entry(bin) * 4;
    std::uint32_t before = cuda::load_shared(address);
    if (before == 0) {
      before = cuda::name_shared(address, name(bin));
    }
    return before == 0 || before == name(bin);
  }
  /// Folds a value in unless its place, which it has, is taken.
  __device__ bool try_add(Fold const& fold, std::uint64_t bin, value const& x) const {
    std::uint32_t const i = entry(bin);
    unsigned before;
    if (!bin_lock<false>::try_take(places_.lock(i), before)) {
      return false;
    }
    fold.add(places_.at(i), x);
    bin_lock<false>::release(places_.lock(i), before);
    return true;
  }
  /// Calls `give(bin, state)` for each bin. All threads call it when none adds any more.
  template <class Give>
  __device__ void flush(Give give) const {
    for (std::uint32_t first = threadIdx.x; first < entries_; first += blockDim.x) {
      // Blocks begin at different bins.
      std::uint32_t const i = (first + blockIdx.x * 32) & (entries_ - 1);
      std::uint32_t const bin = cuda::load_shared(names_ + i * 4);
      if (bin != 0) {
        give(bin - 1, places_.at(i));
      }
    }
  }

private:
  __device__ bool is_named(std::uint64_t bin) const { return entries_ != 0 && bin < 0xffffffff; }
  __device__ static std::uint32_t name(std::uint64_t bin) {
    return static_cast<std::uint32_t>(bin) + 1;
  }
  __device__ std::uint32_t entry(std::uint64_t bin) const {
    std::uint32_t const mixed = static_cast<std::uint32_t>(bin) * 0x9e3779b9u >> 16;
    return (mixed * copies + threadIdx.x / 32 % copies) & (entries_ - 1);
  }

  std::uint32_t entries_;
  std::uint32_t names_;  // bin + 1 of each entry, or 0
  locked_states<Fold, false> places_;
};

#pragma GCC visibility pop
}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
