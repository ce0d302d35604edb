// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Sparse histograms, second kernels: the segments of a bucket, which begin with a unit of 16 bytes
/// of codes and are padded, unit by unit.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/ieee.h>
#include <thrust_hist/system/cuda/kernels/segments.cuh>

#include <cstddef>
#include <cstdint>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {
#pragma GCC visibility push(hidden)

/// Loads what lies at an address that is a multiple of its size, or of 16, and is not needed again.
template <class T>
__device__ inline T load_once(T const* from) {
  if constexpr (sizeof(T) % 16 == 0) {
    struct alignas(16) loads {
      uint4 of[sizeof(T) / 16];
    } loaded;
#pragma unroll
    for (unsigned i = 0; i < sizeof(T) / 16; ++i) {
      loaded.of[i] = __ldcs(reinterpret_cast<uint4 const*>(from) + i);
    }
    return detail::bit_cast<T>(loaded);
  } else {
    return detail::bit_cast<T>(__ldcs(reinterpret_cast<uint2 const*>(from)));
  }
}

/// A list, in shared memory, of the segments that are too long for the warp that comes upon them:
/// these are dealt out to all warps.
struct long_segments {
  static constexpr std::uint32_t most = 255;
  static constexpr std::uint32_t units = 64;  ///< that one warp may have to read by itself

  std::uint32_t size;
  uint2 of[most];  ///< first unit and how many

  /// Returns whether there was room.
  __device__ bool take(std::uint32_t first_unit, std::uint32_t units_of_segment) {
    std::uint32_t const i = atomicAdd(&size, 1u);
    if (i < most) {
      of[i] = make_uint2(first_unit, units_of_segment);
    }
    return i < most;
  }
};

/// Units that a lane reads at once.
template <unsigned AtOnce>
struct some_units {
  static constexpr unsigned size = AtOnce;
  std::uint32_t at[size];  ///< where they lie
  bool is_there[size];

  /// Loads `of_unit` elements of each: what is not there is `absent`.
  template <unsigned Size, class T>
  __device__ void load(T const* from, T absent, T (&loaded)[Size]) const {
    constexpr unsigned of_unit = Size / size;
    constexpr std::size_t bytes = sizeof(T) * of_unit;
    struct alignas(bytes < 16 ? bytes : 16) unit {
      T of[of_unit];
    };
#pragma unroll
    for (unsigned j = 0; j < size; ++j) {
      unit one;
#pragma unroll
      for (unsigned k = 0; k < of_unit; ++k) {
        one.of[k] = absent;
      }
      if (is_there[j]) {
        one = cuda::load_once(reinterpret_cast<unit const*>(from) + at[j]);
      }
#pragma unroll
      for (unsigned k = 0; k < of_unit; ++k) {
        loaded[j * of_unit + k] = one.of[k];
      }
    }
  }
};

/// So many where it has to be found out where each lies.
using lane_units = some_units<2>;

/// Units of a lane, side by side.
struct unit_range {
  std::uint32_t first;
  std::uint32_t size;
};

/// Where segments lie that begin with a unit and are padded. `of_unit`: how many of what they hold
/// a unit has, `stride` those from the begin of a tile to that of the next.
class padded_segments {
public:
  __device__ padded_segments(
      bucket_segments const& segments, std::uint32_t stride, std::uint32_t of_unit)
      : segments_(segments), units_of_tile_(stride / of_unit), of_unit_(of_unit) {}

  __device__ bucket_segments const& all() const { return segments_; }
  __device__ unit_range units_of(segment const& s) const {
    return {s.tile * units_of_tile_ + s.begin / of_unit_, (s.end - s.begin) / of_unit_};
  }

private:
  bucket_segments const& segments_;
  std::uint32_t units_of_tile_;
  std::uint32_t of_unit_;
};

/// 32 segments for each warp of a block of 1 024 threads, and others when it is done with these:
/// some are longer.
class dealt_walk {
public:
  /// All threads of the block must call it, which waits for them. `taken`: a word in shared memory,
  /// that nobody else uses until all threads are done.
  __device__ dealt_walk(padded_segments const& segments, std::uint32_t* taken)
      : segments_(segments), taken_(taken), next_(segments.all().after(0)) {
    if (threadIdx.x == 0) {
      *taken = warps;
    }
    __syncthreads();
  }

  /// All lanes of a warp must call it. Returns false after the last ones.
  __device__ bool next(unit_range& mine) {
    if (done_ >= segments_.all().visits()) {
      return false;
    }
    segment const s = next_;
    std::uint32_t const mine_next =
        __shfl_sync(~0u, threadIdx.x % 32 == 0 ? atomicAdd(taken_, 1u) : 0, 0);
    done_ = mine_next / warps * (warps * 32);
    next_ = segments_.all().after(done_, mine_next % warps);  // asked for ahead
    mine = segments_.units_of(s);
    return true;
  }

private:
  static constexpr std::uint32_t warps = 32;

