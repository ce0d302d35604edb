// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Folds on CUDA by every route: integers, whose states are one word or two.

#include "folds_routes.h"

#include <tuple>

namespace folds_routes_setup {

template <class V>
struct sum : test::fold_kind<sum<V>, V> {
  static constexpr bool can_be_exact = false;
  static V value_of(std::size_t i) { return static_cast<V>(test::scrambled(i)); }
  template <class Call>
  static int call(Call f) {
    return f();
  }
};
using kinds = std::tuple<sum<std::int32_t>, sum<std::int64_t>>;

}  // namespace folds_routes_setup

THRUST_HIST_TEST_FOLD_ROUTES(folds_routes, THRUST_HIST_TEST_SMALL, folds_routes_setup::kinds)
