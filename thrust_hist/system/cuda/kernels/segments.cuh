// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Route partitioned, second kernel: how the segments of a bucket are read and counted. Route
/// hashed finds them in the same way.

#include <thrust_hist/config.h>
#include <thrust_hist/system/cuda/buckets.h>
#include <thrust_hist/system/cuda/kernels/block_sum.cuh>
#include <thrust_hist/system/cuda/kernels/count_shared.cuh>
#include <thrust_hist/system/cuda/kernels/lanes.cuh>
#include <thrust_hist/system/cuda/kernels/tile_sorter.cuh>
#include <thrust_hist/system/cuda/kernels/work_line.cuh>

#include <cstdint>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {
#pragma GCC visibility push(hidden)

/// The counters of a table in shared memory.
struct rest_counters {
  std::uint32_t address;
  std::uint32_t size;
  std::uint32_t flips;  ///< what makes the rests of this table, in pairs, begin at 0

  /// A unit of rests of no table.
  __device__ uint4 nothing() const { return make_uint4(~flips, ~flips, ~flips, ~flips); }
  /// Rests of other tables, and padding, are counted behind all others.
  __device__ void count(std::uint32_t flipped) const {
    increment_shared(address + min(flipped, size) * 4);
  }
  __device__ void count_all(uint4 const& unit) const {
    std::uint32_t const words[4] = {unit.x, unit.y, unit.z, unit.w};
#pragma unroll
    for (std::uint32_t const pair : words) {
      count((pair ^ flips) & 0xffff);
      count((pair ^ flips) >> 16);
    }
  }
  /// The rests [from, to) of a unit; the others as if of no table, which costs less than a branch
  /// each.
  __device__ void count_some(uint4 const& unit, std::uint32_t from, std::uint32_t to) const {
    std::uint32_t const words[4] = {unit.x, unit.y, unit.z, unit.w};
    std::uint32_t const wanted = (1u << to) - (1u << from);
#pragma unroll
    for (unsigned w = 0; w < 4; ++w) {
      std::uint32_t const pair = words[w] ^ flips;
      count((wanted & (1u << 2 * w)) != 0 ? pair & 0xffff : size);
      count((wanted & (2u << 2 * w)) != 0 ? pair >> 16 : size);
    }
  }
};

/// The segments of a bucket in 32 tiles, one for each lane of a warp, read as if they were one.
class joined_segments {
public:
  /// Each lane brings the first unit of its segment and how many there are.
  __device__ joined_segments(std::uint32_t first_unit, std::uint32_t units) {
    std::uint32_t const sum = inclusive_sum_over_warp(units);
    size_ = __shfl_sync(~0u, sum, 31);
    begin_ = sum - units;
    offset_ = first_unit - begin_;
    unsigned const present = __ballot_sync(~0u, units != 0);
    if ((present & (present + 1)) != 0) {
      close_ranks(present);
    }
    begin_ = threadIdx.x % 32 < static_cast<unsigned>(__popc(present)) ? begin_ : ~0u;
  }

  __device__ std::uint32_t size() const { return size_; }
  /// Where unit i of the joined ones lies: i is a number that all lanes have, and that of the lane.
  /// All lanes of the warp must call it.
  __device__ std::uint32_t unit(std::uint32_t i) const {
    std::uint32_t const lane = threadIdx.x % 32;
    std::uint32_t const first = i - lane;
    std::uint32_t const ahead = begin_ - first;
    auto const before = static_cast<unsigned>(__popc(__ballot_sync(~0u, begin_ < first)));
    unsigned const begins = cuda::bits_of_warp(ahead < 32 ? 1u << ahead : 0);
    unsigned const of_segment =
        before + static_cast<unsigned>(__popc(begins & ((2u << lane) - 1))) - 1;
    return __shfl_sync(~0u, offset_, static_cast<int>(of_segment)) + i;
  }

private:
  /// Moves those that are not empty to the first lanes.
  __device__ void close_ranks(unsigned present) {
    unsigned from = 0;  // the lane that has as many present ones before it as this one has lanes
#pragma unroll
    for (unsigned step = 16; step > 0; step /= 2) {
      unsigned const before = present & ((1u << (from + step)) - 1);
      from += static_cast<unsigned>(__popc(before)) <= threadIdx.x % 32 ? step : 0;
    }
    begin_ = __shfl_sync(~0u, begin_, static_cast<int>(from));
    offset_ = __shfl_sync(~0u, offset_, static_cast<int>(from));
  }

  std::uint32_t size_;
  std::uint32_t begin_;
  std::uint32_t offset_;
};

/// A segment in rests from the begin of its tile.
struct segment {
  std::uint32_t tile;
  std::uint32_t begin;
  std::uint32_t end;

  __device__ bool is_empty() const { return begin == end; }
  __device__ std::uint32_t first_unit() const { return begin / bucket_layout::rests_of_unit; }
  __device__ std::uint32_t last_unit() const { return (end - 1) / bucket_layout::rests_of_unit; }
};

/// The units of a segment that its lane counts by itself: the first two and the last one. What lies
/// between is whole.
class own_units {
public:
  static constexpr unsigned count = 3;

