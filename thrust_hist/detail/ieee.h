// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Double arithmetic that means what it says: each operation rounded by itself, no contraction to
/// FMA, no flushing of subnormals, whatever flags (-ffast-math, --use_fast_math, -march=native)
/// the program is built with.

#include <thrust_hist/config.h>

#include <cstdint>
#include <cstring>

#if !defined(__CUDA_ARCH__) && (defined(__x86_64__) || defined(__i386__))
#  include <xmmintrin.h>
#endif

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {

__extension__ typedef __int128 int128;
__extension__ typedef unsigned __int128 uint128;

template <class To, class From>
THRUST_HIST_HOST_DEVICE inline To bit_cast(From const& from) noexcept {
  static_assert(sizeof(To) == sizeof(From));
  To to;
  std::memcpy(static_cast<void*>(&to), &from, sizeof to);  // the cast: __half is a class
  return to;
}

/// Hides a value from the optimiser, so that no identity of real numbers is applied across it.
template <class Real>
THRUST_HIST_HOST_DEVICE inline Real opaque(Real x) noexcept {
#if !defined(__CUDA_ARCH__)
#  if defined(__x86_64__) || defined(__i386__)
  asm volatile("" : "+x"(x));
#  elif defined(__aarch64__)
  asm volatile("" : "+w"(x));
#  else
  Real volatile through_memory = x;
  x = through_memory;
#  endif
#endif
  return x;  // nvcc reassociates nothing, under no flag
}

THRUST_HIST_HOST_DEVICE inline double add_rounded(double a, double b) noexcept {
#if defined(__CUDA_ARCH__)
  return __dadd_rn(a, b);
#else
  return opaque(opaque(a) + opaque(b));
#endif
}

THRUST_HIST_HOST_DEVICE inline double multiply_rounded(double a, double b) noexcept {
#if defined(__CUDA_ARCH__)
  return __dmul_rn(a, b);
#else
  return opaque(opaque(a) * opaque(b));
#endif
}

THRUST_HIST_HOST_DEVICE inline double divide_rounded(double a, double b) noexcept {
#if defined(__CUDA_ARCH__)
  return __ddiv_rn(a, b);
#else
  return opaque(opaque(a) / opaque(b));
#endif
}

/// Whether x is neither infinite nor NaN, by its bits: -ffinite-math-only may not answer for us.
THRUST_HIST_HOST_DEVICE inline bool is_finite(double x) noexcept {
  return ((detail::bit_cast<std::uint64_t>(x) >> 52) & 0x7ff) != 0x7ff;
}

/// While alive, subnormal numbers count on this host thread, also where -ffast-math has switched
/// them off at program start. Nothing to do on the GPU, whose double arithmetic never flushes.
class subnormals_on {
public:
#if defined(__CUDA_ARCH__)
  __device__ explicit subnormals_on(bool) noexcept {}
#elif defined(__x86_64__) || defined(__i386__)
  THRUST_HIST_HOST_DEVICE explicit subnormals_on(bool wanted) noexcept
      : saved_(wanted ? _mm_getcsr() : 0u) {
    if ((saved_ & flush_bits) != 0) {
      _mm_setcsr(saved_ & ~flush_bits);
    }
  }
  THRUST_HIST_HOST_DEVICE ~subnormals_on() {
    if ((saved_ & flush_bits) != 0) {
      _mm_setcsr(saved_);
    }
  }
#elif defined(__aarch64__)
  THRUST_HIST_HOST_DEVICE explicit subnormals_on(bool wanted) noexcept {
    if (wanted) {
      asm volatile("mrs %0, fpcr" : "=r"(saved_));
      asm volatile("msr fpcr, %0" ::"r"(saved_ & ~(1ull << 24)));
    }
  }
  THRUST_HIST_HOST_DEVICE ~subnormals_on() {
    if (saved_ != 0) {
      asm volatile("msr fpcr, %0" ::"r"(saved_));
    }
  }
#else
  THRUST_HIST_HOST_DEVICE explicit subnormals_on(bool) noexcept {}
#endif
  subnormals_on(subnormals_on const&) = delete;
  subnormals_on& operator=(subnormals_on const&) = delete;

private:
#if !defined(__CUDA_ARCH__) && (defined(__x86_64__) || defined(__i386__))
  static constexpr unsigned flush_bits = 0x8040;  // flush-to-zero, denormals-are-zero
  unsigned saved_;
#elif !defined(__CUDA_ARCH__) && defined(__aarch64__)
  std::uint64_t saved_ = 0;
#endif
};

}  // namespace detail
THRUST_HIST_NAMESPACE_END
