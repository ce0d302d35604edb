// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Folds of so few pairs that one block is enough: from the input to the output in one launch,
/// without scratch memory.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/long_accumulator.h>
#include <thrust_hist/system/cuda/kernels/fold_shared.cuh>
#include <thrust_hist/system/cuda/kernels/kernels_in_turn.cuh>
#include <thrust_hist/system/cuda/kernels/limb_table.cuh>
#include <thrust_hist/system/cuda/kernels/long_accumulators.cuh>
#include <thrust_hist/system/cuda/kernels/shared_words.cuh>
#include <thrust_hist/system/cuda/lone_block.h>

#include <cstdint>
#include <type_traits>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {
#pragma GCC visibility push(hidden)

/// The threads of the block at most.
template <class Description, class = void>
inline constexpr unsigned lone_threads = 1024;
template <class Description>
inline constexpr unsigned
    lone_threads<Description, std::enable_if_t<(Description::most_threads > 0)>> =
        Description::most_threads;

/// Folds an input into the table of the only block, and writes the bins by `write(bin, state)`. The
/// table is one that fold_shared takes, with `for_each_bin(use)` in the place of `deliver()`.
template <class Input, class Description, class Writer>
__launch_bounds__(lone_threads<Description>, 1) __global__ void fold_alone(
    __grid_constant__ Input const input, Description const description, Writer const write) {
  cuda::take_turn();
  extern __shared__ uint4 shared[];
  auto table = description.make(shared);
  table.begin();
  __syncthreads();
  cuda::fold_input(input, table, among_grid());
  __syncthreads();
  table.for_each_bin(write);
}

/// Limbs of which long accumulators are made in the block.
template <class T>
class lone_limbs : public limb_table<T, special_flags*> {
public:
  using base = limb_table<T, special_flags*>;

  struct description {
    static constexpr unsigned most_threads = cuda::most_threads_with(sizeof(carry_save<T>));
    word_layout layout;
    __device__ lone_limbs make(uint4* shared) const {
      auto* const flags = reinterpret_cast<special_flags*>(
          reinterpret_cast<std::uint32_t*>(shared) + layout.size());
      return lone_limbs({layout, nullptr, flags, layout.bins, 0}, shared);
    }
  };

  __device__ void begin() {
    base::begin();
    for (std::uint32_t bin = threadIdx.x; bin < d_.bins; bin += blockDim.x) {
      d_.sums[bin].kinds = 0;
    }
  }
  template <class Use>
  __device__ void for_each_bin(Use use) {
    if (d_.layout.copies_log2 > 0) {  // a sum of copies has more than 32 bits, and room for 64
      for (std::uint32_t i = threadIdx.x; i < d_.bins * base::words; i += blockDim.x) {
        std::int64_t const sum = this->over_copies(i);
        *place<std::int64_t>(i) = sum;
      }
      __syncthreads();
    }
    for (std::uint32_t bin = threadIdx.x; bin < d_.bins; bin += blockDim.x) {
      carry_save<T> sum = {};
#pragma unroll(words_at_once)
      for (std::uint32_t w = 0; w < base::words; ++w) {
        std::uint32_t const i = bin * base::words + w;
        std::int64_t const digits =
            d_.layout.copies_log2 > 0 ? *place<std::int64_t>(i) : *place<std::int32_t>(i);
        cuda::add_at_bit(
            sum, w * base::shape::radix, digits,
            [](std::int64_t* limb, std::int64_t x) { *limb += x; });
      }
      sum.specials = d_.sums[bin].kinds;
      sum.normalize();
      use(bin, sum);
    }
  }

private:
  using base::base;
  using base::d_;

  /// Where limbs are few, all stay in registers, since each index is a constant.
  static constexpr int words_at_once =
      has_many_limbs(sizeof(carry_save<T>)) ? 1 : static_cast<int>(base::words);

  /// Of the copies of a word.
  template <class Word>
  __device__ Word* place(std::uint32_t i) const {
    return cuda::shared_pointer<Word>(this->data_ + (i << d_.layout.copies_log2) * 4);
  }
};

#pragma GCC visibility pop
}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
