// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Pairs that a thread has side by side: equal ones are folded before they meet others. Only where
/// all lanes of a warp have such; else some lanes would wait for the others.

#include <thrust_hist/config.h>

#include <cstdint>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {
#pragma GCC visibility push(hidden)

inline constexpr unsigned pairs_of_group = 4;

/// Whether something holds for all lanes that are here.
__device__ inline bool holds_for_warp(bool mine) {
  return __all_sync(__activemask(), mine) != 0;
}

/// The fold of the values [First, First + Stride, ...] of four.
template <unsigned First, unsigned Stride, class Fold, class Value>
__device__ inline Value fold_some(Fold const& fold, Value const (&x)[pairs_of_group]) {
  typename Fold::state sum = x[First];
#pragma unroll
  for (unsigned i = First + Stride; i < pairs_of_group; i += Stride) {
    fold.add(sum, x[i]);
  }
  return sum;
}

/// Gives four neighbours to a table: as one pair where their bins are equal, as two where these
/// alternate. The table has `bins()`, `add(bin, x)`, and `add_equals<First, Stride>(bin, x)` for
/// those of four, which have a bin. `pays`: whether lanes of a warp can meet at all; the same for
/// all of them. `kept`: nothing, or a kept_bin for those that stay apart.
template <class Table, class Bin, class Value, class... Kept>
__device__ inline void add_neighbours(
    Table& table, Bin const (&bins)[pairs_of_group], Value const (&x)[pairs_of_group], bool pays,
    Kept&... kept) {
  static_assert(sizeof...(Kept) <= 1, "a pair is folded once");
  bool const have_bins = bins[0] < table.bins() && bins[1] < table.bins();
  if (pays && cuda::holds_for_warp(have_bins && bins[0] == bins[2] && bins[1] == bins[3])) {
    if (cuda::holds_for_warp(bins[0] == bins[1])) {
      table.template add_equals<0, 1>(bins[0], x);
    } else {
      table.template add_equals<0, 2>(bins[0], x);
      table.template add_equals<1, 2>(bins[1], x);
    }
  } else {
#pragma unroll
    for (unsigned i = 0; i < pairs_of_group; ++i) {
      if constexpr (sizeof...(Kept) == 0) {
        table.add(bins[i], x[i]);
      } else {
        (kept.add(table, bins[i], x[i]), ...);
      }
    }
  }
}

#pragma GCC visibility pop
}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
