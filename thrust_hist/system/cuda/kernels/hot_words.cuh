// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// More places, in shared memory, for frequent bins that the hardware's atomics fold.

#include <thrust_hist/config.h>
#include <thrust_hist/system/cuda/kernels/atomic_states.cuh>
#include <thrust_hist/system/cuda/kernels/hot_names.cuh>
#include <thrust_hist/system/cuda/kernels/lanes.cuh>
#include <thrust_hist/system/cuda/kernels/shared_words.cuh>

#include <cstdint>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {
#pragma GCC visibility push(hidden)

/// Atomics on one address in global memory wait for each other. A bin gets a place when a thread finds it notable.
template <class Fold>
class hot_words {
public:
  using value = typename Fold::value;

  /// What the hardware does not do in shared memory is tried until it succeeds: once for all lanes that have the same bin.
  static constexpr bool is_tried_again = adds_reals<Fold> || sizeof(value) == 8;

  /// `memory`: shared address of what the plan has for so many entries, at a multiple of 8 bytes.
  __device__ hot_words(std::uint32_t entries, std::uint32_t memory)
      : names_(entries, memory, 0), states_(memory + entries * 4), notable_(entries) {}

  __device__ void begin(Fold const& fold) const {
    for (std::uint32_t i = threadIdx.x; i < names_.entries(); i += blockDim.x) {
      names_.clear(i);
      *state(i) = fold.empty();
    }
  }
  /// Folds a value in, if its bin has a place.
  __device__ bool add(Fold const& fold, std::uint64_t bin, value x) {
    std::uint32_t const entry = names_.find(bin, notable_.look_at(bin));
    if (entry == names_.no_entry) {
      return false;
    }
    bool mine = true;
    if constexpr (is_tried_again) {
      mine = cuda::fold_equals(__activemask(), fold, entry, x);
    }
    if (mine) {
      cuda::fold_atomically<Fold>(state(entry), x);
    }
    return true;
  }
  /// Calls `give(bin, value)` for each place.
  template <class Give>
  __device__ void flush(Give give) const {
    names_.for_each([&](std::uint64_t bin, std::uint32_t i) { give(bin, *state(i)); });
  }

private:
  __device__ value* state(std::uint32_t i) const {
    return cuda::shared_pointer<value>(states_ + i * static_cast<std::uint32_t>(sizeof(value)));
  }

  hot_names<1> names_;
  std::uint32_t states_;
  notable_bins notable_;
};

#pragma GCC visibility pop
}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
