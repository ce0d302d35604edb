// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Sparse histograms, route partitioned: all codes of a slice in the shared memory of a block, put in order. Each goes
/// to its group, a stretch of memory for those that have their next bits in common, and groups are sorted: most of
/// them by one thread, in registers.

#include <thrust_hist/config.h>
#include <thrust_hist/system/cuda/kernels/block_sum.cuh>
#include <thrust_hist/system/cuda/kernels/lanes.cuh>
#include <thrust_hist/system/cuda/kernels/range_part.cuh>
#include <thrust_hist/system/cuda/kernels/shared_words.cuh>
#include <thrust_hist/system/cuda/kernels/small_sorts.cuh>
#include <thrust_hist/system/cuda/ordered_buckets.h>

#include <cstdint>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {
#pragma GCC visibility push(hidden)

template <class Code>
class ordered_table {
public:
  using code = Code;
  using description = ordered_slices;
  static constexpr unsigned threads = ordered_slices::threads;
  static constexpr unsigned blocks = ordered_slices::blocks;

  /// In shared memory from `memory` on, for the codes of a job.
  __device__ ordered_table(void* memory, ordered_slices const& slices, std::uint32_t job)
      : slices_(slices), job_(job), ends_(cuda::shared_address(memory)),
        codes_(cuda::kept(ends_ + slices.groups() * 4)) {}

  /// Puts those codes in order for which `for_all(use)` calls use(codes), and that belong to the slice; reads them
  /// twice. Returns how many do. All threads must call it, and wait for each other afterwards. Shared memory: a word
  /// for each warp, and one more.
  template <class ForAll>
  __device__ std::uint32_t fill(ForAll for_all, std::uint32_t* of_warps, std::uint32_t& too_long) {
    for (std::uint32_t i = threadIdx.x; i < slices_.groups() / 4; i += blockDim.x) {
      shared_pointer<uint4>(ends_)[i] = make_uint4(0, 0, 0, 0);
    }
    if (threadIdx.x == 0) {
      too_long = 0;
    }
    __syncthreads();
    std::uint32_t counted = 0;
    for_all([&](auto const& codes) { counted += count(codes); });
    find_begins(of_warps);
    __syncthreads();
    size_ = sum_of(of_warps);
    if (size_ <= slices_.room) {
      for_all([&](auto const& codes) { place(codes); });
      sort_groups(too_long);
      __syncthreads();
    }
    has_room_ = size_ <= slices_.room && too_long == 0;
    return counted;
  }
  __device__ bool has_room() const { return has_room_; }
  __device__ static bool gains_by_halving(std::uint32_t) { return false; }

  /// What the warp's part of the slice has. All threads must call it, after having waited for each other.
  __device__ range_part part_of_warp() const {
    range_part mine = {};
    for_words([&](std::uint32_t word) {
      std::uint32_t const i = word * 32 + threadIdx.x % 32;
      // The first of equal codes.
      bool const is_first = i < size_ && (i == 0 || code_at(i) != code_at(i - 1));
      unsigned const firsts = __ballot_sync(~0u, is_first);
      if (threadIdx.x % 32 == 0) {
        words()[word] = firsts;
      }
      mine.rows += is_first ? 1 : 0;
      mine.counted += i < size_ ? 1 : 0;
    });
    return range_part::over_warp(mine);
  }
  /// Calls `row(i, code, count)` for each code that occurs, and its number among all; `before`: how many occur in
  /// the parts of lower warps. All threads must call it, after having waited for each other.
  template <class Row>
  __device__ void for_rows(std::uint32_t before, Row row) const {
    std::uint32_t const lane = threadIdx.x % 32;
    for_words([&](std::uint32_t word) {
      std::uint32_t const firsts = words()[word];
      if ((firsts >> lane & 1) != 0) {
        std::uint32_t const i = word * 32 + lane;
        std::uint32_t const behind = firsts >> lane >> 1;
        std::uint32_t const end =
            behind != 0 ? i + static_cast<std::uint32_t>(__ffs(static_cast<int>(behind)))
                        : end_of_run(word + 1);
        row(before + static_cast<std::uint32_t>(__popc(firsts & ((1u << lane) - 1))), code_at(i),
            end - i);
      }
      before += static_cast<std::uint32_t>(__popc(firsts));
    });
  }

private:
  __device__ bool is_in_slice(Code code) const {
    return static_cast<std::uint32_t>(code >> slices_.bucket_bits) == job_;
  }
  /// The address of the word of a code's group. First it says how many codes the group has, then how many are in
  /// those before it and, of its own, have a place, which in the end is where it ends.
  __device__ std::uint32_t end_of(Code code) const {
    auto const group =
        static_cast<std::uint32_t>(code >> slices_.group_bits()) & (slices_.groups() - 1);
    return ends_ + group * 4;
  }
  __device__ Code code_at(std::uint32_t i) const {
    return *shared_pointer<Code const>(codes_ + i * sizeof(Code));
  }
  /// A bit for each code: whether it is the first of equal ones. They stand where groups did, which are known no more.
  __device__ std::uint32_t* words() const { return shared_pointer<std::uint32_t>(ends_); }
  /// Of one that reaches to the begin of a word.
  __device__ std::uint32_t end_of_run(std::uint32_t word) const {
    while (word * 32 < size_ && words()[word] == 0) {
      ++word;
    }
    return word * 32 < size_
               ? word * 32 + static_cast<std::uint32_t>(__ffs(static_cast<int>(words()[word]))) - 1
               : size_;
  }

