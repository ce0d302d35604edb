// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expected: thrust_hist: num_bins must be an integer.

#include <thrust_hist/thrust_hist.h>

#include <vector>

static std::vector<int> keys{1, 2, 3};
static std::vector<int> out(4);

void call() {
#ifdef THRUST_HIST_WRONG
  thrust_hist::histogram_even(keys.begin(), keys.end(), out.begin(), "4", 0, 4);
#else
  thrust_hist::histogram_even(keys.begin(), keys.end(), out.begin(), 4, 0, 4);
#endif
}
