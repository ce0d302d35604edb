// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Places of each warp for bins whose locks in shared memory are wanted by many at once.

#include <thrust_hist/config.h>
#include <thrust_hist/system/cuda/kernels/shared_words.cuh>

#include <cstdint>
#include <new>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {
#pragma GCC visibility push(hidden)

/// Places in shared memory that one warp alone uses, and so without locks. A bin may have one of a
/// few, gets it when the warp finds its lock taken, and keeps it. Of a warp's lanes one at a time
/// hands a bin over, with __syncwarp() between.
template <class Fold>
class warp_states {
public:
  using state = typename Fold::state;
  using value = typename Fold::value;
  static constexpr unsigned ways = 4;  ///< places that a bin may have: their names are one load

  /// `entries` of each warp are 2^k, or none. `names`, `states`: shared addresses of a word and of
  /// a state for each entry of all warps.
  __device__ warp_states(std::uint32_t entries, std::uint32_t names, std::uint32_t states)
      : entries_(entries), names_(names), states_(states) {}

  __device__ void begin() const {
    for (std::uint32_t i = threadIdx.x; i < entries_ * warps(); i += blockDim.x) {
      cuda::store_shared(names_ + i * 4, 0);
    }
  }
  /// Folds a value into the place of a bin, if it has one in this warp.
  __device__ bool add(Fold const& fold, std::uint64_t bin, value const& x) const {
    if (entries_ == 0) {
      return false;
    }
    std::uint32_t const first = first_of(bin);
    std::uint32_t const way = find(first, name(bin));
    if (way == ways) {
      return false;
    }
    fold.add(at(first + way), x);
    return true;
  }
  /// Gives a bin a free place and folds a value in; false where there is none.
  __device__ bool claim(Fold const& fold, std::uint64_t bin, value const& x) const {
    if (entries_ == 0) {
      return false;
    }
    std::uint32_t const first = first_of(bin);
    std::uint32_t const way = find(first, 0);
    if (way == ways || cuda::name_shared(names_ + (first + way) * 4, name(bin)) != 0) {
      return false;
    }
    auto* const place = ::new (static_cast<void*>(&at(first + way))) state(fold.empty());
    fold.add(*place, x);
    return true;
  }
  /// Calls `give(bin, state)`, all those of a bin by one thread. All threads call it when none adds
  /// any more.
  template <class Give>
  __device__ void flush(Give give) const {
    // A bin has the same places in all warps.
    for (std::uint32_t set = threadIdx.x; set < entries_ / ways; set += blockDim.x) {
      for (std::uint32_t warp = 0; warp < warps(); ++warp) {
        std::uint32_t const first = warp * entries_ + set * ways;
        uint4 const n = cuda::load_four_shared(names_ + first * 4);
        std::uint32_t const names[ways] = {n.x, n.y, n.z, n.w};
#pragma unroll
        for (unsigned way = 0; way < ways; ++way) {
          if (names[way] != 0) {
            give(names[way] - 1, at(first + way));
          }
        }
      }
    }
  }

private:
  __device__ static std::uint32_t warps() {
    return blockDim.x / 32;
  }
  __device__ static std::uint32_t name(std::uint64_t bin) {
    return static_cast<std::uint32_t>(bin) + 1;
  }
  __device__ std::uint32_t first_of(std::uint64_t bin) const {
    std::uint32_t const mixed = static_cast<std::uint32_t>(bin) * 0x9e3779b9u >> 16;
    return threadIdx.x / 32 * entries_ + (mixed & (entries_ / ways - 1)) * ways;
  }
  /// The way of a set that has a name, or `ways`.
  __device__ std::uint32_t find(std::uint32_t first, std::uint32_t wanted) const {
    uint4 const n = cuda::load_four_shared(names_ + first * 4);
    return n.x == wanted ? 0 : n.y == wanted ? 1 : n.z == wanted ? 2 : n.w == wanted ? 3 : ways;
  }
  __device__ state& at(std::uint32_t i) const {
    return *cuda::shared_pointer<state>(states_ + i * static_cast<std::uint32_t>(sizeof(state)));
  }

  std::uint32_t entries_;
  std::uint32_t names_;  // bin + 1 of each entry, or 0
  std::uint32_t states_;
};

#pragma GCC visibility pop
}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
