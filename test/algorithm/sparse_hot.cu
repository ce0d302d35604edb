// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Keys that are much more frequent than others, which are counted before the rest is thrown into
// buckets: some of them, more than there is room for, and at the ends of their type.

#include "../support/pretended_gpu.h"
#include "../support/sparse.h"
#include <thrust_hist/sparse_histogram.h>

#include <thrust/functional.h>

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
on_cuda::sparse_plan plan_of(
    test::samples<Key> const& keys, on_cuda::value_bytes const& values = {}) {
  using thrust_hist::detail::keys_by;
  const auto kind = on_cuda::widen(keys_by<Key>(thrust_hist::detail::no_key_operators{}));
  using kind_type = std::remove_const_t<decltype(kind)>;
  auto policy = System::policy();
  on_cuda::call_memory<decltype(policy)> memory(policy);
  const auto there = test::buffer_of<System>(keys);
  on_cuda::key_facts<decltype(policy), Key const*, kind_type> facts(
      memory, there.data(), keys.size(), kind);
  on_cuda::sparse_problem p = {};
  p.inputs = p.most_keys = keys.size();
  p.code_bytes = sizeof(typename kind_type::code);
  p.is_number = true;
  p.has_ranges = !values.any;
  p.values = values;
  const std::uint64_t guess =
      facts.guess(on_cuda::most_worth_guessing(p), on_cuda::asked_of_range::all);
  on_cuda::tell_sample(p, facts.seen());
  return on_cuda::plan_sparse(
      p, guess, on_cuda::current_facts(), thrust_hist::options{}.force(route::hashed));
}

template <class Key>
void check(test::samples<Key> const& keys, bool has_hot = true) {
  const auto plan = plan_of(keys);
  BOOST_TEST((plan.taken == route::hashed));
  BOOST_TEST((plan.hot != 0) == has_hot);
  test::check_sparse_counts<System>(keys, test::count_sorted<int>(keys));
}

constexpr std::size_t n = (std::size_t{1} << 20) + 7;

template <class Value>
on_cuda::value_bytes bytes_of() {
  on_cuda::value_bytes bytes = {};
  bytes.any = bytes.in_slots = bytes.sorted = true;
  bytes.in_bucket = bytes.state = bytes.beside_code = sizeof(Value);
  bytes.slot = std::is_floating_point_v<Value> ? 12 : sizeof(Value);
  return bytes;
}

// Values folded by keys of which some are frequent.
template <class A, class Key, class Make, class Reference, class... Op>
void check_values(
    test::samples<Key> const& keys, Make make, Reference reference, bool has_hot, Op... op) {
  using value = decltype(make(std::size_t{0}));
  BOOST_TEST((plan_of(keys, bytes_of<value>()).hot != 0) == has_hot);
  const test::samples<value> values(keys.size(), make);
  const auto expected = test::reduce_sorted<A>(keys, values, test::by_less{}, reference);
  for (int again = 0; again < 2; ++again)  // in memory that is no more 0
    test::check_sparse<System>(
        keys, values, expected,
        [&](auto first, auto last, auto with, auto to, auto out, auto const& o) {
          return thrust_hist::sparse_histogram_by_key(
              System::policy(), first, last, with, to, out, op..., o);
        });
}

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

BOOST_AUTO_TEST_CASE(values_of_frequent_keys_are_folded_like_others) {
  const auto random = [](std::uint64_t i) { return mixed(i); };
  const auto small = [](std::size_t i) { return static_cast<float>(i % 5); };
  for (std::size_t hot : {1, 2, 60})
    check_values<float>(with_hot<std::uint64_t>(n, hot, random), small, test::by_plus{}, true);
  const auto narrow = [](std::uint64_t i) { return static_cast<unsigned>(mixed(i)); };
  check_values<float>(with_hot<unsigned>(n, 30, narrow), small, test::by_plus{}, true);
  // Some of other binades than most, which slots do not hold.
  check_values<double>(
      with_hot<std::uint64_t>(n, 30, random),
      [](std::size_t i) { return i % 1000 == 3   ? 0x1p40
                                 : i % 1001 == 3 ? -0x1p-5
                                                 : 1.0 + i % 3; },
      test::by_plus{}, true);
  check_values<std::int64_t>(
      with_hot<std::uint64_t>(n, 30, random),
      [](std::size_t i) { return static_cast<std::int64_t>(mixed(i)) >> 24; }, test::by_plus{},
      true);
  check_values<int>(
      with_hot<int>(n, 30, [](std::uint64_t i) { return static_cast<int>(mixed(i)); }),
      [](std::size_t i) { return static_cast<int>(mixed(i) >> 50) - 5000; }, test::by_plus{}, true);
}

