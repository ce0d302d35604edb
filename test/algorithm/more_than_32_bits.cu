// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// More than 2^32 keys, and more than 2^32 of them in one bin.

#include "../support/checks.h"
#include <thrust_hist/thrust_hist.h>

#include <thrust/iterator/constant_iterator.h>
#include <thrust/iterator/counting_iterator.h>

namespace more_than_32_bits_setup {

constexpr std::uint64_t n = (std::uint64_t{1} << 32) + 12345;

boost::test_tools::assertion_result has_room(boost::unit_test::test_unit_id) {
  std::size_t available = 0, all = 0;
  boost::test_tools::assertion_result answer(
      cudaMemGetInfo(&available, &all) == cudaSuccess && available > n + (std::size_t{1} << 30));
  if (!answer)
    answer.message() << "a GPU with 5.5 GB of free memory is missing";
  return answer;
}

}  // namespace more_than_32_bits_setup

BOOST_AUTO_TEST_SUITE(
    more_than_32_bits, *boost::unit_test::precondition(more_than_32_bits_setup::has_room) *
                           boost::unit_test::label("large"))
using namespace more_than_32_bits_setup;

BOOST_AUTO_TEST_CASE(bytes_are_counted_beyond_32_bits_on_every_route) {
  std::uint8_t* memory = nullptr;
  test::check_cuda(cudaMalloc(&memory, n), "cudaMalloc of more than 4 GiB");
  const std::unique_ptr<std::uint8_t, cudaError_t (*)(void*)> owner(
      memory, [](void* p) { return cudaFree(p); });
  cudaMemset(memory, 3, n);
  cudaMemset(memory + n - 1000, 1, 1000);
  std::vector<std::uint64_t> expected{0, 1000, 0, n - 1000, 0};
  for (thrust_hist::route forced : test::cuda::every_route()) {
    if (forced == thrust_hist::route::global)
      continue;  // one address takes 1.4 G atomics a second: three seconds for no other code
    test::output<test::cuda, std::uint64_t> out(5);
    std::uint64_t dropped = 77;
    thrust_hist::histogram(
        thrust::cuda::par, memory, memory + n, out.data(), 5,
        thrust_hist::options{}.force(forced).dropped(&dropped));
    BOOST_TEST_CONTEXT("route " << forced) out.check_equals(expected);
    BOOST_TEST(dropped == 0U);
  }
  test::output<test::cuda, std::uint32_t> narrow(5);
  thrust_hist::histogram(thrust::cuda::par, memory, memory + n, narrow.data(), 5);
  narrow.check_equals(test::convert<std::uint32_t>(expected));
  test::output<test::cuda, float> real(5);
  thrust_hist::histogram_even(thrust::cuda::par, memory, memory + n, real.data(), 5, 0, 5);
  real.check_equals(test::convert<float>(expected));
  BOOST_TEST(
      thrust_hist::reduce(thrust::cuda::par, memory, memory + n, std::uint64_t{0}) ==
      (n - 1000) * 3 + 1000);
}

// So many parts that there is one group of blocks, each of which sees all the keys.
BOOST_AUTO_TEST_CASE(each_block_of_a_split_table_may_see_more_than_32_bits) {
  cudaDeviceProp properties{};
  test::check_cuda(cudaGetDeviceProperties(&properties, 0), "cudaGetDeviceProperties");
  std::size_t parts = 1;
  while (2 * parts <= static_cast<std::size_t>(properties.multiProcessorCount))
    parts *= 2;
  const std::size_t bins = properties.sharedMemPerBlockOptin / 4 * parts / 4 * 3;
  std::uint8_t* memory = nullptr;
  test::check_cuda(cudaMalloc(&memory, n), "cudaMalloc of more than 4 GiB");
  const std::unique_ptr<std::uint8_t, cudaError_t (*)(void*)> owner(
      memory, [](void* p) { return cudaFree(p); });
  cudaMemset(memory, 3, n);
  std::vector<std::uint64_t> expected(bins);
  expected[3] = n;
  test::output<test::cuda, std::uint64_t> out(bins);
  thrust_hist::histogram(
      thrust::cuda::par, memory, memory + n, out.data(), bins,
      thrust_hist::options{}.force(thrust_hist::route::shared_split));
  out.check_equals(expected);
}

BOOST_AUTO_TEST_CASE(keys_that_need_no_memory_are_counted_beyond_32_bits) {
  test::output<test::cuda, std::uint64_t> out(3);
  const auto constant = thrust::make_constant_iterator(std::uint32_t{2});
  thrust_hist::histogram(thrust::cuda::par, constant, constant + n, out.data(), 3);
  out.check_equals({0, 0, n});
  const auto counting = thrust::make_counting_iterator(std::int64_t{-5});
  thrust_hist::histogram_even(
      thrust::cuda::par, counting, counting + n, out.data(), 3, 0, std::int64_t{3} << 30);
  out.check_equals({1U << 30, 1U << 30, 1U << 30});
}

BOOST_AUTO_TEST_SUITE_END()
