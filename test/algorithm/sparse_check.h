// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// What check() has to notice of sparse histograms, on any system.

#include "../support/corruption.h"
#include "../support/sparse.h"
#include <thrust_hist/errors.h>

#include <cstdint>
#include <stdexcept>
#include <vector>

#if defined(THRUST_HIST_ENABLE_CHECK) && defined(THRUST_HIST_TEST_HOOKS)

namespace test {

inline std::vector<int> keys_to_check() {
  std::vector<int> list;
  for (int i = 0; i < 3000; ++i)
    list.push_back(i * i % 701 - 350);
  return list;
}

// `call(options)` has to pass as it is, and to be caught with a row falsified.
template <class System, class Call>
void check_caught(Call const& call) {
  int checked = 0;
  for (thrust_hist::route forced : all_sparse_routes)
    for (bool unordered : {false, true})
      BOOST_TEST_CONTEXT("route " << forced << ", unordered " << unordered) {
        const auto how = thrust_hist::options{}.check().force(forced).unordered(unordered);
        try {
          call(how);
        } catch (std::invalid_argument const& refusal) {
          BOOST_TEST(sparse_may_be_refused<System>(forced), refusal.what());
          continue;
        }
        ++checked;
        for (std::int64_t wrong : {0, 1, 99}) {
          const corruption now(wrong);
          BOOST_CHECK_THROW(call(how), thrust_hist::mismatch_error);
        }
        const corruption beside(100000);
        BOOST_CHECK_NO_THROW(call(how));
      }
  BOOST_TEST(checked >= 2);  // automatic is never refused
}

}  // namespace test

#endif
