// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Rows of two portions of an input, each in the order of its codes: kept as codes and states, put
/// in one order, and written where they go.

#include <thrust_hist/config.h>
#include <thrust_hist/system/cuda/kernels/double_double.cuh>
#include <thrust_hist/system/cuda/kernels/kernels_in_turn.cuh>
#include <thrust_hist/system/cuda/kernels/ranks.cuh>

#include <cstdint>
#include <new>
#include <type_traits>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {
#pragma GCC visibility push(hidden)

/// Keeps row r as it is folded, if there is room.
template <class Kind, class Fold>
struct kept_rows {
  using state = typename Fold::state;

  Fold fold;
  typename Kind::code* codes;
  state* states;
  std::uint64_t room;
  std::uint32_t volatile* unknown;  ///< not 0: some sum has lost bits

  /// Behind so many of them.
  kept_rows behind(std::uint64_t rows) const {
    return {fold, codes + rows, states + rows, room - rows, unknown};
  }
  __device__ void write_key(std::uint64_t row, typename Kind::code const& code) const {
    if (row < room) {
      ::new (static_cast<void*>(codes + row)) typename Kind::code(code);
    }
  }
  __device__ void write_value(std::uint64_t row, state const& x) const {
    if (row < room) {
      ::new (static_cast<void*>(states + row)) state(x);
    }
    if constexpr (std::is_same_v<state, double_double>) {
      if (!x.is_known()) {
        *unknown = 1;
      }
    }
  }
};

/// Puts `first` + `second` codes, either part of which is in ascending order, in one order, with
/// the numbers of their rows; of equal codes, that of the first part comes first.
template <class Kind>
__global__ void merge_rows(
    Kind const keys, typename Kind::code const* const codes, std::uint64_t const first,
    std::uint64_t const second, typename Kind::code* const merged, std::uint32_t* const numbers) {
  cuda::take_turn();
  std::uint64_t const stride = std::uint64_t{gridDim.x} * blockDim.x;
  for (std::uint64_t r = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; r < first + second;
       r += stride) {
    bool const is_first = r < first;
    auto const* const others = is_first ? codes + first : codes;
    auto const code = codes[r];
    std::uint64_t const before = cuda::first_not(is_first ? second : first, [&](std::uint64_t i) {
      return is_first ? keys.less(others[i], code) : !keys.less(code, others[i]);
    });
    std::uint64_t const place = (is_first ? r : r - first) + before;
    ::new (static_cast<void*>(merged + place)) typename Kind::code(code);
    numbers[place] = static_cast<std::uint32_t>(r);
  }
}

template <class Code, class State, class Writer>
__global__ void write_kept_rows(
    Code const* const codes, State const* const states, std::uint64_t const rows,
    Writer const writer) {
  cuda::take_turn();
  std::uint64_t const stride = std::uint64_t{gridDim.x} * blockDim.x;
  for (std::uint64_t r = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; r < rows;
       r += stride) {
    writer.write_key(r, codes[r]);
    writer.write_value(r, states[r]);
  }
}

#pragma GCC visibility pop
}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
