// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Keys whose number of bins is discovered: on CUDA they are counted while the largest is looked
// for, and once more if some key had no room.

#include "../support/checks.h"
#include "../support/containers.h"
#include "../support/discovered.h"
#include "../support/pretended_gpu.h"
#include <thrust_hist/histogram.h>

#include <thrust/host_vector.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/discard_iterator.h>
#include <thrust/iterator/transform_iterator.h>

#include <limits>
#include <thread>
#include <type_traits>

namespace discovered_setup {

using test::bins_of;
using test::keys_below;
using thrust_hist::options;
using thrust_hist::route;

// Into a container.
template <class Key>
std::vector<unsigned> counted(std::vector<Key> const& keys, options const& o = {}) {
  test::cuda_buffer<Key> in(keys.data(), keys.size());
  test::vector_of<test::cuda, unsigned> out(3, 77u);
  thrust_hist::histogram(thrust::cuda::par, in.data(), in.data() + keys.size(), out, o);
  return test::contents(out);
}

// Into an array of so many sevens, from its second element on.
template <class Key, class Counter = unsigned>
std::vector<Counter> counted_in_place(
    std::vector<Key> const& keys, std::size_t size, options const& o = {}) {
  test::cuda_buffer<Key> in(keys.data(), keys.size());
  test::vector_of<test::cuda, Counter> out(size, Counter(7));
  const auto end = thrust_hist::histogram(
      thrust::cuda::par_nosync, in.data(), in.data() + keys.size(), out.begin() + 1, o);
  if (o.explain_ == nullptr)
    BOOST_TEST(static_cast<std::size_t>(end - out.begin() - 1) == bins_of(keys).size());
  return test::contents(out);
}

// The same as it has to be.
template <class Counter>
std::vector<Counter> in_place(
    std::vector<std::uint64_t> const& bins, std::size_t size, Counter old = Counter(0)) {
  std::vector<Counter> out(size, Counter(7));
  for (std::size_t i = 0; i < bins.size(); ++i)
    out[i + 1] = static_cast<Counter>(old + static_cast<Counter>(bins[i]));
  return out;
}

template <class Key>
void check(std::vector<Key> const& keys) {
  const auto bins = bins_of(keys);
  const bool is_right = counted(keys) == test::convert<unsigned>(bins);
  BOOST_TEST(is_right);
  const std::size_t size = bins.size() + 4;
  const bool is_right_in_place = counted_in_place(keys, size) == in_place<unsigned>(bins, size);
  BOOST_TEST(is_right_in_place);
}

// How the keys were counted that need so many bins.
std::string reason(std::vector<unsigned> const& keys) {
  thrust_hist::plan plan;
  const std::vector<unsigned> before(3, 77u);
  BOOST_TEST(counted(keys, options{}.explain(&plan)) == before, boost::test_tools::per_element());
  return plan.why;
}
const std::string at_once = "counted while the largest key was looked for";

// As many bins as there is room for while so many keys are counted.
std::uint64_t room(std::uint64_t keys) {
  std::uint64_t low = 1, high = std::uint64_t{1} << 17;
  while (high - low > 1) {
    const std::uint64_t middle = (low + high) / 2;
    std::vector<unsigned> one(keys, 0);
    one.back() = static_cast<unsigned>(middle - 1);
    (reason(one) == at_once ? low : high) = middle;
  }
  return low;
}

struct twice {
  __host__ __device__ int operator()(int x) const { return 2 * x; }
};

}  // namespace discovered_setup

BOOST_AUTO_TEST_SUITE(discovered, THRUST_HIST_TEST_SMALL)
using namespace discovered_setup;

using key_types = std::tuple<
    std::int8_t, std::uint8_t, std::int16_t, std::uint16_t, std::int32_t, std::uint32_t,
    std::int64_t, std::uint64_t>;

using some_key_types = std::tuple<std::uint16_t, std::int32_t, std::uint64_t>;

