// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// A table in shared memory that holds all of a long accumulator for each bin, for exact sums of
/// real numbers of any size. Where bins are many, a group of blocks shares them out: each reads all
/// pairs of the group.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/long_accumulator.h>
#include <thrust_hist/system/cuda/kernels/limb_words.cuh>
#include <thrust_hist/system/cuda/kernels/loads.cuh>
#include <thrust_hist/system/cuda/kernels/long_accumulators.cuh>
#include <thrust_hist/system/cuda/kernels/neighbours.cuh>
#include <thrust_hist/system/cuda/kernels/shared_words.cuh>
#include <thrust_hist/system/cuda/kernels/window_table.cuh>

#include <cstdint>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {
#pragma GCC visibility push(hidden)

/// `Sums`: as a pointer to those of all bins in global memory.
template <class T, class Sums = carry_save<T>*>
class limb_table {
public:
  using shape = limb_shape<T>;
  static constexpr unsigned words = shape::words;

  struct description {
    word_layout layout;         // of a part of the bins
    window_facts const* facts;  // or null: this table takes all
    Sums sums;
    std::uint32_t bins;
    unsigned parts_log2;  // of the blocks that share bins out: block i has bins i, i + parts ...
    __device__ sharing share() const {
      return {
          std::uint64_t{blockIdx.x >> parts_log2} * blockDim.x + threadIdx.x,
          std::uint64_t{gridDim.x >> parts_log2} * blockDim.x};
    }
    __device__ bool is_idle() const { return facts != nullptr && facts->wide == 0; }
    __device__ limb_table make(uint4* shared) const { return limb_table(*this, shared); }
  };

  __device__ limb_table(description const& d, uint4* shared)
      : d_(d), data_(cuda::shared_address(shared)), mine_(d.layout, shared),
        part_(blockIdx.x & ((1u << d.parts_log2) - 1)) {}
  __device__ void begin() {
    for (std::uint32_t i = threadIdx.x; i < d_.layout.size(); i += blockDim.x) {
      cuda::shared_pointer<std::uint32_t>(data_)[i] = 0;
    }
  }
  template <class Bin>
  __device__ void add(Bin bin, T x) {
    if (bin >= d_.bins) {
      dropped_ += part_ == 0 ? 1 : 0;
      return;
    }
    if ((static_cast<std::uint32_t>(bin) & ((1u << d_.parts_log2) - 1)) != part_) {
      return;
    }
    dissected<T> const parts = detail::dissect(x);
    if (parts.significand != 0) {
      mine_.add(
          static_cast<std::uint32_t>(bin) >> d_.parts_log2, parts.significand, parts.position);
    } else if (parts.kind != special::finite) {
      cuda::add_to_sum(d_.sums + bin, x);
    }
  }
  template <class Bin>
  __device__ void add_four(Bin const (&bins)[pairs_of_group], T const (&x)[pairs_of_group]) {
#pragma unroll
    for (unsigned i = 0; i < pairs_of_group; ++i) {
      add(bins[i], x[i]);
    }
  }
  __device__ void deliver() {
    for (std::uint32_t i = threadIdx.x; i < d_.layout.bins * words; i += blockDim.x) {
      std::int64_t const sum = over_copies(i);
      if (sum != 0) {
        std::uint64_t const bin = (std::uint64_t{i / words} << d_.parts_log2) + part_;
        cuda::add_to_sum_at_bit(d_.sums + bin, i % words * shape::radix, sum);
      }
    }
  }
  __device__ std::uint32_t dropped() const {
    return dropped_;
  }

protected:
  /// What all copies of a word hold together, all words of all bins numbered.
  __device__ std::int64_t over_copies(std::uint32_t i) const {
    std::int64_t sum = 0;
    for (std::uint32_t c = 0; c < d_.layout.copies(); ++c) {
      sum += static_cast<std::int32_t>(cuda::shared_pointer<std::uint32_t const>(
          data_)[(i << d_.layout.copies_log2) + d_.layout.copy_in_turn(c)]);
    }
    return sum;
  }

  description const d_;
  std::uint32_t data_;

private:
  limb_words<T> mine_;
  std::uint32_t part_;
  std::uint32_t dropped_ = 0;
};

#pragma GCC visibility pop
}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
