// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Keys of which few are distinct are sorted in two portions: rows of either alone and of both, in their order, whatever
// values are folded by; exact sums that lose bits, and more rows than were expected. And calls, which take no more memory
// than twice the input and 64 bytes a distinct key, however they go.

#include "../support/allocators.h"
#include "../support/sparse.h"
#include "sparse_reals.h"
#include <thrust_hist/system/cuda/sparse_fold.cuh>

#include <thrust/functional.h>

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <type_traits>
#include <vector>

namespace sparse_portions_setup {

using System = test::main_system;
using test::rows;
using test::samples;
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

// Hash tables have no slots for it.
struct either_bit {
  THRUST_HIST_HOST_DEVICE std::uint32_t operator()(std::uint32_t a, std::uint32_t b) const {
    return a ^ b;
  }
};

uint128 spread(std::uint64_t i) {
  return uint128{detail::mix_code(i + 1)} << 64 | detail::mix_code(i + 7);
}
// Keys by which of the distinct ones each is.
template <class Key, class Which>
samples<Key> keys_of(std::size_t n, Which which) {
  return samples<Key>(n, [&](std::size_t i) { return static_cast<Key>(spread(which(i))); });
}

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

// A call by a policy whose memory is metered.
template <class Key, class Value, class A, class Call>
void check_call(
    samples<Key> const& keys, samples<Value> const& values, std::size_t value_bytes,
    rows<Key, A> const& expected, Call call) {
  auto keys_there = test::buffer_of<System>(keys);
  auto values_there = test::buffer_of<System>(values);
  Key const* const first = keys_there.data();
  const auto run = [&](thrust_hist::options const& o) {
    test::sparse_output<System, Key, A> out(keys.size());
    test::ledger book;
    test::counting_allocator<System> allocator(book);
    const auto ends = call(
        System::policy_with(allocator), first, first + keys.size(), values_there.data(), out.keys(),
        out.values(), o);
    out.check_ends(ends, expected.keys.size());
    out.check_equals(expected);
    return book.peak();
  };
  const std::size_t twice = 2 * keys.size() * (sizeof(Key) + value_bytes);
  // Some wide ones are compared, which takes 8 bytes for some hundred keys; and what is told takes some KB.
  const bool are_compared = sizeof(Key) > 8 && keys.size() < (std::size_t{1} << 21);
  const std::size_t more = are_compared ? keys.size() / 64 : 20000;
  const std::size_t peak = run({});
  BOOST_TEST(peak <= twice + 64 * expected.keys.size() + more);
  thrust_hist::plan said;
  test::sparse_output<System, Key, A> untouched(keys.size());
  call(
      System::policy(), first, first + keys.size(), values_there.data(), untouched.keys(),
      untouched.values(), thrust_hist::options{}.explain(&said));
  untouched.check_untouched();
  BOOST_TEST(peak <= said.scratch_bytes);
  BOOST_TEST(
      run(thrust_hist::options{}.max_temporary_bytes(said.scratch_bytes)) <= said.scratch_bytes);
}
template <class Key>
void check_counts(samples<Key> const& keys) {
  check_call(
      keys, samples<char>(1, [](std::size_t) { return 0; }), 0, test::count_sorted<unsigned>(keys),
      [](auto policy, auto first, auto last, auto, auto to, auto counts, auto const& o) {
        return thrust_hist::sparse_histogram(policy, first, last, to, counts, o);
      });
}
template <class Key, class Value>
void check_sums(
    samples<Key> const& keys, samples<Value> const& values, rows<Key, Value> const& expected,
    bool exact) {
  check_call(
      keys, values, sizeof(Value), expected,
      [=](auto policy, auto first, auto last, auto with, auto to, auto sums, auto o) {
        return thrust_hist::sparse_histogram_by_key(
            policy, first, last, with, to, sums, thrust::plus<Value>{}, o.exact(exact));
      });
}
template <class Key, class Value>
void check_sums(samples<Key> const& keys, samples<Value> const& values, bool exact) {
  check_sums(
      keys, values, test::reduce_sorted<Value>(keys, values, test::by_less{}, test::by_plus{}),
      exact);
}

constexpr std::size_t many = (std::size_t{1} << 21) + 1003;

}  // namespace sparse_portions_setup

