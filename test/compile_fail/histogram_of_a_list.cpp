// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expected: the input must be random-access iterators

#include <thrust_hist/thrust_hist.h>

#include <list>
#include <vector>

static std::vector<int> keys{1, 2, 3};
static std::vector<int> out(4);
static std::list<int> list{1, 2, 3};

#ifdef THRUST_HIST_WRONG
void call() {
  thrust_hist::histogram(list.begin(), list.end(), out.begin(), 4);
}
#else
void call() {
  const std::vector<int> copy(list.begin(), list.end());
  thrust_hist::histogram(copy.begin(), copy.end(), out.begin(), 4);
}
#endif
