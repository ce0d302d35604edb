// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Sparse histograms on CUDA: kinds of keys as CUDA sees them, and what is known of their codes by
/// the kind alone.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/sparse_keys.h>
#include <thrust_hist/system/cuda/kernels/code_rows.cuh>

#include <cstdint>
#include <type_traits>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {

/// Keys with codes of 4 bytes at least.
template <class Code>
auto widen(number_keys<Code> const& keys) {
  using wide = std::conditional_t<(sizeof(Code) < 4), std::uint32_t, Code>;
  return number_keys<wide>{keys.lowest, keys.span};
}
template <class Key, class Operators>
auto widen(user_keys<Key, Operators> const& keys) {
  return keys;
}

/// Whether hash tables hold their codes.
template <class Kind>
inline constexpr bool is_hashed_kind = false;
template <>
inline constexpr bool is_hashed_kind<number_keys<std::uint32_t>> = true;
template <>
inline constexpr bool is_hashed_kind<number_keys<std::uint64_t>> = true;

/// The bits in which codes may differ: those in which they do, where somebody has looked at them,
/// and of short keys not more than they have.
template <class Kind, class Key>
uint128 differing_bits(sparse_findings const& found) {
  if constexpr (!is_number_kind<Kind>) {
    return ~uint128{};
  } else if constexpr (sizeof(Key) < 4 && !has_alone_keys<Kind, Key>) {
    return found.differing & ((1u << 8 * sizeof(Key)) - 1);
  } else {
    return static_cast<uint128>(found.differing_high) << 64 | found.differing;
  }
}

}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