BOOST_AUTO_TEST_SUITE(sparse_portions, THRUST_HIST_TEST_LARGE)
using namespace sparse_portions_setup;

BOOST_AUTO_TEST_CASE(rows_of_both_portions_are_folded_into_one) {
  for (std::size_t n : {32, 33, 1000, 70001})
    BOOST_TEST_CONTEXT(n << " keys") {
      check_folds(keys_of<uint128>(n, [](std::size_t) { return 0; }));
      check_folds(keys_of<uint128>(n, [=](std::size_t i) { return i * 7 % (n / 20 + 1); }));
      check_folds(keys_of<test::int128>(n, [=](std::size_t i) { return i * 7 % (n / 20 + 1); }));
    }
}
BOOST_AUTO_TEST_CASE(portions_may_have_no_key_in_common) {
  constexpr std::size_t n = 30001;
  for (std::size_t distinct : {2, 900})
    check_folds(keys_of<uint128>(n, [=](std::size_t i) { return i * distinct / n; }));
}
BOOST_AUTO_TEST_CASE(the_second_portion_may_have_many_rows) {
  constexpr std::size_t n = 30001;
  check_folds(keys_of<uint128>(n, [](std::size_t i) { return i < n / 2 + 1 ? i % 3 : i / 5; }));
}
BOOST_AUTO_TEST_CASE(keys_of_other_types_go_as_well) {
  constexpr std::size_t n = 70001;
  const auto which = [](std::size_t i) { return i * 7 % 3000; };
  check_folds(keys_of<std::uint32_t>(n, which));
  check_folds(keys_of<std::int64_t>(n, which));
  check_folds(samples<double>(n, [=](std::size_t i) { return static_cast<double>(which(i)) - 7; }));
}
BOOST_AUTO_TEST_CASE(many_rows_of_the_first_portion_are_told) {
  constexpr std::size_t n = 30001;
  const auto keys = keys_of<uint128>(n, [](std::size_t i) { return i % (n / 16 + 1); });
  check_portions(keys, keys, detail::count_fold{}, rows<uint128, unsigned>{}, outcome::many);
  const auto second = keys_of<uint128>(n, [](std::size_t i) { return i < n / 2 + 1 ? 1 : i; });
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
  const auto keys = keys_of<uint128>(n, [](std::size_t i) { return i % 5; });
  // In one portion, or only where those of both come together.
  for (std::size_t second : {std::size_t{10}, n - 1}) {
    const samples<double> values(n, [=](std::size_t i) {
      return i == 0 ? 1e200 : i == second / 5 * 5 ? 1e-200 : 1.0;
    });
    check_portions(
        keys, values, detail::exact_sum_fold<double>{}, rows<uint128, double>{}, outcome::lost);
  }
}

