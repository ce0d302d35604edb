// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Route hashed: a table in the shared memory of a block that folds values by the mixed codes of
/// their keys. A value that finds no slot, or that the slot cannot hold, becomes a row at once.

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
    std::uint32_t most_astray;
    __device__ code_states make(void* memory) const { return code_states(memory, *this); }
  };

  /// In shared memory from `memory` on, which is aligned to 16 bytes.
  __device__ code_states(void* memory, description const& d)
      : slots_(memory, d.slots_log2), states_(d.states, slots_.end(), slots_.all_slots()),
        of_warps_(slots_.end() + slots_.all_slots() * States::words * 4),
        astray_(of_warps_ + 35 * 4, d.most_astray) {}

  /// All threads of the block must call it, and wait for each other before values are added.
  __device__ void clear() const {
    slots_.clear();
    states_.clear();
    if (threadIdx.x == 0) {
      cuda::store_shared(has_zero(), 0);
      astray_.clear();
    }
  }
  /// Whether it is much too small for the codes that come. All lanes of the warp must call it.
  __device__ bool is_hopeless() const { return astray_.are_too_many_for_warp(); }
  /// Folds the values of a lane whose bits in `left` are set. All lanes of the warp must call it.
  template <new_codes New, unsigned Count>
  __device__ void add(
      Code const (&mixed)[Count], value const (&x)[Count], std::uint32_t left,
      rows const& to) const {
    if (__all_sync(~0u, is_equal_pair(mixed, left, 0)) &&
        __all_sync(~0u, are_equal_pairs(mixed, left))) {
      if (!__any_sync(~0u, left != 0)) {  // all are of the other tables of a bucket, say
        return;
      }
      left = fold_pairs<New>(mixed, x, left);
      if (!__any_sync(~0u, left != 0)) {
        return;
      }
    }
    auto const spill = [&](Code code, value one) {
      cuda::append_row(to, detail::unmix_code(code), one);
    };
    slots_.template enter<New>(
        mixed, x, left,
        [&](std::uint32_t slot, value one, bool is_found) {
          return is_found && states_.add(slot, one);
        },
        [&](std::uint32_t slot, value one) {
          if (slot == slots_.slots()) {
            cuda::store_shared(has_zero(), 1);
          }
          if (!states_.add(slot, one)) {
            spill(slots_.code_at(slot), one);
          }
        },
        spill, astray_);
  }
  /// Writes a row for each code with values in its slot. All threads must call it, after having
  /// waited for each other.
  __device__ bool deliver(rows const& to) const {
    return slots_.deliver(
        to, of_warps_, astray_,
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
  /// Whether a lane has no two different codes in places i and i + 1.
  template <unsigned Count>
  __device__ static bool is_equal_pair(Code const (&mixed)[Count], std::uint32_t left, unsigned i) {
    return mixed[i] == mixed[i + 1] || (left >> i & 3) != 3;
  }
  template <unsigned Count>
  __device__ static bool are_equal_pairs(Code const (&mixed)[Count], std::uint32_t left) {
    bool equal = true;
#pragma unroll
    for (unsigned i = 0; i < Count; i += 2) {
      equal = equal && is_equal_pair(mixed, left, i);
    }
    return equal;
  }
  /// Sorted keys, hot ones, and others that come in runs: folds the values of a pair, or of all
  /// lanes, before they come to a slot. Returns the bits of those that are left. All lanes of the
  /// warp must call it, and some have a value.
  template <new_codes New, unsigned Count>
  __device__ std::uint32_t fold_pairs(
      Code const (&mixed)[Count], value const (&x)[Count], std::uint32_t left) const {
    constexpr unsigned pairs = Count / 2;
    Code codes[pairs];
    std::uint32_t present = 0;
#pragma unroll
    for (unsigned k = 0; k < pairs; ++k) {
      codes[k] = (left >> 2 * k & 1) != 0 ? mixed[2 * k] : mixed[2 * k + 1];
      present |= (left >> 2 * k & 3) != 0 ? 1u << k : 0;
    }
    Code const first = __shfl_sync(~0u, codes[0], 0);
    bool has_others = false;
#pragma unroll
    for (unsigned k = 0; k < pairs; ++k) {
      has_others = has_others || ((present >> k & 1) != 0 && codes[k] != first);
    }
    if (!__any_sync(~0u, has_others)) {
      return fold_warp(first, x, left);
    }
    if constexpr (States::joins_pairs) {
      return fold_each_pair<New>(codes, x, present, left);
    }
    return left;
  }
  /// Where at least one lane has a value, and all that have some have this code, which gets a slot.
  template <unsigned Count>
  __device__ std::uint32_t fold_warp(
      Code mixed, value const (&x)[Count], std::uint32_t left) const {
    std::uint32_t const slot = slots_.slot_of_warp(mixed);
    if (slot == slots_.slots()) {
      return left;
    }
    typename States::several sum = states_.nothing();
#pragma unroll
    for (unsigned i = 0; i < Count; ++i) {
      if ((left & 1u << i) != 0 && states_.take(sum, x[i])) {
        left &= ~(1u << i);
      }
    }
    states_.add_of_warp(slot, sum);
    return left;
  }
  template <new_codes New, unsigned Pairs>
  __device__ std::uint32_t fold_each_pair(
      Code const (&codes)[Pairs], value const (&x)[2 * Pairs], std::uint32_t present,
      std::uint32_t left) const {
    using several = typename States::several;
    several sums[Pairs];
    std::uint32_t taken = 0;
#pragma unroll
    for (unsigned k = 0; k < Pairs; ++k) {
      sums[k] = states_.nothing();
#pragma unroll
      for (unsigned i = 2 * k; i < 2 * k + 2; ++i) {
        taken |= (left & 1u << i) != 0 && states_.take(sums[k], x[i]) ? 1u << i : 0;
      }
    }
    std::uint32_t const missing = slots_.template enter_first<New>(
        codes, sums, present, [&](std::uint32_t slot, several const& pair, bool is_found) {
          if (is_found) {
            states_.add_pair(slot, pair);
          }
          return is_found;
        });
#pragma unroll
    for (unsigned k = 0; k < Pairs; ++k) {
      taken &= (missing & 1u << k) != 0 ? ~(3u << 2 * k) : ~0u;
    }
    return left & ~taken;
  }

  /// Behind the sums of warps: whether the code 0 is there.
  __device__ std::uint32_t has_zero() const {
    return of_warps_ + 34 * 4;
  }

  code_slots<Code> slots_;
  States states_;
  std::uint32_t of_warps_;  // the address of an array in shared memory
  astray_codes astray_;
};

#pragma GCC visibility pop
}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
