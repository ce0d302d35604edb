// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Calls whose keys are sorted in two portions, or might be: they take no more memory than twice the
// input and 64 bytes a distinct key, however they go, and anything may be read from, written to, or
// fail. Many short keys take what CUB has beside.

#include "../support/allocators.h"
#include "../support/containers.h"
#include "../support/sparse.h"
#include "sparse_portions.h"
#include "sparse_reals.h"
#include <thrust_hist/sparse_histogram.h>

#include <thrust/functional.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <map>
#include <numeric>
#include <unordered_map>
#include <vector>

namespace sparse_portions_calls_setup {

using System = test::main_system;
using test::rows;
using test::samples;
using test::spread_keys;
using test::uint128;
namespace detail = thrust_hist::detail;

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
  // Some wide ones are compared, which takes 8 bytes for some hundred keys. Many short ones, and
  // some of 8 bytes, are sorted at once, for which CUB takes 1 KB for each tile of 8 000 pairs of
  // words of 4 bytes, and of 6 000 longer ones: more than 64 bytes a distinct key where these are
  // few. And what is told takes some KB.
  const bool are_compared = sizeof(Key) > 8 && keys.size() < (std::size_t{1} << 21);
  const bool are_at_once = keys.size() > (std::size_t{1} << 23) &&
                           (sizeof(Key) == 4 || keys.size() < (std::size_t{1} << 25)) &&
                           sizeof(Key) <= 8;
  const std::size_t of_rows = 64 * expected.keys.size();
  const std::size_t of_tiles = keys.size() / (sizeof(Key) + value_bytes > 8 ? 5 : 8);
  const std::size_t beside = are_at_once ? std::max(of_rows, of_tiles) : of_rows;
  const std::size_t peak = run({});
  BOOST_TEST(peak <= twice + beside + (are_compared ? keys.size() / 64 : 20000));
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

// What few keys are folded to, without a sort of all.
template <class Key, class Value, class Op>
rows<Key, Value> fold_few(samples<Key> const& keys, samples<Value> const& values, Op op) {
  std::unordered_map<Key, Value> found;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const auto [place, is_new] = found.emplace(keys[i], values[i]);
    if (!is_new)
      place->second = op(place->second, values[i]);
  }
  rows<Key, Value> folded;
  for (auto const& [key, value] : std::map<Key, Value>(found.begin(), found.end())) {
    folded.keys.push_back(key);
    folded.values.push_back(value);
  }
  return folded;
}

// Folded by an operator that hash tables have no slots for.
template <class Key>
void check_bits(
    samples<Key> const& keys, samples<std::uint32_t> const& values,
    rows<Key, std::uint32_t> const& expected) {
  check_call(
      keys, values, sizeof(std::uint32_t), expected,
      [](auto policy, auto first, auto last, auto with, auto to, auto out, auto const& o) {
        return thrust_hist::sparse_histogram_by_key(
            policy, first, last, with, to, out, test::either_bit{}, o);
      });
}

constexpr std::size_t many = (std::size_t{1} << 21) + 1003;

// Keys that are computed, of which a thousand are distinct, and narrow values.
struct computed_key {
  THRUST_HIST_HOST_DEVICE uint128 operator()(std::uint64_t i) const {
    return test::spread_key(detail::mix_code(i) % 1000);
  }
};
struct computed_value {
  THRUST_HIST_HOST_DEVICE signed char operator()(std::uint64_t i) const {
    return static_cast<signed char>(i % 200 - 100);
  }
};
rows<uint128, std::int64_t> expected_of_computed(std::size_t n) {
  const samples<uint128> keys(n, computed_key{});
  const samples<std::int64_t> values(n, computed_value{});
  return test::reduce_sorted<std::int64_t>(keys, values, test::by_less{}, test::by_plus{});
}

