// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Sparse histograms on one system, by every route, compared bit by bit with a stable sort and a
// loop over the runs. What that gives for sums and counts is compared with thrust::reduce_by_key;
// it is std::stable_sort that sorts for it, since thrust::sort of CCCL 3.0 is wrong for negative
// integers.

#include "checks.h"
#include <thrust_hist/sparse_histogram.h>

#include <thrust/execution_policy.h>
#include <thrust/iterator/constant_iterator.h>
#include <thrust/reduce.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace test {

// Those of every system, and all: not everything is partitioned, and on host systems nothing is.
inline constexpr thrust_hist::route sparse_routes[] = {
    thrust_hist::route::automatic, thrust_hist::route::hashed, thrust_hist::route::sorted};
inline constexpr thrust_hist::route all_sparse_routes[] = {
    thrust_hist::route::automatic, thrust_hist::route::shared, thrust_hist::route::partitioned,
    thrust_hist::route::hashed, thrust_hist::route::sorted};

template <class Key, class A>
struct rows {
  std::vector<Key> keys;
  std::vector<A> values;
};

struct by_less {
  template <class T>
  bool operator()(T const& a, T const& b) const {
    return a < b;
  }
};
struct by_plus {
  template <class T>
  THRUST_HIST_HOST_DEVICE T operator()(T const& a, T const& b) const {
    return static_cast<T>(a + b);
  }
};
struct same_key {
  template <class T>
  THRUST_HIST_HOST_DEVICE bool operator()(T const& a, T const& b) const {
    return a == b;
  }
};

// Whether these rows are those of thrust::reduce_by_key, of sorted keys.
template <class Key, class A, class Values>
void check_by_thrust(
    rows<Key, A> const& found, std::vector<Key> const& sorted, Values const& values) {
  rows<Key, A> reduced = {std::vector<Key>(sorted.size()), std::vector<A>(sorted.size())};
  const auto ends = thrust::reduce_by_key(
      thrust::seq, sorted.begin(), sorted.end(), values, reduced.keys.begin(),
      reduced.values.begin(), same_key{}, by_plus{});
  reduced.keys.erase(ends.first, reduced.keys.end());
  reduced.values.erase(ends.second, reduced.values.end());
  BOOST_TEST(difference(found.keys, reduced.keys) == "");
  BOOST_TEST(difference(found.values, reduced.values) == "");
}

// What sort + reduce_by_key makes of keys and values.
template <class A, class Keys, class Values, class Less, class Op>
auto reduce_sorted(Keys const& keys, Values const& values, Less less, Op op) {
  using key = typename Keys::value_type;
  std::vector<std::size_t> order(keys.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return less(keys[a], keys[b]);
  });
  rows<key, A> reduced;
  for (std::size_t i = 0; i < order.size(); ++i) {
    const key k = keys[order[i]];
    const A value = static_cast<A>(values[order[i]]);
    if (i == 0 || less(keys[order[i - 1]], k)) {
      reduced.keys.push_back(k);
      reduced.values.push_back(value);
    } else {
      reduced.values.back() = static_cast<A>(op(reduced.values.back(), value));
    }
  }
  if constexpr (std::is_same_v<Less, by_less> && std::is_same_v<Op, by_plus>) {
    std::vector<key> sorted;
    std::vector<A> moved;
    for (std::size_t place : order) {
      sorted.push_back(keys[place]);
      moved.push_back(static_cast<A>(values[place]));
    }
    check_by_thrust(reduced, sorted, moved.begin());
  }
  return reduced;
}

// The same for counts, which are formed in 64 bits.
template <class A, class Keys>
auto count_sorted(Keys const& keys) {
  using key = typename Keys::value_type;
  std::vector<key> sorted(keys.begin(), keys.end());
  std::stable_sort(sorted.begin(), sorted.end());
  rows<key, std::uint64_t> counted;
  for (std::size_t i = 0, next = 0; i < sorted.size(); i = next) {
    for (next = i; next < sorted.size() && !(sorted[i] < sorted[next]);)
      ++next;
    counted.keys.push_back(sorted[i]);
    counted.values.push_back(next - i);
  }
  check_by_thrust(counted, sorted, thrust::constant_iterator<std::uint64_t>(1));
  rows<key, A> converted = {counted.keys, {}};
  for (std::uint64_t count : counted.values)
    converted.values.push_back(static_cast<A>(count));
  return converted;
}