BOOST_AUTO_TEST_CASE(calls_take_no_more_than_twice_the_input) {
  const auto which = [](std::size_t distinct) {
    return [=](std::size_t i) { return detail::mix_code(i) % distinct; };
  };
  const samples<float> values(many, [](std::size_t i) { return static_cast<float>(i % 4); });
  check_counts(keys_of<uint128>(many, which(1)));
  check_counts(keys_of<uint128>(many / 2 + 1, which(1000)));
  check_sums(keys_of<test::int128>(many, which(1000)), values, false);
  check_sums(keys_of<uint128>(many, which(many / 200)), values, true);
}
// Other keys: some have room in buckets, some are hashed, some sorted in portions or found first.
template <class Key, class Value>
void check_few(bool exact, std::initializer_list<std::size_t> sizes) {
  for (std::size_t n : sizes)
    BOOST_TEST_CONTEXT(n << " keys") {
      const std::size_t distinct = n < many / 4 ? 2 : n / 400;
      const samples<Key> keys(n, [=](std::size_t i) {
        return static_cast<Key>(detail::mix_code(i) % distinct * 40503U);
      });
      const samples<Value> values(n, [](std::size_t i) { return static_cast<Value>(i % 4); });
      check_sums(keys, values, exact);
    }
}
BOOST_AUTO_TEST_CASE(calls_with_few_distinct_keys_take_no_more_than_twice_the_input) {
  check_few<std::uint32_t, float>(true, {many / 8, many});
  check_few<float, float>(true, {many / 8, many});
  check_few<double, float>(true, {many / 8, many + 1});
  check_few<std::uint32_t, double>(false, {many, 2 * many});
}
// By an operator that hash tables have no slots for.
BOOST_AUTO_TEST_CASE(calls_by_other_operators_take_no_more_than_twice_the_input) {
  constexpr std::size_t n = 2 * many;
  for (std::size_t distinct : {std::size_t{2}, std::size_t{20000}})
    BOOST_TEST_CONTEXT(n << " keys, " << distinct << " distinct") {
      const samples<std::uint64_t> keys(
          n, [=](std::size_t i) { return detail::mix_code(detail::mix_code(i) % distinct); });
      const samples<std::uint32_t> values(n, [](std::size_t i) { return i; });
      check_call(
          keys, values, sizeof(std::uint32_t),
          test::reduce_sorted<std::uint32_t>(keys, values, test::by_less{}, either_bit{}),
          [](auto policy, auto first, auto last, auto with, auto to, auto out, auto const& o) {
            return thrust_hist::sparse_histogram_by_key(
                policy, first, last, with, to, out, either_bit{}, o);
          });
    }
}
// One of them, in the second half, equals no other one, so that all are sorted at once.
BOOST_AUTO_TEST_CASE(calls_with_a_key_that_equals_no_other_one) {
  constexpr std::size_t n = (std::size_t{1} << 23) + 7;
  const samples<float> keys(n, [=](std::size_t i) {
    const auto number = detail::mix_code(i) % 20000;
    return i + 9 == n ? std::numeric_limits<float>::quiet_NaN() : static_cast<float>(number);
  });
  const samples<float> values(n, [](std::size_t i) { return static_cast<float>(i % 4); });
  check_sums(keys, values, test::reduce_reals<float>(keys, values), true);
}
// In order, or near each other, or told apart by their lowest bits alone.
BOOST_AUTO_TEST_CASE(calls_with_keys_that_are_not_spread) {
  check_counts(keys_of<uint128>(many, [](std::size_t i) { return i * 1000 / many; }));
  check_counts(samples<uint128>(many, [](std::size_t i) { return uint128{i % 70000}; }));
  check_counts(samples<uint128>(
      many, [](std::size_t i) { return spread(i % 50) << 32 | detail::mix_code(i % 997) >> 32; }));
}
BOOST_AUTO_TEST_CASE(calls_sum_once_more_what_loses_bits) {
  constexpr std::size_t last = (many - 1) / 100 * 100;
  const auto keys = keys_of<uint128>(many, [](std::size_t i) { return i % 100; });
  const samples<double> values(many, [](std::size_t i) {
    return i == 0 ? 1e200 : i == 100 ? 1e-200 : i == last ? -1e200 : 1.0;
  });
  auto expected = test::reduce_sorted<double>(keys, values, test::by_less{}, test::by_plus{});
  for (std::size_t row = 0; row < expected.keys.size(); ++row)
    if (expected.keys[row] == spread(0))
      expected.values[row] = last / 100 - 2;  // and 1e-200
  check_sums(keys, values, expected, true);
}

BOOST_AUTO_TEST_SUITE_END()
