// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// The macros of thrust_hist. Those meant for users:
/// - `THRUST_HIST_HOST_DEVICE`: marks a functor for host and device, and is nothing under g++.
/// - `THRUST_HIST_ENABLE_CHECK` (defined by the user, in every unit of a program): compiles the
///   code of `options::check()` and of the environment variable THRUST_HIST_CHECK.

#include <thrust_hist/version.h>

#include <thrust/version.h>

#if THRUST_VERSION < 101700
#  error "thrust_hist needs Thrust 1.17 or newer; put newer CCCL headers first on the include path"
#endif
#if defined(__CUDACC__) && THRUST_VERSION < 200800
#  error \
      "thrust_hist on CUDA needs CCCL 2.8 or newer; put newer CCCL headers first on the include path"
#endif

// Keeps what is rarely run out of the loops that run it; and what is always run in them, which g++
// -O2 would leave to a call that keeps everything in memory.
#if defined(__CUDACC__)
#  define THRUST_HIST_NOINLINE __noinline__
#  define THRUST_HIST_ALWAYS_INLINE __forceinline__
#else
#  define THRUST_HIST_NOINLINE __attribute__((noinline))
#  define THRUST_HIST_ALWAYS_INLINE inline __attribute__((always_inline))
#endif

// Before a loop that is to be unrolled so many times, which g++ -O2 does not do by itself. nvcc
// knows no such pragma.
#define THRUST_HIST_PRAGMA(text) _Pragma(#text)
#if defined(__CUDACC__)
#  define THRUST_HIST_UNROLL(times)
#else
#  define THRUST_HIST_UNROLL(times) THRUST_HIST_PRAGMA(GCC unroll times)
#endif

#if defined(__CUDACC__)
#  define THRUST_HIST_HOST_DEVICE __host__ __device__
// A rule or functor of the user may be for one side only: let the caller answer for that.
#  define THRUST_HIST_EXEC_CHECK_DISABLE _Pragma("nv_exec_check_disable")
#else
#  define THRUST_HIST_HOST_DEVICE
#  define THRUST_HIST_EXEC_CHECK_DISABLE
#endif

// Everything lives in an inline namespace that names the version and the GPU architectures it was
// built for: two shared libraries with different ones do not share a symbol. The list of
// architectures is a macro with commas in it ("750,900"), hence the concatenation by count.
#define THRUST_HIST_CAT1(v, a) v##_##a
#define THRUST_HIST_CAT2(v, a, b) v##_##a##_##b
#define THRUST_HIST_CAT3(v, a, b, c) v##_##a##_##b##_##c
#define THRUST_HIST_CAT4(v, a, b, c, d) v##_##a##_##b##_##c##_##d
#define THRUST_HIST_CAT5(v, a, b, c, d, e) v##_##a##_##b##_##c##_##d##_##e
#define THRUST_HIST_CAT6(v, a, b, c, d, e, f) v##_##a##_##b##_##c##_##d##_##e##_##f
#define THRUST_HIST_CATN(v, a, b, c, d, e, f, ...) v##_##a##_##b##_##c##_##d##_##e##_##f##_more
#define THRUST_HIST_PICK(                                                                      \
    a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16, a17, a18, a19, a20, \
    a21, a22, a23, a24, a25, a26, a27, a28, name, ...)                                         \
  name
#define THRUST_HIST_EXPAND(...)                                                                 \
  THRUST_HIST_PICK(                                                                             \
      __VA_ARGS__, THRUST_HIST_CATN, THRUST_HIST_CATN, THRUST_HIST_CATN, THRUST_HIST_CATN,      \
      THRUST_HIST_CATN, THRUST_HIST_CATN, THRUST_HIST_CATN, THRUST_HIST_CATN, THRUST_HIST_CATN, \
      THRUST_HIST_CATN, THRUST_HIST_CATN, THRUST_HIST_CATN, THRUST_HIST_CATN, THRUST_HIST_CATN, \
      THRUST_HIST_CATN, THRUST_HIST_CATN, THRUST_HIST_CATN, THRUST_HIST_CATN, THRUST_HIST_CATN, \
      THRUST_HIST_CATN, THRUST_HIST_CATN, THRUST_HIST_CAT6, THRUST_HIST_CAT5, THRUST_HIST_CAT4, \
      THRUST_HIST_CAT3, THRUST_HIST_CAT2, THRUST_HIST_CAT1, none)                               \
  (__VA_ARGS__)
// nvcc defines the list for units of C++, too.
#if defined(__CUDACC__) && defined(__CUDA_ARCH_LIST__)
#  define THRUST_HIST_ABI THRUST_HIST_EXPAND(v0_1_0_sm, __CUDA_ARCH_LIST__)
#else
#  define THRUST_HIST_ABI v0_1_0
#endif

#define THRUST_HIST_NAMESPACE_BEGIN \
  namespace thrust_hist {           \
  inline namespace THRUST_HIST_ABI {
#define THRUST_HIST_NAMESPACE_END \
  }                               \
  }

// What C++ and CUDA units of one program hand to each other, options and exceptions, is the same
// type in both: its inline namespace names the version only.
#define THRUST_HIST_TYPES_BEGIN \
  namespace thrust_hist {       \
  inline namespace v0_1_0 {
#define THRUST_HIST_TYPES_END \
  }                           \
  }

// Algorithms live one namespace deeper and are pulled in by a using-directive, which
// argument-dependent look-up does not follow: a functor of ours given to thrust:: never drags
// thrust_hist::reduce and friends into Thrust's own unqualified calls.
#define THRUST_HIST_ALGORITHMS_BEGIN \
  THRUST_HIST_NAMESPACE_BEGIN        \
  namespace algorithms {
#define THRUST_HIST_ALGORITHMS_END \
  }                                \
  using namespace algorithms;      \
  THRUST_HIST_NAMESPACE_END