BOOST_AUTO_TEST_CASE_TEMPLATE(keys_of_any_type_are_counted, Key, key_types) {
  constexpr auto largest = static_cast<std::uint64_t>(std::numeric_limits<Key>::max());
  for (std::size_t n : {1, 2, 33, 4097, 70001, 1 << 21})
    for (std::uint64_t bound : {1, 2, 100, 4095, 4096, 4097, 58000, 70000, 300000})
      if (bound - 1 <= largest)
        BOOST_TEST_CONTEXT(n << " keys below " << bound)
  check(keys_below<Key>(n, bound, std::is_signed_v<Key>));
  if (largest < 70000) {
    check(keys_below<Key>(70001, largest + 1, std::is_signed_v<Key>));
    check(std::vector<Key>(70001, static_cast<Key>(largest)));
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(one_large_key_is_found_wherever_it_is, Key, some_key_types) {
  for (std::size_t n : {1000, 70001, 1 << 21})
    for (std::uint64_t large : {4095, 4096, 40000, 58046, 58047, 65535})
      for (std::size_t place : {std::size_t{0}, n / 2 + 1, n - 1})
        BOOST_TEST_CONTEXT("key " << large << " at " << place << " of " << n) {
          auto keys = keys_below<Key>(n, 50, std::is_signed_v<Key>);
          keys[place] = static_cast<Key>(large);
          check(keys);
        }
}

BOOST_AUTO_TEST_CASE(keys_that_begin_anywhere_are_counted) {
  const auto keys = keys_below<std::int16_t>(5000, 300, true);
  test::cuda_buffer<std::int16_t> in(keys.data(), keys.size());
  for (std::size_t first = 0; first < 9; ++first) {
    test::vector_of<test::cuda, unsigned> out;
    thrust_hist::histogram(thrust::cuda::par, in.data() + first, in.data() + keys.size(), out);
    const std::vector<std::int16_t> part(
        keys.begin() + static_cast<std::ptrdiff_t>(first), keys.end());
    BOOST_TEST(
        test::contents(out) == test::convert<unsigned>(bins_of(part)),
        boost::test_tools::per_element());
  }
}

BOOST_AUTO_TEST_CASE(the_room_of_a_table_is_used_up) {
  for (std::uint64_t n : {1000, 5000, 1 << 17}) {
    const std::uint64_t most = room(n);
    BOOST_TEST_CONTEXT(n << " keys, room for " << most) {
      BOOST_TEST(most >= 4096U);
      for (std::uint64_t bins : {most - 1, most, most + 1}) {
        auto keys = keys_below<unsigned>(n, bins);
        keys[n / 3] = static_cast<unsigned>(bins - 1);
        BOOST_TEST((reason(keys) == at_once) == (bins <= most));
        check(keys);
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(gpus_with_less_shared_memory_have_less_room) {
  for (std::size_t kibibytes : {20, 48, 99, 163}) {
    const test::pretended_gpu gpu(test::with_shared_memory(kibibytes * 1024));
    const std::size_t bytes = thrust_hist::detail::cuda::current_facts().shared_bytes_block;
    BOOST_TEST(room(1 << 17) == bytes / 16 * 4 - 65);
    for (std::uint64_t bound : {4000, 12222, 12223, 12224, 50000})
      check(keys_below<std::int32_t>(70001, bound, true));
  }
}

BOOST_AUTO_TEST_CASE(keys_behind_iterators_are_counted) {
  test::vector_of<test::cuda, unsigned> out;
  const auto first = thrust::make_transform_iterator(thrust::counting_iterator<int>(-5), twice{});
  thrust_hist::histogram(thrust::cuda::par, first, first + 100, out);
  std::vector<unsigned> expected(189);
  for (std::size_t i = 0; i < expected.size(); i += 2)
    expected[i] = 1;
  BOOST_TEST(test::contents(out) == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(too_many_bins_are_refused_and_the_next_call_is_right) {
  for (unsigned largest : {3000u, 60000u, 200000u}) {
    auto keys = keys_below<unsigned>(5000, 100);
    keys[17] = largest;
    BOOST_CHECK_THROW(counted(keys, options{}.max_bins(largest)), std::length_error);
    BOOST_TEST(counted(keys, options{}.max_bins(largest + 1)).size() == largest + 1);
    const std::vector<unsigned> sevens(largest + 3, 7u);
    options few = options{}.max_bins(largest);
    test::cuda_buffer<unsigned> in(keys.data(), keys.size());
    test::vector_of<test::cuda, unsigned> out(sevens.begin(), sevens.end());
    BOOST_CHECK_THROW(
        thrust_hist::histogram(
            thrust::cuda::par, in.data(), in.data() + keys.size(), out.begin(), few),
        std::length_error);
    const bool is_untouched = test::contents(out) == sevens;
    BOOST_TEST(is_untouched);
    check(keys_below<unsigned>(5000, 100));
  }
}

BOOST_AUTO_TEST_CASE(arrays_are_added_to_once_and_get_other_counters) {
  const std::uint64_t most = room(70001);
  for (unsigned largest : {100u, 50000u, 200000u}) {
    auto keys = keys_below<unsigned>(70001, 90);
    keys[5] = largest;
    const auto bins = bins_of(keys);
    const std::size_t size = bins.size() + 3;
    const bool is_added =
        counted_in_place(keys, size, options{}.accumulate()) == in_place<unsigned>(bins, size, 7u);
    BOOST_TEST(is_added);
    const bool is_wrapped =
        counted_in_place<unsigned, std::uint8_t>(keys, size) == in_place<std::uint8_t>(bins, size);
    BOOST_TEST(is_wrapped);
    const bool is_rounded =
        counted_in_place<unsigned, float>(keys, size) == in_place<float>(bins, size);
    BOOST_TEST(is_rounded);
    thrust_hist::plan plan;
    const bool is_untouched =
        counted_in_place(keys, size, options{}.explain(&plan)) == std::vector<unsigned>(size, 7u);
    BOOST_TEST(is_untouched);
    BOOST_TEST((plan.why == at_once) == (largest < most));
    test::cuda_buffer<unsigned> in(keys.data(), keys.size());
    BOOST_CHECK_THROW(
        thrust_hist::histogram(
            thrust::cuda::par, in.data(), in.data() + keys.size(), thrust::make_discard_iterator(),
            options{}.accumulate()),
        std::invalid_argument);
    const auto end = thrust_hist::histogram(
        thrust::cuda::par, in.data(), in.data() + keys.size(), thrust::make_discard_iterator());
    BOOST_TEST((end - thrust::make_discard_iterator()) == static_cast<std::ptrdiff_t>(bins.size()));
  }
}

BOOST_AUTO_TEST_CASE(plans_name_the_route) {
  thrust_hist::plan plan;
  counted(keys_below<std::uint8_t>(1000, 200), options{}.explain(&plan));
  BOOST_TEST(plan.taken == route::shared_lanes);
  BOOST_TEST(plan.why == at_once);
  counted(keys_below<std::uint16_t>(1000, 200), options{}.explain(&plan));
  BOOST_TEST(plan.taken == route::shared);
  BOOST_TEST(plan.scratch_bytes == 0U);
}

BOOST_AUTO_TEST_CASE(a_container_that_cannot_grow_leaves_the_next_call_right) {
  const auto keys = keys_below<unsigned>(5000, 100);
  test::cuda_buffer<unsigned> in(keys.data(), keys.size());
  struct full {
    std::size_t size() const { return 0; }
    unsigned* begin() { return nullptr; }
    void resize(std::size_t n) {
      if (n > 0)
        throw std::bad_alloc();
    }
  } none;
  BOOST_CHECK_THROW(
      thrust_hist::histogram(thrust::cuda::par, in.data(), in.data() + keys.size(), none),
      std::bad_alloc);
  check(keys);
}

BOOST_AUTO_TEST_CASE(counts_are_added_converted_and_brought_to_the_host) {
  const auto keys = keys_below<int>(70001, 40, true);
  const auto bins = bins_of(keys);
  test::cuda_buffer<int> in(keys.data(), keys.size());
  int const *const first = in.data(), *const last = first + keys.size();
  const auto policy = thrust::cuda::par;

  test::vector_of<test::cuda, unsigned> sums(50, 10u);
  thrust_hist::histogram(policy, first, last, sums, options{}.accumulate());
  std::vector<unsigned> expected(50, 10u);
  for (std::size_t i = 0; i < bins.size(); ++i)
    expected[i] += static_cast<unsigned>(bins[i]);
  BOOST_TEST(test::contents(sums) == expected, boost::test_tools::per_element());

  test::vector_of<test::cuda, std::uint8_t> wrapped;
  thrust_hist::histogram(policy, first, last, wrapped);
  BOOST_TEST(
      test::contents(wrapped) == test::convert<std::uint8_t>(bins),
      boost::test_tools::per_element());

  test::vector_of<test::cuda, float> rounded;
  thrust_hist::histogram(policy, first, last, rounded);
  BOOST_TEST(
      test::contents(rounded) == test::convert<float>(bins), boost::test_tools::per_element());

  thrust::host_vector<std::uint64_t> row(bins.size() + 1, 7);
  const auto begin = row.begin() + 1;
  const auto end = thrust_hist::histogram(policy, first, last, begin);
  BOOST_TEST((end == row.end()));
  BOOST_TEST(row[0] == 7U);
  BOOST_TEST(std::vector<std::uint64_t>(begin, end) == bins, boost::test_tools::per_element());

  thrust::host_vector<std::uint64_t> there(7);
  thrust_hist::histogram(policy, first, last, there);
  BOOST_TEST(
      std::vector<std::uint64_t>(there.begin(), there.end()) == bins,
      boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(calls_on_several_streams_have_memory_of_their_own) {
  const auto keys = keys_below<unsigned>(1 << 20, 3000);
  const auto expected = test::convert<unsigned>(bins_of(keys));
  test::cuda_buffer<unsigned> in(keys.data(), keys.size());
  std::vector<std::thread> threads;
  std::vector<std::vector<unsigned>> results(4);
  for (auto& result : results)
    threads.emplace_back([&] {
      cudaStream_t stream{};
      test::check_cuda(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "a stream");
      for (int i = 0; i < 20; ++i) {
        test::vector_of<test::cuda, unsigned> out(3000);
        test::check_cuda(cudaDeviceSynchronize(), "what the vector launched");
        thrust_hist::histogram(
            thrust::cuda::par_nosync.on(stream), in.data(), in.data() + keys.size(), out.begin());
        if (i == 0 || test::contents(out) != expected)
          result = test::contents(out);
      }
      test::check_cuda(cudaStreamDestroy(stream), "the end of a stream");
    });
  for (auto& thread : threads)
    thread.join();
  for (auto const& result : results)
    BOOST_TEST(result == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_SUITE_END()
