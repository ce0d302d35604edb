// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// States with locks, in shared memory or in global.

#include <thrust_hist/config.h>
#include <thrust_hist/system/cuda/kernels/shared_words.cuh>

#include <cstdint>
#include <new>
#include <type_traits>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {
#pragma GCC visibility push(hidden)

/// Locks in shared memory, or in global memory, where all must see what they protect. One in shared memory
/// is 0 until it is taken for the first time.
template <bool Global>
struct bin_lock {
  using place = std::conditional_t<Global, unsigned*, std::uint32_t>;  ///< a shared address

  __device__ static bool try_take(place lock) {
    if constexpr (Global) {
      bool const taken = atomicCAS(lock, 0u, 1u) == 0;
      __threadfence();
      return taken;
    } else {
      unsigned before;
      asm volatile("atom.acquire.cta.shared.exch.b32 %0, [%1], 1;"
                   : "=r"(before)
                   : "r"(lock)
                   : "memory");
      return before != 1;
    }
  }
  __device__ static void release(place lock) {
    if constexpr (Global) {
      __threadfence();
      atomicExch(lock, 0u);
    } else {
      asm volatile("st.release.cta.shared.b32 [%0], 2;" ::"r"(lock) : "memory");
    }
  }
};

/// Where states and their locks lie.
template <class Fold, bool Global>
struct locked_states {
  using state = typename Fold::state;
  state* states;
  unsigned* locks;

  __device__ state& at(std::uint64_t bin) const { return states[bin]; }
  __device__ unsigned* lock(std::uint64_t bin) const { return locks + bin; }
};
template <class Fold>
struct locked_states<Fold, false> {
  using state = typename Fold::state;
  std::uint32_t states;  ///< shared addresses
  std::uint32_t locks;

  __device__ state& at(std::uint64_t bin) const {
    return *cuda::shared_pointer<state>(states + static_cast<std::uint32_t>(bin * sizeof(state)));
  }
  __device__ std::uint32_t lock(std::uint64_t bin) const {
    return locks + static_cast<std::uint32_t>(bin) * 4;
  }
  __device__ bool is_touched(std::uint64_t bin) const { return cuda::load_shared(lock(bin)) != 0; }
  __device__ void begin(std::uint64_t bin, Fold const& fold) const {
    ::new (static_cast<void*>(&at(bin))) state(fold.empty());
    cuda::store_shared(lock(bin), 0);
  }
};

/// Folds a state into one that has a lock.
template <bool Global, class Fold>
__device__ inline void merge_with_lock(
    Fold const& fold, locked_states<Fold, Global> const& places, std::uint64_t bin,
    typename Fold::state const& x) {
  unsigned pause = 64;  // nanoseconds
  for (bool done = false; !done;) {
    if (bin_lock<Global>::try_take(places.lock(bin))) {
      fold.merge(places.at(bin), x);
      bin_lock<Global>::release(places.lock(bin));
      done = true;
    } else if (Global) {
      __nanosleep(pause);
      pause = pause < 4096 ? 2 * pause : pause;
    }
  }
}

#pragma GCC visibility pop
}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
