// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Sparse histograms, route partitioned: a table in the shared memory of a block that counts the
/// codes of a slice. Two neighbouring codes are a cell, whose counters lie side by side. Each cell
/// has counters of 16 bits; or each has a mark, and those that are marked have counters of 16 bits,
/// of 8, or of 4, as there is room for. Counters stand in the order of their codes.

#include <thrust_hist/config.h>
#include <thrust_hist/system/cuda/kernels/block_sum.cuh>
#include <thrust_hist/system/cuda/kernels/lanes.cuh>
#include <thrust_hist/system/cuda/kernels/marks.cuh>
#include <thrust_hist/system/cuda/kernels/range_part.cuh>
#include <thrust_hist/system/cuda/kernels/shared_words.cuh>
#include <thrust_hist/system/cuda/range_buckets.h>

#include <cstdint>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {
#pragma GCC visibility push(hidden)

class range_table {
public:
  using code = std::uint32_t;
  using description = range_slices;
  static constexpr unsigned threads = 1024;  ///< of a block
  static constexpr unsigned blocks = 1;      ///< of a multiprocessor at least

  /// In shared memory from `memory` on, for the codes of a job.
  __device__ range_table(void* memory, range_slices const& slices, std::uint32_t job)
      : slices_(slices), first_(job << slices.slice_log2), codes_(cuda::kept(slices.codes())),
        marks_(cuda::shared_address(memory)), ranks_(cuda::kept(marks_ + slices.mark_words() * 4)),
        counters_(cuda::kept(ranks_ + slices.rank_words() * 4)) {}

  /// Counts the codes for which `for_all(use)` calls use(codes), if there is room for the distinct
  /// ones; reads them twice where cells have marks. Returns how many belong to the slice. All
  /// threads must call it, and wait for each other afterwards. Shared memory: a word for each warp,
  /// and one more.
  template <class ForAll>
  __device__ std::uint32_t fill(ForAll for_all, std::uint32_t* of_warps, std::uint32_t& beyond) {
    cells_ = slices_.cells();
    if (slices_.has_marks) {
      clear_marks();
      if (threadIdx.x == 0) {
        beyond = ~0u;
      }
      for_all([&](auto const& codes) { mark(codes); });
      rank(of_warps, beyond);
      __syncthreads();
      cells_ = cuda::sum_of_warps(of_warps);
      beyond_ = cuda::kept(beyond);
    }
    std::uint32_t counted = 0;
    if (has_room() && cells_ != 0) {
      clear_counters();
      if (slices_.has_marks) {
        for_all([&](auto const& codes) { counted += count<true>(codes); });
      } else {
        for_all([&](auto const& codes) { counted += count<false>(codes); });
      }
    }
    return counted;
  }
  /// For the distinct codes.
  __device__ bool has_room() const { return cells_ <= slices_.capacity(); }
  /// Whether what was lost may find room in half a slice: counters could be larger if cells were
  /// less.
  __device__ bool gains_by_halving(std::uint32_t) const { return !has_room() || in_word_log2_ > 0; }

  /// What the warp's part of the slice has. All threads must call it, after having waited for each
  /// other.
  __device__ range_part part_of_warp() const {
    if (!has_room() || cells_ == 0) {
      return {};
    }
    std::uint32_t const of_warp = slices_.cells() / (blockDim.x / 32);
    std::uint32_t first = threadIdx.x / 32 * of_warp;
    std::uint32_t last = first + of_warp;
    if (slices_.has_marks) {
      last = base_of(last / 64 - 1) + marks_in(last / 64 - 1);
      first = base_of(first / 64);
    }
    range_part mine = {};
    for (std::uint32_t i = first + threadIdx.x % 32; i < last; i += 32) {
      uint2 const both = counters_at(i);
      mine.rows += (both.x != 0 ? 1 : 0) + (both.y != 0 ? 1 : 0);
      mine.counted += both.x + both.y;
    }
    return range_part::over_warp(mine);
  }

