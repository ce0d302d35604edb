// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Values folded while keys are found, on CUDA: in hash tables, and in runs of sorted keys of any
// length. Sums of real numbers are compared bit by bit, of numbers so chosen that none of them is
// rounded.

#include "../support/fewer.h"
#include "../support/folds.h"
#include "../support/pretended_gpu.h"
#include "../support/sparse.h"
#include "sparse_reals.h"
#include <thrust_hist/detail/mixed_codes.h>
#include <thrust_hist/sparse_histogram.h>
#include <thrust_hist/system/cuda/code_buckets.h>
#include <thrust_hist/system/cuda/launch.cuh>
#include <thrust_hist/system/cuda/reduce_sorted.cuh>

#include <thrust/device_vector.h>
#include <thrust/functional.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace sparse_sums_setup {

using System = test::main_system;
using thrust_hist::sparse_histogram_by_key;

inline std::uint64_t mixed(std::size_t i) {
  const std::uint64_t x = (i + 1) * 0x9e3779b97f4a7c15U;
  return x ^ x >> 29;
}

// The fold of values by keys under every route.
template <class A, class Key, class Value, class Reference, class... Op>
void check(
    test::samples<Key> const& keys, test::samples<Value> const& values, Reference reference,
    Op... op) {
  test::check_sparse<System>(
      keys, values, test::reduce_sorted<A>(keys, values, test::by_less{}, reference),
      [&](auto first, auto last, auto with, auto to, auto out, auto const& o) {
        return sparse_histogram_by_key(System::policy(), first, last, with, to, out, op..., o);
      });
}
template <class A, class Key, class Value>
void check_sums(test::samples<Key> const& keys, test::samples<Value> const& values) {
  check<A>(keys, values, test::by_plus{});
}

struct smaller {
  template <class T>
  T operator()(T const& a, T const& b) const {
    return std::isnan(a) || b < a ? b : a;
  }
};

struct larger {
  template <class T>
  T operator()(T const& a, T const& b) const {
    return b > a ? b : a;
  }
};

// Key k so often as `length(k)` says, in an order that has nothing to do with it.
template <class Key, class Length>
test::samples<Key> keys_of_lengths(std::size_t kinds, Length length) {
  std::vector<Key> list;
  for (std::size_t k = 0; k < kinds; ++k)
    list.insert(list.end(), length(k), static_cast<Key>(k * 0x9e3779b97f4a7c15U));
  test::random rng(list.size());
  std::shuffle(list.begin(), list.end(), rng);
  return test::samples<Key>(list);
}

// Real keys, with zeros of both signs, and values of another type.
template <class Real>
void check_reals(std::size_t n) {
  const auto keys = test::any_numbers<Real>(n);
  const test::samples<float> values(n, [](std::size_t i) { return static_cast<float>(i % 3); });
  test::check_sparse<System>(
      keys, values, test::reduce_reals<float>(keys, values),
      [](auto first, auto last, auto with, auto to, auto out, auto const& o) {
        return sparse_histogram_by_key(System::policy(), first, last, with, to, out, o);
      });
}

// An operator that nobody knows, and that tells how often it was called.
struct users_xor {
  THRUST_HIST_HOST_DEVICE std::int64_t operator()(std::int64_t a, std::int64_t b) const {
    return a ^ b;
  }
};

// CUB adds numbers beside codes, or beside integers that stand, where either has 8 bytes. All else
// is ours.
template <class Code, class Stored, class States>
inline constexpr bool is_reduced = thrust_hist::detail::cuda::may_be_reduced<
    thrust_hist::detail::cuda::run_begins<thrust_hist::detail::number_keys<Code>, Stored>, States>;
template <class T, class Op, class Word>
using carried = thrust_hist::detail::cuda::carried_states<
    thrust_hist::detail::plain_fold<T, decltype(thrust_hist::detail::canonical(Op{}))>, Word>;
using floats = carried<float, thrust::plus<float>, std::uint32_t>;
using doubles = carried<double, thrust::plus<double>, std::uint64_t>;
static_assert(is_reduced<std::uint64_t, long long, floats>);
static_assert(is_reduced<std::uint64_t, std::uint64_t, doubles>);
static_assert(is_reduced<std::uint32_t, std::uint32_t, doubles>);
static_assert(is_reduced<std::uint64_t, std::uint64_t, thrust_hist::detail::cuda::counted_states>);
static_assert(!is_reduced<std::uint32_t, std::uint32_t, floats>);
static_assert(!is_reduced<std::uint32_t, int, carried<int, thrust::plus<int>, std::uint32_t>>);
static_assert(
    !is_reduced<
        std::uint64_t, std::uint64_t, carried<double, thrust::multiplies<double>, std::uint64_t>>);