BOOST_AUTO_TEST_CASE(minima_and_maxima_of_frequent_keys) {
  const auto random = [](std::uint64_t i) { return mixed(i); };
  check_values<int>(
      with_hot<std::uint64_t>(n, 30, random),
      [](std::size_t i) { return static_cast<int>(mixed(i) >> 40) - (1 << 23); },
      [](int a, int b) { return a < b ? b : a; }, true, thrust::maximum<int>{});
  // Some that slots leave out: they look like nothing.
  check_values<float>(
      with_hot<std::uint64_t>(n, 30, random),
      [](std::size_t i) {
        return i % 3 == 0 || i % 1000 == 7 ? std::numeric_limits<float>::infinity()
                                           : static_cast<float>(mixed(i) >> 40);
      },
      [](float a, float b) { return b < a ? b : a; }, true, thrust::minimum<float>{});
}

// Their values go to rows of their own, and stay out of the slots of frequent keys.
BOOST_AUTO_TEST_CASE(what_is_no_number_beside_frequent_keys_with_values) {
  const auto keys = with_hot<float>(n, 5, [](std::uint64_t i) {
    return i == 2 ? std::numeric_limits<float>::quiet_NaN()
                  : static_cast<float>(static_cast<std::int32_t>(mixed(i)));
  });
  BOOST_TEST(plan_of(keys, bytes_of<float>()).hot > 0U);
  const test::samples<float> values(n, [](std::size_t i) { return static_cast<float>(i % 3); });
  std::vector<float> numbers;
  std::vector<float> of_numbers;
  std::vector<float> of_others;
  for (std::size_t i = 0; i < n; ++i) {
    if (keys[i] == keys[i])
      numbers.push_back(keys[i]);
    (keys[i] == keys[i] ? of_numbers : of_others).push_back(values[i]);
  }
  const auto expected = test::reduce_sorted<float>(
      test::samples<float>(numbers.size(), [&](std::size_t i) { return numbers[i]; }),
      test::samples<float>(numbers.size(), [&](std::size_t i) { return of_numbers[i]; }),
      test::by_less{}, test::by_plus{});
  const auto in = test::buffer_of<System>(keys);
  const auto with = test::buffer_of<System>(values);
  test::output<System, float> unique(n);
  test::output<System, float> sums(n);
  const auto ends = thrust_hist::sparse_histogram_by_key(
      System::policy(), in.data(), in.data() + n, with.data(), unique.data(), sums.data());
  BOOST_REQUIRE(
      static_cast<std::size_t>(ends.first - unique.data()) ==
      expected.keys.size() + (n - numbers.size()));
  auto found_keys = unique.contents();
  auto found = sums.contents();
  // In the order of the input.
  const std::vector<float> found_others(
      found.begin() + expected.values.size(), found.begin() + (ends.second - sums.data()));
  BOOST_TEST(test::difference(found_others, of_others) == "");
  found_keys.resize(expected.keys.size());
  found.resize(expected.values.size());
  BOOST_TEST(test::difference(found_keys, expected.keys) == "");
  BOOST_TEST(test::difference(found, expected.values) == "");
}

