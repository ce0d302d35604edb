// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Sorted codes with a state beside each: the states of a run are folded into one, in their order. Each tile
/// folds the runs in it, and leaves what belongs to runs that reach beyond it.

#include <thrust_hist/config.h>
#include <thrust_hist/system/cuda/kernels/kernels_in_turn.cuh>
#include <thrust_hist/system/cuda/kernels/lanes.cuh>
#include <thrust_hist/system/cuda/kernels/list_marked.cuh>
#include <thrust_hist/system/cuda/kernels/look_back.cuh>
#include <thrust_hist/system/cuda/kernels/sorted_runs.cuh>

#include <cstdint>
#include <cstring>

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
};

/// The same of a warp's stretch of a tile.
template <class State>
struct stretch_ends {
  alignas(State) unsigned char lead_bytes[sizeof(State)];
  alignas(State) unsigned char last_bytes[sizeof(State)];
  std::uint64_t row;
  bool has_lead;
  bool has_begin;

  __device__ State* lead() { return reinterpret_cast<State*>(lead_bytes); }
  __device__ State* last() { return reinterpret_cast<State*>(last_bytes); }
  __device__ void set_lead(State const& x) {
    memcpy(lead_bytes, &x, sizeof x);
    has_lead = true;
  }
  __device__ void set_last(std::uint64_t of_row, State const& x) {
    memcpy(last_bytes, &x, sizeof x);
    row = of_row;
    has_begin = true;
  }
};

// --- folding ---------------------------------------------------------------------------------------

/// Folds what the lanes from `start` to each lane have. All lanes of the warp must call it.
template <class Fold>
__device__ inline void fold_up_to_lane(
    Fold const& fold, typename Fold::state& x, unsigned const start) {
  unsigned const lane = threadIdx.x % 32;
#pragma unroll
  for (unsigned d = 1; d < 32; d *= 2) {
    if (!__any_sync(~0u, lane >= start + d)) {
      break;  // the runs are short
    }
    auto lower = cuda::from_lane(~0u, x, (lane - d) % 32);
    if (lane >= start + d) {
      fold.merge(lower, x);
      x = lower;
    }
  }
}

/// Folds the runs of a warp's stretch, row by row of lanes. `heads` says where they begin; `row` is that of the
/// first.
template <class Begins, class States, class Writer>
__device__ inline void fold_stretch(
    Begins const& begins, std::uint64_t const n, std::uint64_t const tile, unsigned const rounds,
    std::uint32_t const (&heads)[marked_tile::rounds], std::uint64_t row, States const& states,
    Writer const& writer, stretch_ends<typename States::state>& ends) {
  using state = typename States::state;
  unsigned const lane = threadIdx.x % 32;
  state ahead = states(min(marked_tile::place(tile, 0, rounds), n - 1));
  state open = ahead;  // what the run has that is not at its end
  bool is_open = false;
  bool has_begin = false;
  // Lanes that see the end of a run: of one that began before the stretch there is one end.
  auto const deliver = [&](std::uint64_t of_row, bool began_here, state const& x) {
    if (began_here) {
      writer.write_value(of_row, x);
    } else {
      ends.set_lead(x);
    }
  };
#pragma unroll
  for (unsigned r = 0; r < marked_tile::rounds; ++r) {
    std::uint64_t const first = marked_tile::place(tile, r, rounds) - lane;
    if (r >= rounds || first >= n) {
      break;
    }
    auto const here = static_cast<unsigned>(min(n - first, std::uint64_t{32}));
    std::uint64_t const i = first + min(lane, here - 1);
    std::uint32_t const begun = heads[r] & ((2u << lane) - 1);  // up to this lane
    std::uint64_t const my_row = row + __popc(begun) - 1;
    if ((heads[r] >> lane & 1) != 0) {
      writer.write_key(my_row, begins.code(i));
    }
    state x = ahead;
    if (r + 1 < rounds) {
      ahead = states(min(marked_tile::place(tile, r + 1, rounds), n - 1));
    }
    if (is_open && lane == 0) {
      if ((heads[r] & 1) != 0) {
        deliver(row - 1, has_begin, open);
      } else {
        writer.fold.merge(open, x);
        x = open;
      }
    }
    cuda::fold_up_to_lane(
        writer.fold, x,
        begun != 0 ? 31 - static_cast<unsigned>(__clz(static_cast<int>(begun))) : 0);
    if (lane < 31 && (heads[r] >> (lane + 1) & 1) != 0) {
      deliver(my_row, has_begin || begun != 0, x);
    }
    open = cuda::from_lane(~0u, x, here - 1);
    is_open = true;
    has_begin = has_begin || heads[r] != 0;
    row += __popc(heads[r]);
  }
  if (is_open && lane == 0) {
    if (has_begin) {
      ends.set_last(row - 1, open);
    } else {
      ends.set_lead(open);
    }
  }
}

