// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Sums of real numbers, asked to be exact or not.

#include "../support/fewer.h"
#include "../support/half.cuh"
#include "fold_cases.h"

#include <limits>
#include <tuple>
#include <utility>

namespace test {

template <class V, class A>
void check_real_sums() {
  const std::size_t n = fewer(30011, 9001);
  for (distribution d : fewer(
           {distribution::uniform, distribution::constant, distribution::sorted},
           {distribution::uniform}))
    for (std::int64_t bins : fewer({1, 1000, 6007}, {1, 1000}))
      BOOST_TEST_CONTEXT(name_of(d) << ", " << bins << " bins")
  for (bool exact : {false, true})
    BOOST_TEST(
        check_fold<A>(
            keys_of(d, n, static_cast<std::uint64_t>(bins)), whole_numbers<V>(n), bins,
            thrust_hist::options{}.exact(exact)) >= 2);
}

// Any finite numbers, some infinities and NaN; rounded once to an output that may be narrower.
template <class V, class A>
void check_any_bits() {
  const std::size_t n = fewer(30011, 9001);
  const samples<V> values(n, [](std::size_t i) { return from_bits<V>(scrambled(i)); });
  for (std::int64_t bins : fewer({300, 6007}, {300}))
    BOOST_TEST_CONTEXT(bins << " bins")
  check_fold<A>(
      keys_of(distribution::zipf, n, static_cast<std::uint64_t>(bins)), values, bins,
      thrust_hist::options{}.exact());
}

}  // namespace test
