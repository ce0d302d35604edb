// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Keys that need not become codes before they are sorted.

#include <thrust_hist/config.h>

#include <type_traits>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {

/// Keys that CUB sorts as they stand, in the order of their codes; real ones that are no numbers at
/// either end.
template <class Key>
struct standing_keys {
  using code = Key;
};
template <class Kind>
inline constexpr bool is_standing_kind = false;
template <class Key>
inline constexpr bool is_standing_kind<standing_keys<Key>> = true;
/// Their types. For shorter keys CUB asks for much memory on some GPUs.
template <class Key>
inline constexpr bool can_stand = [] {
  if constexpr (std::is_same_v<Key, float> || std::is_same_v<Key, double>) {
    return true;
  } else {
    return std::is_same_v<Key, int> || std::is_same_v<Key, unsigned> || std::is_same_v<Key, long> ||
           std::is_same_v<Key, unsigned long> || std::is_same_v<Key, long long> ||
           std::is_same_v<Key, unsigned long long>;
  }
}();

}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
