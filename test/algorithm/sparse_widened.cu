// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Values that come in a narrower type than they are folded in, on CUDA: sorted with their keys they
// move as they came.

#include "../support/fewer.h"
#include "../support/folds.h"
#include "../support/sparse.h"
#include "sparse_reals.h"
#include <thrust_hist/sparse_histogram.h>
#include <thrust_hist/system/cuda/sorted_values.cuh>

#include <thrust/functional.h>
#include <thrust/iterator/transform_iterator.h>

#include <cstddef>
#include <cstdint>
#include <limits>

namespace sparse_widened_setup {

using System = test::main_system;
using thrust_hist::sparse_histogram_by_key;

struct larger {
  template <class T>
  T operator()(T const& a, T const& b) const {
    return b > a ? b : a;
  }
};
// An operator that nobody knows, and that keeps all bits.
struct users_xor {
  THRUST_HIST_HOST_DEVICE std::int64_t operator()(std::int64_t a, std::int64_t b) const {
    return a ^ b;
  }
};

// The largest numbers of their type, and negative ones, so that a sum in that type would be
// another.
template <class Value>
test::samples<Value> values_of(std::size_t n) {
  return test::samples<Value>(n, [](std::size_t i) {
    if constexpr (std::is_floating_point_v<Value>)
      return static_cast<Value>(static_cast<int>(i % 4001) - 1000);
    else
      return static_cast<Value>(
          i % 3 == 0 ? std::numeric_limits<Value>::max()
                     : std::numeric_limits<Value>::min() + static_cast<int>(i % 5));
  });
}

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

template <class Key>
test::samples<Key> keys_of(std::size_t n, std::uint64_t distinct) {
  return test::samples<Key>(n, [=](std::size_t i) {
    const std::uint64_t k = (i * 7919 + i / 3) % distinct;
    return static_cast<Key>(static_cast<Key>(k) * static_cast<Key>(0x9e3779b97f4a7c15U));
  });
}

// For the sorts of few pairs, bucket by bucket, and of many, as they stand and as codes.
template <class Key>
void check_sums(std::size_t n, std::uint64_t distinct) {
  BOOST_TEST_CONTEXT(sizeof(Key) << " bytes, " << n << " keys, " << distinct << " distinct") {
    const auto keys = keys_of<Key>(n, distinct);
    check<std::int64_t>(keys, values_of<std::int8_t>(n), test::by_plus{});
    check<double>(keys, values_of<float>(n), test::by_plus{});
  }
}
void check_others(std::size_t n, std::uint64_t distinct) {
  BOOST_TEST_CONTEXT(n << " keys, " << distinct << " distinct") {
    const auto keys = keys_of<std::uint32_t>(n, distinct);
    check<double>(keys, values_of<int>(n), larger{}, thrust::maximum<double>{});
    check<std::int64_t>(keys, values_of<std::int16_t>(n), users_xor{}, users_xor{});
  }
}

using thrust_hist::detail::cuda::comes_narrow;
using sum_of_long = thrust_hist::detail::plain_fold<
    std::int64_t, decltype(thrust_hist::detail::canonical(thrust::plus<std::int64_t>{}))>;
static_assert(comes_narrow<sum_of_long, std::int8_t> && comes_narrow<sum_of_long, float>);
static_assert(!comes_narrow<sum_of_long, std::int64_t> && !comes_narrow<sum_of_long, double>);

}  // namespace sparse_widened_setup

BOOST_AUTO_TEST_SUITE(sparse_widened, THRUST_HIST_TEST_SMALL)
using namespace sparse_widened_setup;

BOOST_AUTO_TEST_CASE(few_values_are_folded_in_the_wider_type) {
  for (std::size_t n : test::fewer({1, 2, 1000, 60007}, {1000}))
    for (std::uint64_t distinct : {1, 40, 50021}) {
      check_sums<std::uint32_t>(n, distinct);
      check_sums<std::uint64_t>(n, distinct);
      check_others(n, distinct);
    }
}

// Real keys are codes, some of them alone.
BOOST_AUTO_TEST_CASE(values_of_real_keys) {
  for (std::size_t n : {1000, 70003}) {
    const auto keys = test::any_numbers<double>(n);
    const test::samples<std::int16_t> values(
        n, [](std::size_t i) { return static_cast<std::int16_t>(i % 3 - 1); });
    test::check_sparse<System>(
        keys, values, test::reduce_reals<double>(keys, values),
        [](auto first, auto last, auto with, auto to, auto out, auto const& o) {
          return sparse_histogram_by_key(System::policy(), first, last, with, to, out, o);
        });
  }
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(sparse_widened_large, THRUST_HIST_TEST_LARGE)
using namespace sparse_widened_setup;

BOOST_AUTO_TEST_CASE(many_values_are_folded_in_the_wider_type) {
  constexpr std::size_t n = (std::size_t{1} << 19) + 7;
  for (std::uint64_t distinct : {std::uint64_t{3000}, std::uint64_t{1} << 40}) {
    check_sums<std::uint32_t>(n, distinct);
    check_sums<std::uint64_t>(n, distinct);
  }
}

BOOST_AUTO_TEST_SUITE_END()
