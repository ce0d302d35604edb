// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Sorted codes, of which each run becomes a row: its code, and how long it is.

#include <thrust_hist/config.h>
#include <thrust_hist/system/cuda/kernels/kernels_in_turn.cuh>
#include <thrust_hist/system/cuda/kernels/list_marked.cuh>
#include <thrust_hist/system/cuda/kernels/look_back.cuh>
#include <thrust_hist/system/cuda/kernels/sorted_runs.cuh>

#include <cstdint>
#include <type_traits>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {
#pragma GCC visibility push(hidden)

/// The end of the run that begins at `begin` and reaches `from` at least: by steps that double, and halving. Equal
/// codes stand side by side.
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

/// What a block knows of the runs that begin in its tile, in shared memory. Each warp has the slots of its own stretch,
/// and takes the first of them.
template <class Begins>
struct begun_runs {
  using stored = typename Begins::stored;
  /// Other keys are read again where their runs begin: they would take more shared memory than a kernel may have.
  static constexpr bool keeps_keys = Begins::are_numbers && sizeof(stored) <= 8;
  using kept = std::conditional_t<keeps_keys, stored, char>;
  static constexpr unsigned of_stretch = 32 * marked_tile::rounds;
  static constexpr unsigned warps = marked_tile::threads / 32;
  static constexpr unsigned none = 0xffff;
  static_assert(marked_tile::size <= none);

  kept keys[keeps_keys ? marked_tile::size : 1];
  std::uint16_t places[marked_tile::size];  ///< in the tile
  std::uint16_t firsts[warps];              ///< the first place of each warp, or none

  /// Where the first run behind those of a warp begins, or none.
  __device__ unsigned first_behind(unsigned warp) const {
    unsigned first = none;
    while (++warp < warps && first == none) {
      first = firsts[warp];
    }
    return first;
  }
};

/// With which of `Rounds` keys a run begins, of every 32nd from `place` on in a tile of `size`. All keys are on their way
/// before any is looked at; the one before each comes from a cache, which takes less than to ask the lane beside.
template <unsigned Rounds, class Begins, class Kept>
__device__ inline void look_at_rounds(
    Begins const& begins, std::uint64_t const tile_begin, unsigned const place, unsigned const size,
    Kept (&keys)[Rounds], bool (&are_begins)[Rounds]) {
  if constexpr (begun_runs<Begins>::keeps_keys) {
    auto const* const tile = begins.sorted + tile_begin;
    Kept before[Rounds];
#pragma unroll
    for (unsigned r = 0; r < Rounds; ++r) {
      unsigned const i = place + r * 32;
      keys[r] = i < size ? tile[i] : Kept();
      before[r] = i < size && tile_begin + i > 0 ? *(tile + i - 1) : Kept();
    }
#pragma unroll
    for (unsigned r = 0; r < Rounds; ++r) {
      unsigned const i = place + r * 32;
      are_begins[r] = i < size && (tile_begin + i == 0 || !begins.equal(before[r], keys[r]));
    }
  } else {
#pragma unroll
    for (unsigned r = 0; r < Rounds; ++r) {
      unsigned const i = place + r * 32;
      are_begins[r] = i < size && begins(tile_begin + i);
    }
  }
}

/// Finds the runs that begin in a warp's stretch of a tile, which has `size` keys. Returns how many there are.
template <class Begins>
__device__ inline std::uint32_t find_begins(
    Begins const& begins, std::uint64_t const tile_begin, unsigned const size,
    begun_runs<Begins>& found) {
  using runs = begun_runs<Begins>;
  constexpr unsigned at_once = 8;
  unsigned const lane = threadIdx.x % 32;
  unsigned const warp = threadIdx.x / 32;
  unsigned const stretch = warp * runs::of_stretch;
  std::uint32_t count = 0;
#pragma unroll
  for (unsigned round = 0; round < marked_tile::rounds; round += at_once) {
    typename runs::kept keys[at_once];
    bool are_begins[at_once];
    unsigned const place = stretch + round * 32 + lane;
    cuda::look_at_rounds(begins, tile_begin, place, size, keys, are_begins);
#pragma unroll
    for (unsigned r = 0; r < at_once; ++r) {
      std::uint32_t const marks = __ballot_sync(~0u, are_begins[r]);
      if (are_begins[r]) {
        std::uint32_t const slot = stretch + count + __popc(marks & ((1u << lane) - 1));
        found.places[slot] = static_cast<std::uint16_t>(place + r * 32);
        if constexpr (runs::keeps_keys) {
          found.keys[slot] = keys[r];
        }
      }
      count += __popc(marks);
    }
  }
  __syncwarp();
  if (lane == 0) {
    found.firsts[warp] = static_cast<std::uint16_t>(count > 0 ? found.places[stretch] : runs::none);
  }
  return count;
}

/// Writes the rows of the runs that begin in each tile, and how many runs there are to `runs`; or if
/// there are keys that equal no other one, nothing, and rows_are_lost.
template <class Begins, class Writer>
__launch_bounds__(marked_tile::threads) __global__ void count_runs(
    Begins const begins, std::uint64_t const n, Writer const writer, tile_line const line,
    unsigned long long* const runs) {
  cuda::take_turn();
  auto const ends = begins.load_ends(n);  // on the way while the tile is taken
  __shared__ begun_runs<Begins> found;
  __shared__ line_memory memory;
  std::uint64_t const tile = cuda::take_tile(line, memory);
  std::uint64_t const tile_begin = tile * marked_tile::size;
  std::uint64_t const tile_end = min(tile_begin + marked_tile::size, n);
  std::uint32_t const of_warp =
      cuda::find_begins(begins, tile_begin, static_cast<unsigned>(tile_end - tile_begin), found);
  if (begins.has_alone(ends)) {
    if (tile == 0 && threadIdx.x == 0) {
      *runs = rows_are_lost;
    }
    return;
  }
  place_in_line const here =
      cuda::find_place<marked_tile::threads>(line, tile, of_warp, runs, memory);
  unsigned const warp = threadIdx.x / 32;
  for (std::uint32_t i = threadIdx.x % 32; i < of_warp; i += 32) {
    std::uint32_t const slot = warp * found.of_stretch + i;
    std::uint64_t const row = here.first + here.before + i;
    std::uint64_t const begin = tile_begin + found.places[slot];
    if constexpr (begun_runs<Begins>::keeps_keys) {
      writer.write_key(row, begins.code_of(found.keys[slot]));
    } else {
      writer.write_key(row, begins.code(begin));
    }
    unsigned const next = i + 1 < of_warp ? found.places[slot + 1] : found.first_behind(warp);
    bool const ends_here = next != found.none;
    writer.write_value(
        row,
        (ends_here ? tile_begin + next : cuda::end_of_run(begins, begin, tile_end, n)) - begin);
  }
}

#pragma GCC visibility pop
}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
