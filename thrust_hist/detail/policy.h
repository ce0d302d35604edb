// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// The seam to Thrust's execution policies: the only file that names anything inside Thrust's
/// detail namespaces. Everything else asks here: which system a policy belongs to, on which stream
/// it runs, whether it waits, and where its temporary memory comes from.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/iterator_types.h>

#include <thrust/detail/execution_policy.h>
#include <thrust/execution_policy.h>
#include <thrust/iterator/detail/any_system_tag.h>
#include <thrust/iterator/iterator_traits.h>
#include <thrust/system/cpp/detail/execution_policy.h>
#include <thrust/system/detail/sequential/execution_policy.h>
#include <thrust/system/omp/detail/execution_policy.h>
#include <thrust/system/tbb/detail/execution_policy.h>
#include <thrust/type_traits/is_execution_policy.h>

#if defined(__CUDACC__)
#  include <thrust/system/cuda/detail/execution_policy.h>
#  include <thrust/system/cuda/detail/util.h>
#  if THRUST_VERSION < 300100
#    include <thrust/system/cuda/detail/par.h>
#  else  // where the policies stand has changed since
#    include <thrust/system/cuda/execution_policy.h>
#  endif
#elif THRUST_DEVICE_SYSTEM == THRUST_DEVICE_SYSTEM_CUDA
#  include <thrust/system/cuda/detail/execution_policy.h>
#endif

#include <type_traits>
#include <utility>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {

// --- systems --------------------------------------------------------------------------------

struct sequential_system {};
struct omp_system {};
struct tbb_system {};
struct cuda_system {};

// The most derived base wins: omp's and tbb's policies are cpp's as well.
template <class D>
sequential_system system_of(thrust::system::detail::sequential::execution_policy<D> const&);
template <class D>
omp_system system_of(thrust::system::omp::detail::execution_policy<D> const&);
template <class D>
tbb_system system_of(thrust::system::tbb::detail::execution_policy<D> const&);
#if defined(__CUDACC__)
template <class D>
cuda_system system_of(thrust::cuda_cub::execution_policy<D> const&);
#elif THRUST_DEVICE_SYSTEM == THRUST_DEVICE_SYSTEM_CUDA
template <class D>
struct cuda_without_nvcc {
  static_assert(
      sizeof(D) == 0,
      "thrust_hist: thrust::device means CUDA here, but nvcc does not compile this file: let nvcc "
      "compile "
      "it, or choose another system by -DTHRUST_DEVICE_SYSTEM=THRUST_DEVICE_SYSTEM_OMP, ..._TBB or "
      "..._CPP.");
  using type = sequential_system;  // that sentence is enough
};
template <class D>
typename cuda_without_nvcc<D>::type system_of(thrust::cuda_cub::execution_policy<D> const&);
#endif

template <class Policy>
using system_of_t = decltype(system_of(std::declval<Policy const&>()));

template <class T>
inline constexpr bool is_policy = thrust::is_execution_policy<std::decay_t<T>>::value;

/// The policy as its author's type, ready to be handed to Thrust.
template <class Derived>
Derived& derived(thrust::detail::execution_policy_base<Derived> const& policy) {
  return thrust::detail::derived_cast(thrust::detail::strip_const(policy));
}

/// The policy under which to call algorithms of Thrust. CCCL 3.0 cannot tell which system
/// `thrust::seq(allocator)` and an iterator have in common; plain thrust::seq does the same work.
template <class Policy>
auto& algorithm_policy(Policy& policy) {
  if constexpr (std::is_same_v<system_of_t<Policy>, sequential_system>) {
    return thrust::seq;
  } else {
    return policy;
  }
}

// --- iterators ------------------------------------------------------------------------------

template <class Iterator>
using system_tag_t = typename thrust::iterator_system<Iterator>::type;

template <class Iterator>
inline constexpr bool is_neutral = std::is_same_v<system_tag_t<Iterator>, thrust::any_system_tag>;

template <class Iterator, bool = is_indexed<Iterator>>
inline constexpr bool has_system = false;  // no iterator: the algorithm will say so
template <class Iterator>
inline constexpr bool has_system<Iterator, true> = !is_neutral<Iterator>;

/// The system for a call without policy: that of the first iterator that has one.
template <class First, class... Rest>
auto default_policy() {
  if constexpr (has_system<First>) {
    return system_tag_t<First>{};
  } else if constexpr (sizeof...(Rest) > 0) {
    return default_policy<Rest...>();
  } else {
    return thrust::device_system_tag{};
  }
}

/// The address of the first element of a range of at least one.
template <class Iterator>
auto raw_pointer(Iterator first) {
  if constexpr (std::is_pointer_v<Iterator>) {
    return first;
  } else {
    return thrust::raw_pointer_cast(&*first);
  }
}

/// Iterators of containers in the memory of a host system (std::vector's, host_vector's). A bare
/// pointer is none: it follows the policy.
#if defined(__CUDACC__)
template <class Iterator>
inline constexpr bool is_host_container_iterator = [] {
  if constexpr (std::is_class_v<Iterator> && is_contiguous<Iterator>) {
    return !is_neutral<Iterator> &&
           !std::is_convertible_v<system_tag_t<Iterator>, thrust::cuda_cub::tag>;
  }
  return false;
}();
#else
template <class Iterator>
inline constexpr bool is_host_container_iterator =
    std::conjunction_v<std::is_class<Iterator>, std::bool_constant<is_contiguous<Iterator>>>;
#endif

// --- CUDA -----------------------------------------------------------------------------------

#if defined(__CUDACC__)
template <class Policy>
cudaStream_t stream_of(Policy& policy) {
  using thrust::cuda_cub::get_stream;
  return get_stream(policy);
}

/// Whether a call under this policy waits for its work.
template <class Policy>
bool waits(Policy& policy) {
  using thrust::cuda_cub::must_perform_optional_stream_synchronization;
  return must_perform_optional_stream_synchronization(policy);
}

/// Whether temporary memory is the library's or Thrust's rather than that of a user's allocator.
template <class Policy>
inline constexpr bool allocates_by_default =
    std::is_same_v<Policy, thrust::cuda_cub::tag> ||
    std::is_same_v<Policy, thrust::cuda_cub::par_t> ||
    std::is_same_v<Policy, thrust::cuda_cub::par_nosync_t> ||
    std::is_same_v<Policy, thrust::cuda_cub::execute_on_stream> ||
    std::is_same_v<Policy, thrust::cuda_cub::execute_on_stream_nosync>;
#endif

}  // namespace detail
THRUST_HIST_NAMESPACE_END
