// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Sorted codes, of which each run becomes a row: its code, and how long it is.

#include <thrust_hist/config.h>
#include <thrust_hist/system/cuda/kernels/lanes.cuh>
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

/// As look_at_tile() does, but small keys stay in registers, too: all of them are on their way before the first is
/// looked at.
template <class Begins>
__device__ inline std::uint32_t look_at_keys(
    Begins const& begins, std::uint64_t const n, std::uint64_t const tile,
    typename Begins::stored (&keys)[marked_tile::rounds],
    std::uint32_t (&words)[marked_tile::rounds]) {
  unsigned const lane = threadIdx.x % 32;
#pragma unroll
  for (unsigned r = 0; r < marked_tile::rounds; ++r) {
    keys[r] = begins.sorted[min(marked_tile::place(tile, r), n - 1)];
  }
  std::uint64_t const first = marked_tile::place(tile, 0) - lane;
  auto before = keys[0];
  if (lane == 0 && first > 0) {
    before = begins.sorted[min(first, n) - 1];
  }
  std::uint32_t of_warp = 0;
#pragma unroll
  for (unsigned r = 0; r < marked_tile::rounds; ++r) {
    std::uint64_t const i = marked_tile::place(tile, r);
    // The last lane has what comes before the first one's.
    auto lower =
        cuda::from_lane(~0u, lane == 31 && r > 0 ? keys[r - 1] : keys[r], (lane + 31) % 32);
    if (r == 0 && lane == 0) {
      lower = before;
    }
    words[r] = __ballot_sync(~0u, i < n && (i == 0 || !begins.equal(lower, keys[r])));
    of_warp += __popc(words[r]);
  }
  return of_warp;
}

/// Writes the rows of the runs that begin in each tile, and how many runs there are to `runs`; or if
/// there are keys that equal no other one, nothing, and rows_are_lost.
template <class Begins, class Writer>
__launch_bounds__(marked_tile::threads) __global__ void count_runs(
    Begins const begins, std::uint64_t const n, Writer const writer, tile_line const line,
    unsigned long long* const runs) {
  auto const ends = begins.load_ends(n);               // on the way while the tile is taken
  __shared__ std::uint16_t places[marked_tile::size];  // where runs begin
  static_assert(marked_tile::size <= 1 << 16);
  constexpr bool are_kept = Begins::are_small;
  using kept = typename std::conditional_t<are_kept, typename Begins::stored, char>;
  __shared__ kept
      kept_keys[are_kept ? marked_tile::size : 1];  // which would be read again, one by one
  __shared__ line_memory memory;
  std::uint64_t const tile = cuda::take_tile(line, memory);
  std::uint32_t words[marked_tile::rounds];
  [[maybe_unused]] kept keys[marked_tile::rounds];
  std::uint32_t of_warp;
  if constexpr (are_kept) {
    of_warp = cuda::look_at_keys(begins, n, tile, keys, words);
  } else {
    of_warp = cuda::look_at_tile(begins, n, tile, words);
  }
  if (begins.has_alone(ends)) {
    if (tile == 0 && threadIdx.x == 0) {
      *runs = rows_are_lost;
    }
    return;
  }
  place_in_line const here =
      cuda::find_place<marked_tile::threads>(line, tile, of_warp, runs, memory);
  unsigned const lane = threadIdx.x % 32;
  std::uint32_t to = here.before;
  std::uint64_t const first = tile * marked_tile::size;
#pragma unroll
  for (unsigned r = 0; r < marked_tile::rounds; ++r) {
    if ((words[r] >> lane & 1) != 0) {
      std::uint32_t const i = to + __popc(words[r] & ((1u << lane) - 1));
      places[i] = static_cast<std::uint16_t>(marked_tile::place(tile, r) - first);
      if constexpr (are_kept) {
        kept_keys[i] = keys[r];
      }
    }
    to += __popc(words[r]);
  }
  __syncthreads();
  auto const write = [&](std::uint32_t i, std::uint64_t begin, std::uint64_t end) {
    if constexpr (are_kept) {
      writer.write_key(here.first + i, begins.code_of(kept_keys[i]));
    } else {
      writer.write_key(here.first + i, begins.code(begin));
    }
    writer.write_value(here.first + i, end - begin);
  };
  for (std::uint32_t i = threadIdx.x; i + 1 < here.of_tile; i += marked_tile::threads) {
    write(i, first + places[i], first + places[i + 1]);
  }
  if (threadIdx.x == 0 && here.of_tile > 0) {
    std::uint64_t const begin = first + places[here.of_tile - 1];
    std::uint64_t const of_next = min(first + marked_tile::size, n);
    write(here.of_tile - 1, begin, cuda::end_of_run(begins, begin, of_next, n));
  }
}

#pragma GCC visibility pop
}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
