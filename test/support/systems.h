// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// The systems that one body of cases runs on. A unit that g++ compiles sees the host systems, the
// same source included from a .cu unit sees CUDA's.

#include "boost_test.h"
#include "buffers.h"

#include <thrust/execution_policy.h>
#include <thrust/system/cpp/execution_policy.h>
#ifdef _OPENMP
#  include <thrust/system/omp/execution_policy.h>
#endif
#ifdef THRUST_HIST_TEST_TBB
#  include <thrust/system/tbb/execution_policy.h>
#endif
#ifdef __CUDACC__
#  include <cuda_runtime_api.h>
#  include <thrust/system/cuda/execution_policy.h>
#endif

#include <thrust_hist/options.h>

#include <cstddef>
#include <initializer_list>
#include <tuple>
#include <vector>

namespace test {

// What all host systems share.
struct host_memory {
  static constexpr bool is_cuda = false, is_parallel = true;
  template <class T>
  using buffer = host_buffer<T>;
  static std::vector<thrust_hist::route> every_route() {
    using thrust_hist::route;
    return {route::automatic, route::serial, route::private_tables, route::partitioned};
  }
};

struct seq : host_memory {
  static constexpr bool is_parallel = false;
  struct users_policy : thrust::host_execution_policy<users_policy> {};
  static auto policy() { return thrust::seq; }
  template <class Memory>
  static auto policy_with(Memory&& memory) {
    return thrust::seq(memory);
  }
};
struct cpp : host_memory {
  static constexpr bool is_parallel = false;
  struct users_policy : thrust::cpp::execution_policy<users_policy> {};
  static auto policy() { return thrust::cpp::par; }
  template <class Memory>
  static auto policy_with(Memory&& memory) {
    return thrust::cpp::par(memory);
  }
};
#ifdef _OPENMP
struct omp : host_memory {
  struct users_policy : thrust::omp::execution_policy<users_policy> {};
  static auto policy() { return thrust::omp::par; }
  template <class Memory>
  static auto policy_with(Memory&& memory) {
    return thrust::omp::par(memory);
  }
};
#endif
#ifdef THRUST_HIST_TEST_TBB
struct tbb : host_memory {
  struct users_policy : thrust::tbb::execution_policy<users_policy> {};
  static auto policy() { return thrust::tbb::par; }
  template <class Memory>
  static auto policy_with(Memory&& memory) {
    return thrust::tbb::par(memory);
  }
};
#endif

#ifdef __CUDACC__
struct cuda {
  static constexpr bool is_cuda = true, is_parallel = true;
  template <class T>
  using buffer = cuda_buffer<T>;
  struct users_policy : thrust::cuda::execution_policy<users_policy> {};
  static auto policy() { return thrust::cuda::par; }
  template <class Memory>
  static auto policy_with(Memory&& memory) {
    return thrust::cuda::par(memory);
  }
  static std::vector<thrust_hist::route> every_route() {
    using thrust_hist::route;
    return {route::automatic,     route::registers,    route::shared,      route::shared_lanes,
            route::shared_packed, route::shared_split, route::partitioned, route::global};
  }
};

inline boost::test_tools::assertion_result can_run(boost::unit_test::test_unit_id) {
  int devices = 0;
  boost::test_tools::assertion_result answer(
      cudaGetDeviceCount(&devices) == cudaSuccess && devices > 0);
  if (!answer)
    answer.message() << "no GPU";
  return answer;
}

using systems = std::tuple<cuda>;
using every_policy = systems;
using main_system = cuda;
#else
inline boost::test_tools::assertion_result can_run(boost::unit_test::test_unit_id) {
  return true;
}

// thrust::seq and thrust::cpp::par belong to one system, so what is not about policies meets one of
// them. THRUST_HIST_TEST_FEW_SYSTEMS: one way of having several threads, where they are not the
// question; that of thrust::device if it is TBB, else OpenMP.
#  if !defined(THRUST_HIST_TEST_FEW_SYSTEMS)
#    define THRUST_HIST_TEST_ALL_SYSTEMS 1
#  else
#    define THRUST_HIST_TEST_ALL_SYSTEMS 0
#  endif
template <class... OneThread>
using systems_with = std::tuple<
    OneThread...
#  if defined(_OPENMP) && \
      (THRUST_HIST_TEST_ALL_SYSTEMS || THRUST_DEVICE_SYSTEM != THRUST_DEVICE_SYSTEM_TBB)
    ,
    omp
#  endif
#  if defined(THRUST_HIST_TEST_TBB) && \
      (THRUST_HIST_TEST_ALL_SYSTEMS || THRUST_DEVICE_SYSTEM == THRUST_DEVICE_SYSTEM_TBB)
    ,
    tbb
#  endif
    >;
using systems = systems_with<seq>;
// One thread and every way of having several, where these are the question.
using host_systems = std::tuple<
    seq
#  if defined(_OPENMP)
    ,
    omp
#  endif
#  if defined(THRUST_HIST_TEST_TBB)
    ,
    tbb
#  endif
    >;
#  if THRUST_HIST_TEST_ALL_SYSTEMS
using every_policy = systems_with<seq, cpp>;
#  else
using every_policy = systems;
#  endif
using main_system = cpp;
#endif

}  // namespace test

// Decorates a suite: its cases are skipped, not passed, where the system is not there. `small`
// marks those that compute-sanitizer runs too, which takes up to 50 ms for a launch: inputs up to
// 2^17, every route and every kernel, some hundred calls. `large` is whatever is more than that, or
// depends on the time that something takes. In small suites with LOCKS, threads meet in shared
// memory by spin locks or by hash tables, which racecheck takes for races: it knows barriers only.
#define THRUST_HIST_TEST_SMALL \
  *boost::unit_test::precondition(test::can_run) * boost::unit_test::label("small")
#define THRUST_HIST_TEST_SMALL_LOCKS THRUST_HIST_TEST_SMALL* boost::unit_test::label("locks")
#define THRUST_HIST_TEST_LARGE \
  *boost::unit_test::precondition(test::can_run) * boost::unit_test::label("large")
