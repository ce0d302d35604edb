// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Sums of integers on CUDA, of every width, into outputs of the same and other types.

#include "fold_cases.h"

#include <thrust/device_vector.h>
#include <thrust/host_vector.h>
#include <thrust/iterator/discard_iterator.h>

#include <limits>
#include <tuple>
#include <utility>

BOOST_AUTO_TEST_SUITE(folds_integers, THRUST_HIST_TEST_SMALL_LOCKS)

namespace {

template <class V, class A>
using from_to = std::pair<V, A>;
using sums = std::tuple<
    from_to<std::int8_t, std::int8_t>, from_to<std::uint8_t, std::uint64_t>,
    from_to<std::int16_t, std::int16_t>, from_to<std::int32_t, std::int32_t>,
    from_to<std::uint32_t, std::int64_t>, from_to<std::int64_t, std::uint32_t>,
    from_to<std::uint64_t, std::uint64_t>>;

// Any, the least and the greatest: sums wrap.
template <class V>
test::samples<V> integers(std::size_t n) {
  return test::samples<V>(n, [](std::size_t i) {
    return i % 7 == 0   ? std::numeric_limits<V>::min()
           : i % 7 == 1 ? std::numeric_limits<V>::max()
                        : static_cast<V>(test::scrambled(i));
  });
}

// By every operator that words of 32 bits stand for, and two that they do not.
template <class A, class V>
void check_operators(test::samples<V> const& values) {
  for (std::int64_t bins : {300, 70001}) {
    const auto keys =
        test::keys_of(test::distribution::zipf, values.size(), static_cast<std::uint64_t>(bins));
    const auto check = [&](auto op) {
      BOOST_TEST(test::check_fold<A>(keys, values, bins, {}, op) >= 2);
    };
    check(thrust::plus<A>{});
    check(thrust::minimum<A>{});
    check(thrust::maximum<A>{});
    check(thrust::multiplies<A>{});
    check(thrust::bit_and<A>{});
    check(thrust::bit_or<A>{});
    check(thrust::bit_xor<A>{});
    check(thrust::logical_and<A>{});
    check(thrust::logical_or<A>{});
  }
}

// Of odd numbers, which no product makes forget what was lost, merged by blocks that share bins.
template <class V>
void check_odd_products() {
  constexpr std::size_t n = 400009;
  constexpr std::int64_t bins = 70001;
  const auto keys = test::keys_of(test::distribution::mostly_one, n, bins);
  const test::samples<V> values(
      n, [](std::size_t i) { return static_cast<V>(test::scrambled(i) | 1U); });
  BOOST_TEST(test::check_fold<V>(keys, values, bins, {}, thrust::multiplies<V>{}) >= 2);
}

}  // namespace

BOOST_AUTO_TEST_CASE(values_are_narrowed_before_they_are_folded) {
  constexpr std::size_t n = 20011;
  check_operators<std::uint8_t>(integers<std::int32_t>(n));
  check_operators<std::int8_t>(integers<std::int8_t>(n));
  check_operators<std::int16_t>(
      test::samples<float>(n, [](std::size_t i) { return static_cast<float>(i % 4001) - 2000; }));
}

// std::vector has no array of them.
template <class Op>
void check_truths(std::int64_t bins, Op op) {
  constexpr std::size_t n = 20011;
  const auto keys =
      test::keys_of(test::distribution::zipf, n, static_cast<std::uint64_t>(bins), true);
  thrust::host_vector<bool> values(n), expected(static_cast<std::size_t>(bins));
  for (std::size_t i = 0; i < n; ++i)
    values[i] = test::scrambled(i) % 3 != 0;
  thrust_hist::histogram_by_key(
      thrust::seq, keys.begin(), keys.end(), values.begin(), expected.begin(), bins, op);
  const thrust::device_vector<std::uint32_t> k(keys.begin(), keys.end());
  const thrust::device_vector<bool> v(values);
  for (thrust_hist::route forced : test::fold_routes)
    if (forced != thrust_hist::route::registers && forced != thrust_hist::route::sorted &&
        (forced != thrust_hist::route::shared || bins < 1000)) {
      thrust::device_vector<bool> out(static_cast<std::size_t>(bins));
      thrust_hist::histogram_by_key(
          thrust::device, k.begin(), k.end(), v.begin(), out.begin(), bins, op,
          thrust_hist::options{}.force(forced));
      BOOST_TEST((expected == thrust::host_vector<bool>(out)), bins << " bins, route " << forced);
    }
}
BOOST_AUTO_TEST_CASE(truths_are_folded) {
  for (std::int64_t bins : {300, 70001}) {
    check_truths(bins, thrust::plus<bool>{});
    check_truths(bins, thrust::multiplies<bool>{});
    check_truths(bins, thrust::minimum<bool>{});
    check_truths(bins, thrust::maximum<bool>{});
    check_truths(bins, thrust::bit_xor<bool>{});
    check_truths(bins, thrust::logical_and<bool>{});
    check_truths(bins, thrust::logical_or<bool>{});
  }
}

BOOST_AUTO_TEST_CASE(states_of_parts_of_a_word_are_merged) {
  check_odd_products<std::uint8_t>();
  check_odd_products<std::int16_t>();
}

BOOST_AUTO_TEST_CASE(what_is_written_has_the_type_of_the_values) {
  using narrow = thrust_hist::detail::plain_fold<
      std::uint8_t, thrust_hist::detail::known_operator<thrust_hist::detail::operator_kind::sum>>;
  using wide = thrust_hist::detail::cuda::fold_in_words_t<narrow>;
  using anywhere = thrust::discard_iterator<>;
  BOOST_TEST((std::is_same_v<
              thrust_hist::detail::fold_writer<anywhere, wide>::folded,
              thrust_hist::detail::fold_writer<anywhere, narrow>::folded>));
}

// An identity of the user's is what bins without values have.
BOOST_AUTO_TEST_CASE(narrow_integers_begin_with_the_identity) {
  const auto keys = test::keys_of(test::distribution::uniform, 20011, 70001);
  BOOST_TEST(
      test::check_fold<std::uint8_t>(
          keys, integers<std::uint8_t>(20011), 70001, {}, thrust::maximum<std::uint8_t>{},
          std::uint8_t{7}) >= 2);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(sums_wrap_and_never_lose_a_carry, Types, sums) {
  using V = typename Types::first_type;
  using A = typename Types::second_type;
  for (auto d :
       {test::distribution::uniform, test::distribution::constant, test::distribution::runs})
    for (std::int64_t bins : {1, 19, 1000}) {
      BOOST_TEST_CONTEXT(
          test::name_of(d) << ", " << bins << " bins, " << sizeof(V) << " to " << sizeof(A)
                           << " bytes")
      BOOST_TEST(
          test::check_fold<A>(
              test::keys_of(d, 50021, static_cast<std::uint64_t>(bins)), integers<V>(50021),
              bins) >= 2);
    }
}

BOOST_AUTO_TEST_SUITE_END()
