// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Route partitioned of folds of any value by any operator: values that travel with the rests of
// their bins and values that are fetched by number, of odd sizes too; distributions, batches under
// a memory cap, slices on a GPU with little shared memory, iterators, values without a default
// constructor, lambdas for the device.

#include "../support/pretended_gpu.h"
#include "fold_cases.h"

#include <thrust/complex.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/reverse_iterator.h>
#include <thrust/iterator/transform_iterator.h>

#include <algorithm>
#include <optional>

namespace folds_partitioned_locks_setup {

using test::distribution;
using thrust_hist::options;
using thrust_hist::route;
using thrust_hist::detail::cuda::device_facts;

// 40 bytes, as sums of a few doubles.
struct five {
  double x[5];
};
struct sum_five {
  __host__ __device__ five operator()(five const& a, five const& b) const {
    five r = a;
    for (int i = 0; i < 5; ++i)
      r.x[i] += b.x[i];
    return r;
  }
};
five make_five(std::size_t i) {
  five v;
  for (std::size_t j = 0; j < 5; ++j)
    v.x[j] = test::whole_number<double>(i * 5 + j);
  return v;
}

// By route partitioned, unless another one is forced.
template <class A, class V, class Op>
void check(
    test::samples<std::uint32_t> const& keys, test::samples<V> const& values, std::int64_t bins,
    options how, Op op, A identity) {
  const auto expected =
      test::fold_on_one_thread<A>(keys.size(), keys.data(), values.data(), bins, how, op, identity);
  auto k = test::buffer_of<test::cuda>(keys);
  auto v = test::buffer_of<test::cuda>(values);
  if (how.force_ == route::automatic) {
    how.force(route::partitioned);
  }
  for (bool accumulate : {false, true}) {
    test::output<test::cuda, A> out(
        accumulate ? test::old_output<A>(expected.plain.size())
                   : std::vector<A>(expected.plain.size(), test::junk<A>()));
    std::uint64_t dropped = 12345;
    thrust_hist::histogram_by_key(
        test::cuda::policy(), k.data(), k.data() + keys.size(), v.data(), out.data(), bins, op,
        identity, options{how}.accumulate(accumulate).dropped(&dropped));
    BOOST_TEST_CONTEXT("accumulate " << accumulate)
    out.check_equals(accumulate ? expected.added : expected.plain);
    BOOST_TEST(dropped == expected.dropped);
  }
}

template <std::size_t Size, std::size_t Alignment>
void check_bytes(distribution d, std::size_t n, std::int64_t bins, options how = {}) {
  using value = test::summed<Size, Alignment>;
  const test::samples<value> values(n, [](std::size_t i) {
    value x;
    for (std::size_t j = 0; j < Size; ++j)
      x.byte[j] = static_cast<unsigned char>(test::scrambled(i * Size + j));
    return x;
  });
  BOOST_TEST_CONTEXT(
      test::name_of(d) << ", n = " << n << ", " << bins << " bins of " << Size << " bytes")
  check<value>(
      test::keys_of(d, n, static_cast<std::uint64_t>(bins)), values, bins, how, test::sum_bytes{},
      value{});
}

void check_fives(distribution d, std::size_t n, std::int64_t bins, options how = {}) {
  BOOST_TEST_CONTEXT(test::name_of(d) << ", n = " << n << ", " << bins << " bins")
  check<five>(
      test::keys_of(d, n, static_cast<std::uint64_t>(bins)), test::samples<five>(n, make_five),
      bins, how, sum_five{}, five{});
}

struct sum_longs {
  __host__ __device__ std::int64_t operator()(std::int64_t a, std::int64_t b) const {
    return a + b;
  }
};

thrust_hist::plan plan_of_fives(std::size_t n, std::int64_t bins, options o) {
  std::uint32_t const* const keys = nullptr;
  thrust_hist::plan plan;
  thrust_hist::histogram_by_key(
      test::cuda::policy(), keys, keys + n, static_cast<five const*>(nullptr),
      static_cast<five*>(nullptr), bins, sum_five{}, five{}, o.explain(&plan));
  return plan;
}

// The value of pair i, made when it is asked for.
struct five_at {
  __host__ __device__ five operator()(std::int64_t i) const {
    const auto x = static_cast<double>(i % 17 - 8);
    return {{x, x + 1, -x, 2 * x, 1}};
  }
};

// There is none but what is made of two numbers.
template <class Number>
class interval {
public:
  __host__ __device__ interval(Number low, Number high) : low_(low), high_(high) {}
  __host__ __device__ Number low() const { return low_; }
  __host__ __device__ Number high() const { return high_; }

private:
  Number low_, high_;
};
template <class Number>
struct point_at {
  __host__ __device__ interval<Number> operator()(std::int64_t i) const {
    const auto x = static_cast<Number>(i * 7919 % 1000);
    return {x, x};
  }
};
template <class Number>
struct hull {
  using value = interval<Number>;
  __host__ __device__ value operator()(value const& a, value const& b) const {
    return {a.low() < b.low() ? a.low() : b.low(), a.high() < b.high() ? b.high() : a.high()};
  }
};

template <class Number>
void check_hulls(test::samples<std::uint32_t> const& keys, std::int64_t bins) {
  using value = interval<Number>;
  const value empty(20000, -20000);
  const auto values = thrust::make_transform_iterator(
      thrust::make_counting_iterator<std::int64_t>(0), point_at<Number>{});
  std::vector<value> expected(bins, empty);
  for (std::size_t i = 0; i < keys.size(); ++i)
    if (keys[i] < bins)
      expected[keys[i]] = hull<Number>{}(expected[keys[i]], values[static_cast<std::int64_t>(i)]);
  auto k = test::buffer_of<test::cuda>(keys);
  value* out = nullptr;
  BOOST_TEST_REQUIRE(cudaMalloc(&out, bins * sizeof(value)) == cudaSuccess);
  thrust_hist::histogram_by_key(
      test::cuda::policy(), k.data(), k.data() + keys.size(), values, out, bins, hull<Number>{},
      empty, options{}.force(route::partitioned));
  std::vector<value> got(bins, empty);
  BOOST_TEST_REQUIRE(
      cudaMemcpy(got.data(), out, bins * sizeof(value), cudaMemcpyDefault) == cudaSuccess);
  cudaFree(out);
  std::size_t wrong = 0;
  for (std::size_t b = 0; b < got.size(); ++b)
    wrong += got[b].low() != expected[b].low() || got[b].high() != expected[b].high() ? 1 : 0;
  BOOST_TEST(wrong == 0U);
}

}  // namespace folds_partitioned_locks_setup

