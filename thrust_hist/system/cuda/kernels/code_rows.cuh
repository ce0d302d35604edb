// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Route hashed: rows of a code and how often it was counted, in global memory. A code may have several.

#include <thrust_hist/config.h>

#include <cstdint>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {
#pragma GCC visibility push(hidden)

/// What the kernels of a sparse histogram find out.
struct sparse_findings {
  unsigned long long rows;   ///< that were to be written: there may have been no room for all
  unsigned long long alone;  ///< keys that equal no other one
};

template <class Code>
struct code_rows {
  Code* codes;
  std::uint32_t* counts;
  sparse_findings* findings;
  std::uint64_t room;

  /// A place for `count` rows.
  __device__ std::uint64_t take(std::uint32_t count) const {
    return atomicAdd(&findings->rows, static_cast<unsigned long long>(count));
  }
  __device__ void write(std::uint64_t place, Code code, std::uint32_t count) const {
    if (place < room) {
      codes[place] = code;
      counts[place] = count;
    }
  }
  /// One row for each of the lanes that call this together.
  __device__ void append(Code code, std::uint32_t count) const {
    unsigned const lanes = __activemask();
    unsigned const leader = __ffs(static_cast<int>(lanes)) - 1;
    unsigned const lane = threadIdx.x % 32;
    unsigned long long place = lane == leader ? take(__popc(lanes)) : 0;
    place = __shfl_sync(lanes, place, static_cast<int>(leader));
    write(place + __popc(lanes & ((1u << lane) - 1)), code, count);
  }
};

#pragma GCC visibility pop
}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
