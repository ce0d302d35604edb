// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// reduce: the forms, the types, sizes and operators, with and without policy.

#include "../support/checks.h"
#include "../support/containers.h"
#include "../support/messages.h"
#include <thrust_hist/reduce.h>

#include <thrust/functional.h>
#include <thrust/iterator/constant_iterator.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

#include <numeric>

namespace reduce_setup {

using thrust_hist::options;

using sizes = std::initializer_list<std::size_t>;
constexpr sizes few_sizes = {0, 1, 33, 257, 1025, 8193, 65537};
constexpr sizes many_sizes = {2,    31,   32,   63,   64,   65,   255,    256,
                              1023, 1024, 1025, 8191, 8192, 8193, 100003, 131072};

// Larger than any atomic, with an odd size, and an operator that is no sum.
struct largest_with_place {
  double value;
  int place;
  char padding[3];
};
struct take_larger {
  THRUST_HIST_HOST_DEVICE largest_with_place
  operator()(largest_with_place a, largest_with_place b) const {
    return a.value > b.value || (a.value == b.value && a.place < b.place) ? a : b;
  }
};
struct to_place {
  THRUST_HIST_HOST_DEVICE largest_with_place operator()(int i) const {
    return {static_cast<double>(i * 7919LL % 100003), i, {}};
  }
};
struct bitwise_xor {
  THRUST_HIST_HOST_DEVICE std::uint64_t operator()(std::uint64_t a, std::uint64_t b) const {
    return a ^ b;
  }
};

template <class System, class T, class Init, class Op>
void check_fold(sizes ns, Init init, Op op, std::uint64_t distinct = 1 << 20) {
  for (std::size_t n : ns) {
    const auto keys = test::generate(test::distribution::uniform, n + 3, distinct, n);
    const test::samples<T> s(n + 3, [&](std::size_t i) {
      if constexpr (test::is_float<T>)
        return test::round_to<T>(static_cast<double>(keys[i]));
      else
        return keys[i];
    });
    auto in = test::buffer_of<System>(s);
    for (std::size_t offset : {0, 1, 3}) {  // aligned to the element only
      if (n > 10000 && offset == 0)
        continue;
      T const* const first = in.data() + offset;
      Init expected = init;
      for (std::size_t i = 0; i < n; ++i)
        expected = op(expected, static_cast<Init>(s[i + offset]));
      const Init got = thrust_hist::reduce(System::policy(), first, first + n, init, op);
      BOOST_REQUIRE_MESSAGE(
          got == expected,
          "n = " << n << ", offset " << offset << ": " << +got << " instead of " << +expected);
    }
  }
}

template <class System>
void check_integer_sums(sizes ns) {
  check_fold<System, std::uint8_t>(ns, std::uint32_t{5}, thrust::plus<std::uint32_t>{});
  check_fold<System, std::int8_t>(ns, std::int8_t{-5}, thrust::plus<std::int8_t>{});
  check_fold<System, std::uint16_t>(ns, std::uint16_t{5}, thrust::plus<std::uint16_t>{});
  check_fold<System, std::uint64_t>(ns, std::uint64_t{0}, thrust::plus<std::uint64_t>{});
  check_fold<System, bool>(ns, 1, thrust::plus<int>{}, 2);
  check_fold<System, char>(ns, std::int64_t{-7}, thrust::plus<std::int64_t>{});
}

template <class System>
void check_real_sums(sizes ns) {
  check_fold<System, double>(ns, 0.5, thrust::plus<double>{});
  check_fold<System, float>(ns, 0.0, thrust::plus<double>{});
}

template <class System>
void check_other_operators(sizes ns) {
  check_fold<System, int>(ns, 1 << 21, thrust::minimum<int>{});
  check_fold<System, int>(ns, -1, thrust::maximum<int>{});
  check_fold<System, float>(ns, -1.F, thrust::maximum<float>{});
  check_fold<System, std::uint32_t>(ns, std::uint32_t{3}, thrust::multiplies<std::uint32_t>{});
  check_fold<System, std::int64_t>(ns, std::uint64_t{1}, bitwise_xor{});
}

}  // namespace reduce_setup

BOOST_AUTO_TEST_SUITE(reduce_to_one_bin, THRUST_HIST_TEST_SMALL)
using namespace reduce_setup;