  /// Counts those codes that belong to the slice, in their groups. Returns how many do.
  template <unsigned Count>
  __device__ std::uint32_t count(Code const (&codes)[Count]) const {
    std::uint32_t counted = 0;
#pragma unroll
    for (unsigned i = 0; i < Count; ++i) {
      bool const is_mine = is_in_slice(codes[i]);
      cuda::increase_shared_if(is_mine, end_of(codes[i]), 1);
      counted += is_mine ? 1 : 0;
    }
    return counted;
  }
  /// From the sizes of groups. Neighbouring ones for each thread, four at a time.
  __device__ void find_begins(std::uint32_t* of_warps) const {
    std::uint32_t const mine = slices_.groups() / 4 / blockDim.x;
    auto* const fours = shared_pointer<uint4>(ends_) + threadIdx.x * mine;
    std::uint32_t sum = 0;
    for (std::uint32_t i = 0; i < mine; ++i) {
      uint4 const sizes = fours[i];
      sum += sizes.x + sizes.y + sizes.z + sizes.w;
    }
    std::uint32_t begin = cuda::exclusive_sum_over_block(sum, of_warps);
    for (std::uint32_t i = 0; i < mine; ++i) {
      uint4 const sizes = fours[i];
      fours[i] = make_uint4(
          begin, begin + sizes.x, begin + sizes.x + sizes.y, begin + sizes.x + sizes.y + sizes.z);
      begin += sizes.x + sizes.y + sizes.z + sizes.w;
    }
  }
  __device__ static std::uint32_t sum_of(std::uint32_t const* of_warps) {
    std::uint32_t sum = 0;
    for (unsigned warp = 0; warp < blockDim.x / 32; ++warp) {
      sum += of_warps[warp];
    }
    return sum;
  }
  template <unsigned Count>
  __device__ void place(Code const (&codes)[Count]) const {
    std::uint32_t to[Count];
#pragma unroll
    for (unsigned i = 0; i < Count; ++i) {
      to[i] = cuda::add_shared_if(is_in_slice(codes[i]), end_of(codes[i]), 1);
    }
#pragma unroll
    for (unsigned i = 0; i < Count; ++i) {
      if (is_in_slice(codes[i])) {
        *shared_pointer<Code>(codes_ + to[i] * sizeof(Code)) = codes[i];
      }
    }
  }
  /// A thread for each, or a warp where they are long.
  __device__ void sort_groups(std::uint32_t& too_long) const {
    for (std::uint32_t g = threadIdx.x; g < slices_.groups(); g += blockDim.x) {
      std::uint32_t const begin = g == 0 ? 0 : cuda::load_shared(ends_ + g * 4 - 4);
      std::uint32_t const size = cuda::load_shared(ends_ + g * 4) - begin;
      auto* const group = shared_pointer<Code>(codes_ + begin * sizeof(Code));
      unsigned long_ones = __ballot_sync(~0u, size > small_sort::most);
      if (size > 1 && size <= small_sort::most) {
        small_sort::by_thread(group, size);
      }
      __syncwarp();
      for (; long_ones != 0; long_ones &= long_ones - 1) {
        auto const lane = static_cast<unsigned>(__ffs(static_cast<int>(long_ones))) - 1;
        std::uint32_t const its_begin = __shfl_sync(~0u, begin, static_cast<int>(lane));
        std::uint32_t const its_size = __shfl_sync(~0u, size, static_cast<int>(lane));
        if (its_size <= ordered_slices::longest) {
          small_sort::by_warp(shared_pointer<Code>(codes_ + its_begin * sizeof(Code)), its_size);
        } else {
          too_long = 1;
        }
      }
    }
  }

  /// Calls `use(word)` for each 32 codes, neighbours for a warp. All lanes call it together.
  template <class Use>
  __device__ void for_words(Use use) const {
    std::uint32_t const all = has_room_ ? (size_ + 31) / 32 : 0;
    std::uint32_t const of_warp = (all + blockDim.x / 32 - 1) / (blockDim.x / 32);
    std::uint32_t const first = threadIdx.x / 32 * of_warp;
    std::uint32_t const last = min(first + of_warp, all);
#pragma unroll 4
    for (std::uint32_t word = first; word < last; ++word) {
      use(word);
    }
  }

  ordered_slices const& slices_;
  std::uint32_t job_;
  std::uint32_t ends_;  // the address of an array in shared memory, as the next one
  std::uint32_t codes_;
  std::uint32_t size_ = 0;
  bool has_room_ = false;
};

#pragma GCC visibility pop
}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
