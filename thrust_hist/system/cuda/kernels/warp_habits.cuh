// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// What a warp does before it asks for locks, by what it was good for last: no option, and no look
/// at the input beforehand.

#include <thrust_hist/config.h>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {
#pragma GCC visibility push(hidden)

/// Whether a warp folds what its lanes have for equal bins before it asks for locks. That takes
/// longer than to ask for them where few are equal, and where many are, some lock is wanted so
/// often that all wait for it in turn.
class equals_in_warp {
public:
  /// All lanes call it, for each of their pairs.
  __device__ bool wanted() {
    ++turn_;
    return left_ > 0 || turn_ % 16 == 0;
  }
  /// So many pairs of a row were folded into others.
  __device__ void saw(int equals) {
    if (equals > 4) {
      left_ = most;
    } else if (equals <= 2 && left_ > 0) {
      --left_;
    }
  }
  /// Locks were asked for so many times.
  __device__ void waited(unsigned turns) { left_ = turns > 16 ? most : left_; }

private:
  static constexpr int most = 8;
  int left_ = most;  // rows to go; the same in all lanes of a warp whose lanes are together
  unsigned turn_ = 0;
};

/// Whether a warp looks first what its values would change: of minima and the like hardly one in a
/// hundred changes anything, and who does not needs no lock. Of sums all do.
class changes_in_warp {
public:
  /// All lanes call it, for each of their pairs.
  __device__ bool wanted() { return left_ > 0 || --left_ <= -pause; }
  /// So many pairs of a row there were, and so many of them changed something.
  __device__ void saw(int pairs, int changes) {
    if (pairs > 0 && 4 * changes <= pairs) {
      left_ = most;
    } else {
      left_ = left_ > 0 ? left_ - 1 : 0;
    }
  }

private:
  static constexpr int most = 32;
  static constexpr int pause = 32;
  // Rows to go, or since the last look; the same in all lanes of a warp whose lanes are together.
  int left_ = 8;
};

#pragma GCC visibility pop
}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
