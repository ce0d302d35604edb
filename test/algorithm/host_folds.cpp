// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Folds into many bins on the host systems: pairs go to buckets of bins, which are then folded one
// by one.

#include "../support/folds.h"
#include "../support/messages.h"
#include "../support/threads.h"
#include <thrust_hist/errors.h>
#include <thrust_hist/histogram_by_key.h>
#include <thrust_hist/transform_histogram.h>

#include <thrust/functional.h>
#include <thrust/iterator/constant_iterator.h>
#include <thrust/iterator/counting_iterator.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <type_traits>
#include <vector>

BOOST_AUTO_TEST_SUITE(host_folds, THRUST_HIST_TEST_SMALL)

namespace {

using thrust_hist::options;
using thrust_hist::route;

// One key in fifty has no bin.
std::vector<std::int64_t> keys_of(test::distribution d, std::size_t n, test::bin bins) {
  const auto drawn = test::generate(d, n, static_cast<std::uint64_t>(bins), n + 1);
  std::vector<std::int64_t> keys(n);
  for (std::size_t i = 0; i < n; ++i)
    keys[i] = i % 50 != 7 ? static_cast<std::int64_t>(drawn[i]) : i % 100 == 7 ? -1 : bins;
  return keys;
}

// Numbers that wrap, extremes, a structure by an operator of mine: with as much memory as they
// like, and as little as they can work with.
template <class System, class T, class Op>
void check(std::vector<std::int64_t> const& keys, test::bin bins, Op op, T identity) {
  std::vector<T> values(keys.size());
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if constexpr (std::is_class_v<T>)
      values[i] = test::make_blob<T>(i);
    else
      values[i] = static_cast<T>(i * 2654435761U % 1009);  // sums below 2^24
  }
  const auto expected = test::fold<T>(keys, values, bins, identity, op);
  const auto lost = static_cast<std::uint64_t>(std::count_if(
      keys.begin(), keys.end(), [&](std::int64_t key) { return key < 0 || key >= bins; }));
  if (!System::is_parallel)  // one thread has one table
    return;
  const auto call = [&](T* out, options const& o) {
    thrust_hist::histogram_by_key(
        System::policy(), keys.data(), keys.data() + keys.size(), values.data(), out, bins, op,
        identity, o);
  };
  thrust_hist::plan plan;
  const auto forced = options{}.force(route::partitioned);
  call(nullptr, options{forced}.explain(&plan));
  BOOST_TEST((plan.taken == route::partitioned));
  std::size_t smallest = 0;
  try {
    call(nullptr, options{forced}.max_temporary_bytes(1));
  } catch (thrust_hist::memory_limit_error const& e) {
    smallest = e.smallest();
  }
  BOOST_TEST((smallest > 0 && smallest <= plan.scratch_bytes));
  for (std::size_t cap : {plan.scratch_bytes, smallest}) {
    test::output<System, T> out(static_cast<std::size_t>(bins));
    std::uint64_t dropped = 0;
    call(out.data(), options{forced}.max_temporary_bytes(cap).explain(&plan));
    BOOST_TEST((plan.taken == route::partitioned && plan.scratch_bytes <= cap));
    call(out.data(), options{forced}.max_temporary_bytes(cap).dropped(&dropped));
    out.check_equals(expected);
    BOOST_TEST(dropped == lost);
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE_TEMPLATE(every_distribution_is_folded, System, test::host_systems) {
  for (int workers : {1, 2, 5}) {
    const test::threads set(workers);
    for (test::distribution d : test::all_distributions)
      BOOST_TEST_CONTEXT(test::name_of(d) << ", " << workers << " workers") {
        const test::bin bins = 100003;
        const auto keys = keys_of(d, 70001, bins);
        check<System>(keys, bins, thrust::plus<std::uint32_t>{}, std::uint32_t{0});
        check<System>(keys, bins, thrust::minimum<double>{}, 1e9);
        check<System>(keys, bins, test::add_bytes{}, test::blob<13>{});
      }
  }
}

// A bucket has 8 192 bins of 4 bytes; more bins than 2^21 make larger ones. Sorted keys leave a
// tile in the middle.
BOOST_AUTO_TEST_CASE_TEMPLATE(every_number_of_bins_is_folded, System, test::host_systems) {
  const test::threads set(3);
  for (test::bin bins : {1, 2, 8191, 8192, 8193, 65536, (1 << 21) + 1})
    for (test::distribution d : {test::distribution::uniform, test::distribution::sorted})
      BOOST_TEST_CONTEXT(test::name_of(d) << ", " << bins << " bins")
  check<System>(keys_of(d, 30011, bins), bins, thrust::plus<std::uint64_t>{}, std::uint64_t{0});
}

// Of sums of 544 bytes a bucket has 512 bins; what is apart is merged by all workers.
struct emit_twelve {
  template <class Sink>
  void operator()(std::uint32_t x, Sink& sink) const {
    for (std::uint32_t i = 0; i < 12; ++i)
      sink((x + i * 7919) % 100003, 0.5);
  }
};
BOOST_AUTO_TEST_CASE_TEMPLATE(exact_sums_have_small_buckets, System, test::host_systems) {
  const test::bin bins = 100003;
  const auto by_buckets =
      System::is_parallel ? options{}.force(route::partitioned).exact() : options{}.exact();
  for (int workers : {1, 5}) {
    const test::threads set(workers);
    for (test::distribution d :
         {test::distribution::constant, test::distribution::uniform, test::distribution::zipf,
          test::distribution::sorted, test::distribution::runs}) {
      const auto keys = keys_of(d, 50021, bins);
      std::vector<double> values(keys.size());
      for (std::size_t i = 0; i < values.size(); ++i)
        values[i] = (i % 2 == 0 ? 1e200 : 1) * (i % 3 == 0 ? -1. : 0.25);
      test::output<System, double> expected(bins), out(bins);
      const auto call = [&](double* to, options const& o) {
        thrust_hist::histogram_by_key(
            System::policy(), keys.data(), keys.data() + keys.size(), values.data(), to, bins, o);
      };
      call(expected.data(), options{}.force(route::serial).exact());
      thrust_hist::plan plan;
      call(out.data(), options{by_buckets}.explain(&plan));
      for (std::size_t cap : {plan.scratch_bytes, plan.scratch_bytes - 1}) {
        call(
            out.data(), options{by_buckets}.max_temporary_bytes(
                            System::is_parallel ? cap : plan.scratch_bytes));
        out.check_equals(expected.contents());
      }
    }
    // More pairs than chains have room for.
    const std::vector<std::uint32_t> inputs(200000, 3);
    std::vector<double> sums(bins);
    thrust_hist::transform_histogram(
        System::policy(), inputs.begin(), inputs.end(), sums.begin(), bins, emit_twelve{},
        thrust::plus<double>{}, 0., by_buckets);
    for (std::uint32_t i = 0; i < 12; ++i)
      BOOST_TEST(sums[(3 + i * 7919) % 100003] == 100000.);
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(no_bins_have_no_first_state, System, test::host_systems) {
  const std::vector<int> keys{1, 2};
  const std::vector<float> values{1, 2};
  std::vector<float> none;
  std::uint64_t dropped = 0;
  thrust_hist::histogram_by_key(
      System::policy(), keys.begin(), keys.end(), values.begin(), none.begin(), 0,
      options{}.dropped(&dropped));
  BOOST_TEST(dropped == 2U);
}

// Bytes of each worker are for 1 024 pairs at least.
BOOST_AUTO_TEST_CASE_TEMPLATE(every_size_of_input_is_folded, System, test::host_systems) {
  const test::threads set(2);
  for (std::size_t n : {0, 1, 2, 1023, 1024, 1025, 2047, 2048, 2049, 4096, 4099})
    for (test::distribution d : {test::distribution::constant, test::distribution::uniform})
      BOOST_TEST_CONTEXT(test::name_of(d) << ", " << n << " pairs")
  check<System>(keys_of(d, n, 20000), 20000, thrust::plus<float>{}, 0.F);
}

#if defined(_OPENMP)
// All of a sorted input are folded where they are.
BOOST_AUTO_TEST_CASE(equal_keys_of_all_workers_are_added_up_once) {
  for (int workers : {1, 2, 7}) {
    const test::threads set(workers);
    const std::vector<int> keys(100000, 54321);
    const std::vector<std::uint32_t> values(keys.size(), 3);
    std::vector<std::uint32_t> out(1 << 17, 1);
    thrust_hist::histogram_by_key(
        thrust::omp::par, keys.begin(), keys.end(), values.begin(), out.begin(), 1 << 17,
        options{}.force(route::partitioned).accumulate());
    BOOST_TEST(out[54321] == 300001U);
    BOOST_TEST(std::accumulate(out.begin(), out.end(), std::uint64_t{0}) == 300000U + (1U << 17));
  }
}

BOOST_AUTO_TEST_CASE(more_bins_than_buckets_are_for_are_refused_by_name) {
  const int key = 0;
  float* const out = nullptr;
  thrust_hist::plan plan;
  const auto how = options{}.force(route::partitioned).explain(&plan);
  const float one = 1;
  BOOST_CHECK_NO_THROW(
      thrust_hist::histogram_by_key(thrust::omp::par, &key, &key + 1, &one, out, 1 << 27, how));
  BOOST_TEST(test::throws(
      [&] {
        thrust_hist::histogram_by_key(
            thrust::omp::par, &key, &key + 1, &one, out, (1 << 27) + 1, how);
      },
      "partitioned", "134217728"));
}

BOOST_AUTO_TEST_CASE(they_are_chosen_where_tables_of_all_workers_are_larger_than_a_cache) {
  const auto taken = [](int workers, std::ptrdiff_t n, test::bin bins) {
    const test::threads set(workers);
    thrust_hist::plan plan;
    float* const out = nullptr;
    const thrust::counting_iterator<int> zero(0);
    thrust_hist::histogram_by_key(
        thrust::omp::par, zero, zero + n, zero, out, bins, options{}.explain(&plan));
    return plan.taken;
  };
  BOOST_TEST((taken(2, 1 << 25, 1 << 22) == route::private_tables));
  BOOST_TEST((taken(2, 1 << 25, 1 << 23) == route::partitioned));
  BOOST_TEST((taken(8, 1 << 25, 1 << 21) == route::partitioned));
  BOOST_TEST((taken(2, (1 << 23) - 1, 1 << 23) == route::serial));
  BOOST_TEST((taken(1, 1 << 25, 1 << 23) == route::serial));
}

#endif

// The states of the first worker, where the output can hold them, take no memory.
BOOST_AUTO_TEST_CASE(an_array_of_numbers_is_the_table) {
  const std::vector<int> keys(300000, 5);
  const std::vector<float> values(keys.size(), 0.5F);
  const auto scratch = [&](auto const& policy, auto first, auto out, auto op, options const& o) {
    thrust_hist::plan plan;
    thrust_hist::histogram_by_key(
        policy, first, first + 300000, values.begin(), out, 100000, op, 0.F,
        options{o}.explain(&plan));
    return plan.scratch_bytes;
  };
  std::vector<float> floats(100000, 7.F);
  std::vector<double> doubles(100000);
  const thrust::plus<float> plus;
  const auto mine = [](float a, float b) { return a + b; };
  const auto silent = [](float a, float b) noexcept { return a + b; };
  const thrust::constant_iterator<int> five(5);
  BOOST_TEST(scratch(thrust::seq, keys.begin(), floats.begin(), plus, {}) == 0U);
  BOOST_TEST(scratch(thrust::seq, keys.begin(), floats.begin(), silent, {}) == 0U);
  const std::size_t one = sizeof(float) * 100000;
  for (std::size_t bytes :
       {scratch(thrust::seq, keys.begin(), floats.begin(), mine, {}),
        scratch(thrust::seq, keys.begin(), doubles.begin(), plus, {}),
        scratch(thrust::seq, five, floats.begin(), plus, {}),
        scratch(thrust::seq, keys.begin(), floats.begin(), plus, options{}.accumulate())})
    BOOST_TEST(bytes >= one);
  const auto check_without_memory = [&](auto op) {
    floats.assign(floats.size(), 7.F);
    thrust_hist::histogram_by_key(
        thrust::seq, keys.begin(), keys.end(), values.begin(), floats.begin(), 100000, op, 0.F,
        options{}.max_temporary_bytes(0));
    BOOST_TEST(floats[5] == 150000.F);
    BOOST_TEST(std::accumulate(floats.begin(), floats.end(), 0.F) == 150000.F);
  };
  check_without_memory(plus);
  check_without_memory(silent);
#if defined(_OPENMP)
  const test::threads set(3);
  const auto tables = options{}.force(route::private_tables);
  const auto of_three = scratch(thrust::omp::par, keys.begin(), floats.begin(), plus, tables);
  BOOST_TEST((of_three >= 2 * one && of_three < 3 * one));
#endif
}

// Of the widest numbers, too, NaN is left out wherever it comes, also among equal keys, and bins
// without any have the infinity that loses.
BOOST_AUTO_TEST_CASE_TEMPLATE(minima_and_maxima_of_long_doubles, System, test::systems) {
  using wide = long double;
  const std::vector<int> keys(16, 4);
  for (std::size_t nan : {0U, 3U, 8U, 15U})
    for (std::int64_t bins : {9, 9001}) {
      std::vector<wide> values;
      for (int i = 0; i < 16; ++i)
        values.push_back(
            i % 8 == static_cast<int>(nan % 8) ? std::numeric_limits<wide>::quiet_NaN()
                                               : -static_cast<wide>(i + 1));
      std::vector<wide> most(static_cast<std::size_t>(bins)), least(most);
      thrust_hist::histogram_by_key(
          System::policy(), keys.begin(), keys.end(), values.begin(), most.begin(), bins,
          thrust::maximum<wide>{});
      thrust_hist::histogram_by_key(
          System::policy(), keys.begin(), keys.end(), values.begin(), least.begin(), bins,
          thrust::minimum<wide>{});
      BOOST_TEST((most[4] == (nan == 0 || nan == 8 ? -2 : -1)));
      BOOST_TEST((least[4] == (nan == 15 ? -15 : -16)));
      BOOST_TEST((most[3] == -std::numeric_limits<wide>::infinity()));
      BOOST_TEST((least[3] == std::numeric_limits<wide>::infinity()));
    }
}

BOOST_AUTO_TEST_SUITE_END()
