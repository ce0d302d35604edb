// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Long accumulators in global memory, which many threads add to.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/long_accumulator.h>

#include <cstdint>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {
#pragma GCC visibility push(hidden)

/// An atomic addition in global memory, also where the compiler would have to ask what memory a
/// pointer leads to.
__device__ inline void add_limb(std::int64_t* limb, std::int64_t x) {
  if (x != 0) {
    asm volatile("red.global.add.u64 [%0], %1;"
                 :
                 : "l"(__cvta_generic_to_global(limb)), "l"(x)
                 : "memory");
  }
}

/// Adds a number that is not zero, or none. Out of line: tables come here for few of their numbers.
template <class T>
__device__ THRUST_HIST_NOINLINE void add_to_long(carry_save<T>* sum, T x) {
  dissected<T> const parts = detail::dissect(x);
  if (parts.kind != special::finite) {
    atomicOr(
        reinterpret_cast<unsigned long long*>(&sum->specials),
        static_cast<unsigned long long>(parts.kind));
    return;
  }
  digit_run<T> const run = detail::digits_of(parts);
#pragma unroll
  for (int k = 0; k < digit_run<T>::count; ++k) {
    cuda::add_limb(sum->limb + run.limb + k, run.digit[k]);
  }
}

/// Adds x * 2^bit units, by `add(limb, x)`; |x| < 2^37. What would go above the last limb is lost:
/// sums are modulo what all limbs hold.
template <class T, class Add>
__device__ inline void add_at_bit(carry_save<T>& sum, unsigned bit, std::int64_t x, Add add) {
  std::int64_t* const limb = sum.limb + bit / 32;
  std::uint64_t const low = (static_cast<std::uint64_t>(x) & 0xffffffffu) << (bit % 32);
  std::int64_t const high = (x >> 32) * (std::int64_t{1} << (bit % 32));
  add(limb, static_cast<std::int64_t>(low & 0xffffffffu));
  if (bit / 32 + 1 < static_cast<unsigned>(carry_save<T>::limbs)) {
    add(limb + 1, static_cast<std::int64_t>(low >> 32) + high);
  }
}
/// The same while other threads do.
template <class T>
__device__ inline void add_at_bit(carry_save<T>& sum, unsigned bit, std::int64_t x) {
  cuda::add_at_bit(
      sum, bit, x, [](std::int64_t* limb, std::int64_t y) { cuda::add_limb(limb, y); });
}

/// Adds a number to the sum of a bin: a long accumulator, or one that rounds. See also
/// rows_of_sums.cuh.
template <class T>
__device__ inline void add_to_sum(carry_save<T>* sum, T x) {
  cuda::add_to_long(sum, x);
}
/// Adds x * 2^bit units; |x| < 2^37.
template <class T>
__device__ inline void add_to_sum_at_bit(carry_save<T>* sum, unsigned bit, std::int64_t x) {
  cuda::add_at_bit(*sum, bit, x);
}
__device__ inline void add_to_sum(float* sum, float x) {
  atomicAdd(sum, x);
}
__device__ inline void add_to_sum(double* sum, double x) {
  atomicAdd(sum, x);
}

/// The same of a number that lies outside of a window at `base`.
template <class Sum, class T>
__device__ inline void add_outside(Sum* sum, int, T x) {
  cuda::add_to_sum(sum, x);
}

/// Beside a sum that takes numbers alone: the flags of what is none.
struct special_flags {
  std::uint32_t kinds;
};
template <class T>
__device__ inline void add_to_sum(special_flags* flags, T x) {
  atomicOr(&flags->kinds, static_cast<std::uint32_t>(detail::dissect(x).kind));
}

#pragma GCC visibility pop
}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
