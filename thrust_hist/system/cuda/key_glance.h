// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Whether a sample is worth its time: some millions of keys, most of them distinct, are sorted as soon.
/// No CUDA headers; tested with g++.

#include <thrust_hist/config.h>
#include <thrust_hist/system/cuda/device_facts.h>

#include <cstddef>
#include <cstdint>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {

/// What is seen of some thousand keys.
struct key_glance {
  std::uint32_t distinct;
  std::uint64_t span;  ///< from the lowest to the highest code

  static constexpr std::uint32_t threads = 1024;
  static constexpr std::uint32_t keys = 8 * threads;
  static constexpr std::uint32_t slots = 2 * keys;
  static constexpr std::size_t shared_bytes = slots * sizeof(std::uint32_t) + 32;

  /// Whether to glance at so many keys. A sample takes 45 us, which matters less where they are more.
  static bool pays(std::uint64_t n, std::size_t code_bytes, device_facts const& facts) noexcept {
    std::uint64_t const many = std::uint64_t{1} << (code_bytes == 4 ? 26 : 23);
    return n >= keys && n < many && shared_bytes <= facts.shared_bytes_block;
  }
  /// Whether so many of n are distinct, and in no narrow range, that they are sorted soonest. Of k keys
  /// out of d equally frequent ones, k^2 / 2d have come before.
  bool are_many(std::uint64_t n, std::size_t code_bytes) const noexcept {
    std::uint64_t const few = std::uint64_t{code_bytes == 4 ? 8u : 3u} << 20;
    double const part = n <= few ? 1. / 16 : code_bytes == 4 ? 9. / 64 : 12. / 64;
    double const have_come = keys - distinct;
    return span >= 16 * n &&
           have_come * 2 * part * static_cast<double>(n) < static_cast<double>(keys) * keys;
  }
};

}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