// All of n keys are distinct, and each has the high bits of another one; key i is the place(i)-th
// of all.
class paired_keys {
public:
  explicit paired_keys(std::size_t n) : n_(n), step_(~uint128{} / (n / 2 + 1)) {}
  std::size_t place(std::size_t i) const { return i * 1000003 % n_; }
  uint128 key_at(std::size_t place) const { return place / 2 * step_ + place % 2; }

private:
  std::size_t n_;
  uint128 step_;
};
template <class Check>
void check_paired(std::size_t n, Check check) {
  BOOST_REQUIRE(std::gcd(n, std::size_t{1000003}) == 1U);
  const paired_keys paired(n);
  const samples<uint128> keys(n, [&](std::size_t i) { return paired.key_at(paired.place(i)); });
  rows<uint128, float> expected = {std::vector<uint128>(n), std::vector<float>(n)};
  for (std::size_t place = 0; place < n; ++place) {
    expected.keys[place] = paired.key_at(place);
    expected.values[place] = static_cast<float>(place % 1000);
  }
  const samples<float> values(
      n, [&](std::size_t i) { return static_cast<float>(paired.place(i) % 1000); });
  check(keys, values, expected);
}

}  // namespace sparse_portions_calls_setup

BOOST_AUTO_TEST_SUITE(sparse_portions_calls, THRUST_HIST_TEST_LARGE)
using namespace sparse_portions_calls_setup;

BOOST_AUTO_TEST_CASE(calls_take_no_more_than_twice_the_input) {
  const auto which = [](std::size_t distinct) {
    return [=](std::size_t i) { return detail::mix_code(i) % distinct; };
  };
  const samples<float> values(many, [](std::size_t i) { return static_cast<float>(i % 4); });
  check_counts(spread_keys<uint128>(many, which(1)));
  check_counts(spread_keys<uint128>(many / 2 + 1, which(1000)));
  check_sums(spread_keys<test::int128>(many, which(1000)), values, false);
  check_sums(spread_keys<uint128>(many, which(many / 200)), values, true);
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
  check_few<float, float>(false, {many / 8, many});
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
      check_bits(
          keys, values,
          test::reduce_sorted<std::uint32_t>(keys, values, test::by_less{}, test::either_bit{}));
    }
}
// One of them, in the second half, equals no other one, so that all are sorted at once.
BOOST_AUTO_TEST_CASE(calls_with_a_key_that_equals_no_other_one) {
  constexpr std::size_t n = (std::size_t{1} << 25) + 7;
  constexpr std::size_t alone = n - 9;
  const auto number = [](std::size_t i) {
    return static_cast<double>(detail::mix_code(i) % 150000);
  };
  const samples<double> keys(n, [=](std::size_t i) {
    return i == alone ? std::numeric_limits<double>::quiet_NaN() : number(i);
  });
  const samples<std::uint32_t> values(n, [](std::size_t i) { return i; });
  const auto other = [](std::size_t i) { return i < alone ? i : i + 1; };
  auto expected = fold_few(
      samples<double>(n - 1, [=](std::size_t i) { return number(other(i)); }),
      samples<std::uint32_t>(n - 1, other), test::either_bit{});
  expected.keys.push_back(keys[alone]);
  expected.values.push_back(values[alone]);
  check_bits(keys, values, expected);
}
// In order, or near each other, or told apart by their lowest bits alone.
BOOST_AUTO_TEST_CASE(calls_with_keys_that_are_not_spread) {
  check_counts(spread_keys<uint128>(many, [](std::size_t i) { return i * 1000 / many; }));
  check_counts(samples<uint128>(many, [](std::size_t i) { return uint128{i % 70000}; }));
  check_counts(samples<uint128>(many, [](std::size_t i) {
    return test::spread_key(i % 50) << 32 | detail::mix_code(i % 997) >> 32;
  }));
}
BOOST_AUTO_TEST_CASE(calls_sum_once_more_what_loses_bits) {
  constexpr std::size_t last = (many - 1) / 100 * 100;
  const auto keys = spread_keys<uint128>(many, [](std::size_t i) { return i % 100; });
  const samples<double> values(many, [](std::size_t i) {
    return i == 0 ? 1e200 : i == 100 ? 1e-200 : i == last ? -1e200 : 1.0;
  });
  auto expected = test::reduce_sorted<double>(keys, values, test::by_less{}, test::by_plus{});
  for (std::size_t row = 0; row < expected.keys.size(); ++row)
    if (expected.keys[row] == test::spread_key(0))
      expected.values[row] = last / 100 - 2;  // and 1e-200
  check_sums(keys, values, expected, true);
}

