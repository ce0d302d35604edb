// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Keys that are much more frequent than others, which are counted before the rest is thrown into buckets: some of
// them, more than there is room for, and at the ends of their type.

#include "../support/sparse.h"
#include <thrust_hist/sparse_histogram.h>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace sparse_hot_setup {

using System = test::main_system;
using thrust_hist::options;
using thrust_hist::route;
namespace on_cuda = thrust_hist::detail::cuda;

inline std::uint64_t mixed(std::uint64_t i) {
  const std::uint64_t x = (i + 1) * 0x9e3779b97f4a7c15U;
  return (x ^ x >> 29) * 0x2545f4914f6cdd1d;
}

// So many keys, of which each third is one of `hot`.
template <class Key, class Make>
test::samples<Key> with_hot(std::size_t n, std::size_t hot, Make make) {
  return test::samples<Key>(n, [=](std::size_t i) {
    const std::uint64_t x = mixed(i);
    return make(i % 3 == 0 ? x % hot : 1000 + x % 20000);
  });
}

// What is planned for keys, after a look at some.
template <class Key>
on_cuda::sparse_plan plan_of(test::samples<Key> const& keys) {
  using thrust_hist::detail::keys_by;
  const auto kind = on_cuda::widen(keys_by<Key>(thrust_hist::detail::no_key_operators{}));
  using kind_type = std::remove_const_t<decltype(kind)>;
  auto policy = System::policy();
  const auto there = test::buffer_of<System>(keys);
  on_cuda::key_facts<decltype(policy), Key const*, kind_type> facts(
      policy, there.data(), keys.size(), kind);
  on_cuda::sparse_problem p = {};
  p.inputs = p.most_keys = keys.size();
  p.code_bytes = sizeof(typename kind_type::code);
  p.is_number = p.has_ranges = true;
  const std::uint64_t guess = facts.guess();
  on_cuda::tell_sample(p, facts.seen());
  return on_cuda::plan_sparse(p, guess, on_cuda::current_facts(), {});
}

template <class Key>
void check(test::samples<Key> const& keys, bool has_hot = true) {
  const auto plan = plan_of(keys);
  BOOST_TEST((plan.taken == route::hashed));
  BOOST_TEST((plan.hot != 0) == has_hot);
  test::check_sparse_counts<System>(keys, test::count_sorted<int>(keys));
}

constexpr std::size_t n = (std::size_t{1} << 20) + 7;

}  // namespace sparse_hot_setup

BOOST_AUTO_TEST_SUITE(sparse_hot, THRUST_HIST_TEST_LARGE)
using namespace sparse_hot_setup;

BOOST_AUTO_TEST_CASE(frequent_keys_are_counted_like_others) {
  for (std::size_t hot : {1, 2, 100, 250, 400})
    check(with_hot<unsigned>(
        n, hot, [](std::uint64_t i) { return static_cast<unsigned>(mixed(i)); }));
  for (std::size_t hot : {1, 300}) {
    check(with_hot<std::uint64_t>(n, hot, [](std::uint64_t i) { return mixed(i); }));
    check(with_hot<std::int64_t>(
        n, hot, [](std::uint64_t i) { return static_cast<std::int64_t>(mixed(i)); }));
  }
  // One of them much more frequent than the others, which are more than a list has room for.
  check(test::samples<unsigned>(n, [](std::size_t i) {
    const std::uint64_t x = mixed(i);
    return static_cast<unsigned>(mixed(i % 3 == 0 ? 5 : i % 3 == 1 ? x % 500 : 1000 + x % 20000));
  }));
  check(
      with_hot<unsigned>(n, 9000, [](std::uint64_t i) { return static_cast<unsigned>(i); }), false);
}

BOOST_AUTO_TEST_CASE(the_ends_of_a_type_may_be_frequent) {
  check(with_hot<unsigned>(n, 3, [](std::uint64_t i) {
    return i == 0 ? 0 : i == 1 ? 0xffffffffU : i == 2 ? 1 : static_cast<unsigned>(mixed(i));
  }));
  check(with_hot<std::int64_t>(n, 3, [](std::uint64_t i) {
    return i == 0   ? (std::numeric_limits<std::int64_t>::min)()
           : i == 1 ? (std::numeric_limits<std::int64_t>::max)()
           : i == 2 ? -1
                    : static_cast<std::int64_t>(mixed(i));
  }));
  check(with_hot<double>(n, 3, [](std::uint64_t i) {
    return i == 0   ? 0.0
           : i == 1 ? -std::numeric_limits<double>::infinity()
           : i == 2 ? 1e300
                    : static_cast<double>(static_cast<std::int64_t>(mixed(i)));
  }));
}

// Which are no codes at all, nor frequent, however many there are.
BOOST_AUTO_TEST_CASE(what_is_no_number_beside_frequent_keys) {
  const auto keys = with_hot<float>(n, 5, [](std::uint64_t i) {
    return i == 2 ? std::numeric_limits<float>::quiet_NaN()
                  : static_cast<float>(static_cast<std::int32_t>(mixed(i)));
  });
  BOOST_TEST(plan_of(keys).hot > 0U);
  std::vector<float> numbers;
  for (float key : keys)
    if (key == key)
      numbers.push_back(key);
  const auto expected = test::count_sorted<int>(numbers);
  const auto in = test::buffer_of<System>(keys);
  float const* const first = in.data();
  test::output<System, float> unique(n);
  test::output<System, int> counted(n);
  const auto ends = thrust_hist::sparse_histogram(
      System::policy(), first, first + n, unique.data(), counted.data());
  BOOST_REQUIRE(
      static_cast<std::size_t>(ends.first - unique.data()) ==
      expected.keys.size() + (n - numbers.size()));
  auto counts = counted.contents();
  counts.resize(expected.values.size());
  BOOST_TEST(test::difference(counts, expected.values) == "");
}

BOOST_AUTO_TEST_SUITE_END()
