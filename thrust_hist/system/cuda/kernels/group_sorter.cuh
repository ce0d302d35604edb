// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Sparse histograms, route partitioned where most keys are distinct: groups of codes in the shared memory of a block
/// are sorted, each by a thread, a warp or the block. Neighbours may all be long, and warps wait for the slowest one,
/// so long ones are listed.

#include <thrust_hist/config.h>
#include <thrust_hist/system/cuda/kernels/code_rows.cuh>
#include <thrust_hist/system/cuda/kernels/shared_words.cuh>
#include <thrust_hist/system/cuda/kernels/small_sorts.cuh>
#include <thrust_hist/system/cuda/ordered_slices.h>

#include <cstddef>
#include <cstdint>
#include <type_traits>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {
#pragma GCC visibility push(hidden)

/// All threads must call each of the sorts, in turn, and wait for each other in between. `Word`: of what lies beside a
/// code, or no_value.
template <class Code, class Word = no_value>
class group_sorter {
public:
  /// Addresses in shared memory: of where each of so many groups ends, of a list of groups, of codes and of words.
  __device__ group_sorter(
      std::uint32_t groups, std::uint32_t ends, std::uint32_t list, std::uint32_t codes,
      std::uint32_t words = 0)
      : groups_(groups), ends_(ends), list_(list), codes_(codes), words_(words) {}

  /// By one thread, before anything is sorted.
  __device__ void begin() const { listed() = 0; }
  /// A thread for each. Lists longer ones, while there is room.
  __device__ void sort_short() const {
    for (std::uint32_t g = threadIdx.x; g < groups_; g += blockDim.x) {
      std::uint32_t const size = size_of(g);
      if (size > small_sort::most) {
        std::uint32_t const place = atomicAdd(&listed(), 1u);
        if (place < ordered_slices::most_listed) {
          list()[place] = static_cast<std::uint16_t>(g);
        }
      }
      if (are_few(size)) {
        if (size > 1 && size <= small_sort::few) {
          small_sort::by_thread<small_sort::few>(numbers_of(g), size);
        }
      } else if (size > 1 && size <= small_sort::most) {
        small_sort::by_thread<small_sort::most>(numbers_of(g), size);
      }
    }
  }
  /// All longer ones. `longest`: a word for each warp that a block may have; `are_longest` is 0. Returns false, and may
  /// leave some as they are, if one is longer than `most`. All threads must call it, and wait for each other before.
  __device__ bool sort_listed(
      std::uint32_t* longest, std::uint32_t& are_longest, std::uint32_t most) const {
    sort_long(longest, are_longest);
    __syncthreads();
    return sort_longest(longest, are_longest, most);
  }

private:
  static constexpr std::uint32_t most_of_block = 32;
  static constexpr std::size_t sizeof_word = std::is_same_v<Word, no_value> ? 0 : sizeof(Word);

  /// Whether that can be said of all groups that lanes have: of numbers that take four registers each it pays to ask.
  __device__ static bool are_few(std::uint32_t size) {
    if constexpr (sizeof(Code) + sizeof_word > 8) {
      return __any_sync(~0u, size > small_sort::few && size <= small_sort::most) == 0;
    }
    return false;
  }
  /// A warp for each that is listed, or for any where there was no room for all. Lists those that are too long for one,
  /// if there is room. Equal codes need no sort.
  __device__ void sort_long(std::uint32_t* longest, std::uint32_t& are_longest) const {
    bool const are_listed = listed() <= ordered_slices::most_listed;
    std::uint32_t const all = are_listed ? listed() : groups_;
    for (std::uint32_t i = threadIdx.x / 32; i < all; i += blockDim.x / 32) {
      std::uint32_t const g = are_listed ? list()[i] : i;
      std::uint32_t const size = size_of(g);
      if (size <= small_sort::most || are_equal(codes_of(g), size)) {
        continue;
      }
      std::uint32_t place = most_of_block;
      if (size > ordered_slices::longest_of_warp) {
        place = threadIdx.x % 32 == 0 ? atomicAdd(&are_longest, 1u) : 0;
        place = __shfl_sync(~0u, place, 0);
      }
      if (place < most_of_block) {
        longest[place] = g;  // each lane the same
      } else {
        small_sort::by_warp(numbers_of(g), size);
      }
    }
  }
  /// Returns false, and leaves groups as they are, if one of so many as are listed is longer than that.
  __device__ bool sort_longest(
      std::uint32_t const* longest, std::uint32_t are_longest, std::uint32_t most) const {
    std::uint32_t const listed = min(are_longest, most_of_block);
    for (std::uint32_t i = 0; i < listed; ++i) {
      if (size_of(longest[i]) > most) {
        return false;
      }
    }
    for (std::uint32_t i = 0; i < listed; ++i) {
      small_sort::by_block(numbers_of(longest[i]), size_of(longest[i]));
    }
    return true;
  }

  __device__ std::uint32_t begin_of(std::uint32_t group) const {
    return group == 0 ? 0 : cuda::load_shared(ends_ + group * 4 - 4);
  }
  __device__ std::uint32_t size_of(std::uint32_t group) const {
    return cuda::load_shared(ends_ + group * 4) - begin_of(group);
  }
  __device__ Code* codes_of(std::uint32_t group) const {
    return shared_pointer<Code>(
        codes_ + begin_of(group) * static_cast<std::uint32_t>(sizeof(Code)));
  }
  /// With what lies beside them.
  __device__ auto numbers_of(std::uint32_t group) const {
    if constexpr (std::is_same_v<Word, no_value>) {
      return codes_of(group);
    } else {
      auto* const words =
          shared_pointer<Word>(words_ + begin_of(group) * static_cast<std::uint32_t>(sizeof(Word)));
      return pair_array<Code, Word>{codes_of(group), words};
    }
  }
  /// All lanes of the warp must call it.
  __device__ static bool are_equal(Code const* codes, std::uint32_t size) {
    bool are_equal = true;
    for (std::uint32_t i = threadIdx.x % 32; i < size; i += 32) {
      are_equal = are_equal && codes[i] == codes[0];
    }
    return __all_sync(~0u, are_equal);
  }
  /// How many groups are listed, or would be if there were room.
  __device__ std::uint32_t& listed() const { return *shared_pointer<std::uint32_t>(list_); }
  __device__ std::uint16_t* list() const { return shared_pointer<std::uint16_t>(list_ + 16); }

  std::uint32_t groups_;
  std::uint32_t ends_;
  std::uint32_t list_;
  std::uint32_t codes_;
  std::uint32_t words_;
};

#pragma GCC visibility pop
}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
