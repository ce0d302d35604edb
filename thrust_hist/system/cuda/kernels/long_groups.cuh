// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Sparse histograms, route sorted bucket by bucket: groups of pairs that are too long for their
/// codes to find their places one by one. What makes a group long is often a few keys: pairs of a
/// frequent one are written as they come, and only what is left is sorted.

#include <thrust_hist/config.h>
#include <thrust_hist/system/cuda/kernels/group_list.cuh>
#include <thrust_hist/system/cuda/kernels/lanes.cuh>
#include <thrust_hist/system/cuda/kernels/pair_array.cuh>
#include <thrust_hist/system/cuda/kernels/small_sorts.cuh>
#include <thrust_hist/system/cuda/ordered_slices.h>
#include <thrust_hist/system/cuda/paired_buckets.h>

#include <cstdint>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {
#pragma GCC visibility push(hidden)

/// Codes of which the pairs of a group have been written: each lane of a warp keeps one, and how
/// many these were.
template <class Code>
class written_codes {
public:
  static constexpr std::uint32_t most = 32;

  __device__ bool has_room() const { return number_ < most; }
  __device__ void add(Code code, std::uint32_t pairs) {
    bool const is_mine = threadIdx.x % 32 == number_;
    code_ = is_mine ? code : code_;
    pairs_ = is_mine ? pairs : pairs_;
    ++number_;
  }
  /// How many pairs come before those of a code. All lanes must call it.
  __device__ std::uint32_t before(Code code) const {
    std::uint32_t sum = 0;
    for (unsigned lane = 0; lane < number_; ++lane) {
      Code const other = __shfl_sync(~0u, code_, static_cast<int>(lane));
      std::uint32_t const pairs = __shfl_sync(~0u, pairs_, static_cast<int>(lane));
      sum += other < code ? pairs : 0;
    }
    return sum;
  }

  /// Keeps them in the first of so many places from `begin` on that are free, for other warps.
  /// There are more than codes.
  template <class Word>
  __device__ void keep(
      shared_pairs<Code, Word> const& here, std::uint32_t begin, std::uint32_t free) const {
    std::uint32_t const lane = threadIdx.x % 32;
    if (lane < free) {
      here.code(begin + lane) = code_;
      here.word(begin + lane) = pairs_;  // 0 behind the last one
    }
  }
  /// As before(), of what was kept.
  template <class Word>
  __device__ static std::uint32_t kept_before(
      Code code, shared_pairs<Code, Word> const& here, std::uint32_t begin, std::uint32_t free) {
    std::uint32_t sum = 0;
    for (std::uint32_t i = begin; i < begin + min(free, most) && here.word(i) != 0; ++i) {
      sum += here.code(i) < code ? static_cast<std::uint32_t>(here.word(i)) : 0;
    }
    return sum;
  }

private:
  unsigned number_ = 0;
  Code code_ = 0;
  std::uint32_t pairs_ = 0;
};

template <class Code, class Word>
class long_groups {
public:
  /// Of pairs in shared memory, which are to be written to their places in `to`.
  __device__ long_groups(
      group_list const& groups, shared_pairs<Code, Word> const& here,
      pair_array<Code, Word> const& to)
      : groups_(groups), here_(here), to_(to) {}

  /// Those of the first ones that are so long that a warp would hold up all others, if all of their
  /// pairs have one code. Returns which: a bit for each. All threads must call it, after having
  /// waited for each other.
  __device__ std::uint32_t write_equals() const {
    std::uint32_t written = 0;
    for (std::uint32_t i = 0; i < min(groups_.number(), 32u); ++i) {
      std::uint32_t const begin = groups_.begin_of(groups_[i]);
      std::uint32_t const end = groups_.end_of(groups_[i]);
      if (end - begin <= ordered_slices::longest_of_warp) {
        continue;
      }
      Code const first = here_.code(begin);
      bool are_equal = true;
      for (std::uint32_t j = begin + threadIdx.x; j < end; j += blockDim.x) {
        are_equal = are_equal && here_.code(j) == first;
      }
      if (__syncthreads_and(are_equal) == 0) {
        continue;
      }
      for (std::uint32_t j = begin + threadIdx.x; j < end; j += blockDim.x) {
        to_.put(j, first, here_.word(j));
      }
      written |= 1u << i;
    }
    return written;
  }
  /// All others, a warp for each. Leaves to the block those that are too long for one. All threads
  /// must call it.
  __device__ void write(longest_groups const& left, std::uint32_t without) const {
    groups_.for_listed([&](std::uint32_t group, std::uint32_t size, std::uint32_t i) {
      if (i < 32 && (without >> i & 1) != 0) {
        return;
      }
      std::uint32_t const begin = groups_.begin_of(group);
      written_codes<Code> written;
      std::uint32_t const rest = write_frequent(begin, size, written);
      if (rest > ordered_slices::longest_of_warp && left.add(group | rest << group_bits)) {
        written.keep(here_, begin + rest, size - rest);
      } else {
        write_sorted(begin, rest, written);
      }
    });
  }
  /// What was left. The same, after all threads have waited for each other.
  __device__ void write_longest(longest_groups const& left) const {
    for (std::uint32_t g = 0; g < left.number(); ++g) {
      std::uint32_t const group = left[g] & ((1u << group_bits) - 1);
      std::uint32_t const begin = groups_.begin_of(group);
      std::uint32_t const rest = left[g] >> group_bits;
      std::uint32_t const written = groups_.size_of(group) - rest;
      small_sort::by_block(here_.from(begin), rest);
      for (std::uint32_t i = begin + threadIdx.x; i < begin + rest; i += blockDim.x) {
        Code const code = here_.code(i);
        std::uint32_t const before =
            written_codes<Code>::kept_before(code, here_, begin + rest, written);
        to_.put(i + before, code, here_.word(i));
      }
    }
  }

private:
  using buckets = paired_buckets<Code>;
  static constexpr std::uint32_t longest_short = buckets::longest_short;
  static constexpr unsigned group_bits = 16;
  static_assert(ordered_slices::most_groups_log2 <= group_bits);
  static_assert(buckets::most_room <= 1u << (31 - group_bits));
  static_assert(buckets::most_room / (longest_short + 1) <= ordered_slices::most_listed);

