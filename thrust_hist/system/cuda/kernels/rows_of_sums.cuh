// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Exact sums of many bins in global memory: what lies in a window has a few words in each bin, and
/// a long accumulator is cleared when the first number comes that needs it.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/long_accumulator.h>
#include <thrust_hist/system/cuda/kernels/kernels_in_turn.cuh>
#include <thrust_hist/system/cuda/kernels/lanes.cuh>
#include <thrust_hist/system/cuda/kernels/long_accumulators.cuh>
#include <thrust_hist/system/cuda/kernels/merged_parts.cuh>
#include <thrust_hist/system/cuda/kernels/windows.cuh>
#include <thrust_hist/system/cuda/sum_rows.h>

#include <cstdint>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {
#pragma GCC visibility push(hidden)

/// Words for digits of 32 bits of what lies near the window of a call: those of its totals, and one
/// below, where even and normally distributed numbers have all that is too small for a window.
template <class T>
inline constexpr unsigned near_digits = window<T>::digits + 1;
__device__ inline int digits_below(int base) {
  return base >= 32 ? 1 : 0;
}
/// The position of the lowest digit; `base`: of the window.
__device__ inline int near_position(int base) {
  return base - 32 * cuda::digits_below(base);
}

template <class T>
struct sum_row {
  carry_save<T> sum;
  std::uint64_t bin;  ///< that has it
};

/// The sums of some bins, one after the other; used as a pointer to that of the first. What else
/// there is to know of them stands in memory, since kernels that add have no registers to spare.
template <class T>
struct rows_of_sums {
  sums_header* header;  ///< and behind it what sum_rows says
  std::uint64_t first;  ///< bin

  __device__ rows_of_sums operator+(std::uint64_t bins) const { return {header, first + bins}; }
  __device__ std::int64_t* digit(int i) const {
    return reinterpret_cast<std::int64_t*>(header + 1) +
           static_cast<std::uint64_t>(i) * header->bins + first;
  }
  /// Of each bin 0, or that it has a row, by the row's number + 1 where rows have numbers; or that
  /// this is being cleared.
  __device__ std::uint32_t* numbers() const {
    return reinterpret_cast<std::uint32_t*>(bytes() + header->numbers_offset);
  }
  /// The row of this bin, which has such a number.
  __device__ sum_row<T>* row(std::uint32_t number) const {
    return row_at(header->is_numbered ? number - 1 : first);
  }
  __device__ sum_row<T>* row_at(std::uint64_t place) const {
    return reinterpret_cast<sum_row<T>*>(bytes() + header->rows_offset) + place;
  }
  /// A number that no other bin has, if they have any, and while there are some: beyond, bins share
  /// rows, and the host begins again with all rows when it sees how many were taken.
  __device__ std::uint32_t next_number() const {
    if (header->is_numbered) {
      auto const take = [&](unsigned count) { return atomicAdd(&header->taken, count); };
      std::uint32_t const next = cuda::next_of_lanes(take);
      return (next < header->rows ? next : static_cast<std::uint32_t>(first) % header->rows) + 1;
    }
    header->taken = 1;  // some are
    return 1;
  }

private:
  __device__ unsigned char* bytes() const { return reinterpret_cast<unsigned char*>(header); }
};

inline constexpr std::uint32_t being_cleared = ~std::uint32_t{0};

