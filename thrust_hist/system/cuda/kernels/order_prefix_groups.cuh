// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Codes that were sorted by their high bits alone, so few of them that many share these: each
/// group of codes with the same high bits is put in order where it stands, with what lies beside.

#include <thrust_hist/config.h>
#include <thrust_hist/system/cuda/kernels/kernels_in_turn.cuh>
#include <thrust_hist/system/cuda/kernels/lanes.cuh>
#include <thrust_hist/system/cuda/kernels/radix_word.cuh>
#include <thrust_hist/system/cuda/prefix_groups.h>

#include <cstdint>
#include <type_traits>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {
#pragma GCC visibility push(hidden)

/// Blocks on a multiprocessor, so that registers are not more than that leaves: there were some 60
/// otherwise. Some GPUs have fewer threads.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ == 750
inline constexpr unsigned blocks_for_groups = 2;
#else
inline constexpr unsigned blocks_for_groups = 3;
#endif

/// A bit for each code that a block sees.
struct seen_bits {
  static constexpr unsigned words = prefix_groups::seen / 32;
  /// Behind that of a code, so many have those of its group, if a tile puts it in order.
  static constexpr unsigned words_of_group = prefix_groups::most / 32;
  static constexpr unsigned none = prefix_groups::seen;

  std::uint32_t of[words];

  /// The last one that is set, up to `i`, if it is near.
  __device__ unsigned last_up_to(unsigned i) const {
    unsigned word = i / 32;
    std::uint32_t bits = of[word] & ~0u >> (31 - i % 32);
    for (unsigned looked = 0; bits == 0 && looked < words_of_group && word > 0; ++looked) {
      bits = of[--word];
    }
    return bits == 0 ? none : word * 32 + 31 - static_cast<unsigned>(__clz(static_cast<int>(bits)));
  }
  /// The next one that is set behind `i`, if it is near.
  __device__ unsigned next_behind(unsigned i) const {
    unsigned word = i / 32;
    std::uint32_t bits = of[word] & (~1u << i % 32);
    for (unsigned looked = 0; bits == 0 && looked < words_of_group && word + 1 < words; ++looked) {
      bits = of[++word];
    }
    return bits == 0 ? none : word * 32 + static_cast<unsigned>(__ffs(static_cast<int>(bits))) - 1;
  }
};

/// The codes that a block sees, in shared memory: those of its tile, and so many behind them that a
/// group which begins in the tile is seen to its end, or to be long. Other blocks may be putting
/// groups in order that begin elsewhere: of these only the high bits are asked for.
template <class Stored>
struct seen_codes {
  using code = typename radix_word<Stored>::type;
  static_assert(sizeof(code) <= 8, "what a block sees fits its shared memory");
  struct group {
    std::uint16_t first;
    std::uint16_t end;
    __device__ unsigned size() const { return end - first; }
  };

  code of[prefix_groups::seen];
  seen_bits begun;   ///< where groups begin, and behind the last code
  seen_bits fallen;  ///< codes less than the one before, of the same group
  /// Some of these, among them the first one of each group.
  std::uint16_t falls[prefix_groups::seen / 2];
  std::uint32_t falls_number;
  std::uint16_t places[prefix_groups::seen];  ///< where codes belong
  group crowds[prefix_groups::seen / (prefix_groups::few + 1)];
  std::uint32_t crowds_number;
  std::uint32_t long_fallen;  ///< whether a long group is not in order, not 0 then

  /// Which of them a thread has as its k-th: each warp has neighbours, 32 at a time.
  __device__ static unsigned at(unsigned k) {
    unsigned const lane = threadIdx.x % 32;
    return (threadIdx.x - lane) * prefix_groups::of_thread + k * 32 + lane;
  }

  /// Loads them, and finds groups and falls. All threads must call it.
  __device__ void look(Stored const* codes, std::uint64_t begin, unsigned size, int low_bits) {
    unsigned const lane = threadIdx.x % 32;
    Stored mine[prefix_groups::of_thread];
#pragma unroll
    for (unsigned k = 0; k < prefix_groups::of_thread; ++k) {
      mine[k] = at(k) < size ? codes[begin + at(k)] : Stored{};
    }
    code before = {};  // of the first lane
    if (lane == 0 && begin + at(0) > 0 && at(0) <= size) {
      before = radix_word<Stored>::of(codes[begin + at(0) - 1]);
    }
    if (threadIdx.x == 0) {
      falls_number = 0;
      crowds_number = 0;
      long_fallen = 0;
    }
    __syncthreads();
    std::uint32_t listed[prefix_groups::of_thread];
    unsigned number = 0;
#pragma unroll
    for (unsigned k = 0; k < prefix_groups::of_thread; ++k) {
      unsigned const i = at(k);
      code const own = radix_word<Stored>::of(mine[k]);
      code const of_lower = cuda::from_lane(~0u, own, (lane - 1) % 32);
      code const lower = lane == 0 ? before : of_lower;
      before = of_lower;  // the first lane has that of the last one
      bool const is_begin = i >= size || (lower ^ own) >> low_bits != 0 || begin + i == 0;
      std::uint32_t const falling = __ballot_sync(~0u, !is_begin && own < lower);
      of[i] = own;
      places[i] = static_cast<std::uint16_t>(i);
      begun.of[i / 32] = __ballot_sync(~0u, is_begin);  // each lane the same
      fallen.of[i / 32] = falling;
      listed[k] = falling & ~(falling << 1);  // not what falls further
      number += static_cast<unsigned>(__popc(listed[k]));
    }
    if (number != 0) {
      unsigned to = lane == 0 ? atomicAdd(&falls_number, number) : 0;
      to = __shfl_sync(~0u, to, 0);
#pragma unroll
      for (unsigned k = 0; k < prefix_groups::of_thread; ++k) {
        if ((listed[k] >> lane & 1) != 0) {
          falls[to + static_cast<unsigned>(__popc(listed[k] & ((1u << lane) - 1)))] =
              static_cast<std::uint16_t>(at(k));
        }
        to += static_cast<unsigned>(__popc(listed[k]));
      }
    }
    __syncthreads();
  }

