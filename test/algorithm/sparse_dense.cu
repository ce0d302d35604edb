// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Keys whose codes are few, or lie near each other, have a counter each: wherever they lie, as many
// as a few blocks have room for, and where some lie elsewhere after all.

#include "../support/containers.h"
#include "../support/neighbours.h"
#include "../support/pretended_gpu.h"
#include "../support/sparse.h"
#include <thrust_hist/sparse_histogram.h>
#include <thrust_hist/system/cuda/sparse_dense.cuh>

#include <thrust/iterator/constant_iterator.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <vector>

namespace sparse_dense_setup {

using System = test::main_system;
using test::mixed;
using test::neighbours;
using thrust_hist::options;
using thrust_hist::route;
using thrust_hist::sparse_histogram;
namespace on_cuda = thrust_hist::detail::cuda;

constexpr std::size_t many = (std::size_t{1} << 20) + 5;
// For a sample without being forced.
template <class Key>
constexpr std::size_t enough = on_cuda::drawn_worth_a_look(sizeof(Key)) + 5;

// Whether a call would count keys by their places, and whether all have one.
template <class Key>
bool are_counted(test::samples<Key> const& keys) {
  const auto kind =
      on_cuda::widen(thrust_hist::detail::keys_by<Key>(thrust_hist::detail::no_key_operators{}));
  using kind_type = std::remove_const_t<decltype(kind)>;
  auto policy = System::policy();
  on_cuda::call_memory<decltype(policy)> memory(policy);
  auto there = test::buffer_of<System>(keys);
  Key const* const first = there.data();
  on_cuda::key_facts<decltype(policy), Key const*, kind_type> facts(
      memory, first, keys.size(), kind);
  on_cuda::sparse_problem problem = {};
  problem.inputs = problem.most_keys = keys.size();
  problem.code_bytes = sizeof(typename kind_type::code);
  problem.is_number = problem.has_ranges = problem.has_places = true;
  const std::uint64_t guess =
      facts.guess(on_cuda::most_worth_guessing(problem), on_cuda::asked_of_range::all);
  on_cuda::tell_sample(problem, facts.seen());
  const auto plan = on_cuda::plan_sparse(problem, guess, on_cuda::current_facts(), {});
  on_cuda::dense_counts<decltype(policy), Key const*, kind_type> places(facts);
  return plan.taken == route::shared && places.run(plan);
}

template <class Key>
void check(test::samples<Key> const& keys) {
  test::check_sparse_counts<System>(keys, test::count_sorted<int>(keys));
}

// How many codes so many blocks have counters for, as a power of two.
inline std::uint64_t room(unsigned parts_log2) {
  return on_cuda::dense_room(parts_log2, on_cuda::current_facts());
}

template <class Key>
void check_ranges() {
  using limits = std::numeric_limits<Key>;
  const std::uint64_t one = room(0), two = room(1);
  for (std::uint64_t wide :
       {std::uint64_t{1}, std::uint64_t{2}, std::uint64_t{1000}, one - 1, one, one + 1,
        two - 500}) {
    const auto last = static_cast<Key>(wide - 1);
    for (Key first :
         {Key{0}, limits::min(), static_cast<Key>(limits::max() - last), static_cast<Key>(0 - last),
          static_cast<Key>(limits::max() / 3)})
      BOOST_TEST_CONTEXT(wide << " keys from " << first << " on") {
        const auto keys = neighbours<Key>(many, first, wide);
        check(keys);
        // The sample knows that they lie side by side, unless they lie around the end of all codes.
        if (first <= static_cast<Key>(first + last))
          BOOST_TEST(are_counted(keys));
      }
  }
}

struct number_of_key {
  __host__ __device__ std::uint32_t operator()(std::uint64_t i) const {
    return static_cast<std::uint32_t>(i >> 31);
  }
};

}  // namespace sparse_dense_setup

BOOST_AUTO_TEST_SUITE(sparse_dense, THRUST_HIST_TEST_LARGE)
using namespace sparse_dense_setup;

BOOST_AUTO_TEST_CASE(every_value_of_one_and_two_bytes) {
  for (std::size_t n : {1, 2, 255, 256, 257, 5000, 1 << 18, 1 << 20}) {
    check(test::samples<std::uint8_t>(n, [](std::size_t i) { return std::uint8_t(i * 7); }));
    check(test::samples<std::int8_t>(n, [](std::size_t i) { return std::int8_t(i * 3); }));
    check(test::samples<std::uint16_t>(n, [](std::size_t i) { return std::uint16_t(i * 3); }));
    check(test::samples<std::int16_t>(n, [](std::size_t i) { return std::int16_t(i * 5 - 9); }));
  }
}
BOOST_AUTO_TEST_CASE(ranges_of_keys_of_4_bytes) {
  check_ranges<std::uint32_t>();
  check_ranges<std::int32_t>();
}
BOOST_AUTO_TEST_CASE(ranges_of_keys_of_8_bytes) {
  check_ranges<std::uint64_t>();
  check_ranges<std::int64_t>();
}
BOOST_AUTO_TEST_CASE(counters_shared_out_among_blocks) {
  const std::uint64_t two = room(1), four = room(2);
  for (std::uint64_t wide : {two - 500, two - 1, two, four - 1000, four, four + 60}) {
    check(neighbours<std::uint32_t>(many, 1000000, wide));
    check(neighbours<std::int64_t>(many, -1000, wide));
  }
  BOOST_TEST(are_counted(neighbours<std::uint32_t>(many, 1000000, four - 2000)));
  BOOST_TEST(!are_counted(neighbours<std::uint32_t>(many, 1000000, four + 2000)));
  BOOST_TEST(are_counted(neighbours<std::int64_t>(many, -1000, two - 1000)));
  BOOST_TEST(!are_counted(neighbours<std::int64_t>(many, -1000, two + 1000)));
}