/// The number of a bin's row, which is taken if it has none yet. Out of line: few numbers need one.
/// Where rows were cleared, two that come at once take a number each, of which one remains unused;
/// so a block may do it once for each pair at most.
template <class T>
__device__ THRUST_HIST_NOINLINE std::uint32_t number_of_row(
    sums_header* header, std::uint64_t bin) {
  rows_of_sums<T> const sum = {header, bin};
  std::uint32_t* const place = sum.numbers() + bin;
  std::uint32_t number = *static_cast<std::uint32_t volatile*>(place);
  if (header->rows_are == sum_rows_are::cleared) {
    if (number == 0) {
      std::uint32_t const next = sum.next_number();
      sum.row(next)->bin = bin;
      number = atomicCAS(place, 0, next);
      number = number == 0 ? next : number;
    }
    return number;
  }
  if (number == 0) {
    number = atomicCAS(place, 0, being_cleared);
    if (number == 0) {
      number = sum.next_number();
      *sum.row(number) = {carry_save<T>{}, bin};
      __threadfence();
      atomicExch(place, number);
    }
  }
  while (number == being_cleared) {
    number = *static_cast<std::uint32_t volatile*>(place);
  }
  __threadfence();  // what follows comes after the clearing
  return number;
}
template <class T>
__device__ inline carry_save<T>* row_of_sum(rows_of_sums<T> const& sum) {
  std::uint32_t const number = sum.header->rows_are == sum_rows_are::all_taken
                                   ? 1
                                   : cuda::number_of_row<T>(sum.header, sum.first);
  return &sum.row(number)->sum;
}
/// Sees to it that a bin has a row.
template <class T>
__device__ inline void take_row(rows_of_sums<T> const& sum) {
  cuda::row_of_sum(sum);
}

template <class T>
__device__ inline void add_to_sum(rows_of_sums<T> const& sum, T x) {
  cuda::add_to_long(cuda::row_of_sum(sum), x);
}
template <class T>
__device__ inline void add_to_sum_at_bit(rows_of_sums<T> const& sum, unsigned bit, std::int64_t x) {
  cuda::add_at_bit(*cuda::row_of_sum(sum), bit, x);
}

/// Adds a number that lies outside of a window: to the bin's digits, if it is near, or to its row.
/// Out of line, as add_to_long() is.
template <class T>
__device__ THRUST_HIST_NOINLINE void add_outside(rows_of_sums<T> const sum, int base, T x) {
  dissected<T> parts = detail::dissect(x);
  int const lowest = cuda::near_position(base);
  if (parts.kind != special::finite || parts.position < lowest ||
      parts.position >= base + window<T>::binades) {
    cuda::add_to_sum(sum, x);
    return;
  }
  parts.position -= lowest;
  digit_run<T> const run = detail::digits_of(parts);
  static_assert(
      32 + window<T>::binades <= 64 && 1 + digit_run<T>::count <= static_cast<int>(near_digits<T>),
      "there is a digit for each");
#pragma unroll
  for (int k = 0; k < digit_run<T>::count; ++k) {
    cuda::add_limb(sum.digit(run.limb + k), run.digit[k]);
  }
}

/// Adds what a block has of a bin in a window, in units of its lowest bit; `alone`: no other block
/// does.
template <class T, class Total>
__device__ inline void add_near(rows_of_sums<T> const& sum, Total total, int base, bool alone) {
  int const below = cuda::digits_below(base);
#pragma unroll
  for (int i = 0; i < window<T>::digits; ++i) {
    bool const is_last = i == window<T>::digits - 1;
    auto const digit = is_last ? static_cast<std::int64_t>(total)
                               : static_cast<std::int64_t>(static_cast<std::uint32_t>(total));
    std::int64_t* const to = sum.digit(below + i);
    if (!alone) {
      cuda::add_limb(to, digit);
    } else if (digit != 0) {  // what atomics of this block have added is in the second-level cache
      __stcg(reinterpret_cast<long long*>(to), __ldcg(reinterpret_cast<long long*>(to)) + digit);
    }
    total >>= 32;
  }
}

/// What the digits of a bin hold, in units of the lowest.
template <class T>
__device__ inline int128 near_units(rows_of_sums<T> const& sum) {
  uint128 units = 0;  // a digit by itself may be too large
  if (sum.header->has_digits) {
#pragma unroll
    for (int i = 0; i < static_cast<int>(near_digits<T>); ++i) {
      units += static_cast<uint128>(static_cast<int128>(*sum.digit(i))) << (32 * i);
    }
  }
  return static_cast<int128>(units);
}

__device__ inline void clear_words(void* memory, std::uint64_t words) {
  std::uint64_t const step = std::uint64_t{gridDim.x} * blockDim.x;
  for (std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < words;
       i += step) {
    static_cast<unsigned long long*>(memory)[i] = 0;
  }
}

