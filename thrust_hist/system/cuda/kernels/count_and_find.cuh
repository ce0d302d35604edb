// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Keys whose number of bins nobody has given: those below the room of a table in shared memory are
/// counted while the largest of all is looked for, so that they are read once.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/mixed_codes.h>
#include <thrust_hist/detail/one_past.h>
#include <thrust_hist/detail/samples.h>
#include <thrust_hist/system/cuda/discovery_plan.h>
#include <thrust_hist/system/cuda/kernels/count_shared.cuh>
#include <thrust_hist/system/cuda/kernels/counters.cuh>
#include <thrust_hist/system/cuda/kernels/kernels_in_turn.cuh>
#include <thrust_hist/system/cuda/kernels/lanes.cuh>
#include <thrust_hist/system/cuda/kernels/last_block.cuh>
#include <thrust_hist/system/cuda/kernels/samples.cuh>
#include <thrust_hist/system/cuda/kernels/shared_words.cuh>
#include <thrust_hist/system/cuda/kernels/write_counts.cuh>

#include <cstdint>
#include <type_traits>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {
#pragma GCC visibility push(hidden)

/// What all blocks have found together: global memory, 0 before.
struct found_counts {
  unsigned long long* bins;  ///< one past the largest key
  std::uint32_t* counts;     ///< of keys that have room; worthless if any has none
};

/// Keys of one byte, whose values all have a counter for each lane.
template <class Samples>
using table_of_keys =
    std::conditional_t<sizeof(typename Samples::sample) == 1, byte_table, plain_table>;

/// Which key of a thread is the largest so far; of unsigned ones 0 where it has none, which is no
/// more than that of others.
template <class Sample>
struct watched_keys {
  using integer = integer_t<Sample>;
  using word = std::conditional_t<sizeof(integer) == 8, std::uint64_t, std::uint32_t>;
  /// Bytes are looked at later, each value once.
  static constexpr bool is_by_value = sizeof(Sample) == 1;

  integer largest = min_of<integer>;

  /// Remembers one if it is the largest. Returns where to count it: at `slots` what has no room.
  /// All values of a byte have.
  __device__ std::uint32_t take(Sample const& x, std::uint32_t slots) {
    auto const key = static_cast<integer>(x);
    if constexpr (is_by_value) {
      return static_cast<std::uint8_t>(key);
    } else {
      largest = largest < key ? key : largest;
      auto const place = static_cast<word>(key);  // beyond all slots for a negative one
      return static_cast<std::uint32_t>(place < slots ? place : slots);
    }
  }
  __device__ std::uint64_t one_past() const {
    return is_by_value ? 0 : detail::one_past<integer>{}(largest);
  }
  /// The same for the key of a slot that is not empty.
  __device__ static std::uint64_t one_past(std::uint32_t slot) {
    return detail::one_past<integer>{}(static_cast<integer>(slot));
  }
};

/// The largest number of a block, for all its threads, which must call it. `shared`: a word for
/// each warp.
__device__ inline std::uint64_t largest_of_block(std::uint64_t mine, std::uint64_t* shared) {
  mine = cuda::over_warp(mine, larger{});
  if (threadIdx.x % 32 == 0) {
    shared[threadIdx.x / 32] = mine;
  }
  __syncthreads();
  std::uint64_t const of_warp = threadIdx.x % 32 < blockDim.x / 32 ? shared[threadIdx.x % 32] : 0;
  return cuda::over_warp(of_warp, larger{});
}

/// Writes one past the largest key to `letter`, 0 if no key has a bin. There is at least one key.
/// `numbered`: the same samples by their numbers. `ticket`: 0, and again afterwards.
template <class Samples, class Numbered, class Table>
__launch_bounds__(1024, resident_blocks<Samples>) __global__ void count_and_find(
    Samples const samples, Numbered const numbered, Table const table, found_counts const found,
    unsigned* const ticket, std::uint64_t* const letter) {
  cuda::take_turn();
  extern __shared__ uint4 shared[];
  auto* const of_warps = reinterpret_cast<std::uint64_t*>(shared);
  uint4* const units = shared + discovery_plan::warp_bytes / sizeof *shared;
  auto const* const counters = reinterpret_cast<std::uint32_t const*>(units);
  using keys = watched_keys<typename Samples::sample>;
  constexpr unsigned log2 = Table::replicas_log2;
  std::uint32_t const slots = table.slots();
  for (std::uint32_t i = threadIdx.x; i <= (slots << log2) / 4; i += blockDim.x) {
    units[i] = make_uint4(0, 0, 0, 0);
  }
  keys mine;
  bool is_in_vain = false;
  if constexpr (!keys::is_by_value) {
    // Some keys from all over the input: where one is too large, there is no use in counting.
    std::uint64_t const some = detail::mix_code(std::uint64_t{threadIdx.x} + 1);
    mine.take(numbered.at(__umul64hi(some, numbered.size())), slots);
    is_in_vain = mine.one_past() > slots;
  }
  is_in_vain = __syncthreads_or(is_in_vain) != 0;

  auto const lane_counters = cuda::shared_address(units) + (threadIdx.x & ((1u << log2) - 1)) * 4;
  if (is_in_vain) {
    samples.for_each(
        table.share(), [&](auto const& x) { mine.take(x, slots); }, [] {});
  } else {
    samples.for_each(
        table.share(),
        [&](auto const& x) {
          increment_shared(lane_counters + (mine.take(x, slots) << (log2 + 2)));
        },
        [] {});
  }
  std::uint64_t largest = cuda::largest_of_block(mine.one_past(), of_warps);

  // Where a key has no room, the counts are worth nothing.
  std::uint64_t const used = keys::is_by_value ? slots : largest <= slots ? largest : 0;
  for (std::uint32_t slot = threadIdx.x; slot < used; slot += blockDim.x) {
    std::uint32_t const count = cuda::count_of_slot<Table>(counters, slot);
    if (count != 0) {
      atomicAdd(found.counts + slot, count);
      largest = larger{}(largest, keys::one_past(slot));
    }
  }
  if constexpr (keys::is_by_value) {
    __syncthreads();  // its words have been read
    largest = cuda::largest_of_block(largest, of_warps);
  }
  if (threadIdx.x == 0) {
    atomicMax(found.bins, static_cast<unsigned long long>(largest));
  }
  if (cuda::is_last_block(ticket) && threadIdx.x == 0) {
    *letter = *static_cast<unsigned long long volatile*>(found.bins);
  }
}

/// Writes the counts to an output, unless there are more than `most` bins.
template <class Writer>
__launch_bounds__(1024, 1) __global__ void write_found(
    found_counts const found, std::uint64_t const most, Writer const write) {
  cuda::take_turn();
  std::uint64_t const bins = *found.bins;
  if (bins <= most) {
    cuda::for_each_count({found.counts, false}, bins, [&](std::uint64_t bin, std::uint64_t count) {
      write(bin, count);
    });
  }
}

#pragma GCC visibility pop
}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
