// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Route global: an atomic on global memory for each sample, but for bins that many samples have.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/candidate.h>
#include <thrust_hist/system/cuda/kernels/counters.cuh>
#include <thrust_hist/system/cuda/kernels/hot_names.cuh>
#include <thrust_hist/system/cuda/kernels/kernels_in_turn.cuh>
#include <thrust_hist/system/cuda/kernels/samples.cuh>
#include <thrust_hist/system/cuda/kernels/shared_words.cuh>

#include <cstdint>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {
#pragma GCC visibility push(hidden)

/// Counters in shared memory for frequent bins: additions to one address in global memory wait for each other. A bin
/// gets one when a thread finds it notable.
class hot_counters {
public:
  /// `memory`: two words for each entry.
  __device__ hot_counters(std::uint32_t entries, std::uint32_t memory)
      : names_(entries, memory, 0), counts_(memory + entries * 4), notable_(entries) {}

  __device__ void begin() const {
    for (std::uint32_t i = threadIdx.x; i < names_.entries(); i += blockDim.x) {
      names_.clear(i);
      cuda::store_shared(counts_ + i * 4, 0);
    }
  }
  /// Counts a sample of a bin, if that has a counter.
  __device__ bool count(std::uint64_t bin) {
    std::uint32_t const entry = names_.find(bin, notable_.look_at(bin));
    if (entry == names_.no_entry) {
      return false;
    }
    cuda::increment_shared(counts_ + entry * 4);
    return true;
  }
  __device__ void deliver(global_counters const& out) const {
    names_.for_each([&](std::uint64_t bin, std::uint32_t i) {
      std::uint32_t const count = cuda::load_shared(counts_ + i * 4);
      if (count != 0) {
        out.add(bin, count);
      }
    });
  }

private:
  hot_names<1> names_;
  std::uint32_t counts_;
  notable_bins notable_;
};

/// A block sees less than 2^32 samples.
template <class Samples, class Rule>
__launch_bounds__(1024, 1) __global__ void count_global(
    Samples const samples, Rule const rule, std::uint64_t const bins, global_counters const out,
    std::uint32_t const hot_entries) {
  cuda::take_turn();
  extern __shared__ uint4 shared[];
  hot_counters hot(hot_entries, cuda::shared_address(shared));
  hot.begin();
  __syncthreads();
  samples.for_each(
      among_grid(),
      [&](auto const& x) {
        auto const bin = detail::candidate<std::uint64_t>(rule, x);
        if (bin < bins && !hot.count(bin)) {
          out.add(bin, 1);
        }
      },
      [] {});
  __syncthreads();
  hot.deliver(out);
}

#pragma GCC visibility pop
}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
