// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// More than 2^32 keys, and more than 2^32 of them in one bin or one row.

#include "../support/checks.h"
#include "../support/containers.h"
#include <thrust_hist/thrust_hist.h>

#include <thrust/iterator/constant_iterator.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

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

// There is room for rows of a quarter of all keys, and for a batch of them, though rows are few.
boost::test_tools::assertion_result has_room_for_rows(boost::unit_test::test_unit_id) {
  std::size_t available = 0, all = 0;
  boost::test_tools::assertion_result answer(
      cudaMemGetInfo(&available, &all) == cudaSuccess && available > std::size_t{32} << 30);
  if (!answer)
    answer.message() << "a GPU with 32 GB of free memory is missing";
  return answer;
}

// Keys that need no memory: key i is one of `distinct`, in turn; or, but for each fifth, all are
// one.
struct key_at {
  std::uint32_t distinct;
  bool is_mostly_one;

  THRUST_HIST_HOST_DEVICE static std::uint32_t key(std::uint32_t number) {
    return number * 0x9e3779b9U;  // each another one, all over the type
  }
  THRUST_HIST_HOST_DEVICE std::uint32_t operator()(std::int64_t i) const {
    if (is_mostly_one)
      return key(i % 5 != 0 ? 0 : static_cast<std::uint32_t>(i / 5 % distinct));
    return key(static_cast<std::uint32_t>(i % distinct));
  }
  // What is counted of so many of them.
  std::vector<std::pair<std::uint32_t, std::uint64_t>> rows(std::uint64_t of) const {
    const std::uint64_t others = is_mostly_one ? (of + 4) / 5 : of;
    std::vector<std::pair<std::uint32_t, std::uint64_t>> made;
    for (std::uint32_t number = 0; number < distinct; ++number)
      made.emplace_back(key(number), others / distinct + (number < others % distinct ? 1 : 0));
    made[0].second += of - others;
    std::sort(made.begin(), made.end());
    return made;
  }
};

template <class Keys, class Values>
void check_rows(
    Keys const& keys, Values const& values,
    std::vector<std::pair<std::uint32_t, std::uint64_t>> const& expected) {
  std::vector<std::uint32_t> unique;
  std::vector<std::uint64_t> folded;
  for (auto const& row : expected) {
    unique.push_back(row.first);
    folded.push_back(row.second);
  }
  BOOST_TEST(test::difference(test::contents(keys), unique) == "");
  BOOST_TEST(test::difference(test::contents(values), folded) == "");
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

// In a table of each block, and in buckets, batch by batch. To sort all these keys would take tens
// of GB.
BOOST_AUTO_TEST_CASE(
    rows_of_more_than_32_bits_keys_are_counted,
    *boost::unit_test::precondition(has_room_for_rows)) {
  thrust::device_vector<std::uint32_t> unique;
  thrust::device_vector<std::uint64_t> counts;
  for (thrust_hist::route forced : {thrust_hist::route::automatic, thrust_hist::route::hashed})
    for (std::uint32_t distinct : {1, 5000, 60000})
      BOOST_TEST_CONTEXT("route " << forced << ", " << distinct << " distinct keys") {
        const key_at keys = {distinct, false};
        const auto first =
            thrust::make_transform_iterator(thrust::make_counting_iterator(std::int64_t{0}), keys);
        thrust_hist::sparse_histogram(
            thrust::cuda::par, first, first + static_cast<std::ptrdiff_t>(n), unique, counts,
            thrust_hist::options{}.force(forced));
        check_rows(unique, counts, keys.rows(n));
      }
}

BOOST_AUTO_TEST_CASE(
    one_key_of_a_sparse_histogram_may_occur_more_often_than_32_bits_tell,
    *boost::unit_test::precondition(has_room_for_rows)) {
  thrust::device_vector<std::uint32_t> unique;
  thrust::device_vector<std::uint64_t> counts;
  const auto constant = thrust::make_constant_iterator(std::uint32_t{77});
  thrust_hist::sparse_histogram(
      thrust::cuda::par, constant, constant + static_cast<std::ptrdiff_t>(n), unique, counts);
  check_rows(unique, counts, {{77, n}});
  // Counted before the rest is thrown into buckets.
  constexpr std::uint64_t more = (std::uint64_t{3} << 31) + 12345;
  const key_at keys = {60000, true};
  const auto first =
      thrust::make_transform_iterator(thrust::make_counting_iterator(std::int64_t{0}), keys);
  const auto expected = keys.rows(more);
  BOOST_REQUIRE(std::any_of(expected.begin(), expected.end(), [](auto const& row) {
    return row.second > std::uint64_t{1} << 32;
  }));
  thrust_hist::sparse_histogram(
      thrust::cuda::par, first, first + static_cast<std::ptrdiff_t>(more), unique, counts);
  check_rows(unique, counts, expected);
}

// The sum of each key is that of its values, which are all 3.
BOOST_AUTO_TEST_CASE(
    more_than_32_bits_values_are_folded, *boost::unit_test::precondition(has_room_for_rows)) {
  thrust::device_vector<std::uint32_t> unique;
  thrust::device_vector<std::uint64_t> sums;
  const auto values = thrust::make_constant_iterator(std::uint64_t{3});
  for (std::uint32_t distinct : {1, 3000, 60000})
    BOOST_TEST_CONTEXT(distinct << " distinct keys") {
      const key_at keys = {distinct, false};
      const auto first =
          thrust::make_transform_iterator(thrust::make_counting_iterator(std::int64_t{0}), keys);
      thrust_hist::sparse_histogram_by_key(
          thrust::cuda::par, first, first + static_cast<std::ptrdiff_t>(n), values, unique, sums);
      auto expected = keys.rows(n);
      for (auto& row : expected)
        row.second *= 3;
      check_rows(unique, sums, expected);
    }
}

BOOST_AUTO_TEST_SUITE_END()