  __device__ own_units(segment const& s, uint4 const* tile) : s_(s) {
#pragma unroll
    for (unsigned j = 0; j < count; ++j) {
      if (has(j)) {
        loaded_[j] = __ldg(tile + unit(j));
      }
    }
  }
  __device__ void count_into(rest_counters const& counters) const {
    constexpr std::uint32_t all = bucket_layout::rests_of_unit;
#pragma unroll
    for (unsigned j = 0; j < count; ++j) {
      if (has(j)) {
        counters.count_some(
            loaded_[j], j == 0 ? s_.begin % all : 0,
            unit(j) == s_.last_unit() ? (s_.end - 1) % all + 1 : all);
      }
    }
  }
  __device__ std::uint32_t wholes() const {
    return s_.is_empty() ? 0 : max(s_.last_unit(), s_.first_unit() + 2) - s_.first_unit() - 2;
  }

private:
  __device__ std::uint32_t unit(unsigned j) const {
    return j < 2 ? s_.first_unit() + j : s_.last_unit();
  }
  __device__ bool has(unsigned j) const {
    return !s_.is_empty() && s_.first_unit() + j <= s_.last_unit();
  }

  segment const s_;
  uint4 loaded_[count];
};

/// Counts whole units of the segments of a warp, all lanes together.
__device__ inline void count_wholes(
    joined_segments const& segments, uint4 const* rests, rest_counters const& counters) {
  constexpr unsigned loads = 4;
  for (std::uint32_t unit = 0; unit < segments.size(); unit += loads * 32) {
    uint4 loaded[loads];
#pragma unroll
    for (unsigned j = 0; j < loads; ++j) {
      std::uint32_t const mine = unit + j * 32 + threadIdx.x % 32;
      if (unit + j * 32 < segments.size()) {  // the same for the whole warp
        std::uint32_t const at = segments.unit(mine);
        loaded[j] = mine < segments.size() ? __ldcs(rests + at) : counters.nothing();
      }
    }
#pragma unroll
    for (unsigned j = 0; j < loads; ++j) {
      if (unit + j * 32 < segments.size()) {
        counters.count_all(loaded[j]);
      }
    }
  }
}

/// The segments of a bucket, of which a block visits some groups of tiles.
class bucket_segments {
public:
  __device__ bucket_segments(
      bucket_layout const& layout, bucket_memory const& memory, std::uint32_t bucket,
      group_interval const& groups, std::uint32_t tiles)
      : layout_(layout), begins_(memory.begins + bucket * layout.begins_of_bucket()),
        first_group_(groups.first), visits_(groups.count * bucket_layout::tiles_of_group),
        tiles_(tiles) {}

  __device__ std::uint32_t visits() const { return visits_; }
  /// One for each thread, after `done` for each.
  __device__ segment after(std::uint32_t done) const { return after(done, threadIdx.x / 32); }
  /// The same for the lanes of warp `warp`. Neighbours go to different warps where there may be
  /// less than one for each thread: where the input is sorted, they all have much to do or none.
  __device__ segment after(std::uint32_t done, std::uint32_t warp) const {
    bool const few = visits_ < layout_.begins_of_bucket() || layout_.granule_log2 != 0;
    std::uint32_t const lane = threadIdx.x % 32;
    std::uint32_t const i = done + (few ? lane * (blockDim.x / 32) + warp : warp * 32 + lane);
    std::uint32_t const group =
        (first_group_ + i / bucket_layout::tiles_of_group) * layout_.stride % layout_.groups();
    std::uint32_t const tile =
        group * bucket_layout::tiles_of_group + i % bucket_layout::tiles_of_group;
    if (i >= visits_ || tile >= tiles_) {
      return {0, 0, 0};
    }
    return {
        tile, layout_.rests(begins_[tile]),
        layout_.rests(begins_[tile + layout_.begins_of_bucket()])};
  }

private:
  bucket_layout const& layout_;
  std::uint16_t const* begins_;
  std::uint32_t first_group_;
  std::uint32_t visits_;
  std::uint32_t tiles_;
};

/// Segments that begin with a unit and are padded. Where the next ones lie is asked for ahead.
__device__ inline void count_padded(
    bucket_segments const& segments, bucket_layout const& layout, uint4 const* rests,
    rest_counters const& counters) {
  segment next = segments.after(0);
  for (std::uint32_t done = 0; done < segments.visits(); done += blockDim.x) {
    segment const s = next;
    next = segments.after(done + blockDim.x);
    std::uint32_t const units = (s.end - s.begin) / bucket_layout::rests_of_unit;
    cuda::count_wholes({s.tile * layout.units_of_tile() + s.first_unit(), units}, rests, counters);
  }
}

/// Segments that adjoin: most have few units, of which the first and the last belong to neighbours
/// too.
__device__ inline void count_adjoining(
    bucket_segments const& segments, bucket_layout const& layout, uint4 const* rests,
    rest_counters const& counters) {
  for (std::uint32_t done = 0; done < segments.visits(); done += blockDim.x) {
    segment const s = segments.after(done);
    std::uint32_t const tile = s.tile * layout.units_of_tile();
    own_units const own(s, rests + tile);
    own.count_into(counters);
    if (__any_sync(~0u, own.wholes() > 0)) {
      cuda::count_wholes({tile + s.first_unit() + 2, own.wholes()}, rests, counters);
    }
  }
}

#pragma GCC visibility pop
}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
