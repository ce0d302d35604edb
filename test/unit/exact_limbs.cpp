// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// build: fast-math twin
#include "../support/boost_test.h"
#include "../support/exact_addends.h"
#include <thrust_hist/values.h>

#include <random>
#include <tuple>
#include <vector>

// What exact sums are made of, and what they are compared with.

BOOST_AUTO_TEST_SUITE(exact_limbs)

namespace {

using namespace test;
using namespace thrust_hist;

using reals = std::tuple<float, double>;
using carry_save_of_float = thrust_hist::detail::carry_save<float>;

}  // namespace

BOOST_AUTO_TEST_CASE(the_reference_agrees_with_128_bit_arithmetic) {
  std::mt19937_64 rng(3);
  for (int i = 0; i < 20000; ++i) {
    int128 sum = 0;
    wide_integer wide;
    for (int k = 0; k < 5; ++k) {
      const auto value = rng() >> rng() % 64;
      const bool negative = (rng() & 1) != 0;
      const int position = static_cast<int>(rng() % 60);
      sum += (negative ? -1 : 1) * (static_cast<int128>(value) << position);
      wide += wide_integer(negative, value, position);
    }
    const int128 magnitude = sum < 0 ? -sum : sum;
    bool same = sum == 0 || wide.negative() == (sum < 0);
    for (int bit = 0; bit < 127; ++bit)
      same = same && wide.bit(bit) == ((magnitude >> bit & 1) != 0);
    BOOST_REQUIRE(same);
    // A rounding to 24 digits of what has 53.
    const auto x = from_bits<double>(rng());
    const anatomy<double> parts(x);
    const wide_integer one(parts.negative, parts.mantissa, parts.scale() - anatomy<double>::lowest);
    if (!parts.is_special() && parts.mantissa != 0)
      BOOST_REQUIRE(
          rounded_bits<float>(one, anatomy<double>::lowest) == bits_of(round_to<float>(x)));
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(digits_are_the_number_and_stay_below_the_last_limb, T, reals) {
  using thrust_hist::detail::digit_run;
  std::vector<T> numbers = finite_numbers<T>(20000);
  for (T x : {most<T>(), least<T>(), from_bits<T>(0)})
    for (T y : {x, negated(x)})
      numbers.push_back(y);
  for (T x : numbers) {
    const auto parts = thrust_hist::detail::dissect(x);
    const digit_run<T> run = thrust_hist::detail::digits_of(parts);
    int128 value = 0;
    for (int k = digit_run<T>::count - 1; k >= 0; --k)
      value = value * (int128{1} << 32) + run.digit[k];
    BOOST_REQUIRE(parts.position / 32 == run.limb);
    BOOST_REQUIRE((value == static_cast<int128>(parts.significand) * (1ll << parts.position % 32)));
    BOOST_REQUIRE(run.limb + digit_run<T>::count < thrust_hist::detail::limb_format<T>::limbs);
    const anatomy<T> expected(x);
    const auto magnitude = static_cast<std::int64_t>(expected.mantissa);
    BOOST_REQUIRE(parts.significand == (expected.negative ? -magnitude : magnitude));
    BOOST_REQUIRE(parts.position == expected.scale() - anatomy<T>::lowest);
  }
}

// As kernels add in shared memory.
BOOST_AUTO_TEST_CASE(words_of_32_bits_with_carries_hold_the_same_sum) {
  std::vector<float> numbers = finite_numbers<float>(20000);
  numbers.insert(numbers.end(), 5000, most<float>());
  constexpr int words = carry_save_of_float::limbs;
  std::int32_t word[words] = {};
  exact_sum<float> expected;
  for (float x : numbers) {
    expected += x;
    const auto run = thrust_hist::detail::digits_of(thrust_hist::detail::dissect(x));
    for (int k = 0; k < run.count; ++k) {
      std::int32_t digit = run.digit[k];
      for (int i = run.limb + k; digit != 0 && i < words; ++i) {
        const std::int32_t before = word[i];
        word[i] = static_cast<std::int32_t>(
            static_cast<std::uint32_t>(before) + static_cast<std::uint32_t>(digit));
        digit = thrust_hist::detail::carry_of(before, digit);
      }
    }
  }
  carry_save_of_float saved{};
  for (int i = 0; i < words; ++i)
    saved.limb[i] = word[i];
  BOOST_TEST(same_bytes(exact_sum<float>(saved), expected));
}

BOOST_AUTO_TEST_CASE(limbs_hold_2_to_the_31_digits_of_either_sign) {
  for (std::int64_t sign : {-1, 1}) {
    carry_save_of_float full{}, expected{};
    for (int i = 0; i + 2 < carry_save_of_float::limbs; ++i)
      full.limb[i] = sign * (std::int64_t{1} << 62);
    // 2^62 of limb i are 2^30 of limb i + 1.
    for (int i = 1; i + 1 < carry_save_of_float::limbs; ++i)
      expected.limb[i] = sign * (std::int64_t{1} << 30);
    BOOST_TEST((exact_sum<float>(full) == exact_sum<float>(expected)));
    full.normalize();
    expected.normalize();
    BOOST_TEST(same_bytes(full, expected));
  }
}

// A sum whose bits lie near each other is rounded as the same sum in all limbs is, and as the
// reference rounds it.
template <class To, class T>
void check_near(int128 units, int position) {
  using thrust_hist::detail::near_sum;
  const near_sum<T> sum = {units, position};
  const To rounded = thrust_hist::detail::round_near<To>(sum);
  const auto limbs = sum.spread();
  const To by_limbs = thrust_hist::detail::round_to<To>(limbs);
  BOOST_REQUIRE(bits_of(rounded) == bits_of(by_limbs));
  const bool negative = units < 0;
  const auto magnitude = negative ? -static_cast<uint128>(units) : static_cast<uint128>(units);
  wide_integer wide(negative, static_cast<std::uint64_t>(magnitude), position);
  wide += wide_integer(negative, static_cast<std::uint64_t>(magnitude >> 64), position + 64);
  BOOST_REQUIRE(bits_of(rounded) == rounded_bits<To>(wide, anatomy<T>::lowest));
}
BOOST_AUTO_TEST_CASE_TEMPLATE(near_sums_are_rounded_once, T, reals) {
  std::mt19937_64 rng(11);
  const int last = thrust_hist::detail::limb_format<T>::range - 110;
  for (int i = 0; i < 40000; ++i) {
    const auto high = rng() >> (1 + rng() % 63);
    auto units = static_cast<int128>(high) << (rng() % 64) | (rng() >> rng() % 64);
    if (i % 4 == 1)  // halfway, and just beside
      units = (static_cast<int128>(rng() >> (64 - 24)) * 2 + 1) << (i / 4 % 60);
    if (i % 8 == 1)
      units += static_cast<int>(rng() % 3) - 1;
    units = i % 3 == 0 ? -units : i % 997 == 5 ? 0 : units;
    const int position =
        i % 5 == 0 ? i % 40 : static_cast<int>(rng() % static_cast<unsigned>(last));
    check_near<float, T>(units, position);
    check_near<double, T>(units, position);
  }
}

BOOST_AUTO_TEST_SUITE_END()