static_assert(
    !is_reduced<std::uint64_t, std::uint64_t, carried<std::int64_t, users_xor, std::uint64_t>>);
static_assert(!is_reduced<std::uint32_t, float, floats>);
static_assert(!is_reduced<std::uint64_t, double, doubles>);
static_assert(!is_reduced<thrust_hist::detail::uint128, thrust_hist::detail::uint128, floats>);
static_assert(
    !is_reduced<std::uint32_t, std::uint32_t, carried<short, thrust::plus<short>, std::uint32_t>>);

}  // namespace sparse_sums_setup

BOOST_AUTO_TEST_SUITE(sparse_sums, THRUST_HIST_TEST_SMALL)
using namespace sparse_sums_setup;

// A tile of sorted keys has 1 024 here, the stretch of a warp 512 or 256 and that of a thread 16 or
// 8.
BOOST_AUTO_TEST_CASE(runs_of_any_length) {
  for (std::size_t length : test::fewer(
           {1, 2, 7, 8, 9, 15, 16, 17, 255, 256, 257, 511, 512, 513, 4095, 4096, 4097, 12345},
           {1, 17, 513, 4097}))
    for (std::size_t kinds : test::fewer({1, 2, 7}, {2}))
      BOOST_TEST_CONTEXT(kinds << " runs of about " << length) {
        const auto keys =
            keys_of_lengths<std::uint64_t>(kinds, [&](std::size_t k) { return length + k % 3; });
        check_sums<std::int64_t>(keys, test::samples<int>(keys.size(), [](std::size_t i) {
                                   return static_cast<int>(mixed(i) % 1000) - 500;
                                 }));
      }
}

BOOST_AUTO_TEST_CASE(long_runs_among_short_ones) {
  const auto keys = keys_of_lengths<std::uint32_t>(
      3000, [](std::size_t k) { return k % 1000 == 7 ? 20000 : k % 4 + 1; });
  const test::samples<float> values(
      keys.size(), [](std::size_t i) { return static_cast<float>(mixed(i) % 17); });
  check_sums<float>(keys, values);
  check<float>(keys, values, smaller{}, thrust::minimum<float>{});
}

// What sums in shared memory have no place for, and the key whose code is 0.
BOOST_AUTO_TEST_CASE(values_far_apart) {
  const std::size_t n = test::fewer(70001, 20011);
  const test::samples<std::uint64_t> keys(
      n, [](std::size_t i) { return i % 3 == 0 ? 0 : mixed(i % 5003); });
  const auto scaled = [&](int every) {
    // All values of a key are small multiples of one power of two, so sums are exact.
    return test::samples<float>(n, [&keys, every](std::size_t i) {
      const int scale = keys[i] % every == 1 ? static_cast<int>(keys[i] % 90) - 45 : 0;
      return std::ldexp(static_cast<float>(mixed(i) % 9) - 4.F, scale);
    });
  };
  check_sums<float>(keys, scaled(1000000));
  check_sums<float>(keys, scaled(50));
  check_sums<float>(keys, scaled(2));
  const test::samples<double> wide(
      n, [&](std::size_t i) { return std::ldexp(1.0, keys[i] % 50 == 1 ? 300 : 3); });
  check_sums<double>(keys, wide);
}

namespace {

struct point {
  float x, y;
};
struct plus_points {
  __host__ __device__ point operator()(point const& a, point const& b) const {
    return {a.x + b.x, a.y + b.y};
  }
};

}  // namespace

