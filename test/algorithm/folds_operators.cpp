// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Operators: those of Thrust, the standard library and libcu++, whose identities are known, those
// of a user with an identity beside them, or with identity_of specialised.
//
// Which value is the first one is nobody's business: an operator that is not commutative is wrong
// use, and nothing is tested about it.

#include "../support/folds.h"
#include <thrust_hist/histogram_by_key.h>

#include <thrust/functional.h>

#if defined(THRUST_HIST_HAS_CUDA_STD)
#  include <cuda/std/functional>
#endif

#include <functional>
#include <limits>

namespace folds_operators_setup {

struct gcd_of {
  THRUST_HIST_HOST_DEVICE std::uint32_t operator()(std::uint32_t a, std::uint32_t b) const {
    while (b != 0) {
      const std::uint32_t rest = a % b;
      a = b;
      b = rest;
    }
    return a;
  }
};

}  // namespace folds_operators_setup

template <>
struct thrust_hist::identity_of<folds_operators_setup::gcd_of, std::uint32_t> {
  static constexpr bool known = true;
  THRUST_HIST_HOST_DEVICE static std::uint32_t value() { return 0; }
};

BOOST_AUTO_TEST_SUITE(folds_operators, THRUST_HIST_TEST_SMALL)
using namespace folds_operators_setup;

namespace {

using thrust_hist::histogram_by_key;

// Clamps sums, with a limit that is not known before the program runs.
struct add_up_to {
  int limit;
  THRUST_HIST_HOST_DEVICE int operator()(int a, int b) const {
    return a + b < limit ? a + b : limit;
  }
};

const auto keys = test::keys_for(3001, 60, test::distribution::zipf);

template <class T>
test::samples<T> values_of() {
  test::random rng(sizeof(T));
  return test::samples<T>(keys.size(), [&](std::size_t) { return rng() >> (rng() % 64); });
}

// An operator with a known identity, against the same in a loop of the test's.
template <class System, class T, class Op, class Expected>
void check_known(Op op, T identity, Expected expected) {
  const auto values = values_of<T>();
  test::check_fold<System>(
      keys, values, test::fold(keys, values, 60, identity, expected),
      [&](auto first, auto last, auto with, auto out, auto o) {
        return histogram_by_key(System::policy(), first, last, with, out, 60, op, o);
      });
}

using u32 = std::uint32_t;
u32 sum(u32 a, u32 b) {
  return a + b;
}
u32 product(u32 a, u32 b) {
  return a * b;
}
u32 conjunction(u32 a, u32 b) {
  return a & b;
}
u32 disjunction(u32 a, u32 b) {
  return a | b;
}
u32 parity(u32 a, u32 b) {
  return a ^ b;
}
u32 both(u32 a, u32 b) {
  return a != 0 && b != 0 ? 1 : 0;
}
u32 either(u32 a, u32 b) {
  return a != 0 || b != 0 ? 1 : 0;
}

}  // namespace

BOOST_AUTO_TEST_CASE_TEMPLATE(of_thrust, System, test::systems) {
  check_known<System, u32>(thrust::plus<u32>{}, 0, sum);
  check_known<System, u32>(thrust::multiplies<u32>{}, 1, product);
  check_known<System, u32>(thrust::bit_and<u32>{}, ~u32{0}, conjunction);
  check_known<System, u32>(thrust::logical_or<u32>{}, 0, either);
}

BOOST_AUTO_TEST_CASE(of_thrust_and_the_standard_library) {
  using system = test::main_system;
  check_known<system, u32>(thrust::bit_or<u32>{}, 0, disjunction);
  check_known<system, u32>(thrust::bit_xor<u32>{}, 0, parity);
  check_known<system, u32>(thrust::logical_and<u32>{}, 1, both);
  check_known<system, u32>(std::plus<u32>{}, 0, sum);
  check_known<system, u32>(std::multiplies<>{}, 1, product);
  check_known<system, u32>(std::bit_and<>{}, ~u32{0}, conjunction);
  check_known<system, u32>(std::bit_or<u32>{}, 0, disjunction);
  check_known<system, u32>(std::bit_xor<>{}, 0, parity);
  check_known<system, u32>(std::logical_and<>{}, 1, both);
  check_known<system, u32>(std::logical_or<u32>{}, 0, either);
}

