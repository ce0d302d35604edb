// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// CUDA policies of sparse histograms: every kind of them, what is ordered in streams, what waits,
// what cannot be captured, two host threads, a second device.

#include "../support/allocators.h"
#include "../support/containers.h"
#include "../support/messages.h"
#include "../support/slow_work.cuh"
#include "../support/sparse.h"
#include <thrust_hist/sparse_histogram.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <thread>
#include <vector>

namespace sparse_policies_setup {

using thrust_hist::options;
using thrust_hist::route;
using thrust_hist::sparse_histogram;
using thrust_hist::sparse_histogram_by_key;

const test::samples<unsigned> keys(100003, [](std::size_t i) { return i * i % 7001 * 613566757; });
const test::samples<unsigned> few_keys(100003, [](std::size_t i) { return i * i % 5 << 28; });

inline auto counts_of(test::samples<unsigned> const& list) {
  return test::count_sorted<unsigned>(list);
}

template <class Policy>
void check_policy(Policy const& policy) {
  for (auto const* list : {&keys, &few_keys})
    test::check_sparse<test::cuda>(
        *list, *list, counts_of(*list),
        [&](auto first, auto last, auto, auto to, auto counts, auto const& o) {
          return sparse_histogram(policy, first, last, to, counts, o);
        });
}

// Input and output of one call.
struct call {
  test::cuda_buffer<unsigned> in;
  test::sparse_output<test::cuda, unsigned, unsigned> out;

  explicit call(test::samples<unsigned> const& list)
      : in(test::buffer_of<test::cuda>(list)), out(list.size()) {}
  template <class Policy>
  void run(Policy const& policy, options const& o = {}) {
    unsigned const* const first = in.data();
    sparse_histogram(policy, first, first + in.size(), out.keys(), out.values(), o);
  }
};

}  // namespace sparse_policies_setup

BOOST_AUTO_TEST_SUITE(sparse_policies, THRUST_HIST_TEST_SMALL_LOCKS)
using namespace sparse_policies_setup;

BOOST_AUTO_TEST_CASE(policies_of_thrust) {
  const test::stream s;
  check_policy(thrust::device);
  check_policy(thrust::cuda::par);
  check_policy(thrust::cuda::par.on(s.get()));
  check_policy(thrust::cuda::par_nosync);
  check_policy(test::cuda::users_policy{});
}

// With an allocator all scratch comes from it, and goes back.
BOOST_AUTO_TEST_CASE(policies_with_an_allocator) {
  test::ledger book;
  test::counting_allocator<test::cuda> allocator(book);
  const test::stream s;
  check_policy(thrust::cuda::par(allocator));
  BOOST_TEST(book.outstanding() == 0U);
  const std::size_t taken_before = book.allocations();
  BOOST_TEST(taken_before > 0U);
  using base = decltype(thrust::cuda::par(allocator).on(s.get()));
  struct like_rmm : base {
    explicit like_rmm(base const& from) : base(from) {}
  };
  check_policy(like_rmm(thrust::cuda::par(allocator).on(s.get())));
  BOOST_TEST(book.outstanding() == 0U);
  BOOST_TEST(book.allocations() > taken_before);
}

BOOST_AUTO_TEST_CASE(policies_with_a_memory_resource) {
  test::counting_resource<test::cuda> resource;
  check_policy(thrust::cuda::par(&resource));
  BOOST_TEST(resource.book.allocations() > 0U);
  BOOST_TEST(resource.book.outstanding() == 0U);
}

BOOST_AUTO_TEST_CASE(work_on_a_stream_before_the_call_is_seen_and_work_after_it_sees_the_result) {
  for (route forced : test::all_sparse_routes)
    for (auto const* list : {&keys, &few_keys}) {
      const test::stream s;
      call late(test::samples<unsigned>(list->size(), [](std::size_t) { return 0; }));
      auto source = test::buffer_of<test::cuda>(*list);
      test::sparse_output<test::cuda, unsigned, unsigned> copy(list->size());
      const auto expected = counts_of(*list);
      const std::size_t bytes = expected.keys.size() * sizeof(unsigned);
      test::delay(s.get());  // the keys arrive late, and only in this stream
      cudaMemcpyAsync(
          late.in.data(), source.data(), list->size() * sizeof(unsigned), cudaMemcpyDeviceToDevice,
          s.get());
      try {
        late.run(thrust::cuda::par_nosync.on(s.get()), options{}.force(forced));
      } catch (std::invalid_argument const& refusal) {
        BOOST_TEST(test::sparse_may_be_refused<test::cuda>(forced), refusal.what());
        s.wait();
        continue;
      }
      cudaMemcpyAsync(copy.keys(), late.out.keys(), bytes, cudaMemcpyDeviceToDevice, s.get());
      cudaMemcpyAsync(copy.values(), late.out.values(), bytes, cudaMemcpyDeviceToDevice, s.get());
      s.wait();
      BOOST_TEST_CONTEXT("route " << forced)
      copy.check_equals(expected);
    }
}

BOOST_AUTO_TEST_CASE(a_call_under_a_waiting_policy_returns_with_its_work_done) {
  const test::stream s;
  call c(keys);
  test::delay(s.get());
  c.run(thrust::cuda::par.on(s.get()));
  BOOST_TEST(s.is_done());
  c.out.check_equals(counts_of(keys));
}

