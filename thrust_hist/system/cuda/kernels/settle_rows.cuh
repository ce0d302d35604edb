// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Rows of sorted keys whose exact sums did not fit registers: which ones, and how they are summed
/// once more, in long accumulators of a thread or of the lanes of a warp.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/exact_folds.h>
#include <thrust_hist/detail/long_accumulator.h>
#include <thrust_hist/system/cuda/kernels/double_double.cuh>
#include <thrust_hist/system/cuda/kernels/kernels_in_turn.cuh>
#include <thrust_hist/system/cuda/kernels/lanes.cuh>
#include <thrust_hist/system/cuda/kernels/list_marked.cuh>
#include <thrust_hist/system/cuda/kernels/long_accumulators.cuh>
#include <thrust_hist/system/cuda/settled_pieces.h>

#include <cstdint>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {
#pragma GCC visibility push(hidden)

/// Which rows are not known, and whether there is one. All 0 at first.
struct unsettled_rows {
  unsigned char* is_unsettled;  ///< of each row
  std::uint32_t* any;
  std::uint32_t volatile* told;  ///< the same for the host, which waits for it

  __device__ void add(std::uint64_t row) const {
    is_unsettled[row] = 1;
    if (*static_cast<std::uint32_t volatile*>(any) == 0 && atomicExch(any, 1u) == 0) {
      *told = 1;
    }
  }
  __device__ bool has(std::uint64_t row) const { return is_unsettled[row] != 0; }
};

/// Writes rows that are known, and marks others.
template <class Rows>
struct settling_writer : Rows {
  unsettled_rows unsettled;

  __device__ void write_value(std::uint64_t row, double_double const& sum) const {
    if (sum.is_known()) {
      Rows::write_value(row, sum);
    } else {
      unsettled.add(row);
    }
  }
};

/// Where the rows of sorted values begin: so many, and all before `end`.
struct row_bounds {
  place_list begins;
  std::uint64_t rows;
  std::uint64_t end;

  __device__ std::uint64_t begin_of(std::uint64_t row) const { return begins.get(row); }
  __device__ std::uint64_t end_of(std::uint64_t row) const {
    return row + 1 < rows ? begins.get(row + 1) : end;
  }
};

/// A stretch of the values of one row.
struct row_piece {
  static constexpr std::uint64_t no_sum = ~std::uint64_t{0};
  std::uint64_t row;
  std::uint64_t first, end;
  std::uint64_t sum;  ///< to which it belongs, where the row has other pieces
};

/// Rows with more values than one thread sums, in pieces, and those of several pieces.
template <class Sum>
struct long_rows {
  row_piece* pieces;
  std::uint64_t* rows;  ///< of each sum
  Sum* sums;            ///< all 0 at first
  unsigned* number;     ///< of pieces, and of sums; 0 at first

  __device__ void add(std::uint64_t row, std::uint64_t begin, std::uint64_t end) const {
    constexpr std::uint64_t most = settled_pieces::most_values;
    auto const count = static_cast<unsigned>((end - begin + most - 1) / most);
    std::uint64_t sum = row_piece::no_sum;
    if (count > 1) {
      sum = atomicAdd(number + 1, 1u);
      rows[sum] = row;
    }
    row_piece* const to = pieces + atomicAdd(number, count);
    for (unsigned i = 0; i < count; ++i) {
      std::uint64_t const first = begin + i * most;
      to[i] = {row, first, min(first + most, end), sum};
    }
  }
};

/// Adds a number. Sums of floats stay in registers, where an index must be known to the compiler.
template <class T>
__device__ inline void add_value(carry_save<T>& sum, T x) {
  if constexpr (sizeof(T) == 4) {
    dissected<T> const parts = detail::dissect(x);
    digit_run<T> const run = detail::digits_of(parts);
#pragma unroll
    for (int i = 0; i < carry_save<T>::limbs; ++i) {
      sum.limb[i] += i == run.limb ? run.digit[0] : i == run.limb + 1 ? run.digit[1] : 0;
    }
    sum.specials |= parts.kind;
  } else {
    sum.add(x);
  }
}

/// Sums short rows that are not settled, one by each thread, and lists the others.
template <class States, class Fold, class Writer, class Sum>
__launch_bounds__(256) __global__ void settle_short_rows(
    row_bounds const bounds, States const values, unsettled_rows const unsettled, Fold const fold,
    Writer const writer, long_rows<Sum> const others) {
  cuda::take_turn();
  std::uint64_t const stride = std::uint64_t{gridDim.x} * blockDim.x;
  for (std::uint64_t row = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; row < bounds.rows;
       row += stride) {
    if (!unsettled.has(row)) {
      continue;
    }
    std::uint64_t const begin = bounds.begin_of(row);
    std::uint64_t const end = bounds.end_of(row);
    if (end - begin > settled_pieces::most_of_thread) {
      others.add(row, begin, end);
      continue;
    }
    Sum sum = fold.empty();
    for (std::uint64_t i = begin; i < end; ++i) {
      cuda::add_value(sum, values.value_at(i));
    }
    writer.write_value(row, sum);
  }
}

/// Sums the pieces of the others, a warp each.
template <class States, class Fold, class Writer, class Sum>
__launch_bounds__(256) __global__ void settle_long_rows(
    States const values, Fold const fold, Writer const writer, long_rows<Sum> const rows) {
  cuda::take_turn();
  unsigned const lane = threadIdx.x % 32;
  unsigned const warps = gridDim.x * blockDim.x / 32;
  unsigned const pieces = rows.number[0];
  for (unsigned p = (blockIdx.x * blockDim.x + threadIdx.x) / 32; p < pieces; p += warps) {
    row_piece const piece = rows.pieces[p];
    Sum sum = fold.empty();
    for (std::uint64_t i = piece.first + lane; i < piece.end; i += 32) {
      cuda::add_value(sum, values.value_at(i));
    }
    // Limb by limb, so that all lanes have them all.
    sum.normalize();
#pragma unroll
    for (int i = 0; i < Sum::limbs; ++i) {
      sum.limb[i] =
          cuda::over_warp(sum.limb[i], [](std::int64_t a, std::int64_t b) { return a + b; });
    }
    sum.specials = cuda::bits_of_warp(static_cast<unsigned>(sum.specials));
    if (piece.sum == row_piece::no_sum) {
      if (lane == 0) {
        writer.write_value(piece.row, sum);
      }
      continue;
    }
    Sum& all = rows.sums[piece.sum];
    for (int i = static_cast<int>(lane); i < Sum::limbs; i += 32) {
      cuda::add_limb(all.limb + i, sum.limb[i]);
    }
    if (lane == 0 && sum.specials != 0) {
      atomicOr(
          reinterpret_cast<unsigned long long*>(&all.specials),
          static_cast<unsigned long long>(sum.specials));
    }
  }
}

/// Writes rows of several pieces.
template <class Writer, class Sum>
__global__ void write_long_rows(long_rows<Sum> const rows, Writer const writer) {
  cuda::take_turn();
  unsigned const number = rows.number[1];
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < number;
       i += gridDim.x * blockDim.x) {
    writer.write_value(rows.rows[i], rows.sums[i]);
  }
}

#pragma GCC visibility pop
}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
