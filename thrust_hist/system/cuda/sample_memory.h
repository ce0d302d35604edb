// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Memory for looks at the keys of a sparse histogram. No CUDA headers; tested with g++.

#include <thrust_hist/config.h>
#include <thrust_hist/system/cuda/key_sample.h>
#include <thrust_hist/system/cuda/part_sample.h>

#include <cstddef>
#include <cstdint>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {

/// The smaller sample: the first codes of the larger one.
struct drawn_codes {
  unsigned long long codes[range_sample::size];
  std::uint32_t present[range_sample::size / 32];  ///< a bit for each: not all keys need have one
};

/// Slots and behind them what is seen.
inline constexpr std::size_t bytes_of_slots(std::uint32_t slots) noexcept {
  return std::size_t{slots} * key_sample::bytes_of_slot + sizeof(key_sample);
}

/// What it takes to look at keys that are drawn and at a part of all, and for the smaller sample.
inline constexpr std::size_t bytes_of_sample =
    bytes_of_slots(key_sample::slots) + bytes_of_slots(part_sample::slots) + sizeof(drawn_codes);
static_assert(bytes_of_slots(key_sample::slots) % alignof(key_sample) == 0);
static_assert(bytes_of_slots(part_sample::slots) % alignof(key_sample) == 0);

/// As it is aligned.
struct alignas(alignof(key_sample)) sample_unit {
  unsigned char bytes[alignof(key_sample)];
};
static_assert(bytes_of_sample % sizeof(sample_unit) == 0);

/// What is kept for the time of a call: frequent codes of up to 8 bytes and how often they occur,
/// and what kernels find.
inline constexpr std::size_t bytes_kept = 2 * hot_sample::half * 12 + 64;

}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
