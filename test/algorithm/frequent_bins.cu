// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Route partitioned of many samples: a look at some of them decides between buckets and additions
// to global memory.

#include "../support/checks.h"
#include <thrust_hist/histogram.h>
#include <thrust_hist/histogram_even.h>
#include <thrust_hist/system/cuda/kernels/look_at_rows.cuh>

#include <thrust/device_vector.h>
#include <thrust/equal.h>
#include <thrust/execution_policy.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/tabulate.h>

#include <cstddef>
#include <cstdint>
#include <string>

namespace frequent_bins_setup {

using thrust_hist::options;
using thrust_hist::route;
namespace detail = thrust_hist::detail;
namespace cuda = thrust_hist::detail::cuda;

__host__ __device__ inline std::uint64_t mixed(std::uint64_t x) {
  x = (x ^ (x >> 31)) * 0x9e3779b97f4a7c15u;
  return x ^ (x >> 29);
}

// Of `percent` of the samples the bin is one of so many far from each other, of the others any.
struct crowded {
  std::uint64_t bins;
  std::uint32_t hot;
  std::uint32_t percent;
  __host__ __device__ std::uint64_t operator()(std::uint64_t i) const {
    std::uint64_t const any = mixed(i + 1);
    return any % 100 < percent ? mixed(any / 100 % hot + 77) % bins : any / 100 % bins;
  }
};
struct in_order {
  std::uint64_t samples;
  std::uint64_t bins;
  __host__ __device__ std::uint64_t operator()(std::uint64_t i) const {
    return i * bins / samples;
  }
};
// Runs of equal samples, each of any bin.
struct in_runs {
  std::uint64_t bins;
  std::uint64_t length;
  __host__ __device__ std::uint64_t operator()(std::uint64_t i) const {
    return mixed(i / length + 1) % bins;
  }
};

template <class T, class BinOf>
thrust::device_vector<T> samples_of(std::size_t n, BinOf bin_of) {
  thrust::device_vector<T> samples(n);
  thrust::tabulate(
      thrust::device, samples.begin(), samples.end(),
      [=] __device__(std::size_t i) { return static_cast<T>(bin_of(i)); });
  return samples;
}

// What a look finds, with so many rare samples of 32 allowed.
template <class BinOf>
bool prefers_additions(std::size_t n, std::uint32_t bins, float most_rare, BinOf bin_of) {
  const auto samples = samples_of<std::uint32_t>(n, bin_of);
  using given = cuda::iterator_samples<std::uint32_t const*, std::uint32_t>;
  using rule = detail::identity_for<std::int64_t>;
  thrust::device_vector<std::uint32_t> answer(1, 2);
  cuda::launch(
      "look_at_rows", cuda::look_at_rows<given, rule>, 1, 32 * cuda::look_at_bins::pairs, 0,
      nullptr, given(samples.data().get(), n), rule{bins}, bins, 16384, 8192,
      cuda::look_at_bins{true, most_rare}, answer.data().get());
  const std::uint32_t said = answer[0];
  BOOST_TEST(said < 2);
  return said != 0;
}

struct same {
  __host__ __device__ std::uint32_t operator()(std::uint32_t x) const { return x; }
};

// The same by the plan, which looks at so many, and by force; counters of another width, too.
template <class Counter, class T, class BinOf>
void check_call(std::size_t n, std::uint64_t bins, BinOf bin_of, options const& how = {}) {
  const auto samples = samples_of<T>(n, bin_of);
  thrust::device_vector<Counter> counts(bins, 3), expected(bins, 3);
  const auto call = [&](auto& out, options const& o) {
    if constexpr (std::is_integral_v<T>)
      thrust_hist::histogram(
          thrust::device, samples.begin(), samples.end(), out.begin(), bins, o);
    else
      thrust_hist::histogram_even(
          thrust::device, samples.begin(), samples.end(), out.begin(), bins, 0, bins, o);
  };
  call(counts, how);
  call(expected, options{how}.force(route::global).max_temporary_bytes(~std::size_t{0}));
  BOOST_TEST(thrust::equal(thrust::device, counts.begin(), counts.end(), expected.begin()));
}

}  // namespace frequent_bins_setup

BOOST_AUTO_TEST_SUITE(look_at_rows, THRUST_HIST_TEST_SMALL)
using namespace frequent_bins_setup;

