// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// What blocks left for each bin, brought together.

#include <thrust_hist/config.h>

#include <cstdint>
#include <new>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {

/// Of a block.
inline constexpr unsigned merging_threads = 256;

/// How many parts are asked for before the first of them is added, as registers allow.
template <class Part>
inline constexpr unsigned parts_at_once = sizeof(Part) <= 16   ? 8
                                          : sizeof(Part) <= 32 ? 4
                                          : sizeof(Part) <= 64 ? 2
                                                               : 1;

/// Calls `add(i, load(i))` for i = 0 to Count - 1, all loads first. All lanes of a warp call it.
template <unsigned Count, class Load, class Add, class... Loaded>
__device__ inline void add_loaded(Load const& load, Add const& add, Loaded const&... loaded) {
  if constexpr (sizeof...(Loaded) < Count) {
    constexpr unsigned next = sizeof...(Loaded);
    cuda::add_loaded<Count>(load, add, loaded..., load(next));
  } else {
    // The compiler would mix loads with additions to save registers, and the loads would wait for
    // each other.
    __syncwarp();
    unsigned i = 0;
    (add(i++, loaded), ...);
  }
}

/// Calls `add(part, load(part))` for the parts `part`, `part + step` ... below `parts`, `AtOnce` of
/// them at a time. All lanes of a warp call it, for the same parts.
template <unsigned AtOnce, class Load, class Add>
__device__ inline void add_parts(
    unsigned part, unsigned step, unsigned parts, Load const& load, Add const& add) {
  auto const nth = [&](unsigned i) { return part + i * step; };
#pragma unroll 1
  for (; nth(AtOnce - 1) < parts; part = nth(AtOnce)) {
    cuda::add_loaded<AtOnce>(
        [&](unsigned i) -> decltype(auto) { return load(nth(i)); },
        [&](unsigned i, auto const& loaded) { add(nth(i), loaded); });
  }
  if constexpr (AtOnce > 1) {
    cuda::add_parts<AtOnce / 2>(part, step, parts, load, add);
  }
}

/// Brings the parts of each bin together, and calls `finish(bin, state)` once for it. A state
/// begins as `begin()`; `add_share(state, bin, first, step)` adds the parts `first`, `first + step`
/// ... of a bin to it, and `merge(state, other)` what other warps have. With shared memory, a state
/// for each thread, the warps of a block share the parts of 32 bins out; null: each thread has its
/// bins for itself. Lanes behind the last bin add up its parts, too, for nothing.
template <class State, class Begin, class AddShare, class Merge, class Finish>
__device__ inline void merge_parts(
    std::uint64_t bins, State* shared, Begin begin, AddShare add_share, Merge merge,
    Finish finish) {
  bool const shares = shared != nullptr;
  unsigned const warp = shares ? threadIdx.x / 32 : 0;
  unsigned const warps = shares ? blockDim.x / 32 : 1;
  unsigned const bins_at_once = blockDim.x / warps;
  for (std::uint64_t first = std::uint64_t{blockIdx.x} * bins_at_once; first < bins;
       first += std::uint64_t{gridDim.x} * bins_at_once) {
    std::uint64_t const bin = first + threadIdx.x % bins_at_once;
    State sum = begin();
    add_share(sum, bin < bins ? bin : bins - 1, warp, warps);
    if (shares) {
      __syncthreads();  // the turn before is over
      ::new (static_cast<void*>(shared + threadIdx.x)) State(sum);
      __syncthreads();
      for (unsigned i = threadIdx.x + 32; warp == 0 && i < blockDim.x; i += 32) {
        merge(sum, shared[i]);
      }
    }
    if (warp == 0 && bin < bins) {
      finish(bin, sum);
    }
  }
}

}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
