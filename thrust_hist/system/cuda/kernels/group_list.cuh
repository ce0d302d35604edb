// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Sparse histograms, routes that put codes in order: where groups of codes lie in the shared
/// memory of a block, and a list of long ones. Neighbours may all be long, and warps wait for the
/// slowest one, so long ones are dealt out.

#include <thrust_hist/config.h>
#include <thrust_hist/system/cuda/kernels/shared_words.cuh>
#include <thrust_hist/system/cuda/ordered_slices.h>

#include <cstdint>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {
#pragma GCC visibility push(hidden)

class group_list {
public:
  /// Addresses in shared memory: of where each of so many groups ends, and of the list.
  __device__ group_list(std::uint32_t groups, std::uint32_t ends, std::uint32_t list)
      : groups_(groups), ends_(ends), list_(list) {}

  /// By one thread, before anything is listed.
  __device__ void begin() const { listed() = 0; }
  __device__ void add(std::uint32_t group) const {
    std::uint32_t const place = atomicAdd(&listed(), 1u);
    if (place < ordered_slices::most_listed) {
      list()[place] = static_cast<std::uint16_t>(group);
    }
  }
  /// Calls `use(group, size)` for each group, by any thread.
  template <class Use>
  __device__ void for_all(Use use) const {
    for (std::uint32_t g = threadIdx.x; g < groups_; g += blockDim.x) {
      use(g, size_of(g));
    }
  }
  /// How many groups are listed, or none if there was no room for all.
  __device__ std::uint32_t number() const {
    return listed() <= ordered_slices::most_listed ? listed() : 0;
  }
  __device__ std::uint32_t operator[](std::uint32_t i) const { return list()[i]; }
  /// Calls `use(group, size, i)` by all lanes of a warp for each group that is listed, the i-th, or
  /// for any if there was no room for all. All threads must have waited for each other before.
  template <class Use>
  __device__ void for_listed(Use use) const {
    bool const are_listed = listed() <= ordered_slices::most_listed;
    std::uint32_t const all = are_listed ? listed() : groups_;
    for (std::uint32_t i = threadIdx.x / 32; i < all; i += blockDim.x / 32) {
      std::uint32_t const g = are_listed ? list()[i] : i;
      use(g, size_of(g), i);
    }
  }

  __device__ std::uint32_t begin_of(std::uint32_t group) const {
    return group == 0 ? 0 : end_of(group - 1);
  }
  __device__ std::uint32_t end_of(std::uint32_t group) const {
    return cuda::load_shared(ends_ + group * 4);
  }
  __device__ std::uint32_t size_of(std::uint32_t group) const {
    return end_of(group) - begin_of(group);
  }

private:
  /// How many groups are listed, or would be if there were room.
  __device__ std::uint32_t& listed() const { return *shared_pointer<std::uint32_t>(list_); }
  __device__ std::uint16_t* list() const { return shared_pointer<std::uint16_t>(list_ + 16); }

  std::uint32_t groups_;
  std::uint32_t ends_;
  std::uint32_t list_;
};

/// Groups that are too long for a warp, a word for each: so many of them are left to the block.
class longest_groups {
public:
  static constexpr std::uint32_t most = 32;

  /// A word for each in shared memory, and their number, which is 0 at first.
  __device__ longest_groups(std::uint32_t* groups, std::uint32_t& number)
      : groups_(groups), number_(number) {}

  /// Returns whether there is room. All lanes of a warp must call it.
  __device__ bool add(std::uint32_t which) const {
    std::uint32_t place = threadIdx.x % 32 == 0 ? atomicAdd(&number_, 1u) : 0;
    place = __shfl_sync(~0u, place, 0);
    if (place < most) {
      groups_[place] = which;  // each lane the same
    }
    return place < most;
  }
  /// When all threads have waited for each other.
  __device__ std::uint32_t number() const { return min(number_, most); }
  __device__ std::uint32_t operator[](std::uint32_t i) const { return groups_[i]; }

private:
  std::uint32_t* groups_;
  std::uint32_t& number_;
};

#pragma GCC visibility pop
}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
