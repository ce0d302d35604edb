// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Samples are asked for before they are read.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/policy.h>

#include <cstdint>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace sequential {

/// Fetches what lies 4 KiB after a sample of an array, even if that is behind its end. A processor
/// foresees the way through an array by itself, but not among scattered accesses to counters.
template <class Iterator>
void fetch_ahead([[maybe_unused]] Iterator sample) noexcept {
  if constexpr (is_contiguous<Iterator>) {
    auto const here = reinterpret_cast<std::uintptr_t>(detail::raw_pointer(sample));
    __builtin_prefetch(
        reinterpret_cast<void const*>(here + 4096));  // NOLINT: there may be no array for a pointer
  }
}

}  // namespace sequential
}  // namespace detail
THRUST_HIST_NAMESPACE_END