BOOST_AUTO_TEST_CASE(scratch_under_a_policy_that_does_not_wait_is_not_reused_too_early) {
  const test::stream s;
  std::vector<call> calls;
  for (int i = 0; i < 8; ++i)
    calls.emplace_back(i % 2 == 0 ? keys : few_keys);
  for (call& c : calls)
    c.run(thrust::cuda::par_nosync.on(s.get()));
  s.wait();
  for (std::size_t i = 0; i < calls.size(); ++i)
    calls[i].out.check_equals(counts_of(i % 2 == 0 ? keys : few_keys));
}

// A number of rows cannot be known in a capture. It says so before it does anything, and the
// capture stays usable.
BOOST_AUTO_TEST_CASE(no_call_can_be_captured) {
  const test::stream s;
  call c(keys);
  unsigned const* const first = c.in.data();
  const thrust::device_vector<unsigned> in(keys.begin(), keys.end());
  thrust::device_vector<unsigned> unique(2, 7), counted(3, 8);
  const auto policy = thrust::cuda::par_nosync.on(s.get());
  test::check_cuda(cudaStreamBeginCapture(s.get(), cudaStreamCaptureModeThreadLocal), "capture");
  for (route forced : {route::automatic, route::hashed, route::sorted})
    BOOST_CHECK_THROW(c.run(policy, options{}.force(forced)), std::exception);
  BOOST_CHECK_THROW(c.run(policy), thrust::system_error);
  BOOST_CHECK_THROW(c.run(thrust::cuda::par.on(s.get())), thrust::system_error);
  BOOST_CHECK_THROW(
      sparse_histogram_by_key(
          policy, first, first + keys.size(), first, c.out.keys(), c.out.values()),
      thrust::system_error);
  BOOST_CHECK_THROW(
      sparse_histogram(policy, in.begin(), in.end(), unique, counted), thrust::system_error);
  cudaGraph_t graph = nullptr;
  BOOST_TEST(cudaStreamEndCapture(s.get(), &graph) == cudaSuccess);
  std::size_t nodes = 77;
  BOOST_TEST(cudaGraphGetNodes(graph, nullptr, &nodes) == cudaSuccess);
  BOOST_TEST(nodes == 0U);
  cudaGraphDestroy(graph);
  c.out.check_untouched();
  BOOST_TEST(test::contents(unique) == (std::vector<unsigned>{7, 7}));
  BOOST_TEST(test::contents(counted) == (std::vector<unsigned>{8, 8, 8}));
  c.run(policy);
  s.wait();
  c.out.check_equals(counts_of(keys));
}

BOOST_AUTO_TEST_CASE(two_host_threads_count_at_once) {
  std::vector<std::string> found(2);
  const auto work = [&](int which) {
    auto const& list = which == 0 ? keys : few_keys;
    const auto expected = counts_of(list);
    const test::stream s;
    auto& wrong = found[static_cast<std::size_t>(which)];
    for (int i = 0; i < 20 && wrong.empty(); ++i) {
      auto in = test::buffer_of<test::cuda>(list);
      unsigned const* const first = in.data();
      test::output<test::cuda, unsigned> unique(list.size()), counted(list.size());
      const auto ends = sparse_histogram(
          thrust::cuda::par.on(s.get()), first, first + list.size(), unique.data(), counted.data());
      auto unique_here = unique.contents(), counted_here = counted.contents();
      unique_here.resize(static_cast<std::size_t>(ends.first - unique.data()));
      counted_here.resize(unique_here.size());
      wrong = test::difference(unique_here, expected.keys) +
              test::difference(counted_here, expected.values);
    }
  };
  std::thread one(work, 0), other(work, 1);
  one.join();
  other.join();
  BOOST_TEST(found[0] == "");
  BOOST_TEST(found[1] == "");
}

BOOST_AUTO_TEST_SUITE_END()

// Not for compute-sanitizer: a call waits where the tool waits for each kernel.
BOOST_AUTO_TEST_SUITE(sparse_policies_unwatched, THRUST_HIST_TEST_LARGE)
using namespace sparse_policies_setup;

BOOST_AUTO_TEST_CASE(explaining_waits_for_nothing) {
  const test::stream s;
  call c(keys);
  thrust_hist::plan plan;
  const auto how = options{}.explain(&plan);
  c.run(thrust::cuda::par.on(s.get()), how);
  test::gate held_up(s);
  c.run(thrust::cuda::par.on(s.get()), how);
  BOOST_TEST(!s.is_done());
  held_up.open();
  s.wait();
  BOOST_TEST(plan.system == "cuda");
  BOOST_TEST(plan.blocks > 0U);
  c.out.check_untouched();
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(
    sparse_second_device,
    *boost::unit_test::precondition(test::has_two_devices) * boost::unit_test::label("small"))
using namespace sparse_policies_setup;

BOOST_AUTO_TEST_CASE(counts_where_device_1_is_current_and_leaves_it_current) {
  for (int device : {1, 0, 1}) {
    test::check_cuda(cudaSetDevice(device), "cudaSetDevice");
    check_policy(thrust::cuda::par);
    int current = -1;
    cudaGetDevice(&current);
    BOOST_TEST(current == device);
  }
  cudaSetDevice(0);
}

BOOST_AUTO_TEST_SUITE_END()
