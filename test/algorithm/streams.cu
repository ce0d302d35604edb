// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// CUDA policies: streams, what they wait for, ordering against other work, two host threads, a
// second device.

#include "../support/allocators.h"
#include "../support/checks.h"
#include "../support/containers.h"
#include "../support/slow_work.cuh"
#include <thrust_hist/thrust_hist.h>

#include <algorithm>
#include <thread>

namespace streams_setup {

using thrust_hist::options;
using thrust_hist::route;

const test::samples<unsigned> keys(test::generate(test::distribution::zipf, 100003, 300));

std::vector<int> expected_counts(int bins) {
  return test::convert<int>(test::count(keys, test::identity_reference(bins)));
}

}  // namespace streams_setup

BOOST_AUTO_TEST_SUITE(cuda_streams, THRUST_HIST_TEST_SMALL)
using namespace streams_setup;

BOOST_AUTO_TEST_CASE(work_on_a_stream_before_the_call_is_seen_and_work_after_it_sees_the_result) {
  for (route forced : test::cuda::every_route())
    for (int bins : {4, 257, 6007}) {
      const test::stream s;
      auto source = test::buffer_of<test::cuda>(keys);
      auto in = test::buffer_of<test::cuda>(
          test::samples<unsigned>(keys.size(), [](std::size_t) { return 0; }));
      test::output<test::cuda, int> out(static_cast<std::size_t>(bins)),
          copy(static_cast<std::size_t>(bins));
      unsigned const* const first = in.data();
      try {
        test::delay(s.get());  // the keys arrive late, and only in this stream
        cudaMemcpyAsync(
            in.data(), source.data(), keys.size() * sizeof(unsigned), cudaMemcpyDeviceToDevice,
            s.get());
        thrust_hist::histogram(
            thrust::cuda::par_nosync.on(s.get()), first, first + keys.size(), out.data(), bins,
            options{}.force(forced));
        cudaMemcpyAsync(
            copy.data(), out.data(), static_cast<std::size_t>(bins) * sizeof(int),
            cudaMemcpyDeviceToDevice, s.get());
      } catch (std::invalid_argument const&) {
        continue;
      }
      s.wait();
      BOOST_TEST_CONTEXT("route " << forced << ", " << bins << " bins")
      copy.check_equals(expected_counts(bins));
    }
}

BOOST_AUTO_TEST_CASE(a_call_under_a_waiting_policy_returns_with_its_work_done) {
  const test::stream s;
  auto in = test::buffer_of<test::cuda>(keys);
  test::output<test::cuda, int> out(300);
  unsigned const* const first = in.data();
  test::delay(s.get());
  thrust_hist::histogram(
      thrust::cuda::par.on(s.get()), first, first + keys.size(), out.data(), 300);
  BOOST_TEST(s.is_done());
  out.check_equals(expected_counts(300));
}

BOOST_AUTO_TEST_CASE(scratch_under_a_policy_that_does_not_wait_is_not_reused_too_early) {
  // 64-bit floats and narrow counters need scratch; many calls in a row on one stream.
  const test::stream s;
  auto in = test::buffer_of<test::cuda>(keys);
  unsigned const* const first = in.data();
  std::vector<test::output<test::cuda, std::uint8_t>> outs;
  for (int i = 0; i < 8; ++i)
    outs.emplace_back(std::size_t{300});
  for (auto& out : outs)
    thrust_hist::histogram(
        thrust::cuda::par_nosync.on(s.get()), first, first + keys.size(), out.data(), 300);
  s.wait();
  for (auto const& out : outs)
    out.check_equals(test::convert<std::uint8_t>(test::count(keys, test::identity_reference(300))));
}

BOOST_AUTO_TEST_CASE(edges_in_host_memory_may_be_changed_once_the_call_has_returned) {
  const test::stream s;
  auto in = test::buffer_of<test::cuda>(keys);
  unsigned const* const first = in.data();
  test::output<test::cuda, int> out(3);
  std::vector<double> edges{0, 1, 5.5, 200};
  const auto expected = test::convert<int>(test::count(keys, test::range_reference(edges)));
  test::delay(s.get());
  thrust_hist::histogram_range(
      thrust::cuda::par_nosync.on(s.get()), first, first + keys.size(), out.data(), edges.begin(),
      edges.end());
  std::fill(edges.begin(), edges.end(), -1.);
  s.wait();
  out.check_equals(expected);
}

BOOST_AUTO_TEST_CASE(a_host_container_as_output_is_staged) {
  auto in = test::buffer_of<test::cuda>(keys);
  const thrust::device_ptr<unsigned const> first(in.data());
  std::vector<int> standard(300, 77);
  thrust::host_vector<int> host(300, 77);
  thrust_hist::histogram(
      thrust::device, first, first + static_cast<std::ptrdiff_t>(keys.size()), standard.begin(),
      300);
  thrust_hist::histogram(
      thrust::device, first, first + static_cast<std::ptrdiff_t>(keys.size()), host.begin(), 300);
  BOOST_TEST(test::difference(standard, expected_counts(300)) == "");
  BOOST_TEST(test::difference(test::contents(host), expected_counts(300)) == "");
  thrust_hist::histogram(
      thrust::device, first, first + static_cast<std::ptrdiff_t>(keys.size()), standard.begin(),
      300, options{}.accumulate());
  auto twice = expected_counts(300);
  for (int& count : twice)
    count *= 2;
  BOOST_TEST(test::difference(standard, twice) == "");
  std::vector<int> container;
  thrust_hist::histogram(
      thrust::device, first, first + static_cast<std::ptrdiff_t>(keys.size()), container);
  const int largest = static_cast<int>(*std::max_element(keys.begin(), keys.end()));
  BOOST_TEST(test::difference(container, expected_counts(largest + 1)) == "");
}

