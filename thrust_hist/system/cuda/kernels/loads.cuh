// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Loads of 16 bytes, shared out among threads, some of them in flight for each.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/ieee.h>
#include <thrust_hist/system/cuda/kernels/rule_memory.cuh>

#include <cstdint>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {

/// Asks for bytes side by side, 16 or a multiple of it at an address that is one, to be brought to
/// the cache of all blocks. One thread is enough, and waits for nothing. Where the hardware has
/// nothing for it, nothing happens.
__device__ inline void fetch_ahead(void const* first, std::uint32_t bytes) {
#if __CUDA_ARCH__ >= 900
  asm volatile(
      "cp.async.bulk.prefetch.L2.global [%0], %1;" ::"l"(__cvta_generic_to_global(first)),
      "r"(bytes));
#else
  static_cast<void>(first);
  static_cast<void>(bytes);
#endif
}

/// A thread's place among those that share the samples out.
struct sharing {
  std::uint64_t thread;
  std::uint64_t threads;
  rule_memory of_rule = {};  ///< of the block: what the rule has of it
};

/// All threads of the grid.
__device__ inline sharing among_grid() {
  return {
      std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x, std::uint64_t{gridDim.x} * blockDim.x};
}

/// How samples of type T are loaded.
template <class T>
struct load_shape {
  static constexpr unsigned per_load = 16 / sizeof(T);
  // In flight for each thread; samples of 1 byte are many enough with two.
  static constexpr unsigned loads = sizeof(T) == 1 ? 2 : 4;
  static constexpr unsigned group = per_load * loads;
};

/// Calls `each(first + i, x)` for the samples of a load.
template <class T, class Each>
__device__ inline void unpack_counted(uint4 const& loaded, unsigned first, Each each) {
  struct alignas(16) samples_of_a_load {
    T x[load_shape<T>::per_load];
  };
  auto const samples = detail::bit_cast<samples_of_a_load>(loaded);
#pragma unroll
  for (unsigned i = 0; i < load_shape<T>::per_load; ++i) {
    each(first + i, samples.x[i]);
  }
}

/// The addresses of a thread's loads among such that lie side by side, in turn.
class load_cursor {
public:
  __device__ load_cursor(uint4 const* first, sharing const share)
      : next_(first + share.thread), step_(share.threads) {}
  __device__ uint4 const* operator()(std::uint64_t) {
    uint4 const* const address = next_;
    next_ += step_;
    return address;
  }

private:
  uint4 const* next_;
  std::uint64_t step_;
};

/// Calls `each(x)` for the samples of this thread's share of `count` loads, and `after_group()`
/// after at most load_shape::group of them. `address(i)`, of load i, is asked for one after the
/// other of this thread's loads, once each. The loads of a group are under way while the group
/// before is worked on, where registers suffice. `Again`: other blocks read the same samples, so
/// they stay in the second-level cache.
template <class T, bool Again, class Address, class Each, class AfterGroup>
__device__ inline void for_each_load(
    sharing const share, std::uint64_t count, Address address, Each each, AfterGroup after_group) {
  constexpr unsigned loads = load_shape<T>::loads;
  constexpr bool ahead = sizeof(T) > 1;
  auto const load_one = [&](std::uint64_t i) {
    uint4 const* const from = address(i);
    return Again ? __ldcg(from) : __ldcs(from);
  };
  auto const load_group = [&](uint4(&to)[loads], std::uint64_t first) {
#pragma unroll
    for (unsigned i = 0; i < loads; ++i) {
      to[i] = load_one(first + i * share.threads);
    }
  };
  auto const unpack = [&](uint4 const& loaded) {
    cuda::unpack_counted<T>(loaded, 0, [&](unsigned, T const& x) { each(x); });
  };
  std::uint64_t const last = (loads - 1) * share.threads;
  std::uint64_t at = share.thread;
  uint4 loaded[loads];
  if (ahead && at + last < count) {
    load_group(loaded, at);
  }
  while (at + last < count) {
    uint4 next[loads];
    if (!ahead) {
      load_group(loaded, at);
    }
    at += loads * share.threads;
    if (ahead && at + last < count) {
      load_group(next, at);
    }
#pragma unroll
    for (unsigned i = 0; i < loads; ++i) {
      unpack(loaded[i]);
    }
    if constexpr (ahead) {
#pragma unroll
      for (unsigned i = 0; i < loads; ++i) {
        loaded[i] = next[i];
      }
    }
    after_group();
  }
  for (; at < count; at += share.threads) {
    unpack(load_one(at));
    after_group();
  }
}

}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
