// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Sparse histograms, route sorted bucket by bucket: the pairs of a bucket in the shared memory of
/// a block. Each goes to its group, as in an ordered_table, and from there to its place in order,
/// in global memory. Most groups are short: each of their codes finds out by itself how many of the
/// group come before it. Longer ones are long_groups.

#include <thrust_hist/config.h>
#include <thrust_hist/system/cuda/kernels/block_sum.cuh>
#include <thrust_hist/system/cuda/kernels/code_groups.cuh>
#include <thrust_hist/system/cuda/kernels/group_list.cuh>
#include <thrust_hist/system/cuda/kernels/long_groups.cuh>
#include <thrust_hist/system/cuda/kernels/pair_array.cuh>
#include <thrust_hist/system/cuda/kernels/shared_words.cuh>
#include <thrust_hist/system/cuda/paired_buckets.h>

#include <cstdint>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {
#pragma GCC visibility push(hidden)

template <class Code, class Word>
class paired_table {
public:
  using pair_array_type = pair_array<Code, Word>;
  using buckets = paired_buckets<Code>;

  /// In shared memory from `memory` on, for so many pairs of a bucket.
  __device__ paired_table(
      void* memory, bounded_slices<Code> const& slices, std::uint32_t bucket, std::uint32_t size)
      : slices_(slices), ends_(cuda::shared_address(memory)),
        codes_(cuda::kept(ends_ + slices.code_offset())), map_(slices, bucket, ends_), size_(size) {
  }

  /// Puts pairs in order where they stand. All threads must call it. Shared memory: a word for each
  /// warp, and one more.
  __device__ void order(
      pair_array_type const& pairs, std::uint32_t* of_warps, std::uint32_t& longest) {
    for (std::uint32_t i = threadIdx.x; i < slices_.groups() / 4; i += blockDim.x) {
      shared_pointer<uint4>(ends_)[i] = make_uint4(0, 0, 0, 0);
    }
    map_.prepare();
    __syncthreads();
    places mine;
    count(pairs, mine);
    __syncthreads();
    find_ends(of_warps);
    if (threadIdx.x == 0) {
      groups().begin();
      longest = 0;
    }
    __syncthreads();
    place(pairs, mine);
    groups().for_all([this](std::uint32_t group, std::uint32_t size) {
      if (size > buckets::longest_short) {
        groups().add(group);
      }
    });
    __syncthreads();
    long_groups<Code, Word> const others(groups(), here(), pairs);
    longest_groups const left(of_warps, longest);
    others.write(left, others.write_equals());
    __syncthreads();
    others.write_longest(left);
    write_short(pairs);
  }

private:
  static constexpr unsigned at_once = 8;

  /// Of each of a thread's pairs: the number of its group, and above that how many of the group
  /// were counted before.
  using places = std::uint32_t[buckets::pairs_of_thread];
  static_assert(buckets::pairs_of_thread % at_once == 0);
  static constexpr unsigned group_bits = 16;
  static_assert(ordered_slices::most_groups_log2 <= group_bits);
  static_assert(buckets::most_room <= 1u << (32 - group_bits));

  /// Calls `use(i)` for every so-manieth of a thread's pairs that some thread has.
  template <class Use>
  __device__ void for_some(Use use) const {
#pragma unroll
    for (unsigned i = 0; i < buckets::pairs_of_thread; i += at_once) {
      if (i * blockDim.x < size_) {
        use(i);
      }
    }
  }
  /// Where a thread's i-th pair stands at first.
  __device__ std::uint32_t at(unsigned i) const {
    return i * blockDim.x + threadIdx.x;
  }

