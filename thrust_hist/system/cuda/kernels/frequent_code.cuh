// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Sparse histograms, route partitioned: one code may be most of a drawn bucket. All lanes would
/// wait for each other at its group, which takes long to be put in order; so it is only counted.

#include <thrust_hist/config.h>
#include <thrust_hist/system/cuda/kernels/lanes.cuh>
#include <thrust_hist/system/cuda/ordered_slices.h>

#include <cstddef>
#include <cstdint>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {
#pragma GCC visibility push(hidden)

/// The lowest code that is about a quarter of a bucket or more, as the sample has it between whose
/// codes the bucket lies; if there is one. The highest of the sample may come to no bucket.
template <class Code>
class frequent_code {
public:
  /// All threads read the same codes, which are near where they were read before.
  __device__ void find(bounded_slices<Code> const& slices, std::uint32_t bucket) {
    if (slices.sample != nullptr && slices.may_be_frequent) {
      Code const* const mine = slices.sample + std::size_t{bucket} * slices.of_bucket;
      std::uint32_t const step = slices.of_bucket / 4;
#pragma unroll
      for (std::uint32_t i = 1; i < 4; ++i) {
        // So many equal ones are at one of these places, and half a step before or behind.
        Code const c = mine[i * step];
        bool const is_often = c == mine[i * step - step / 2] || c == mine[i * step + step / 2];
        if (!exists_ && is_often && (c != mine[0] || bucket == 0)) {
          exists_ = true;
          code_ = c;
        }
      }
    }
  }

  __device__ bool exists() const {
    return exists_;
  }
  __device__ bool is(Code c) const {
    return exists_ && c == code_;
  }
  /// How many of this thread's are that one.
  __device__ void add(bool is_one) {
    count_ += is_one ? 1 : 0;
  }
  /// Adds up what all threads have. Returns whether any has one. All must call it; `of_warps`: a
  /// word for each warp.
  __device__ bool add_up(std::uint32_t* of_warps) {
    if (exists_) {
      std::uint32_t const of_warp = cuda::add_over_lanes(~0u, count_);
      if (threadIdx.x % 32 == 0) {
        of_warps[threadIdx.x / 32] = of_warp;
      }
      __syncthreads();
      count_ = 0;
      for (unsigned warp = 0; warp < blockDim.x / 32; ++warp) {
        count_ += of_warps[warp];
      }
      __syncthreads();
    }
    return count_ != 0;
  }
  /// After add_up(): whether it occurs, which one it is, and how often beyond the first time.
  __device__ bool occurs() const {
    return count_ != 0;
  }
  __device__ Code code() const {
    return code_;
  }
  __device__ std::uint32_t more() const {
    return count_ != 0 ? count_ - 1 : 0;
  }
  __device__ std::uint32_t more_of(Code c) const {
    return c == code_ ? more() : 0;
  }

private:
  Code code_ = 0;
  std::uint32_t count_ = 0;
  bool exists_ = false;
};

#pragma GCC visibility pop
}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
