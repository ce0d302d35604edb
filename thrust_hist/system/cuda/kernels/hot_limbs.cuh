// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// More long accumulators, in shared memory, for frequent bins.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/long_accumulator.h>
#include <thrust_hist/system/cuda/kernels/hot_names.cuh>
#include <thrust_hist/system/cuda/kernels/limb_words.cuh>
#include <thrust_hist/system/cuda/kernels/long_accumulators.cuh>
#include <thrust_hist/system/cuda/kernels/shared_words.cuh>

#include <cstdint>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {
#pragma GCC visibility push(hidden)

/// As hot_words, for exact sums.
template <class T>
class hot_limbs {
public:
  static constexpr unsigned words = limb_shape<T>::words;

  /// `memory`: what the plan has for so many entries.
  __device__ hot_limbs(std::uint32_t entries, std::uint32_t const* memory)
      : names_(entries, cuda::shared_address(memory), 0),
        words_(cuda::shared_address(memory + entries)),
        sums_({entries, words, 0}, memory + entries), notable_(entries) {}

  __device__ void begin() const {
    for (std::uint32_t i = threadIdx.x; i < names_.entries(); i += blockDim.x) {
      names_.clear(i);
    }
    for (std::uint32_t i = threadIdx.x; i < names_.entries() * words; i += blockDim.x) {
      cuda::store_shared(words_ + i * 4, 0);
    }
  }
  /// Adds a number that is not zero, if its bin has a place; what is no number has none.
  __device__ bool add(std::uint64_t bin, T x) {
    std::uint32_t const entry = names_.find(bin, notable_.look_at(bin));
    if (entry == names_.no_entry) {
      return false;
    }
    dissected<T> const parts = detail::dissect(x);
    if (parts.kind != special::finite) {
      return false;
    }
    sums_.add(entry, parts.significand, parts.position);
    return true;
  }
  __device__ void deliver(carry_save<T>* sums) const {
    names_.for_each([&](std::uint64_t bin, std::uint32_t i) {
      for (unsigned k = 0; k < words; ++k) {
        auto const word =
            static_cast<std::int32_t>(cuda::load_shared(words_ + (i * words + k) * 4));
        if (word != 0) {
          cuda::add_at_bit(sums[bin], k * limb_shape<T>::radix, word);
        }
      }
    });
  }

private:
  hot_names<1> names_;
  std::uint32_t words_;
  limb_words<T> sums_;
  notable_bins notable_;
};

#pragma GCC visibility pop
}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
