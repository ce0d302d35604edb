// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Sparse histograms, route partitioned: the rows of a hash table in shared memory that keeps the
/// order of its codes, and what they hold, in that order, when all has been counted.
///
/// A slot is a word: what its row does not know of the code, how many rows further on it stands
/// than it belongs and one more, and how often the code occurs; 0 if it is free. Slots of a row
/// fill up from the first on, and a code stands further on only where all rows before are full.
/// Where all rows are full in which it may stand, it is in a crowd: a small table beside.

#include <thrust_hist/config.h>
#include <thrust_hist/system/cuda/kernels/block_sum.cuh>
#include <thrust_hist/system/cuda/kernels/crowd_table.cuh>
#include <thrust_hist/system/cuda/kernels/lanes.cuh>
#include <thrust_hist/system/cuda/kernels/range_part.cuh>
#include <thrust_hist/system/cuda/kernels/shared_words.cuh>
#include <thrust_hist/system/cuda/wide_buckets.h>

#include <cstdint>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {
#pragma GCC visibility push(hidden)

class wide_rows {
public:
  /// In shared memory from `memory` on, for the codes of a job.
  __device__ wide_rows(void* memory, wide_slices const& slices, std::uint32_t job)
      : slices_(slices), job_(job),
        job_shift_(cuda::kept(32 - slices.buckets_log2 - slices.slices_log2)),
        known_(cuda::kept(slices.known_bits())),
        count_mask_(cuda::kept((1u << slices.count_bits()) - 1)),
        step_(cuda::kept(slices.all_rows() * 16)), rows_(cuda::shared_address(memory)),
        crowd_(rows_ + slices.all_rows() * wide_slices::slots_of_row * 8, slices.crowd_log2()) {}

  /// What the warp's rows have. All threads must call it, after having waited for each other.
  __device__ range_part part_of_warp() const {
    std::uint32_t const of_warp = slices_.rows() / (blockDim.x / 32);
    std::uint32_t const first = threadIdx.x / 32 * of_warp;
    range_part mine = {};
    for (std::uint32_t r = threadIdx.x % 32; r < of_warp + wide_slices::most_apart; r += 32) {
      for_slots(first + r, [&](std::uint64_t slot) {
        bool const is_own = slot != 0 && r - apart_of(slot) < of_warp;
        mine.rows += is_own ? 1 : 0;
        mine.counted += is_own ? count_of(slot) : 0;
      });
    }
    std::uint32_t const last = crowd_before(first + of_warp);
    for (std::uint32_t i = crowd_before(first) + threadIdx.x % 32; i < last; i += 32) {
      mine.rows += 1;
      mine.counted += crowd_.count_at(i);
    }
    return range_part::over_warp(mine);
  }

