// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Sparse histograms, route partitioned where most keys are distinct: groups of codes in the shared
/// memory of a block are sorted, each by a thread, a warp or the block.

#include <thrust_hist/config.h>
#include <thrust_hist/system/cuda/kernels/group_list.cuh>
#include <thrust_hist/system/cuda/kernels/shared_words.cuh>
#include <thrust_hist/system/cuda/kernels/small_sorts.cuh>
#include <thrust_hist/system/cuda/ordered_slices.h>

#include <cstdint>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {
#pragma GCC visibility push(hidden)

/// All threads must call each of the sorts, in turn, and wait for each other in between.
template <class Code>
class group_sorter {
public:
  /// `codes`: their address in shared memory.
  __device__ group_sorter(group_list const& groups, std::uint32_t codes)
      : groups_(groups), codes_(codes) {}

  /// A thread for each. Lists longer ones.
  __device__ void sort_short() const {
    groups_.for_all([this](std::uint32_t group, std::uint32_t size) {
      if (size > small_sort::most) {
        groups_.add(group);
      }
      if (are_few(size)) {
        if (size > 1 && size <= small_sort::few) {
          small_sort::by_thread<small_sort::few>(codes_of(group), size);
        }
      } else if (size > 1 && size <= small_sort::most) {
        small_sort::by_thread<small_sort::most>(codes_of(group), size);
      }
    });
  }
  /// All longer ones. Returns false, and may leave some as they are, if one is longer than `most`.
  /// All threads must call it, and wait for each other before.
  __device__ bool sort_listed(longest_groups const& longest, std::uint32_t most) const {
    sort_long(longest);
    __syncthreads();
    return sort_longest(longest, most);
  }

private:
  /// Whether that can be said of all groups that lanes have: of numbers that take four registers
  /// each it pays to ask.
  __device__ static bool are_few(std::uint32_t size) {
    if constexpr (sizeof(Code) > 8) {
      return __any_sync(~0u, size > small_sort::few && size <= small_sort::most) == 0;
    }
    return false;
  }
  /// A warp for each that is listed. Lists those that are too long for one, if there is room. Equal
  /// codes need no sort.
  __device__ void sort_long(longest_groups const& longest) const {
    groups_.for_listed([&](std::uint32_t group, std::uint32_t size, std::uint32_t) {
      if (size > small_sort::most && !are_equal(codes_of(group), size) &&
          (size <= ordered_slices::longest_of_warp || !longest.add(group))) {
        small_sort::by_warp(codes_of(group), size);
      }
    });
  }
  /// Returns false, and leaves groups as they are, if one of so many as are listed is longer than
  /// that.
  __device__ bool sort_longest(longest_groups const& longest, std::uint32_t most) const {
    for (std::uint32_t i = 0; i < longest.number(); ++i) {
      if (groups_.size_of(longest[i]) > most) {
        return false;
      }
    }
    for (std::uint32_t i = 0; i < longest.number(); ++i) {
      small_sort::by_block(codes_of(longest[i]), groups_.size_of(longest[i]));
    }
    return true;
  }

  __device__ Code* codes_of(std::uint32_t group) const {
    return shared_pointer<Code>(
        codes_ + groups_.begin_of(group) * static_cast<std::uint32_t>(sizeof(Code)));
  }
  /// All lanes of the warp must call it.
  __device__ static bool are_equal(Code const* codes, std::uint32_t size) {
    bool are_equal = true;
    for (std::uint32_t i = threadIdx.x % 32; i < size; i += 32) {
      are_equal = are_equal && codes[i] == codes[0];
    }
    return __all_sync(~0u, are_equal);
  }

  group_list groups_;
  std::uint32_t codes_;
};

#pragma GCC visibility pop
}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
