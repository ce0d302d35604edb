// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Values of keys that nobody knows: any type, any operator, no identity.

#include "../support/sparse.h"
#include <thrust_hist/sparse_histogram.h>

#include <thrust/functional.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <vector>

BOOST_AUTO_TEST_SUITE(sparse_values, THRUST_HIST_TEST_SMALL)

namespace {

using test::check_values;
using test::values_for;
using thrust_hist::sparse_histogram_by_key;

const test::samples<int> few_keys(3001, [](std::size_t i) {
  return static_cast<int>(i * i % 300) - 150;
});
const test::samples<int> many_keys(70001, [](std::size_t i) {
  return static_cast<int>(static_cast<std::uint32_t>(i % 30000 * 0x9e3779b9U));
});

struct larger {
  template <class T>
  THRUST_HIST_HOST_DEVICE T operator()(T const& a, T const& b) const {
    return a < b ? b : a;
  }
};

// An operator that has had enough after so many calls.
struct fails_once {
  std::atomic<int>* calls;
  int operator()(int a, int b) const {
    if (--*calls == 0)
      throw std::domain_error("enough");
    return a + b;
  }
};

}  // namespace

BOOST_AUTO_TEST_CASE_TEMPLATE(sums_of_integers_by_default, System, test::systems) {
  for (auto const* keys : {&few_keys, &many_keys}) {
    const auto values =
        values_for<int>(*keys, [](std::size_t i) { return static_cast<int>(i % 1001) - 500; });
    const auto expected =
        test::reduce_sorted<std::int64_t>(*keys, values, test::by_less{}, test::by_plus{});
    test::check_sparse<System>(
        *keys, values, expected,
        [&](auto first, auto last, auto with, auto to, auto out, auto const& o) {
          return sparse_histogram_by_key(System::policy(), first, last, with, to, out, o);
        });
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(a_lambda_without_identity, System, test::systems) {
  const auto values =
      values_for<int>(many_keys, [](std::size_t i) { return -static_cast<int>(i * 7919 % 1000); });
  check_values<System, int>(
      many_keys, values, [](int a, int b) { return a < b ? b : a; }, larger{});
}

BOOST_AUTO_TEST_CASE_TEMPLATE(an_operator_that_throws_leaves_outputs_alone, System, test::systems) {
  for (auto const* keys : {&few_keys, &many_keys}) {  // for one table, and for many workers
    const auto values = values_for<int>(*keys, [](std::size_t i) { return i; });
    for (int healthy : {1, 100, 2700})
      for (thrust_hist::route forced : test::sparse_routes) {
        std::atomic<int> calls{healthy};
        test::sparse_output<System, int, int> out(keys->size());
        BOOST_CHECK_THROW(
            sparse_histogram_by_key(
                System::policy(), keys->begin(), keys->end(), values.begin(), out.keys(),
                out.values(), fails_once{&calls}, thrust_hist::options{}.force(forced)),
            std::domain_error);
        out.check_untouched();
      }
  }
}

// What reduce_by_key gives: an operator needs two values.
BOOST_AUTO_TEST_CASE_TEMPLATE(a_single_value_is_written_as_it_is, System, test::systems) {
  const test::samples<int> keys{1, 1, 2, 3};
  check_values<System, int>(
      keys, test::samples<int>{5, 0, 7, 0}, thrust::logical_or<int>{},
      [](int a, int b) { return a != 0 || b != 0 ? 1 : 0; });
  const float minus_zero = test::from_bits<float>(0x80000000U);
  const float nan = test::from_bits<float>(0xffc00001U);
  const test::samples<float> values{nan, 2.F, nan, minus_zero};
  for (thrust_hist::route forced : test::sparse_routes) {
    test::sparse_output<System, int, float> out(4);
    sparse_histogram_by_key(
        System::policy(), keys.begin(), keys.end(), values.begin(), out.keys(), out.values(),
        thrust::minimum<float>{}, thrust_hist::options{}.force(forced));
    const std::vector<float> found(out.values(), out.values() + 3);
    BOOST_TEST(found[0] == 2.F);
    BOOST_TEST(test::bits_of(found[1]) == test::bits_of(nan));
    BOOST_TEST(test::anatomy<float>(found[2]).mantissa == 0U);
  }
}

BOOST_AUTO_TEST_SUITE_END()
