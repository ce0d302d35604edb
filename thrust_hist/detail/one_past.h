// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// How many bins keys need: one past the largest.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/samples.h>

#include <cstdint>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {

/// One past a key; 0 for a negative one, which has no bin. Saturates at the largest number.
template <class Key>
struct one_past {
  THRUST_HIST_HOST_DEVICE std::uint64_t operator()(Key key) const noexcept {
    auto const value = static_cast<integer_t<Key>>(key);
    if (is_negative(value)) {
      return 0;
    }
    auto const wide = static_cast<std::uint64_t>(value);
    return wide + (wide == max_of<std::uint64_t> ? 0 : 1);
  }
};

struct larger {
  THRUST_HIST_HOST_DEVICE std::uint64_t operator()(
      std::uint64_t a, std::uint64_t b) const noexcept {
    return a < b ? b : a;
  }
};

}  // namespace detail
THRUST_HIST_NAMESPACE_END