BOOST_AUTO_TEST_CASE(values_may_be_aligned_to_less_than_their_size) {
  const std::size_t n = 5003;
  const std::size_t distinct = 97;
  const test::samples<std::uint64_t> keys(n, [](std::size_t i) { return mixed(i % distinct); });
  const test::samples<float> numbers(
      2 * n + 1, [](std::size_t i) { return static_cast<float>(i % 7); });
  const auto keys_there = test::buffer_of<System>(keys);
  const auto numbers_there = test::buffer_of<System>(numbers);
  auto const* const points = reinterpret_cast<point const*>(numbers_there.data() + 1);
  for (thrust_hist::route forced : {thrust_hist::route::automatic, thrust_hist::route::sorted}) {
    thrust::device_vector<std::uint64_t> keys_out(n);
    thrust::device_vector<point> sums(n);
    const auto ends = sparse_histogram_by_key(
        System::policy(), keys_there.data(), keys_there.data() + n, points,
        thrust::raw_pointer_cast(keys_out.data()), thrust::raw_pointer_cast(sums.data()),
        plus_points{}, thrust_hist::options{}.force(forced));
    BOOST_REQUIRE(ends.first - thrust::raw_pointer_cast(keys_out.data()) == distinct);
    point all = {0, 0};
    for (std::size_t k = 0; k < distinct; ++k)
      all = plus_points{}(all, sums[k]);
    float x = 0;
    float y = 0;
    for (std::size_t i = 0; i < n; ++i) {
      x += numbers[2 * i + 1];
      y += numbers[2 * i + 2];
    }
    BOOST_TEST((all.x == x && all.y == y));
  }
}

