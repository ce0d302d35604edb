// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Sorted keys side by side, some for each thread, and with which of them runs begin; where a block
/// keeps the keys of the runs that begin in its tile.

#include <thrust_hist/config.h>
#include <thrust_hist/system/cuda/kernels/lanes.cuh>
#include <thrust_hist/system/cuda/kernels/loads.cuh>
#include <thrust_hist/system/cuda/kernels/sorted_runs.cuh>
#include <thrust_hist/system/cuda/run_tiles.h>

#include <cstdint>
#include <type_traits>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {
#pragma GCC visibility push(hidden)

/// What is kept of a key where its run begins: the key, or of those that would take more shared
/// memory than a kernel may have, where that is in the tile.
template <class Begins>
inline constexpr bool keeps_keys = Begins::are_numbers && sizeof(typename Begins::stored) <= 8;
template <class Begins>
using kept_key = std::conditional_t<keeps_keys<Begins>, typename Begins::stored, std::uint16_t>;

/// Slots of rows in shared memory, of which each thread may have as many neighbours as codes. One
/// is left free after these, so that they are not all in few banks.
template <unsigned OfThread>
struct row_slots {
  static constexpr bool leaves_free = OfThread >= 8;
  static constexpr unsigned number = run_tiles::most_threads * (OfThread + (leaves_free ? 1 : 0));

  __device__ static std::uint32_t of(std::uint32_t row) {
    return leaves_free ? row + row / OfThread : row;
  }
};

/// Loads numbers side by side, of which so many are there; the last of these in place of others.
template <unsigned Count, class T>
__device__ inline void load_neighbours(T const* from, unsigned there, T (&to)[Count]) {
  constexpr unsigned of_load = load_shape<T>::per_load;
  if constexpr (16 % sizeof(T) == 0 && Count % of_load == 0) {
    if (there >= Count && reinterpret_cast<std::uintptr_t>(from) % 16 == 0) {
#pragma unroll
      for (unsigned i = 0; i < Count; i += of_load) {
        cuda::unpack_counted<T>(
            __ldcs(reinterpret_cast<uint4 const*>(from + i)), i,
            [&](unsigned j, T const& x) { to[j] = x; });
      }
      return;
    }
  }
#pragma unroll
  for (unsigned i = 0; i < Count; ++i) {
    to[i] = from[min(i, there - 1)];
  }
}

/// Which neighbours a thread has of a tile of `size` codes from `begin` on: `Most`, if there are so
/// many.
template <unsigned Most>
struct thread_neighbours {
  std::uint64_t begin;  ///< of the tile
  unsigned size;
  unsigned at;          ///< of the first one in the tile
  unsigned there;       ///< how many there are
  std::uint64_t first;  ///< the first one, or behind all of them the last

  __device__ thread_neighbours(std::uint64_t begin, unsigned size)
      : begin(begin), size(size), at(threadIdx.x * Most),
        there(at < size ? min(size - at, Most) : 0), first(begin + min(at, size - 1)) {}

  /// Loads those of an array, and the last one that is there in place of others.
  template <class T>
  __device__ void load(T const* all, T (&to)[Most]) const {
    cuda::load_neighbours(all + first, max(there, 1u), to);
  }
};

/// The keys of a thread's neighbours, and with which of them runs begin.
template <class Begins, unsigned Most>
class key_neighbours {
public:
  /// All lanes must call it.
  __device__ key_neighbours(Begins const& begins, thread_neighbours<Most> const& mine)
      : mine_(mine) {
    if constexpr (keeps_keys<Begins>) {
      unsigned const lane = threadIdx.x % 32;
      kept_key<Begins> before = {};
      if (lane == 0 && mine.first > 0) {
        before = begins.sorted[mine.first - 1];
      }
      mine.load(begins.sorted, keys_);
      auto const lower = cuda::from_lane(~0u, keys_[Most - 1], (lane - 1) % 32);
      before = lane == 0 ? before : lower;
#pragma unroll
      for (unsigned i = 0; i < Most; ++i) {
        begun_ |= (begins.equal(i == 0 ? before : keys_[i - 1], keys_[i]) ? 0u : 1u) << i;
      }
      begun_ |= mine.first == 0 ? 1 : 0;
    } else {  // looked at by lanes side by side: each may be many bytes
      unsigned const lane = threadIdx.x % 32;
      std::uint32_t of_round = 0;  // of one of them for each lane
#pragma unroll
      for (unsigned round = 0; round < Most; ++round) {
        unsigned const i = (threadIdx.x - lane) * Most + round * 32 + lane;
        unsigned const begun = __ballot_sync(~0u, i < mine.size && begins(mine.begin + i));
        of_round = lane == round ? begun : of_round;
      }
      unsigned const with_mine = __shfl_sync(~0u, of_round, static_cast<int>(lane * Most / 32));
      begun_ = with_mine >> lane * Most % 32 & ((1u << Most) - 1);
    }
    begun_ = mine.there > 0 ? begun_ : 0;
  }

  __device__ unsigned there() const {
    return mine_.there;
  }
  /// How many runs begin here.
  __device__ std::uint32_t runs() const {
    return __popc(begun_);
  }
  __device__ bool begins_at(unsigned i) const {
    return (begun_ >> i & 1) != 0;
  }
  /// Where one is in the tile.
  __device__ std::uint16_t place(unsigned i) const {
    return static_cast<std::uint16_t>(mine_.at + i);
  }
  __device__ kept_key<Begins> kept(unsigned i) const {
    if constexpr (keeps_keys<Begins>) {
      return keys_[i];
    } else {
      return place(i);
    }
  }

private:
  thread_neighbours<Most> mine_;
  std::uint32_t begun_ = 0;
  std::conditional_t<keeps_keys<Begins>, kept_key<Begins>, char>
      keys_[keeps_keys<Begins> ? Most : 1];
};

/// The code of a run that begins in a tile, by what was kept of its key.
template <class Begins>
__device__ inline auto code_of_kept(
    Begins const& begins, std::uint64_t tile_begin, kept_key<Begins> const& kept) {
  if constexpr (keeps_keys<Begins>) {
    return begins.code_of(kept);
  } else {
    return begins.code(tile_begin + kept);
  }
}

#pragma GCC visibility pop
}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
