// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// The row of each key: what makes a histogram of known bins of a sparse one.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/fold.h>
#include <thrust_hist/detail/iterator_types.h>
#include <thrust_hist/detail/pairs.h>
#include <thrust_hist/system/cuda/kernels/kernels_in_turn.cuh>

#include <cstddef>
#include <cstdint>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {
#pragma GCC visibility push(hidden)

/// The first of so many places in ascending order of which `is_before` does not hold, or their
/// number.
template <class IsBefore>
__device__ inline std::uint64_t first_not(std::uint64_t size, IsBefore is_before) {
  std::uint64_t low = 0;
  std::uint64_t high = size;
  while (low < high) {
    std::uint64_t const middle = low + (high - low) / 2;
    if (is_before(middle)) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

/// Ascending codes, each once, and a hash table of their places. A slot holds a place + 1, or 0. A
/// code that found no slot within `most_probes` has none, and is found by halving.
template <class Kind>
struct rank_table {
  using code = typename Kind::code;
  static constexpr unsigned most_probes = 32;

  Kind keys;
  code const* codes;
  std::uint64_t size;
  std::uint32_t* slots;
  std::uint32_t mask;  ///< a power of two less 1

  __device__ std::uint32_t first_slot(code const& c) const {
    return static_cast<std::uint32_t>(keys.hash(c) >> 20) & mask;
  }
  __device__ std::uint64_t rank(code const& c) const {
    std::uint32_t slot = first_slot(c);
    for (unsigned probe = 0; probe < most_probes; ++probe, slot = (slot + 1) & mask) {
      std::uint32_t const place = slots[slot];
      if (place == 0) {
        break;
      }
      if (keys.equal(codes[place - 1], c)) {
        return place - 1;
      }
    }
    return cuda::first_not(size, [&](std::uint64_t i) { return keys.less(codes[i], c); });
  }
};

/// Enters the place of each code into slots that are 0.
template <class Kind>
__global__ void enter_ranks(rank_table<Kind> const table) {
  cuda::take_turn();
  std::uint64_t const stride = std::uint64_t{gridDim.x} * blockDim.x;
  for (std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < table.size;
       i += stride) {
    std::uint32_t slot = table.first_slot(table.codes[i]);
    for (unsigned probe = 0; probe < rank_table<Kind>::most_probes; ++probe) {
      if (atomicCAS(table.slots + slot, 0u, static_cast<std::uint32_t>(i + 1)) == 0) {
        break;
      }
      slot = (slot + 1) & table.mask;
    }
  }
}

/// The row of key i: that of its code, or behind those its place among the keys that equal no other
/// one.
template <class Keys, class Kind>
struct row_of_key {
  Keys keys;
  rank_table<Kind> table;
  std::uint64_t const* alone;
  std::uint64_t alone_size;

  __device__ std::uint64_t operator()(std::uint64_t i) const {
    using key = value_t<Keys>;
    auto const c =
        Kind::template encode<key>(static_cast<key>(keys[static_cast<difference_t<Keys>>(i)]));
    if (!table.keys.is_alone(c)) {
      return table.rank(c);
    }
    return table.size +
           cuda::first_not(alone_size, [&](std::uint64_t place) { return alone[place] < i; });
  }
};

/// Writes the key of each row: of a code, or behind those one that equals no other, as it stands in
/// the input.
template <class Kind, class Keys, class KeysOut>
__global__ void write_keys(
    typename Kind::code const* const codes, std::uint64_t const size, Keys const keys,
    std::uint64_t const* const alone, std::uint64_t const rows, KeysOut const out) {
  cuda::take_turn();
  using key = value_t<Keys>;
  using written = typename folded_of<KeysOut, key>::type;
  std::uint64_t const stride = std::uint64_t{gridDim.x} * blockDim.x;
  for (std::uint64_t r = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; r < rows;
       r += stride) {
    key const k = r < size
                      ? Kind::template decode<key>(codes[r])
                      : static_cast<key>(keys[static_cast<difference_t<Keys>>(alone[r - size])]);
    *(out + static_cast<std::ptrdiff_t>(r)) = static_cast<written>(k);
  }
}

#pragma GCC visibility pop
}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
