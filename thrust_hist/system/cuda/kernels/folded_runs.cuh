// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Sorted codes with a state beside each: the states of a run are folded into one, in their order.
/// Each tile folds the runs in it, and leaves what belongs to runs that reach beyond it.

#include <thrust_hist/config.h>
#include <thrust_hist/system/cuda/kernels/block_sum.cuh>
#include <thrust_hist/system/cuda/kernels/folded_tile.cuh>
#include <thrust_hist/system/cuda/kernels/kernels_in_turn.cuh>
#include <thrust_hist/system/cuda/kernels/key_neighbours.cuh>
#include <thrust_hist/system/cuda/kernels/lanes.cuh>
#include <thrust_hist/system/cuda/kernels/look_back.cuh>

#include <cstdint>
#include <new>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {
#pragma GCC visibility push(hidden)

/// What tiles leave of runs that reach beyond them, in global memory.
template <class State>
struct tile_ends {
  static constexpr std::uint64_t has_lead = 1;   ///< a tile goes on with a run of an earlier one
  static constexpr std::uint64_t has_begin = 2;  ///< a run begins in it

  std::uint64_t* rows;  ///< of each tile: that of its last run * 4, and which of these two hold
  State* leads;         ///< what belongs to a run of an earlier tile
  State* lasts;         ///< what the last run has in this tile

  __device__ void leave(
      std::uint64_t tile, std::uint64_t first_row, stretch_ends<State> const& of_tile) const {
    rows[tile] = (of_tile.has_lead ? has_lead : 0) +
                 (of_tile.has_begin ? (first_row + of_tile.row) * 4 + has_begin : 0);
    if (of_tile.has_lead) {
      ::new (static_cast<void*>(leads + tile)) State(of_tile.lead());
    }
    if (of_tile.has_begin) {
      ::new (static_cast<void*>(lasts + tile)) State(of_tile.last());
    }
  }
};

/// Writes the rows that begin in a tile, but of the last one only the key: not all of it is known.
template <class Begins, class Tile, class Writer>
__device__ inline void write_rows(
    Begins const& begins, std::uint64_t const tile_begin, Tile& rows, std::uint64_t const first,
    std::uint32_t const number, Writer const& writer) {
  constexpr unsigned at_once = 4;  // so that some are on their way
  for (std::uint32_t i = threadIdx.x; i < number; i += at_once * blockDim.x) {
#pragma unroll
    for (unsigned j = 0; j < at_once; ++j) {
      std::uint32_t const row = i + j * blockDim.x;
      if (row < number) {
        writer.write_key(
            first + row, cuda::code_of_kept<Begins>(begins, tile_begin, rows.key_of(row)));
      }
    }
#pragma unroll
    for (unsigned j = 0; j < at_once; ++j) {
      std::uint32_t const row = i + j * blockDim.x;
      if (row + 1 < number) {
        writer.write_value(first + row, rows.state_of(row));
      }
    }
  }
}

/// Of small states, so many blocks of this size have room on a multiprocessor.
template <class State>
inline constexpr unsigned folding_blocks = sizeof(State) <= 8 ? 4 : 1;

/// Folds the runs of each tile, and writes how many runs there are to `runs`; or nothing, and
/// rows_are_lost, as count_runs() does.
template <class Begins, class States, class Writer>
__launch_bounds__(run_tiles::most_threads, folding_blocks<typename States::state>)
    __global__ void fold_runs(
        Begins const begins, std::uint64_t const n, States const states, Writer const writer,
        tile_line const line, tile_ends<typename States::state> const ends,
        unsigned long long* const runs) {
  cuda::take_turn();
  using tile_type = folded_tile<Begins, States>;
  auto const of_ends = begins.load_ends(n);  // on the way while the tile is taken
  static_assert(sizeof(tile_type) + sizeof(line_memory) <= 48 * 1024);
  __shared__ tile_type rows;
  __shared__ line_memory memory;
  std::uint64_t const tile = cuda::take_tile(line, memory);
  if (begins.has_alone(of_ends)) {
    if (threadIdx.x == 0) {
      ends.rows[tile] = 0;  // nothing to join
    }
    if (tile == 0 && threadIdx.x == 0) {
      *runs = rows_are_lost;
    }
    return;
  }
  unsigned const size = blockDim.x * tile_type::of_thread;
  std::uint64_t const begin = tile * size;
  thread_neighbours<tile_type::of_thread> const places(
      begin, static_cast<unsigned>(min(n - begin, std::uint64_t{size})));
  typename States::word words[tile_type::of_thread];
  places.load(states.words, words);
  key_neighbours<Begins, tile_type::of_thread> const mine(begins, places);
  std::uint32_t of_tile = 0;
  std::uint32_t const row =
      cuda::exclusive_sum_over_block<tile_type::warps>(mine.runs(), memory.of_warps, of_tile);
  if (threadIdx.x == 0) {
    line.tell(tile, of_tile);  // before anything is folded: others may be looking back
  }
  cuda::fold_neighbours(mine, words, states, writer.fold, row, rows);
  __syncthreads();
  if (threadIdx.x < 32) {
    cuda::look_back(line, tile, of_tile, runs, memory);
  }
  if (threadIdx.x / 32 + 1 == blockDim.x / 32) {
    rows.join_warps(writer.fold);
  }
  __syncthreads();
  cuda::write_rows(begins, begin, rows, memory.first, of_tile, writer);
  if (threadIdx.x != 0) {
    return;
  }
  if (line.tiles > 1) {
    ends.leave(tile, memory.first, rows.of_tile);
  } else {  // nothing to join
    writer.write_value(rows.of_tile.row, rows.of_tile.last());
  }
}