BOOST_AUTO_TEST_SUITE(folds_partitioned_locks, THRUST_HIST_TEST_SMALL_LOCKS)

using namespace folds_partitioned_locks_setup;

BOOST_AUTO_TEST_CASE(values_of_every_size_and_alignment) {
  std::size_t turn = 0;
  for (std::int64_t bins : {1, 5000, 65536, 70001}) {
    const auto d = [&] {
      return test::all_distributions[turn++ % std::size(test::all_distributions)];
    };
    check_bytes<1, 1>(d(), 20011, bins);
    check_bytes<3, 1>(d(), 20011, bins);
    check_bytes<4, 4>(d(), 20011, bins);
    check_bytes<6, 2>(d(), 20011, bins);
    check_bytes<8, 8>(d(), 20011, bins);
    check_bytes<9, 1>(d(), 20011, bins);
    check_bytes<17, 1>(d(), 20011, bins);
    check_bytes<48, 16>(d(), 20011, bins);
    check_bytes<64, 64>(d(), 20011, bins);
  }
}

BOOST_AUTO_TEST_CASE(folds_every_size_into_every_number_of_bins) {
  std::size_t turn = 0;
  for (std::int64_t bins : {1, 3, 4095, 4097, 8193, 65536, 1 << 20})
    for (std::size_t n : {0, 1, 31, 8191, 8193, 131073})
      check_fives(test::all_distributions[turn++ % std::size(test::all_distributions)], n, bins);
}