#if defined(THRUST_HIST_HAS_CUDA_STD)
BOOST_AUTO_TEST_CASE(of_libcu) {
  using system = test::main_system;
  check_known<system, u32>(cuda::std::plus<u32>{}, 0, sum);
  check_known<system, u32>(cuda::std::plus<>{}, 0, sum);
  check_known<system, u32>(cuda::std::multiplies<>{}, 1, product);
  check_known<system, u32>(cuda::std::bit_and<>{}, ~u32{0}, conjunction);
  check_known<system, u32>(cuda::std::bit_xor<u32>{}, 0, parity);
}
#endif

BOOST_AUTO_TEST_CASE_TEMPLATE(minima_without_a_type, System, test::systems) {
#if defined(THRUST_HIST_HAS_CUDA_MAXIMUM)
  check_known<System, u32>(cuda::minimum<>{}, ~u32{0}, [](u32 a, u32 b) { return b < a ? b : a; });
  check_known<System, std::int16_t>(
      cuda::maximum<>{}, std::numeric_limits<std::int16_t>::min(),
      [](std::int16_t a, std::int16_t b) { return a < b ? b : a; });
#else
  check_known<System, u32>(
      thrust::minimum<u32>{}, ~u32{0}, [](u32 a, u32 b) { return b < a ? b : a; });
#endif
}

// The operator is for floats, the values are integers: the type in which they are folded decides.
BOOST_AUTO_TEST_CASE_TEMPLATE(the_type_of_a_functor_means_nothing, System, test::systems) {
  check_known<System, u32>(thrust::plus<float>{}, 0, sum);
  check_known<System, u32>(thrust::multiplies<std::uint8_t>{}, 1, product);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(of_a_user_whose_identity_is_known, System, test::systems) {
  check_known<System, u32>(gcd_of{}, 0, gcd_of{});
}

BOOST_AUTO_TEST_CASE_TEMPLATE(of_a_user_with_an_identity_beside_it, System, test::systems) {
  const auto values = values_of<u32>();
  const test::samples<int> small(
      keys.size(), [](std::size_t i) { return static_cast<int>(i % 10); });
  const add_up_to limited{100};
  test::check_fold<System>(
      keys, small, test::fold(keys, small, 60, 0, limited),
      [&](auto first, auto last, auto with, auto out, auto o) {
        return histogram_by_key(System::policy(), first, last, with, out, 60, limited, 0, o);
      });
  const auto larger = [] THRUST_HIST_HOST_DEVICE(u32 a, u32 b) { return a < b ? b : a; };
  test::check_fold<System>(
      keys, values, test::fold(keys, values, 60, u32{7}, larger),
      [&](auto first, auto last, auto with, auto out, auto o) {
        return histogram_by_key(System::policy(), first, last, with, out, 60, larger, u32{7}, o);
      });
}

// The fold happens in the type of the identity, whatever the output is.
BOOST_AUTO_TEST_CASE_TEMPLATE(the_identity_says_in_which_type, System, test::systems) {
  const auto values = values_of<std::uint8_t>();
  const auto wide =
      test::fold(keys, values, 60, std::uint64_t{0}, [](std::uint64_t a, u32 b) { return a + b; });
  std::vector<double> expected(wide.begin(), wide.end());
  test::check_fold<System>(
      keys, values, expected, [&](auto first, auto last, auto with, auto out, auto o) {
        return histogram_by_key(
            System::policy(), first, last, with, out, 60, thrust::plus<>{}, std::uint64_t{0}, o);
      });
  std::vector<double> wrapped;
  for (const std::uint64_t x : wide)
    wrapped.push_back(static_cast<double>(static_cast<std::uint8_t>(x)));
  test::check_fold<System>(
      keys, values, wrapped, [&](auto first, auto last, auto with, auto out, auto o) {
        return histogram_by_key(
            System::policy(), first, last, with, out, 60, thrust::plus<>{}, std::uint8_t{0}, o);
      });
}

// A zero is +0, as on systems where sums are integers while they are formed: in bins without
// values, too.
BOOST_AUTO_TEST_CASE_TEMPLATE(zeros_of_sums_have_one_sign, System, test::systems) {
  const auto values = test::samples<float>(keys.size(), [](std::size_t) { return -0.0f; });
  auto keys_there = test::buffer_of<System>(keys);
  auto values_there = test::buffer_of<System>(values);
  auto const* const first = keys_there.data();
  auto const* const with = values_there.data();
  for (const bool exact : {false, true}) {
    test::output<System, float> out(70);
    histogram_by_key(
        System::policy(), first, first + keys.size(), with, out.data(), 70, thrust::plus<>{}, -0.0f,
        thrust_hist::options{}.exact(exact));
    out.check_equals(std::vector<float>(70, 0.0f));
  }
}

BOOST_AUTO_TEST_SUITE_END()
