// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// build: optimised under sanitizers
// Many bins on the host systems: samples go to buckets of bins, which are then counted one by one.

#include "../support/allocators.h"
#include "../support/checks.h"
#include "../support/threads.h"
#include <thrust_hist/thrust_hist.h>

#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/discard_iterator.h>
#include <thrust/iterator/transform_iterator.h>

#include <stdexcept>
#include <vector>

namespace host_partitioned_setup {

using test::bin;
using test::threads;
using thrust_hist::options;
using thrust_hist::route;

const auto forced = options{}.force(route::partitioned);

// Some 2 % of the keys have no bin.
template <class Sample>
test::samples<Sample> keys_of(test::distribution d, std::size_t n, bin bins) {
  const auto distinct = static_cast<std::uint64_t>(bins + bins / 50 + 1);
  return test::samples<Sample>(test::generate(d, n, distinct, n + 1));
}

// Not by searching edges, which takes its time for so many.
template <class Sample>
std::vector<std::uint64_t> count_keys(test::samples<Sample> const& s, bin bins) {
  return test::count(s, bins, [](Sample x) { return static_cast<bin>(x); });
}

// Counts, then adds the same once more and asks how many had no bin.
template <class System, class Counter, class Sample>
void check_keys(test::samples<Sample> const& s, bin bins, options const& how = forced) {
  auto expected = count_keys(s, bins);
  BOOST_TEST_CONTEXT(s.size() << " samples, " << bins << " bins, " << how) {
    test::output<System, Counter> out(expected.size());
    const auto call = [&](options const& o) {
      thrust_hist::histogram(System::policy(), s.begin(), s.end(), out.data(), bins, o);
    };
    call(how);
    out.check_equals(test::convert<Counter>(expected));
    std::uint64_t dropped = 12345;
    call(options{how}.accumulate().dropped(&dropped));
    BOOST_TEST(dropped == s.size() - test::total(expected));
    for (auto& count : expected)
      count *= 2;
    out.check_equals(test::convert<Counter>(expected));
  }
}

// The plan for keys behind an iterator, which are not read for it.
template <class System, class Counter = unsigned>
thrust_hist::plan plan_for(
    std::uint32_t n, std::uint64_t bins, options const& how = options{}, Counter* out = nullptr) {
  thrust_hist::plan p;
  const thrust::counting_iterator<std::uint32_t> first(0);
  thrust_hist::histogram(System::policy(), first, first + n, out, bins, options{how}.explain(&p));
  return p;
}

template <class System, class Counter>
void check_counter() {
  const auto s = keys_of<std::uint32_t>(test::distribution::mostly_one, 3001, 9000);
  const auto counts = count_keys(s, 9000);
  test::output<System, Counter> out(counts.size());
  thrust_hist::histogram(System::policy(), s.begin(), s.end(), out.data(), 9000, forced);
  out.check_equals(test::convert<Counter>(counts));
}

struct throws_late {
  int operator()(std::uint32_t key) const {
    if (key == 5)
      throw std::domain_error("5");
    return static_cast<int>(key);
  }
};

}  // namespace host_partitioned_setup

BOOST_AUTO_TEST_SUITE(host_partitioned, THRUST_HIST_TEST_SMALL)
using namespace host_partitioned_setup;

