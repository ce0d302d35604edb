// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expected: thrust_hist: the input must be random-access iterators; copy the range to a vector first.

#include <thrust_hist/thrust_hist.h>

#include <list>
#include <vector>

static std::list<int> list{1, 2, 3};

void call() {
#ifdef THRUST_HIST_WRONG
  thrust_hist::reduce(list.begin(), list.end());
#else
  std::vector<int> const values(list.begin(), list.end());
  thrust_hist::reduce(values.begin(), values.end());
#endif
}