/// Folds into `all` what the next tiles have of a run, `OfLane` neighbours by each lane, up to one
/// where a run begins. Returns whether there was one, or no tile is left. All lanes must call it;
/// the first has the sum.
template <unsigned OfLane, class State, class Fold>
__device__ inline bool join_next(
    tile_ends<State> const& ends, std::uint64_t const tiles, std::uint64_t const next,
    Fold const& fold, State& all) {
  using flags = tile_ends<State>;
  unsigned const lane = threadIdx.x % 32;
  std::uint64_t const first = next + lane * OfLane;
  std::uint64_t of_tiles[OfLane];
  bool has_begin = false;
  unsigned mine = 0;  // that belong to the run: they are neighbours
#pragma unroll
  for (unsigned i = 0; i < OfLane; ++i) {
    of_tiles[i] = first + i < tiles ? ends.rows[first + i] : flags::has_begin;
  }
#pragma unroll
  for (unsigned i = 0; i < OfLane; ++i) {
    mine += !has_begin && (of_tiles[i] & flags::has_lead) != 0 ? 1 : 0;
    has_begin = has_begin || (of_tiles[i] & flags::has_begin) != 0;
  }
  unsigned const begun = __ballot_sync(~0u, has_begin);
  unsigned const up_to_begin = begun ^ (begun - 1);  // all, where none begins
  bool const has_lead = mine > 0 && (up_to_begin >> lane & 1) != 0;
  auto const leads = static_cast<unsigned>(__popc(__ballot_sync(~0u, has_lead)));
  if (leads > 0) {  // of the first lanes
    State x = ends.leads[has_lead ? first : next];
#pragma unroll
    for (unsigned i = 1; i < OfLane; ++i) {
      if (has_lead && i < mine) {
        fold.merge(x, ends.leads[first + i]);
      }
    }
#pragma unroll
    for (unsigned d = 1; d < 32; d *= 2) {
      State const higher = cuda::from_lane(~0u, x, (lane + d) % 32);
      if (lane % (2 * d) == 0 && lane + d < leads) {
        fold.merge(x, higher);
      }
    }
    if (lane == 0) {
      fold.merge(all, x);
    }
  }
  return begun != 0;
}

/// Finishes the last run of each tile: with the leads of the tiles behind it, up to one where a run
/// begins. A warp for each.
template <class State, class Writer>
__global__ void join_runs(
    tile_ends<State> const ends, std::uint64_t const tiles, Writer const writer) {
  cuda::take_turn();
  constexpr unsigned of_lane = 8;  // of a run that is long
  unsigned const lane = threadIdx.x % 32;
  std::uint64_t const stride = std::uint64_t{gridDim.x} * blockDim.x / 32;
  std::uint64_t tile = (std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x) / 32;
  for (; tile < tiles; tile += stride) {
    if ((ends.rows[tile] & tile_ends<State>::has_begin) == 0) {
      continue;
    }
    State all = ends.lasts[tile];
    std::uint64_t next = tile + 1;
    bool is_all = cuda::join_next<1>(ends, tiles, next, writer.fold, all);
    for (next += 32; !is_all; next += 32 * of_lane) {
      is_all = cuda::join_next<of_lane>(ends, tiles, next, writer.fold, all);
    }
    if (lane == 0) {
      writer.write_value(ends.rows[tile] / 4, all);
    }
  }
}

#pragma GCC visibility pop
}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