  /// Pairs of codes that are an eighth of what is left, or more. Returns how many are left, from
  /// `begin` on.
  __device__ std::uint32_t write_frequent(
      std::uint32_t begin, std::uint32_t size, written_codes<Code>& written) const {
    while (size > longest_short && written.has_room()) {
      Code frequent;
      if (!find_frequent(begin, size, frequent)) {
        break;
      }
      std::uint32_t lower = 0;
      std::uint32_t equal = 0;
      for_rows(size, [&](std::uint32_t i, bool is_there) {
        Code const code = is_there ? here_.code(begin + i) : Code{0};
        lower += count_lanes(is_there && code < frequent);
        equal += count_lanes(is_there && code == frequent);
      });
      if (equal < size / 8) {
        break;
      }
      write_equal(begin, size, frequent, begin + lower + written.before(frequent));
      written.add(frequent, equal);
      size -= equal;
    }
    return size;
  }
  /// Finds the most frequent one of 32 codes. Returns false if it is not one of many.
  __device__ bool find_frequent(std::uint32_t begin, std::uint32_t size, Code& frequent) const {
    std::uint32_t const lane = threadIdx.x % 32;
    Code const code = here_.code(begin + lane * size / 32);
    auto const equals = static_cast<std::uint32_t>(__popc(__match_any_sync(~0u, code)));
    std::uint32_t const most = cuda::over_warp(
        equals << 5 | lane, [](std::uint32_t a, std::uint32_t b) { return max(a, b); });
    frequent = cuda::from_lane(~0u, code, most & 31);
    return most >> 5 > 2;
  }
  /// Writes pairs of a code from a place on, and moves all others to the begin.
  __device__ void write_equal(
      std::uint32_t begin, std::uint32_t size, Code equal, std::uint32_t place) const {
    unsigned const lower_lanes = (1u << threadIdx.x % 32) - 1;
    std::uint32_t free = begin;
    for_rows(size, [&](std::uint32_t i, bool is_there) {
      Code const code = is_there ? here_.code(begin + i) : Code{0};
      Word const word = is_there ? here_.word(begin + i) : Word{0};
      unsigned const equals = __ballot_sync(~0u, is_there && code == equal);
      unsigned const others = __ballot_sync(~0u, is_there && code != equal);
      __syncwarp();  // all have read
      if (is_there && code == equal) {
        to_.put(place + __popc(equals & lower_lanes), code, word);
      } else if (is_there) {
        here_.code(free + __popc(others & lower_lanes)) = code;
        here_.word(free + __popc(others & lower_lanes)) = word;
      }
      place += __popc(equals);
      free += __popc(others);
    });
    __syncwarp();
  }
  __device__ void write_sorted(
      std::uint32_t begin, std::uint32_t size, written_codes<Code> const& written) const {
    if (size > 1) {
      small_sort::by_warp(here_.from(begin), size);
    }
    for_rows(size, [&](std::uint32_t i, bool is_there) {
      Code const code = is_there ? here_.code(begin + i) : Code{0};
      std::uint32_t const place = begin + i + written.before(code);
      if (is_there) {
        to_.put(place, code, here_.word(begin + i));
      }
    });
  }
  /// Calls `use(i, is_there)` by all lanes of a warp, until all of so many have been there.
  template <class Use>
  __device__ static void for_rows(std::uint32_t size, Use use) {
    for (std::uint32_t first = 0; first < size; first += 32) {
      std::uint32_t const i = first + threadIdx.x % 32;
      use(i, i < size);
    }
  }
  __device__ static std::uint32_t count_lanes(bool mine) {
    return static_cast<std::uint32_t>(__popc(__ballot_sync(~0u, mine)));
  }

  group_list groups_;
  shared_pairs<Code, Word> here_;
  pair_array<Code, Word> const& to_;
};

#pragma GCC visibility pop
}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
