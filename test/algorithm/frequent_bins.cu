// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Route partitioned of many samples: a look at some of them decides between buckets and additions
// to global memory.

#include "../support/checks.h"
#include "../support/pretended_gpu.h"
#include "../support/slow_work.cuh"
#include <thrust_hist/bins.h>
#include <thrust_hist/histogram.h>
#include <thrust_hist/histogram_even.h>
#include <thrust_hist/system/cuda/kernels/look_at_rows.cuh>
#include <thrust_hist/system/cuda/plan.h>

#include <thrust/copy.h>
#include <thrust/device_vector.h>
#include <thrust/equal.h>
#include <thrust/execution_policy.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/tabulate.h>

#include <cstddef>
#include <cstdint>
#include <new>
#include <type_traits>

namespace frequent_bins_setup {

using thrust_hist::options;
using thrust_hist::route;
namespace detail = thrust_hist::detail;
namespace cuda = thrust_hist::detail::cuda;
using cuda::advice;

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
  __host__ __device__ std::uint64_t operator()(std::uint64_t i) const { return i * bins / samples; }
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
  thrust::tabulate(thrust::device, samples.begin(), samples.end(), [=] __device__(std::size_t i) {
    return static_cast<T>(bin_of(i));
  });
  return samples;
}

// What a look says, with so many rare samples of 32 allowed.
template <class BinOf>
advice advice_for(
    std::size_t n, std::uint32_t bins, float most_rare, BinOf bin_of, bool takes_ordered = false) {
  const auto samples = samples_of<std::uint32_t>(n, bin_of);
  using given = cuda::iterator_samples<std::uint32_t const*, std::uint32_t>;
  using rule = detail::identity_for<std::int64_t>;
  thrust::device_vector<std::uint32_t> answer(1, 99);
  cuda::launch(
      "look_at_rows", cuda::look_at_rows<given, rule>, 1, 32 * cuda::look_at_bins::pairs, 0,
      nullptr, given(samples.data().get(), n), rule{bins}, bins, 16384, 8192,
      cuda::look_at_bins{true, takes_ordered, most_rare, 3}, answer.data().get());
  const std::uint32_t said = answer[0];
  BOOST_TEST(said <= static_cast<std::uint32_t>(advice::additions_in_order));
  return static_cast<advice>(said);
}
template <class BinOf>
bool prefers_additions(
    std::size_t n, std::uint32_t bins, float most_rare, BinOf bin_of, bool takes_ordered = false) {
  return advice_for(n, bins, most_rare, bin_of, takes_ordered) != advice::buckets;
}

// So many samples and bins that a call looks, whatever the GPU: few of many bins, if it can.
struct size_of_call {
  std::size_t samples = 5000011;
  std::uint64_t bins = (1 << 26) + 7;
};
cuda::bucket_layout buckets_of(size_of_call const& size) {
  return cuda::plan_buckets(size.bins, size.samples, cuda::current_facts(), ~std::size_t{0} / 2);
}
bool looks(size_of_call const& size) {
  return buckets_of(size).bins == size.bins &&
         cuda::plan_look(size.samples, size.bins, cuda::current_facts()).is_worth;
}
size_of_call looking() {
  size_of_call size;
  while (buckets_of(size).bins != size.bins)
    size.bins /= 2;
  while (!looks(size))
    size.samples *= 2;
  return size;
}

struct same {
  __host__ __device__ std::uint32_t operator()(std::uint32_t x) const { return x; }
};

// By the plan, which looks at samples, and by buckets alone.
template <class Counter, class T, class BinOf>
void check_call(size_of_call const& size, BinOf bin_of, options const& how = {}) {
  const auto samples = samples_of<T>(size.samples, bin_of);
  thrust::device_vector<Counter> counts(size.bins, 3), expected(size.bins, 3);
  const auto call = [&](auto& out, options const& o) {
    if constexpr (std::is_integral_v<T>)
      thrust_hist::histogram(
          thrust::device, samples.begin(), samples.end(), out.begin(), size.bins, o);
    else
      thrust_hist::histogram_even(
          thrust::device, samples.begin(), samples.end(), out.begin(), size.bins, 0, size.bins, o);
  };
  BOOST_TEST_REQUIRE(looks(size));
  call(counts, how);
  call(expected, options{how}.force(route::partitioned));
  BOOST_TEST(thrust::equal(thrust::device, counts.begin(), counts.end(), expected.begin()));
}