BOOST_AUTO_TEST_CASE(two_host_threads_count_at_once) {
  std::vector<std::string> found(2);
  const auto work = [&](int which) {
    const test::stream s;
    auto in = test::buffer_of<test::cuda>(keys);
    unsigned const* const first = in.data();
    for (int i = 0; i < 50 && found[static_cast<std::size_t>(which)].empty(); ++i)
      for (int bins : {4, 257, 6007, 70000}) {
        test::output<test::cuda, int> out(static_cast<std::size_t>(bins));
        thrust_hist::histogram(
            thrust::cuda::par.on(s.get()), first, first + keys.size(), out.data(), bins);
        found[static_cast<std::size_t>(which)] +=
            test::difference(out.contents(), expected_counts(bins));
      }
  };
  std::thread one(work, 0), other(work, 1);
  one.join();
  other.join();
  BOOST_TEST(found[0] == "");
  BOOST_TEST(found[1] == "");
}

BOOST_AUTO_TEST_CASE(policies_of_the_rmm_kind_are_taken) {
  test::ledger book;
  test::counting_allocator<test::cuda> allocator(book);
  const test::stream s;
  using base = decltype(thrust::cuda::par(allocator).on(s.get()));
  struct like_rmm : base {
    explicit like_rmm(base const& from) : base(from) {}
  };
  const like_rmm policy(thrust::cuda::par(allocator).on(s.get()));
  auto in = test::buffer_of<test::cuda>(keys);
  unsigned const* const first = in.data();
  test::output<test::cuda, std::uint16_t> out(300);
  thrust_hist::histogram(policy, first, first + keys.size(), out.data(), 300);
  out.check_equals(test::convert<std::uint16_t>(test::count(keys, test::identity_reference(300))));
  BOOST_TEST(book.outstanding() == 0U);
}

BOOST_AUTO_TEST_CASE(an_error_of_an_earlier_kernel_call_is_reported_and_nothing_is_swallowed) {
  cudaSetDevice(9999);  // leaves an error behind that is not sticky
  const cudaError_t pending = cudaPeekAtLastError();
  auto in = test::buffer_of<test::cuda>(keys);
  unsigned const* const first = in.data();
  test::output<test::cuda, int> out(300);
  try {
    thrust_hist::histogram(thrust::cuda::par, first, first + keys.size(), out.data(), 300);
    out.check_equals(expected_counts(300));
  } catch (thrust::system_error const& reported) {
    BOOST_TEST_MESSAGE(reported.what());
    BOOST_TEST(reported.code().value() == pending);
  }
  cudaGetLastError();
}

BOOST_AUTO_TEST_SUITE_END()

// Not for compute-sanitizer: a call waits where the tool waits for each kernel.
BOOST_AUTO_TEST_SUITE(cuda_streams_unwatched, THRUST_HIST_TEST_LARGE)
using namespace streams_setup;

BOOST_AUTO_TEST_CASE(a_call_that_need_not_wait_returns_before_its_work_is_done) {
  for (int bins : {4, 257, 6007}) {
    const test::stream s;
    auto in = test::buffer_of<test::cuda>(keys);
    test::output<test::cuda, int> out(static_cast<std::size_t>(bins));
    unsigned const* const first = in.data();
    const auto policy = thrust::cuda::par_nosync.on(s.get());
    thrust_hist::histogram(
        policy, first, first + keys.size(), out.data(), bins);  // loads the kernels
    s.wait();
    test::gate held_up(s);
    thrust_hist::histogram(policy, first, first + keys.size(), out.data(), bins);
    BOOST_TEST(!s.is_done());
    held_up.open();
    s.wait();
    out.check_equals(expected_counts(bins));
  }
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(
    cuda_second_device,
    *boost::unit_test::precondition(test::has_two_devices) * boost::unit_test::label("small"))
using namespace streams_setup;

BOOST_AUTO_TEST_CASE(counts_where_device_1_is_current_and_leaves_it_current) {
  for (int device : {1, 0, 1}) {
    test::check_cuda(cudaSetDevice(device), "cudaSetDevice");
    for (route forced : test::cuda::every_route())
      for (int bins : {4, 257, 57000})
        test::check_route<test::cuda, int>(
            forced, keys, test::count(keys, test::identity_reference(bins)),
            [&](auto first, auto last, auto out, auto how) {
              return thrust_hist::histogram(thrust::cuda::par, first, last, out, bins, how);
            });
    int current = -1;
    cudaGetDevice(&current);
    BOOST_TEST(current == device);
  }
  cudaSetDevice(0);
}

BOOST_AUTO_TEST_SUITE_END()