  /// Calls `row(i, code, count)` for each code that occurs, and its number among all; `before`: how
  /// many occur in the parts of lower warps. All threads must call it, after having waited for each
  /// other.
  template <class Row>
  __device__ void for_rows(std::uint32_t before, Row row) const {
    for_cells([&](bool is_cell, std::uint32_t cell, std::uint32_t rank) {
      uint2 const both = is_cell ? counters_at(rank) : make_uint2(0, 0);
      std::uint32_t const low = both.x;
      std::uint32_t const high = both.y;
      unsigned const lows = __ballot_sync(~0u, low != 0);
      unsigned const highs = __ballot_sync(~0u, high != 0);
      unsigned const lower = (1u << threadIdx.x % 32) - 1;
      std::uint32_t const i = before + __popc(lows & lower) + __popc(highs & lower);
      std::uint32_t const code = first_ + cell * 2;
      if (low != 0) {
        row(i, code, low);
      }
      if (high != 0) {
        row(i + (low != 0 ? 1 : 0), code + 1, high);
      }
      before += __popc(lows) + __popc(highs);
    });
  }

private:
  /// All threads of the block must call it, and wait for each other before codes are marked.
  __device__ void clear_marks() const { clear(marks_, slices_.mark_words()); }
  /// The same before codes are counted, where cells that have counters are known.
  __device__ void clear_counters() {
    std::uint32_t const words = slices_.counter_words;
    in_word_log2_ = cells_ <= words ? 0 : cells_ <= 2 * words ? 1 : 2;
    clear(counters_, min((cells_ >> in_word_log2_) + 4, words));
  }
  /// Marks the cells of those codes that belong to the slice. Most are marked already where codes
  /// are frequent.
  template <unsigned Count>
  __device__ void mark(std::uint32_t const (&codes)[Count]) const {
    std::uint32_t seen[Count];
#pragma unroll
    for (unsigned i = 0; i < Count; ++i) {
      std::uint32_t const place = codes[i] - first_;
      seen[i] = ~0u;
      if (place < codes_) {
        seen[i] = cuda::load_shared(mark_of(place));
      }
    }
#pragma unroll
    for (unsigned i = 0; i < Count; ++i) {
      std::uint32_t const place = codes[i] - first_;
      std::uint32_t const bit = 1u << place / 2 % 32;
      cuda::mark_shared_if((seen[i] & bit) == 0, mark_of(place), bit);
    }
  }

  /// Finds out how many marks there are before each two words of them, and leaves the sum of each
  /// warp. All threads must call it, after having waited for each other.
  __device__ void rank(std::uint32_t* of_warps, std::uint32_t& beyond) const {
    std::uint32_t mine = 0;
    for_pairs([&](std::uint32_t pair) { mine += marks_in(pair); });
    std::uint32_t const before_lane = cuda::exclusive_sum_over_block(mine, of_warps);
    std::uint32_t before = __shfl_sync(~0u, before_lane, 0);
    for_pairs([&](std::uint32_t pair) {
      std::uint32_t const count = marks_in(pair);
      std::uint32_t const sum = cuda::inclusive_sum_over_warp(count);
      shared_pointer<std::uint16_t>(ranks_)[pair] =
          static_cast<std::uint16_t>(before + sum - count);
      if (before + sum - count <= 0xffff && before + sum > 0xffff) {
        beyond = pair + 1;
      }
      before += __shfl_sync(~0u, sum, 31);
    });
  }

  /// Counts those codes that belong to the slice. Returns how many do.
  template <bool Marked, unsigned Count>
  __device__ std::uint32_t count(std::uint32_t const (&codes)[Count]) const {
    std::uint32_t counted = 0;
    std::uint32_t words[Count];
#pragma unroll
    for (unsigned i = 0; i < Count; ++i) {
      std::uint32_t const place = codes[i] - first_;
      words[i] = place / 2;
      if constexpr (Marked) {
        words[i] = rank_of(place < codes_ ? place : 0);
      }
    }
#pragma unroll
    for (unsigned i = 0; i < Count; ++i) {
      std::uint32_t const place = codes[i] - first_;
      std::uint32_t word = words[i];
      std::uint32_t first_bit = (place & 1) * 16;
      if constexpr (Marked) {
        first_bit = (first_bit >> in_word_log2_) + bit_of(word);
        word >>= in_word_log2_;
      }
      cuda::increase_shared_if(place < codes_, counters_ + word * 4, 1u << first_bit);
      counted += place < codes_ ? 1 : 0;
    }
    return counted;
  }

