// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Handing values of any type from lane to lane of a warp, and folding them there.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/ieee.h>

#include <cstdint>
#include <cstring>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {

/// The value that another lane of `mask` holds.
template <class T>
__device__ inline T from_lane(unsigned mask, T const& mine, unsigned lane) {
  constexpr unsigned words = (sizeof(T) + 3) / 4;
  std::uint32_t word[words] = {};
  memcpy(word, &mine, sizeof(T));
#pragma unroll
  for (unsigned i = 0; i < words; ++i) {
    word[i] = __shfl_sync(mask, word[i], static_cast<int>(lane));
  }
  T other = mine;
  memcpy(static_cast<void*>(&other), word, sizeof(T));
  return other;
}

/// What the lanes of a warp have, combined by `combine(a, b)`, which is associative and
/// commutative. All of them have it afterwards, and must call it.
template <class T, class Combine>
__device__ inline T over_warp(T x, Combine combine) {
#pragma unroll
  for (unsigned d = 16; d > 0; d /= 2) {
    x = combine(x, cuda::from_lane(~0u, x, threadIdx.x % 32 ^ d));
  }
  return x;
}

/// The bits that any lane of the warp has. All of them must call it.
__device__ inline unsigned bits_of_warp(unsigned mine) {
#if __CUDA_ARCH__ >= 800
  return __reduce_or_sync(~0u, mine);
#else
  return cuda::over_warp(mine, [](unsigned a, unsigned b) { return a | b; });
#endif
}

/// The sum of what the lanes `here` have, modulo 2^32. They all call it together.
__device__ inline std::uint32_t add_over_lanes(unsigned here, std::uint32_t mine) {
#if __CUDA_ARCH__ >= 800
  return __reduce_add_sync(here, mine);
#else
  std::uint32_t sum = 0;
  for (unsigned left = here; left != 0; left &= left - 1) {
    auto const lane = static_cast<unsigned>(__ffs(static_cast<int>(left))) - 1;
    sum += cuda::from_lane(here, mine, lane);
  }
  return sum;
#endif
}
/// The sum of numbers of at most 53 bits that they have.
__device__ inline std::int64_t sum_over_lanes(unsigned here, std::int64_t mine) {
  constexpr int low_bits = 26;
  auto const low = static_cast<std::uint32_t>(mine) & ((1u << low_bits) - 1);
  std::uint32_t const lows = cuda::add_over_lanes(here, low);
  auto const highs = static_cast<std::int32_t>(
      cuda::add_over_lanes(here, static_cast<std::uint32_t>(mine >> low_bits)));
  return static_cast<std::int64_t>(highs) * (1 << low_bits) + lows;
}
/// The same of at most 80 bits.
__device__ inline int128 sum_over_lanes(unsigned here, int128 mine) {
  constexpr int low_bits = 27;
  auto const low = static_cast<std::uint32_t>(mine) & ((1u << low_bits) - 1);
  std::uint32_t const lows = cuda::add_over_lanes(here, low);
  std::int64_t const highs =
      cuda::sum_over_lanes(here, static_cast<std::int64_t>(mine >> low_bits));
  return static_cast<int128>(highs) * (1 << low_bits) + lows;
}

/// The next of some numbers for each of the lanes that call this together, one of which asks:
/// `take(count)` returns the first of so many.
template <class Take>
__device__ inline auto next_of_lanes(Take take) {
  unsigned const here = __activemask();
  unsigned const leader = static_cast<unsigned>(__ffs(static_cast<int>(here))) - 1;
  unsigned const lane = threadIdx.x % 32;
  using number = decltype(take(1u));
  number first = lane == leader ? take(static_cast<unsigned>(__popc(here))) : number{0};
  first = __shfl_sync(here, first, static_cast<int>(leader));
  return first + static_cast<number>(__popc(here & ((1u << lane) - 1)));
}

/// Adds up what the lanes that are here have, if all have the same bin, and leaves it to one of
/// them. Returns whether this lane has nothing left.
template <class Bin, class Sum>
__device__ inline bool sum_for_one_lane(Bin bin, Sum& sum) {
  unsigned const here = __activemask();
  unsigned const leader = static_cast<unsigned>(__ffs(static_cast<int>(here))) - 1;
  if (__all_sync(here, cuda::from_lane(here, bin, leader) == bin) == 0) {
    return false;
  }
  sum = cuda::sum_over_lanes(here, sum);
  return threadIdx.x % 32 != leader;
}

/// Folds the states of 2^k neighbouring lanes; the lowest of them has the result. All lanes of the
/// warp must call it.
template <class Fold>
__device__ inline void fold_over_lanes(
    Fold const& fold, typename Fold::state& mine, unsigned lanes) {
  for (unsigned d = lanes / 2; d > 0; d /= 2) {
    fold.merge(mine, cuda::from_lane(~0u, mine, (threadIdx.x + d) % 32));
  }
}

/// Folds values of equal bins within the lanes `here`, which call it together: a tree over each
/// group of equals. Returns whether this lane is the one that has the result of its group.
template <class Fold, class Bin>
__device__ inline bool fold_equals(
    unsigned here, Fold const& fold, Bin bin, typename Fold::value& x) {
  unsigned const equals = __match_any_sync(here, bin);
  unsigned const lane = threadIdx.x % 32;
  unsigned const before = equals & ((1u << lane) - 1);
  unsigned left = equals & ~((2u << lane) - 1);  // those after this one that are not folded yet
  unsigned rank = static_cast<unsigned>(__popc(before));
  while (__any_sync(here, left != 0)) {
    unsigned const next =
        left != 0 ? static_cast<unsigned>(__ffs(static_cast<int>(left))) - 1 : lane;
    auto const other = cuda::from_lane(here, x, next);
    if (left != 0) {
      typename Fold::state sum = x;
      fold.merge(sum, other);
      x = sum;
    }
    left &= ~__ballot_sync(here, (rank & 1) != 0);
    rank >>= 1;
  }
  return before == 0;
}

}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
