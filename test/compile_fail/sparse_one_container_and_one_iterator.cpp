// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expected: not one of each

#include <thrust_hist/thrust_hist.h>

#include <vector>

static std::vector<int> keys{1, 2, 3};
static std::vector<int> unique(3), counts(3);

void call() {
#ifdef THRUST_HIST_WRONG
  thrust_hist::sparse_histogram(keys.begin(), keys.end(), unique, counts.begin());
#else
  thrust_hist::sparse_histogram(keys.begin(), keys.end(), unique.begin(), counts.begin());
#endif
}