BOOST_AUTO_TEST_CASE(infinities_and_nan_come_to_their_keys) {
  const std::size_t n = test::fewer(30001, 9001);
  const test::samples<int> keys(n, [](std::size_t i) { return static_cast<int>(mixed(i) % 2003); });
  const auto odd_one_out = [&](float odd) {
    return test::samples<float>(
        n, [&keys, odd](std::size_t i) { return keys[i] % 100 == 5 ? odd : 2.F; });
  };
  for (float odd : {HUGE_VALF, -HUGE_VALF, 0.F, std::numeric_limits<float>::denorm_min()}) {
    check_sums<float>(keys, odd_one_out(odd));
    check<float>(keys, odd_one_out(odd), smaller{}, thrust::minimum<float>{});
  }
  check<float>(
      keys, odd_one_out(std::numeric_limits<float>::quiet_NaN()), smaller{},
      thrust::minimum<float>{});
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(sparse_sums_large, THRUST_HIST_TEST_LARGE)
using namespace sparse_sums_setup;

namespace {

// Keys that are few for a block, for all blocks, and too many for hash tables. Sums stay below
// 2^24.
template <class Key, class Value, class A>
void check_numbers() {
  constexpr std::size_t n = 2500003;
  for (std::uint64_t distinct : {1, 40, 3000, 60000, 400000, 2000000000})
    BOOST_TEST_CONTEXT(distinct << " distinct keys at most") {
      const test::samples<Key> keys(
          n, [&](std::size_t i) { return static_cast<Key>(mixed(mixed(i) % distinct)); });
      const test::samples<Value> values(
          n, [](std::size_t i) { return static_cast<Value>(mixed(i) % 13); });
      check_sums<A>(keys, values);
    }
}

}  // namespace

BOOST_AUTO_TEST_CASE(any_number_of_distinct_keys) {
  check_numbers<std::uint64_t, float, float>();
  check_numbers<std::uint32_t, double, double>();
  check_numbers<std::int64_t, std::int32_t, std::int64_t>();
  check_numbers<std::uint32_t, std::uint16_t, std::uint32_t>();
}

BOOST_AUTO_TEST_CASE(sorted_keys_and_hot_ones) {
  constexpr std::size_t n = 1500001;
  const test::samples<float> values(
      n, [](std::size_t i) { return static_cast<float>(mixed(i) % 7); });
  for (std::size_t length : {1, 3, 100, 5000, 100000})
    check_sums<float>(
        test::samples<std::uint64_t>(n, [&](std::size_t i) { return i / length; }), values);
  check_sums<float>(
      test::samples<std::uint64_t>(
          n, [](std::size_t i) { return i % 2 == 0 ? 42 : mixed(i % 300000); }),
      values);
}

// From 2^19 pairs on, CUB folds numbers that were sorted with numbers: integers wrap, keys may
// stand as they are, or be codes; some values are no numbers.
BOOST_AUTO_TEST_CASE(half_a_million_pairs) {
  struct wrapping {
    int operator()(int a, int b) const {
      return static_cast<int>(static_cast<unsigned>(a) + static_cast<unsigned>(b));
    }
  };
  constexpr std::size_t least = std::size_t{1} << 19;
  for (std::size_t n : test::fewer({least - 1, least, least + 4607, 3 * least + 1}, {least}))
    BOOST_TEST_CONTEXT(n << " pairs") {
      // Among short runs one of a third of all.
      const auto key = [&](std::size_t i) {
        return i % 3 == 0 ? std::uint64_t{12345} : mixed(i * 7919 % (n / 5)) >> 20;
      };
      const test::samples<int> signed_keys(
          n, [&](std::size_t i) { return static_cast<int>(static_cast<unsigned>(key(i))); });
      check<int>(
          signed_keys,
          test::samples<int>(
              n, [](std::size_t i) { return static_cast<int>(static_cast<unsigned>(mixed(i))); }),
          wrapping{});
      check_sums<double>(
          test::samples<std::int64_t>(
              n, [&](std::size_t i) { return static_cast<std::int64_t>(key(i)) - (1ll << 43); }),
          test::samples<double>(n, [](std::size_t i) { return static_cast<double>(i % 11) - 5; }));
      check_sums<unsigned>(
          test::samples<unsigned long long>(n, [&](std::size_t i) { return key(i) << 20 | 5; }),
          test::samples<unsigned>(
              n, [](std::size_t i) { return static_cast<unsigned>(mixed(i)); }));
      check_reals<float>(n);
      check_reals<double>(n);
      const test::samples<float> with_nan(n, [](std::size_t i) {
        return i % 4 == 1 ? std::numeric_limits<float>::quiet_NaN()
                          : static_cast<float>(mixed(i) % 1000) - 500.F;
      });
      check<float>(signed_keys, with_nan, smaller{}, thrust::minimum<float>{});
      const test::samples<std::int64_t> wide_values(
          n, [](std::size_t i) { return static_cast<std::int64_t>(mixed(i)); });
      check<std::int64_t>(signed_keys, wide_values, users_xor{}, users_xor{});
      check<std::int64_t>(signed_keys, wide_values, larger{}, thrust::maximum<std::int64_t>{});
    }
}

// Rows that hash tables leave are added up by CUB where there are as many.
BOOST_AUTO_TEST_CASE(counts_of_half_a_million_rows) {
  constexpr std::size_t n = std::size_t{3} << 19;
  const test::samples<std::uint64_t> keys(
      n, [](std::size_t i) { return mixed(i % (n / 3 + 11)) * 0x2545f4914f6cdd1d; });
  test::check_sparse_counts<System>(keys, test::count_sorted<int>(keys));
  test::check_sparse_counts<System>(keys, test::count_sorted<std::int64_t>(keys));
}

// Those of a pair are folded before they come to a slot, and those of a warp, unless some are
// beyond the window.
BOOST_AUTO_TEST_CASE(equal_keys_side_by_side) {
  constexpr std::size_t n = 1500001;
  const auto far_below = [](std::uint64_t key) { return key % 50 == 1; };
  struct runs {
    std::size_t length, distinct;  // few keys are folded as they come in
  };
  for (const runs r :
       {runs{2, 30011}, {3, 30011}, {9, 30011}, {64, 30011}, {301, 30011}, {301, 1009}, {4, 1009}})
    BOOST_TEST_CONTEXT("runs of " << r.length << ", " << r.distinct << " keys") {
      const test::samples<std::uint64_t> keys(n, [&](std::size_t i) {
        const std::size_t key = i / r.length % r.distinct;
        return key == 7 ? 0 : mixed(key);
      });
      // Binades of both halves of a window, zeros, and all of some keys beyond it.
      const auto real = [&](std::size_t i) {
        const std::uint64_t random = mixed(i) >> 20;
        const double x = static_cast<double>(random % 9) - 4;
        return std::ldexp(x, far_below(keys[i]) ? -60 : static_cast<int>(random / 16 % 10));
      };
      check_sums<float>(keys, test::samples<float>(n, [&](std::size_t i) {
                          return static_cast<float>(real(i));
                        }));
      check_sums<double>(keys, test::samples<double>(n, real));
      check_sums<std::int64_t>(keys, test::samples<std::int64_t>(n, [](std::size_t i) {
                                 return static_cast<std::int64_t>(mixed(i)) >> 20;
                               }));
      // Some that slots leave out: they look like nothing.
      check<float>(
          keys,
          test::samples<float>(
              n,
              [&](std::size_t i) {
                return far_below(keys[i]) || i % 7 == 0 ? HUGE_VALF
                                                        : static_cast<float>(mixed(i) >> 40);
              }),
          smaller{}, thrust::minimum<float>{});
      check_sums<float>(
          test::samples<unsigned>(
              n, [&](std::size_t i) { return static_cast<unsigned>(keys[i] >> 11); }),
          test::samples<float>(n, [](std::size_t i) { return static_cast<float>(i % 5); }));
    }
}

// Which find their slots late, and all belong to the first bucket. Few keys have no buckets.
BOOST_AUTO_TEST_CASE(codes_whose_high_bits_are_zero) {
  constexpr std::size_t n = 1500001;
  for (std::uint64_t others : {300, 30000})
    for (std::size_t length : {1, 20}) {
      const test::samples<std::uint64_t> keys(n, [&](std::size_t i) {
        const std::uint64_t x = mixed(i / length) >> 7;
        return i / length % 3 == 0 ? thrust_hist::detail::unmix_code(x % (others / 10))
                                   : mixed(x % others);
      });
      test::check_sparse_counts<System>(keys, test::count_sorted<int>(keys));
      check_sums<float>(
          keys, test::samples<float>(n, [](std::size_t i) { return static_cast<float>(i % 7); }));
    }
}

// Slots with states are few where shared memory is small: a bucket is read once for each of its two
// tables.
BOOST_AUTO_TEST_CASE(more_keys_than_one_table_a_bucket_has_room_for) {
  namespace on_cuda = thrust_hist::detail::cuda;
  constexpr std::size_t n = (std::size_t{1} << 22) + 5;
  constexpr std::size_t distinct = 700000;
  const on_cuda::device_facts facts = {20, 48 * 1024, 49 * 1024, 4 << 20};
  const auto buckets = on_cuda::plan_code_buckets(
      distinct, on_cuda::table_fullness::fifth_if_few, n, 8, 4, 12, facts);
  BOOST_TEST((buckets.layout.tables_log2() == 1U && buckets.capacity() >= distinct));
  const test::pretended_gpu gpu(facts);
  check_sums<float>(
      test::samples<std::uint64_t>(
          n, [](std::size_t i) { return mixed(i * 7919 % distinct) << 1; }),
      test::samples<float>(n, [](std::size_t i) { return static_cast<float>(i % 7); }));
  // The code 0 belongs to one of them.
  check_sums<std::int64_t>(
      test::samples<unsigned>(
          n,
          [](std::size_t i) {
            const std::size_t key = i * 7919 % distinct;
            return key == 5 ? 0U : static_cast<unsigned>(mixed(key) >> 32);
          }),
      test::samples<std::int64_t>(
          n, [](std::size_t i) { return static_cast<std::int64_t>(mixed(i)) >> 30; }));
}

// All codes of the first bucket belong to one of its two tables: whole warps have nothing for the
// other one.
BOOST_AUTO_TEST_CASE(a_table_may_have_no_key_of_its_bucket) {
  namespace on_cuda = thrust_hist::detail::cuda;
  constexpr std::size_t n = (std::size_t{1} << 22) + 5;
  constexpr std::size_t distinct = 700000;
  const on_cuda::device_facts facts = {20, 48 * 1024, 49 * 1024, 4 << 20};
  const test::pretended_gpu gpu(facts);
  const auto keys_for = [&](unsigned state_bytes) {
    const auto buckets = on_cuda::plan_code_buckets(
        distinct, on_cuda::table_fullness::fifth_if_few, n, 8, 4, state_bytes, facts);
    BOOST_TEST((buckets.layout.tables_log2() == 1U && buckets.capacity() >= distinct));
    const std::uint64_t codes_of_bucket = ~std::uint64_t{0} / buckets.layout.buckets;
    const std::uint64_t second_table = std::uint64_t{1} << buckets.slots_log2;
    return test::samples<std::uint64_t>(n, [=](std::size_t i) {
      const std::uint64_t code = mixed(i * 7919 % distinct);
      return thrust_hist::detail::unmix_code(code < codes_of_bucket ? code & ~second_table : code);
    });
  };
  const auto small = [](std::size_t i) { return static_cast<int>(mixed(i) >> 50) + 1; };
  const auto keys = keys_for(12);
  check_sums<float>(keys, test::samples<float>(n, [&](std::size_t i) {
                      return static_cast<float>(small(i) % 7);
                    }));
  check_sums<int>(keys_for(4), test::samples<int>(n, small));
  check<int>(
      keys_for(4), test::samples<int>(n, small), [](int a, int b) { return b < a ? b : a; },
      thrust::minimum<int>{});
}

BOOST_AUTO_TEST_SUITE_END()