/// Folds the runs of each tile, of `rounds` rounds, and writes how many runs there are to `runs`; or
/// nothing, and rows_are_lost, as count_runs() does.
template <class Begins, class States, class Writer>
__launch_bounds__(marked_tile::threads) __global__ void fold_runs(
    Begins const begins, std::uint64_t const n, unsigned const rounds, States const states,
    Writer const writer, tile_line const line, tile_ends<typename States::state> const ends,
    unsigned long long* const runs) {
  cuda::take_turn();
  using state = typename States::state;
  auto const of_ends = begins.load_ends(n);  // on the way while the tile is taken
  constexpr unsigned warps = marked_tile::threads / 32;
  __shared__ stretch_ends<state> of_stretches[warps];
  unsigned const warp = threadIdx.x / 32;
  if (threadIdx.x % 32 == 0) {
    of_stretches[warp].has_lead = false;
    of_stretches[warp].has_begin = false;
  }
  __shared__ line_memory memory;
  std::uint64_t const tile = cuda::take_tile(line, memory);
  std::uint32_t heads[marked_tile::rounds];
  std::uint32_t const of_warp = cuda::look_at_tile(begins, n, tile, heads, rounds);
  if (begins.has_alone(of_ends)) {
    if (threadIdx.x == 0) {
      ends.rows[tile] = 0;  // nothing to join
    }
    if (tile == 0 && threadIdx.x == 0) {
      *runs = rows_are_lost;
    }
    return;
  }
  place_in_line const here =
      cuda::find_place<marked_tile::threads>(line, tile, of_warp, runs, memory);
  cuda::fold_stretch(
      begins, n, tile, rounds, heads, here.first + here.before, states, writer, of_stretches[warp]);
  __syncthreads();
  if (threadIdx.x != 0) {
    return;
  }
  state* lead = nullptr;
  state* last = nullptr;
  std::uint64_t row = 0;
  for (stretch_ends<state>& s : of_stretches) {
    if (s.has_lead) {
      if (last != nullptr) {
        writer.fold.merge(*last, *s.lead());
      } else if (lead != nullptr) {
        writer.fold.merge(*lead, *s.lead());
      } else {
        lead = s.lead();
      }
    }
    if (s.has_begin) {
      if (last != nullptr) {
        writer.write_value(row, *last);
      }
      last = s.last();
      row = s.row;
    }
  }
  if (gridDim.x == 1) {  // nothing to join
    writer.write_value(row, *last);
    return;
  }
  using tiles = tile_ends<state>;
  ends.rows[tile] =
      row * 4 + (lead != nullptr ? tiles::has_lead : 0) + (last != nullptr ? tiles::has_begin : 0);
  if (lead != nullptr) {
    memcpy(static_cast<void*>(ends.leads + tile), lead, sizeof(state));
  }
  if (last != nullptr) {
    memcpy(static_cast<void*>(ends.lasts + tile), last, sizeof(state));
  }
}

/// Finishes the last run of each tile: with the leads of the tiles behind it, up to one where a run begins. A
/// warp for each.
template <class State, class Writer>
__global__ void join_runs(
    tile_ends<State> const ends, std::uint64_t const tiles, Writer const writer) {
  cuda::take_turn();
  using flags = tile_ends<State>;
  unsigned const lane = threadIdx.x % 32;
  std::uint64_t const stride = std::uint64_t{gridDim.x} * blockDim.x / 32;
  std::uint64_t tile = (std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x) / 32;
  for (; tile < tiles; tile += stride) {
    if ((ends.rows[tile] & flags::has_begin) == 0) {
      continue;
    }
    State all = ends.lasts[tile];
    for (std::uint64_t next = tile + 1; next < tiles; next += 32) {
      std::uint64_t const mine = next + lane;
      std::uint64_t const of_mine = mine < tiles ? ends.rows[mine] : flags::has_begin;
      unsigned const begun = __ballot_sync(~0u, (of_mine & flags::has_begin) != 0);
      unsigned const up_to_begin = begun ^ (begun - 1);  // all, where none begins
      bool const has_lead = (of_mine & flags::has_lead) != 0 && (up_to_begin >> lane & 1) != 0;
      auto const leads = static_cast<unsigned>(__popc(__ballot_sync(~0u, has_lead)));
      if (leads > 0) {  // of the first lanes
        State x = ends.leads[has_lead ? mine : next];
#pragma unroll
        for (unsigned d = 1; d < 32; d *= 2) {
          State const higher = cuda::from_lane(~0u, x, (lane + d) % 32);
          if (lane % (2 * d) == 0 && lane + d < leads) {
            writer.fold.merge(x, higher);
          }
        }
        if (lane == 0) {
          writer.fold.merge(all, x);
        }
      }
      if (begun != 0) {
        break;
      }
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
