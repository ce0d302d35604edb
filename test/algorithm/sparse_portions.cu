// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Keys of which few are distinct are sorted in two portions: rows of either alone and of both, in
// their order, whatever values are folded by; exact sums that lose bits, and more rows than were
// expected.

#include "../support/sparse.h"
#include "sparse_portions.h"
#include <thrust_hist/system/cuda/sparse_fold.cuh>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace sparse_portions_setup {

using System = test::main_system;
using test::rows;
using test::samples;
using test::spread_keys;
using test::uint128;
namespace detail = thrust_hist::detail;
namespace on_cuda = thrust_hist::detail::cuda;

// Of two operands it keeps the first, or the second: equal keys have to come in their order.
struct keep_first {
  template <class T>
  THRUST_HIST_HOST_DEVICE T operator()(T a, T) const {
    return a;
  }
};
struct keep_second {
  template <class T>
  THRUST_HIST_HOST_DEVICE T operator()(T, T b) const {
    return b;
  }
};

enum class outcome { rows, many, lost };

// What portions make of pairs; a fold that counts has no values.
template <class Fold, class Key, class Value, class A>
void check_portions(
    samples<Key> const& keys, samples<Value> const& values, Fold const& fold,
    rows<Key, A> const& expected, outcome what = outcome::rows) {
  auto keys_there = test::buffer_of<System>(keys);
  auto values_there = test::buffer_of<System>(values);
  test::sparse_output<System, Key, A> out(keys.size());
  auto policy = System::policy();
  const auto narrow = detail::keys_by<Key>(detail::no_key_operators{});
  const auto kind = on_cuda::widen(narrow);
  using kind_type = std::remove_const_t<decltype(kind)>;
  using source_type =
      detail::sparse_pairs<Key const*, Value const*, std::remove_const_t<decltype(narrow)>>;
  const source_type source = {keys_there.data(), values_there.data(), keys.size(), narrow};
  using policy_type = decltype(policy);
  on_cuda::call_memory<policy_type> memory(policy);
  on_cuda::key_facts<policy_type, Key const*, kind_type> facts(
      memory, source.first, source.n, kind);
  on_cuda::sorted_portions<policy_type, source_type, kind_type, Fold> portions(facts, source, fold);
  BOOST_TEST(portions.run() == (what == outcome::rows));
  BOOST_TEST(portions.has_lost_bits() == (what == outcome::lost));
  if (what != outcome::rows)
    return;
  BOOST_TEST(portions.rows() == expected.keys.size());
  using writer = on_cuda::row_writer<kind_type, Key, Fold, Key*, A*>;
  BOOST_TEST(
      portions.write(source, writer{fold, out.keys(), out.values()}) == expected.keys.size());
  out.check_equals(expected);
}

template <class T, class Op>
using fold_by = detail::first_fold<T, Op>;
template <class Fold, class A, class Key, class Value, class Op>
void check_folded(samples<Key> const& keys, samples<Value> const& values, Fold fold, Op op) {
  check_portions(keys, values, fold, test::reduce_sorted<A>(keys, values, test::by_less{}, op));
}

// By some folds: counts, values of any width that a word holds, exact sums.
template <class Key>
void check_folds(samples<Key> const& keys) {
  const std::size_t n = keys.size();
  check_portions(keys, keys, detail::count_fold{}, test::count_sorted<unsigned>(keys));
  const samples<std::uint32_t> numbers(n, [](std::size_t i) { return i * 7919; });
  check_folded<fold_by<std::uint32_t, keep_first>, std::uint32_t>(keys, numbers, {}, keep_first{});
  check_folded<fold_by<std::uint32_t, keep_second>, std::uint32_t>(
      keys, numbers, {}, keep_second{});
  const samples<std::int8_t> narrow(
      n, [](std::size_t i) { return static_cast<int>(i % 255) - 127; });
  check_folded<fold_by<std::int64_t, test::by_plus>, std::int64_t>(
      keys, narrow, {}, test::by_plus{});
  const samples<float> reals(n, [](std::size_t i) { return static_cast<float>(i % 9); });
  check_folded<detail::exact_sum_fold<float>, float>(keys, reals, {}, test::by_plus{});
  const samples<double> wide(n, [](std::size_t i) { return static_cast<double>(i % 77) / 4; });
  check_folded<detail::exact_sum_fold<double>, double>(keys, wide, {}, test::by_plus{});
}

}  // namespace sparse_portions_setup

