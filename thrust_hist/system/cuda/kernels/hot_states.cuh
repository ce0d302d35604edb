// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// More places for bins whose locks are wanted by many at once.

#include <thrust_hist/config.h>
#include <thrust_hist/system/cuda/fold_buckets.h>
#include <thrust_hist/system/cuda/kernels/bin_locks.cuh>
#include <thrust_hist/system/cuda/kernels/hot_names.cuh>

#include <cstdint>
#include <type_traits>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {
#pragma GCC visibility push(hidden)

/// More places, in shared memory, for bins whose locks are wanted by many at once, shared out among
/// the warps of a block where a bin has several. A bin gets one when its lock is found taken, and
/// keeps it.
template <class Fold>
class hot_states {
public:
  using state = typename Fold::state;
  using value = typename Fold::value;
  static constexpr std::uint32_t copies = copies_of_hot_bin(std::is_same_v<state, value>);

  /// `words`: shared address of two words for each entry; entries are a multiple of 2 * `copies`,
  /// or none.
  __device__ hot_states(std::uint32_t entries, std::uint32_t words, std::uint32_t states)
      : names_(entries, words, threadIdx.x / 32), places_{states, words + entries * 4} {}

  __device__ void begin(Fold const& fold) const {
    for (std::uint32_t i = threadIdx.x; i < names_.entries(); i += blockDim.x) {
      places_.begin(i, fold);
      names_.clear(i);
    }
  }
  /// Whether a bin has a place for this warp.
  __device__ bool has(std::uint64_t bin) const { return names_.find(bin) != names_.no_entry; }
  /// Whether it has one now.
  __device__ bool claim(std::uint64_t bin) const {
    return names_.find(bin, notice::repeated) != names_.no_entry;
  }
  /// Folds a value in unless its place, which it has, is taken.
  __device__ bool try_add(Fold const& fold, std::uint64_t bin, value const& x) const {
    std::uint32_t const i = names_.find(bin);
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
    for (std::uint32_t i = threadIdx.x; i < names_.entries(); i += blockDim.x) {
      std::uint32_t const named = names_.named(i);
      if (named != names_.nobody) {
        give(names_.bin_of(named), places_.at(i));
      }
    }
  }

private:
  hot_names<copies> names_;
  locked_states<Fold, false> places_;
};

#pragma GCC visibility pop
}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
