// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// transform_histogram on CUDA: any number of pairs of a sample, sinks by value and by reference,
// rules, several statistics of an image in one pass.

#include "fold_cases.h"
#include <thrust_hist/transform_histogram.h>

#include <thrust/iterator/counting_iterator.h>

namespace folds_emitted_setup {

using test::distribution;
using thrust_hist::options;
using thrust_hist::route;

// `count` pairs of each sample, some of them without a bin.
struct some_pairs {
  int count;
  template <class Sink>
  __host__ __device__ void operator()(std::uint32_t x, Sink const& sink) const {
    for (int i = 0; i < count; ++i)
      sink(
          static_cast<int>((x + static_cast<std::uint32_t>(i) * 37u) % 310u) - 3,
          static_cast<float>(i % 5 - 2));
  }
};
struct by_value {
  template <class Sink>
  __host__ __device__ void operator()(std::uint32_t x, Sink sink) const {
    if (x % 3 != 0)
      sink(x % 300);
  }
};
// Every other sample goes to one bin, the others all over.
struct half_in_one {
  template <class Sink>
  __host__ __device__ void operator()(std::uint32_t x, Sink const& sink) const {
    sink(x % 2 == 0 ? 5 : static_cast<int>(x % 70100), static_cast<float>(x % 5) - 2);
  }
};
struct channels {
  template <class Sink>
  __host__ __device__ void operator()(std::uint32_t pixel, Sink const& sink) const {
    for (unsigned c = 0; c < 4; ++c)
      sink(c * 256 + (pixel >> (8 * c) & 255));
  }
};

template <class A, class X, class Bins, class Emit, class... Op>
int check_emit(test::samples<X> const& samples, Bins bins, Emit emit, options how = {}, Op... op) {
  const auto size = static_cast<std::size_t>(thrust_hist::detail::to_rule(bins).size());
  test::folded<A> expected = {std::vector<A>(size), test::old_output<A>(size), 0};
  how.dropped(&expected.dropped);
  thrust_hist::transform_histogram(
      thrust::seq, samples.begin(), samples.end(), expected.plain.data(), bins, emit, op..., how);
  thrust_hist::transform_histogram(
      thrust::seq, samples.begin(), samples.end(), expected.added.data(), bins, emit, op...,
      options{how}.accumulate());
  auto in = test::buffer_of<test::cuda>(samples);
  X const* const first = in.data();
  return test::check_fold_routes<A>(expected, how, [&](A* out, options const& o) {
    return thrust_hist::transform_histogram(
        test::cuda::policy(), first, first + samples.size(), out, bins, emit, op..., o);
  });
}

test::samples<std::uint32_t> words(std::size_t n) {
  return test::samples<std::uint32_t>(n, [](std::size_t i) { return test::scrambled(i); });
}

}  // namespace folds_emitted_setup

BOOST_AUTO_TEST_SUITE(folds_emitted, THRUST_HIST_TEST_SMALL)
using namespace folds_emitted_setup;

BOOST_AUTO_TEST_CASE(none_one_three_and_forty_pairs_of_a_sample) {
  for (int count : {0, 1, 3, 40})
    for (std::size_t n : {0, 1, 33, 30011})
      for (bool exact : {false, true})
        BOOST_TEST_CONTEXT(count << " pairs, n = " << n << ", exact " << exact)
  BOOST_TEST(check_emit<float>(words(n), 300, some_pairs{count}, options{}.exact(exact)) >= 2);
}

BOOST_AUTO_TEST_CASE(a_sink_by_value_counts_ones) {
  for (std::size_t n : {1, 30011})
    BOOST_TEST(check_emit<std::uint32_t>(words(n), 300, by_value{}) >= 2);
}

BOOST_AUTO_TEST_CASE(four_channels_of_an_image_in_one_pass) {
  BOOST_TEST(check_emit<std::uint32_t>(words(64 * 1001), 1024, channels{}) >= 2);
  const test::samples<std::uint32_t> blank(64 * 1001, [](std::size_t) { return 0xff0000ffu; });
  BOOST_TEST(check_emit<std::uint32_t>(blank, 1024, channels{}) >= 2);
}

BOOST_AUTO_TEST_CASE(more_bins_than_shared_memory_holds_one_of_them_frequent) {
  for (bool exact : {false, true})
    BOOST_TEST(check_emit<float>(words(40009), 70001, half_in_one{}, options{}.exact(exact)) >= 2);
}

BOOST_AUTO_TEST_CASE(a_lambda_that_only_a_gpu_can_run) {
  constexpr std::size_t n = 30011;
  test::output<test::cuda, std::int64_t> out(300);
  const auto first = thrust::make_counting_iterator(std::uint32_t{0});
  thrust_hist::transform_histogram(
      test::cuda::policy(), first, first + n, out.data(), 300,
      [] __device__(std::uint32_t x, auto const& sink) {
        sink(x % 300, static_cast<std::int64_t>(x));
        sink(static_cast<std::int64_t>(x) - 300000, std::int64_t{1});
      });
  std::vector<std::int64_t> expected(300);
  for (std::size_t i = 0; i < n; ++i)
    expected[i % 300] += static_cast<std::int64_t>(i);
  out.check_equals(expected);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(folds_emitted_large, THRUST_HIST_TEST_LARGE)
using namespace folds_emitted_setup;

BOOST_AUTO_TEST_CASE(pixels_and_pairs_in_millions) {
  BOOST_TEST(check_emit<std::uint32_t>(words(3000017), 1024, channels{}) >= 2);
  BOOST_TEST(check_emit<float>(words(1500007), 300, some_pairs{3}, options{}.exact()) >= 2);
}

BOOST_AUTO_TEST_SUITE_END()
