// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Folds whose state is no value, but may begin as one.

#include <thrust_hist/config.h>

#include <type_traits>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {

/// Whether a state may begin as a value of an input: then warps can fold those of equal bins before
/// they meet a lock, as they do where a state is a value.
template <class Fold, class = void>
inline constexpr bool lifts = false;
template <class Fold>
inline constexpr bool lifts<Fold, std::enable_if_t<Fold::lifts>> = true;
/// A fold of such states.
template <class Fold>
struct lifted_fold : Fold {
  using state = typename Fold::state;
  using value = state;
  THRUST_HIST_HOST_DEVICE void add(state& s, state const& x) const { Fold::merge(s, x); }
};
template <class Fold>
auto lifted(Fold const& fold) {
  if constexpr (lifts<Fold>) {
    return lifted_fold<Fold>{fold};
  } else {
    return fold;
  }
}

}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
