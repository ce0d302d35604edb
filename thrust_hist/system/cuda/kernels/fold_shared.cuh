// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Folds in a table in the shared memory of each block.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/fold.h>
#include <thrust_hist/system/cuda/kernels/kernels_in_turn.cuh>
#include <thrust_hist/system/cuda/kernels/loads.cuh>
#include <thrust_hist/system/cuda/kernels/rule_memory.cuh>

#include <cstdint>
#include <type_traits>
#include <utility>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {
#pragma GCC visibility push(hidden)

/// Where pairs without a bin are counted, if anybody asks.
struct dropped_counter {
  unsigned long long* total;

  /// `mine` is of this thread.
  __device__ void add(std::uint32_t mine) const {
    if (total != nullptr && mine != 0) {
      atomicAdd(total, static_cast<unsigned long long>(mine));
    }
  }
};

template <class Table, class = void>
inline constexpr bool wants_whole_warps = false;
template <class Table>
inline constexpr bool wants_whole_warps<Table, std::enable_if_t<Table::by_warps>> = true;

template <class Input, class Table, class = void>
inline constexpr bool gives_whole_warps = false;
template <class Input, class Table>
inline constexpr bool gives_whole_warps<
    Input, Table,
    std::void_t<decltype(std::declval<Input const&>().fold_by_warps(
        std::declval<Table&>(), sharing{}))>> = true;

/// Whether pairs come to a table by whole warps: it likes that, and the input can.
template <class Input, class Table>
inline constexpr bool folds_by_warps = wants_whole_warps<Table>&& gives_whole_warps<Input, Table>;

/// Gives the pairs of an input to a table.
template <class Input, class Table>
__device__ inline void fold_input(Input const& input, Table& table, sharing const share) {
  if constexpr (folds_by_warps<Input, Table>) {
    input.fold_by_warps(table, share);
  } else {
    input.fold_into(table, share);
  }
}

/// Which share of the pairs a block has.
template <class Description, class = void>
struct share_of_block {
  __device__ static sharing get(Description const&) { return among_grid(); }
};
template <class Description>
struct share_of_block<
    Description, std::void_t<decltype(std::declval<Description const&>().share())>> {
  __device__ static sharing get(Description const& d) { return d.share(); }
};

/// Whether a table begins while the kernel before may be running, and then reads what that found.
template <class Description, class = void>
inline constexpr bool begins_early = false;
template <class Description>
inline constexpr bool begins_early<Description, std::enable_if_t<Description::begins_early>> = true;

/// Folds an input into tables, one for each block.
///
/// A table description makes the table of a block from dynamic shared memory. The table has
/// `begin()`, `add(bin, value)`, `add_four(bins, values)`, and `deliver()`; all threads call the
/// first and the last. It may keep a frequent bin, see frequent_bin.cuh. If it begins early,
/// `make()` and `begin()` keep to shared memory, and `read_facts()` follows. `of_rule`: shared
/// memory behind the table.
template <class Input, class Description>
__launch_bounds__(1024, 1) __global__ void fold_shared(
    __grid_constant__ Input const input, Description const description,
    dropped_counter const dropped, bytes_of_rule const of_rule) {
  extern __shared__ uint4 shared[];
  if constexpr (!begins_early<Description>) {
    cuda::take_turn();
    if (description.is_idle()) {
      return;
    }
  }
  auto table = description.make(shared);
  table.begin();
  if constexpr (begins_early<Description>) {
    cuda::take_turn();
    if (description.is_idle()) {
      return;
    }
    table.read_facts();
  }
  __syncthreads();
  sharing share = share_of_block<Description>::get(description);
  share.of_rule = of_rule.in(shared);
  cuda::fold_input(input, table, share);
  __syncthreads();
  cuda::let_next_kernel_come();  // what brings tables together
  table.deliver();
  dropped.add(table.dropped());
}

#pragma GCC visibility pop
}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
