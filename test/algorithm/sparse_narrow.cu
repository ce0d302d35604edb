// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Values and keys of 1 and 2 bytes on CUDA: values are sorted as they stand beside keys of any
// size, and short keys by no more bits than they have.

#include "../support/folds.h"
#include "../support/sparse.h"
#include <thrust_hist/sparse_histogram.h>

#include <thrust/count.h>
#include <thrust/device_vector.h>
#include <thrust/find.h>
#include <thrust/functional.h>

#include <cstddef>
#include <cstdint>

namespace sparse_narrow_setup {

using System = test::main_system;

// So many that CUB folds runs of numbers of 8 bytes together.
constexpr std::size_t many = (std::size_t{1} << 19) + 7;

template <class A, class Key, class Value, class Op>
void check(test::samples<Key> const& keys, test::samples<Value> const& values, Op op) {
  test::check_sparse<System>(
      keys, values, test::reduce_sorted<A>(keys, values, test::by_less{}, op),
      [=](auto first, auto last, auto with, auto to, auto out, auto const& o) {
        return thrust_hist::sparse_histogram_by_key(
            System::policy(), first, last, with, to, out, op, o);
      });
}

template <class Key>
test::samples<Key> keys_in_turn(std::size_t n, std::size_t kinds) {
  return test::samples<Key>(
      n, [=](std::size_t i) { return static_cast<Key>(i % kinds * 0x9e3779b97f4a7c15U); });
}

using pair_of_words = test::blob<8, 4>;

}  // namespace sparse_narrow_setup

BOOST_AUTO_TEST_SUITE(sparse_narrow, THRUST_HIST_TEST_LARGE)
using namespace sparse_narrow_setup;

// Each key has a multiple of 256 of them, but for one that has none.
BOOST_AUTO_TEST_CASE(sums_of_bool_are_true_where_any_is) {
  constexpr std::size_t kinds = 1024;
  const auto keys = keys_in_turn<std::uint64_t>(std::size_t{1} << 19, kinds);
  const thrust::device_vector<std::uint64_t> keys_there(keys.begin(), keys.end());
  thrust::device_vector<bool> values(keys.size(), true);
  for (std::size_t i = 7; i < keys.size(); i += kinds)
    values[i] = false;
  for (thrust_hist::route forced : test::sparse_routes)
    BOOST_TEST_CONTEXT("route " << forced) {
      thrust::device_vector<std::uint64_t> unique;
      thrust::device_vector<bool> sums;
      thrust_hist::sparse_histogram_by_key(
          System::policy(), keys_there.begin(), keys_there.end(), values.begin(), unique, sums,
          thrust::plus<bool>{}, thrust_hist::options{}.force(forced));
      BOOST_TEST_REQUIRE(unique.size() == kinds);
      BOOST_TEST(thrust::count(sums.begin(), sums.end(), true) == kinds - 1);
      const auto at = thrust::find(sums.begin(), sums.end(), false) - sums.begin();
      BOOST_TEST(unique[at] == keys[7]);
    }
}

BOOST_AUTO_TEST_CASE(sums_of_short_integers_wrap) {
  const test::samples<std::int16_t> values(
      many, [](std::size_t i) { return static_cast<std::int16_t>(i * 7919); });
  for (std::size_t kinds : {1, 1000, 300007})
    check<std::int16_t>(
        keys_in_turn<std::uint64_t>(many, kinds), values, thrust::plus<std::int16_t>{});
}

BOOST_AUTO_TEST_CASE(keys_of_2_bytes_have_sums_of_floats) {
  const test::samples<float> values(many, [](std::size_t i) { return static_cast<float>(i % 8); });
  for (std::size_t n : {std::size_t{1}, std::size_t{300}, many})
    for (std::size_t kinds : {1, 1000, 65536})
      check<float>(
          keys_in_turn<std::int16_t>(n, kinds),
          test::samples<float>(n, [&](std::size_t i) { return values[i]; }), thrust::plus<float>{});
}

BOOST_AUTO_TEST_CASE(keys_of_1_byte_have_values_of_any_type) {
  for (std::size_t n : {std::size_t{300}, many})
    for (std::size_t kinds : {1, 7, 256}) {
      const auto keys = keys_in_turn<std::uint8_t>(n, kinds);
      check<pair_of_words>(
          keys, test::samples<pair_of_words>(n, test::make_blob<pair_of_words>), test::add_bytes{});
    }
}

// An operator whose identity nobody knows, on values of another type: rows begin with nothing, and
// half of the pairs want one of few.
struct larger_number {
  THRUST_HIST_HOST_DEVICE double operator()(double a, double b) const { return a < b ? b : a; }
};
BOOST_AUTO_TEST_CASE(values_of_frequent_keys_are_folded_from_nothing) {
  constexpr std::size_t n = (std::size_t{1} << 20) + 7;
  const test::samples<int> values(
      n, [](std::size_t i) { return static_cast<int>(i * 2654435761U); });
  for (std::size_t kinds : {3, 700}) {
    const test::samples<std::uint32_t> keys(n, [=](std::size_t i) {
      return static_cast<std::uint32_t>(i % 2 == 0 ? 5 : i * 0x9e3779b97f4a7c15U % kinds);
    });
    check<double>(keys, values, larger_number{});
  }
}

BOOST_AUTO_TEST_SUITE_END()
