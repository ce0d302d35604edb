// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Codes that have a counter each, or a state: which one a key has, and how they become rows.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/bin_index.h>
#include <thrust_hist/system/cuda/kernels/counters.cuh>
#include <thrust_hist/system/cuda/kernels/kernels_in_turn.cuh>
#include <thrust_hist/system/cuda/kernels/placed_codes.cuh>

#include <cstdint>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {
#pragma GCC visibility push(hidden)

/// The place of a key's code in a range of `codes`; behind them, that of all others.
template <class Kind, class Code>
struct place_of_code {
  wide_code<Kind, Code> encode;
  Code first;
  std::uint32_t codes;

  template <class Key>
  __device__ std::uint32_t operator()(Key const& key) const {
    Code code;
    encode(key, code);
    auto const place = static_cast<Code>(code - first);
    return place < codes ? static_cast<std::uint32_t>(place) : codes;
  }
};

/// The same as a rule of bins.
template <class Kind, class Code, class Index>
struct bin_of_code {
  Code first;
  std::uint32_t codes;

  THRUST_HIST_HOST_DEVICE bin_index size() const noexcept { return static_cast<bin_index>(codes); }
  template <class Key>
  THRUST_HIST_HOST_DEVICE Index operator()(Key const& key) const noexcept {
    auto const place =
        static_cast<Code>(static_cast<Code>(Kind::template encode<Key>(key)) - first);
    return place < codes ? static_cast<Index>(place) : above_of<Index>;
  }
};
template <class Kind, class Code>
struct bins_of_codes {
  Code first;
  std::uint32_t codes;

  bin_index size() const noexcept { return static_cast<bin_index>(codes); }
  template <class Key, class Index>
  bin_of_code<Kind, Code, Index> for_samples() const noexcept {
    return {first, codes};
  }
};

/// What was counted, and which codes have occurred.
struct counted_places {
  global_counters counters;

  __device__ std::uint64_t at(std::uint64_t place) const {
    return counters.wide ? static_cast<unsigned long long const*>(counters.data)[place]
                         : static_cast<unsigned const*>(counters.data)[place];
  }
  __device__ bool operator()(std::uint64_t place) const { return at(place) != 0; }
};

/// What values were folded into.
template <class State>
struct folded_places {
  State const* states;
  __device__ State at(std::uint64_t place) const { return states[place]; }
};

/// Writes a row for each of the places listed, in their order.
template <class Code, class Found, class Writer>
__global__ void write_places(
    Found const found, Code const first, std::uint64_t const* const places,
    std::uint64_t const rows, Writer const writer) {
  cuda::take_turn();
  std::uint64_t const stride = std::uint64_t{gridDim.x} * blockDim.x;
  for (std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < rows;
       i += stride) {
    writer.write_key(i, static_cast<Code>(first + static_cast<Code>(places[i])));
    writer.write_value(i, found.at(places[i]));
  }
}

#pragma GCC visibility pop
}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
