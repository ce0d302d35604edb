// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Shared memory with which a rule finds bins faster.

#include <thrust_hist/config.h>
#include <thrust_hist/system/cuda/rule_room.h>

#include <cstddef>
#include <cstdint>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {

/// Some of the shared memory of a block; none by default.
struct rule_memory {
  void* begin = nullptr;
  std::uint32_t bytes = 0;
};

/// None, known where the program is compiled.
struct no_rule_memory {};

/// Of the shared memory of a block, what the rule has: from a byte on; none if that is 0.
struct bytes_of_rule {
  std::uint32_t begin = 0, bytes = 0;

  bytes_of_rule() = default;
  bytes_of_rule(std::size_t table_bytes, std::size_t rule_bytes)
      : begin(rule_bytes == 0 ? 0 : static_cast<std::uint32_t>(begin_of_rule(table_bytes))),
        bytes(static_cast<std::uint32_t>(rule_bytes)) {}
  __device__ rule_memory in(void* shared) const {
    return begin == 0 ? rule_memory{} : rule_memory{static_cast<char*>(shared) + begin, bytes};
  }
};

}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
