// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Routes partitioned and hashed, second kernel: which block counts what.

#include <thrust_hist/config.h>
#include <thrust_hist/system/cuda/buckets.h>
#include <thrust_hist/system/cuda/kernels/block_sum.cuh>

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

/// Heavy tables are shared out among blocks; each light one belongs to one block. Where tables are
/// few, all are heavy, unless blocks want whole ones.
enum class weight { heavy, light };

/// What a table of bins takes beside its samples, in units of 16 of them: a segment costs about as
/// much as so many, a table as many thousands.
__device__ inline std::uint32_t work_of_table(std::uint32_t tiles) {
  return tiles + 2048;
}

/// Work on one line: the tables of a weight one after another, each as long as it takes to count.
/// Every block gets equal stretches, so a heavy table is shared by as many as it has work for.
class work_line {
public:
  /// `memory` is shared: a number for each warp, and where each table begins. `own_work`: what a
  /// table takes beside its samples, in units of 16 of them. `whole`: tables may be light even
  /// where they are few; see has_work().
  __device__ work_line(
      std::uint32_t* memory, bucket_layout const& layout, std::uint32_t own_work,
      bool whole = false)
      : of_warps_(memory), begins_(memory + 32), tables_(layout.tables()),
        tables_log2_(layout.tables_log2()), own_work_(own_work) {
    std::uint32_t const of_block = tables_ / gridDim.x;
    light_jobs_ = whole || of_block >= 8 ? gridDim.x * of_block : 0;
  }

  /// Lays the line out in shared memory. All threads of the block must call it.
  __device__ void lay_out(std::uint32_t const* totals, weight which) {
    // Light tables are jobs of their own, dealt out one by one: blocks count neighbours at the same
    // time then, whose segments share sectors of memory, and none waits for the others at the end.
    which_ = which;
    jobs_ = which == weight::light ? light_jobs_ : gridDim.x;
    std::uint32_t const share = (tables_ + blockDim.x - 1) / blockDim.x;
    std::uint32_t const first = min(threadIdx.x * share, tables_);
    std::uint32_t const last = min(first + share, tables_);
    std::uint32_t length = 0;
    for (std::uint32_t t = first; t < last; ++t) {
      length += work(totals[t >> tables_log2_]);
    }
    std::uint32_t begin = exclusive_sum_over_block(length, of_warps_);
    for (std::uint32_t t = first; t < last; ++t) {
      begins_[t] = begin;
      begin += work(totals[t >> tables_log2_]);
    }
    if (threadIdx.x == blockDim.x - 1) {
      begins_[tables_] = begin;
    }
    __syncthreads();
  }

  /// A word in shared memory that is used by lay_out() alone. The next one is for jobs.
  __device__ std::uint32_t* beside() const { return of_warps_; }
  __device__ bool has_light() const { return light_jobs_ != 0; }
  __device__ std::uint32_t jobs() const { return jobs_; }
  __device__ void take(std::uint32_t job) {
    stretch_begin_ = at(job);
    stretch_end_ = at(job + 1);
  }
  /// The job after this one; each block's first is that of its number. Each has one stretch of
  /// heavy tables, and light ones go to whoever is done first: `dealt` counts them. All threads of
  /// the block must call it.
  __device__ std::uint32_t after(std::uint32_t job, std::uint32_t* dealt) const {
    if (which_ == weight::heavy) {
      return job + gridDim.x;
    }
    __syncthreads();
    if (threadIdx.x == 0) {
      of_warps_[1] = gridDim.x + atomicAdd(dealt, 1u);
    }
    __syncthreads();
    return of_warps_[1];
  }

  /// For who deals out tables instead of jobs: whether this one has the weight that was laid out,
  /// and samples.
  __device__ bool has_work(std::uint32_t table) const {
    return begins_[table] != begins_[table + 1];
  }

  /// The first table with work in this job.
  __device__ std::uint32_t first_table() const {
    std::uint32_t low = 0;
    std::uint32_t high = tables_;
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
  __device__ bool reaches(std::uint32_t table) const {
    return table < tables_ && begins_[table] < stretch_end_;
  }
  /// Which of `groups` groups of tiles this block has of a table, in the order of visits.
  __device__ group_interval groups_of(std::uint32_t table, std::uint32_t groups) const {
    std::uint32_t const begin = begins_[table];
    std::uint32_t const length = begins_[table + 1] - begin;
    if (length == 0) {
      return {0, 0};
    }
    if (which_ == weight::light) {  // it belongs to the job in which it begins
      return {0, begin >= stretch_begin_ ? groups : 0};
    }
    std::uint32_t const from = max(stretch_begin_, begin) - begin;
    std::uint32_t const to = min(stretch_end_ - begin, length);
    auto const share = [&](std::uint32_t x) {
      return static_cast<std::uint32_t>(std::uint64_t{groups} * x / length);
    };
    return {share(from), share(to) - share(from)};
  }

  /// As many as its bucket has, less 15 at most, if it has any.
  __device__ std::uint32_t samples_of(std::uint32_t table) const {
    return (begins_[table + 1] - begins_[table] - own_work_) * 16;
  }

private:
  __device__ std::uint32_t work(std::uint32_t samples) const {
    std::uint32_t const all = samples / 16 + own_work_;
    bool const is_light = light_jobs_ != 0 && all < 4 * own_work_;
    return samples != 0 && is_light == (which_ == weight::light) ? all : 0;
  }
  __device__ std::uint32_t at(std::uint32_t job) const {
    return static_cast<std::uint32_t>(std::uint64_t{begins_[tables_]} * job / jobs_);
  }

  std::uint32_t* of_warps_;
  std::uint32_t* begins_;
  std::uint32_t tables_;
  unsigned tables_log2_;
  std::uint32_t own_work_;
  std::uint32_t light_jobs_;
  weight which_ = weight::heavy;
  std::uint32_t jobs_ = 0;
  std::uint32_t stretch_begin_ = 0;
  std::uint32_t stretch_end_ = 0;
};

#pragma GCC visibility pop
}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