BOOST_AUTO_TEST_CASE(folds_every_distribution) {
  for (distribution d : test::all_distributions)
    for (std::int64_t bins : {300, 100000}) {
      check_fives(d, 300007, bins);
      check_bytes<16, 8>(d, 300007, bins);
      check_bytes<8, 1>(d, 70001, bins);
    }
}

// Part by part; and where results are no array, by locks, with a state that is no value.
BOOST_AUTO_TEST_CASE(exact_sums_of_complex_numbers) {
  using complex = thrust::complex<double>;
  constexpr std::size_t n = 40009;
  const test::samples<complex> values(n, [](std::size_t i) {
    return complex(test::whole_number<double>(2 * i), test::whole_number<double>(2 * i + 1));
  });
  const auto exact = options{}.exact();
  for (distribution d : test::all_distributions)
    for (std::uint32_t bins : {3U, 70001U})
      BOOST_TEST_CONTEXT(test::name_of(d) << ", " << bins << " bins") {
        const auto keys = test::keys_of(d, n, bins);
        BOOST_TEST(test::check_fold<complex>(keys, values, bins, exact) >= 2);
        const test::samples<std::uint32_t> mirrored(
            n, [&](std::size_t i) { return keys[i] < bins ? bins - 1 - keys[i] : keys[i]; });
        auto k = test::buffer_of<test::cuda>(mirrored);
        auto v = test::buffer_of<test::cuda>(values);
        std::uint32_t const* const first = k.data();
        const auto call = [&](complex* out, options const& o) {
          thrust_hist::histogram_by_key(
              test::cuda::policy(), first, first + n, static_cast<complex const*>(v.data()),
              thrust::make_reverse_iterator(out + bins), bins, o);
          return out + bins;
        };
        const auto expected =
            test::fold_on_one_thread<complex>(n, keys.data(), values.data(), bins, exact);
        BOOST_TEST(test::check_fold_routes<complex>(expected, exact, call) >= 2);
      }
}

BOOST_AUTO_TEST_CASE(a_memory_cap_makes_batches) {
  constexpr std::size_t n = 131071;
  for (std::int64_t bins : {5, 100000}) {
    std::size_t least = 0;
    try {
      plan_of_fives(n, bins, options{}.force(route::partitioned).max_temporary_bytes(1));
    } catch (thrust_hist::memory_limit_error const& error) {
      least = error.smallest();
    }
    BOOST_TEST(least > static_cast<std::size_t>(bins) * (sizeof(five) + 4));
    for (std::size_t cap : {least, least + (1 << 20), least * 3}) {
      const auto how = options{}.max_temporary_bytes(cap);
      BOOST_TEST(
          plan_of_fives(n, bins, options{how}.force(route::partitioned)).scratch_bytes <= cap);
      check_fives(distribution::zipf, n, bins, how);
    }
  }
}

BOOST_AUTO_TEST_CASE(little_shared_memory_makes_small_buckets_and_slices) {
  constexpr std::size_t kibibyte = 1024;
  for (device_facts const& facts :
       {device_facts{40, 64 * kibibyte, 64 * kibibyte, 4096 * kibibyte},
        device_facts{20, 20 * kibibyte, 24 * kibibyte, 1024 * kibibyte}}) {
    const test::pretended_gpu gpu(facts);
    for (std::int64_t bins : {1, 4097, 100000})
      for (distribution d : {distribution::uniform, distribution::zipf}) {
        check_fives(d, 40009, bins);
        check_bytes<3, 1>(d, 40009, bins);
      }
  }
}

BOOST_AUTO_TEST_CASE(values_behind_iterators) {
  constexpr std::int64_t bins = 65537;
  constexpr std::size_t n = 100003;
  const auto keys = test::keys_of(distribution::zipf, n, bins);
  const auto values =
      thrust::make_transform_iterator(thrust::make_counting_iterator<std::int64_t>(-5), five_at{});
  auto k = test::buffer_of<test::cuda>(keys);
  const auto expected =
      test::fold_on_one_thread<five>(n, keys.data(), values, bins, {}, sum_five{}, five{});
  for (route forced : {route::automatic, route::partitioned}) {
    test::output<test::cuda, five> out(bins);
    thrust_hist::histogram_by_key(
        test::cuda::policy(), k.data(), k.data() + n, values, out.data(), bins, sum_five{}, five{},
        options{}.force(forced));
    out.check_equals(expected.plain);
  }
}

