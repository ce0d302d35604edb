// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Sparse histograms, route partitioned: a small hash table in shared memory for words that find no
/// room elsewhere, and how often each comes. When all have been counted they can be sorted. No word
/// is 0 or the highest one.

#include <thrust_hist/config.h>
#include <thrust_hist/system/cuda/kernels/shared_words.cuh>

#include <cstdint>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {
#pragma GCC visibility push(hidden)

class crowd_table {
public:
  /// Room for 2^log2 words, from an address in shared memory on that is a multiple of 16.
  __device__ crowd_table(std::uint32_t address, unsigned log2)
      : words_(address), counts_(address + (8u << log2)), log2_(log2) {}

  /// All threads of the block must call it, and wait for each other before words are counted.
  __device__ void clear() const {
    for (std::uint32_t i = threadIdx.x; i < room(); i += blockDim.x) {
      word(i) = 0;
      cuda::store_shared(counts_ + i * 4, 0);
    }
  }
  /// Counts a word; `size` counts those that are new. Returns whether there was room.
  __device__ bool add(std::uint64_t x, std::uint32_t* size) const {
    auto i = static_cast<std::uint32_t>(x * 0x9e3779b97f4a7c15u >> (64 - log2_));
    for (std::uint32_t look = 0; look < most_looks; ++look) {
      std::uint64_t const before = cuda::name_shared(words_ + i * 8, x);
      if (before == 0 || before == x) {
        cuda::increase_shared(counts_ + i * 4, 1);
        if (before == 0) {
          atomicAdd(size, 1u);
        }
        return true;
      }
      i = (i + 1) & (room() - 1);
    }
    return false;
  }
  /// Sorts the words, so that they stand from the first place on (K. Batcher 1968). All threads of
  /// the block must call it, after having waited for each other.
  __device__ void sort() const {
    for (std::uint32_t i = threadIdx.x; i < room(); i += blockDim.x) {
      word(i) = word(i) == 0 ? ~std::uint64_t{0} : word(i);
    }
    __syncthreads();
    for (std::uint32_t run = 2; run <= room(); run *= 2) {
      for (std::uint32_t apart = run / 2; apart > 0; apart /= 2) {
        for (std::uint32_t k = threadIdx.x; k < room() / 2; k += blockDim.x) {
          std::uint32_t const i = k / apart * apart * 2 + k % apart;
          exchange(i, i + apart, (i & run) == 0);
        }
        __syncthreads();
      }
    }
  }

  // Of sorted ones.

  __device__ std::uint64_t word_at(std::uint32_t i) const { return word(i); }
  __device__ std::uint32_t count_at(std::uint32_t i) const {
    return cuda::load_shared(counts_ + i * 4);
  }
  /// How many of the first `size` words are below x.
  __device__ std::uint32_t below(std::uint64_t x, std::uint32_t size) const {
    std::uint32_t first = 0;
    while (first < size) {
      std::uint32_t const middle = first + (size - first) / 2;
      bool const is_below = word(middle) < x;
      first = is_below ? middle + 1 : first;
      size = is_below ? size : middle;
    }
    return first;
  }

private:
  static constexpr std::uint32_t most_looks = 64;

  __device__ std::uint32_t room() const { return 1u << log2_; }
  __device__ std::uint64_t& word(std::uint32_t i) const {
    return shared_pointer<std::uint64_t>(words_)[i];
  }
  __device__ void exchange(std::uint32_t i, std::uint32_t k, bool ascends) const {
    std::uint64_t const x = word(i);
    std::uint64_t const y = word(k);
    if (x != y && (x > y) == ascends) {
      word(i) = y;
      word(k) = x;
      std::uint32_t const count = count_at(i);
      cuda::store_shared(counts_ + i * 4, count_at(k));
      cuda::store_shared(counts_ + k * 4, count);
    }
  }

  std::uint32_t words_;  // the address of an array, as the next
  std::uint32_t counts_;
  unsigned log2_;
};

#pragma GCC visibility pop
}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
