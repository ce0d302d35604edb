// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// What places for frequent bins hold of exact sums: long accumulators.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/long_accumulator.h>
#include <thrust_hist/system/cuda/kernels/hot_places.cuh>
#include <thrust_hist/system/cuda/kernels/limb_words.cuh>
#include <thrust_hist/system/cuda/kernels/long_accumulators.cuh>
#include <thrust_hist/system/cuda/kernels/rows_of_sums.cuh>
#include <thrust_hist/system/cuda/kernels/shared_words.cuh>

#include <cstdint>
#include <type_traits>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {
#pragma GCC visibility push(hidden)

/// Limbs in words of 32 bits.
template <class T>
class hot_limbs {
public:
  static constexpr std::uint32_t parts = limb_shape<T>::words;

  __device__ hot_limbs(std::uint32_t entries, std::uint32_t memory)
      : words_(memory), sums_({entries, parts, 0}, cuda::shared_pointer<void const>(memory)) {}

  __device__ void clear(std::uint32_t i) const { cuda::store_shared(words_ + i * 4, 0); }
  /// Adds a number that is not zero; not what is none.
  __device__ bool add(std::uint32_t i, T x) const {
    dissected<T> const parts = detail::dissect(x);
    if (parts.kind != special::finite) {
      return false;
    }
    sums_.add(i, parts.significand, parts.position);
    return true;
  }
  /// Calls `give(bit, word)` for a word that is not 0.
  template <class Give>
  __device__ void flush(std::uint32_t i, Give give) const {
    auto const word = static_cast<std::int32_t>(cuda::load_shared(words_ + i * 4));
    if (word != 0) {
      give(i % parts * static_cast<std::uint32_t>(limb_shape<T>::radix), word);
    }
  }

private:
  std::uint32_t words_;
  limb_words<T> sums_;
};

/// So many places.
template <class T>
__device__ inline hot_places<hot_limbs<T>> make_hot_limbs(
    std::uint32_t entries, std::uint32_t memory) {
  using places = hot_places<hot_limbs<T>>;
  return {entries, memory, {entries, places::behind_names(entries, memory)}};
}

/// Adds what places have to the sums of all bins. All threads of the block call it when none adds
/// any more. A bin takes its row once, before its limbs come by many threads.
template <class T, class Sums>
__device__ inline void flush_limbs(hot_places<hot_limbs<T>> const& places, Sums const& sums) {
  if constexpr (!std::is_pointer_v<Sums>) {
    places.for_each_bin([&](std::uint64_t bin) { cuda::take_row(sums + bin); });
    __syncthreads();
  }
  places.flush([&](std::uint64_t bin, unsigned bit, std::int32_t word) {
    cuda::add_to_sum_at_bit(sums + bin, bit, word);
  });
}

#pragma GCC visibility pop
}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
