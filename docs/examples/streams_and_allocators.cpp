// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Where an algorithm runs, and where its temporary memory comes from, is said by the policy.
#include "support/caching_allocator.h"
#include "support/expect.h"
#if defined(__CUDACC__)
#  include "support/stream.cuh"
#endif

#include <thrust_hist/histogram.h>

#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/fill.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/memory.h>
#include <thrust/mr/device_memory_resource.h>
#include <thrust/mr/disjoint_pool.h>
#include <thrust/mr/new.h>
#include <thrust/pair.h>
#include <thrust/reduce.h>
#include <thrust/transform.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <vector>

static constexpr int bins = 1000;
static constexpr std::uint32_t samples = 1u << 20;

struct key_of {
  THRUST_HIST_HOST_DEVICE std::uint32_t operator()(std::uint32_t i) const {
    return i * 2654435761u % bins;
  }
};

using vector = thrust::device_vector<std::uint32_t>;

static vector make_keys() {
  vector keys(samples);
  thrust::counting_iterator<std::uint32_t> index(0);
  thrust::transform(index, index + samples, keys.begin(), key_of{});
  return keys;
}

static void expect_right(vector const& counts, char const* what, std::uint32_t times = 1) {
  static std::vector<std::uint32_t> const expected = [] {
    std::vector<std::uint32_t> plain(bins);
    for (std::uint32_t i = 0; i < samples; ++i) {
      ++plain[key_of{}(i)];
    }
    return plain;
  }();
  std::vector<std::uint32_t> got(bins);
  thrust::copy(counts.begin(), counts.end(), got.begin());
  for (int i = 0; i < bins; ++i) {
    expect(got[i] == times * expected[i], what);
  }
  std::printf("%s: right\n", what);
}

// --- on every system -----------------------------------------------------------------------------

static void with_allocator(vector const& keys) {
  //! [allocator]
  caching_allocator memory;
  vector counts(bins);
  for (int call = 0; call < 3; ++call) {
    thrust_hist::histogram(thrust::device(memory), keys.begin(), keys.end(), counts.begin(), bins);
  }
  //! [allocator]
  expect_right(counts, "device(allocator)");
  expect(memory.in_use() == 0, "all temporary memory is given back");
  std::printf("  three calls allocated %d blocks\n", memory.fresh());
}

static void with_memory_resource(vector const& keys) {
  //! [memory_resource]
  using upstream = thrust::device_memory_resource;
  using bookkeeping = thrust::mr::new_delete_resource;
  thrust::mr::disjoint_unsynchronized_pool_resource<upstream, bookkeeping> pool;
  vector counts(bins);
  thrust_hist::histogram(thrust::device(&pool), keys.begin(), keys.end(), counts.begin(), bins);
  //! [memory_resource]
  expect_right(counts, "device(&memory_resource)");
}

//! [own_policy]
// A policy of your own, derived from Thrust's: temporary memory comes from a budget.
struct budget_policy : thrust::device_execution_policy<budget_policy> {
  std::size_t* left;
  explicit budget_policy(std::size_t* bytes) : left(bytes) {}
};

// Thrust's algorithms and thrust_hist's find these two by argument-dependent look-up.
template <class T>
thrust::pair<thrust::pointer<T, budget_policy>, std::ptrdiff_t> get_temporary_buffer(
    budget_policy policy, std::ptrdiff_t n) {
  std::size_t const bytes = static_cast<std::size_t>(n) * sizeof(T);
  if (bytes > *policy.left) {
    throw std::bad_alloc();
  }
  T* const memory = static_cast<T*>(allocate_device_bytes(bytes));
  *policy.left -= bytes;
  return {thrust::pointer<T, budget_policy>(memory), n};
}

template <class Pointer>
void return_temporary_buffer(budget_policy policy, Pointer memory, std::ptrdiff_t n) {
  using value = typename thrust::iterator_traits<Pointer>::value_type;
  *policy.left += static_cast<std::size_t>(n) * sizeof(value);
  free_device_bytes(thrust::raw_pointer_cast(memory));
}
//! [own_policy]

static void with_own_policy(vector const& keys) {
  std::size_t const budget = 64 << 20;
  std::size_t left = budget;
  vector counts(bins);
  thrust_hist::histogram(budget_policy(&left), keys.begin(), keys.end(), counts.begin(), bins);
  expect_right(counts, "a policy derived from Thrust's");
  expect(left == budget, "the budget is whole again");
}

// --- on CUDA -------------------------------------------------------------------------------------

#if defined(__CUDACC__)

static void on_streams(vector const& keys) {
  stream_owner const one, two;  // not the default stream, and not waiting for it
  //! [streams]
  vector counts(bins), more_counts(bins);
  // Done when it returns, as in Thrust; other streams go on meanwhile.
  thrust_hist::histogram(
      thrust::cuda::par.on(one.stream), keys.begin(), keys.end(), counts.begin(), bins);

  // Not done when it returns: the stream orders it, and somebody has to wait for the stream.
  thrust_hist::histogram(
      thrust::cuda::par_nosync.on(two.stream), keys.begin(), keys.end(), more_counts.begin(), bins);
  two.wait();
  //! [streams]
  expect_right(counts, "par.on(stream)");
  expect_right(more_counts, "par_nosync.on(stream)");
}

static void on_stream_with_allocator(vector const& keys) {
  stream_owner const own;
  //! [allocator_and_stream]
  caching_allocator memory;
  vector counts(bins);
  auto const policy = thrust::cuda::par_nosync(memory).on(own.stream);
  for (int call = 0; call < 3; ++call) {
    thrust_hist::histogram(policy, keys.begin(), keys.end(), counts.begin(), bins);
  }
  own.wait();
  //! [allocator_and_stream]
  expect_right(counts, "par_nosync(allocator).on(stream)");
  expect(memory.in_use() == 0, "all temporary memory is given back");
}

static void in_a_graph(vector const& keys) {
  stream_owner const own;
  //! [graph]
  vector counts(bins, 0);
  caching_allocator memory;  // outlives the graph, as scratch memory has to
  auto const policy = thrust::cuda::par_nosync(memory).on(own.stream);
  auto const add = thrust_hist::options{}.accumulate();

  cudaGraph_t graph = nullptr;
  cudaGraphExec_t replay = nullptr;
  check_cuda(cudaStreamBeginCapture(own.stream, cudaStreamCaptureModeThreadLocal), "begin capture");
  thrust_hist::histogram(policy, keys.begin(), keys.end(), counts.begin(), bins, add);
  check_cuda(cudaStreamEndCapture(own.stream, &graph), "end capture");
  check_cuda(cudaGraphInstantiate(&replay, graph, 0), "cudaGraphInstantiate");
  for (int launch = 0; launch < 3; ++launch) {
    check_cuda(cudaGraphLaunch(replay, own.stream), "cudaGraphLaunch");
  }
  own.wait();
  //! [graph]
  cudaGraphExecDestroy(replay);
  cudaGraphDestroy(graph);
  expect_right(counts, "three launches of a captured graph", 3);
}

#endif

int main() {
  vector const keys = make_keys();
  with_allocator(keys);
  with_memory_resource(keys);
  with_own_policy(keys);
#if defined(__CUDACC__)
  on_streams(keys);
  on_stream_with_allocator(keys);
  in_a_graph(keys);
#endif
  return 0;
}
