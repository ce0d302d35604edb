// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Route hashed: rows of a code and how often it was counted, or what its values were folded into,
/// in global memory. A code may have several.

#include <thrust_hist/config.h>
#include <thrust_hist/system/cuda/kernels/kernels_in_turn.cuh>
#include <thrust_hist/system/cuda/kernels/lanes.cuh>

#include <cstdint>
#include <new>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {
#pragma GCC visibility push(hidden)

/// Nothing lies beside a code that is counted.
struct no_value {};

/// What the kernels of a sparse histogram find out.
struct sparse_findings {
  unsigned long long rows;       ///< that were to be written: there may have been no room for all
  unsigned long long alone;      ///< keys that equal no other one
  unsigned long long differing;  ///< bits in which not all codes are equal
  unsigned long long differing_high;  ///< of these, those from the 65th on
  unsigned long long ones, zeros;     ///< bits that are set, and that are not, in some row
};

/// What is added to the number of rows where tables are much too few for them.
inline constexpr unsigned long long rows_given_up = 1ull << 40;
/// Whether an earlier kernel has given up.
__device__ inline bool were_given_up(sparse_findings const* findings) {
  return __ldcg(&findings->rows) >= rows_given_up;
}

/// Bits of codes, to see in which they differ.
struct code_bits {
  unsigned long long ones, zeros;

  template <class Code>
  __device__ void add(Code code) {
    ones |= code;
    zeros |= static_cast<Code>(~code);
  }
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
  /// Says that there is no room, whatever there is. Returns a place behind it.
  __device__ std::uint64_t give_up() const {
    atomicAdd(&findings->rows, rows_given_up);
    return rows_given_up;
  }
  /// Whether a place may be followed by others.
  __device__ bool has_room_at(std::uint64_t place) const { return place <= room; }
  /// Says what bits rows have. Most rows tell nothing new, so others' bits are looked at first.
  __device__ void tell(code_bits const& bits) const {
    if ((bits.ones & ~__ldcg(&findings->ones)) != 0) {
      atomicOr(&findings->ones, bits.ones);
    }
    if ((bits.zeros & ~__ldcg(&findings->zeros)) != 0) {
      atomicOr(&findings->zeros, bits.zeros);
    }
  }
  __device__ void write(std::uint64_t place, Code code, std::uint32_t count) const {
    if (place < room) {
      codes[place] = code;
      counts[place] = count;
    }
  }
};

/// Rows with states, of which sorting moves the numbers.
template <class Code, class State>
struct state_rows {
  code_rows<Code> rows;
  State* states;

  __device__ std::uint64_t take(std::uint32_t count) const { return rows.take(count); }
  __device__ std::uint64_t give_up() const { return rows.give_up(); }
  __device__ bool has_room_at(std::uint64_t place) const { return rows.has_room_at(place); }
  __device__ void tell(code_bits const& bits) const { rows.tell(bits); }
  __device__ void write(std::uint64_t place, Code code, State const& state) const {
    rows.write(place, code, static_cast<std::uint32_t>(place));
    if (place < rows.room) {
      ::new (static_cast<void*>(states + place)) State(state);
    }
  }
};

/// Writes one row for each of the lanes that call this together.
template <class Rows, class Code, class Beside>
__device__ inline void append_row(Rows const& rows, Code code, Beside const& beside) {
  auto const take = [&](unsigned count) -> unsigned long long { return rows.take(count); };
  rows.write(cuda::next_of_lanes(take), code, beside);
  code_bits bits = {};
  bits.add(code);
  rows.tell(bits);
}

/// Says what bits the rows of all lanes have. All lanes of the warp must call it.
template <class Rows>
__device__ inline void tell_of_warp(Rows const& rows, code_bits bits) {
  auto const either = [](unsigned long long a, unsigned long long b) { return a | b; };
  bits.ones = cuda::over_warp(bits.ones, either);
  bits.zeros = cuda::over_warp(bits.zeros, either);
  if (threadIdx.x % 32 == 0 && (bits.ones | bits.zeros) != 0) {
    rows.tell(bits);
  }
}

#pragma GCC visibility pop
}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
