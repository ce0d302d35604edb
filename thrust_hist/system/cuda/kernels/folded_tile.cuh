// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Sorted codes with a word beside each that is a state, or tells of one: what a block knows of a
/// tile of these. Each thread folds neighbours, and what runs reach over is folded from lane to
/// lane and from warp to warp.

#include <thrust_hist/config.h>
#include <thrust_hist/system/cuda/kernels/key_neighbours.cuh>
#include <thrust_hist/system/cuda/kernels/lanes.cuh>
#include <thrust_hist/system/cuda/run_tiles.h>

#include <cstdint>
#include <new>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {
#pragma GCC visibility push(hidden)

/// What is left of runs that reach beyond a stretch of codes: of a warp, or a tile.
template <class State>
struct stretch_ends {
  alignas(State) unsigned char lead_bytes[sizeof(State)];  ///< of a run of an earlier stretch
  alignas(State) unsigned char last_bytes[sizeof(State)];  ///< of the last run that begins here
  std::uint32_t row;                                       ///< of that run, in the tile
  bool has_lead;
  bool has_begin;

  __device__ State const& lead() const { return *reinterpret_cast<State const*>(lead_bytes); }
  __device__ State const& last() const { return *reinterpret_cast<State const*>(last_bytes); }
  __device__ void clear() {
    has_lead = false;
    has_begin = false;
  }
  __device__ void set_lead(State const& x) {
    ::new (static_cast<void*>(lead_bytes)) State(x);
    has_lead = true;
  }
  __device__ void set_last(std::uint32_t of_row, State const& x) {
    ::new (static_cast<void*>(last_bytes)) State(x);
    row = of_row;
    has_begin = true;
  }
};

/// What a lane has of the runs in a part of a stretch. Those that are there are the first lanes.
template <class State>
struct lane_part {
  State open;         ///< what its last run has; where none begins in it, all
  State lead;         ///< what belongs to a run of lower lanes, where one begins behind that
  std::uint32_t row;  ///< of the last run that begins in it, or before
  bool is_there;
  bool has_begin;
  bool has_lead;
};

/// Folds what the lanes from `start` to each lane have. All lanes must call it.
template <class Fold, class State>
__device__ inline void fold_up_to_lane(Fold const& fold, State& x, unsigned const start) {
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

/// Folds what runs have in parts of several lanes. `finish(row, state)` is given those that begin
/// and end in the stretch, but not in one part; `ends` what is left. All lanes must call it.
template <class Fold, class State, class Finish>
__device__ inline void join_lanes(
    Fold const& fold, lane_part<State> part, stretch_ends<State>& ends, Finish finish) {
  unsigned const lane = threadIdx.x % 32;
  if (lane == 0) {
    ends.clear();
  }
  __syncwarp();
  unsigned const are_there = __ballot_sync(~0u, part.is_there);
  unsigned const have_begin = __ballot_sync(~0u, part.has_begin);
  unsigned const up_to_here = have_begin & ((2u << lane) - 1);
  unsigned const start =
      up_to_here != 0 ? 31 - static_cast<unsigned>(__clz(static_cast<int>(up_to_here))) : 0;
  cuda::fold_up_to_lane(fold, part.open, part.is_there ? start : lane);
  State before = cuda::from_lane(~0u, part.open, (lane - 1) % 32);
  std::uint32_t const row_before = __shfl_up_sync(~0u, part.row, 1);
  if (part.has_begin && (lane > 0 || part.has_lead)) {  // of a run that ends here
    if (lane == 0) {
      before = part.lead;
    } else if (part.has_lead) {
      fold.merge(before, part.lead);
    }
    if ((have_begin & ((1u << lane) - 1)) != 0) {
      finish(row_before, before);
    } else {
      ends.set_lead(before);
    }
  }
  if (are_there >> lane == 1) {  // the last one
    if (have_begin != 0) {
      ends.set_last(part.row, part.open);
    } else {
      ends.set_lead(part.open);
    }
  }
}

/// In shared memory: the rows that begin in a tile, side by side.
template <class Begins, class States>
struct folded_tile {
  using state = typename States::state;
  static constexpr unsigned of_thread =
      folded_tiles::of(sizeof(kept_key<Begins>), sizeof(typename States::word), sizeof(state))
          .of_thread;
  static constexpr unsigned warps = run_tiles::most_threads / 32;
  using slots = row_slots<of_thread>;

  kept_key<Begins> keys[slots::number];
  alignas(state) unsigned char state_bytes[slots::number * sizeof(state)];
  stretch_ends<state> of_warps[warps];
  stretch_ends<state> of_tile;

  __device__ kept_key<Begins>& key_of(std::uint32_t row) { return keys[slots::of(row)]; }
  __device__ state const& state_of(std::uint32_t row) const {
    return reinterpret_cast<state const*>(state_bytes)[slots::of(row)];
  }
  __device__ void set_state(std::uint32_t row, state const& x) {
    ::new (static_cast<void*>(state_bytes + slots::of(row) * sizeof(state))) state(x);
  }

  /// Folds what runs have in stretches of several warps. By one warp, when all stretches have been
  /// folded.
  template <class Fold>
  __device__ void join_warps(Fold const& fold) {
    unsigned const lane = threadIdx.x % 32;
    stretch_ends<state> const& mine = of_warps[lane < blockDim.x / 32 ? lane : 0];
    bool const is_there = lane < blockDim.x / 32 && (mine.has_lead || mine.has_begin);
    bool const has_begin = is_there && mine.has_begin;
    unsigned const begun = __ballot_sync(~0u, has_begin) & ((2u << lane) - 1);
    std::uint32_t const row =
        __shfl_sync(~0u, mine.row, begun != 0 ? 31 - __clz(static_cast<int>(begun)) : 0);
    cuda::join_lanes(
        fold,
        lane_part<state>{
            has_begin ? mine.last() : mine.lead(), mine.has_lead ? mine.lead() : mine.last(), row,
            is_there, has_begin, mine.has_lead},
        of_tile, [this](std::uint32_t r, state const& x) { set_state(r, x); });
  }
};

/// Folds the runs of a thread's neighbours, of which `words` tell the states, where `row` is that
/// of the first run that begins there, or of the next. All lanes must call it.
template <class Begins, class States, class Fold>
__device__ inline void fold_neighbours(
    key_neighbours<Begins, folded_tile<Begins, States>::of_thread> const& mine,
    typename States::word const (&words)[folded_tile<Begins, States>::of_thread],
    States const& states, Fold const& fold, std::uint32_t const row,
    folded_tile<Begins, States>& rows) {
  using state = typename States::state;
  state open = states.of(words[0]);
  state lead = open;
  std::uint32_t next = row;
  if (mine.begins_at(0)) {
    rows.key_of(next++) = mine.kept(0);
  }
#pragma unroll
  for (unsigned i = 1; i < folded_tile<Begins, States>::of_thread; ++i) {
    state const x = states.of(words[i]);
    if (mine.begins_at(i)) {
      if (next > row) {
        rows.set_state(next - 1, open);
      } else {
        lead = open;
      }
      open = x;
      rows.key_of(next++) = mine.kept(i);
    } else if (i < mine.there()) {
      fold.merge(open, x);
    }
  }
  cuda::join_lanes(
      fold,
      lane_part<state>{open, lead, next - 1, mine.there() > 0, next > row, !mine.begins_at(0)},
      rows.of_warps[threadIdx.x / 32],
      [&](std::uint32_t r, state const& x) { rows.set_state(r, x); });
}

#pragma GCC visibility pop
}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
