// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Folds on CUDA by every route: real numbers, whose sums are limbs and windows, and whose minima
// words.

#include "folds_routes.h"

#include <tuple>

namespace folds_routes_reals_setup {

struct sum : test::fold_kind<sum, float> {
  static constexpr bool can_be_exact = true;
  static float value_of(std::size_t i) { return test::whole_number<float>(i); }
  template <class Call>
  static int call(Call f) {
    return f();
  }
};
struct least : test::fold_kind<least, double> {
  static constexpr bool can_be_exact = false;
  static double value_of(std::size_t i) {
    return i % 3 == 0 ? std::numeric_limits<double>::quiet_NaN() : test::whole_number<double>(i);
  }
  template <class Call>
  static int call(Call f) {
    return f(thrust::minimum<double>{});
  }
};
using kinds = std::tuple<sum, least>;

}  // namespace folds_routes_reals_setup

THRUST_HIST_TEST_FOLD_ROUTES(
    folds_routes_reals, THRUST_HIST_TEST_SMALL, folds_routes_reals_setup::kinds)
