// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// A look at a part of the keys: how many of them are distinct, and how many of these come once and
/// twice.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/iterator_types.h>
#include <thrust_hist/detail/mixed_codes.h>
#include <thrust_hist/system/cuda/kernels/sample_keys.cuh>
#include <thrust_hist/system/cuda/key_sample.h>
#include <thrust_hist/system/cuda/part_sample.h>

#include <cstdint>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {
#pragma GCC visibility push(hidden)

/// Shared memory of a warp.
struct part_words {
  unsigned long long known[64];  ///< hashes, all 0 at first
  unsigned long long queue[64];
};

/// Counts hashes, most of which may be of few codes, in the slots of a sample. A warp remembers
/// some that were counted often enough, and collects as many others as it has lanes. All lanes must
/// call what follows.
class part_counter {
public:
  __device__ part_counter(sample_slots const& slots, part_words& words)
      : slots_(slots), words_(words) {}

  /// Of the lanes that have one, 0 being none.
  __device__ void take(unsigned long long hash) {
    bool const is_wanted = hash != 0 && words_.known[place_of(hash)] != hash;
    unsigned const wanted = __ballot_sync(~0u, is_wanted);
    unsigned const lane = threadIdx.x % 32;
    if (is_wanted) {
      words_.queue[queued_ + __popc(wanted & ((1u << lane) - 1))] = hash;
    }
    queued_ += static_cast<unsigned>(__popc(wanted));
    __syncwarp();
    if (queued_ >= 32) {
      count(words_.queue[lane]);
      queued_ -= 32;
      words_.queue[lane] = words_.queue[lane + 32];
      __syncwarp();
    }
  }
  __device__ void finish() const {
    unsigned const lane = threadIdx.x % 32;
    count(lane < queued_ ? words_.queue[lane] : 0);
  }

private:
  static constexpr std::uint32_t enough = 3;  // all that is asked is what comes once and twice

  __device__ static unsigned place_of(unsigned long long hash) {
    return static_cast<unsigned>(hash) % 64;
  }
  __device__ static bool is_first_of(unsigned lanes) {
    return (lanes & ((1u << threadIdx.x % 32) - 1)) == 0;
  }
  __device__ void count(unsigned long long hash) const {
    unsigned const equals = __match_any_sync(~0u, hash);  // would wait for each other
    bool is_known = false;
    if (hash != 0 && is_first_of(equals)) {
      is_known = enter(hash, static_cast<std::uint32_t>(__popc(equals)));
    }
    __syncwarp();
    unsigned const knowing = __ballot_sync(~0u, is_known);
    if (is_known && is_first_of(__match_any_sync(knowing, place_of(hash)))) {
      words_.known[place_of(hash)] = hash;
    }
    __syncwarp();
  }
  /// Returns whether it was counted often enough before.
  __device__ bool enter(unsigned long long hash, std::uint32_t times) const {
    std::uint32_t slot = slots_.first(hash);
    for (unsigned looks = 0; looks < sample_slots::most_looks; ++looks) {
      unsigned long long found = __ldcg(&slots_.codes[slot]);
      found = found == 0 ? atomicCAS(&slots_.codes[slot], 0ull, hash) : found;
      if (found == 0 || found == hash) {
        bool const is_known = __ldcg(&slots_.counts[slot]) >= enough;
        if (!is_known) {
          atomicAdd(&slots_.counts[slot], times < enough ? times : enough);
        }
        return is_known;
      }
      slot = slots_.next(slot, hash);
    }
    return false;
  }

  sample_slots slots_;
  part_words& words_;
  unsigned queued_ = 0;
};

/// A word by which some codes are told from others: a quick one, for that is all that is done with
/// most.
template <class Code>
THRUST_HIST_HOST_DEVICE inline std::uint32_t filter_of(Code code) {
  std::uint32_t low = static_cast<std::uint32_t>(code);
  if constexpr (sizeof(Code) > 4) {
    low += static_cast<std::uint32_t>(code >> 32) * 0x85ebca6bu;
  }
  if constexpr (sizeof(Code) > 8) {
    low += static_cast<std::uint32_t>(code >> 64) * 0xc2b2ae35u;
    low += static_cast<std::uint32_t>(code >> 96) * 0x27d4eb2fu;
  }
  low ^= low >> 15;
  return low * 0x9e3779b9u;
}

/// Which part of an input is read.
struct read_part {
  std::uint64_t groups;  ///< of keys: of each a warp reads as many as it has lanes, somewhere
  unsigned kept_shift;   ///< codes are counted whose filter has no bits from here on; less than 32
};

/// By block `block` of `blocks`, each of threads_of_sampler.
template <class Keys, class Encode, class Code>
__device__ inline void read_keys(
    Keys const& keys, read_part const& part, Encode const& encode, unsigned block, unsigned blocks,
    slots_and_seen const& to) {
  constexpr unsigned all_warps = threads_of_sampler / 32;
  __shared__ part_words words[all_warps];
  __shared__ std::uint32_t equals[2];
  unsigned const lane = threadIdx.x % 32;
  words[threadIdx.x / 32].known[lane] = 0;
  words[threadIdx.x / 32].known[lane + 32] = 0;
  if (threadIdx.x < 2) {
    equals[threadIdx.x] = 0;
  }
  __syncthreads();
  part_counter counter(to.slots, words[threadIdx.x / 32]);
  constexpr unsigned at_once = 4;
  std::uint64_t const warps = std::uint64_t{blocks} * all_warps;
  std::uint32_t side_by_side = 0;
  std::uint32_t far_apart = 0;
  for (std::uint64_t first = std::uint64_t{block} * all_warps + threadIdx.x / 32;
       first < part.groups; first += warps * at_once) {
    Code code[at_once] = {};
    bool has_code[at_once];
#pragma unroll
    for (unsigned i = 0; i < at_once; ++i) {
      std::uint64_t const group = first + i * warps;
      std::uint64_t const place = part_sample::first_of(group) + lane;
      has_code[i] =
          group < part.groups &&
          encode(static_cast<value_t<Keys>>(keys[static_cast<difference_t<Keys>>(place)]), code[i]);
    }
    std::uint32_t mixed[at_once];
#pragma unroll
    for (unsigned i = 0; i < at_once; ++i) {
      mixed[i] = cuda::filter_of(code[i]);
    }
#pragma unroll
    for (unsigned i = 0; i < at_once; ++i) {
      bool equals_near = false;
      bool equals_far = false;
#pragma unroll
      for (unsigned k = 1; k < at_once; ++k) {
        unsigned const other = (i + k) % at_once;
        equals_near = mixed[i] == __shfl_xor_sync(~0u, mixed[i], k) || equals_near;
        equals_far = (has_code[other] && mixed[i] == mixed[other]) || equals_far;
      }
      side_by_side += has_code[i] && equals_near ? 1 : 0;
      far_apart += has_code[i] && equals_far ? 1 : 0;
      bool const is_kept = has_code[i] && mixed[i] >> part.kept_shift == 0;
      if (__any_sync(~0u, is_kept)) {
        counter.take(is_kept ? cuda::hash_of_sample(code[i], 0) : 0);
      }
    }
  }
  counter.finish();
  atomicAdd(&equals[0], side_by_side);
  atomicAdd(&equals[1], far_apart);
  __syncthreads();
  if (threadIdx.x == 0) {
    atomicAdd(&to.seen->side_by_side, equals[0]);
    atomicAdd(&to.seen->far_apart, equals[1]);
  }
}

#pragma GCC visibility pop
}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
