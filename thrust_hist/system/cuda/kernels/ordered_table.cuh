// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Sparse histograms, route partitioned: all codes of a slice in the shared memory of a block, put
/// in order. Each goes to its group, a stretch of memory for those that lie in the same part of the
/// slice, and groups are sorted: most of them by one thread, in registers.

#include <thrust_hist/config.h>
#include <thrust_hist/system/cuda/kernels/block_sum.cuh>
#include <thrust_hist/system/cuda/kernels/code_groups.cuh>
#include <thrust_hist/system/cuda/kernels/frequent_code.cuh>
#include <thrust_hist/system/cuda/kernels/group_sorter.cuh>
#include <thrust_hist/system/cuda/kernels/lanes.cuh>
#include <thrust_hist/system/cuda/kernels/range_part.cuh>
#include <thrust_hist/system/cuda/kernels/shared_words.cuh>
#include <thrust_hist/system/cuda/ordered_slices.h>

#include <cstdint>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {
#pragma GCC visibility push(hidden)

template <class Code>
class ordered_table {
public:
  using code = Code;
  using description = bounded_slices<Code>;
  static constexpr unsigned threads = ordered_slices::threads;
  static constexpr unsigned blocks = ordered_slices::blocks;

  /// In shared memory from `memory` on, for the codes of a job.
  __device__ ordered_table(void* memory, description const& slices, std::uint32_t job)
      : slices_(slices), ends_(cuda::shared_address(memory)),
        codes_(cuda::kept(ends_ + slices.code_offset())), map_(slices, job, ends_), job_(job) {}

  /// Puts those codes in order for which `for_all(use)` calls use(codes), and that belong to the
  /// slice; reads them twice. Returns how many do. All threads must call it, and wait for each
  /// other afterwards. Shared memory: a word for each warp, and one more.
  template <class ForAll>
  __device__ std::uint32_t fill(ForAll for_all, std::uint32_t* of_warps, std::uint32_t& longest) {
    for (std::uint32_t i = threadIdx.x; i < slices_.groups() / 4; i += blockDim.x) {
      shared_pointer<uint4>(ends_)[i] = make_uint4(0, 0, 0, 0);
    }
    map_.prepare();
    hot_.find(slices_, job_);
    __syncthreads();
    std::uint32_t counted = 0;
    for_all([&](auto const& codes) {
      counted += hot_.exists() ? count<true>(codes) : count<false>(codes);
    });
    if (hot_.add_up(of_warps)) {
      if (threadIdx.x == 0) {
        cuda::increase_shared_if(true, ends_ + group_of_frequent() * 4, 1);
      }
      __syncthreads();
    }
    find_begins(of_warps);
    group_list const groups(slices_.groups(), ends_, ends_ + slices_.list_offset());
    group_sorter<Code> const sorter(groups, codes_);
    if (threadIdx.x == 0) {
      groups.begin();
      longest = 0;
    }
    __syncthreads();
    size_ = sum_of(of_warps);
    has_room_ = size_ <= slices_.room;
    if (has_room_) {
      if (hot_.occurs() && threadIdx.x == 0) {
        std::uint32_t const to = cuda::add_shared_if(true, ends_ + group_of_frequent() * 4, 1);
        *shared_pointer<Code>(codes_ + to * sizeof(Code)) = hot_.code();
      }
      for_all([&](auto const& codes) { hot_.exists() ? place<true>(codes) : place<false>(codes); });
      sorter.sort_short();
      __syncthreads();
      // Codes of even buckets that crowd had better be put in others.
      std::uint32_t const most = slices_.sample == nullptr ? ordered_slices::longest : slices_.room;
      has_room_ = sorter.sort_listed(longest_groups(of_warps, longest), most);
    }
    return counted;
  }
  __device__ bool has_room() const { return has_room_; }
  __device__ Code code_at(std::uint32_t i) const {
    return *shared_pointer<Code const>(codes_ + i * sizeof(Code));
  }
  __device__ static bool gains_by_halving(std::uint32_t) { return false; }

