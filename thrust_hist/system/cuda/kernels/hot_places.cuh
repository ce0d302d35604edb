// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Places in the shared memory of a block for bins of global memory that many pairs have: atomics
/// on one address there wait for each other.

#include <thrust_hist/config.h>
#include <thrust_hist/system/cuda/kernels/hot_names.cuh>

#include <cstdint>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {
#pragma GCC visibility push(hidden)

/// A bin gets a place when a thread finds it notable. `States`: what is in places, `parts` of each,
/// numbered through.
template <class States>
class hot_places {
public:
  /// `memory`: shared address of what the plan has for so many entries, at a multiple of 8 bytes:
  /// names, then states.
  __device__ hot_places(std::uint32_t entries, std::uint32_t memory, States const& states)
      : names_(entries, memory, 0), states_(states), notable_(entries) {}
  /// Where states begin.
  __device__ static std::uint32_t behind_names(std::uint32_t entries, std::uint32_t memory) {
    return memory + entries * 4;
  }

  __device__ void begin() const {
    for (std::uint32_t i = threadIdx.x; i < names_.entries(); i += blockDim.x) {
      names_.clear(i);
    }
    for (std::uint32_t i = threadIdx.x; i < names_.entries() * States::parts; i += blockDim.x) {
      states_.clear(i);
    }
  }
  /// Folds what a pair has, if its bin has a place for that.
  template <class... Value>
  __device__ bool add(std::uint64_t bin, Value const&... x) {
    std::uint32_t const entry = names_.find(bin, notable_.look_at(bin));
    return entry != names_.no_entry && states_.add(entry, x...);
  }
  /// Calls `use(bin)` for each that has a place. All threads call it when none adds any more.
  template <class Use>
  __device__ void for_each_bin(Use use) const {
    for (std::uint32_t i = threadIdx.x; i < names_.entries(); i += blockDim.x) {
      std::uint32_t const named = names_.named(i);
      if (named != names_.nobody) {
        use(names_.bin_of(named));
      }
    }
  }
  /// Calls `give(bin, x...)` for what each part has. All threads call it when none adds any more.
  template <class Give>
  __device__ void flush(Give give) const {
    for (std::uint32_t i = threadIdx.x; i < names_.entries() * States::parts; i += blockDim.x) {
      std::uint32_t const named = names_.named(i / States::parts);
      if (named != names_.nobody) {
        states_.flush(i, [&](auto const&... x) { give(names_.bin_of(named), x...); });
      }
    }
  }

private:
  hot_names<1> names_;
  States states_;
  notable_bins<States::parts == 1> notable_;  // long accumulators have a few hundred places
};

#pragma GCC visibility pop
}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
