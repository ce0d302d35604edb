// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// States with locks, in shared memory or in global.

#include <thrust_hist/config.h>
#include <thrust_hist/system/cuda/kernels/shared_words.cuh>

#include <cstdint>
#include <cstring>
#include <new>
#include <type_traits>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {
#pragma GCC visibility push(hidden)

/// Locks in shared memory, or in global memory, where all must see what they protect. One in shared
/// memory is 0 until it is taken for the first time, and holds twice the number of its releases, of
/// which there are less than 2^31.
template <bool Global>
struct bin_lock {
  using place = std::conditional_t<Global, unsigned*, std::uint32_t>;  ///< a shared address
  static constexpr unsigned taken = 1;

  /// What it says before, if that is not `taken`, is to be given to release().
  __device__ static bool try_take(place lock, unsigned& before) {
    if constexpr (Global) {
      before = atomicCAS(lock, 0u, taken);
      __threadfence();
    } else {
      asm volatile("atom.acquire.cta.shared.exch.b32 %0, [%1], %2;"
                   : "=r"(before)
                   : "r"(lock), "n"(taken)
                   : "memory");
    }
    return before != taken;
  }
  __device__ static void release(place lock, unsigned before) {
    if constexpr (Global) {
      __threadfence();
      atomicExch(lock, 0u);
    } else {
      asm volatile("st.release.cta.shared.b32 [%0], %1;" ::"r"(lock), "r"(before + 2) : "memory");
    }
  }
};

/// A state as words, where it can be read so: while others change it, and to be compared. Large
/// ones would take too many registers.
template <class State>
struct state_words {
  static constexpr bool exist = alignof(State) % 4 == 0 && sizeof(State) <= 16;
  static constexpr unsigned count = sizeof(State) / 4;
  std::uint32_t word[count == 0 ? 1 : count];

  /// From shared memory, one of states that begin at a multiple of 16 bytes.
  __device__ void load(std::uint32_t address) {
    if constexpr (count == 4) {
      uint4 const x = cuda::load_four_shared(address);
      memcpy(word, &x, sizeof x);
    } else if constexpr (count == 2) {
      uint2 const x = cuda::load_two_shared(address);
      memcpy(word, &x, sizeof x);
    } else {
#pragma unroll
      for (unsigned i = 0; i < count; ++i) {
        word[i] = cuda::load_shared(address + i * 4);
      }
    }
  }
  __device__ State get() const {
    alignas(State) unsigned char bytes[sizeof(State)];
    memcpy(bytes, word, count * sizeof(std::uint32_t));
    return *reinterpret_cast<State const*>(bytes);
  }
  __device__ bool is(State const& x) const {
    std::uint32_t other[count == 0 ? 1 : count];
    memcpy(other, &x, sizeof other);
    std::uint32_t different = 0;
#pragma unroll
    for (unsigned i = 0; i < count; ++i) {
      different |= word[i] ^ other[i];
    }
    return different == 0;
  }
};

/// What a value would do to a state: not known while somebody has its lock.
enum class change { none, some, unknown };

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
  /// What a value would do to the state of a bin. If nothing, it is folded in, and nobody needs the
  /// lock. What a thread loads from shared memory it gets in turn, so that a lock that says the
  /// same before and behind was not taken meanwhile.
  __device__ change look(Fold const& fold, std::uint64_t bin, typename Fold::value const& x) const {
    std::uint32_t const before = cuda::load_shared(lock(bin));
    state_words<state> now;
    now.load(states + static_cast<std::uint32_t>(bin * sizeof(state)));
    if (before == bin_lock<false>::taken || cuda::load_shared(lock(bin)) != before) {
      return change::unknown;
    }
    state next = now.get();
    fold.add(next, x);
    return now.is(next) ? change::none : change::some;
  }
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
    unsigned before;
    if (bin_lock<Global>::try_take(places.lock(bin), before)) {
      fold.merge(places.at(bin), x);
      bin_lock<Global>::release(places.lock(bin), before);
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