// Outputs with room for every input, of which the first rows have to be those expected.
template <class System, class Key, class A>
class sparse_output {
public:
  explicit sparse_output(std::size_t room) : keys_(room), values_(room) {}

  Key* keys() { return keys_.data(); }
  A* values() { return values_.data(); }
  void check_equals(rows<Key, A> const& expected) const {
    keys_.check_equals(filled_up(expected.keys, keys_.size()));
    values_.check_equals(filled_up(expected.values, values_.size()));
  }
  void check_untouched() const {
    keys_.check_untouched();
    values_.check_untouched();
  }
  template <class Ends>
  void check_ends(Ends const& ends, std::size_t expected) {
    BOOST_TEST(ends.first - keys() == static_cast<std::ptrdiff_t>(expected));
    BOOST_TEST(ends.second - values() == static_cast<std::ptrdiff_t>(expected));
  }

private:
  template <class T>
  static std::vector<T> filled_up(std::vector<T> contents, std::size_t room) {
    contents.resize(room, junk<T>());
    return contents;
  }
  output<System, Key> keys_;
  output<System, A> values_;
};

// Whether a route may say no, with nothing written: a host system has two for everything.
template <class System>
bool sparse_may_be_refused(thrust_hist::route forced) {
  return forced == thrust_hist::route::partitioned || forced == thrust_hist::route::shared ||
         (System::is_cuda && forced != thrust_hist::route::automatic);
}

// `call(first, last, values, keys_out, values_out, options)` with pointers, by every route.
template <class System, class Key, class Value, class KeyOut, class A, class Call>
void check_sparse(
    samples<Key> const& keys, samples<Value> const& values, rows<KeyOut, A> const& expected,
    Call const& call) {
  auto keys_there = buffer_of<System>(keys);
  auto values_there = buffer_of<System>(values);
  Key const* const first = keys_there.data();
  Value const* const with = values_there.data();
  for (thrust_hist::route forced : all_sparse_routes)
    BOOST_TEST_CONTEXT("route " << forced << ", " << keys.size() << " keys") {
      sparse_output<System, KeyOut, A> out(keys.size());
      try {
        const auto ends = call(
            first, first + keys.size(), with, out.keys(), out.values(),
            thrust_hist::options{}.force(forced));
        out.check_ends(ends, expected.keys.size());
        out.check_equals(expected);
      } catch (std::invalid_argument const& refusal) {
        const std::string why = refusal.what();
        BOOST_TEST(why.find(thrust_hist::to_string(forced)) != std::string::npos, why);
        BOOST_TEST(sparse_may_be_refused<System>(forced), why);
        out.check_untouched();
      }
    }
}

// Each of the special keys as often as its place says, scattered, among `ordinary` other ones.
template <class Key, class Ordinary>
samples<Key> keys_with(std::vector<Key> const& special, std::size_t ordinary, Ordinary make) {
  std::vector<Key> list;
  for (std::size_t i = 0; i < special.size(); ++i)
    list.insert(list.end(), i + 1, special[i]);
  for (std::size_t i = 0; i < ordinary; ++i)
    list.push_back(make(i));
  random rng(list.size());
  std::shuffle(list.begin(), list.end(), rng);
  return samples<Key>(list);
}
inline constexpr std::size_t sparse_sizes[] = {0, 5, 3000, 70000};

// Counts by every route.
template <class System, class KeyOut, class A, class Key>
void check_sparse_counts(samples<Key> const& keys, rows<KeyOut, A> const& expected) {
  check_sparse<System>(
      keys, keys, expected, [](auto first, auto last, auto, auto to, auto counts, auto const& o) {
        return thrust_hist::sparse_histogram(System::policy(), first, last, to, counts, o);
      });
}

template <class Value, class Make>
samples<Value> values_for(samples<int> const& keys, Make make) {
  return samples<Value>(keys.size(), make);
}

// Values folded by an operator, as those of type A.
template <class System, class A, class Value, class Op, class Reference>
void check_values(
    samples<int> const& keys, samples<Value> const& values, Op op, Reference reference) {
  const auto expected = reduce_sorted<A>(keys, values, by_less{}, reference);
  check_sparse<System>(
      keys, values, expected,
      [&](auto first, auto last, auto with, auto to, auto out, auto const& o) {
        return thrust_hist::sparse_histogram_by_key(
            System::policy(), first, last, with, to, out, op, o);
      });
}

}  // namespace test