  /// Calls `take(i)` with where a long group begins in the tile, in order or not. By all threads.
  template <class Take>
  __device__ void for_each_long(Take take) const {
    if (threadIdx.x >= seen_bits::words || begun.of[threadIdx.x] == 0) {
      return;
    }
    // All others of a word end where the next one of it begins.
    unsigned const i = threadIdx.x * 32 + 31 -
                       static_cast<unsigned>(__clz(static_cast<int>(begun.of[threadIdx.x])));
    if (i < prefix_groups::tile && begun.next_behind(i) - i > prefix_groups::most) {
      take(i);
    }
  }
  /// Finds where the codes of all other groups of the tile belong: those of few codes by a thread
  /// each, others by a warp. All threads must call it.
  __device__ void order() {
    for (unsigned f = threadIdx.x; f < falls_number; f += prefix_groups::threads) {
      unsigned const i = falls[f];
      unsigned const first = begun.last_up_to(i);
      if (first == seen_bits::none && i >= prefix_groups::most) {
        long_fallen = 1;  // it begins further away
      }
      if (first >= prefix_groups::tile) {
        continue;  // another block sees where it begins
      }
      if (begun.next_behind(first) - first > prefix_groups::most) {
        long_fallen = 1;
        continue;
      }
      if (fallen.next_behind(first) != i) {
        continue;
      }
      group const mine = {
          static_cast<std::uint16_t>(first), static_cast<std::uint16_t>(begun.next_behind(i))};
      if (mine.size() <= prefix_groups::few) {
        for (unsigned j = mine.first; j < mine.end; ++j) {
          places[j] = static_cast<std::uint16_t>(place(j, mine));
        }
      } else {
        crowds[atomicAdd(&crowds_number, 1u)] = mine;
      }
    }
    __syncthreads();
    for (unsigned c = threadIdx.x / 32; c < crowds_number; c += prefix_groups::threads / 32) {
      group const mine = crowds[c];
      for (unsigned j = mine.first + threadIdx.x % 32; j < mine.end; j += 32) {
        places[j] = static_cast<std::uint16_t>(place(j, mine));
      }
    }
    __syncthreads();
  }

private:
  /// Where a code comes in its group. Equal codes keep their order.
  __device__ unsigned place(unsigned i, group const& in) const {
    code const mine = of[i];
    unsigned place = in.first;
    for (unsigned j = in.first; j < in.end; ++j) {
      place += of[j] < mine || (of[j] == mine && j < i) ? 1 : 0;
    }
    return place;
  }
};

/// Puts the groups of a tile in order, a block each. Lists those that are too long for that, and
/// says in `long_fallen`, memory of the host, if some of them are not in order.
template <class Stored, class Beside>
__launch_bounds__(prefix_groups::threads, blocks_for_groups) __global__ void order_prefix_groups(
    Stored* const codes, Beside* const beside, std::uint64_t const n, int const low_bits,
    long_prefix_groups* const found, std::uint64_t* const begins,
    std::uint32_t volatile* const long_fallen) {
  cuda::take_turn();
  __shared__ seen_codes<Stored> seen;
  std::uint64_t const begin = std::uint64_t{blockIdx.x} * prefix_groups::tile;
  auto const size = static_cast<unsigned>(min(n - begin, std::uint64_t{prefix_groups::seen}));
  seen.look(codes, begin, size, low_bits);
  seen.for_each_long([&](unsigned i) {
    std::uint32_t const slot = atomicAdd(&found->number, 1u);
    if (slot < long_prefix_groups::room) {
      begins[slot] = begin + i;
    }
  });
  if (seen.falls_number == 0) {
    return;
  }
  seen.order();
  if (threadIdx.x == 0 && seen.long_fallen != 0 && atomicAdd(&found->fallen, 1u) == 0) {
    *long_fallen = 1;
  }
  constexpr bool moves_keys = radix_word<Stored>::is_real;  // else their words tell them
  std::conditional_t<moves_keys, Stored, char> keys[prefix_groups::of_thread];
  std::conditional_t<std::is_empty_v<Beside>, char, Beside> words[prefix_groups::of_thread];
#pragma unroll
  for (unsigned k = 0; k < prefix_groups::of_thread; ++k) {
    unsigned const i = seen.at(k);
    if (seen.places[i] != i) {
      if constexpr (moves_keys) {
        keys[k] = codes[begin + i];
      }
      if constexpr (!std::is_empty_v<Beside>) {
        words[k] = beside[begin + i];
      }
    }
  }
  __syncthreads();  // all has been read
#pragma unroll
  for (unsigned k = 0; k < prefix_groups::of_thread; ++k) {
    unsigned const i = seen.at(k);
    unsigned const place = seen.places[i];
    if (place == i) {
      continue;
    }
    if constexpr (moves_keys) {
      codes[begin + place] = keys[k];
    } else {
      codes[begin + place] = radix_word<Stored>::number(seen.of[i]);
    }
    if constexpr (!std::is_empty_v<Beside>) {
      beside[begin + place] = words[k];
    }
  }
}

#pragma GCC visibility pop
}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
