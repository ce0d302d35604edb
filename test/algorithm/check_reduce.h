// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// What check() has to notice of reduce, on any system.

#include "../support/checks.h"
#include "../support/containers.h"
#include "../support/corruption.h"
#include <thrust_hist/errors.h>
#include <thrust_hist/reduce.h>

#if defined(THRUST_HIST_ENABLE_CHECK) && defined(THRUST_HIST_TEST_HOOKS)

namespace check_setup {

using thrust_hist::options;

struct largest {
  int value;
  int place;
  THRUST_HIST_HOST_DEVICE bool operator==(largest const& other) const {
    return value == other.value && place == other.place;
  }
};
struct take_larger {
  THRUST_HIST_HOST_DEVICE largest operator()(largest const& a, largest const& b) const {
    return a.value > b.value || (a.value == b.value && a.place < b.place) ? a : b;
  }
};

struct point {
  float x, y;
  point() = default;
  THRUST_HIST_HOST_DEVICE point(float both) : x(both), y(both) {}
  THRUST_HIST_HOST_DEVICE point(float a, float b) : x(a), y(b) {}
  THRUST_HIST_HOST_DEVICE bool operator==(point const& other) const {
    return x == other.x && y == other.y;
  }
};
struct add_points {
  THRUST_HIST_HOST_DEVICE point operator()(point const& a, point const& b) const {
    return {a.x + b.x, a.y + b.y};
  }
};

// reduce of `s` has to pass as it is, and to be caught with its result falsified.
template <class System, class T, class Sample, class Op>
void check_reduce_caught(test::samples<Sample> const& s, T init, Op op, options how = {}) {
  auto in = test::buffer_of<System>(s);
  Sample const* const first = in.data();
  for (std::size_t n : {std::size_t{0}, std::size_t{1}, s.size()})
    BOOST_TEST_CONTEXT("n = " << n) {
      how.check();
      BOOST_CHECK_NO_THROW(thrust_hist::reduce(System::policy(), first, first + n, init, op, how));
      const test::corruption beside(1);
      BOOST_CHECK_NO_THROW(thrust_hist::reduce(System::policy(), first, first + n, init, op, how));
      if (how.exact_ && n == 0)
        continue;  // nothing is added to init, and nothing falsified
      const test::corruption now(0);
      try {
        thrust_hist::reduce(System::policy(), first, first + n, init, op, how);
        BOOST_ERROR("the result was falsified and nobody noticed");
      } catch (thrust_hist::mismatch_error const& caught) {
        BOOST_TEST(caught.bin() == 0);
        BOOST_TEST(caught.expected() != caught.got());
      }
    }
}

}  // namespace check_setup

#endif