  __device__ static void clear(std::uint32_t address, std::uint32_t words) {
    for (std::uint32_t i = threadIdx.x; i < words / 4; i += blockDim.x) {
      shared_pointer<uint4>(address)[i] = make_uint4(0, 0, 0, 0);
    }
  }
  /// Calls `use(i)` for each of `all` things, neighbours for neighbouring lanes and a stretch for
  /// each warp.
  template <class Use>
  __device__ static void share_out(std::uint32_t all, Use use) {
    std::uint32_t const of_warp = all / (blockDim.x / 32);
    std::uint32_t const first = threadIdx.x / 32 * of_warp;
    for (std::uint32_t i = 0; i < of_warp; i += 32) {
      use(first + i + threadIdx.x % 32);
    }
  }
  /// Pairs of words of marks.
  template <class Use>
  __device__ void for_pairs(Use use) const {
    share_out(slices_.cells() / 64, use);
  }
  /// Calls `use(is_cell, cell, rank)` for each cell that has counters, a stretch of them for each
  /// warp, in their order. All lanes call it together.
  template <class Use>
  __device__ void for_cells(Use use) const {
    if (!slices_.has_marks) {
      share_out(slices_.cells(), [&](std::uint32_t cell) { use(true, cell, cell); });
      return;
    }
    for_pairs([&](std::uint32_t pair) {
      uint2 const words = pair_at(pair);
      std::uint32_t const mine = __popc(words.x) + __popc(words.y);
      std::uint32_t const up_to_lane = cuda::inclusive_sum_over_warp(mine);
      std::uint32_t const all = __shfl_sync(~0u, up_to_lane, 31);
      std::uint32_t const first_rank = __shfl_sync(~0u, base_of(pair), 0);
      for (std::uint32_t first = 0; first < all; first += 32) {
        std::uint32_t const i = first + threadIdx.x % 32;
        int lane = 0;  // whose pair has mark i
#pragma unroll
        for (int step = 16; step > 0; step /= 2) {
          lane += __shfl_sync(~0u, up_to_lane, lane + step - 1) <= i ? step : 0;
        }
        std::uint32_t const before = __shfl_sync(~0u, up_to_lane - mine, lane);
        std::uint32_t const its_pair = pair - threadIdx.x % 32 + static_cast<std::uint32_t>(lane);
        use(i < all, its_pair * 64 + cuda::place_of_mark(pair_at(its_pair), i - before),
            first_rank + i);
      }
    });
  }

  /// The address of the word with the mark of a place.
  __device__ std::uint32_t mark_of(std::uint32_t place) const {
    return marks_ + place / 64 * 4;
  }
  __device__ uint2 pair_at(std::uint32_t pair) const {
    return cuda::load_two_shared(marks_ + pair * 8);
  }
  __device__ std::uint32_t marks_in(std::uint32_t pair) const {
    uint2 const words = pair_at(pair);
    return __popc(words.x) + __popc(words.y);
  }
  /// How many marks there are before a pair of words.
  __device__ std::uint32_t base_of(std::uint32_t pair) const {
    return shared_pointer<std::uint16_t>(ranks_)[pair] + (pair >= beyond_ ? 0x10000u : 0u);
  }
  /// And before that of a place.
  __device__ std::uint32_t rank_of(std::uint32_t place) const {
    uint2 const words = pair_at(place / 128);
    std::uint32_t const below = cuda::low_bits(place / 2);
    bool const is_high = (place & 64) != 0;
    return base_of(place / 128) + __popc(words.x & (is_high ? ~0u : below)) +
           __popc(words.y & (is_high ? below : 0));
  }
  /// Where the counters of cell i begin in their word.
  __device__ std::uint32_t bit_of(std::uint32_t i) const {
    return (i & ((1u << in_word_log2_) - 1)) << (5 - in_word_log2_);
  }
  /// What both counters of a cell tell.
  __device__ uint2 counters_at(std::uint32_t i) const {
    std::uint32_t const bits = 16u >> in_word_log2_;
    std::uint32_t const all = (1u << bits) - 1;
    std::uint32_t const word = cuda::load_shared(counters_ + (i >> in_word_log2_) * 4) >> bit_of(i);
    return make_uint2(word & all, word >> bits & all);
  }

  range_slices const& slices_;
  std::uint32_t first_;
  std::uint32_t codes_;  // of the slice
  std::uint32_t marks_;  // the address of an array in shared memory, as the next ones
  std::uint32_t ranks_;
  std::uint32_t counters_;
  std::uint32_t cells_ = 0;  // that have counters
  std::uint32_t beyond_ =
      0;  // the first pair before which there are more marks than half a word can tell
  unsigned in_word_log2_ = 0;  // of the cells whose counters share a word
};

#pragma GCC visibility pop
}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
