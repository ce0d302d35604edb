// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// What the plan needs to know of a GPU. Plain C++: a test may pretend any.

#include <thrust_hist/config.h>

#include <cstddef>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {

struct device_facts {
  unsigned multiprocessors;            ///< streaming multiprocessors
  std::size_t shared_bytes_block;      ///< dynamic shared memory a block can opt in to
  std::size_t shared_bytes_processor;  ///< shared memory of a multiprocessor
  std::size_t l2_bytes;                ///< second-level cache
};

}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
