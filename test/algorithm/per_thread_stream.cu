// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Calls on the default stream of the calling host thread: ordered after the work that this thread
// put there, while another thread counts on its own.

#include "../support/checks.h"
#include "../support/slow_work.cuh"
#include <thrust_hist/thrust_hist.h>

#include <exception>
#include <string>
#include <thread>

BOOST_AUTO_TEST_SUITE(cuda_per_thread_stream, THRUST_HIST_TEST_SMALL)

namespace {

test::samples<unsigned> keys_of_thread(std::uint64_t which) {
  return test::samples<unsigned>(test::generate(test::distribution::zipf, 100003, 300, which));
}

// The keys arrive late, and only in this thread's stream; what follows there reads the bins.
// Returns what is wrong with them.
template <class Policy>
std::string count_late_keys(
    Policy const& policy, test::samples<unsigned> const& keys, test::bin bins) {
  const cudaStream_t own = cudaStreamPerThread;
  auto source = test::buffer_of<test::cuda>(keys);
  auto in = test::buffer_of<test::cuda>(
      test::samples<unsigned>(keys.size(), [](std::size_t) { return 0; }));
  const auto size = static_cast<std::size_t>(bins);
  test::output<test::cuda, int> out(size), copy(size);
  unsigned const* const first = in.data();
  test::delay(own);
  test::check_cuda(
      cudaMemcpyAsync(
          in.data(), source.data(), keys.size() * sizeof(unsigned), cudaMemcpyDeviceToDevice, own),
      "copy of the keys");
  thrust_hist::histogram(policy, first, first + keys.size(), out.data(), bins);
  test::check_cuda(
      cudaMemcpyAsync(copy.data(), out.data(), size * sizeof(int), cudaMemcpyDeviceToDevice, own),
      "copy of the bins");
  test::check_cuda(cudaStreamSynchronize(own), "the work of this thread");
  return test::difference(
      copy.contents(), test::convert<int>(test::count(keys, test::identity_reference(bins))));
}

}  // namespace

BOOST_AUTO_TEST_CASE(two_host_threads_count_after_their_own_earlier_work) {
  std::string found[2];
  const auto work = [&](std::size_t which) {
    try {  // what leaves a thread ends the program
      const auto keys = keys_of_thread(which + 1);
      for (test::bin bins : {4, 257, 6007, 70000}) {
        found[which] += count_late_keys(thrust::cuda::par.on(cudaStreamPerThread), keys, bins);
        found[which] +=
            count_late_keys(thrust::cuda::par_nosync.on(cudaStreamPerThread), keys, bins);
      }
    } catch (std::exception const& thrown) {
      found[which] += thrown.what();
    }
  };
  std::thread one(work, 0), other(work, 1);
  one.join();
  other.join();
  BOOST_TEST(found[0] == "");
  BOOST_TEST(found[1] == "");
}

BOOST_AUTO_TEST_CASE(a_call_under_a_waiting_policy_returns_with_its_work_done) {
  const auto keys = keys_of_thread(1);
  auto in = test::buffer_of<test::cuda>(keys);
  unsigned const* const first = in.data();
  const auto policy = thrust::cuda::par.on(cudaStreamPerThread);
  test::output<test::cuda, int> out(300);
  test::delay(cudaStreamPerThread);
  thrust_hist::histogram(policy, first, first + keys.size(), out.data(), 300);
  BOOST_TEST((cudaStreamQuery(cudaStreamPerThread) == cudaSuccess));
  out.check_equals(test::convert<int>(test::count(keys, test::identity_reference(300))));
  test::delay(cudaStreamPerThread);
  std::uint64_t sum = 0;
  for (unsigned key : keys)
    sum += key;
  BOOST_TEST(thrust_hist::reduce(policy, first, first + keys.size(), std::uint64_t{0}) == sum);
}

BOOST_AUTO_TEST_SUITE_END()