  /// What the warp's part of the slice has. All threads must call it, after having waited for each
  /// other.
  __device__ range_part part_of_warp() const {
    range_part mine = {};
    for_words([&](std::uint32_t word) {
      std::uint32_t const i = word * 32 + threadIdx.x % 32;
      // The first of equal codes.
      bool const is_first = i < size_ && (i == 0 || code_at(i) != code_at(i - 1));
      unsigned const firsts = __ballot_sync(~0u, is_first);
      if (threadIdx.x % 32 == 0) {
        this->firsts()[word] = firsts;
      }
      mine.rows += is_first ? 1 : 0;
      mine.counted += i < size_ ? 1 : 0;
    });
    mine.rows += threadIdx.x == 0 && before_all() != 0 ? 1 : 0;
    mine.counted += threadIdx.x == 0 ? hot_.more() : 0;
    return range_part::over_warp(mine);
  }
  /// Calls `row(i, code, count)` for each code that occurs, and its number among all; `before`: how
  /// many occur in the parts of lower warps. All threads must call it, after having waited for each
  /// other.
  template <class Row>
  __device__ void for_rows(std::uint32_t before, Row row) const {
    std::uint32_t const lane = threadIdx.x % 32;
    std::uint32_t const equal = threadIdx.x < 32 ? before_all() : 0;
    if (equal != 0) {
      if (lane == 0) {
        row(before, slices_.before(job_), equal);
      }
      ++before;
    }
    for_words([&](std::uint32_t word) {
      std::uint32_t const firsts = this->firsts()[word];
      if ((firsts >> lane & 1) != 0) {
        std::uint32_t const i = word * 32 + lane;
        std::uint32_t const behind = firsts >> lane >> 1;
        std::uint32_t const end =
            behind != 0 ? i + static_cast<std::uint32_t>(__ffs(static_cast<int>(behind)))
                        : end_of_run(word + 1);
        Code const c = code_at(i);
        row(before + static_cast<std::uint32_t>(__popc(firsts & ((1u << lane) - 1))), c,
            end - i + hot_.more_of(c));
      }
      before += static_cast<std::uint32_t>(__popc(firsts));
    });
  }

private:
  /// Codes that a thread has addresses for.
  static constexpr unsigned at_once = 4;

  /// Calls `use(codes)` with so many of them at a time.
  template <unsigned Count, class Use>
  __device__ static void for_some(Code const (&codes)[Count], Use use) {
    static_assert(Count % at_once == 0);
#pragma unroll
    for (unsigned done = 0; done < Count; done += at_once) {
      Code some[at_once];
#pragma unroll
      for (unsigned i = 0; i < at_once; ++i) {
        some[i] = codes[done + i];
      }
      use(some);
    }
  }

  /// How many codes are the one before the slice, which has a row, too.
  __device__ std::uint32_t before_all() const {
    return slices_.sample != nullptr && job_ != 0 ? slices_.between[job_] : 0;
  }
  /// A bit for each code: whether it is the first of equal ones. They stand where groups did, which
  /// are known no more.
  __device__ std::uint32_t* firsts() const {
    return shared_pointer<std::uint32_t>(ends_);
  }
  /// Of one that reaches to the begin of a word.
  __device__ std::uint32_t end_of_run(std::uint32_t word) const {
    while (word * 32 < size_ && firsts()[word] == 0) {
      ++word;
    }
    return word * 32 < size_
               ? word * 32 + static_cast<std::uint32_t>(__ffs(static_cast<int>(firsts()[word]))) - 1
               : size_;
  }

  /// Whether it is one of those that are put in order: a frequent one is there once.
  template <bool HasFrequent>
  __device__ bool has(Code code) const {
    return map_.has(code) && !(HasFrequent && hot_.is(code));
  }
  __device__ std::uint32_t group_of_frequent() const {
    Code const codes[at_once] = {hot_.code(), hot_.code(), hot_.code(), hot_.code()};
    std::uint32_t groups[at_once];
    map_.find(codes, groups);
    return groups[0];
  }

  /// Counts those codes that belong to the slice, in their groups. Returns how many do. The word of
  /// a group first says how many codes it has, then how many are in those before it and, of its
  /// own, have a place: in the end where it ends.
  template <bool HasFrequent, unsigned Count>
  __device__ std::uint32_t count(Code const (&codes)[Count]) {
    std::uint32_t counted = 0;
    for_some(codes, [&](auto const& some) {
      std::uint32_t groups[at_once];
      map_.find(some, groups);
#pragma unroll
      for (unsigned i = 0; i < at_once; ++i) {
        bool const is_mine = has<HasFrequent>(some[i]);
        cuda::increase_shared_if(is_mine, ends_ + groups[i] * 4, 1);
        counted += is_mine ? 1 : 0;
        if constexpr (HasFrequent) {
          bool const is_one = map_.has(some[i]) && !is_mine;
          hot_.add(is_one);
          counted += is_one ? 1 : 0;
        }
      }
    });
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
  template <bool HasFrequent, unsigned Count>
  __device__ void place(Code const (&codes)[Count]) const {
    for_some(codes, [&](auto const& some) {
      std::uint32_t to[at_once];
      map_.find(some, to);
#pragma unroll
      for (unsigned i = 0; i < at_once; ++i) {
        to[i] = cuda::add_shared_if(has<HasFrequent>(some[i]), ends_ + to[i] * 4, 1);
      }
#pragma unroll
      for (unsigned i = 0; i < at_once; ++i) {
        if (has<HasFrequent>(some[i])) {
          *shared_pointer<Code>(codes_ + to[i] * sizeof(Code)) = some[i];
        }
      }
    });
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

  description const& slices_;
  std::uint32_t ends_;  // the address of an array in shared memory, as the next one
  std::uint32_t codes_;
  code_groups<Code> map_;
  std::uint32_t job_;
  frequent_code<Code> hot_;
  std::uint32_t size_ = 0;
  bool has_room_ = false;
};

#pragma GCC visibility pop
}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
