// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Route partitioned, second kernel: the rests of each bucket are counted in shared memory.

#include <thrust_hist/config.h>
#include <thrust_hist/system/cuda/buckets.h>
#include <thrust_hist/system/cuda/kernels/count_shared.cuh>
#include <thrust_hist/system/cuda/kernels/counters.cuh>
#include <thrust_hist/system/cuda/kernels/tile_sorter.cuh>

#include <cstdint>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {
#pragma GCC visibility push(hidden)

/// Groups of tiles [first, first + count), in the order of visits.
struct group_interval {
  std::uint32_t first;
  std::uint32_t count;
};

/// All work on one line: the buckets one after another, each as long as it takes to count. Every
/// block gets an equal stretch, so a bucket with many samples is shared out among several blocks.
class work_line {
public:
  __device__ work_line(std::uint32_t* begins, bucket_layout const& layout)
      : begins_(begins), buckets_(layout.buckets) {}

  /// Lays the line out in shared memory. All threads of the block must call it.
  __device__ void lay_out(std::uint32_t const* totals, std::uint32_t tiles) {
    if (threadIdx.x < 32) {  // one warp is enough for so few
      std::uint32_t end = 0;
      for (std::uint32_t b0 = 0; b0 < buckets_; b0 += 32) {
        std::uint32_t const b = b0 + threadIdx.x;
        std::uint32_t const length = b < buckets_ ? work(totals[b], tiles) : 0;
        std::uint32_t sum = length;
#pragma unroll
        for (unsigned d = 1; d < 32; d *= 2) {
          std::uint32_t const before = __shfl_up_sync(~0u, sum, d);
          sum += threadIdx.x >= d ? before : 0;
        }
        if (b < buckets_) {
          begins_[b] = end + sum - length;
        }
        end += __shfl_sync(~0u, sum, 31);
      }
      if (threadIdx.x == 0) {
        begins_[buckets_] = end;
      }
    }
    __syncthreads();
    stretch_begin_ = at(blockIdx.x);
    stretch_end_ = at(blockIdx.x + 1);
  }

  /// The first bucket with work for this block.
  __device__ std::uint32_t first_bucket() const {
    std::uint32_t low = 0;
    std::uint32_t high = buckets_;
    while (low < high) {
      std::uint32_t const middle = (low + high) / 2;
      if (begins_[middle + 1] <= stretch_begin_) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }
  __device__ bool reaches(std::uint32_t bucket) const {
    return bucket < buckets_ && begins_[bucket] < stretch_end_;
  }
  /// Which of `groups` groups of tiles this block has of a bucket, in the order of visits.
  __device__ group_interval groups_of(std::uint32_t bucket, std::uint32_t groups) const {
    std::uint32_t const begin = begins_[bucket];
    std::uint32_t const length = begins_[bucket + 1] - begin;
    if (length == 0) {
      return {0, 0};
    }
    std::uint32_t const from = max(stretch_begin_, begin) - begin;
    std::uint32_t const to = min(stretch_end_ - begin, length);
    auto const share = [&](std::uint32_t x) {
      return static_cast<std::uint32_t>(std::uint64_t{groups} * x / length);
    };
    return {share(from), share(to) - share(from)};
  }

private:
  /// In units of 16 samples: a segment costs about as much as so many, a table as many thousands.
  __device__ static std::uint32_t work(std::uint32_t samples, std::uint32_t tiles) {
    constexpr std::uint32_t table = 2048;
    return samples == 0 ? 0 : samples / 16 + tiles + table;
  }
  __device__ std::uint32_t at(std::uint32_t block) const {
    return static_cast<std::uint32_t>(std::uint64_t{begins_[buckets_]} * block / gridDim.x);
  }

  std::uint32_t* begins_;
  std::uint32_t buckets_;
  std::uint32_t stretch_begin_ = 0;
  std::uint32_t stretch_end_ = 0;
};

/// The segments of a bucket in 32 tiles, one for each lane of a warp, read as if they were one.
class joined_segments {
public:
  /// Each lane brings the first unit of its segment and how many there are.
  __device__ joined_segments(std::uint32_t first_unit, std::uint32_t units) {
    std::uint32_t sum = units;
#pragma unroll
    for (unsigned d = 1; d < 32; d *= 2) {
      std::uint32_t const before = __shfl_up_sync(~0u, sum, d);
      sum += threadIdx.x % 32 >= d ? before : 0;
    }
    size_ = __shfl_sync(~0u, sum, 31);
    begin_ = sum - units;
    offset_ = first_unit - begin_;
  }

