// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Keys of 1 and 2 bytes on host systems: a table has a state for each.

#include "../support/allocators.h"
#include "../support/folds.h"
#include "../support/messages.h"
#include "../support/sparse.h"
#include "../support/threads.h"
#include "sparse_keys.h"
#include <thrust_hist/sparse_histogram.h>
#include <thrust_hist/values.h>

#include <thrust/functional.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <vector>

namespace sparse_table_setup {

using thrust_hist::options;
using thrust_hist::route;
using thrust_hist::sparse_histogram;
using thrust_hist::sparse_histogram_by_key;

// So many that there are several workers, and fewer than there are keys of 2 bytes.
constexpr std::size_t many = 300007, some = 30011;

template <class Key>
test::samples<Key> scattered(std::size_t n, std::size_t kinds) {
  return test::samples<Key>(
      n, [=](std::size_t i) { return static_cast<Key>(i * 7919 % kinds * 40503 - 5); });
}

template <class System, class A, class Key, class Value, class Op, class Reference>
void check_by(
    test::samples<Key> const& keys, test::samples<Value> const& values, Op op, Reference reference,
    options const& wanted = {}) {
  test::check_sparse<System>(
      keys, values, test::reduce_sorted<A>(keys, values, test::by_less{}, reference),
      [&](auto first, auto last, auto with, auto to, auto out, options const& o) {
        auto asked = wanted;
        return sparse_histogram_by_key(
            System::policy(), first, last, with, to, out, op, asked.force(o.force_));
      });
}
template <class System, class A, class Key, class Value>
void check_sums(test::samples<Key> const& keys, test::samples<Value> const& values) {
  check_by<System, A>(keys, values, thrust::plus<A>{}, test::by_plus{});
}

template <class System, class Key>
void check_folds(std::size_t n, std::size_t kinds) {
  const auto keys = scattered<Key>(n, kinds);
  const test::samples<double> reals(n, [](std::size_t i) { return static_cast<double>(i % 64); });
  check_sums<System, double>(keys, reals);
  const test::samples<float> singles(n, [](std::size_t i) { return static_cast<float>(i % 8); });
  check_sums<System, float>(keys, singles);
  const test::samples<std::int16_t> integers(
      n, [](std::size_t i) { return static_cast<std::int16_t>(i * 7919); });
  check_sums<System, std::int64_t>(keys, integers);
  check_sums<System, std::int16_t>(keys, integers);
  // All are negative, and nobody knows an identity.
  const test::samples<int> below(n, [](std::size_t i) { return -1 - static_cast<int>(i % 1000); });
  const auto larger = [](int a, int b) { return a < b ? b : a; };
  check_by<System, int>(keys, below, larger, larger);
  check_by<System, int>(keys, below, thrust::maximum<int>{}, larger);
}

// An operator that has had enough after so many calls.
struct fails_once {
  std::atomic<int>* calls;
  int operator()(int a, int b) const {
    if (--*calls == 0)
      throw std::domain_error("enough");
    return a + b;
  }
};

template <class Key, class Policy>
thrust_hist::plan plan_of(Policy policy, std::size_t n, options o = {}) {
  thrust_hist::plan plan;
  Key const* const keys = nullptr;
  Key* const out = nullptr;
  sparse_histogram(policy, keys, keys + n, out, out, o.explain(&plan));
  return plan;
}

}  // namespace sparse_table_setup

BOOST_AUTO_TEST_SUITE(sparse_table, THRUST_HIST_TEST_SMALL)
using namespace sparse_table_setup;

BOOST_AUTO_TEST_CASE_TEMPLATE(counts_of_all_short_integers, System, test::systems) {
  test::check_integers<System, signed char>({0, 5, 3000, 70000});
  test::check_integers<System, char>({700});
  test::check_integers<System, std::uint8_t>({511, 512, many});
  test::check_integers<System, std::int16_t>({0, 5, 3000, 70000, many});
  test::check_integers<System, std::uint16_t>({some, many});
  test::check_integers<System, char16_t>({some});
  test::check_truth<System>();
  test::check_bytes<System>();
  test::check_enums<System>();
}

