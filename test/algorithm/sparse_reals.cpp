// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// build: fast-math twin
// Real numbers as keys: judged by their bits, whatever flags say of NaN, zeros and subnormal numbers.

#include "../support/sparse.h"
#include <thrust_hist/sparse_histogram.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>
#include <vector>

BOOST_AUTO_TEST_SUITE(sparse_reals, THRUST_HIST_TEST_SMALL)

namespace {

template <class To, class From>
To bits_as(From from) {
  To to;
  static_assert(sizeof to == sizeof from);
  std::memcpy(&to, &from, sizeof to);
  return to;
}

template <class Real>
test::rows<Real, std::uint64_t> count_reals(test::samples<Real> const& keys) {
  using bits = std::conditional_t<sizeof(Real) == 4, std::uint32_t, std::uint64_t>;
  constexpr bits sign = bits{1} << (sizeof(bits) * 8 - 1);
  const bits infinity = bits_as<bits>(std::numeric_limits<Real>::infinity());
  std::vector<bits> negative, positive;  // magnitudes; no comparison of reals, flags may spoil it
  test::rows<Real, std::uint64_t> expected;
  std::vector<Real> nan;
  for (Real x : keys) {
    const auto b = bits_as<bits>(x);
    if ((b & ~sign) > infinity)
      nan.push_back(x);
    else if ((b & ~sign) == 0 || b < sign)
      positive.push_back(b & ~sign);
    else
      negative.push_back(b & ~sign);
  }
  const auto below = test::count_sorted<std::uint64_t>(negative);
  const auto above = test::count_sorted<std::uint64_t>(positive);
  for (std::size_t i = below.keys.size(); i-- > 0;) {
    expected.keys.push_back(bits_as<Real>(static_cast<bits>(below.keys[i] | sign)));
    expected.values.push_back(below.values[i]);
  }
  for (std::size_t i = 0; i < above.keys.size(); ++i) {
    expected.keys.push_back(bits_as<Real>(above.keys[i]));
    expected.values.push_back(above.values[i]);
  }
  expected.keys.insert(expected.keys.end(), nan.begin(), nan.end());
  expected.values.insert(expected.values.end(), nan.size(), 1);
  return expected;
}

template <class System, class Real>
void check_reals() {
  using bits = std::conditional_t<sizeof(Real) == 4, std::uint32_t, std::uint64_t>;
  using limits = std::numeric_limits<Real>;
  constexpr bits sign = bits{1} << (sizeof(bits) * 8 - 1);
  const bits infinity = bits_as<bits>(limits::infinity());
  std::vector<Real> special;
  for (bits b :
       {bits{0}, bits{1}, bits_as<bits>((limits::min)()),
        static_cast<bits>(bits_as<bits>((limits::min)()) - 1), bits_as<bits>((limits::max)()),
        infinity, static_cast<bits>(infinity + 1), static_cast<bits>(infinity + 77),
        static_cast<bits>(~sign)}) {
    special.push_back(bits_as<Real>(b));
    special.push_back(bits_as<Real>(static_cast<bits>(b | sign)));
  }
  for (std::size_t n : test::sparse_sizes) {
    const auto keys = test::keys_with(special, n, [](std::size_t i) {
      return bits_as<Real>(static_cast<bits>(i * i * 0x9e3779b97f4a7c15U));
    });
    test::check_sparse_counts<System>(keys, count_reals(keys));
  }
  const std::vector<Real> list(70001, bits_as<Real>(static_cast<bits>(infinity + 5)));
  const test::samples<Real> all_nan(list);
  test::check_sparse_counts<System>(all_nan, count_reals(all_nan));
}

}  // namespace

BOOST_AUTO_TEST_CASE_TEMPLATE(reals_have_one_zero_and_nan_equals_nothing, System, test::systems) {
  check_reals<System, float>();
}

BOOST_AUTO_TEST_CASE(doubles_as_well) {
  check_reals<test::main_system, double>();
}

BOOST_AUTO_TEST_SUITE_END()
