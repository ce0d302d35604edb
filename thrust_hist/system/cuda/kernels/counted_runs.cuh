// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Sorted codes, of which each run becomes a row: its code, and how long it is.

#include <thrust_hist/config.h>
#include <thrust_hist/system/cuda/kernels/block_sum.cuh>
#include <thrust_hist/system/cuda/kernels/kernels_in_turn.cuh>
#include <thrust_hist/system/cuda/kernels/key_neighbours.cuh>
#include <thrust_hist/system/cuda/kernels/look_back.cuh>
#include <thrust_hist/system/cuda/run_tiles.h>

#include <cstdint>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {
#pragma GCC visibility push(hidden)

/// The end of the run that begins at `begin` and reaches `from` at least: by steps that double, and
/// halving. Equal codes stand side by side.
template <class Begins>
__device__ inline std::uint64_t end_of_run(
    Begins const& codes, std::uint64_t const begin, std::uint64_t const from,
    std::uint64_t const n) {
  std::uint64_t inside = from - 1, outside = n;
  for (std::uint64_t step = 1; step < n - inside; step *= 2) {
    if (!codes.are_equal(begin, inside + step)) {
      outside = inside + step;
      break;
    }
    inside += step;
  }
  while (outside - inside > 1) {
    std::uint64_t const middle = inside + (outside - inside) / 2;
    bool const is_inside = codes.are_equal(begin, middle);
    (is_inside ? inside : outside) = middle;
  }
  return outside;
}

/// The runs that begin in a tile, in shared memory.
template <class Begins>
struct counted_tile {
  static constexpr unsigned of_thread = counted_tiles(sizeof(kept_key<Begins>)).of_thread;
  using slots = row_slots<of_thread>;

  kept_key<Begins> keys[slots::number];
  std::uint16_t places[slots::number];
};

/// So many blocks have room on a multiprocessor: of the GPUs that have half as many, or three
/// quarters, as the largest.
#if !defined(__CUDA_ARCH__)
inline constexpr unsigned counting_blocks = 8;
#elif __CUDA_ARCH__ == 750
inline constexpr unsigned counting_blocks = 4;
#elif (__CUDA_ARCH__ > 800 && __CUDA_ARCH__ < 900) || __CUDA_ARCH__ >= 1100
inline constexpr unsigned counting_blocks = 6;
#else
inline constexpr unsigned counting_blocks = 8;
#endif

/// Writes the rows of the runs that begin in each tile, and how many runs there are to `runs`; or
/// if there are keys that equal no other one, nothing, and rows_are_lost.
template <class Begins, class Writer>
__launch_bounds__(run_tiles::most_threads, counting_blocks) __global__ void count_runs(
    Begins const begins, std::uint64_t const n, Writer const writer, tile_line const line,
    unsigned long long* const runs) {
  cuda::take_turn();
  auto const ends = begins.load_ends(n);  // on the way while the tile is taken
  using tile_type = counted_tile<Begins>;
  using slots = typename tile_type::slots;
  __shared__ tile_type rows;
  __shared__ line_memory memory;
  std::uint64_t const tile = cuda::take_tile(line, memory);
  if (begins.has_alone(ends)) {
    if (tile == 0 && threadIdx.x == 0) {
      *runs = rows_are_lost;
    }
    return;
  }
  constexpr unsigned size = run_tiles::most_threads * tile_type::of_thread;
  std::uint64_t const tile_begin = tile * size;
  std::uint64_t const tile_end = min(tile_begin + size, n);
  key_neighbours<Begins, tile_type::of_thread> const mine(
      begins, {tile_begin, static_cast<unsigned>(tile_end - tile_begin)});
  std::uint32_t of_tile = 0;
  std::uint32_t row = cuda::exclusive_sum_over_block<run_tiles::most_threads / 32>(
      mine.runs(), memory.of_warps, of_tile);
  if (threadIdx.x == 0) {
    line.tell(tile, of_tile);
  }
#pragma unroll
  for (unsigned i = 0; i < tile_type::of_thread; ++i) {
    if (mine.begins_at(i)) {
      rows.keys[slots::of(row)] = mine.kept(i);
      rows.places[slots::of(row)] = mine.place(i);
      ++row;
    }
  }
  if (threadIdx.x < 32) {
    cuda::look_back(line, tile, of_tile, runs, memory);
  }
  __syncthreads();
#pragma unroll 4
  for (std::uint32_t i = threadIdx.x; i < of_tile; i += run_tiles::most_threads) {
    std::uint64_t const begin = tile_begin + rows.places[slots::of(i)];
    writer.write_key(
        memory.first + i, cuda::code_of_kept<Begins>(begins, tile_begin, rows.keys[slots::of(i)]));
    std::uint64_t const end = i + 1 < of_tile ? tile_begin + rows.places[slots::of(i + 1)]
                                              : cuda::end_of_run(begins, begin, tile_end, n);
    writer.write_value(memory.first + i, end - begin);
  }
}

#pragma GCC visibility pop
}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