BOOST_AUTO_TEST_CASE_TEMPLATE(values_of_few_keys_and_of_all, System, test::systems) {
  check_folds<System, std::int8_t>(700, 3);
  check_folds<System, std::uint8_t>(many, 256);
  check_folds<System, std::uint16_t>(some, 65536);
  check_folds<System, std::int16_t>(many, 65536);
  check_folds<System, std::int16_t>(many, 1);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(values_of_any_size, System, test::systems) {
  using large = test::blob<80, 16>;
  const auto keys = scattered<std::uint8_t>(many, 256);
  check_by<System, large>(
      keys, test::samples<large>(many, test::make_blob<large>), test::add_bytes{},
      test::add_bytes{});
  using odd = test::blob<3>;
  const auto wide = scattered<std::int16_t>(some, 5000);
  check_by<System, odd>(
      wide, test::samples<odd>(some, test::make_blob<odd>), test::add_bytes{}, test::add_bytes{});
}

// In any order of additions.
BOOST_AUTO_TEST_CASE_TEMPLATE(exact_sums_are_those_of_a_sort, System, test::systems) {
  const test::samples<double> values(many, [](std::size_t i) {
    return (i % 3 == 0 ? -1 : 1) * static_cast<double>(i) * (i % 5 == 0 ? 1e-12 : 1e13);
  });
  const auto check = [&](auto const& keys, auto const& with) {
    using key = typename std::decay_t<decltype(keys)>::value_type;
    using real = typename std::decay_t<decltype(with)>::value_type;
    const auto call = [&](route forced, auto& found, auto& sums) {
      sparse_histogram_by_key(
          System::policy(), keys.begin(), keys.end(), with.begin(), found, sums,
          options{}.exact().force(forced));
    };
    std::vector<key> sorted_keys, found;
    std::vector<real> sorted_sums, sums;
    call(route::sorted, sorted_keys, sorted_sums);
    for (route forced : {route::automatic, route::shared}) {
      call(forced, found, sums);
      BOOST_TEST(test::difference(found, sorted_keys) == "");
      BOOST_TEST(test::difference(sums, sorted_sums) == "");
    }
  };
  check(scattered<std::uint8_t>(many, 256), values);
  check(scattered<std::int16_t>(many, 65536), test::samples<float>(many, [&](std::size_t i) {
          return static_cast<float>(values[i]);
        }));
}

// What a key with one value has is this value, whatever it is.
BOOST_AUTO_TEST_CASE_TEMPLATE(a_single_value_is_written_as_it_is, System, test::systems) {
  const float minus_zero = test::from_bits<float>(0x80000000U);
  const float nan = test::from_bits<float>(0xffc00001U);
  const test::samples<std::int16_t> keys{-1, 2, 3, 3};
  const test::samples<float> values{minus_zero, nan, minus_zero, minus_zero};
  test::sparse_output<System, std::int16_t, float> out(4);
  sparse_histogram_by_key(
      System::policy(), keys.begin(), keys.end(), values.begin(), out.keys(), out.values(),
      options{}.force(route::shared));
  const std::vector<float> found(out.values(), out.values() + 3);
  BOOST_TEST(test::bits_of(found[0]) == test::bits_of(minus_zero));
  BOOST_TEST(test::bits_of(found[1]) == test::bits_of(nan));
  BOOST_TEST(test::bits_of(found[2]) == test::bits_of(minus_zero));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(an_operator_that_throws_leaves_outputs_alone, System, test::systems) {
  const auto keys = scattered<std::int16_t>(many, 65536);
  const test::samples<int> values(many, [](std::size_t i) { return static_cast<int>(i); });
  for (int healthy : {1, 100, 200000}) {
    std::atomic<int> calls{healthy};
    test::sparse_output<System, std::int16_t, int> out(many);
    BOOST_CHECK_THROW(
        sparse_histogram_by_key(
            System::policy(), keys.begin(), keys.end(), values.begin(), out.keys(), out.values(),
            fails_once{&calls}, options{}.force(route::shared)),
        std::domain_error);
    out.check_untouched();
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(memory_is_as_explained_and_any_may_fail, System, test::systems) {
  const auto keys = scattered<std::int16_t>(many, 5000);
  const test::samples<double> values(
      many, [](std::size_t i) { return static_cast<double>(i % 9); });
  const auto expected = test::reduce_sorted<double>(keys, values, test::by_less{}, test::by_plus{});
  bool done = false;
  for (int healthy = 0; !done; ++healthy) {
    test::ledger book(healthy);
    test::counting_allocator<System> allocator(book);
    test::sparse_output<System, std::int16_t, double> out(many);
    const auto call = [&](options const& o) {
      sparse_histogram_by_key(
          System::policy_with(allocator), keys.begin(), keys.end(), values.begin(), out.keys(),
          out.values(), o);
    };
    thrust_hist::plan plan;
    call(options{}.explain(&plan));
    BOOST_TEST((plan.taken == route::shared));
    BOOST_TEST(plan.why != "");
    try {
      call({});
      done = true;
      out.check_equals(expected);
      BOOST_TEST(healthy > 1);
      BOOST_TEST(book.peak() <= plan.scratch_bytes);
      BOOST_TEST(plan.scratch_bytes <= plan.blocks * (std::size_t{2} << 20));
    } catch (test::allocation_refused const&) {
      out.check_untouched();
    }
    BOOST_TEST(book.outstanding() == 0U);
  }
}

// With a cap there are fewer workers; then what there is for wide keys; and where that has no room
// either, one table.
BOOST_AUTO_TEST_CASE_TEMPLATE(a_cap_is_kept_or_refused_with_one_that_works, System, test::systems) {
  for (std::size_t n : {std::size_t{40}, std::size_t{1000}, some, many}) {
    const auto keys = scattered<std::uint8_t>(n, n);
    const auto expected = test::count_sorted<int>(keys);
    for (route forced : {route::automatic, route::shared}) {
      test::ledger book;
      test::counting_allocator<System> allocator(book);
      test::sparse_output<System, std::uint8_t, int> out(n);
      const auto call = [&](options o) {
        sparse_histogram(
            System::policy_with(allocator), keys.begin(), keys.end(), out.keys(), out.values(),
            o.force(forced));
      };
      std::size_t smallest = 0;
      try {
        call(options{}.max_temporary_bytes(0));
      } catch (thrust_hist::memory_limit_error const& refusal) {
        smallest = refusal.smallest();
      }
      BOOST_TEST(smallest > 0U);
      BOOST_TEST(smallest <= 16384U);
      BOOST_CHECK_THROW(
          call(options{}.max_temporary_bytes(smallest - 1)), thrust_hist::memory_limit_error);
      out.check_untouched();
      call(options{}.max_temporary_bytes(smallest));
      BOOST_TEST(book.peak() <= smallest);
      out.check_equals(expected);
    }
  }
}

BOOST_AUTO_TEST_CASE(it_is_taken_where_inputs_are_many) {
  BOOST_TEST((plan_of<std::uint8_t>(thrust::seq, 511).taken == route::hashed));
  BOOST_TEST((plan_of<std::uint8_t>(thrust::seq, 512).taken == route::shared));
  BOOST_TEST((plan_of<std::int16_t>(thrust::seq, 24575).taken == route::hashed));
  BOOST_TEST((plan_of<std::int16_t>(thrust::seq, 24576).taken == route::shared));
  BOOST_TEST((plan_of<std::int32_t>(thrust::seq, 1 << 20).taken == route::hashed));
  // A cap without room for it.
  const auto capped = options{}.max_temporary_bytes(std::size_t{300} << 10);
  BOOST_TEST((plan_of<std::int16_t>(thrust::seq, 30000, capped).taken == route::sorted));
  BOOST_TEST((plan_of<std::int16_t>(thrust::seq, 3, capped).taken == route::hashed));
  BOOST_TEST(test::throws(
      [] { plan_of<int>(thrust::seq, 10, options{}.force(route::shared)); }, "1 and 2 bytes"));
}

#if defined(_OPENMP)
BOOST_AUTO_TEST_CASE(workers_are_as_many_as_the_input_and_a_cap_allow) {
  const test::threads set(4);
  BOOST_TEST(plan_of<std::int16_t>(thrust::omp::par, 1 << 17).blocks == 2U);
  const auto all = plan_of<std::int16_t>(thrust::omp::par, 1 << 24);
  BOOST_TEST(all.blocks == 4U);
  const auto fewer = plan_of<std::int16_t>(
      thrust::omp::par, 1 << 24, options{}.max_temporary_bytes(all.scratch_bytes - 1));
  BOOST_TEST(fewer.blocks == 3U);
  BOOST_TEST((fewer.taken == route::shared));
}
#endif

BOOST_AUTO_TEST_SUITE_END()
