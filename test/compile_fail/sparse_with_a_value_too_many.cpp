// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expected: takes ([policy,] first, last, keys_out, counts_out

#include <thrust_hist/thrust_hist.h>

#include <vector>

static std::vector<int> keys{1, 2, 3}, unique, counts;

void call() {
#ifdef THRUST_HIST_WRONG
  thrust_hist::sparse_histogram(keys.begin(), keys.end(), 1, unique, counts);
#else
  thrust_hist::sparse_histogram(keys.begin(), keys.end(), unique, counts);
#endif
}