// Buckets so many that tiles have as many threads as a block may have; and one key that is nearly
// all.
BOOST_AUTO_TEST_CASE(values_of_frequent_keys_beside_many_others) {
  constexpr std::size_t many = (std::size_t{1} << 22) + 5;
  const auto small = [](std::size_t i) { return static_cast<float>(i % 5); };
  const test::samples<std::uint64_t> keys(many, [](std::size_t i) {
    const std::uint64_t x = mixed(i);
    return mixed(i % 3 == 0 ? x % 3 : 1000 + x % 700000);
  });
  if (on_cuda::current_facts().shared_bytes_block > std::size_t{200} << 10)
    BOOST_TEST(plan_of(keys, bytes_of<float>()).buckets.layout.threads == 1024U);
  check_values<float>(keys, small, test::by_plus{}, true);
  check_values<float>(
      test::samples<std::uint64_t>(
          many,
          [](std::size_t i) {
            const std::uint64_t x = mixed(i);
            return mixed(i % 10 != 0 ? 5 : 1000 + x % 30000);
          }),
      small, test::by_plus{}, true);
}

// Of a GPU with one processor, so that blocks have many tiles, of which most keys come to no
// bucket.
BOOST_AUTO_TEST_CASE(many_tiles_of_a_block_with_frequent_keys) {
  const test::pretended_gpu gpu(test::with_processors(1));
  const test::samples<std::uint64_t> keys((std::size_t{1} << 22) + 5, [](std::size_t i) {
    const std::uint64_t x = mixed(i);
    return mixed(i % 3 != 0 ? x % 5 : 1000 + x % 30000);
  });
  check(keys);
  check_values<float>(
      keys, [](std::size_t i) { return static_cast<float>(i % 5); }, test::by_plus{}, true);
}

// At the places that are looked at stand few keys, and everywhere else are keys that come once:
// tables turn out to be much too few and are given up, whether each block has its own, or buckets
// have.
template <class Key>
test::samples<Key> keys_that_mislead(std::size_t n, std::uint64_t few) {
  std::vector<bool> is_seen(n);
  for (std::uint64_t i = 0; i < on_cuda::key_sample::size; ++i)
    is_seen[static_cast<std::size_t>(
        static_cast<unsigned __int128>(thrust_hist::detail::mix_code(i + 1)) * n >> 64)] = true;
  for (std::uint64_t g = 0; g < on_cuda::part_sample(n).groups(); ++g)
    for (unsigned k = 0; k < on_cuda::part_sample::of_group; ++k)
      is_seen[on_cuda::part_sample::first_of(g) + k] = true;
  return test::samples<Key>(n, [&](std::size_t i) {
    const std::uint64_t x = is_seen[i] ? mixed(mixed(i) % few) | 1 : mixed(i) & ~std::uint64_t{1};
    return static_cast<Key>(x >> (64 - 8 * sizeof(Key)));
  });
}
BOOST_AUTO_TEST_CASE(a_sample_that_takes_many_keys_for_few) {
  constexpr std::size_t n = (std::size_t{1} << 23) + 77;
  for (std::uint64_t few : {3000, 50000})
    BOOST_TEST_CONTEXT(few << " keys at the places that are looked at") {
      const auto words = keys_that_mislead<unsigned>(n, few);
      const auto longs = keys_that_mislead<std::uint64_t>(n, few);
      // The guess is a small part of the keys, so all are to be hashed, in tables for so few.
      const auto plan = plan_of(longs);
      BOOST_TEST(plan.direct == (few == 3000));
      BOOST_TEST((plan.direct || plan.buckets.capacity() < n / 4));
      test::check_sparse_counts<System>(words, test::count_sorted<int>(words));
      test::check_sparse_counts<System>(longs, test::count_sorted<int>(longs));
      const test::samples<float> values(
          n, [](std::size_t i) { return static_cast<float>(mixed(i) % 8); });
      test::check_sparse<System>(
          longs, values,
          test::reduce_sorted<float>(longs, values, test::by_less{}, test::by_plus{}),
          [&](auto first, auto last, auto with, auto to, auto out, auto const& o) {
            return thrust_hist::sparse_histogram_by_key(
                System::policy(), first, last, with, to, out, o);
          });
    }
}

BOOST_AUTO_TEST_SUITE_END()