struct color {
  std::uint8_t red, green, blue;
};
struct bin_of_color {
  __host__ __device__ std::int64_t operator()(color c) const {
    return c.red << 16 | c.green << 8 | c.blue;
  }
};

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

BOOST_AUTO_TEST_CASE(what_lies_near_each_other_from_end_to_end_is_left_to_tiles) {
  constexpr std::size_t n = 1 << 20;
  BOOST_TEST(!prefers_additions(n, 1 << 24, 32, crowded{1 << 24, 1, 100}));
  BOOST_TEST(!prefers_additions(n, 1 << 16, 32, in_order{n, 1 << 16}));
  BOOST_TEST(!prefers_additions(n, 1 << 13, 32, crowded{1 << 13, 1, 0}));
  // One of 200 samples elsewhere makes tiles that no counters reach.
  BOOST_TEST(prefers_additions(n, 1 << 24, 1, [] __device__(std::uint64_t i) {
    return mixed(i + 1) % 200 == 0 ? mixed(i) % (1 << 24) : i % 8 + 1000;
  }));
}

BOOST_AUTO_TEST_CASE(samples_in_order_are_told_from_others_near_each_other) {
  constexpr std::size_t n = 1 << 20;
  constexpr std::uint32_t bins = 1 << 20;
  for (std::uint64_t of_bin : {2, 4})
    BOOST_TEST(
        (advice_for(n, bins / of_bin, 0, in_order{n, bins / of_bin}, true) ==
         advice::additions_in_order));
  const auto mixed_in_tiles = [] __device__(std::uint64_t i) {
    return i / 8192 * 2048 + mixed(i + 1) % 2048;
  };
  BOOST_TEST(!prefers_additions(n, bins, 0, mixed_in_tiles, true));
  BOOST_TEST(!prefers_additions(n, bins, 0, crowded{bins, 1, 100}, true));
  BOOST_TEST(!prefers_additions(n, 64, 0, crowded{64, 1, 0}, true));
  BOOST_TEST(!prefers_additions(n, 1 << 8, 0, in_order{n, 1 << 8}, true));
}

// They are additions to few lines of memory, which wait for each other.
BOOST_AUTO_TEST_CASE(rare_samples_beside_each_other_count_several_times) {
  constexpr std::size_t n = 1 << 20;
  const auto a_tenth = [](std::uint64_t apart) {
    return [=] __device__(std::uint64_t i) {
      std::uint64_t const any = mixed(i + 1);
      return any % 10 == 0 ? any / 10 % 1024 * apart : 1000000 * (any % 8 + 1);
    };
  };
  BOOST_TEST(prefers_additions(n, 1 << 24, 5, a_tenth(1 << 13)));
  BOOST_TEST(!prefers_additions(n, 1 << 24, 5, a_tenth(1)));
  BOOST_TEST(prefers_additions(n, 1 << 24, 20, a_tenth(1)));
}

BOOST_AUTO_TEST_CASE(samples_without_a_bin_are_neither_frequent_nor_rare) {
  constexpr std::size_t n = 1 << 20;
  const auto half_rare = crowded{1 << 24, 4, 50};
  BOOST_TEST(!prefers_additions(n, 1 << 24, 5, half_rare));
  BOOST_TEST(prefers_additions(n, 1 << 24, .01F, [=] __device__(std::uint64_t i) {
    bool const is_rare = mixed(i + 1) % 100 >= 50;
    return half_rare(i) + (is_rare ? 1 << 24 : 0);
  }));
  BOOST_TEST(!prefers_additions(n, 1 << 24, 32, [] __device__(std::uint64_t) { return 1 << 24; }));
}

