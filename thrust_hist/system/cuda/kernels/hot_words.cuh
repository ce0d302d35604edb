// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// What places for frequent bins hold where the hardware's atomics fold it.

#include <thrust_hist/config.h>
#include <thrust_hist/system/cuda/kernels/atomic_states.cuh>
#include <thrust_hist/system/cuda/kernels/hot_places.cuh>
#include <thrust_hist/system/cuda/kernels/lanes.cuh>
#include <thrust_hist/system/cuda/kernels/shared_words.cuh>

#include <cstdint>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {
#pragma GCC visibility push(hidden)

/// A state each.
template <class Fold>
class hot_words {
public:
  using value = typename Fold::value;
  static constexpr std::uint32_t parts = 1;

  /// What the hardware does not do in shared memory is tried until it succeeds: once for all lanes
  /// that have the same bin.
  static constexpr bool is_tried_again = adds_reals<Fold> || sizeof(value) == 8;

  __device__ hot_words(Fold const& fold, std::uint32_t states) : fold_(fold), states_(states) {}

  __device__ void clear(std::uint32_t i) const { *state(i) = fold_.empty(); }
  __device__ bool add(std::uint32_t i, value x) const {
    bool mine = true;
    if constexpr (is_tried_again) {
      mine = cuda::fold_equals(__activemask(), fold_, i, x);
    }
    if (mine) {
      cuda::fold_atomically<Fold>(state(i), x);
    }
    return true;
  }
  template <class Give>
  __device__ void flush(std::uint32_t i, Give give) const {
    give(*state(i));
  }

private:
  __device__ value* state(std::uint32_t i) const {
    return cuda::shared_pointer<value>(states_ + i * static_cast<std::uint32_t>(sizeof(value)));
  }

  Fold fold_;
  std::uint32_t states_;
};

/// So many places.
template <class Fold>
__device__ inline hot_places<hot_words<Fold>> make_hot_words(
    Fold const& fold, std::uint32_t entries, std::uint32_t memory) {
  using places = hot_places<hot_words<Fold>>;
  return {entries, memory, {fold, places::behind_names(entries, memory)}};
}

#pragma GCC visibility pop
}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