/// Writes the header, and sets so many words of 8 bytes behind it to 0.
template <class T>
__launch_bounds__(merging_threads) __global__ void begin_sums(
    rows_of_sums<T> const sums, sums_header const is, std::uint64_t const words) {
  cuda::take_turn();
  if (blockIdx.x == 0 && threadIdx.x == 0) {
    *sums.header = is;
  }
  cuda::clear_words(sums.header + 1, words);
}

/// Clears all rows, so many words, where a look found that values lie too far apart for windows.
template <class T>
__launch_bounds__(merging_threads) __global__ void clear_rows(
    rows_of_sums<T> const sums, std::uint64_t const words, window_facts const* const facts) {
  cuda::take_turn();
  if (facts->wide == 0) {
    return;
  }
  if (blockIdx.x == 0 && threadIdx.x == 0) {
    sums.header->rows_are =
        sums.header->is_numbered ? sum_rows_are::cleared : sum_rows_are::all_taken;
  }
  cuda::clear_words(sums.row_at(0), words);
}

/// Calls `use(bin, row)` for each bin that has a row, when nobody adds any more: neighbouring
/// threads for neighbouring rows.
template <class T, class Use>
__device__ inline void for_each_row(rows_of_sums<T> const& sums, Use use) {
  std::uint32_t const* const numbers = sums.numbers();
  std::uint32_t const taken = sums.header->taken;
  bool const are_all_taken = sums.header->rows_are == sum_rows_are::all_taken;
  bool const is_numbered = sums.header->is_numbered;
  std::uint64_t const size = taken == 0 && !are_all_taken ? 0
                             : is_numbered                ? taken
                                                          : sums.header->bins;
  std::uint64_t const step = std::uint64_t{gridDim.x} * blockDim.x;
  for (std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < size;
       i += step) {
    sum_row<T>* const row = sums.row_at(i);
    std::uint64_t const bin = is_numbered ? row->bin : i;
    // Some numbers remain unused.
    if (are_all_taken || (is_numbered ? numbers[bin] == i + 1 : numbers[bin] != 0)) {
      use(bin, row->sum);
    }
  }
}

/// Writes the sums of bins that have no row. `facts`: of the window, if there is one.
template <class T, class Writer>
__launch_bounds__(merging_threads, 4) __global__ void write_near_sums(
    rows_of_sums<T> const sums, window_facts const* const facts, Writer const write) {
  cuda::take_turn();
  int const position = facts != nullptr ? cuda::near_position(facts->base) : 0;
  std::uint32_t const* const numbers = sums.numbers();
  std::uint64_t const bins =
      sums.header->rows_are == sum_rows_are::all_taken ? 0 : sums.header->bins;
  std::uint64_t const step = std::uint64_t{gridDim.x} * blockDim.x;
  for (std::uint64_t bin = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; bin < bins;
       bin += step) {
    if (numbers[bin] == 0) {
      write(bin, near_sum<T>{cuda::near_units(sums + bin), position});
    }
  }
}

/// Writes those of bins that have one.
template <class T, class Writer>
__launch_bounds__(merging_threads) __global__ void write_long_sums(
    rows_of_sums<T> const sums, window_facts const* const facts, Writer const write) {
  cuda::take_turn();
  cuda::for_each_row(sums, [&](std::uint64_t bin, carry_save<T> sum) {
    int128 const units = cuda::near_units(sums + bin);
    if (units != 0) {  // else there may be no window
      detail::add_units(sum, units, cuda::near_position(facts->base));
    }
    sum.normalize();
    write(bin, sum);
  });
}

/// Makes room for as many additions again.
template <class T>
__launch_bounds__(merging_threads) __global__ void normalize_rows(rows_of_sums<T> const sums) {
  cuda::take_turn();
  cuda::for_each_row(sums, [](std::uint64_t, carry_save<T>& sum) { sum.normalize(); });
}

#pragma GCC visibility pop
}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
