// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// A bin that many lanes of a warp have at once, time and again: in shared memory they would wait
/// for each other there, so each lane folds what it has of it in a register for a while. Not what
/// all lanes have side by side, which neighbours.cuh folds before.

#include <thrust_hist/config.h>

#include <cstdint>
#include <type_traits>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {
#pragma GCC visibility push(hidden)

/// Looks for such a bin. All lanes of a warp call it together, and learn the same.
class frequent_bin {
public:
  static constexpr std::uint32_t none = ~std::uint32_t{0};

  /// The bin, or none, by one bin of each lane. What lies outside of all bins may have the number
  /// of none.
  template <class Bin>
  __device__ std::uint32_t among(Bin mine, std::uint32_t bins) {
    if (bin_ == none || lanes_with(mine == bin_) < fewest) {
      Bin const other = __shfl_sync(~0u, mine, static_cast<int>(looks_ % 32));
      bool const is_frequent = other < bins && lanes_with(mine == other) >= many;
      bin_ = is_frequent ? static_cast<std::uint32_t>(other) : none;
    }
    ++looks_;
    return bin_;
  }

private:
  static constexpr int many = 12;   // lanes
  static constexpr int fewest = 8;  // where they were many before

  __device__ static int lanes_with(bool mine) { return __popc(__ballot_sync(~0u, mine)); }

  std::uint32_t bin_ = none;
  unsigned looks_ = 0;
};

/// Whether a table wants that: it says so by a member of this name, has `lanes_meet()`, whether
/// they would wait, and `fold()`, and its `add_four()` takes a kept_bin as well.
template <class Table, class = void>
inline constexpr bool keeps_frequent = false;
template <class Table>
inline constexpr bool keeps_frequent<Table, std::enable_if_t<Table::keeps_frequent>> = true;

/// What a lane has folded of the frequent bin.
template <class Fold>
struct kept_bin {
  Fold const& fold;
  std::uint32_t bin;
  typename Fold::state folded;

  /// Folds a value of any bin: here, or in the table.
  template <class Table, class Bin>
  __device__ void add(Table& table, Bin to, typename Fold::value const& x) {
    if (to == bin) {
      fold.add(folded, x);
    } else {
      table.add(to, x);
    }
  }
};

/// Nothing yet. It does not outlive the fold.
template <class Fold>
__device__ inline kept_bin<Fold> keep(Fold const& fold, std::uint32_t bin) {
  return {fold, bin, fold.empty()};
}
template <class Fold>
kept_bin<Fold> keep(Fold const&& fold, std::uint32_t bin) = delete;

#pragma GCC visibility pop
}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