BOOST_AUTO_TEST_SUITE(sparse_portions, THRUST_HIST_TEST_LARGE)
using namespace sparse_portions_setup;

BOOST_AUTO_TEST_CASE(rows_of_both_portions_are_folded_into_one) {
  for (std::size_t n : {32, 33, 1000, 70001})
    BOOST_TEST_CONTEXT(n << " keys") {
      check_folds(spread_keys<uint128>(n, [](std::size_t) { return 0; }));
      check_folds(spread_keys<uint128>(n, [=](std::size_t i) { return i * 7 % (n / 20 + 1); }));
      check_folds(
          spread_keys<test::int128>(n, [=](std::size_t i) { return i * 7 % (n / 20 + 1); }));
    }
}
BOOST_AUTO_TEST_CASE(portions_may_have_no_key_in_common) {
  constexpr std::size_t n = 30001;
  for (std::size_t distinct : {2, 900})
    check_folds(spread_keys<uint128>(n, [=](std::size_t i) { return i * distinct / n; }));
}
BOOST_AUTO_TEST_CASE(the_second_portion_may_have_many_rows) {
  constexpr std::size_t n = 30001;
  check_folds(spread_keys<uint128>(n, [](std::size_t i) { return i < n / 2 + 1 ? i % 3 : i / 5; }));
}
BOOST_AUTO_TEST_CASE(keys_of_other_types_go_as_well) {
  constexpr std::size_t n = 70001;
  const auto which = [](std::size_t i) { return i * 7 % 3000; };
  check_folds(spread_keys<std::uint32_t>(n, which));
  check_folds(spread_keys<std::int64_t>(n, which));
  check_folds(samples<double>(n, [=](std::size_t i) { return static_cast<double>(which(i)) - 7; }));
}
BOOST_AUTO_TEST_CASE(many_rows_of_the_first_portion_are_told) {
  constexpr std::size_t n = 30001;
  const auto keys = spread_keys<uint128>(n, [](std::size_t i) { return i % (n / 16 + 1); });
  check_portions(keys, keys, detail::count_fold{}, rows<uint128, unsigned>{}, outcome::many);
  const auto second = spread_keys<uint128>(n, [](std::size_t i) { return i < n / 2 + 1 ? 1 : i; });
  check_portions(second, second, detail::count_fold{}, rows<uint128, unsigned>{}, outcome::many);
}
BOOST_AUTO_TEST_CASE(keys_that_equal_no_other_one_are_told) {
  constexpr std::size_t n = 3001;
  for (std::size_t place : {std::size_t{7}, n - 1}) {
    const samples<float> keys(n, [=](std::size_t i) {
      return i == place ? std::numeric_limits<float>::quiet_NaN() : static_cast<float>(i % 5);
    });
    check_portions(keys, keys, detail::count_fold{}, rows<float, unsigned>{}, outcome::many);
  }
}
BOOST_AUTO_TEST_CASE(sums_that_lose_bits_are_told) {
  constexpr std::size_t n = 3001;
  const auto keys = spread_keys<uint128>(n, [](std::size_t i) { return i % 5; });
  // In one portion, or only where those of both come together.
  for (std::size_t second : {std::size_t{10}, n - 1}) {
    const samples<double> values(n, [=](std::size_t i) {
      return i == 0 ? 1e200 : i == second / 5 * 5 ? 1e-200 : 1.0;
    });
    check_portions(
        keys, values, detail::exact_sum_fold<double>{}, rows<uint128, double>{}, outcome::lost);
  }
}

BOOST_AUTO_TEST_SUITE_END()