  __device__ std::uint32_t size() const {
    return size_;
  }
  /// Where unit i of the joined ones lies. All lanes of the warp must call it.
  __device__ std::uint32_t unit(std::uint32_t i) const {
    unsigned lane = 0;  // of the last segment that begins at or before i
#pragma unroll
    for (unsigned step = 16; step > 0; step /= 2) {
      lane += __shfl_sync(~0u, begin_, static_cast<int>(lane + step)) <= i ? step : 0;
    }
    return __shfl_sync(~0u, offset_, static_cast<int>(lane)) + i;
  }

private:
  std::uint32_t size_;
  std::uint32_t begin_;
  std::uint32_t offset_;
};

/// Counts the rests of a unit; those that are padding behind all others.
__device__ inline void count_rests(uint4 const& unit, std::uint32_t counters, std::uint32_t most) {
  std::uint32_t const words[4] = {unit.x, unit.y, unit.z, unit.w};
#pragma unroll
  for (std::uint32_t const pair : words) {
    increment_shared(counters + min(pair & 0xffff, most) * 4);
    increment_shared(counters + min(pair >> 16, most) * 4);
  }
}

/// Counts the tiles [0, tiles) of a batch.
template <class Counters>
__launch_bounds__(1024, 1) __global__ void count_buckets(
    bucket_layout const layout, bucket_memory const memory, std::uint32_t const tiles,
    Counters const out) {
  extern __shared__ uint4 shared[];
  auto* const counters = reinterpret_cast<std::uint32_t*>(shared);
  auto const address = static_cast<std::uint32_t>(__cvta_generic_to_shared(counters));
  std::uint32_t const most = 1u << layout.rest_bits;
  work_line line(counters + most + 1, layout);
  line.lay_out(memory.totals, tiles);

  for (std::uint32_t bucket = line.first_bucket(); line.reaches(bucket); ++bucket) {
    group_interval const groups = line.groups_of(bucket, layout.groups());
    if (groups.count == 0) {
      continue;
    }
    for (std::uint32_t i = threadIdx.x; i < most / 4; i += blockDim.x) {
      shared[i] = make_uint4(0, 0, 0, 0);
    }
    __syncthreads();

    std::uint16_t const* const begin_of_tile = memory.begins + bucket * layout.begins_of_bucket();
    std::uint16_t const* const end_of_tile = begin_of_tile + layout.begins_of_bucket();
    std::uint32_t const my_tiles = groups.count * bucket_layout::tiles_of_group;
    for (std::uint32_t done = 0; done < my_tiles; done += blockDim.x) {
      // Neighbours go to different warps: where the input is sorted they all have much to do or none.
      std::uint32_t const i = done + threadIdx.x % 32 * (blockDim.x / 32) + threadIdx.x / 32;
      std::uint32_t const group =
          (groups.first + i / bucket_layout::tiles_of_group) * layout.stride % layout.groups();
      std::uint32_t const tile =
          group * bucket_layout::tiles_of_group + i % bucket_layout::tiles_of_group;
      bool const is_mine = i < my_tiles && tile < tiles;
      std::uint32_t const begin = is_mine ? begin_of_tile[tile] : 0;
      std::uint32_t const end = is_mine ? end_of_tile[tile] : 0;
      joined_segments const segments(tile * layout.units_of_tile() + begin, end - begin);

      constexpr unsigned loads = 4;
      for (std::uint32_t unit = 0; unit < segments.size(); unit += loads * 32) {
        uint4 loaded[loads];
#pragma unroll
        for (unsigned j = 0; j < loads; ++j) {
          std::uint32_t const mine = unit + j * 32 + threadIdx.x % 32;
          if (unit + j * 32 < segments.size()) {  // the same for the whole warp
            std::uint32_t const at = segments.unit(mine);
            loaded[j] =
                mine < segments.size() ? __ldcs(memory.rests + at) : make_uint4(~0u, ~0u, ~0u, ~0u);
          }
        }
#pragma unroll
        for (unsigned j = 0; j < loads; ++j) {
          if (unit + j * 32 < segments.size()) {
            cuda::count_rests(loaded[j], address, most);
          }
        }
      }
    }
    __syncthreads();

    std::uint64_t const first_bin = layout.first_bin + (std::uint64_t{bucket} << layout.rest_bits);
    // Blocks that share a bucket begin at different bins, so as not to meet at the same address.
    std::uint32_t const turn = blockIdx.x * blockDim.x + threadIdx.x;
    for (std::uint32_t i = 0; i < most; i += blockDim.x) {
      std::uint32_t const rest = (i + turn) & (most - 1);
      if (i + threadIdx.x < most && counters[rest] != 0) {
        out.add(first_bin + rest, counters[rest]);
      }
    }
    __syncthreads();
  }
}

#pragma GCC visibility pop
}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