BOOST_AUTO_TEST_CASE_TEMPLATE(
    integer_sums_are_exact_and_wrap_in_the_type_of_init, System, test::systems) {
  check_integer_sums<System>(few_sizes);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(real_sums_of_integers_are_exact, System, test::systems) {
  check_real_sums<System>(few_sizes);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(
    minimum_maximum_product_and_an_operator_of_ones_own, System, test::systems) {
  check_other_operators<System>(few_sizes);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(
    a_struct_folded_by_an_operator_without_atomics, System, test::systems) {
  for (int n : {0, 1, 33, 1025, 100003}) {
    const auto first =
        thrust::make_transform_iterator(thrust::make_counting_iterator(0), to_place{});
    const largest_with_place init{-1, -1, {}};
    const auto got = thrust_hist::reduce(System::policy(), first, first + n, init, take_larger{});
    largest_with_place expected = init;
    for (int i = 0; i < n; ++i)
      expected = take_larger{}(expected, to_place{}(i));
    BOOST_TEST(got.value == expected.value);
    BOOST_TEST(got.place == expected.place);
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(
    every_form_has_the_type_that_thrust_gives_it, System, test::every_policy) {
  const test::samples<int> s{5, -2, 7};
  auto in = test::buffer_of<System>(s);
  int const* const first = in.data();
  const auto policy = System::policy();
  static_assert(std::is_same_v<decltype(thrust_hist::reduce(policy, first, first)), int>);
  static_assert(std::is_same_v<decltype(thrust_hist::reduce(policy, first, first, 0.5)), double>);
  static_assert(
      std::is_same_v<
          decltype(thrust_hist::reduce(policy, first, first, 1L, thrust::plus<long>{})), long>);
  BOOST_TEST(thrust_hist::reduce(policy, first, first + 3) == 10);
  BOOST_TEST(thrust_hist::reduce(policy, first, first + 3, options{}) == 10);
  BOOST_TEST(thrust_hist::reduce(policy, first, first + 3, 1) == 11);
  BOOST_TEST(thrust_hist::reduce(policy, first, first + 3, 0.5) == 10.5);
  BOOST_TEST(thrust_hist::reduce(policy, first, first + 3, 1, options{}) == 11);
  BOOST_TEST(thrust_hist::reduce(policy, first, first + 3, 100, thrust::minimum<int>{}) == -2);
  BOOST_TEST(
      thrust_hist::reduce(policy, first, first + 3, 100, thrust::minimum<int>{}, options{}) == -2);
  const options named;
  BOOST_TEST(thrust_hist::reduce(policy, first, first + 3, 1, named) == 11);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(
    without_a_policy_the_system_of_the_input_decides, System, test::every_policy) {
  const std::vector<int> values{5, -2, 7};
  test::vector_of<System, int> in(values.begin(), values.end());
  BOOST_TEST(thrust_hist::reduce(in.begin(), in.end()) == 10);
  BOOST_TEST(thrust_hist::reduce(in.begin(), in.end(), options{}) == 10);
  BOOST_TEST(thrust_hist::reduce(in.begin(), in.end(), 1L) == 11L);
  BOOST_TEST(thrust_hist::reduce(in.begin(), in.end(), 1L, options{}) == 11L);
  BOOST_TEST(thrust_hist::reduce(in.begin(), in.end(), 0, thrust::maximum<int>{}) == 7);
  BOOST_TEST(thrust_hist::reduce(in.begin(), in.end(), 0, thrust::maximum<int>{}, options{}) == 7);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(fancy_input, System, test::every_policy) {
  const auto counting = thrust::make_counting_iterator<long>(1);
  BOOST_TEST(
      thrust_hist::reduce(System::policy(), counting, counting + 100000) == 100000L * 100001 / 2);
  const auto constant = thrust::make_constant_iterator<short>(3);
  BOOST_TEST(thrust_hist::reduce(System::policy(), constant, constant + 100000, 0) == 300000);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(
    explain_gives_the_plan_and_init_and_runs_nothing, System, test::every_policy) {
  const test::samples<int> s(100000, [](std::size_t i) { return i; });
  auto in = test::buffer_of<System>(s);
  int const* const first = in.data();
  thrust_hist::plan plan;
  BOOST_TEST(
      thrust_hist::reduce(
          System::policy(), first, first + s.size(), 77, options{}.explain(&plan)) == 77);
  BOOST_TEST(plan.system != "");
  BOOST_TEST(plan.why != "");
  BOOST_TEST(plan.blocks > 0U);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(
    a_cap_on_memory_is_kept_or_refused_with_one_that_works, System, test::every_policy) {
  const test::samples<int> s(100000, [](std::size_t) { return 2; });
  auto in = test::buffer_of<System>(s);
  int const* const first = in.data();
  try {
    BOOST_TEST(
        thrust_hist::reduce(
            System::policy(), first, first + s.size(), 0, options{}.max_temporary_bytes(0)) ==
        200000);
  } catch (thrust_hist::memory_limit_error const& refusal) {
    const auto how = options{}.max_temporary_bytes(refusal.smallest());
    BOOST_TEST(thrust_hist::reduce(System::policy(), first, first + s.size(), 0, how) == 200000);
  }
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(reduce_large, THRUST_HIST_TEST_LARGE)
using namespace reduce_setup;

BOOST_AUTO_TEST_CASE_TEMPLATE(every_size_around_warps_and_blocks, System, test::systems) {
  check_integer_sums<System>(many_sizes);
  check_real_sums<System>(many_sizes);
  check_other_operators<System>(many_sizes);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(several_million_values, System, test::systems) {
  const test::samples<std::uint32_t> s(test::generate(test::distribution::uniform, 5000011, ~0U));
  auto in = test::buffer_of<System>(s);
  std::uint32_t const* const first = in.data();
  const auto sum = std::accumulate(s.begin(), s.end(), std::uint64_t{0});
  BOOST_TEST(
      thrust_hist::reduce(System::policy(), first, first + s.size(), std::uint64_t{0}) == sum);
  BOOST_TEST(
      thrust_hist::reduce(System::policy(), first, first + s.size()) ==
      static_cast<std::uint32_t>(sum));
}

BOOST_AUTO_TEST_SUITE_END()
