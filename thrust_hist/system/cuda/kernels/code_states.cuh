// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Route hashed: a table in the shared memory of a block that folds values by the mixed codes of their keys.
/// A value that finds no slot, or that the slot cannot hold, becomes a row at once.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/mixed_codes.h>
#include <thrust_hist/system/cuda/kernels/code_rows.cuh>
#include <thrust_hist/system/cuda/kernels/code_slots.cuh>
#include <thrust_hist/system/cuda/kernels/shared_words.cuh>
#include <thrust_hist/system/cuda/kernels/slot_states.cuh>

#include <cstdint>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {
#pragma GCC visibility push(hidden)

template <class Code, class States>
class code_states {
public:
  using value = typename States::value;
  using beside = value;
  using rows = state_rows<Code, typename States::state>;
  struct description {
    unsigned slots_log2;
    typename States::description states;
    __device__ code_states make(void* memory) const { return code_states(memory, *this); }
  };

  /// In shared memory from `memory` on, which is aligned to 16 bytes.
  __device__ code_states(void* memory, description const& d)
      : slots_(memory, d.slots_log2), states_(d.states, slots_.end(), slots_.all_slots()),
        of_warps_(slots_.end() + slots_.all_slots() * States::words * 4) {}

  /// All threads of the block must call it, and wait for each other before values are added.
  __device__ void clear() const {
    slots_.clear();
    states_.clear();
    if (threadIdx.x == 0) {
      cuda::store_shared(has_zero(), 0);
    }
  }
  /// Folds the values of a lane whose bits in `left` are set. All lanes of the warp must call it.
  template <new_codes New, unsigned Count>
  __device__ void add(
      Code const (&mixed)[Count], value const (&x)[Count], std::uint32_t left,
      rows const& to) const {
    auto const spill = [&](Code code, value one) {
      cuda::append_row(to, detail::unmix_code(code), one);
    };
    // Hot keys, and sorted ones. Where not even the first ones agree, nobody asks the others.
    bool const may_agree = __all_sync(~0u, mixed[0] == __shfl_sync(~0u, mixed[0], 0));
    slots_.template enter<New>(
        mixed, x, left,
        [&](std::uint32_t slot, value one, bool is_found) {
          std::uint32_t const mine = is_found ? slot : ~0u;
          bool is_folded = !is_found;
          if (may_agree && __all_sync(~0u, mine == __shfl_sync(~0u, mine, 0))) {
            is_folded = is_folded || states_.add_warp(slot, one);
          } else if (is_found) {
            is_folded = states_.add(slot, one);
          }
          if (!is_folded) {
            spill(slots_.code_at(slot), one);
          }
        },
        [&](std::uint32_t slot, value one) {
          if (slot == slots_.slots()) {
            cuda::store_shared(has_zero(), 1);
          }
          if (!states_.add(slot, one)) {
            spill(slots_.code_at(slot), one);
          }
        },
        spill);
  }
  /// Writes a row for each code with values in its slot. All threads must call it, after having waited for
  /// each other.
  __device__ void deliver(rows const& to) const {
    slots_.deliver(
        to, of_warps_,
        [&](std::uint32_t slot) {
          bool const is_taken = slot == slots_.slots() ? cuda::load_shared(has_zero()) != 0
                                                       : slots_.code_at(slot) != 0;
          return is_taken && states_.is_used(slot);
        },
        [&](std::uint64_t place, std::uint32_t slot) {
          Code const code = detail::unmix_code(slots_.code_at(slot));
          to.write(place, code, states_.state_of(slot));
          return code;
        });
  }

private:
  /// Behind the sums of warps: whether the code 0 is there.
  __device__ std::uint32_t has_zero() const { return of_warps_ + 34 * 4; }

  code_slots<Code> slots_;
  States states_;
  std::uint32_t of_warps_;  // the address of an array in shared memory
};

#pragma GCC visibility pop
}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