  /// Calls `row(i, code, count)` for each code that occurs, and its number among all; `before`: how
  /// many occur in the parts of lower warps. All threads must call it, after having waited for each
  /// other.
  template <class Row>
  __device__ void for_rows(std::uint32_t before, Row row) const {
    std::uint32_t const of_warp = slices_.rows() / (blockDim.x / 32);
    std::uint32_t const first = threadIdx.x / 32 * of_warp;
    for (std::uint32_t r = first; r < first + of_warp; r += 32) {
      std::uint32_t const mine = r + threadIdx.x % 32;
      std::uint64_t own[wide_slices::slots_of_row];
      bool const is_full = load_own(mine, mine < first + of_warp, own);
      std::uint32_t size = 0;
#pragma unroll
      for (unsigned i = 0; i < wide_slices::slots_of_row; ++i) {
        size += own[i] != nothing ? 1 : 0;
      }
      crowded_row here = {};
      if (is_full) {
        here = look_further(mine);
      }
      __syncwarp();
      std::uint32_t const all = size + here.size();
      std::uint32_t const sum = cuda::inclusive_sum_over_warp(all);
      std::uint32_t const place = before + sum - all;
      before += __shfl_sync(~0u, sum, 31);
      if (here.size() == 0) {
        sort(own);
#pragma unroll
        for (unsigned i = 0; i < wide_slices::slots_of_row; ++i) {
          if (own[i] != nothing) {
            row(place + i, code_of(mine, own[i]), count_of(own[i]));
          }
        }
      }
      for (unsigned left = __ballot_sync(~0u, here.size() != 0); left != 0; left &= left - 1) {
        auto const lane = static_cast<unsigned>(__ffs(static_cast<int>(left))) - 1;
        write_together(
            r + lane, cuda::from_lane(~0u, here, lane), cuda::from_lane(~0u, place, lane), row);
      }
      __syncwarp();
    }
  }

protected:
  /// The address of a row.
  __device__ std::uint32_t address_of(std::uint32_t row) const {
    return rows_ + row * 16;
  }
  __device__ std::uint32_t apart_of(std::uint64_t slot) const {
    return (static_cast<std::uint32_t>(slot >> slices_.count_bits()) &
            ((1u << wide_slices::apart_bits) - 1)) -
           1;
  }
  __device__ std::uint32_t count_of(std::uint64_t slot) const {
    return static_cast<std::uint32_t>(slot) & count_mask_;
  }
  /// A slot without a count: of a code that stands so many rows further on than it belongs.
  __device__ std::uint64_t name_of(std::uint64_t code, std::uint32_t apart) const {
    // The bits of `apart` lie in the low word, and are 0 in the code.
    std::uint64_t const rest = code << known_;
    return rest | (apart + 1) << slices_.count_bits();
  }
  /// The code of a slot that belongs to a row.
  __device__ std::uint64_t code_of(std::uint32_t row, std::uint64_t slot) const {
    std::uint64_t const known = (std::uint64_t{job_} << slices_.rows_log2) + row;
    return (known << (64 - known_)) + (slot >> known_);
  }
  /// What a code of the slice is called in the crowd: its bits that not all codes of the slice
  /// have, and one more, which makes no word 0 nor the highest one.
  __device__ std::uint64_t word_of(std::uint64_t code) const {
    return code << job_bits() | 1;
  }
  __device__ std::uint64_t code_of_word(std::uint64_t word) const {
    return (std::uint64_t{job_} << (64 - job_bits())) | word >> job_bits();
  }
  __device__ unsigned job_bits() const {
    return 32 - job_shift_;
  }
  /// How many of the crowd belong to rows before one.
  __device__ std::uint32_t crowd_before(std::uint32_t row) const {
    if (row >= slices_.rows()) {
      return crowd_size_;
    }
    return crowd_.below(std::uint64_t{row} << (64 - slices_.rows_log2), crowd_size_);
  }
  template <class Use>
  __device__ void for_slots(std::uint32_t row, Use use) const {
    std::uint32_t address = address_of(row);
#pragma unroll
    for (unsigned pair = 0; pair < wide_slices::slots_of_row / 2; ++pair) {
      uint4 const slots = cuda::load_four_shared(address);
      use(slots.x + (std::uint64_t{slots.y} << 32));
      use(slots.z + (std::uint64_t{slots.w} << 32));
      address += step_;
    }
  }

  wide_slices const& slices_;
  std::uint32_t job_;
  unsigned job_shift_;
  unsigned known_;
  std::uint32_t count_mask_;
  std::uint32_t step_;  // from a pair of slots of a row to the next
  std::uint32_t rows_;  // the address of the first pairs of all rows
  crowd_table crowd_;   // sorted, when all has been counted
  std::uint32_t crowd_size_ = 0;

private:
  static constexpr std::uint64_t nothing = ~std::uint64_t{0};