BOOST_AUTO_TEST_CASE_TEMPLATE(every_distribution_is_counted, System, test::host_systems) {
  for (int workers : {2, 3})
    for (auto d : test::all_distributions) {
      const threads set(workers);
      check_keys<System, std::uint32_t>(keys_of<std::uint32_t>(d, 20011, 100003), 100003);
      check_keys<System, std::int64_t>(keys_of<std::uint64_t>(d, 5003, 9000), 9000);
    }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(every_size_of_input_is_counted, System, test::host_systems) {
  for (std::size_t n : {0, 1, 3, 4, 511, 512, 513, 2047, 2048, 2049, 4096, 8195})
    for (auto d : {test::distribution::uniform, test::distribution::sorted}) {
      const threads set(2);
      check_keys<System, std::uint32_t>(keys_of<std::uint32_t>(d, n, 10007), 10007);
    }
}

// A bucket has 8 192 bins, a window of rests 65 536; more bins than 2^21 make larger buckets.
BOOST_AUTO_TEST_CASE_TEMPLATE(every_number_of_bins_is_counted, System, test::host_systems) {
  for (bin bins : {1, 2, 8191, 8192, 8193, 16384, 65535, 65536, 65537, 131073})
    for (auto d : {test::distribution::zipf, test::distribution::constant}) {
      const threads set(2);
      check_keys<System, std::uint32_t>(keys_of<std::uint32_t>(d, 9001, bins), bins);
    }
  test::output<System, int> none(0);
  const std::uint32_t key = 0;
  thrust_hist::histogram(System::policy(), &key, &key + 1, none.data(), 0, forced);
  none.check_untouched();
}

// The first block of bucket b is begun at rest 32 * (b % 16) of 512; each is filled, and one more
// begun.
BOOST_AUTO_TEST_CASE_TEMPLATE(
    blocks_suffice_where_every_bucket_needs_one_more, System, test::host_systems) {
  const threads set(1);
  std::vector<std::uint32_t> keys;
  for (std::uint32_t i = 0; i <= 512; ++i)
    for (std::uint32_t bucket = 0; bucket < 64; ++bucket)
      if (i >= bucket * 32 % 512)
        keys.push_back(bucket * 8192 + i);
  check_keys<System, std::uint32_t>(test::samples<std::uint32_t>(keys), 64 * 8192);
}

BOOST_AUTO_TEST_CASE(millions_of_bins_are_counted) {
#ifdef _OPENMP
  const threads set(2);
  for (bin bins : {(1 << 20) - 1, (1 << 20) + 1})
    check_keys<test::omp, std::uint32_t>(
        keys_of<std::uint32_t>(test::distribution::uniform, 50021, bins), bins);
#endif
  check_keys<test::main_system, std::uint32_t>(
      keys_of<std::uint32_t>(test::distribution::runs, 50021, (1 << 21) + 1), (1 << 21) + 1);
}

BOOST_AUTO_TEST_CASE(the_last_of_16_mi_bins_is_counted) {
  const test::samples<std::uint32_t> s(
      40000, [](std::size_t i) { return (1U << 24) - 1 - (i % 7) * 8191; });
  std::vector<std::uint32_t> out(1 << 24, 77);
  const threads set(2);
#ifdef _OPENMP
  thrust_hist::histogram(thrust::omp::par, s.begin(), s.end(), out.begin(), 1 << 24, forced);
#else
  thrust_hist::histogram(thrust::seq, s.begin(), s.end(), out.begin(), 1 << 24, forced);
#endif
  std::size_t sum = 0;
  for (std::size_t i = 0; i < 7; ++i) {
    const std::uint32_t count = out[(1U << 24) - 1 - i * 8191];
    BOOST_TEST(count == 40000U / 7 + (i < 40000 % 7 ? 1 : 0));
    sum += count;
  }
  BOOST_TEST(sum == 40000U);
  BOOST_TEST(out[0] == 0U);
  BOOST_TEST(out[1 << 23] == 0U);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(every_counter_is_written, System, test::host_systems) {
  const threads set(2);
  check_counter<System, std::uint8_t>();
  check_counter<System, std::int16_t>();
  check_counter<System, std::uint32_t>();
  check_counter<System, std::int32_t>();
  check_counter<System, std::uint64_t>();
  check_counter<System, float>();
  check_counter<System, double>();
}

// In buckets: a bin gets more than 255 samples in a batch, thrown, in a row, and by two workers.
BOOST_AUTO_TEST_CASE_TEMPLATE(narrow_counters_run_over_exactly, System, test::host_systems) {
  for (int workers : {1, 2, 3})
    for (std::size_t n : {255, 256, 257, 511, 512, 65535, 65536, 65537, 300007})
      for (std::uint32_t step : {1U, 8191U, 9001U}) {  // bins of one bucket, or of many
        const threads set(workers);
        const auto of = [&](std::size_t i) { return static_cast<std::uint32_t>(i * step % 90001); };
        check_keys<System, std::uint32_t>(
            test::samples<std::uint32_t>(n, [&](std::size_t i) { return of(i % 3); }), 90000);
        check_keys<System, std::uint64_t>(
            test::samples<std::uint32_t>(n, [&](std::size_t i) { return of(i % 7 == 0 ? i : 7); }),
            90000);
        check_keys<System, std::uint32_t>(
            test::samples<std::uint32_t>(n, [&](std::size_t i) { return of(i / 1000); }), 90000);
      }
}

// More counters run over in one batch than a list has entries, and than a sample in 256 would make.
BOOST_AUTO_TEST_CASE_TEMPLATE(all_narrow_counters_run_over_at_once, System, test::host_systems) {
  const threads set(2);
  const std::uint32_t bins = 200003, n = bins * 257;
  const auto first = thrust::make_transform_iterator(
      thrust::counting_iterator<std::uint32_t>(0),
      [](std::uint32_t i) { return static_cast<std::uint32_t>(i * std::uint64_t{7919} % 200003); });
  test::output<System, std::uint32_t> out(bins);
  thrust_hist::histogram(System::policy(), first, first + n, out.data(), bins, forced);
  out.check_equals(std::vector<std::uint32_t>(bins, 257));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(accumulating_rounds_once, System, test::host_systems) {
  const test::samples<std::uint32_t> s(3, [](std::size_t) { return 8500; });
  const float before = 16777216.F;  // with every single 1 it would stay as it is
  std::vector<float> start(9000, -0.F);
  start[8500] = before;
  test::output<System, float> out(start);
  thrust_hist::histogram(
      System::policy(), s.begin(), s.end(), out.data(), 9000, options{forced}.accumulate());
  start[8500] = before + 3.F;
  out.check_equals(start);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(samples_come_from_any_iterator, System, test::host_systems) {
  const threads set(3);
  const auto first = thrust::make_transform_iterator(
      thrust::counting_iterator<std::uint32_t>(0), [](std::uint32_t i) { return i * 7 % 9500; });
  std::vector<std::uint64_t> counts(9000);
  std::uint64_t missing = 0, dropped = 12345;
  for (std::uint32_t i = 0; i < 20000; ++i)
    ++(i * 7 % 9500 < 9000 ? counts[i * 7 % 9500] : missing);
  test::output<System, std::uint32_t> out(counts.size());
  thrust_hist::histogram(System::policy(), first, first + 20000, out.data(), 9000, forced);
  out.check_equals(test::convert<std::uint32_t>(counts));
  thrust_hist::histogram(
      System::policy(), first, first + 20000, thrust::make_discard_iterator(), 9000,
      options{forced}.dropped(&dropped));
  BOOST_TEST(dropped == missing);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(even_and_range_bins_are_counted_too, System, test::host_systems) {
  const threads set(2);
  const test::samples<float> s(
      12345, [](std::size_t i) { return static_cast<float>(i * 7919 % 12000) - 500.F; });
  const auto expected =
      test::count(s, 10000, [](float x) { return static_cast<bin>(x < 0 ? -1 : x); });
  test::output<System, int> even(10000), range(10000);
  thrust_hist::histogram_even(
      System::policy(), s.begin(), s.end(), even.data(), 10000, 0.F, 10000.F, forced);
  even.check_equals(test::convert<int>(expected));
  std::vector<float> edges;
  for (int i = 0; i <= 10000; ++i)
    edges.push_back(static_cast<float>(i));
  thrust_hist::histogram_range(
      System::policy(), s.begin(), s.end(), range.data(), edges.begin(), edges.end(), forced);
  range.check_equals(test::convert<int>(expected));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(
    a_rule_that_throws_leaves_the_output_as_it_was, System, test::host_systems) {
  const threads set(2);
  const test::samples<std::uint32_t> s(9000, [](std::size_t i) { return i == 8999 ? 5 : 8000; });
  test::ledger book;
  test::counting_allocator<System> allocator(book);
  test::output<System, int> out(9000);
  BOOST_CHECK_THROW(
      thrust_hist::histogram(
          System::policy_with(allocator), s.begin(), s.end(), out.data(),
          thrust_hist::make_bins(9000, throws_late{}), forced),
      std::domain_error);
  out.check_untouched();
  BOOST_TEST(book.outstanding() == 0U);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(
    memory_is_that_of_the_plan_or_nothing_is_written, System, test::host_systems) {
  const threads set(2);
  const auto s = keys_of<std::uint32_t>(test::distribution::zipf, 9001, 70000);
  std::size_t bytes[2];
  for (bool in_output : {true, false}) {
    test::output<System, std::int32_t> words(70000);
    test::output<System, double> reals(70000);
    const auto call = [&](auto const& policy, options const& o) {
      if (in_output)
        thrust_hist::histogram(policy, s.begin(), s.end(), words.data(), 70000, o);
      else
        thrust_hist::histogram(policy, s.begin(), s.end(), reals.data(), 70000, o);
    };
    thrust_hist::plan p;
    call(System::policy(), options{forced}.explain(&p));
    BOOST_TEST((p.taken == route::partitioned));
    BOOST_TEST(p.why == "forced");
    BOOST_TEST(p.blocks == (System::is_parallel ? 2U : 1U));
    bytes[in_output ? 0 : 1] = p.scratch_bytes;

    test::ledger refusing(0);
    test::counting_allocator<System> empty(refusing);
    BOOST_CHECK_THROW(call(System::policy_with(empty), forced), test::allocation_refused);
    words.check_untouched();
    reals.check_untouched();

    test::ledger book;
    test::counting_allocator<System> allocator(book);
    call(System::policy_with(allocator), forced);
    BOOST_TEST(book.peak() == p.scratch_bytes);
    BOOST_TEST(book.outstanding() == 0U);
  }
  BOOST_TEST(bytes[1] - bytes[0] >= 70000U * 4);  // the table of all bins
}

// One worker less, then smaller batches, of 4 096 samples at least.
BOOST_AUTO_TEST_CASE_TEMPLATE(a_cap_on_memory_makes_small_batches, System, test::host_systems) {
  const threads set(2);
  for (auto d :
       {test::distribution::uniform, test::distribution::sorted, test::distribution::constant,
        test::distribution::skewed_tail}) {
    const auto s = keys_of<std::uint32_t>(d, 20011, 70000);
    std::size_t cap = 0;
    try {
      check_keys<System, std::uint32_t>(s, 70000, options{forced}.max_temporary_bytes(0));
      BOOST_ERROR("no memory was enough");
    } catch (thrust_hist::memory_limit_error const& refusal) {
      cap = refusal.smallest();
    }
    check_keys<System, std::uint32_t>(s, 70000, options{forced}.max_temporary_bytes(cap));
    check_keys<System, std::uint32_t>(s, 70000, options{forced}.max_temporary_bytes(2 * cap));
    std::vector<std::uint32_t> out(70000);
    BOOST_CHECK_THROW(
        thrust_hist::histogram(
            System::policy(), s.begin(), s.end(), out.begin(), 70000,
            options{forced}.max_temporary_bytes(cap - 1)),
        thrust_hist::memory_limit_error);
  }
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(host_partitioned_by_itself, THRUST_HIST_TEST_SMALL)
using namespace host_partitioned_setup;

// Into an output that is the table, from 16 Mi to 64 Mi bins.
BOOST_AUTO_TEST_CASE(one_thread_throws_where_no_cache_holds_its_counters) {
  const auto taken = [](std::uint32_t n, std::uint64_t bins, auto* out, options const& how = {}) {
    thrust_hist::plan p;
    std::uint32_t const* const keys = nullptr;
    thrust_hist::histogram(thrust::seq, keys, keys + n, out, bins, options{how}.explain(&p));
#ifdef _OPENMP
    const threads set(1);
    thrust_hist::plan of_omp;
    thrust_hist::histogram(
        thrust::omp::par, keys, keys + n, out, bins, options{how}.explain(&of_omp));
    BOOST_TEST((of_omp.taken == p.taken));
#endif
    return p.taken;
  };
  unsigned* const array = nullptr;
  std::uint64_t* const wide = nullptr;
  constexpr std::uint32_t bins = 1 << 24;
  BOOST_TEST((taken(1U << 31, bins - 1, array) == route::serial));
  BOOST_TEST((taken(1U << 31, bins, array) == route::partitioned));
  BOOST_TEST((taken(bins, bins, array) == route::partitioned));
  BOOST_TEST((taken(bins - 1, bins, array) == route::serial));
  BOOST_TEST((taken(1U << 31, 4 * bins, array) == route::partitioned));
  BOOST_TEST((taken(1U << 31, 4 * bins + 1, array) == route::serial));
  BOOST_TEST((taken(1U << 31, bins, wide) == route::serial));
  BOOST_TEST((taken(1U << 31, bins, wide, forced) == route::partitioned));
  BOOST_TEST((plan_for<test::seq>(1U << 31, bins).taken == route::serial));
  BOOST_TEST((taken(1U << 31, bins, array, options{}.max_temporary_bytes(0)) == route::serial));
}

#ifdef _OPENMP
BOOST_AUTO_TEST_CASE(threads_throw_into_buckets_from_4_mi_bins_on) {
  const threads set(2);
  const std::uint32_t bins = 1 << 22;
  const auto taken = [](std::uint32_t n, std::uint64_t b, std::size_t cap = SIZE_MAX) {
    double* const out = nullptr;
    return plan_for<test::omp>(n, b, options{}.max_temporary_bytes(cap), out).taken;
  };
  BOOST_TEST((taken(10 * bins, bins - 1) == route::private_tables));
  BOOST_TEST((taken(10 * bins, bins) == route::partitioned));
  BOOST_TEST((taken(bins, bins) == route::partitioned));
  BOOST_TEST((taken(bins - 1, bins) == route::serial));
  // Room for one table, but not for buckets beside it.
  BOOST_TEST((taken(10 * bins, bins, bins * 4 + 1000) == route::serial));
}

// The narrow counters of two workers, of one byte each, are 16 MiB together.
BOOST_AUTO_TEST_CASE(threads_throw_from_8_mi_bins_on_into_an_array_of_integers) {
  const threads set(2);
  const std::uint32_t bins = 1 << 23;
  const auto taken = [](std::uint32_t n, std::uint64_t b) {
    return plan_for<test::omp>(n, b).taken;
  };
  BOOST_TEST((taken(10 * bins, bins) == route::private_tables));
  BOOST_TEST((taken(10 * bins, bins + 1) == route::partitioned));
  BOOST_TEST((taken(bins + 1, bins + 1) == route::partitioned));
  BOOST_TEST((taken(bins, bins + 1) == route::private_tables));
  BOOST_TEST((taken(bins / 4, bins + 1) == route::serial));
}

// The smallest cap is that: with tables, narrow counters, and batches that are cut for other
// reasons already.
BOOST_AUTO_TEST_CASE(a_cap_that_is_too_small_is_answered_by_one_that_works) {
  for (int workers : {2, 16})
    for (std::uint64_t bins : {1U << 21, 1U << 22, 1U << 23, (1U << 24) + 1, (1U << 26) + 1})
      for (unsigned log2_n : {25, 31, 33}) {
        const threads set(workers);
        std::uint64_t dropped = 0;
        const auto plan_within = [&](std::size_t cap) {
          thrust_hist::plan p;
          std::uint32_t const* const first = nullptr;
          unsigned* const out = nullptr;
          thrust_hist::histogram(
              test::omp::policy(), first, first + (std::uint64_t{1} << log2_n), out, bins,
              options{}.max_temporary_bytes(cap).dropped(&dropped).explain(&p));
          return p;
        };
        BOOST_TEST_CONTEXT(workers << " workers, " << bins << " bins, 2^" << log2_n)
        try {
          plan_within(1000);
          const bool are_few = (std::uint64_t{1} << log2_n) / 4 < bins;  // counted in the output
          BOOST_TEST(are_few, "1000 bytes hold nothing");
        } catch (thrust_hist::memory_limit_error const& refusal) {
          BOOST_TEST(plan_within(refusal.smallest()).scratch_bytes <= refusal.smallest());
          BOOST_CHECK_THROW(plan_within(refusal.smallest() - 1), thrust_hist::memory_limit_error);
        }
      }
}

BOOST_AUTO_TEST_CASE(threads_count_4_mi_bins_and_one_less) {
  const threads set(2);
  for (std::uint32_t bins : {(1U << 22) - 1, 1U << 22}) {
    std::vector<std::uint32_t> keys(1U << 22), out(bins, 77), expected(bins);
    std::uint32_t state = 1;
    for (auto& key : keys)
      key = (state = state * 1664525U + 1013904223U) >> 9;  // some of 2^23 values
    for (auto key : keys)
      if (key < bins)
        ++expected[key];
    thrust_hist::histogram(thrust::omp::par, keys.begin(), keys.end(), out.begin(), bins);
    BOOST_TEST((out == expected));
  }
}
#endif

#ifdef _OPENMP
BOOST_AUTO_TEST_CASE(samples_with_few_values_are_not_thrown) {
  const threads set(2);
  const auto first = thrust::make_transform_iterator(
      thrust::counting_iterator<std::uint32_t>(0),
      [](std::uint32_t i) { return static_cast<std::uint16_t>(i); });
  thrust_hist::plan p;
  thrust_hist::histogram(
      thrust::omp::par, first, first + (1 << 26), thrust::make_discard_iterator(), 1 << 24,
      options{}.explain(&p));
  BOOST_TEST((p.taken == route::private_tables));
}
#endif

BOOST_AUTO_TEST_CASE(no_bins_have_no_first_one) {
  std::vector<std::uint32_t> none;
  const std::vector<std::uint32_t> keys{1, 2, 3};
  std::uint64_t dropped = 0;
  thrust_hist::histogram(
      thrust::seq, keys.begin(), keys.end(), none.begin(), 0, options{forced}.dropped(&dropped));
  BOOST_TEST(dropped == 3U);
}

BOOST_AUTO_TEST_CASE(more_bins_than_buckets_are_for_are_refused_by_name) {
  BOOST_TEST((plan_for<test::seq>(UINT32_MAX, (1U << 27) + 1).taken == route::serial));
  BOOST_CHECK_THROW(plan_for<test::seq>(100, (1U << 27) + 1, forced), std::invalid_argument);
}

BOOST_AUTO_TEST_CASE(counters_of_64_bits_do_not_wrap) {
  using namespace thrust_hist::detail::sequential;  // NOLINT: no such call in this test's time
  const auto s = keys_of<std::uint32_t>(test::distribution::sorted, 20011, 20000);
  const unsigned workers = 3;
  const bucket_layout layout(20000, 8000, true);
  std::vector<std::uint64_t> table(20000, UINT32_MAX),
      memory(workers * layout.words() + layout.shared_words());
  const shared_work<std::uint64_t> work(layout, workers, table.data(), true, memory.data());
  const auto run = [](unsigned n, auto chunk) {
    for (unsigned worker = 0; worker < n; ++worker)
      chunk(worker);
  };
  const std::uint64_t counted =
      count_partitioned(run, work, 12000, s.begin(), s.size(), thrust_hist::identity_bins(20000));
  auto expected = count_keys(s, 20000);
  BOOST_TEST(counted == test::total(expected));
  for (auto& count : expected)
    count += UINT32_MAX;
  BOOST_TEST((table == expected));
}

BOOST_AUTO_TEST_SUITE_END()
