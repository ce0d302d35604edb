// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Operators other than the sum on CUDA: minima and maxima, bits, logic, products.

#include "fold_cases.h"

#include <limits>
#include <tuple>

namespace folds_by_operators_setup {

// Any bits; for real numbers NaN of all kinds, zeros of both signs and infinities among them.
template <class V>
V any(std::size_t i) {
  if constexpr (std::is_floating_point_v<V>) {
    constexpr V special[] = {
        std::numeric_limits<V>::quiet_NaN(), V(0), -V(0), std::numeric_limits<V>::infinity(),
        -std::numeric_limits<V>::infinity()};
    return i % 4 == 0 ? special[test::scrambled(i) % 5] : test::from_bits<V>(test::scrambled(i));
  } else
    return static_cast<V>(test::scrambled(i));
}

template <class A, class V, class Make, class Op>
void check_values(Op op, Make make) {
  for (auto d :
       {test::distribution::uniform, test::distribution::constant, test::distribution::runs})
    for (std::int64_t bins : {1, 19, 5000}) {
      const test::samples<V> values(30011, make);
      BOOST_TEST_CONTEXT(test::name_of(d) << ", " << bins << " bins")
      BOOST_TEST(
          test::check_fold<A>(
              test::keys_of(d, 30011, static_cast<std::uint64_t>(bins)), values, bins, {}, op) >=
          2);
    }
}

template <class V, class Op>
void check_any(Op op) {
  check_values<V, V>(op, any<V>);
}

}  // namespace folds_by_operators_setup

BOOST_AUTO_TEST_SUITE(folds_by_operators, THRUST_HIST_TEST_SMALL_LOCKS)
using namespace folds_by_operators_setup;

BOOST_AUTO_TEST_CASE(minima_and_maxima_of_integers) {
  check_any<std::int32_t>(thrust::minimum<std::int32_t>{});
  check_any<std::uint64_t>(thrust::maximum<std::uint64_t>{});
  check_any<std::int64_t>(thrust::minimum<std::int64_t>{});
  check_any<std::uint8_t>(thrust::maximum<std::uint8_t>{});
}

BOOST_AUTO_TEST_CASE(bits) {
  // Few bits are 0, or the result would be 0 soon.
  check_values<std::uint32_t, std::uint32_t>(thrust::bit_and<std::uint32_t>{}, [](std::size_t i) {
    return i % 1000 == 0 ? static_cast<std::uint32_t>(test::scrambled(i)) | 0xff00ff0fu : ~0u;
  });
  check_values<std::uint64_t, std::uint64_t>(thrust::bit_or<std::uint64_t>{}, [](std::size_t i) {
    return i % 1000 == 0 ? test::scrambled(i) & 0x00ff00000ff00ff0u : 0u;
  });
  check_any<std::int64_t>(thrust::bit_xor<std::int64_t>{});
}

BOOST_AUTO_TEST_CASE(logic_and_products) {
  check_values<std::int32_t, std::int32_t>(
      thrust::logical_and<std::int32_t>{}, [](std::size_t i) { return i % 5000 != 3 ? 7 : 0; });
  check_values<std::uint8_t, std::uint8_t>(
      thrust::logical_or<std::uint8_t>{}, [](std::size_t i) { return i % 5000 == 3 ? 7 : 0; });
  check_values<std::uint32_t, std::uint32_t>(
      thrust::multiplies<std::uint32_t>{}, [](std::size_t i) { return 2 * i + 1; });
  check_values<float, float>(thrust::multiplies<float>{}, [](std::size_t i) {
    return i % 5000 == 3 ? -2.f : i % 3 == 0 ? -1.f : 1.f;
  });
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(folds_by_operators_of_reals, THRUST_HIST_TEST_SMALL_LOCKS)
using namespace folds_by_operators_setup;

BOOST_AUTO_TEST_CASE(minima_and_maxima_leave_nan_out_and_have_one_zero) {
  check_any<float>(thrust::minimum<float>{});
  check_any<double>(thrust::maximum<double>{});
}

BOOST_AUTO_TEST_CASE(bins_of_nan_alone_hold_the_identity) {
  check_values<float, float>(thrust::maximum<float>{}, [](std::size_t) {
    return std::numeric_limits<float>::quiet_NaN();
  });
}

BOOST_AUTO_TEST_SUITE_END()
