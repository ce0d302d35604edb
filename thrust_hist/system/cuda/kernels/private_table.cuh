// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Tables for values of any type and any operator where bins are few: one in shared memory for each
/// thread.

#include <thrust_hist/config.h>
#include <thrust_hist/system/cuda/kernels/lanes.cuh>
#include <thrust_hist/system/cuda/kernels/neighbours.cuh>
#include <thrust_hist/system/cuda/kernels/places_of_blocks.cuh>
#include <thrust_hist/system/cuda/kernels/shared_words.cuh>

#include <cstdint>
#include <new>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {
#pragma GCC visibility push(hidden)

/// A state for each bin and thread; no thread touches another's.
template <class Fold>
class private_table {
public:
  using state = typename Fold::state;
  using value = typename Fold::value;

  struct description {
    std::uint32_t bins;
    Fold fold;
    state* partial;  // of block b: partial[b * bins + bin]
    __device__ bool is_idle() const { return false; }
    __device__ private_table make(uint4* shared) const {
      return private_table(*this, cuda::shared_address(cuda::aligned_for<state>(shared)));
    }
  };

  __device__ private_table(description const& d, std::uint32_t states)
      : d_(d), states_(states), mine_(cuda::kept(states + threadIdx.x * state_bytes)),
        step_(cuda::kept(blockDim.x * state_bytes)) {}
  __device__ void begin() {
    for (std::uint32_t bin = 0; bin < d_.bins; ++bin) {
      ::new (static_cast<void*>(mine(bin))) state(d_.fold.empty());
    }
  }
  template <class Bin>
  __device__ void add(Bin bin, value const& x) {
    if (bin < d_.bins) {
      d_.fold.add(*mine(static_cast<std::uint32_t>(bin)), x);
    } else {
      ++dropped_;
    }
  }
  template <class Bin>
  __device__ void add_four(Bin const (&bins)[pairs_of_group], value const (&x)[pairs_of_group]) {
#pragma unroll
    for (unsigned i = 0; i < pairs_of_group; ++i) {
      add(bins[i], x[i]);
    }
  }
  template <class Use>
  __device__ void for_each_bin(Use use) {
    unsigned const lane = threadIdx.x % 32;
    for (std::uint32_t bin = threadIdx.x / 32; bin < d_.bins; bin += blockDim.x / 32) {
      state sum = d_.fold.empty();
      for (std::uint32_t i = lane; i < blockDim.x; i += 32) {
        d_.fold.merge(sum, *cuda::shared_pointer<state>(states_ + bin * step_ + i * state_bytes));
      }
      cuda::fold_over_lanes(d_.fold, sum, 32);
      if (lane == 0) {
        use(bin, sum);
      }
    }
  }
  __device__ void deliver() {
    for_each_bin(cuda::to_place_of_block(d_.partial, d_.bins));
  }
  __device__ std::uint32_t dropped() const {
    return dropped_;
  }

private:
  static constexpr auto state_bytes = static_cast<std::uint32_t>(sizeof(state));

  /// The state of this thread.
  __device__ state* mine(std::uint32_t bin) const {
    return cuda::shared_pointer<state>(mine_ + bin * step_);
  }

  description const& d_;
  // Addresses in shared memory: of all states, of the first one of this thread, and the step from
  // there to that of the next bin.
  std::uint32_t states_;
  std::uint32_t mine_;
  std::uint32_t step_;
  std::uint32_t dropped_ = 0;
};

#pragma GCC visibility pop
}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