// Where nobody has looked: all is counted anew by another route.
BOOST_AUTO_TEST_CASE(a_key_far_away) {
  for (std::size_t at :
       {std::size_t{0}, std::size_t{1}, enough<std::int64_t> / 3, enough<std::int64_t> - 1})
    for (std::int64_t key : {std::int64_t{-1}, std::int64_t{1} << 40, std::int64_t{40000}}) {
      check(test::samples<std::int64_t>(enough<std::int64_t>, [=](std::size_t i) {
        return i == at ? key : static_cast<std::int64_t>(mixed(i) % 1000);
      }));
    }
}
BOOST_AUTO_TEST_CASE(keys_that_do_not_lie_side_by_side_are_sorted_after_all) {
  const auto keys = neighbours<std::uint64_t>(5000, 0, std::uint64_t{1} << 50);
  check(keys);
}
BOOST_AUTO_TEST_CASE(containers_get_as_many_rows_as_there_are) {
  const auto keys = neighbours<int>(enough<int>, -300, 777);
  const auto expected = test::count_sorted<int>(keys);
  const test::vector_of<System, int> in(keys.begin(), keys.end());
  test::vector_of<System, int> unique(2, 7), counted(3, 8);
  sparse_histogram(System::policy(), in.begin(), in.end(), unique, counted);
  BOOST_TEST((std::vector<int>(unique.begin(), unique.end()) == expected.keys));
  BOOST_TEST((std::vector<int>(counted.begin(), counted.end()) == expected.values));
  BOOST_CHECK_THROW(
      sparse_histogram(
          System::policy(), in.begin(), in.end(), unique, counted, options{}.max_bins(776)),
      std::length_error);
  BOOST_TEST(unique.size() == 777U);
}
BOOST_AUTO_TEST_CASE(little_shared_memory) {
  for (std::size_t bytes : {std::size_t{48} << 10, std::size_t{100} << 10}) {
    auto facts = on_cuda::current_facts();
    facts.shared_bytes_block = bytes;
    const test::pretended_gpu gpu(facts);
    check(neighbours<std::uint32_t>(enough<int>, 12345, 12286));
    check(neighbours<std::uint32_t>(enough<int>, 12345, 30000));
    check(neighbours<std::uint16_t>(enough<std::int64_t>, 0, 65536));
  }
}
BOOST_AUTO_TEST_CASE(counters_of_64_bits) {
  constexpr std::size_t n = (std::size_t{1} << 32) + 7;
  thrust::device_vector<std::uint32_t> unique(8);
  thrust::device_vector<std::uint64_t> counted(8);
  const auto numbers =
      thrust::make_transform_iterator(thrust::counting_iterator<std::uint64_t>(0), number_of_key{});
  const auto ends = sparse_histogram(
      System::policy(), numbers, numbers + n, unique.data().get(), counted.data().get(),
      options{}.max_bins(8));
  BOOST_TEST((ends.first - unique.data().get()) == 3);
  for (std::size_t i = 0; i < 3; ++i) {
    BOOST_TEST(static_cast<std::uint32_t>(unique[i]) == i);
    const std::uint64_t expected = i < 2 ? std::uint64_t{1} << 31 : 7;
    BOOST_TEST(static_cast<std::uint64_t>(counted[i]) == expected);
  }
  const thrust::constant_iterator<std::uint8_t> sevens(7);
  const auto end =
      sparse_histogram(System::policy(), sevens, sevens + n, unique.begin(), counted.begin());
  BOOST_TEST((end.first - unique.begin()) == 1);
  BOOST_TEST(static_cast<std::uint32_t>(unique[0]) == 7U);
  BOOST_TEST(static_cast<std::uint64_t>(counted[0]) == std::uint64_t{n});
}

// A block sees no more than its counters can tell.
BOOST_AUTO_TEST_CASE(more_keys_than_a_block_may_see) {
  const test::pretended_gpu gpu(test::with_processors(1));
  constexpr std::size_t n = (std::size_t{1} << 33) + 9;
  thrust::device_vector<std::uint8_t> unique(1);
  thrust::device_vector<std::uint64_t> counted(1);
  const thrust::constant_iterator<std::uint8_t> sevens(7);
  sparse_histogram(
      System::policy(), sevens, sevens + n, unique.begin(), counted.begin(), options{}.max_bins(1));
  BOOST_TEST(static_cast<std::uint64_t>(counted[0]) == std::uint64_t{n});
}

BOOST_AUTO_TEST_SUITE_END()
