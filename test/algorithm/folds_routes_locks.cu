// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Folds on CUDA by every route: 16 bytes and an operator that is no atomic.

#include "folds_routes.h"

#include <tuple>

namespace folds_routes_locks_setup {

// The greatest, and of equals the first.
struct place {
  double value;
  std::int64_t index;
};
struct pick_greatest {
  __host__ __device__ place operator()(place const& a, place const& b) const {
    return b.value > a.value || (b.value == a.value && b.index < a.index) ? b : a;
  }
};

struct greatest : test::fold_kind<greatest, place> {
  static constexpr bool can_be_exact = false;
  static place value_of(std::size_t i) {
    return {static_cast<double>(test::scrambled(i) % 1000), static_cast<std::int64_t>(i)};
  }
  template <class Call>
  static int call(Call f) {
    return f(pick_greatest{}, place{-1e300, std::int64_t{1} << 62});
  }
};
using kinds = std::tuple<greatest>;

}  // namespace folds_routes_locks_setup

THRUST_HIST_TEST_FOLD_ROUTES(
    folds_routes_locks, THRUST_HIST_TEST_SMALL_LOCKS, folds_routes_locks_setup::kinds)