  __device__ void count(pair_array_type const& pairs, places& mine) const {
    for_some([&](unsigned first) {
      Code codes[at_once];
      std::uint32_t groups[at_once];
#pragma unroll
      for (unsigned i = 0; i < at_once; ++i) {
        codes[i] = pairs.codes[min(at(first + i), size_ - 1)];
      }
      map_.find(codes, groups);
#pragma unroll
      for (unsigned i = 0; i < at_once; ++i) {
        bool const is_there = at(first + i) < size_;
        std::uint32_t const before = cuda::add_shared_if(is_there, ends_ + groups[i] * 4, 1);
        mine[first + i] = groups[i] | before << group_bits;
      }
    });
  }
  /// From the sizes of groups. Neighbouring ones for each thread, four at a time.
  __device__ void find_ends(std::uint32_t* of_warps) const {
    std::uint32_t const mine = slices_.groups() / 4 / blockDim.x;
    auto* const fours = shared_pointer<uint4>(ends_) + threadIdx.x * mine;
    std::uint32_t sum = 0;
    for (std::uint32_t i = 0; i < mine; ++i) {
      uint4 const sizes = fours[i];
      sum += sizes.x + sizes.y + sizes.z + sizes.w;
    }
    std::uint32_t end = cuda::exclusive_sum_over_block(sum, of_warps);
    for (std::uint32_t i = 0; i < mine; ++i) {
      uint4 ends = fours[i];
      ends.x += end;
      ends.y += ends.x;
      ends.z += ends.y;
      ends.w += ends.z;
      end = ends.w;
      fours[i] = ends;
    }
  }
  __device__ void place(pair_array_type const& pairs, places const& mine) const {
    constexpr unsigned moved =
        sizeof(Code) + sizeof(Word) > 8 ? at_once / 2 : at_once;  // registers for no more
    for_some([&](unsigned first) {
#pragma unroll
      for (unsigned last = first + at_once; first < last; first += moved) {
        Code codes[moved];
        Word words[moved];
#pragma unroll
        for (unsigned i = 0; i < moved; ++i) {
          codes[i] = pairs.codes[min(at(first + i), size_ - 1)];
          words[i] = pairs.words[min(at(first + i), size_ - 1)];
        }
#pragma unroll
        for (unsigned i = 0; i < moved; ++i) {
          if (at(first + i) < size_) {
            std::uint32_t const group = mine[first + i] & ((1u << group_bits) - 1);
            std::uint32_t const to = groups().begin_of(group) + (mine[first + i] >> group_bits);
            code_at(to) = codes[i];
            word_at(to) = words[i];
            group_at(to) = static_cast<std::uint16_t>(group);
          }
        }
      }
    });
    if (threadIdx.x < buckets::codes_behind) {
      code_at(size_ + threadIdx.x) = static_cast<Code>(~Code{0});
    }
  }

  /// Those of short groups. Neighbours of a warp have their places near each other.
  __device__ void write_short(pair_array_type const& pairs) const {
    for (std::uint32_t i = threadIdx.x; i < size_; i += blockDim.x) {
      std::uint32_t const group = group_at(i);
      std::uint32_t const begin = groups().begin_of(group);
      std::uint32_t const end = groups().end_of(group);
      if (end - begin <= buckets::longest_short) {
        Code const code = code_at(i);
        pairs.put(begin + before(code, i, begin, end), code, word_at(i));
      }
    }
  }
  /// How many codes from `begin` to `end`, of a group, come before the i-th one; of equal ones
  /// those that stand before it. Some behind the end are looked at as well: those of other groups
  /// are higher.
  __device__ std::uint32_t before(
      Code code, std::uint32_t i, std::uint32_t begin, std::uint32_t end) const {
    constexpr unsigned at_once = buckets::codes_behind;
    std::uint32_t count = 0;
    for (std::uint32_t first = begin; first < end; first += at_once) {
#pragma unroll
      for (unsigned j = 0; j < at_once; ++j) {
        Code const other = code_at(first + j);
        count += other < code || (other == code && first + j < i) ? 1 : 0;
      }
    }
    return count;
  }

  __device__ group_list groups() const {
    return {slices_.groups(), ends_, ends_ + slices_.list_offset()};
  }
  __device__ shared_pairs<Code, Word> here() const {
    return {codes_, words()};
  }
  __device__ Code& code_at(std::uint32_t i) const {
    return here().code(i);
  }
  __device__ Word& word_at(std::uint32_t i) const {
    return here().word(i);
  }
  __device__ std::uint16_t& group_at(std::uint32_t i) const {
    return *shared_pointer<std::uint16_t>(
        words() + slices_.room * static_cast<std::uint32_t>(sizeof(Word)) + i * 2);
  }
  __device__ std::uint32_t words() const {
    return codes_ +
           (slices_.room + buckets::codes_behind) * static_cast<std::uint32_t>(sizeof(Code));
  }

  bounded_slices<Code> const& slices_;
  std::uint32_t ends_;  // of groups: the address of an array in shared memory, as the next one
  std::uint32_t codes_;
  code_groups<Code> map_;
  std::uint32_t size_;
};

#pragma GCC visibility pop
}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
