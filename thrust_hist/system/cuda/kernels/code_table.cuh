// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Route hashed: a table in the shared memory of a block that counts mixed codes. A code that finds
/// no slot becomes a row at once, so nothing is ever lost.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/mixed_codes.h>
#include <thrust_hist/system/cuda/kernels/code_rows.cuh>
#include <thrust_hist/system/cuda/kernels/code_slots.cuh>
#include <thrust_hist/system/cuda/kernels/shared_words.cuh>

#include <cstdint>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {
#pragma GCC visibility push(hidden)

template <class Code>
class code_table {
public:
  using beside = no_value;
  using rows = code_rows<Code>;
  struct description {
    unsigned slots_log2;
    std::uint32_t most_astray;
    __device__ code_table make(void* memory) const { return code_table(memory, *this); }
  };

  /// In shared memory from `memory` on, which is aligned to 16 bytes.
  __device__ code_table(void* memory, description const& d)
      : slots_(memory, d.slots_log2), counts_(slots_.end()),
        of_warps_(counts_ + slots_.all_slots() * 4), astray_(of_warps_ + 35 * 4, d.most_astray) {}

  /// All threads of the block must call it, and wait for each other before codes are added.
  __device__ void clear() const {
    slots_.clear();
    for (std::uint32_t i = threadIdx.x; i < slots_.all_slots() / 2; i += blockDim.x) {
      shared_pointer<uint2>(counts_)[i] = make_uint2(0, 0);
    }
    if (threadIdx.x == 0) {
      astray_.clear();
    }
  }
  /// Whether it is much too small for the codes that come. All lanes of the warp must call it.
  __device__ bool is_hopeless() const { return astray_.are_too_many_for_warp(); }
  /// Counts the codes of a lane whose bits in `left` are set. All lanes of the warp must call it.
  template <new_codes New, unsigned Count>
  __device__ void add(
      Code const (&mixed)[Count], no_value const (&beside)[Count], std::uint32_t left,
      rows const& to) const {
    slots_.template enter<New>(
        mixed, beside, left,
        [&](std::uint32_t slot, no_value, bool is_found) {
          cuda::increase_shared_if(is_found, counts_ + slot * 4, 1);
          return is_found;
        },
        [&](std::uint32_t slot, no_value) { increase_shared(counts_ + slot * 4, 1); },
        [&](Code code, no_value) { cuda::append_row(to, detail::unmix_code(code), 1u); }, astray_);
  }
  /// Writes a row for each code that was counted. Returns whether there is room for more. All
  /// threads must call it, after having waited for each other.
  __device__ bool deliver(rows const& to) const {
    return slots_.deliver(
        to, of_warps_, astray_, [&](std::uint32_t slot) { return count_at(slot) != 0; },
        [&](std::uint64_t place, std::uint32_t slot) {
          Code const code = detail::unmix_code(slots_.code_at(slot));
          to.write(place, code, count_at(slot));
          return code;
        });
  }

private:
  __device__ std::uint32_t count_at(std::uint32_t slot) const {
    return cuda::load_shared(counts_ + slot * 4);
  }

  code_slots<Code> slots_;
  std::uint32_t counts_;  // the address of an array in shared memory, as the next
  std::uint32_t of_warps_;
  astray_codes astray_;
};

#pragma GCC visibility pop
}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
