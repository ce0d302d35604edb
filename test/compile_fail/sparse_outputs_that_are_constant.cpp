// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expected: thrust_hist: the outputs must be two random-access iterators, keys.begin() or pointers

#include <thrust_hist/thrust_hist.h>

#include <vector>

static std::vector<int> keys{1, 2, 3};
static std::vector<int> unique, counts;

void call() {
#ifdef THRUST_HIST_WRONG
  std::vector<int> const& first = unique;
  thrust_hist::sparse_histogram(keys.begin(), keys.end(), first, counts);
#else
  std::vector<int>& first = unique;
  thrust_hist::sparse_histogram(keys.begin(), keys.end(), first, counts);
#endif
}