  padded_segments const segments_;
  std::uint32_t* taken_;
  segment next_;
  std::uint32_t done_ = 0;
};

/// A segment for each thread, again and again, but for those that are too long.
class short_walk {
public:
  __device__ short_walk(padded_segments const& segments, long_segments& too_long)
      : segments_(segments), too_long_(too_long), next_(segments.all().after(0)) {}

  /// All threads of the block must call it. Returns false, for all of them, after the last ones.
  __device__ bool next(unit_range& mine) {
    if (done_ >= segments_.all().visits()) {
      return false;
    }
    segment const s = next_;
    done_ += blockDim.x;
    next_ = segments_.all().after(done_);  // asked for ahead
    mine = segments_.units_of(s);
    if (mine.size > long_segments::units && too_long_.take(mine.first, mine.size)) {
      mine.size = 0;
    }
    __syncwarp();
    return true;
  }

private:
  padded_segments const segments_;
  long_segments& too_long_;
  segment next_;
  std::uint32_t done_ = 0;
};

/// Stretches of those that were too long, for the first lane of each warp of a block of so many
/// threads. Each segment begins with another warp.
template <unsigned Threads>
class long_walk {
public:
  /// All lanes of a warp must call it, when the list is complete. Returns false after the last
  /// stretch.
  __device__ bool next(long_segments const& too_long, unit_range& mine) {
    while (has_segment(too_long)) {
      std::uint32_t const i = looked_at_ - 32 + (__ffs(static_cast<int>(mine_)) - 1);
      uint2 const s = too_long.of[i];
      stretch_ = stretch_ == none ? first_stretch(i) : stretch_ + warps;
      std::uint32_t const begin = stretch_ * long_segments::units;
      if (begin < s.y) {
        mine = {s.x + begin, threadIdx.x % 32 == 0 ? min(s.y - begin, long_segments::units) : 0};
        return true;
      }
      mine_ &= mine_ - 1;
      stretch_ = none;
    }
    return false;
  }

private:
  static constexpr std::uint32_t warps = Threads / 32;
  static constexpr std::uint32_t none = ~0u;

  /// Of a segment for this warp.
  __device__ static std::uint32_t first_stretch(std::uint32_t i) {
    return (threadIdx.x / 32 - i) % warps;
  }
  /// Looks for segments with stretches for this warp, 32 at a time. Returns whether there are any.
  __device__ bool has_segment(long_segments const& too_long) {
    std::uint32_t const listed = min(too_long.size, long_segments::most);
    while (mine_ == 0 && looked_at_ < listed) {
      std::uint32_t const i = looked_at_ + threadIdx.x % 32;
      mine_ = __ballot_sync(
          ~0u, i < listed && first_stretch(i) * long_segments::units < too_long.of[i].y);
      looked_at_ += 32;
    }
    return mine_ != 0;
  }

  std::uint32_t looked_at_ = 0;   // of the list
  unsigned mine_ = 0;             // a bit for each of the last 32
  std::uint32_t stretch_ = none;  // the last one of the first of these, if any
};

/// First short ones, then long ones, by all warps of a block together.
template <unsigned Threads>
class listed_walk {
public:
  /// All threads of the block must call it, which waits for them.
  __device__ listed_walk(padded_segments const& segments, long_segments& too_long)
      : too_long_(too_long), all_(segments, too_long) {
    if (threadIdx.x == 0) {
      too_long.size = 0;
    }
    __syncthreads();
  }

  /// All threads of the block must call it, until it returns false, after the last ones.
  __device__ bool next(unit_range& mine) {
    mine = {};
    if (!is_rest_) {
      if (all_.next(mine)) {
        return true;
      }
      is_rest_ = true;
      __syncthreads();
    }
    return rest_.next(too_long_, mine);
  }

private:
  long_segments& too_long_;
  short_walk all_;
  long_walk<Threads> rest_;
  bool is_rest_ = false;
};

/// Calls `use(units)` for the units of the segments of a walk, lane_units of each lane at a time.
/// All threads of the block must call it, and wait for each other before they begin another walk.
template <class Walk, class Use>
__device__ inline void for_units(Walk walk, Use use) {
  unit_range mine;
#pragma unroll 1
  while (walk.next(mine)) {
    joined_segments const joined(mine.first, mine.size);
    for (std::uint32_t unit = threadIdx.x % 32; unit - threadIdx.x % 32 < joined.size();
         unit += lane_units::size * 32) {
      lane_units units;
#pragma unroll
      for (unsigned j = 0; j < lane_units::size; ++j) {
        units.at[j] = joined.unit(unit + j * 32);
        units.is_there[j] = unit + j * 32 < joined.size();
      }
      use(units);
    }
  }
}

#pragma GCC visibility pop
}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
