// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Codes that were sorted by their high bits alone: the few that share these and stand in the wrong
/// order are put right.

#include <thrust_hist/config.h>
#include <thrust_hist/system/cuda/kernels/kernels_in_turn.cuh>

#include <cstdint>
#include <type_traits>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {
#pragma GCC visibility push(hidden)

/// Groups of codes with the same high bits that are not in order.
struct disorder {
  static constexpr std::uint32_t room = 1u << 18;  ///< for places
  /// Of a group that is mended, which one thread does, where codes are many and where they are few.
  static constexpr std::uint32_t most_codes = 64;
  static constexpr std::uint32_t most_codes_of_few = 16;

  std::uint32_t groups;    ///< that were found: there may have been no room for all
  std::uint32_t too_long;  ///< whether one has more codes

  /// Whether all were mended, or can be.
  bool is_small() const noexcept { return groups <= room && too_long == 0; }
};

/// Lists where groups begin that are not in order. The first wrong neighbour of a group finds it.
template <class Code>
__global__ void find_disorder(
    Code const* const codes, std::uint64_t const n, int const low_bits,
    std::uint32_t const most_codes, disorder* const found, std::uint64_t* const begins) {
  cuda::take_turn();
  auto const high = [&](std::uint64_t i) { return codes[i] >> low_bits; };
  std::uint64_t const stride = std::uint64_t{gridDim.x} * blockDim.x;
  for (std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x + 1; i < n;
       i += stride) {
    if (codes[i] >= codes[i - 1] || high(i) != high(i - 1)) {
      continue;
    }
    std::uint64_t begin = i - 1;
    bool is_first = true;
    while (begin > 0 && high(begin - 1) == high(i) && is_first && i - begin < most_codes) {
      is_first = codes[begin - 1] <= codes[begin];
      --begin;
    }
    if (i - begin >= most_codes) {
      found->too_long = 1;
    } else if (is_first) {
      std::uint32_t const place = atomicAdd(&found->groups, 1u);
      if (place < disorder::room) {
        begins[place] = begin;
      }
    }
  }
}

/// Sorts the listed groups by insertion, a thread each. Equal codes keep their order.
template <class Code, class Beside>
__global__ void mend_order(
    Code* const codes, Beside* const beside, std::uint64_t const n, int const low_bits,
    std::uint32_t const most_codes, disorder* const found, std::uint64_t const* const begins) {
  cuda::take_turn();
  std::uint32_t const groups = found->groups;
  for (std::uint32_t g = blockIdx.x * blockDim.x + threadIdx.x; g < groups;
       g += gridDim.x * blockDim.x) {
    std::uint64_t const begin = begins[g];
    Code const high = codes[begin] >> low_bits;
    for (std::uint64_t i = begin + 1; i < n && codes[i] >> low_bits == high; ++i) {
      if (i - begin >= most_codes) {
        found->too_long = 1;
        break;
      }
      Code const code = codes[i];
      std::uint64_t to = i;
      while (to > begin && codes[to - 1] > code) {
        --to;
      }
      if (to == i) {
        continue;
      }
      if constexpr (std::is_empty_v<Beside>) {
        for (std::uint64_t j = i; j > to; --j) {
          codes[j] = codes[j - 1];
        }
      } else {
        Beside const mine = beside[i];
        for (std::uint64_t j = i; j > to; --j) {
          codes[j] = codes[j - 1];
          beside[j] = beside[j - 1];
        }
        beside[to] = mine;
      }
      codes[to] = code;
    }
  }
}

#pragma GCC visibility pop
}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