// Values are converted to what is folded; an operator may be for the device alone.
BOOST_AUTO_TEST_CASE(lambdas_for_the_device_and_values_of_another_type) {
  constexpr std::int64_t bins = 65537;
  constexpr std::size_t n = 100003;
  const auto keys = test::keys_of(distribution::zipf, n, bins);
  const test::samples<std::int16_t> values(
      n, [](std::size_t i) { return static_cast<std::int16_t>(test::scrambled(i)); });
  const auto expected = test::fold_on_one_thread<std::int64_t>(
      n, keys.data(), values.data(), bins, {}, thrust::plus<std::int64_t>{}, std::int64_t{0});
  auto k = test::buffer_of<test::cuda>(keys);
  auto v = test::buffer_of<test::cuda>(values);
  const auto plus = [] __device__(std::int64_t a, std::int64_t b) { return a + b; };
  for (route forced : {route::automatic, route::partitioned, route::global}) {
    test::output<test::cuda, std::int64_t> out(bins);
    thrust_hist::histogram_by_key(
        test::cuda::policy(), k.data(), k.data() + n, v.data(), out.data(), bins, plus,
        std::int64_t{0}, options{}.force(forced));
    out.check_equals(expected.plain);
  }
}

BOOST_AUTO_TEST_CASE(values_without_a_default_constructor) {
  constexpr std::int64_t bins = 65537;
  const auto keys = test::keys_of(distribution::zipf, 100003, bins);
  check_hulls<double>(keys, bins);
  check_hulls<std::int16_t>(keys, bins);
}

BOOST_AUTO_TEST_CASE(is_what_the_plan_takes_for_many_bins_and_enough_pairs) {
  for (std::int64_t bins : {6000, 70000, 1 << 20}) {
    BOOST_TEST((plan_of_fives(1 << 25, bins, {}).taken == route::partitioned));
    BOOST_TEST((plan_of_fives(1 << 13, bins, {}).taken == route::global));
    BOOST_TEST((plan_of_fives(1 << 12, bins, {}).taken == route::sorted));
    BOOST_TEST((plan_of_fives(1 << 18, bins, {}).taken == route::sorted));
  }
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(folds_partitioned_locks_large, THRUST_HIST_TEST_LARGE)

using folds_partitioned_locks_setup::check_bytes;
using folds_partitioned_locks_setup::check_fives;
using folds_partitioned_locks_setup::sum_longs;
using thrust_hist::options;
using thrust_hist::route;

// So many pairs that tables in shared memory have places of warps, too.
BOOST_AUTO_TEST_CASE(bins_that_many_warps_want_at_once) {
  constexpr std::size_t n = (1 << 20) + 77;
  for (test::distribution d : test::all_distributions) {
    check_fives(d, n, 4000, options{}.force(route::shared));
    check_bytes<8, 8>(d, n, 9001, options{}.force(route::shared));
    check_bytes<16, 16>(d, n, 4000, options{}.force(route::shared));
    check_bytes<3, 1>(d, n, 16001, options{}.force(route::shared));
    check_bytes<16, 16>(d, n, 70001);
  }
}

// Blocks share heavy buckets, and have light ones alone.
BOOST_AUTO_TEST_CASE(millions) {
  constexpr std::size_t n = 3000017;
  const test::samples<std::int64_t> values(
      n, [](std::size_t i) { return static_cast<std::int64_t>(test::scrambled(i)); });
  for (test::distribution d : test::all_distributions)
    BOOST_TEST_CONTEXT(test::name_of(d))
  BOOST_TEST(
      test::check_fold<std::int64_t>(
          test::keys_of(d, n, 200000), values, 200000, {}, sum_longs{}, std::int64_t{0}) >= 2);
}

BOOST_AUTO_TEST_SUITE_END()