  /// The slots of a row whose codes belong there, if they are wanted. Returns whether it is full.
  __device__ bool load_own(
      std::uint32_t row, bool wants, std::uint64_t (&own)[wide_slices::slots_of_row]) const {
    bool is_full = wants;
    unsigned i = 0;
    for_slots(wants ? row : 0, [&](std::uint64_t slot) {
      is_full = is_full && slot != 0;
      own[i++] = !wants || slot == 0 || apart_of(slot) != 0 ? nothing : slot;
    });
    return is_full;
  }
  /// What belongs to a row that is full and does not stand there.
  struct crowded_row {
    std::uint32_t rows;     ///< behind it that may hold some
    std::uint32_t further;  ///< codes there
    std::uint32_t first;    ///< of the crowd
    std::uint32_t last;

    __device__ std::uint32_t size() const { return further + last - first; }
  };
  __device__ crowded_row look_further(std::uint32_t row) const {
    crowded_row here = {};
    bool is_full = true;
    while (is_full && here.rows < wide_slices::most_apart) {
      ++here.rows;
      for_slots(row + here.rows, [&](std::uint64_t slot) {
        is_full = is_full && slot != 0;
        here.further += slot != 0 && apart_of(slot) == here.rows ? 1 : 0;
      });
    }
    here.first = crowd_before(row);
    here.last = crowd_before(row + 1);
    return here;
  }
  /// Sorts six slots by a network of 12 exchanges.
  __device__ static void sort(std::uint64_t (&x)[6]) {
    auto const exchange = [&](unsigned a, unsigned b) {
      std::uint64_t const low = min(x[a], x[b]);
      x[b] = max(x[a], x[b]);
      x[a] = low;
    };
    exchange(0, 5), exchange(1, 3), exchange(2, 4);
    exchange(1, 2), exchange(3, 4);
    exchange(0, 3), exchange(2, 5);
    exchange(0, 1), exchange(2, 3), exchange(4, 5);
    exchange(1, 2), exchange(3, 4);
  }
  /// Slot i of a row and those behind it, six of each.
  __device__ std::uint64_t slot_at(std::uint32_t row, std::uint32_t i) const {
    std::uint32_t const in_row = i % wide_slices::slots_of_row;
    std::uint32_t const address = address_of(row + i / wide_slices::slots_of_row);
    return *shared_pointer<std::uint64_t const>(address + in_row / 2 * step_ + in_row % 2 * 8);
  }
  /// The rows of all codes that belong to a row of the table, from `place` on: each finds out how
  /// many are below it. All lanes of the warp must call it.
  template <class Row>
  __device__ void write_together(
      std::uint32_t mine, crowded_row const& here, std::uint32_t place, Row row) const {
    std::uint32_t const slots = (here.rows + 1) * wide_slices::slots_of_row;
    auto const is_own = [&](std::uint32_t i, std::uint64_t slot) {
      return slot != 0 && apart_of(slot) == i / wide_slices::slots_of_row;
    };
    auto const slots_below = [&](std::uint64_t rest) {
      std::uint32_t below = 0;
      for (std::uint32_t i = 0; i < slots; ++i) {
        std::uint64_t const slot = slot_at(mine, i);
        below += is_own(i, slot) && slot >> known_ < rest ? 1 : 0;
      }
      return below;
    };
    for (std::uint32_t i = threadIdx.x % 32; i < slots; i += 32) {
      std::uint64_t const slot = slot_at(mine, i);
      if (is_own(i, slot)) {
        std::uint64_t const code = code_of(mine, slot);
        std::uint32_t const below =
            slots_below(slot >> known_) + crowd_.below(word_of(code), crowd_size_) - here.first;
        row(place + below, code, count_of(slot));
      }
    }
    for (std::uint32_t i = here.first + threadIdx.x % 32; i < here.last; i += 32) {
      std::uint64_t const word = crowd_.word_at(i);
      std::uint32_t const below = slots_below(word << slices_.rows_log2 >> known_);
      row(place + below + i - here.first, code_of_word(word), crowd_.count_at(i));
    }
  }
};

#pragma GCC visibility pop
}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