BOOST_AUTO_TEST_CASE(samples_of_few_bins_are_told_from_others) {
  constexpr std::size_t n = 1 << 20;
  constexpr std::uint32_t bins = 1 << 24;
  for (std::uint32_t hot : {2, 8, 64})
    BOOST_TEST_CONTEXT(hot << " bins") {
      BOOST_TEST(prefers_additions(n, bins, .01F, crowded{bins, hot, 100}));
      BOOST_TEST(prefers_additions(n, bins, 2.5F, crowded{bins, hot, 95}));  // 1.6 of 32 are rare
      BOOST_TEST(!prefers_additions(n, bins, .8F, crowded{bins, hot, 95}));
      BOOST_TEST(!prefers_additions(n, bins, 5, crowded{bins, hot, 70}));
    }
  BOOST_TEST(!prefers_additions(n, bins, 20, crowded{bins, 1, 0}));
  BOOST_TEST(!prefers_additions(n, bins, 20, in_runs{bins, 32}));
  BOOST_TEST(!prefers_additions(n, bins, 20, in_runs{bins, 1024}));
}

BOOST_AUTO_TEST_CASE(bins_near_each_other_are_left_to_tiles) {
  constexpr std::size_t n = 1 << 20;
  BOOST_TEST(!prefers_additions(n, 1 << 24, 32, crowded{1 << 24, 1, 100}));
  BOOST_TEST(!prefers_additions(n, 1 << 16, 32, in_order{n, 1 << 16}));
  BOOST_TEST(!prefers_additions(n, 1 << 13, 32, crowded{1 << 13, 1, 0}));
}

BOOST_AUTO_TEST_CASE(samples_without_a_bin_are_neither_frequent_nor_rare) {
  constexpr std::size_t n = 1 << 20;
  const auto half_rare = crowded{1 << 24, 4, 50};
  BOOST_TEST(!prefers_additions(n, 1 << 24, 5, half_rare));
  BOOST_TEST(prefers_additions(n, 1 << 24, .01F, [=] __device__(std::uint64_t i) {
    std::uint64_t const bin = half_rare(i);
    bool const is_rare = mixed(i + 1) % 100 >= 50;
    return is_rare ? (1 << 24) + bin : bin;
  }));
}

BOOST_AUTO_TEST_CASE(few_samples_are_no_trouble) {
  for (std::size_t n : {1, 2, 31, 32, 33, 8191, 8193, 16385})
    prefers_additions(n, 1 << 24, 5, crowded{1 << 24, 8, 90});
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(frequent_bins, THRUST_HIST_TEST_LARGE)
using namespace frequent_bins_setup;

// So many bins that five million samples are worth a look.
BOOST_AUTO_TEST_CASE(calls_count_right_whatever_the_look_finds) {
  constexpr std::size_t n = 5000011;
  constexpr std::uint64_t bins = (1 << 26) + 7;
  thrust_hist::plan plan;
  std::uint32_t const* const none = nullptr;
  unsigned* const nowhere = nullptr;
  thrust_hist::histogram(
      thrust::device, none, none + n, nowhere, bins, options{}.explain(&plan));
  BOOST_TEST((plan.taken == route::partitioned));
  const std::uint64_t beyond = bins + bins / 50;  // some have no bin
  for (std::uint32_t percent : {0, 50, 96, 100})
    BOOST_TEST_CONTEXT(percent << " % of eight bins") {
      const auto bin_of = crowded{beyond, 8, percent};
      check_call<unsigned, std::uint32_t>(n, bins, bin_of);
      check_call<unsigned, std::uint32_t>(n, bins, bin_of, options{}.accumulate());
      check_call<unsigned long long, std::uint64_t>(n, bins, bin_of);
      check_call<std::uint16_t, std::uint32_t>(n, bins, bin_of);  // by a table
      check_call<unsigned, std::uint32_t>(  // one batch after the other
          n * 4, bins, bin_of, options{}.max_temporary_bytes(std::size_t{40} << 20));
    }
  check_call<unsigned, std::uint32_t>(n, bins, in_order{n, bins});
  check_call<unsigned, float>(n, 1 << 24, crowded{1 << 24, 8, 96});
  check_call<unsigned, double>(n, bins, crowded{beyond, 8, 96});
}

BOOST_AUTO_TEST_CASE(so_it_is_behind_iterators_and_where_dropped_samples_are_counted) {
  constexpr std::size_t n = 5000011;
  constexpr std::uint64_t bins = 1 << 26;
  for (std::uint32_t percent : {0, 97}) {
    const auto samples = samples_of<std::uint32_t>(n, crowded{bins + bins / 7, 5, percent});
    thrust::device_vector<unsigned> counts(bins, 1), expected(bins, 2);
    std::uint64_t dropped = 0, expected_dropped = 1;
    const auto first = thrust::make_transform_iterator(samples.begin(), same{});
    thrust_hist::histogram(
        thrust::device, first, first + n, counts.begin(), bins, options{}.dropped(&dropped));
    thrust_hist::histogram(
        thrust::device, first, first + n, expected.begin(), bins,
        options{}.force(route::partitioned).dropped(&expected_dropped));
    BOOST_TEST(counts == expected);
    BOOST_TEST(dropped == expected_dropped);
  }
}

BOOST_AUTO_TEST_SUITE_END()
