// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Which codes of a range occur: a bit for each, and one for all that lie outside.

#include <thrust_hist/config.h>
#include <thrust_hist/system/cuda/kernels/code_places.cuh>
#include <thrust_hist/system/cuda/kernels/kernels_in_turn.cuh>
#include <thrust_hist/system/cuda/kernels/loads.cuh>

#include <cstdint>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {
#pragma GCC visibility push(hidden)

/// Bits in memory of all blocks.
struct place_bits {
  std::uint32_t* words;

  /// For so many places, and one for what lies outside.
  THRUST_HIST_HOST_DEVICE static constexpr std::uint64_t size(std::uint64_t places) noexcept {
    return places / 32 + 1;
  }
  __device__ bool operator()(std::uint64_t place) const {
    return (words[place / 32] >> place % 32 & 1) != 0;
  }
};

/// Bits in the shared memory of a group of blocks, a power of two of them, which read the same keys
/// and share words out.
struct shared_bits {
  std::uint32_t words;  ///< of a block
  std::uint32_t parts_log2;

  static constexpr unsigned most_parts_log2 =
      2;  ///< more read no faster than bits in memory are asked

  __device__ std::uint32_t first_word() const {
    return (blockIdx.x & ((1u << parts_log2) - 1)) * words;
  }
  __device__ sharing share() const {
    return {
        std::uint64_t{blockIdx.x >> parts_log2} * blockDim.x + threadIdx.x,
        std::uint64_t{gridDim.x >> parts_log2} * blockDim.x};
  }
};

/// Bits are asked before they are set: most keys have occurred before. What blocks have goes to
/// `bits`, all 0 at first, when they are done.
template <class Samples, class Place>
__launch_bounds__(1024) __global__ void mark_in_shared(
    Samples const samples, Place const place, shared_bits const mine, place_bits const bits) {
  cuda::take_turn();
  extern __shared__ std::uint32_t of_block[];
  for (std::uint32_t i = threadIdx.x; i < mine.words; i += blockDim.x) {
    of_block[i] = 0;
  }
  __syncthreads();
  std::uint32_t const first = mine.first_word();
  samples.template for_each<true>(
      mine.share(),
      [&](auto const& key) {
        std::uint32_t const at = place(key);
        std::uint32_t const word = at / 32 - first;
        std::uint32_t const bit = 1u << at % 32;
        if (word < mine.words &&
            (static_cast<std::uint32_t volatile*>(of_block)[word] & bit) == 0) {
          atomicOr(of_block + word, bit);
        }
      },
      [] {});
  __syncthreads();
  auto const all = static_cast<std::uint32_t>(place_bits::size(place.codes));
  for (std::uint32_t i = threadIdx.x; i < mine.words && first + i < all; i += blockDim.x) {
    if ((of_block[i] & ~__ldcg(bits.words + first + i)) != 0) {
      atomicOr(bits.words + first + i, of_block[i]);
    }
  }
}

/// Words of bits as a block has seen them last, some of them. Where many ask for the same few words
/// in global memory all wait: what answers there takes one after the other.
class seen_words {
public:
  static constexpr unsigned log2 = 12;

  __device__ explicit seen_words(unsigned long long* entries) : entries_(entries) {}
  __device__ void begin() const {
    for (unsigned i = threadIdx.x; i < 1u << log2; i += blockDim.x) {
      entries_[i] = ~0ull << 32;  // the bits of no word
    }
  }
  /// The bits of a word that were set when it was seen; none if it was not, or has been forgotten.
  __device__ std::uint32_t operator()(std::uint32_t word) const {
    unsigned long long const seen = entry(word);
    return seen >> 32 == word ? static_cast<std::uint32_t>(seen) : 0;
  }
  __device__ void keep(std::uint32_t word, std::uint32_t bits) const {
    entry(word) = static_cast<unsigned long long>(word) << 32 | bits;
  }

private:
  __device__ unsigned long long volatile& entry(std::uint32_t word) const {
    return entries_[word * 0x9e3779b9u >> (32 - log2)];
  }
  unsigned long long* entries_;
};

/// The same where they are too many for that.
template <class Samples, class Place>
__launch_bounds__(1024) __global__ void mark_in_global(
    Samples const samples, Place const place, place_bits const bits) {
  cuda::take_turn();
  __shared__ unsigned long long entries[1u << seen_words::log2];
  seen_words const seen(entries);
  seen.begin();
  __syncthreads();
  samples.for_each(
      among_grid(),
      [&](auto const& key) {
        std::uint32_t const at = place(key);
        std::uint32_t const word = at / 32;
        std::uint32_t const bit = 1u << at % 32;
        if ((seen(word) & bit) == 0) {
          std::uint32_t const marked = __ldcg(bits.words + word);
          if ((marked & bit) == 0) {
            atomicOr(bits.words + word, bit);
          }
          seen.keep(word, marked | bit);
        }
      },
      [] {});
}

#pragma GCC visibility pop
}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
