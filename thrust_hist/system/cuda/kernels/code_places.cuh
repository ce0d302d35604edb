// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Codes that have a counter each: which one a key has, and how counters become rows.

#include <thrust_hist/config.h>
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

/// What was counted, and which codes have occurred.
struct counted_places {
  global_counters counters;

  __device__ std::uint64_t count(std::uint64_t place) const {
    return counters.wide ? static_cast<unsigned long long const*>(counters.data)[place]
                         : static_cast<unsigned const*>(counters.data)[place];
  }
  __device__ bool operator()(std::uint64_t place) const { return count(place) != 0; }
};

/// Writes a row for each of the places listed, in their order.
template <class Code, class Writer>
__global__ void write_places(
    counted_places const counted, Code const first, std::uint64_t const* const places,
    std::uint64_t const rows, Writer const writer) {
  cuda::take_turn();
  std::uint64_t const stride = std::uint64_t{gridDim.x} * blockDim.x;
  for (std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < rows;
       i += stride) {
    writer.write_key(i, static_cast<Code>(first + static_cast<Code>(places[i])));
    writer.write_value(i, counted.count(places[i]));
  }
}

#pragma GCC visibility pop
}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