// Of 4 bytes, as many as somebody looks at: two sorts would take longer.
BOOST_AUTO_TEST_CASE(calls_with_short_keys) {
  constexpr std::size_t n = (std::size_t{1} << 23) + 7;
  const auto keys_of = [](std::size_t distinct) {
    return spread_keys<std::uint32_t>(
        n, [=](std::size_t i) { return detail::mix_code(i) % distinct; });
  };
  const auto keys = keys_of(20000);
  const samples<float> reals(n, [](std::size_t i) { return static_cast<float>(i % 4); });
  check_sums(keys, reals, fold_few(keys, reals, test::by_plus{}), true);
  const auto few = keys_of(5000);
  const samples<std::uint32_t> numbers(n, [](std::size_t i) { return i; });
  check_bits(few, numbers, fold_few(few, numbers, test::either_bit{}));
}

// Of 8 bytes, so many that two sorts take little more than one, and less, which are sorted at once.
BOOST_AUTO_TEST_CASE(calls_with_many_longer_keys) {
  for (std::size_t n : {(std::size_t{1} << 25) + 7, (std::size_t{1} << 24) + 7})
    BOOST_TEST_CONTEXT(n << " keys") {
      const auto keys =
          spread_keys<std::uint64_t>(n, [](std::size_t i) { return detail::mix_code(i) % 20000; });
      const samples<std::uint32_t> numbers(n, [](std::size_t i) { return i; });
      check_bits(keys, numbers, fold_few(keys, numbers, test::either_bit{}));
    }
}

BOOST_AUTO_TEST_CASE(keys_and_values_may_be_computed_and_go_to_containers) {
  const auto numbers = thrust::make_counting_iterator(std::uint64_t{0});
  const auto keys = thrust::make_transform_iterator(numbers, computed_key{});
  const auto values = thrust::make_transform_iterator(numbers, computed_value{});
  const auto expected = expected_of_computed(many);
  test::vector_of<System, uint128> unique(2);
  test::vector_of<System, std::int64_t> sums(5000);
  const auto ends = thrust_hist::sparse_histogram_by_key(
      System::policy(), keys, keys + many, values, unique, sums, thrust::plus<std::int64_t>{});
  BOOST_TEST((ends.first - unique.begin() == static_cast<std::ptrdiff_t>(expected.keys.size())));
  BOOST_TEST((ends.second - sums.begin() == static_cast<std::ptrdiff_t>(expected.keys.size())));
  BOOST_TEST(test::difference(test::contents(unique), expected.keys) == "");
  BOOST_TEST(test::difference(test::contents(sums), expected.values) == "");
}

// The first one, then the second, and so on, until a call needs no more.
BOOST_AUTO_TEST_CASE(any_allocation_may_fail) {
  const samples<uint128> keys(many, computed_key{});
  const samples<std::int64_t> values(many, computed_value{});
  auto keys_there = test::buffer_of<System>(keys);
  auto values_there = test::buffer_of<System>(values);
  uint128 const* const first = keys_there.data();
  const auto expected = expected_of_computed(many);
  int healthy = 0;
  for (bool done = false; !done && healthy < 100; healthy += done ? 0 : 1) {
    test::sparse_output<System, uint128, std::int64_t> out(many);
    test::ledger book(healthy);
    test::counting_allocator<System> allocator(book);
    try {
      thrust_hist::sparse_histogram_by_key(
          System::policy_with(allocator), first, first + many, values_there.data(), out.keys(),
          out.values(), thrust::plus<std::int64_t>{});
      done = true;
      out.check_equals(expected);
    } catch (test::allocation_refused const&) {
      out.check_untouched();
    }
    BOOST_TEST(book.outstanding() == 0U);
  }
  BOOST_TEST((healthy > 0 && healthy < 100));
}

// Those that need all bits are compared, up to so many; more are sorted by all bits.
BOOST_AUTO_TEST_CASE(keys_that_need_all_bits) {
  for (std::size_t more : {0, 1}) {
    check_paired(
        (std::size_t{1} << 23) + more, [](auto const& keys, auto const&, auto const& expected) {
          check_call(
              keys, samples<char>(1, [](std::size_t) { return 0; }), 0,
              rows<uint128, unsigned>{expected.keys, std::vector<unsigned>(keys.size(), 1)},
              [](auto policy, auto from, auto last, auto, auto to, auto counts, auto const& o) {
                return thrust_hist::sparse_histogram(policy, from, last, to, counts, o);
              });
        });
    check_paired(
        (std::size_t{1} << 24) + more,
        [](auto const& keys, auto const& values, auto const& expected) {
          check_sums(keys, values, expected, false);
        });
  }
}

BOOST_AUTO_TEST_SUITE_END()
