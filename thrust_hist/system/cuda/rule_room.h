// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// How much shared memory of a block a rule gets behind the table. No CUDA headers; tested with
/// g++.

#include <thrust_hist/config.h>
#include <thrust_hist/system/cuda/tuning.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {

/// What a rule can use: so much at least, and some more for many samples. It pays from some number
/// of samples on.
struct wanted_bytes {
  std::size_t least = 0;
  std::size_t more = 0;
  std::uint64_t samples = 0;
};

/// Where it begins behind a table.
constexpr std::size_t begin_of_rule(std::size_t table_bytes) noexcept {
  return (table_bytes + 15) / 16 * 16;
}

/// A table with what the rule has behind it.
constexpr std::size_t bytes_with_rule(std::size_t table_bytes, std::size_t rule_bytes) noexcept {
  return rule_bytes == 0 ? table_bytes : begin_of_rule(table_bytes) + rule_bytes;
}

/// What it gets of so many bytes behind the table, for so many samples or where the route is
/// forced.
inline std::size_t room_for_rule(
    wanted_bytes const& wanted, std::size_t left, std::uint64_t samples, bool is_forced,
    tuning_row const& tuning) noexcept {
  bool const pays = is_forced || samples >= (std::max)(tuning.rule_samples, wanted.samples);
  if (!pays || wanted.least == 0 || wanted.least > left) {
    return 0;
  }
  bool const are_many = is_forced || samples >= tuning.more_rule_samples;
  return (std::min)(wanted.least + (are_many ? wanted.more : 0), left);
}

}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