BOOST_AUTO_TEST_CASE(few_samples_are_no_trouble) {  // compute-sanitizer sees what is read
  for (std::size_t n : {1, 2, 31, 32, 33, 8191, 8193, 16385})
    prefers_additions(n, 1 << 24, 5, crowded{1 << 24, 8, 90});
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(frequent_bins, THRUST_HIST_TEST_LARGE)
using namespace frequent_bins_setup;

BOOST_AUTO_TEST_CASE(calls_count_right_whatever_the_look_finds) {
  const size_of_call size = looking();
  const std::uint64_t beyond = size.bins + size.bins / 50;  // some have no bin
  for (std::uint32_t percent : {0, 50, 96, 100})
    BOOST_TEST_CONTEXT(percent << " % of eight bins") {
      const auto bin_of = crowded{beyond, 8, percent};
      check_call<unsigned, std::uint32_t>(size, bin_of);
      check_call<unsigned, std::uint32_t>(size, bin_of, options{}.accumulate());
      check_call<unsigned long long, std::uint64_t>(size, bin_of);
      check_call<std::uint16_t, std::uint32_t>(size, bin_of);  // by a table
      check_call<unsigned, float>(size, bin_of);
      check_call<unsigned, double>(size, bin_of);
    }
  check_call<unsigned, std::uint32_t>(size, in_order{size.samples, size.bins});
  const size_of_call one_each = {1 << 28, 1 << 28};
  if (looks(one_each))
    check_call<unsigned, std::uint32_t>(one_each, in_order{1 << 28, 1 << 28});
}

// Of two batches, and of many that count into bytes first.
BOOST_AUTO_TEST_CASE(so_it_is_with_batches) {
  const size_of_call two = {20000003, (1 << 26) + 7};
  const size_of_call many = {1 << 28, 1 << 24};
  for (std::uint32_t percent : {0, 99}) {
    if (looks(two))
      check_call<unsigned, std::uint32_t>(
          two, crowded{two.bins, 8, percent}, options{}.max_temporary_bytes(40 << 20));
    if (looks(many))
      check_call<unsigned, std::uint32_t>(
          many, crowded{many.bins, 8, percent}, options{}.max_temporary_bytes(64 << 20));
  }
}

BOOST_AUTO_TEST_CASE(so_it_is_behind_iterators_and_where_dropped_samples_are_counted) {
  const size_of_call size = looking();
  for (std::uint32_t percent : {0, 97}) {
    const auto samples =
        samples_of<std::uint32_t>(size.samples, crowded{size.bins + size.bins / 7, 5, percent});
    thrust::device_vector<unsigned> counts(size.bins, 1), expected(size.bins, 2);
    std::uint64_t dropped = 0, expected_dropped = 1;
    const auto first = thrust::make_transform_iterator(samples.begin(), same{});
    thrust_hist::histogram(
        thrust::device, first, first + size.samples, counts.begin(), size.bins,
        options{}.dropped(&dropped));
    thrust_hist::histogram(
        thrust::device, first, first + size.samples, expected.begin(), size.bins,
        options{}.force(route::partitioned).dropped(&expected_dropped));
    BOOST_TEST(counts == expected);
    BOOST_TEST(dropped == expected_dropped);
  }
}

// Three bytes are not counted by their values, and were taken for that: what the call before had
// found in its scratch memory decided for them.
BOOST_AUTO_TEST_CASE(colors_are_looked_at_after_other_calls) {
  const size_of_call size = {1 << 27, 1 << 24};
  if (!looks(size))
    return;
  check_call<unsigned, std::uint32_t>(size, crowded{size.bins, 4, 100});
  thrust::device_vector<color> colors(size.samples);
  for (std::uint32_t percent : {0, 100}) {
    const auto bin_of = crowded{size.bins, 4, percent};
    thrust::tabulate(thrust::device, colors.begin(), colors.end(), [=] __device__(std::size_t i) {
      const auto bin = static_cast<std::uint32_t>(bin_of(i));
      return color{
          static_cast<std::uint8_t>(bin >> 16), static_cast<std::uint8_t>(bin >> 8),
          static_cast<std::uint8_t>(bin)};
    });
    thrust::device_vector<unsigned> counts(size.bins), expected(size.bins);
    const auto bins = thrust_hist::make_bins(static_cast<std::int64_t>(size.bins), bin_of_color{});
    thrust_hist::histogram(thrust::device, colors.begin(), colors.end(), counts.begin(), bins);
    thrust_hist::histogram(
        thrust::device, colors.begin(), colors.end(), expected.begin(), bins,
        options{}.force(route::partitioned));
    BOOST_TEST(counts == expected);
  }
}

// With other numbers of bins, tables and places.
BOOST_AUTO_TEST_CASE(so_it_is_on_gpus_with_less_shared_memory) {
  constexpr std::size_t kibibyte = 1024;
  constexpr detail::cuda::device_facts gpus[] = {
      {40, 48 * kibibyte, 64 * kibibyte, 4096 * kibibyte},
      {128, 99 * kibibyte, 100 * kibibyte, 73728 * kibibyte},
      {108, 163 * kibibyte, 164 * kibibyte, 40960 * kibibyte},
  };
  for (detail::cuda::device_facts const& facts : gpus)
    BOOST_TEST_CONTEXT(facts.shared_bytes_block << " bytes of shared memory") {
      const test::pretended_gpu gpu(facts);
      const size_of_call size = looking();
      for (std::uint32_t percent : {0, 100}) {
        const auto bin_of = crowded{size.bins + 1000, 8, percent};
        check_call<unsigned, std::uint32_t>(size, bin_of);
        check_call<unsigned, float>(size, bin_of);
      }
    }
}

// What a look finds stands in front of the scratch memory, and is found anew each time.
BOOST_AUTO_TEST_CASE(a_graph_looks_at_the_samples_of_each_replay) {
  struct memory_of_graph {
    using value_type = char;
    char* memory;
    std::size_t size;
    char* allocate(std::ptrdiff_t bytes) {
      if (static_cast<std::size_t>(bytes) > size)
        throw std::bad_alloc();
      return memory;
    }
    void deallocate(char*, std::size_t) {}
  };
  const size_of_call size = looking();
  thrust::device_vector<std::uint32_t> samples(size.samples);
  thrust::device_vector<unsigned> counts(size.bins), expected(size.bins);
  const auto count = [&](auto const& policy, auto& out, options const& o) {
    thrust_hist::histogram(
        policy, samples.data().get(), samples.data().get() + size.samples, out.data().get(),
        size.bins, o);
  };
  const test::stream s;
  thrust_hist::plan plan;
  memory_of_graph none{nullptr, 0};
  count(thrust::cuda::par_nosync(none).on(s.get()), counts, options{}.explain(&plan));
  thrust::device_vector<char> scratch(plan.scratch_bytes);
  memory_of_graph allocator{scratch.data().get(), scratch.size()};
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t ready = nullptr;
  test::check_cuda(cudaStreamBeginCapture(s.get(), cudaStreamCaptureModeThreadLocal), "capture");
  count(thrust::cuda::par_nosync(allocator).on(s.get()), counts, options{});
  test::check_cuda(cudaStreamEndCapture(s.get(), &graph), "the end of the capture");
  test::check_cuda(cudaGraphInstantiate(&ready, graph, 0), "cudaGraphInstantiate");
  for (std::uint32_t percent : {100, 0, 100}) {
    const auto other = samples_of<std::uint32_t>(size.samples, crowded{size.bins, 8, percent});
    thrust::copy(thrust::device, other.begin(), other.end(), samples.begin());
    cudaMemset(scratch.data().get(), 0xa5, scratch.size());
    cudaDeviceSynchronize();  // the stream of the graph does not wait for the default stream
    test::check_cuda(cudaGraphLaunch(ready, s.get()), "cudaGraphLaunch");
    s.wait();
    std::uint32_t found = 0;
    cudaMemcpy(&found, scratch.data().get(), sizeof found, cudaMemcpyDeviceToHost);
    BOOST_TEST(found == (percent == 100 ? 1U : 0U));
    count(thrust::device, expected, options{}.force(route::partitioned));
    BOOST_TEST(counts == expected);
  }
  cudaGraphExecDestroy(ready);
  cudaGraphDestroy(graph);
}

BOOST_AUTO_TEST_SUITE_END()
